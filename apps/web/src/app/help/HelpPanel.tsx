import './help.css';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconChevronRight, IconRoute } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../../client/session.ts';
import { useReturnFocus } from '../../ui/hooks/returnFocus.ts';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { SideDrawer } from '../../ui/overlay/SideDrawer.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { mayOpen } from '../shell/access.ts';
import { Markdown } from './Markdown.tsx';
import { showMe } from './showMe.ts';
import { GROUPS, isAt, pathOf, searchTopics, type Topic, topicAt, TOPICS } from './topics.ts';

/** The width in px. */
const WIDTH = 420;

export interface HelpPanelProps {
  /** The topic to start with. The default is the current screen's topic. */
  topic?: string | undefined;
  onClose: () => void;
}

/** The help panel next to the screen: the screen's topic, all other topics, and a search. */
export function HelpPanel({ topic: asked, onClose }: HelpPanelProps) {
  useReturnFocus(true);
  const user = useSession();
  const { pathname, search } = useLocation();
  const topics = TOPICS.filter(({ needs }) => mayOpen(user, needs));
  const [chosen, choose] = useState(() => {
    const first = topics.find(({ id }) => id === asked) ?? topicAt(topics, pathname, search);
    return first?.id;
  });
  const [text, setText] = useState('');
  const topic = topics.find(({ id }) => id === chosen);
  const open = (id: string | undefined) => {
    setText('');
    choose(id);
  };
  const found = searchTopics(topics, text);
  const needsOf = (address: string) =>
    TOPICS.find(({ at }) => at.some((one) => pathOf(one) === pathOf(address)))?.needs;
  const opens = (address: string) => mayOpen(user, needsOf(address) ?? 'Administrator');
  return (
    <SideDrawer opened onClose={onClose} title="Help" width={WIDTH} pushes>
      <div className="hp">
        <FilterBox placeholder="Search help..." value={text} onChange={setText} />
        {text.trim() !== '' && <Found topics={found} onOpen={open} />}
        {text.trim() === '' && topic !== undefined && (
          <TopicView key={topic.id} topic={topic} {...{ opens, onClose }} onOpen={open} />
        )}
        {text.trim() === '' && topic === undefined && <AllTopics topics={topics} onOpen={open} />}
      </div>
    </SideDrawer>
  );
}

interface ListProps {
  topics: readonly Topic[];
  onOpen: (id: string) => void;
}

function Found({ topics, onOpen }: ListProps) {
  if (topics.length === 0) return <p role="status">No help topics match your search.</p>;
  return <TopicList topics={topics} onOpen={onOpen} />;
}

function AllTopics({ topics, onOpen }: ListProps) {
  return GROUPS.map((group) => {
    const own = topics.filter((topic) => topic.group === group);
    if (own.length === 0) return null;
    return (
      <section key={group} aria-label={group}>
        <h3 className="hp-group">{group}</h3>
        <TopicList topics={own} onOpen={onOpen} />
      </section>
    );
  });
}

function TopicList({ topics, onOpen }: ListProps) {
  return (
    <ul className="hp-topics">
      {topics.map(({ id, title }) => (
        <li key={id}>
          <button type="button" onClick={() => onOpen(id)}>
            <span>{title}</span>
            <IconChevronRight {...ICON_SMALL} />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface TopicViewProps extends Pick<HelpPanelProps, 'onClose'> {
  topic: Topic;
  opens: (address: string) => boolean;
  onOpen: (id: string | undefined) => void;
}

function TopicView({ topic, opens, onOpen, onClose }: TopicViewProps) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { screen, steps } = topic;
  const show = () => {
    onClose();
    if (screen !== undefined && !isAt(screen, pathname + search)) void navigate(screen);
    void showMe(steps);
  };
  return (
    <article className="hp-topic" aria-labelledby="help-topic">
      <Button
        variant="subtle"
        className="hp-all"
        leftSection={<IconArrowLeft {...ICON_SMALL} />}
        onClick={() => onOpen(undefined)}
      >
        All topics
      </Button>
      <h3 id="help-topic">{topic.title}</h3>
      <Markdown text={topic.body} onTopic={onOpen} opens={opens} onLeave={onClose} />
      {steps.length > 0 && (
        <Button variant="default" leftSection={<IconRoute {...ICON_SMALL} />} onClick={show}>
          Show me
        </Button>
      )}
    </article>
  );
}
