import type { AuditQuery } from '@evenkeel/contract/audit';
import { isTrue } from '@evenkeel/contract/endpoint';
import { kindsInHistory, SETTING_LABELS } from '@evenkeel/core/words/audit';
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import { pageClauses, searchClause, type SortColumn } from '../../platform/db/page.ts';
import { PEOPLE } from '../../platform/db/people.ts';
import { COMPANY, type Runnable, VARIES } from '../../platform/db/query.ts';
import type { DateRange, IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { Named } from './changes.ts';

export type AuditRequest = z.output<typeof AuditQuery>;

export interface AuditRow {
  id: number;
  sortKey: string;
  at: Date;
  userId: number;
  person: string;
  action: string;
  kind: string;
  recordId: number;
  title: string;
  amount: Cents | null;
  reason: string | null;
  byKind: string;
  byName: string;
  before: unknown;
  after: unknown;
}

/** Rows are ordered by the time when they were written. */
const inOrder: SortColumn = { expression: sql`a.id`, type: 'bigint' };

/** A record's title. A setting, which the log stores by its name in the API, is titled with its label. */
const TITLE = sql`
  case a.subject_type when 'setting' then coalesce(${JSON.stringify(SETTING_LABELS)}::jsonb ->> a.title, a.title)
  else a.title end`;

/** The start of a day in the company's time zone. */
const startOf = (day: RawBuilder<unknown>) => sql`
  ((${day})::timestamp at time zone (select time_zone from company where company_id = ${COMPANY}))`;

function filtered(request: AuditRequest): RawBuilder<unknown> {
  const { entry, person, kind, record, from, to, least, most, exceptions, q } = request;
  const clauses = [
    ...(entry === undefined ? [] : [sql`and a.id = ${entry}`]),
    ...(person === undefined ? [] : [sql`and a.user_id = ${person}`]),
    ...(kind === undefined ? [] : [ofKind(kind, record)]),
    ...(record === undefined ? [] : [sql`and a.subject_id = ${record}`]),
    ...(from === undefined ? [] : [sql`and a.at >= ${startOf(sql`${from}::date`)}`]),
    ...(to === undefined ? [] : [sql`and a.at < ${startOf(sql`${to}::date + 1`)}`]),
    ...(least === undefined ? [] : [sql`and a.amount_cents >= ${least}`]),
    ...(most === undefined ? [] : [sql`and a.amount_cents <= ${most}`]),
    ...(isTrue(exceptions) ? [sql`and a.reason is not null`] : []),
  ];
  const searched = { texts: [TITLE, sql`a.person`, sql`a.subject_type`, sql`coalesce(a.reason, '')`] };
  return sql`${VARIES} where a.company_id = ${COMPANY} ${sql.join(clauses, sql` `)}
    ${searchClause(q, { ...searched, amounts: [sql`coalesce(a.amount_cents, 0)`] })}`;
}

/** A record's history includes related records, such as its private links. */
function ofKind(kind: string, record: number | undefined): RawBuilder<unknown> {
  const kinds = record === undefined ? [kind] : kindsInHistory(kind);
  return kinds.length === 1 ? sql`and a.subject_type = ${kind}` : sql`and a.subject_type = any(${kinds}::text[])`;
}

export function listAuditSql(request: AuditRequest): Runnable<AuditRow> {
  const page = pageClauses(request, {}, { id: sql`a.id`, initial: inOrder });
  return sql<AuditRow>`
    select a.id, a.at, a.user_id as "userId", a.action, a.subject_type as kind, a.subject_id as "recordId",
      ${TITLE} as title,
      a.amount_cents as amount, a.reason, a.by_kind as "byKind", a.by_name as "byName", a.before, a.after,
      coalesce(nullif(a.person, ''), (select u.name from ${PEOPLE} u where u.id = a.user_id), '') as person,
      ${page.key}
    from audit_log a
    ${filtered(request)} ${page.after} ${page.orderBy} ${page.limit}`;
}

/** A change in closed books, or a change to the closing date. */
export interface ClosedChange extends Pick<AuditRow, 'person' | 'action' | 'kind' | 'title' | 'amount'> {
  /** The day of the change in the company's time zone. */
  dated: IsoDate;
  reason: string;
}

/** Returns at most `limit` changes with a reason in a range of days, oldest first. */
export const closedChangesSql = ({ from, to }: DateRange, limit: number): Runnable<ClosedChange> => sql<ClosedChange>`
    select (a.at at time zone c.time_zone)::date as dated, a.person, a.action, a.subject_type as kind,
      ${TITLE} as title,
      a.amount_cents as amount, a.reason
    from audit_log a
    join company c on c.company_id = ${COMPANY}
    where a.company_id = ${COMPANY} and a.reason is not null
      and a.at >= ${startOf(sql`${from}::date`)} and a.at < ${startOf(sql`${to}::date + 1`)}
    order by a.id limit ${sql.lit(limit)}`;

/** Returns the last change to a record. */
export const lastAuditSql = (kind: string, record: number): Runnable<Pick<AuditRow, 'action' | 'after'>> => sql`
  select action, after from audit_log
  where company_id = ${COMPANY} and subject_type = ${kind} and subject_id = ${record}
  order by id desc limit 1`;

export const countAuditSql = (request: AuditRequest): Runnable<{ total: number }> => sql<{ total: number }>`
  select count(*)::int as total from audit_log a ${filtered(request)}`;

/** The name column of each table. */
const NAME_COLUMNS: Readonly<Record<Named, string>> = {
  account: 'account_name',
  account_category: 'category_name',
  banking_account: 'name',
  discount: 'name',
  entity: 'displayname',
  location: 'name',
  package: 'name',
  payment_type: 'display_name',
  product: 'name',
  profit_center: 'name',
  sales_tax_scenario: 'name',
};

/** Returns the current names of the records that fields refer to. */
export function namesSql(found: ReadonlyMap<Named, ReadonlySet<number>>) {
  const parts = [...found].map(
    ([kind, ids]) => sql`
      select ${kind}::text as kind, id, ${sql.id(NAME_COLUMNS[kind])} as name from ${sql.table(kind)}
      where company_id = ${COMPANY} and id = any(${[...ids]}::bigint[])`,
  );
  return sql<{ kind: Named; id: number; name: string }>`${VARIES} ${sql.join(parts, sql` union all `)}`;
}
