import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

export const checks = table('health_check', {
  name: 'name',
  checkedAt: 'checked_at',
  milliseconds: 'milliseconds',
  figure: 'figure',
  faultCount: 'fault_count',
  message: 'message',
  transactionId: 'transaction_id',
  recordKind: 'record_kind',
  recordId: 'record_id',
});

export const runs = table('health_run', {
  askedAt: 'asked_at',
  startedAt: 'started_at',
  finishedAt: 'finished_at',
  done: 'done',
  total: 'total',
});

/** Records a request for a check. A check that is already running continues. */
export const askSql = () => sql`
  insert into health_run (company_id) values (${COMPANY})
  on conflict (company_id) do update set asked_at = excluded.asked_at, started_at = null, finished_at = null, done = 0
    where health_run.finished_at is not null`;

export const startSql = (total: number) => sql`
  insert into health_run (company_id, started_at, total) values (${COMPANY}, now(), ${total})
  on conflict (company_id) do update
    set started_at = excluded.started_at, finished_at = null, done = 0, total = excluded.total`;

export const finishSql = (names: readonly string[]) => [
  sql`delete from health_check where company_id = ${COMPANY} and name <> all(${names}::text[])`,
  sql`update health_run set finished_at = now(), done = total where company_id = ${COMPANY}`,
];

export interface Found {
  name: string;
  milliseconds: number;
  figure: number | null;
  faultCount: number;
  message: string | null;
  transactionId: number | null;
  recordKind: string | null;
  recordId: number | null;
}

export const keepSql = ({ name, milliseconds, figure, faultCount, message, ...about }: Found) => [
  sql`
    insert into health_check (company_id, name, milliseconds, figure, fault_count, message, transaction_id,
      record_kind, record_id)
    values (${COMPANY}, ${name}, ${milliseconds}, ${figure}, ${faultCount}, ${message}, ${about.transactionId},
      ${about.recordKind}, ${about.recordId})
    on conflict (company_id, name) do update set checked_at = excluded.checked_at, milliseconds = excluded.milliseconds,
      figure = excluded.figure, fault_count = excluded.fault_count, message = excluded.message,
      transaction_id = excluded.transaction_id, record_kind = excluded.record_kind, record_id = excluded.record_id`,
  sql`update health_run set done = done + 1 where company_id = ${COMPANY}`,
];

const counted = (from: string) => sql`select count(*) as value from ${sql.table(from)} where company_id = ${COMPANY}`;

/** The statistic that is shown with each check, by the check's name. */
const FIGURES = {
  balance: counted('journal_transaction'),
  chain: counted('journal_transaction'),
  reconciliations: counted('reconciliation'),
  documents: counted('document'),
  'audit log': counted('audit_log'),
  'control accounts': sql`
    select coalesce(sum(open_cents), 0)::bigint as value from document
    where company_id = ${COMPANY} and side = 'receivable' and not deleted and is_posted`,
  totals: sql`
    select coalesce(sum(amount), 0)::bigint as value from (
      select greatest(sum(amount_cents), 0) as amount from ledger_total
      where company_id = ${COMPANY} and grain = 'M' and basis <> 'C' group by account_id) accounts`,
};

export function figureSql(name: string): Runnable<{ value: number }> | undefined {
  return Object.entries(FIGURES).find(([each]) => each === name)?.[1] as Runnable<{ value: number }> | undefined;
}

export interface JobRow {
  kind: string;
  at: Date;
  attempts: number;
  error: string;
}

/** Returns the jobs that failed permanently within the last 30 days. Jobs with pending retries are not included. */
export const failedJobsSql = () => sql<JobRow>`
  select kind, done_at as at, attempts, coalesce(last_error, '') as error from job
  where company_id = ${COMPANY} and done_at > now() - interval '30 days' and last_error is not null
  order by done_at desc limit 20`;

/** Returns failed jobs that will be retried, starting with the next one to run. */
export const retriedJobsSql = () => sql<JobRow>`
  select kind, run_at as at, attempts, coalesce(last_error, '') as error from job
  where company_id = ${COMPANY} and done_at is null and last_error is not null
  order by run_at limit 20`;

export const waitingJobsSql = () => sql<{ waiting: number }>`
  select count(*)::int as waiting from job where company_id = ${COMPANY} and done_at is null`;

export const storageSql = () => sql<{ databaseBytes: number; fileBytes: number }>`
  select pg_database_size(current_database()) as "databaseBytes",
    (select coalesce(sum(size_bytes), 0)::bigint from attachment_content where company_id = ${COMPANY}) as "fileBytes"`;

export const backupSql = () => sql<{ value: string }>`select value from installation where key = 'backup'`;

/**
 * Returns one row if the books were last checked more than a day ago and it is night in the company's time zone, or if
 * they were last checked more than two days ago.
 */
export const isDueSql = () => sql<{ due: boolean }>`
  select (r.finished_at is null or r.finished_at < now() - interval '20 hours'
      and extract(hour from now() at time zone c.time_zone) between 1 and 5)
    or r.finished_at < now() - interval '2 days' as due
  from company c left join health_run r on r.company_id = ${COMPANY}
  where c.company_id = ${COMPANY}`;
