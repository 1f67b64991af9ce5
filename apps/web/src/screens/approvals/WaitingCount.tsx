import { approvalCountCalls } from '@evenkeel/contract/approvalCount';
import { useEffect } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { writeLocal } from '../../ui/hooks/localState.ts';

/** The numbers of changes, for the menu and for the tabs of Approvals. */
export const COUNTS = ask(approvalCountCalls.countApprovals, {});

/**
 * Counts the changes that wait for approval, for the menu. The count is empty if none wait, and undefined if no API key
 * has a policy for agents. It is stored, so that the menu doesn't move at the next visit.
 */
export function WaitingCount({ onCount }: { onCount: (count: string | undefined) => void }) {
  const { value } = useRead(COUNTS, inAlert('Error Loading Approvals'));
  useEffect(() => {
    if (value === undefined) return;
    const count = value.waiting > 0 ? String(value.waiting) : value.hasAgents ? '' : undefined;
    writeLocal('waiting', count);
    onCount(count);
  }, [value, onCount]);
  return null;
}
