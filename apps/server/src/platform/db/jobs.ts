import { type RawBuilder, sql } from 'kysely';
import type { Pool } from './connect.ts';
import { COMPANY, type Runnable, statementOf } from './query.ts';
import { table } from './table.ts';
import { inCompany, type Tx } from './tx.ts';

/**
 * Handles a job. A job is written in the transaction that requests it, and any server process runs it later. A handler
 * runs in a transaction for the job's company, and its commit deletes the job. Some work must not be visible before the
 * commit, such as an email with a link that the transaction creates. For such work, the handler returns a function,
 * which runs after the commit, and the function's success deletes the job. If the process dies in between, the job is
 * due again after LEASE_SECONDS. Such work may run twice but is never lost.
 */
export type JobHandler = (tx: Tx, payload: unknown) => Promise<AfterCommit | void>;
type AfterCommit = () => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

const MOST_ATTEMPTS = 12;
const LEASE_SECONDS = 300;
/** The longest possible wait in seconds. If a job's wait is longer, the job was postponed while the clock was ahead. */
const LONGEST_WAIT = 3600;
const isDue = sql`done_at is null and (not_before is null or not_before <= now())
  and (run_at <= now() or run_at > now() + make_interval(secs => ${2 * LONGEST_WAIT}))`;

const jobs = table('job', {
  id: 'id',
  kind: 'kind',
  key: 'key',
  userId: 'user_id',
  payload: 'payload',
  runAt: 'run_at',
  notBefore: 'not_before',
  attempts: 'attempts',
  lastError: 'last_error',
  doneAt: 'done_at',
});

/** A job to queue. */
export interface Job {
  kind: string;
  /** Identifies the job among the company's jobs of this kind. */
  key: string;
  payload: object;
  /** The user on whose behalf the job runs, or null for the server's own jobs. */
  userId: number | null;
  /** The earliest time when the job can run. Used for emails that are scheduled for later. */
  notBefore?: Date | null;
}

/**
 * Queues a job when this transaction commits, to run as soon as possible. If the same job is already waiting, it runs
 * only once, at the earlier of the two times.
 */
export function enqueue(tx: Tx, job: Job): void {
  tx.atEnd(sql`
    ${jobs.insert(job)}
    on conflict (company_id, kind, key) where done_at is null
      do update set run_at = least(job.run_at, excluded.run_at)`);
}

/** A job that is due. */
export interface DueJob extends Omit<Job, 'payload' | 'notBefore'> {
  companyId: number;
  id: number;
}

/**
 * Runs the jobs that are due. Returns how many jobs ran. A job that fails waits longer after each failure, and the
 * reason is stored.
 */
export async function runDueJobs(
  pool: Pool,
  handlers: JobHandlers,
  report: (job: DueJob, error: unknown) => void,
): Promise<number> {
  let done = 0;
  for (const job of await listDue(pool)) {
    const handler = handlers[job.kind];
    if (handler === undefined) continue;
    try {
      if (await runOne(pool, job, handler)) done += 1;
    } catch (error) {
      report(job, error);
      await postpone(pool, job, error);
    }
  }
  return done;
}

/**
 * Lists the jobs that are due. Users' jobs come before the server's own jobs. Jobs are claimed in a second step,
 * because the rows of a distributed table can't be locked for all companies at the same time.
 */
function listDue(pool: Pool): Promise<DueJob[]> {
  return asWorker(
    pool,
    sql<DueJob>`
      select company_id as "companyId", ${jobs.columns('j', ['id', 'kind', 'key', 'userId'])}
      from job j where ${isDue}
      order by user_id is null, run_at limit 50`,
  );
}

/** Reads the waiting work for all companies from a table with the policy `worker_lists`. */
export async function asWorker<R extends object>(pool: Pool, query: Runnable<R>): Promise<R[]> {
  const client = await pool.connect();
  try {
    await Promise.all([client.query('begin read only'), client.query("set local app.worker = 'on'")]);
    const { rows } = await client.query<R>(statementOf(query));
    await client.query('commit');
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function runOne(pool: Pool, job: DueJob, handler: JobHandler): Promise<boolean> {
  const { companyId, id } = job;
  const remove = jobs.delete({ id });
  const lease = jobs.update({ id }, { runAt: sql`now() + make_interval(secs => ${LEASE_SECONDS})` });
  const outcome = await inCompany(pool, companyId, async (tx) => {
    const claimed = await tx.row(sql<{ payload: unknown }>`
      select payload from job where company_id = ${COMPANY} and id = ${id} and ${isDue}
        for update skip locked`);
    if (claimed === undefined) return undefined;
    const after = await handler(tx, claimed.payload);
    tx.atEnd(after === undefined ? remove : lease);
    return { after };
  });
  if (outcome?.after !== undefined) {
    await outcome.after();
    await inCompany(pool, companyId, (tx) => tx.rows(remove));
  }
  return outcome !== undefined;
}

async function postpone(pool: Pool, job: DueJob, error: unknown): Promise<void> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  await inCompany(pool, job.companyId, async (tx) => {
    const found = await tx.row(jobs.find({ id: job.id }, { lock: 'for update' }));
    if (found === undefined) return;
    const attempts = found.attempts + 1;
    // The wait is computed here, because a distributed table doesn't accept a time that is computed from a column.
    const wait = Math.min(LONGEST_WAIT, 5 * 2 ** found.attempts);
    const runAt = sql`now() + make_interval(secs => ${wait})`;
    const doneAt = attempts >= MOST_ATTEMPTS ? sql`now()` : null;
    tx.atEnd(jobs.update({ id: job.id }, { attempts, lastError: reason, runAt, doneAt }));
  }).catch(() => undefined);
}

/** Counts the company's jobs that have failed permanently since a given time, by kind. */
export function givenUpSql(since: RawBuilder<unknown>): Runnable<{ kind: string; count: number }> {
  return sql`
    select kind, count(*)::int as count from job
    where company_id = ${COMPANY} and done_at >= ${since} and last_error is not null
    group by kind`;
}

/** Deletes stored responses to requests that no client will repeat. */
export async function sweepCompany(pool: Pool, companyId: number): Promise<void> {
  await inCompany(pool, companyId, (tx) =>
    tx.rows(sql`
      delete from idempotency where company_id = ${COMPANY} and created_at < now() - interval '7 days'`),
  );
}
