import type { IsoDate } from '@evenkeel/core/dates';
import { type RawBuilder, sql } from 'kysely';
import type { LineRow } from '../../features/billing/invoices.sql.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** SQL statements for templates and their created documents. */

export const templates = table('template', {
  id: 'id',
  kind: 'kind',
  name: 'name',
  entityId: 'entity_id',
  unit: 'unit',
  every: 'every',
  start: 'start_date',
  weekday: 'weekday',
  monthDay: 'month_day',
  endDate: 'end_date',
  endCount: 'end_count',
  makesDrafts: 'makes_drafts',
  sends: 'sends',
  fixesPrices: 'fixes_prices',
  paused: 'paused',
  body: 'body',
  document: 'document',
  fixedLines: 'fixed_lines',
  amount: 'amount_cents',
  nextN: 'next_n',
  baseN: 'base_n',
  nextDate: 'next_date',
  releasedN: 'released_n',
  failure: 'failure',
  createdBy: 'created_by',
  entryDate: 'entry_date',
  deleted: 'deleted',
  rowVersion: 'row_version',
}).typed<{ fixedLines: LineRow[] | null }>();

export const occurrences = table('template_occurrence', {
  templateId: 'template_id',
  n: 'n',
  date: 'due_date',
  state: 'state',
  reason: 'reason',
  sourceId: 'source_id',
  madeOn: 'made_on',
  settledBy: 'settled_by',
});

/** A date of a template, with the number of its document (empty if there is none). */
export interface OccurrenceRow extends RowOf<typeof occurrences> {
  number: string;
  isGone: boolean;
}

/** A template with the name of its customer or vendor and its settled dates, latest first. */
export interface TemplateData extends RowOf<typeof templates> {
  entityName: string;
  occurrences: OccurrenceRow[];
}

const OCCURRENCES = sql`coalesce((
  select jsonb_agg(jsonb_build_object('templateId', o.template_id, 'n', o.n, 'date', o.due_date, 'state', o.state,
    'reason', o.reason, 'sourceId', o.source_id, 'madeOn', o.made_on, 'settledBy', o.settled_by,
    'number', coalesce(d.document_number, o.source_id::text, ''),
    'isGone', case when r.kind = j.kind then t.id is null and jd.id is null else d.id is null or d.deleted end)
    order by o.n desc)
  from template_occurrence o
  left join document d on d.company_id = ${COMPANY} and d.id = o.source_id and d.kind = r.kind
  left join journal_transaction t on t.company_id = ${COMPANY} and t.id = o.source_id and r.kind = j.kind
  left join journal_draft jd on jd.company_id = ${COMPANY} and jd.id = o.source_id and r.kind = j.kind
  where o.company_id = ${COMPANY} and o.template_id = r.id), '[]'::jsonb)`;

const data = (condition: RawBuilder<unknown>, journal: string): Runnable<TemplateData> => sql<TemplateData>`
  select ${templates.columns('r')}, coalesce(e.displayname, '') as "entityName", ${OCCURRENCES} as occurrences
  from template r
  cross join (select ${journal}::text as kind) j
  left join entity e on e.company_id = ${COMPANY} and e.id = r.entity_id
  where r.company_id = ${COMPANY} and not r.deleted and ${condition}
  order by lower(r.name), r.id`;

/** Returns one template of a kind. `journal` is the kind of journal entries. */
export function selectTemplate(kind: string, id: number, journal: string): Runnable<TemplateData> {
  return data(sql`r.kind = ${kind} and r.id = ${id}`, journal);
}

/** Returns the templates for a kind of document, sorted by name. */
export function selectTemplates(kind: string, journal: string): Runnable<TemplateData> {
  return data(sql`r.kind = ${kind}`, journal);
}

/** Returns the templates for all kinds. */
export function selectEvery(journal: string): Runnable<TemplateData> {
  return data(sql`true`, journal);
}

/** Returns the templates for all kinds with a due date, in date order. */
export function selectDue(today: IsoDate): Runnable<{ id: number; kind: string }> {
  return sql`
    select r.id, r.kind from template r
    where r.company_id = ${COMPANY} and not r.deleted and not r.paused and r.next_date <= ${today}
    order by r.next_date, r.id`;
}

/**
 * Locks a template. Its dates must be read afterward, so that a waiting request sees the documents created in the
 * meantime.
 */
export function lockTemplate(id: number): Runnable<unknown> {
  return sql`select id from template where company_id = ${COMPANY} and id = ${id} for no key update`;
}

export function takeTemplateId(): Runnable<{ id: number }> {
  return sql<{ id: number }>`select nextval('template_id_seq') as id`;
}

/** Returns the current prices of products. */
export function pricesSql(ids: readonly number[]): Runnable<{ id: number; price: number }> {
  return sql<{ id: number; price: number }>`
    select id, sales_price_cents as price from product
    where company_id = ${COMPANY} and id = any(${ids}::bigint[])`;
}
