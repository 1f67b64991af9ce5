import type { IsoDate } from '@evenkeel/core/dates';
import { DRAFT, VOID } from '@evenkeel/core/invoice';
import type { Cents } from '@evenkeel/core/money';
import type { Side } from '@evenkeel/core/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY } from '../db/query.ts';
import type { NamedDocument } from '../subledger/reads.sql.ts';
import { documents } from '../subledger/tables.sql.ts';

/** Posted, unpaid, and past its due date; the same rule as the badge of a single one (core/invoice: invoiceBadge). */
const overdue = (today: IsoDate): RawBuilder<unknown> =>
  sql`d.status <> ${DRAFT} and d.open_cents > 0 and d.due_date < ${today}`;

const open = (side: Side): RawBuilder<unknown> => sql`
  d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted
  and (d.open_cents <> 0 or d.status = 1) and d.status <> ${VOID}`;

export interface OpenSums {
  unpaid: Cents;
  overdue: Cents;
  overdueCount: number;
  count: number;
  drafts: number;
}

/** What is open on a side, in sums. A draft is owed by nobody. */
export function sumOpen(side: Side, today: IsoDate): RawBuilder<OpenSums> {
  return sql<OpenSums>`
    select coalesce(sum(d.open_cents), 0)::bigint as unpaid,
      coalesce(sum(d.open_cents) filter (where ${overdue(today)}), 0)::bigint as overdue,
      count(*) filter (where ${overdue(today)}) as "overdueCount",
      count(*) filter (where d.status <> ${DRAFT}) as count, count(*) filter (where d.status = ${DRAFT}) as drafts
    from document d where ${open(side)}`;
}

/** The few that are past due the longest, the larger first of one day; they are cut before anything is joined. */
export function selectOverdue(side: Side, today: IsoDate, most: number): RawBuilder<NamedDocument> {
  return sql<NamedDocument>`
    with d as materialized (
      select d.* from document d where ${open(side)} and ${overdue(today)}
      order by d.due_date, d.open_cents desc, d.id limit ${most})
    select ${documents.columns('d')}, e.displayname as "entityName"
    from d join entity e on e.company_id = d.company_id and e.id = d.entity_id
    where d.company_id = ${COMPANY}
    order by d.due_date, d.open_cents desc, d.id`;
}

/** The latest by date, whatever their state. */
export function selectRecent(side: Side, most: number): RawBuilder<NamedDocument> {
  return sql<NamedDocument>`
    with d as materialized (
      select d.* from document d
      where d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted
      order by d.document_date desc, d.document_number desc limit ${most})
    select ${documents.columns('d')}, e.displayname as "entityName"
    from d join entity e on e.company_id = d.company_id and e.id = d.entity_id
    where d.company_id = ${COMPANY}
    order by d.document_date desc, d.id desc`;
}
