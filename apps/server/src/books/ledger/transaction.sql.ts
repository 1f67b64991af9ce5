import type { IsoDate } from '@evenkeel/core/dates';
import type { Source, SourceType } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { lineColumns, lineNeighbours, type LineRow } from './register.sql.ts';

export interface TransactionRow {
  id: number;
  postingDate: IsoDate;
  sourceType: SourceType;
  sourceId: number;
  description: string;
}

/** A transaction by its ID, or the last transaction that was posted. */
export type Which = number | 'last';

function idOf(which: Which): RawBuilder<unknown> {
  if (which !== 'last') return sql`${which}`;
  return sql`(select next_transaction_id - 1 from ledger_head where company_id = ${COMPANY})`;
}

/** Selects the header of one posted transaction. */
export function transactionSql(which: Which): Runnable<TransactionRow> {
  return sql<TransactionRow>`
    select id, posting_date as "postingDate", source_type as "sourceType", source_id as "sourceId", description
    from journal_transaction
    where company_id = ${COMPANY} and id = ${idOf(which)}`;
}

/** A line in a transaction, with the number and name of its account. */
export interface TransactionLineRow extends LineRow {
  accountNumber: string;
  accountName: string;
}

const lines = sql`
    select ${lineColumns}, a.account_number as "accountNumber", a.account_name as "accountName"
    from journal_line l
    ${lineNeighbours}
    join account a on a.company_id = ${COMPANY} and a.id = l.account_id`;

/** Selects the lines in a transaction, in order. */
export function transactionLinesSql(which: Which): Runnable<TransactionLineRow> {
  return sql<TransactionLineRow>`${lines}
    where l.company_id = ${COMPANY} and l.transaction_id = ${idOf(which)}
    order by l.line_no`;
}

/** Selects the lines of all of a document's transactions, in posting order. */
export function sourceLinesSql({ type, id }: Source): Runnable<TransactionLineRow> {
  return sql<TransactionLineRow>`${lines}
    where l.company_id = ${COMPANY} and t.source_type = ${type} and t.source_id = ${id}
    order by l.transaction_id, l.line_no`;
}
