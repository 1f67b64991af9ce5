import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';

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

export interface DraftRow {
  id: number;
  entry: DraftEntry;
  rowVersion: number;
}

/** Ids of drafts begin above all ids of transactions (migration "ledger"). */
export const FIRST_DRAFT = 1_000_000_000_001;

/** One draft, locked. */
export function lockDraftSql(companyId: number, id: number): Runnable<DraftRow> {
  return sql<DraftRow>`
    select id, transaction as entry, row_version as "rowVersion"
    from journal_draft
    where company_id = ${companyId} and id = ${id}
    for update`;
}

/** All drafts, the oldest first. */
export function draftsSql(companyId: number): Runnable<DraftRow> {
  return sql<DraftRow>`
    select id, transaction as entry, row_version as "rowVersion"
    from journal_draft
    where company_id = ${companyId}
    order by created_at, id`;
}

export function insertDraftSql(
  companyId: number,
  draft: { userId: number; entry: DraftEntry },
): Runnable<{ id: number }> {
  return sql`
    insert into journal_draft (company_id, transaction, created_by)
    values (${companyId}, ${JSON.stringify(draft.entry)}, ${draft.userId})
    returning id`;
}

export function updateDraftSql(companyId: number, draft: { id: number; entry: DraftEntry }): Runnable<unknown> {
  return sql`
    update journal_draft
    set transaction = ${JSON.stringify(draft.entry)}, row_version = row_version + 1
    where company_id = ${companyId} and id = ${draft.id}`;
}

export function deleteDraftSql(companyId: number, id: number): Runnable<unknown> {
  return sql`delete from journal_draft where company_id = ${companyId} and id = ${id}`;
}
