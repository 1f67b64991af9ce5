import { approvalCountCalls } from '@evenkeel/contract/approvalCount';
import { useEffect } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { writeLocal } from '../../ui/hooks/localState.ts';

/** The call for the numbers of changes that the menu and the Approvals tabs show. */
export const COUNTS = ask(approvalCountCalls.countApprovals, {});

/**
 * Passes the number of changes that are waiting for approval to the menu. The number is empty if no changes are
 * waiting, and undefined if no API key has an agent policy. The number is stored on the device, so that the menu
 * doesn't move on the next visit.
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
