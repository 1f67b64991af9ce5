import { type RawBuilder, sql } from 'kysely';
import type { Pool } from './connect.ts';
import { COMPANY, type Runnable, statementOf } from './query.ts';
import { table } from './table.ts';
import { inCompany, type Tx } from './tx.ts';

/**
 * Work that waits: written in the transaction that asks for it, done later by whichever server process comes first. A
 * handler runs in a transaction of the job's company; the job is gone when that commits. For work that nobody may see
 * before the commit (an e-mail with a link that the transaction makes) it answers a function: that runs after the
 * commit, and the job is gone when it has succeeded. A process that dies in between leaves it due again after
 * LEASE_SECONDS: such work may be done twice, but never lost.
 */
export type JobHandler = (tx: Tx, payload: unknown) => Promise<AfterCommit | void>;
type AfterCommit = () => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

const MOST_ATTEMPTS = 12;
const LEASE_SECONDS = 300;
/** No job waits longer than this: one that does was put off while the clock was ahead. */
const LONGEST_WAIT = 3600;
const isDue = sql`done_at is null and (run_at <= now() or run_at > now() + make_interval(secs => ${2 * LONGEST_WAIT}))`;

const jobs = table('job', {
  id: 'id',
  kind: 'kind',
  key: 'key',
  userId: 'user_id',
  payload: 'payload',
  runAt: 'run_at',
  attempts: 'attempts',
  lastError: 'last_error',
  doneAt: 'done_at',
});

/** Work that is asked for. */
export interface Job {
  kind: string;
  /** Tells it from other work of its kind in the company. */
  key: string;
  payload: object;
  /** The person in whose name it is done; null is the server's own. */
  userId: number | null;
}

/**
 * Asks for work with the commit of this transaction, as soon as may be. While the same work waits already, it is done
 * once, and not later than it would be now.
 */
export function enqueue(tx: Tx, job: Job): void {
  tx.atEnd(sql`
    ${jobs.insert(job)}
    on conflict (company_id, kind, key) where done_at is null
      do update set run_at = least(job.run_at, excluded.run_at)`);
}

/** A job whose time has come. */
export interface DueJob extends Omit<Job, 'payload'> {
  companyId: number;
  id: number;
}

/** Does what is due now; answers how many jobs it did. A job that fails waits longer each time and keeps its reason. */
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
 * The jobs that are due: the work of people before the server's own. They are claimed in two steps, because a lock over
 * all companies cannot be taken on a distributed table.
 */
async function listDue(pool: Pool): Promise<DueJob[]> {
  const client = await pool.connect();
  try {
    await Promise.all([client.query('begin read only'), client.query("set local app.worker = 'on'")]);
    const due = sql<DueJob>`
      select company_id as "companyId", ${jobs.columns('j', ['id', 'kind', 'key', 'userId'])}
      from job j where ${isDue}
      order by user_id is null, run_at limit 50`;
    const { rows } = await client.query<DueJob>(statementOf(due));
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
    // A distributed table takes no moment that is reckoned from a column.
    const wait = Math.min(LONGEST_WAIT, 5 * 2 ** found.attempts);
    const runAt = sql`now() + make_interval(secs => ${wait})`;
    const doneAt = attempts >= MOST_ATTEMPTS ? sql`now()` : null;
    tx.atEnd(jobs.update({ id: job.id }, { attempts, lastError: reason, runAt, doneAt }));
  }).catch(() => undefined);
}

/** Jobs of the company that were given up since a moment, by kind. */
export function givenUpSql(since: RawBuilder<unknown>): Runnable<{ kind: string; count: number }> {
  return sql`
    select kind, count(*)::int as count from job
    where company_id = ${COMPANY} and done_at >= ${since} and last_error is not null
    group by kind`;
}

/** Removes answers of repeated requests that nobody will ask for again. */
export async function sweepCompany(pool: Pool, companyId: number): Promise<void> {
  await inCompany(pool, companyId, (tx) =>
    tx.rows(sql`
      delete from idempotency where company_id = ${COMPANY} and created_at < now() - interval '7 days'`),
  );
}
