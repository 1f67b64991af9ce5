import { type DateRange, earlierOf, type IsoDate, laterOf } from '@evenkeel/core/dates';
import type { CashFlowFigure } from '@evenkeel/core/reports/cash-flow';
import type { JournalRow } from '@evenkeel/core/reports/general-ledger';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { assetLines, inView, ofKnown, type Scope, withoutPairs } from '../../books/ledger/balances.sql.ts';
import { POSTED_DOCUMENT, POSTED_ENTITY, POSTED_NUMBER } from '../../books/ledger/source.sql.ts';

export interface LinesAsk extends Scope {
  from: IsoDate;
  to: IsoDate;
}

/**
 * Returns the lines in a range in journal order, except pairs that were reversed on the same date. At most `limit`
 * lines are read, and other tables are joined only to these lines.
 */
export function journalLinesSql(ask: LinesAsk, limit: number): Runnable<JournalRow> {
  return sql<JournalRow>`
    with page as materialized (
      select l.* from journal_line l
      where l.company_id = ${COMPANY} and ${inView(ask, 'l.')} and l.posting_date between ${ask.from} and ${ask.to}
        ${ofKnown(ask)}${withoutPairs(ask)}
      order by l.posting_date, l.transaction_id, l.line_no
      limit ${sql.lit(limit)})
    select l.account_id as "accountId", l.transaction_id as "transactionId", l.posting_date as "postingDate",
      t.source_type as "sourceType", coalesce(${POSTED_NUMBER}, t.source_id::text) as number,
      coalesce(e.displayname, '') as name, l.description as memo, l.amount_cents as amount
    from page l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id${POSTED_DOCUMENT}
    left join entity e on e.company_id = ${COMPANY} and e.id = coalesce(l.entity_id, ${POSTED_ENTITY})
    order by l.posting_date, l.transaction_id, l.line_no`;
}

export interface AssetSaleAsk extends Scope {
  ranges: readonly DateRange[];
  /** Fixed assets, other assets, and short-term investments, which are bought and sold. */
  assetIds: readonly number[];
  /**
   * Gains, losses, and accumulated depreciation. If a document also changes an asset, the changes in these accounts are
   * part of the sale.
   */
  besideIds: readonly number[];
}

/**
 * The amount that documents with an asset line add to an account in a range. The range is given by its index in the
 * request.
 */
export interface AssetSale extends Pick<CashFlowFigure, 'accountId' | 'ofAssets'> {
  range: number;
}

/**
 * Returns the lines of documents with an asset line, by range and account in `besideIds`. Starts from the assets, which
 * are few, so that the cost does not depend on the size of the books.
 */
export function assetSalesSql(ask: AssetSaleAsk): Runnable<AssetSale> {
  const { ranges, assetIds, besideIds } = ask;
  const [first, last] = [ranges.map(({ from }) => from), ranges.map(({ to }) => to)];
  const whole = { from: first.reduce(earlierOf), to: last.reduce(laterOf) };
  return sql`
    with asset_line as materialized (${assetLines(ask, { assetIds, ...whole })}),
    moved as materialized (
      select distinct r.no, r.first, r.last, a.source_type, a.source_id
      from unnest(${first}::date[], ${last}::date[]) with ordinality as r (first, last, no)
      join asset_line a on a.posting_date between r.first and r.last
      group by r.no, r.first, r.last, a.source_type, a.source_id, a.account_id
      having sum(a.amount_cents) <> 0)
    select m.no - 1 as range, l.account_id as "accountId", sum(l.amount_cents)::bigint as "ofAssets"
    from moved m
    join journal_transaction t
      on t.company_id = ${COMPANY} and t.source_type = m.source_type and t.source_id = m.source_id,
      lateral (select * from journal_line o where o.company_id = ${COMPANY} and o.transaction_id = t.id offset 0) l
    where l.basis <> 'C' and l.account_id = any(${besideIds})
      and l.posting_date between m.first and m.last${ofKnown(ask)}
    group by m.no, l.account_id`;
}
