import type { IsoDate } from '@evenkeel/core/dates';
import type { CashFlowFigure } from '@evenkeel/core/reports/cash-flow';
import type { JournalRow } from '@evenkeel/core/reports/general-ledger';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { inView, type Scope, withoutPairs } from '../ledger/balances.sql.ts';

export interface LinesAsk extends Scope {
  from: IsoDate;
  to: IsoDate;
}

/**
 * The lines of a range in the order of the journal, without pairs of one date; at most `limit` of them, cut off before
 * anything is joined.
 */
export function journalLinesSql(ask: LinesAsk, limit: number): Runnable<JournalRow> {
  return sql<JournalRow>`
    with page as materialized (
      select l.* from journal_line l
      where l.company_id = ${COMPANY} and ${inView(ask, 'l.')} and l.posting_date between ${ask.from} and ${ask.to}
        ${withoutPairs()}
      order by l.posting_date, l.transaction_id, l.line_no
      limit ${sql.lit(limit)})
    select l.account_id as "accountId", l.transaction_id as "transactionId", l.posting_date as "postingDate",
      t.source_type as "sourceType", coalesce(d.document_number, p.payment_number, t.source_id::text) as number,
      coalesce(e.displayname, '') as name, l.description as memo, l.amount_cents as amount
    from page l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
    left join document d
      on d.company_id = ${COMPANY} and d.id = t.source_id and t.source_type in ('invoice', 'expense')
    left join payment p
      on p.company_id = ${COMPANY} and p.id = t.source_id and t.source_type in ('payment', 'expensepayment')
    left join entity e on e.company_id = ${COMPANY} and e.id = coalesce(l.entity_id, d.entity_id, p.entity_id)
    order by l.posting_date, l.transaction_id, l.line_no`;
}

export interface AssetSaleAsk extends LinesAsk {
  /** Fixed and other assets and short-term investments: what is sold or bought. */
  assetIds: readonly number[];
  /** Gain, loss and accumulated depreciation: what belongs to it when a document moves both. */
  besideIds: readonly number[];
}

/**
 * Per account of `besideIds` the lines of documents that also move an asset (accounting: A10 "Cash Flow"). Read from
 * the assets, of which there are few, so that the length of the books does not matter.
 */
export function assetSalesSql(ask: AssetSaleAsk): Runnable<Pick<CashFlowFigure, 'accountId' | 'ofAssets'>> {
  const { from, to, assetIds, besideIds } = ask;
  return sql`
    with moved as materialized (
      select source_type, source_id from (
        select t.source_type, t.source_id, l.account_id
        from journal_line l
        join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
        where l.company_id = ${COMPANY} and ${inView(ask, 'l.')}
          and l.account_id = any(${assetIds}) and l.posting_date between ${from} and ${to}
        group by 1, 2, 3
        having sum(l.amount_cents) <> 0) accounts
      group by 1, 2)
    select l.account_id as "accountId", sum(l.amount_cents)::bigint as "ofAssets"
    from moved m
    join journal_transaction t
      on t.company_id = ${COMPANY} and t.source_type = m.source_type and t.source_id = m.source_id
    join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = t.id
    where l.basis <> 'C' and l.account_id = any(${besideIds}) and l.posting_date between ${from} and ${to}
    group by l.account_id`;
}

export interface SoldRow {
  /** Null for lines that name no product. */
  id: number | null;
  name: string;
  quantity: string;
  invoices: number;
  sales: number;
}

/** What posted invoices of a range come to without tax, by customer or by product. */
export function salesSql(by: 'customer' | 'product', { from, to }: Pick<LinesAsk, 'from' | 'to'>): Runnable<SoldRow> {
  const [id, name] = by === 'customer' ? [sql`d.entity_id`, sql`e.displayname`] : [sql`i.product_id`, sql`p.name`];
  return sql<SoldRow>`
    select ${id} as id, coalesce(${name}, 'No product') as name, sum(i.quantity)::text as quantity,
      count(distinct d.id) as invoices, sum(i.line_amount_cents)::bigint as sales
    from document d
    join invoice_line i on i.company_id = ${COMPANY} and i.invoice_id = d.id and not i.deleted
    join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    left join product p on p.company_id = ${COMPANY} and p.id = i.product_id
    where d.company_id = ${COMPANY} and d.side = 'receivable' and not d.deleted and d.status between 2 and 4
      and d.document_date between ${from} and ${to}
    group by ${id}, ${name}
    order by ${id} is null, lower(${name}), ${id}`;
}
