import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { statementCalls } from '@evenkeel/contract/statements';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { hostileFiles } from '@evenkeel/statements/testing/hostile';
import { buildApp } from '../../app/app.ts';
import { csv } from '../../features/banking/testing/statement-files.ts';
import { openPool } from '../db/connect.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';
import type { WorldCompany } from '../../testing/world.ts';

/** A bill in API format. */
interface Bill {
  id: number;
  vendorId: number;
  lineItems: Record<string, unknown>[];
}

const SAVERS = 24;

/**
 * On a busy machine, requests take a long time. The time limits are long, so that requests don't time out before the
 * lock is released.
 */
const PATIENT = { lockMs: 60_000, statementMs: 60_000, answerMs: 60_000 };

let t: TestApp;
let pool: ReturnType<typeof openPool>;
let app: Awaited<ReturnType<typeof buildApp>>;
let owner: ReturnType<typeof openPool>;
let bill: Bill;
let checkingId: number;
beforeAll(async () => {
  t = await startTestApp();
  pool = openPool({ connection: { connectionString: t.databaseUrl }, as: 'runtime', patience: PATIENT });
  app = await buildApp({ ...t.services, pool });
  owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 2 });
  const make = factoryFor(t, t.world.company);
  const { id } = await make.bill({ vendorId: await make.vendor(), amount: 400 });
  checkingId = await checkingOf(t, t.world.company.companyId);
  bill = (await t.request({ method: 'GET', url: `/api/expenseinvoice/${id}`, token: make.token })).body as Bill;
});
afterAll(async () => {
  await app.close();
  await Promise.all([pool.end(), owner.end()]);
  await t.close();
});

/** Locks the bill's row, as a slow save does, until the test releases it. */
let letGo: () => Promise<void>;
beforeEach(async () => {
  const holder = await owner.connect();
  await holder.query('begin');
  await holder.query('select from document where company_id = $1 and id = $2 for update', [
    t.world.company.companyId,
    bill.id,
  ]);
  letGo = async () => {
    letGo = async () => undefined;
    await holder.query('rollback');
    holder.release();
  };
});
afterEach(() => letGo());

const lockWaits = async (): Promise<number> => {
  const { rows } = await owner.query<{ count: number }>(`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows[0]?.count ?? 0;
};

/** Waits until the number of requests that wait for a lock no longer changes. */
async function settledLockWaits(): Promise<number> {
  let [seen, same] = [0, 0];
  while (seen === 0 || same < 5) {
    await setTimeout(20);
    const now = await lockWaits();
    same = now === seen ? same + 1 : 0;
    seen = now;
  }
  return seen;
}

const ask = async (method: 'GET' | 'PUT', { token }: { token: string }, payload?: object): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  const sent = { method, url: '/api/expenseinvoice', headers, ...(payload === undefined ? {} : { payload }) };
  return (await app.inject(sent)).statusCode;
};

const save = (amount: number): Promise<number> => {
  const lineItems = bill.lineItems.map((line) => ({ ...line, lineItemAmount: amount }));
  return ask('PUT', t.world.company.bookkeeper, { ...bill, lineItems });
};

// Promise (together): A company whose saves wait for a lock takes no connections from other companies, and a long wait
// ends with a clear error. [24 saves; previously 10.1 s]
test(`${SAVERS} saves of a locked bill leave connections free for other companies and for reads`, async () => {
  let saved = 0;
  const savers = Array.from({ length: SAVERS }, async (_, index) => {
    const status = await save(41 + index);
    saved += 1;
    return status;
  });
  const held = await settledLockWaits();
  const statuses: number[] = [];
  for (const { bookkeeper } of [t.world.other, t.world.company]) {
    statuses.push(await ask('GET', bookkeeper));
  }
  statuses.push((await app.inject({ url: '/readyz' })).statusCode);
  // Saves of the same record wait for each other before they get a connection. Only one save waits for the lock.
  expect({ statuses, saved, held }).toEqual({ statuses: [200, 200, 200], saved: 0, held: 1 });
  await letGo();
  // The first request saves. The others have an outdated version.
  expect((await Promise.all(savers)).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array.from({ length: SAVERS - 1 }, () => 409),
  ]);
});

/** Returns a request for a payment on the bill. The request waits for the bill's lock. */
const payment = (key: string) => ({
  method: 'POST' as const,
  url: '/api/expensepayment',
  headers: { authorization: `Bearer ${t.world.company.bookkeeper.token}`, 'idempotency-key': key },
  payload: {
    vendorId: bill.vendorId,
    paymentDate: '2026-03-20',
    bankAccountId: checkingId,
    paymentAmount: 1,
    paymentApplications: [{ invoiceId: bill.id, amount: 1 }],
  },
});
/** Counts the payments without waiting for a turn of the company. */
const payments = async (): Promise<number> => {
  const { rows } = await owner.query<{ count: number }>('select count(*)::int as count from payment');
  return rows[0]?.count ?? 0;
};

test('payments on one bill hold only a few connections, although the requests name no saved record', async () => {
  const before = await payments();
  const paying = Array.from({ length: 8 }, (_, index) => app.inject(payment(`few ${index}`)));
  const held = await settledLockWaits();
  expect([held, await ask('GET', t.world.other.bookkeeper), await payments()]).toEqual([2, 200, before]);
  const metrics = await app.inject({ url: '/metrics' });
  expect(metrics.body).toContain('database_turns_waiting{gate="write"} 6');
  await letGo();
  expect((await Promise.all(paying)).map((each) => each.statusCode)).toEqual(paying.map(() => 200));
  expect(await payments()).toBe(before + 8);
});

test('if a lock is held too long, an error is returned, nothing is saved, and a later attempt succeeds', async () => {
  const before = await payments();
  const patience = { lockMs: 100 };
  const hasty = openPool({ connection: { connectionString: t.databaseUrl }, as: 'runtime', patience });
  const server = await buildApp({ ...t.services, pool: hasty });
  try {
    const refused = await server.inject(payment('held'));
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      503,
      '2',
      expect.objectContaining({
        code: 'unavailable',
        message: 'Someone else is saving this record right now. Try again in a moment.',
      }),
    ]);
    expect(await payments()).toBe(before);
    await letGo();
    const answers = [await server.inject(payment('held')), await server.inject(payment('held'))];
    expect(answers.map((each) => each.statusCode)).toEqual([200, 200]);
    expect(await payments()).toBe(before + 1);
  } finally {
    await server.close();
    await hasty.end();
  }
});

test('a request whose client disconnects while it waits never runs', async () => {
  const before = await payments();
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const stay = Array.from({ length: 2 }, (_, index) => app.inject(payment(`stay ${index}`)));
  await settledLockWaits();
  const later = app.inject(payment('later'));
  while (pool.gates.write.waiting === 0) await setTimeout(5);
  const { method, url, headers, payload } = payment('gone');
  const leaving = request(`${address}${url}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const gone = new Promise<string>((resolve) => leaving.on('error', () => resolve('gone')));
  leaving.end(JSON.stringify(payload));
  while (pool.gates.write.waiting === 1) await setTimeout(5);
  leaving.destroy(new Error('the client disconnected'));
  expect(await gone).toBe('gone');
  expect(pool.gates.write.waiting).toBe(2);
  await letGo();
  // The waiting request gets its own turn, and requests whose clients have disconnected don't run with it.
  expect((await Promise.all([...stay, later])).map((each) => each.statusCode)).toEqual([200, 200, 200]);
  expect([pool.gates.write.waiting, await payments()]).toEqual([0, before + 3]);
});

const longFile = (): string => {
  const lines = Array.from({ length: 20_000 }, (_, at) => {
    return { date: addDays(isoDate('2024-01-01'), at % 700), amount: 100 + at, text: `SHOP ${at}` };
  });
  return csv(lines);
};

/** Uploads a file, by default with 20,000 lines. Returns a function that requests a preview and returns its status. */
async function previewOf(company: WorldCompany, bytes = longFile()): Promise<() => Promise<number>> {
  const { token } = company.bookkeeper;
  const { documentId } = await upload(t, token, { name: `${company.companyId}.csv`, bytes });
  const payload = { documentId, bankAccountId: await checkingOf(t, company.companyId) };
  const { method, path } = statementCalls.previewStatement;
  const headers = { authorization: `Bearer ${token}` };
  return () => app.inject({ method, url: `/api${path}`, headers, payload }).then(({ statusCode }) => statusCode);
}

/** Requests previews of a file. `answers` grows as responses arrive. */
async function previews(company: WorldCompany, count: number, bytes?: string) {
  const preview = await previewOf(company, bytes);
  const answers: number[] = [];
  const each = async (): Promise<void> => void answers.push(await preview());
  return { answers, all: Promise.all(Array.from({ length: count }, each)) };
}

test("a company's long reports, PDFs, and statements take turns, and its short reports don't wait", async () => {
  const { company, other } = t.world;
  const report = ({ administrator }: typeof other, path = `${reportKinds.generalLedger.id}`) =>
    app
      .inject({
        method: 'POST',
        url: `/api/reports/${path}`,
        headers: { authorization: `Bearer ${administrator.token}` },
        payload: { reportParams: [], to: ['reader@example.com'] },
      })
      .then((each) => each.statusCode);
  await letGo();
  const preview = await previewOf(company);
  const holder = await owner.connect();
  await holder.query('begin; lock table journal_line in access exclusive mode');
  const paths = ['', '', '/pdf', '/email'].map((end) => `${reportKinds.generalLedger.id}${end}`);
  const asked = paths.map((path) => report(company, path));
  const held = await settledLockWaits();
  asked.push(preview());
  const short = await report(company, `${reportKinds.trialBalance.id}`);
  const elsewhere = report(other);
  while ((await lockWaits()) === held || pool.gates.long.waiting < asked.length - 1) await setTimeout(5);
  const { body } = await app.inject({ url: '/metrics' });
  await holder.query('rollback');
  holder.release();
  expect([held, short, body.match(/database_turns_waiting\{gate="long"\} \d+/)?.[0]]).toEqual([
    1,
    200,
    'database_turns_waiting{gate="long"} 4',
  ]);
  expect(await Promise.all([...asked, elsewhere])).toEqual(Array(6).fill(200));
});

test("two companies that read 6 bank statements do not delay a third company's reads", async () => {
  await letGo();
  const [third, ...busy] = await Promise.all([t.createCompany(), t.createCompany(), t.createCompany()]);
  const files = await Promise.all(busy.map((company) => previews(company, 3)));
  // The previews are running. The thread that reads them takes longer than this to start.
  await setTimeout(100);
  const status = await ask('GET', third.bookkeeper);
  expect([status, files.flatMap(({ answers }) => answers)]).toEqual([200, []]);
  await Promise.all(files.map(({ all }) => all));
  expect(files.flatMap(({ answers }) => answers)).toEqual([200, 200, 200, 200, 200, 200]);
});

test.each(hostileFiles(400_000))(
  "two companies that read files with 400 kB of $what do not delay a third company's reads",
  async (file) => {
    await letGo();
    const [third, ...busy] = await Promise.all([t.createCompany(), t.createCompany(), t.createCompany()]);
    const files = await Promise.all(busy.map((company) => previews(company, 3, file.text)));
    const reads: number[] = [];
    let isOver = false;
    const all = Promise.all(files.map((each) => each.all)).then(() => (isOver = true));
    do reads.push(await ask('GET', third.bookkeeper));
    while (!isOver);
    await all;
    expect(new Set(reads)).toEqual(new Set([200]));
    const status = file.isRefused ? 422 : 200;
    expect(files.flatMap(({ answers }) => answers)).toEqual(Array(6).fill(status));
  },
);

test("a company's simultaneous statements are read one at a time and in parallel with another company's", async () => {
  await letGo();
  const [one, other] = await Promise.all([t.createCompany(), t.createCompany()]);
  const busy = await previews(one, 8);
  while (pool.gates.long.waiting < 4) await setTimeout(5);
  const quiet = await previews(other, 1);
  await quiet.all;
  expect([quiet.answers, busy.answers.length < 8]).toEqual([[200], true]);
  await busy.all;
  expect(busy.answers).toEqual(Array(8).fill(200));
});

test('matches for bank transactions are computed for only one request per company at a time', async () => {
  await letGo();
  const [third, ...busy] = await Promise.all([t.createCompany(), t.createCompany(), t.createCompany()]);
  const holder = await owner.connect();
  await holder.query('begin; lock table bank_line in access exclusive mode');
  const asked = busy.flatMap(({ bookkeeper }) =>
    [1, 2, 3].map(() =>
      app.inject({ url: '/api/bankline?state=review', headers: { authorization: `Bearer ${bookkeeper.token}` } }),
    ),
  );
  const held = await settledLockWaits();
  const status = await ask('GET', third.bookkeeper);
  await holder.query('rollback');
  holder.release();
  expect([held, status]).toEqual([2, 200]);
  expect((await Promise.all(asked)).map((each) => each.statusCode)).toEqual(asked.map(() => 200));
});
