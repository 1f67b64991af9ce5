import '../../ui/theme/fieldStyles.ts';
import './keySheet.css';
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { Key } from '../../ui/keys/Key.tsx';
import { type KeyName, KEYS } from '../../ui/keys/keys.ts';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { KEY_SECTIONS, type KeySection } from './keyWords.ts';

export interface KeySheetProps {
  /** Whether the single-key shortcuts `/` and `?` are on. Users of speech input can turn them off. */
  single: 'on' | 'off';
  onSingle: (single: 'on' | 'off') => void;
  onClose: () => void;
}

/** The sheet of keyboard shortcuts. Shortcuts for the current screen come first. */
export function KeySheet({ single, onSingle, onClose }: KeySheetProps) {
  // The shortcuts for the screen behind the sheet, which are determined before the sheet covers the screen.
  const [here] = useState(() => KEY_SECTIONS.filter(isHere));
  const elsewhere = KEY_SECTIONS.filter((section) => !here.includes(section));
  return (
    <AppModal opened title="Keys" size="lg" onClose={onClose}>
      <div className="ek-keys">
        {[...here, ...elsewhere].map((section) => (
          <Section key={section.title} section={section} single={single} />
        ))}
      </div>
      <Switch
        className="ek-keys-single"
        label="Use the single-key shortcuts / and ?"
        description="Turn these off if you use speech input or another tool that types for you. Ctrl+K still works."
        checked={single === 'on'}
        onChange={(event) => onSingle(event.currentTarget.checked ? 'on' : 'off')}
      />
    </AppModal>
  );
}

const isHere = ({ where }: KeySection): boolean => where === undefined || document.querySelector(where) !== null;

function Section({ section: { title, keys }, single }: { section: KeySection; single: 'on' | 'off' }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {keys.map(([names, words]) => (
          <div key={words}>
            <dt>{words}</dt>
            <dd>
              {names.map((name) => (
                <Keys key={name} keys={heard(name, single)} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The alternative keys of an action. */
function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((each, at) => (
    <span key={each}>
      {at > 0 && <span className="ek-muted">or</span>}
      <Key keys={each} />
    </span>
  ));
}

const SINGLE: readonly KeyName[] = ['search', 'sheet'];

/** Returns an action's keys, without keys that are turned off. */
function heard(name: KeyName, single: 'on' | 'off'): readonly string[] {
  const isOff = single === 'off' && SINGLE.includes(name);
  return KEYS[name].filter((keys: string) => !isOff || keys.includes('+'));
}
