import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type DueJob, enqueue, type Job, runDueJobs, sweepCompany } from './jobs.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const companyId = (): number => t.world.company.companyId;

const job = (kind: string, payload: object): Job => ({ kind, key: JSON.stringify(payload), payload, userId: null });

interface Waiting {
  kind: string;
  attempts: number;
  reason: string | null;
  seconds: number;
  done: boolean;
}

const waiting = () =>
  t.inCompany(companyId(), (tx) =>
    tx.rows(sql<Waiting>`
      select kind, attempts, last_error as reason, round(extract(epoch from run_at - now()))::int as seconds,
        done_at is not null as done
      from job where company_id = ${companyId()}`),
  );

test('a job that is queued in a failed transaction never runs', async () => {
  const failing = t.inCompany(companyId(), async (tx) => {
    enqueue(tx, job('note', { text: 'lost' }));
    throw new Error('rolled back on purpose');
  });
  await expect(failing).rejects.toThrow('rolled back on purpose');
  expect(await waiting()).toEqual([]);
});

test('a failed job waits 5 s, then 10 s, records the reason, and finally succeeds', async () => {
  await t.inCompany(companyId(), async (tx) => enqueue(tx, job('flaky', { round: 1 })));
  const reports: string[] = [];
  const fail = { flaky: async () => Promise.reject(new Error('the mail server is unavailable')) };
  const report = ({ kind }: DueJob): void => void reports.push(kind);
  expect(await runDueJobs(t.pool, fail, report)).toBe(0);
  expect(await waiting()).toEqual([
    { kind: 'flaky', attempts: 1, reason: 'the mail server is unavailable', seconds: 5, done: false },
  ]);
  expect(await runDueJobs(t.pool, fail, report)).toBe(0);
  const due = () =>
    t.inCompany(companyId(), (tx) => tx.rows(sql`update job set run_at = now() where company_id = ${companyId()}`));
  await due();
  await runDueJobs(t.pool, fail, report);
  expect(await waiting()).toMatchObject([{ attempts: 2, seconds: 10 }]);
  await due();
  const payloads: unknown[] = [];
  const succeed = { flaky: async (_tx: unknown, payload: unknown) => void payloads.push(payload) };
  expect(await runDueJobs(t.pool, succeed, report)).toBe(1);
  expect([payloads, reports, await waiting()]).toEqual([[{ round: 1 }], ['flaky', 'flaky'], []]);
});

test('a job that is requested again while it is waiting runs once, at the earliest requested time', async () => {
  const ask = () => t.inCompany(companyId(), async (tx) => enqueue(tx, { ...job('once', {}), userId: 7 }));
  await ask();
  const fail = { once: async () => Promise.reject(new Error('later')) };
  const failed: DueJob[] = [];
  expect(await runDueJobs(t.pool, fail, (each) => void failed.push(each))).toBe(0);
  expect(failed).toMatchObject([{ kind: 'once', key: '{}', companyId: companyId(), userId: 7 }]);
  expect(await waiting()).toMatchObject([{ attempts: 1, seconds: 5 }]);
  await Promise.all([ask(), ask(), ask()]);
  expect(await waiting()).toMatchObject([{ attempts: 1, seconds: 0 }]);
  let times = 0;
  const count = { once: async () => void (times += 1) };
  expect(await runDueJobs(t.pool, count, () => undefined)).toBe(1);
  expect([times, await waiting()]).toEqual([1, []]);
});

test('users’ jobs run before the server’s own', async () => {
  const order: unknown[] = [];
  const own = job('own', { first: 1 });
  await t.inCompany(companyId(), async (tx) => enqueue(tx, own));
  await t.inCompany(companyId(), async (tx) => enqueue(tx, { ...own, kind: 'asked', userId: 7 }));
  const note = (kind: string) => async () => void order.push(kind);
  await runDueJobs(t.pool, { own: note('own'), asked: note('asked') }, () => undefined);
  expect(order).toEqual(['asked', 'own']);
});

test('work after a job’s commit stays with its worker, and is due again in 5 minutes if the worker dies', async () => {
  await t.inCompany(companyId(), async (tx) => enqueue(tx, job('slow', {})));
  const rethrow = (_job: unknown, error: unknown): never => {
    throw error;
  };
  const met: unknown[] = [];
  const look = async (): Promise<void> => void met.push(await runDueJobs(t.pool, slow, rethrow), await waiting());
  const slow = { slow: async () => look };
  expect(await runDueJobs(t.pool, slow, rethrow)).toBe(1);
  expect(met).toEqual([0, [{ kind: 'slow', attempts: 0, reason: null, seconds: 300, done: false }]]);
  expect(await waiting()).toEqual([]);
});

test('20 jobs run only once each with 4 simultaneous workers', async () => {
  const done: unknown[] = [];
  for (let index = 0; index < 20; index += 1) {
    await t.inCompany(companyId(), async (tx) => enqueue(tx, job('count', { index })));
  }
  const handlers = { count: async (_tx: unknown, payload: unknown) => void done.push(payload) };
  const rethrow = (_job: unknown, error: unknown): never => {
    throw error;
  };
  await Promise.all(Array.from({ length: 4 }, () => runDueJobs(t.pool, handlers, rethrow)));
  expect(done).toHaveLength(20);
  expect(new Set(done.map((each) => JSON.stringify(each))).size).toBe(20);
});

test('a job sees only its own company', async () => {
  const seen: number[] = [];
  await t.inCompany(companyId(), async (tx) => enqueue(tx, job('look', {})));
  await runDueJobs(
    t.pool,
    {
      look: async (tx) => {
        const rows = await tx.rows(sql<{ id: number }>`select company_id as id from company`);
        seen.push(...rows.map(({ id }) => id));
      },
    },
    () => undefined,
  );
  expect(seen).toEqual([companyId()]);
});

test('responses to repeated requests are deleted after 7 days', async () => {
  const insert = (key: string, days: number) => sql`
    insert into idempotency (company_id, key, user_id, request_hash, status, reply, created_at)
    values (${companyId()}, ${key}, 1, 'x', 200, '{}', now() - make_interval(days => ${days}))`;
  await t.inCompany(companyId(), async (tx) => {
    await tx.rows(insert('old', 8));
    await tx.rows(insert('young', 6));
  });
  await sweepCompany(t.pool, companyId());
  const left = await t.inCompany(companyId(), (tx) =>
    tx.rows(sql<{ key: string }>`select key from idempotency where company_id = ${companyId()}`),
  );
  expect(left).toEqual([{ key: 'young' }]);
});
