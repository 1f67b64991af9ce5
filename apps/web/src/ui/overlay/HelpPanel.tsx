import '../theme/fieldStyles.ts';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ICON_SMALL } from '../show/icons.ts';
import { SideDrawer } from './SideDrawer.tsx';

export interface HelpTopic {
  title: string;
  /** The words that the search field looks through besides the title. */
  text: string;
  /** Shown instead of the plain text. */
  content?: ReactNode;
}

export interface HelpSection {
  title: string;
  topics: readonly HelpTopic[];
}

export interface HelpPanelProps {
  opened: boolean;
  onClose: () => void;
  title?: string;
  sections: readonly HelpSection[];
}

/** The help panel with a search field: sections of topics that open in place. */
export function HelpPanel({ opened, onClose, title = 'Help', sections }: HelpPanelProps) {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const found = sections
    .map((section) => ({
      ...section,
      topics: section.topics.filter((topic) => `${topic.title} ${topic.text}`.toLowerCase().includes(wanted)),
    }))
    .filter((section) => section.topics.length > 0);
  return (
    <SideDrawer opened={opened} onClose={onClose} title={title} width={424}>
      <TextInput
        aria-label="Search help"
        placeholder="Search help..."
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        leftSection={<IconSearch {...ICON_SMALL} />}
      />
      <div role="status" className="ek-vh">
        {wanted === '' ? '' : `${found.reduce((all, section) => all + section.topics.length, 0)} topics`}
      </div>
      {found.length === 0 && <p className="ek-help-section ek-second">Nothing found for “{words.trim()}”.</p>}
      {found.map((section) => (
        <section key={section.title} className="ek-help-section">
          <h3>{section.title}</h3>
          {section.topics.map((topic) => (
            <details key={topic.title} className="ek-help-topic" open={wanted !== '' ? true : undefined}>
              <summary>{topic.title}</summary>
              <div>{topic.content ?? topic.text}</div>
            </details>
          ))}
        </section>
      ))}
    </SideDrawer>
  );
}
