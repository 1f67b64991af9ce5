import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** A line that is being entered. The account may still be 0, and the side and amount may be missing. */
export interface DraftLine {
  accountId: number;
  debit: boolean | null;
  amount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
  entityId: number | null;
}

/** A saved journal entry that isn't posted. */
export interface DraftEntry {
  postingDate: IsoDate;
  basis: 0 | 1 | 2;
  entityId: number;
  lines: DraftLine[];
}

export const drafts = table('journal_draft', {
  id: 'id',
  entry: 'transaction',
  createdBy: 'created_by',
  createdAt: 'created_at',
  rowVersion: 'row_version',
}).typed<{ entry: DraftEntry }>();

export type DraftRow = Pick<RowOf<typeof drafts>, 'id' | 'entry' | 'rowVersion'>;

/** The first ID of drafts, which is higher than all transaction IDs (20261127_004_ledger.sql). */
export const FIRST_DRAFT = 1_000_000_000_001;

/**
 * In the schedule that created a draft, replaces the draft with its transaction. No other records refer to draft IDs.
 */
export function postedInstead(draftId: number, transactionId: number): Runnable<unknown> {
  return sql`
    update template_occurrence set source_id = ${transactionId}
    where company_id = ${COMPANY} and source_id = ${draftId}`;
}
