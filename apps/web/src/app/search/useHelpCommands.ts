import { IconHelpCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { SessionUser } from '../../client/session.ts';
import type { Topic } from '../help/topics.ts';
import { mayOpen } from '../shell/access.ts';
import type { Command } from './commands.ts';

const NO_TOPICS: readonly Topic[] = [];

/** Returns the help topics as commands after they have loaded. The palette also works without them. */
export function useHelpCommands(user: SessionUser | null, onHelp: (topic: string) => void): Command[] {
  const [topics, setTopics] = useState(NO_TOPICS);
  useEffect(() => {
    let isGone = false;
    import('../help/topics.ts').then(
      ({ TOPICS }) => (isGone ? undefined : setTopics(TOPICS)),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  return topics
    .filter(({ needs }) => mayOpen(user, needs))
    .map(({ id, title: text, also }) => {
      const run = () => onHelp(id);
      return { id: `help ${id}`, kind: 'help', text, also: `${also} help`, icon: IconHelpCircle, run };
    });
}
