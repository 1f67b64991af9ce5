import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Basis, LiveLine } from '@evenkeel/core/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { Source } from '@evenkeel/core/side';
import type { Runnable } from '../db/query.ts';

/** A live line of the journal (it neither reverses another nor is reversed) with the document behind it. */
export interface LiveRow {
  sourceType: string;
  sourceId: number;
  id: number;
  postingDate: IsoDate;
  accountId: number;
  amount: Cents;
  basis: Basis;
  description: string;
  entityId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
}

/**
 * The live lines of documents, by line id. Run it behind the statement that locks the documents (the same round trip
 * will do): started before, it could see what another change is about to reverse.
 */
export function liveLinesOf(companyId: number, sources: readonly Source[]): Runnable<LiveRow> {
  const types = sources.map((source) => source.type);
  const ids = sources.map((source) => source.id);
  return liveLinesWhere(
    companyId,
    sql`(t.source_type, t.source_id) in (select * from unnest(${types}::text[], ${ids}::bigint[]))`,
  );
}

/** The same for documents named by a condition on the transaction `t`, such as a subquery of their ids. */
export function liveLinesWhere(companyId: number, condition: RawBuilder<unknown>): Runnable<LiveRow> {
  return sql<LiveRow>`
    select t.source_type as "sourceType", t.source_id as "sourceId", l.id, l.posting_date as "postingDate",
      l.account_id as "accountId", l.amount_cents as amount, l.basis, l.description, l.entity_id as "entityId",
      l.profit_center_id as "profitCenterId", l.location_id as "locationId"
    from journal_transaction t
    join journal_line l on l.company_id = t.company_id and l.transaction_id = t.id
    where t.company_id = ${companyId} and l.company_id = ${companyId} and (${condition})
      and l.reverses is null
      and not exists (select from journal_line r where r.company_id = ${companyId} and r.reverses = l.id)
    order by l.id`;
}

/** Sorts rows of liveLinesOf by document; the answer gives a document's live lines, none for an unposted one. */
export function liveLinesBySource(rows: readonly LiveRow[]): (source: Source) => LiveLine[] {
  const bySource = new Map<string, LiveLine[]>();
  for (const { sourceType, sourceId, ...line } of rows) {
    const key = `${sourceType} ${sourceId}`;
    const lines = bySource.get(key);
    if (lines === undefined) bySource.set(key, [line]);
    else lines.push(line);
  }
  return ({ type, id }) => bySource.get(`${type} ${id}`) ?? [];
}
