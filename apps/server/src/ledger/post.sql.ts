import { sql } from 'kysely';
import type { IsoDate } from '@evenkeel/core/dates';
import type { PostedEntry } from '@evenkeel/core/ledger';
import type { Runnable } from '../db/query.ts';

/** What ledger_post answers: the id of the first transaction (the others follow), the number taken, the moment. */
export interface PostedRow {
  firstId: number;
  documentNumber: number | null;
  postedAt: Date;
}

export interface LedgerPostCall {
  companyId: number;
  userId: number;
  transactions: readonly {
    sourceType: string;
    sourceId: number;
    postingDate: IsoDate;
    description: string;
    entries: readonly PostedEntry[];
  }[];
  mayPostClosed: boolean;
  number: { source: string; label: string } | undefined;
}

/** The call of the database's posting function (migration "posting"). */
export function ledgerPost(call: LedgerPostCall): Runnable<PostedRow> {
  const transactions = call.transactions.map((transaction) => ({
    source_type: transaction.sourceType,
    source_id: transaction.sourceId,
    posting_date: transaction.postingDate,
    description: transaction.description,
    lines: transaction.entries.map(lineOf),
  }));
  return sql<PostedRow>`
    select first_id as "firstId", document_number as "documentNumber", posted_at as "postedAt"
    from ledger_post(${call.companyId}, ${call.userId}, ${JSON.stringify(transactions)}::jsonb,
      ${call.mayPostClosed}, ${call.number?.source ?? null}, ${call.number?.label ?? null})`;
}

function lineOf(entry: PostedEntry): object {
  return {
    account: entry.accountId,
    amount: entry.amount,
    basis: entry.basis,
    description: entry.description,
    entity: entry.entityId,
    profit_center: entry.profitCenterId,
    location: entry.locationId,
    reverses: entry.reverses,
  };
}
