import type { IsoDate } from '@evenkeel/core/dates';
import type { Tx } from '../../platform/db/tx.ts';
import { fault } from '../../books/documents/verify.ts';
import type { FaultRow } from '../../books/documents/verify.sql.ts';
import { scheduledJournals } from './kinds.ts';
import { nextDate } from './progress.ts';
import { selectEvery } from './templates.sql.ts';

const told = (date: IsoDate | null): string => date ?? 'no date';

/**
 * Finds templates whose stored next date differs from the one in their schedule. The server uses the stored date to
 * find due documents.
 */
export async function nextDateFaults(tx: Tx): Promise<FaultRow[]> {
  const rows = await tx.rows(selectEvery(scheduledJournals.kind));
  return rows.flatMap((row) => {
    const wanted = nextDate(row)?.date ?? null;
    if (wanted === row.nextDate) return [];
    const message = `schedule ${row.id} has ${told(row.nextDate)} as its next date instead of ${told(wanted)}`;
    return [fault(message, { type: `scheduled ${row.kind}`, id: row.id })];
  });
}
