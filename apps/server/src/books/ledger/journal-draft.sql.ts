import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** A line being entered: account 0, side and amount may still be open. */
export interface DraftLine {
  accountId: number;
  debit: boolean | null;
  /** In cents. */
  amount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
  entityId: number | null;
}

/** A journal entry that is kept but not posted, as stored. */
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

/** Ids of drafts begin above all ids of transactions (20261127_004_ledger.sql). */
export const FIRST_DRAFT = 1_000_000_000_001;

/** A template that made the draft names the transaction in its place: ids of drafts are those of nothing else. */
export function postedInstead(draftId: number, transactionId: number): Runnable<unknown> {
  return sql`
    update template_occurrence set source_id = ${transactionId}
    where company_id = ${COMPANY} and source_id = ${draftId}`;
}
