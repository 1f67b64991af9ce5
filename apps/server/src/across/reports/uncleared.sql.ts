import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { SourceType } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { withoutPairs } from '../../books/ledger/balances.sql.ts';
import { POSTED_DOCUMENT, POSTED_ENTITY, POSTED_NUMBER } from '../../books/ledger/source.sql.ts';

/** An entry in a bank account that no statement has cleared. */
export interface Uncleared {
  bank: string;
  dated: IsoDate;
  sourceType: SourceType;
  number: string;
  name: string;
  description: string;
  amount: Cents;
  transactionId: number;
}

/**
 * Returns at most `limit` entries in active bank accounts, dated through a given date, that no reconciliation for a
 * statement through that date has cleared. Excludes entries that were reversed on the same date.
 */
export function selectUncleared(date: IsoDate, limit: number): Runnable<Uncleared> {
  return sql<Uncleared>`
    with page as materialized (
      select b.name as bank, b.id as bank_id, l.*
      from banking_account b
      join journal_line l on l.company_id = ${COMPANY} and l.account_id = b.gl_account_id
      where b.company_id = ${COMPANY} and b.active and l.basis = 'B' and l.posting_date <= ${date}
        and not exists (
          select from reconciliation_line m
          join reconciliation c on c.company_id = ${COMPANY} and c.id = m.reconciliation_id
            and c.statement_date <= ${date}
          where m.company_id = ${COMPANY} and m.line_id = l.id)
        ${withoutPairs()}
      order by lower(b.name), b.id, l.posting_date, l.transaction_id, l.line_no
      limit ${sql.lit(limit)})
    select l.bank, l.posting_date as dated, t.source_type as "sourceType",
      coalesce(${POSTED_NUMBER}, t.source_id::text) as number, coalesce(e.displayname, '') as name, l.description,
      l.amount_cents as amount, l.transaction_id as "transactionId"
    from page l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id${POSTED_DOCUMENT}
    left join entity e on e.company_id = ${COMPANY} and e.id = coalesce(l.entity_id, ${POSTED_ENTITY})
    order by lower(l.bank), l.bank_id, l.posting_date, l.transaction_id, l.line_no`;
}
