import { approvalCountCalls } from '@evenkeel/contract/approvalCount';
import { useEffect } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { writeLocal } from '../../ui/hooks/localState.ts';

/** The counts of changes, for the menu and for the Approvals tabs. */
export const COUNTS = ask(approvalCountCalls.countApprovals, {});

/**
 * Returns the number of changes that are waiting for approval, for the menu. Empty if none are waiting, and undefined
 * if no API key has an agent policy. The number is stored on the device, so that the menu doesn't move on the next
 * visit.
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
