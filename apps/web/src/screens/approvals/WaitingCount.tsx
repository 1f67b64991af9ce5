import { agentCalls } from '@evenkeel/contract/agents';
import { useEffect, useEffectEvent } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { writeLocal } from '../../ui/hooks/localState.ts';

/** The time between two reads of the number, if agents can work. */
const LIVE_MS = 60_000;

/**
 * Tells the menu how many changes wait for approval, or undefined if no API key has a policy for agents. The number is
 * stored, so that the menu doesn't move at the next visit.
 */
export function WaitingCount({ onCount }: { onCount: (count: string | undefined) => void }) {
  const first = useRead(ask(agentCalls.countApprovals, {}));
  const hasAgents = first.value?.hasAgents === true;
  const live = useRead(ask(agentCalls.countApprovals, {}), { enabled: hasAgents, everyMs: LIVE_MS });
  const { value } = live.value === undefined ? first : live;
  const count = value === undefined || (!value.hasAgents && value.waiting === 0) ? undefined : String(value.waiting);
  const tell = useEffectEvent(() => {
    writeLocal('waiting', count);
    onCount(count);
  });
  const isKnown = value !== undefined;
  useEffect(() => {
    if (isKnown) tell();
  }, [isKnown, count]);
  return null;
}
