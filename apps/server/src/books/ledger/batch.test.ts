import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BillingInvoice, billingCalls } from '@evenkeel/contract/billing';
import { endpoint, manyReply } from '@evenkeel/contract/endpoint';
import { JournalEntryInput, ledgerCalls } from '@evenkeel/contract/ledger';
import { decode } from '@evenkeel/contract/wire';
import { cents } from '@evenkeel/core/money';
import { documentKinds } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { sql } from 'kysely';
import * as z from 'zod';
import { buildApp } from '../../app/app.ts';
import { invoices } from '../../features/billing/invoices.ts';
import { openPool } from '../../platform/db/connect.ts';
import type { Creation } from '../../platform/http/creation.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { WAITS } from '../../testing/databases.ts';
import { factoryFor } from '../../testing/factories.ts';
import { type LossyProxy, startLossyProxy } from '../../testing/lossy-proxy.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { openBatches } from './batch.ts';
import { commandRoute } from '../../platform/http/route.ts';
import { journalCreation } from './journal-posting.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';

let t: TestApp;
let owner: ReturnType<typeof openPool>;
beforeAll(async () => {
  t = await startTestApp();
  owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 2 });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

const RENT = 167;
const CHECKING = 101;

const entry = (dollars: number, date = '2026-03-31', account = RENT) => {
  const line = { amount: dollars, description: 'Rent of the dock' };
  const generalLedgerEntries = [
    { ...line, accountID: account, debit: true },
    { ...line, accountID: CHECKING, debit: false },
  ];
  return { postingDate: date, generalLedgerEntries };
};

interface Sent {
  body: unknown;
  key?: string;
  app?: TestApp['app'];
}

async function post(company: WorldCompany, { body, key, app = t.app }: Sent) {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/GeneralLedger/PostTransaction',
    headers: {
      authorization: `Bearer ${company.administrator.token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    payload: body as object,
  });
  return { status: answer.statusCode, body: answer.json<{ transactionID: number; message: string }>() };
}

/** Blocks the company's postings until the returned function is called. `meanwhile` runs while they are blocked. */
async function hold({ companyId }: WorldCompany, meanwhile?: string): Promise<() => Promise<void>> {
  const client = await owner.connect();
  await client.query(`begin; set local role evenkeel_app; set local app.company_id = '${companyId}'`);
  await client.query('select from ledger_head where company_id = $1 for update', [companyId]);
  if (meanwhile !== undefined) await client.query(meanwhile, [companyId]);
  return async () => {
    await client.query('commit');
    client.release();
  };
}

/** Waits until the lock blocks a posting. */
async function untilBlocked(): Promise<void> {
  for (;;) {
    const { rowCount } = await owner.query(WAITS);
    if (rowCount === 1) return;
    await sleep(5);
  }
}

/** Waits until `count` postings are queued behind the blocked posting. */
async function untilWaiting(count: number, app = t.app): Promise<void> {
  while (!(await app.inject('/metrics')).body.includes(`\nposting_waiting ${count}\n`)) await sleep(5);
}

/** Posts one entry, which waits for the lock, and then `others`, which wait behind it and form one batch. */
async function asOneBatch<T>(company: WorldCompany, others: () => Promise<T>[], meanwhile?: string): Promise<T[]> {
  const release = await hold(company, meanwhile);
  const first = post(company, { body: entry(1) });
  await untilBlocked();
  const sent = others();
  const waiting = Promise.all(sent);
  await untilWaiting(sent.length);
  await release();
  await first;
  return waiting;
}

async function batchSizes(): Promise<{ count: number; sum: number }> {
  const { body } = await t.app.inject('/metrics');
  const read = (name: string): number =>
    Number(new RegExp(`^posting_batch_members_${name} (\\d+)`, 'm').exec(body)?.[1]);
  return { count: read('count'), sum: read('sum') };
}

const journal = ({ companyId }: WorldCompany): Promise<number> => countRows(t, companyId, 'journal_transaction');
const faults = async ({ companyId }: WorldCompany) => (await verifyCompany(t.pool, companyId)).faults;

test('200 simultaneous entries get 200 consecutive IDs in fewer than 30 batches, and verify passes', async () => {
  const company = await t.createCompany();
  const before = await batchSizes();
  const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => post(company, { body: entry(at + 1) })));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const ids = answers.map(({ body }) => body.transactionID).toSorted((a, b) => a - b);
  expect(ids).toEqual(ids.map((_, at) => at + 1));
  const after = await batchSizes();
  expect(after.sum - before.sum).toBe(200);
  expect(after.count - before.count).toBeLessThan(30);
  expect(await faults(company)).toEqual([]);
});

// Promise (together): Each kind of document has a separate number sequence, even when several kinds post together.
test("an invoice and other documents in one batch get numbers from their kinds' sequences", async () => {
  const company = await t.createCompany();
  const customerId = await factoryFor(t, company).customer();
  const memo: DocumentKind = { ...documentKinds.reconciliation, label: 'Memo', firstNumber: 501 };
  const line = { basis: 'B' as const, description: '', entityId: null, profitCenterId: null, locationId: null };
  const memos: Creation<number, null, undefined, { number: string }> = {
    kind: 'memo',
    reply: z.object({ number: z.string() }),
    facts: () => sql<null>`'null'::jsonb`,
    make: (maker, id) => {
      const entries = [
        { ...line, accountId: RENT, amount: cents(100), reverses: null },
        { ...line, accountId: CHECKING, amount: cents(-100), reverses: null },
      ];
      const postings = [{ postingDate: maker.today, description: '', entries }];
      const finish = ({ number }: { number: string }) => ({ row: undefined, view: { number } });
      return { source: { type: 'reconciliation', id }, postings, number: memo, action: 'create', finish };
    },
    write: () => [],
  };
  const sizes: number[] = [];
  const meter = {
    batch: (members: number) => void sizes.push(members),
    waited: () => undefined,
    watch: () => undefined,
  };
  const submit = openBatches(t.pool, meter);
  const actor = await t.withCtx(company.administrator, async (ctx) => ctx);
  const lineItems = [{ description: 'Work', itemPrice: 100, quantity: 1, accountId: 140 }];
  const invoice = decode(billingCalls.createInvoice.body, { customerId, invoiceDate: '2026-03-31', lineItems });
  const release = await hold(company);
  const first = submit({ actor, creation: memos, input: 1, bytes: 0 });
  await untilBlocked();
  const together = [
    submit({ actor, creation: invoices.creation, input: invoice, bytes: 0 }),
    submit({ actor, creation: memos, input: 2, bytes: 0 }),
    submit({ actor, creation: invoices.creation, input: invoice, bytes: 0 }),
    submit({ actor, creation: memos, input: 3, bytes: 0 }),
  ];
  await release();
  const replies = (await Promise.all([first, ...together])).map((text): unknown => JSON.parse(text));
  expect(sizes).toEqual([1, 4]);
  expect(replies).toMatchObject([
    { number: '501' },
    { invoiceNumber: '10001' },
    { number: '502' },
    { invoiceNumber: '10002' },
    { number: '503' },
  ]);
});

test('20 simultaneous requests with one key post once with one response, and a different body gets 409', async () => {
  const company = await t.createCompany();
  const sent = (dollars: number) => post(company, { body: entry(dollars), key: 'twenty' });
  const answers = await asOneBatch(company, () => [...Array.from({ length: 20 }, () => sent(5)), sent(6)]);
  const last = answers.pop();
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveProperty('size', 1);
  expect(answers[0]?.status).toBe(200);
  expect([last?.status, last?.body.message]).toEqual([
    409,
    'This Idempotency-Key was already used for a different request',
  ]);
  expect(await journal(company)).toBe(2);
  expect(await sent(5)).toEqual(answers[0]);
  expect(await countRows(t, company.companyId, 'audit_log')).toBe(2);
});

/** Sends a request over a separate connection, which the test can close after sending. */
function cutOff(company: WorldCompany, body: unknown): { isCut: Promise<void>; cut: () => void } {
  const address = t.app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const headers = { authorization: `Bearer ${company.administrator.token}`, 'content-type': 'application/json' };
  const sent = request({ port, method: 'POST', path: '/api/GeneralLedger/PostTransaction', headers, agent: false });
  const isCut = new Promise<void>((resolve) => sent.on('error', () => resolve()));
  sent.end(JSON.stringify(body));
  return { isCut, cut: () => sent.destroy() };
}

describe('a batch of 16', () => {
  /** Raises the January total of account 168 almost to the maximum for a month, or restores it. */
  const fill = ({ companyId }: WorldCompany, by: number) =>
    owner.query(
      `update ledger_total set amount_cents = amount_cents + $2
        where company_id = $1 and account_id = 168 and grain = 'M'`,
      [companyId, by],
    );
  const MOST = Number.MAX_SAFE_INTEGER - 1_000_000;

  // Promise (together): Each posting in a batch succeeds or fails independently. [12 of 16 posted, 4 other results]
  test('a batch of 16 requests posts 12 despite an invalid, a rejected, a repeated, and an aborted one', async () => {
    const company = await t.createCompany();
    // Another 100,000.00 exceeds the maximum. The database rejects it while the batch is being written, after all
    // checks.
    await post(company, { body: entry(1, '2026-01-31', 168) });
    await fill(company, MOST);
    const replayed = await post(company, { body: entry(7), key: 'before' });
    const gone = { cut: (): void => undefined };
    const release = await hold(company);
    const first = post(company, { body: entry(1) });
    await untilBlocked();
    const poisoned = post(company, { body: entry(100_000, '2026-01-31', 168) });
    const refused = post(company, { body: entry(0) });
    const again = post(company, { body: entry(7), key: 'before' });
    const { isCut, cut } = cutOff(company, entry(444));
    Object.assign(gone, { cut });
    const good = Array.from({ length: 12 }, (_, at) => post(company, { body: entry(100 + at), key: `good ${at}` }));
    await untilWaiting(16);
    cut();
    await isCut;
    // The server notices that the connection was closed only when its socket reports it.
    await sleep(100);
    await release();
    expect((await first).status).toBe(200);
    expect(await poisoned).toMatchObject({ status: 422, body: { message: 'Amount is out of range' } });
    expect(await refused).toMatchObject({ status: 422, body: { message: 'Entries must be greater than $0.00.' } });
    expect(await again).toEqual(replayed);
    const answers = await Promise.all(good);
    expect(answers.map(({ status }) => status)).toEqual(good.map(() => 200));
    expect(answers.map(({ body }) => body.transactionID).toSorted((a, b) => a - b)).toEqual(
      good.map((_, at) => 4 + at),
    );
    expect(await journal(company)).toBe(15);
    await fill(company, -MOST);
    expect(await faults(company)).toEqual([]);
    const { rows } = await owner.query('select from journal_line where company_id = $1 and amount_cents = 44400', [
      company.companyId,
    ]);
    expect(rows).toEqual([]);
  });

  test('in a batch, invoices and entries get their own numbers, lines, and responses despite rejections', async () => {
    const company = await t.createCompany();
    const { token } = company.administrator;
    const customerId = await factoryFor(t, company).customer();
    const line = (description: string) => ({ description, itemPrice: 12.5, quantity: 2, accountId: 140 });
    const invoice = (at: number) => {
      const lineItems = Array.from({ length: 1 + (at % 3) }, (_, index) => line(`job ${at}.${index}`));
      // A line that belongs to another invoice, and a customer that doesn't exist.
      if (at === 3) lineItems.unshift(Object.assign(line('foreign'), { id: 999_999 }));
      return { customerId: at === 5 ? 999_999 : customerId, invoiceDate: '2026-04-02', lineItems };
    };
    const create = async (at: number) => {
      const sent = { method: 'POST', url: '/api/billinginvoice', token, body: invoice(at) } as const;
      const { status, body } = await t.request(sent);
      return { at, status, body };
    };
    const postEntry = async (at: number): Promise<Awaited<ReturnType<typeof create>>> => {
      return { at: -1, ...(await post(company, { body: entry(at + 5) })) };
    };
    const answers = await asOneBatch(company, () => [
      ...Array.from({ length: 12 }, (_, at) => create(at)),
      ...Array.from({ length: 4 }, (_, at) => postEntry(at)),
    ]);
    const statuses = answers.map(({ at, status }) => [at, status]);
    expect(statuses).toEqual(answers.map(({ at }) => [at, at === 3 || at === 5 ? 422 : 200]));
    const invoices = answers.filter(({ at, status }) => at >= 0 && status === 200);
    const bodies = invoices.map(({ body }) => decode(BillingInvoice, body));
    expect(bodies.map(({ invoiceNumber }) => invoiceNumber)).toEqual(bodies.map((_, at) => String(10_001 + at)));
    for (const [index, body] of bodies.entries()) {
      const at = invoices[index]?.at ?? 0;
      expect(body.lineItems.map(({ description }) => description)).toEqual(
        Array.from({ length: 1 + (at % 3) }, (_, place) => `job ${at}.${place}`),
      );
      expect(await t.call(billingCalls.getInvoice, { token, params: { id: body.id } })).toEqual(body);
    }
    expect(new Set(bodies.flatMap(({ lineItems }) => lineItems.map(({ id }) => id))).size).toBe(20);
    expect(await faults(company)).toEqual([]);
  });

  test('a batch of 16 requests is rejected as a whole and writes nothing if the lock takes too long', async () => {
    const company = await t.createCompany();
    const patience = { lockMs: 300 };
    const pool = openPool({ connection: { connectionString: t.databaseUrl }, as: 'runtime', patience });
    const app = await buildApp({ ...t.services, pool });
    const release = await hold(company);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) => post(company, { body: entry(at + 1), key: `locked ${at}`, app })),
    );
    const told = answers.map(({ status, body }) => [status, body.message]);
    const busy = [503, 'Someone else is saving this record right now. Try again in a moment.'];
    expect(told).toEqual(answers.map(() => busy));
    await release();
    expect(await journal(company)).toBe(0);
    expect((await post(company, { body: entry(1), key: 'locked 0', app })).status).toBe(200);
    await app.close();
    await pool.end();
  });

  test('a batch rejects entries if their period is closed while they wait, and leaves no gap in the IDs', async () => {
    const company = await t.createCompany();
    await post(company, { body: entry(1, '2026-05-01') });
    const dates = Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? '2026-03-31' : '2026-04-01'));
    const answers = await asOneBatch(
      company,
      () => dates.map((date, at) => post(company, { body: entry(10 + at, date) })),
      "update ledger_head set closing_date = '2026-03-31' where company_id = $1",
    );
    for (const [at, { status, body }] of answers.entries()) {
      if (at % 2 === 0) expect([status, body.message]).toEqual([422, 'The books are closed through 3/31/2026']);
      else expect(status).toBe(200);
    }
    const ids = answers.flatMap(({ status, body }) => (status === 200 ? [body.transactionID] : []));
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, at) => 2 + at));
    expect(await faults(company)).toEqual([]);
  });
});

describe('a batch whose commit gets no response', () => {
  let proxy: LossyProxy;
  let pool: ReturnType<typeof openPool>;
  let app: TestApp['app'];
  let company: WorldCompany;
  beforeAll(async () => {
    proxy = await startLossyProxy(t.databaseUrl);
    pool = openPool({ connection: { connectionString: proxy.url }, as: 'runtime' });
    app = await buildApp({ ...t.services, pool });
    company = await t.createCompany();
  });
  afterAll(async () => {
    await app.close();
    await pool.end();
    await proxy.close();
  });

  /** Posts six requests with keys and two without in one batch. Then either the commit or its response is lost. */
  async function lose(loss: 'answer' | 'commit', name: string) {
    const release = await hold(company);
    const first = post(company, { body: entry(1), app, key: `${name} first` });
    await untilBlocked();
    const keyed = Array.from({ length: 6 }, (_, at) => post(company, { body: entry(2), app, key: `${name} ${at}` }));
    const bare = Array.from({ length: 2 }, () => post(company, { body: entry(3), app }));
    await untilWaiting(8, app);
    proxy.loseNext(loss, 1);
    await release();
    expect((await first).status).toBe(200);
    return { keyed: await Promise.all(keyed), bare: await Promise.all(bare) };
  }

  test('if a commit succeeds without a response, requests with a key get the result, and others get 503', async () => {
    const before = await journal(company);
    const { keyed, bare } = await lose('answer', 'lost reply');
    expect(keyed.map(({ status }) => status)).toEqual(keyed.map(() => 200));
    const perhaps =
      'The database connection was lost before a response arrived. Your change may have been ' +
      'saved. Check before you try again.';
    expect(bare.map(({ status, body }) => [status, body.message])).toEqual([
      [503, perhaps],
      [503, perhaps],
    ]);
    expect(new Set(keyed.map(({ body }) => body.transactionID)).size).toBe(6);
    expect(await journal(company)).toBe(before + 9);
    expect(await faults(company)).toEqual([]);
  });

  test('if a commit is lost, its requests with a key are posted again', async () => {
    const before = await journal(company);
    const { keyed, bare } = await lose('commit', 'lost whole');
    expect(keyed.map(({ status }) => status)).toEqual(keyed.map(() => 200));
    expect(bare.map(({ status }) => status)).toEqual([503, 503]);
    expect(await journal(company)).toBe(before + 7);
    expect(await faults(company)).toEqual([]);
  });
});

test('with a single connection, a busy company lets another company post after its current batch', async () => {
  const [busy, other] = [await t.createCompany(), await t.createCompany()];
  const pool = openPool({ connection: { connectionString: t.databaseUrl }, as: 'runtime', max: 1 });
  const app = await buildApp({ ...t.services, pool });
  let done = 0;
  const many = Array.from({ length: 400 }, () => post(busy, { body: entry(1), app }).then(() => (done += 1)));
  await Promise.race(many);
  const before = done;
  const answer = await post(other, { body: entry(2), app });
  expect(answer.status).toBe(200);
  // At most two batches post before the other company does: the current batch, and a batch that was already waiting for
  // the connection.
  expect(done - before).toBeLessThanOrEqual(2 * 64);
  await Promise.all(many);
  await app.close();
  await pool.end();
});

describe('a list of entries in one request', () => {
  const many = endpoint({
    method: 'POST',
    path: '/many/entries',
    needs: 'Manage Accounting',
    summary: 'Posts many entries',
    names: 'transactionID',
    body: z.array(JournalEntryInput),
    reply: manyReply(ledgerCalls.postTransaction.reply),
  });
  const routes = [commandRoute(many, { creation: journalCreation })];
  let app: TestApp['app'];
  let company: WorldCompany;
  beforeAll(async () => {
    app = await buildApp(t.services, { endpoints: [many], routes });
    company = await t.createCompany();
  });
  afterAll(() => app.close());

  async function send(records: unknown, key?: string, { token } = company.administrator) {
    const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const answer = await app.inject({ method: 'POST', url: '/api/many/entries', headers, payload: records as object });
    type Told = { record?: { transactionID: number }; error?: { code: string; message: string } };
    return { status: answer.statusCode, body: answer.json<Told[]>() };
  }
  const told = ({ body }: Awaited<ReturnType<typeof send>>) =>
    body.map(({ record, error }) => record?.transactionID ?? error?.message);

  test('a list of entries returns a separate result for each entry: posted, rejected, or malformed', async () => {
    const answer = await send([
      entry(5),
      entry(0),
      { ...entry(1), postingDate: 'never' },
      entry(6),
      null,
      { ...entry(1), transactionID: 1 },
      entry(7),
    ]);
    expect(answer.status).toBe(200);
    const [, refused, malformed] = answer.body;
    expect(told(answer)).toEqual([
      1,
      'Entries must be greater than $0.00.',
      expect.stringMatching(/date/i),
      2,
      'The request is missing',
      'A list can contain only new records',
      3,
    ]);
    expect(refused?.error).toMatchObject({ code: 'rule', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(malformed?.error).toMatchObject({ code: 'malformed', fields: { postingDate: expect.any(String) } });
    expect(await journal(company)).toBe(3);
    expect(await faults(company)).toEqual([]);
  });

  test('each entry in a list gets a key, so repeats create no duplicates, and changes are reported', async () => {
    const before = await journal(company);
    const list = Array.from({ length: 100 }, (_, at) => entry(at + 1));
    const first = await send(list, 'list');
    expect(new Set(told(first)).size).toBe(100);
    expect(await send(list, 'list')).toEqual(first);
    const changed = await send([...list.slice(0, 99), entry(999)], 'list');
    expect(changed.body.slice(0, 99)).toEqual(first.body.slice(0, 99));
    expect(changed.body[99]?.error).toMatchObject({ code: 'key_reused' });
    expect(await journal(company)).toBe(before + 100);
  });

  test('a list of entries is rejected if it is malformed, is too long, or comes from a read-only user', async () => {
    const before = await journal(company);
    expect((await send(entry(5))).status).toBe(400);
    expect((await send(Array.from({ length: 501 }, () => entry(5)))).status).toBe(413);
    expect((await send([entry(5)], undefined, await t.signIn(company, 'Read Only'))).status).toBe(403);
    expect(await send([])).toEqual({ status: 200, body: [] });
    expect(await journal(company)).toBe(before);
  });
});

test('a server that is stopping responds to all requests that it has started to process', async () => {
  const company = await t.createCompany();
  const app = await buildApp(t.services);
  const sent = Array.from({ length: 100 }, (_, at) => post(company, { body: entry(at + 1), app }));
  await sleep(20);
  await app.close();
  const answers = await Promise.all(sent);
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200]));
  expect(await journal(company)).toBe(100);
});
