import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Dice } from '@evenkeel/core/dice';
import { ask, invoiceOf, must, paymentOf, signIn } from './testing/client.ts';
import { Installation, type Server } from './testing/installation.ts';
import { expectVerified } from './testing/whole.ts';

// Simulates 200 simultaneous users in a demo company with two years of books, on one process with its own PostgreSQL.

const PEOPLE = 200;
const MINUTE_MS = 60_000;

vi.setConfig({ testTimeout: 30 * MINUTE_MS, hookTimeout: 10 * MINUTE_MS });

let installation: Installation;
let environment: { DATA_DIR: string; LOG_LEVEL: string };
let server: Server;
let person: { email: string; password: string };
beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn' };
  const { result } = await installation.cli(environment, 'demo');
  person = result as typeof person;
  server = await installation.start(environment);
});
afterAll(() => installation.remove());

interface Named {
  id: number;
}
interface Invoice extends Named {
  invoiceNumber: string;
  invoiceAmount: number;
  rowVersion: number;
  lineItems: { description: string }[];
}

/** All writes that the server acknowledged, in all sessions. */
const acknowledged = { invoices: [] as Invoice[], payments: 0, bills: [] as Named[], changes: 0 };
/** The text that was last saved for each changed invoice. */
const texts = new Map<number, string>();
/** The response times in milliseconds, overall and by endpoint, and the number of responses by status. */
const times = { read: [] as number[], write: [] as number[] };
const timesOf = new Map<string, number[]>();
const statuses = new Map<number, number>();

/** The lists that users view, and the customers and vendors that new records use. */
interface Ground {
  customers: [number, ...number[]];
  vendors: [number, ...number[]];
}

/** One signed-in browser that views records, waits like a user, and sometimes saves. */
class Session {
  readonly token: string;
  readonly #ground: Ground;
  readonly #dice: Dice;
  readonly #own: Invoice[] = [];

  constructor(token: string, ground: Ground, seed: number) {
    [this.token, this.#ground, this.#dice] = [token, ground, new Dice(seed)];
  }

  async work(until: number): Promise<void> {
    // The sessions start at different times.
    await sleep(this.#dice.between(0, 4000));
    while (Date.now() < until) {
      await (this.#dice.between(1, 5) === 1 ? this.#save() : this.#look());
      await sleep(this.#dice.between(500, 4500));
    }
  }

  async #ask<T>(kind: keyof typeof times, path: string, sent: { method?: 'PUT'; body?: unknown } = {}): Promise<T> {
    const began = performance.now();
    const key = kind === 'write' ? { key: crypto.randomUUID() } : {};
    const { status, body } = await ask(server.address, path, { token: this.token, ...key, ...sent });
    const took = performance.now() - began;
    times[kind].push(took);
    const call = `${kind} ${path.replace(/\?.*/, '').replaceAll(/\d+/g, '…')}`;
    timesOf.set(call, [...(timesOf.get(call) ?? []), took]);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }

  async #look(): Promise<void> {
    const customer = this.#dice.pick(this.#ground.customers);
    const looks: [() => Promise<unknown>, ...(() => Promise<unknown>)[]] = [
      () => this.#ask('read', '/api/billinginvoice?limit=50'),
      () => this.#ask('read', '/api/expenseinvoice?limit=50'),
      () => this.#ask('read', '/api/customer?limit=50'),
      () => this.#ask('read', '/api/dashboard'),
      () => this.#ask('read', `/api/customerbillinghistory/${customer}`),
      () => this.#ask('read', '/api/GeneralLedger/GetAccountEntries/101?limit=50'),
      () => this.#ask('read', '/api/search', { body: { text: 'garden' } }),
      () => this.#ask('read', `/api/reports/${this.#dice.pick([1, 3])}`, { body: { reportParams: PERIOD } }),
    ];
    await this.#dice.pick(looks)();
  }

  async #save(): Promise<void> {
    await this.#dice.pick([() => this.#bill(), () => this.#bill(), () => this.#sell(), () => this.#change()])();
  }

  /** Creates an invoice. Every second invoice also gets a partial payment. */
  async #sell(): Promise<void> {
    const customerId = this.#dice.pick(this.#ground.customers);
    const body = invoiceOf(customerId, 'Season work', this.#dice.between(100, 900));
    const made = await this.#ask<Invoice>('write', '/api/billinginvoice', { body });
    acknowledged.invoices.push(made);
    this.#own.push(made);
    if (this.#own.length % 2 === 1) return;
    await this.#ask('write', '/api/billingpayment', { body: paymentOf(customerId, made.id, 50) });
    acknowledged.payments += 1;
  }

  async #bill(): Promise<void> {
    const lineItems = [{ description: 'Diesel', accountId: 153, lineItemAmount: this.#dice.between(20, 400) }];
    const vendorId = this.#dice.pick(this.#ground.vendors);
    const body = { vendorId, invoiceNumber: crypto.randomUUID().slice(0, 12), invoiceDate: '2026-03-10', lineItems };
    acknowledged.bills.push(await this.#ask<Named>('write', '/api/expenseinvoice', { body }));
  }

  /** Reads the user's last unpaid invoice and saves it with a different text. If there is none, creates an invoice. */
  async #change(): Promise<void> {
    const last = this.#own.length % 2 === 1 ? this.#own.at(-1) : undefined;
    if (last === undefined) return this.#sell();
    const saved = await this.#ask<Invoice>('read', `/api/billinginvoice/${last.id}`);
    const text = `Changed ${crypto.randomUUID()}`;
    const lineItems = saved.lineItems.map((line) => ({ ...line, description: text }));
    await this.#ask('write', '/api/billinginvoice', { method: 'PUT', body: { ...saved, lineItems } });
    acknowledged.changes += 1;
    texts.set(last.id, text);
  }
}

const PERIOD = Object.entries({ basis: 0, startdate: '2026-01-01', reportdate: '2026-11-21' }).map(
  ([paramName, paramvalue]) => ({ paramType: 1, paramName, paramvalue }),
);

/** Returns the number of records in each list and history. */
async function countsOf(token: string, customers: readonly number[]) {
  const rows = async (path: string) => must<Named[]>(server.address, path, { token });
  const invoices = await rows('/api/billinginvoice?status=all');
  const bills = await rows('/api/expenseinvoice?status=all');
  let payments = 0;
  for (const id of customers) {
    const history = await must<{ kind: string }[]>(server.address, `/api/customerbillinghistory/${id}`, { token });
    payments += history.filter(({ kind }) => kind === 'payment').length;
  }
  return { invoices: invoices.map(({ id }) => id), bills: bills.map(({ id }) => id), payments };
}

const share = (values: readonly number[], part: number): string => {
  const sorted = values.toSorted((a, b) => a - b);
  return `${Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)} ms`;
};

// Promise (longer): When 200 users work in one company on one process, every response is 200, no session is lost, and
// every acknowledged write is saved exactly once. [2,974 calls, including 637 saves]
test(`${PEOPLE} simultaneous users get only status 200, and each acknowledged write is saved once`, async () => {
  const first = await signIn(server.address, person.email, person.password);
  const idsOf = async (path: string): Promise<[number, ...number[]]> => {
    const [one, ...others] = await must<Named[]>(server.address, path, { token: first });
    if (one === undefined) throw new Error(`${path} is empty`);
    return [one.id, ...others.slice(0, 39).map(({ id }) => id)];
  };
  const ground = { customers: await idsOf('/api/customer'), vendors: await idsOf('/api/vendor') };
  const sessions: Session[] = [];
  for (let each = 1; each <= PEOPLE; each += 1) {
    const { token } = await must<{ token: string }>(server.address, '/api/login', { body: person });
    sessions.push(new Session(token, ground, each));
  }
  const before = await countsOf(first, ground.customers);
  const until = Date.now() + MINUTE_MS;
  await Promise.all(sessions.map((session) => session.work(until)));
  expect([...statuses.keys()]).toEqual([200]);

  const after = await countsOf(first, ground.customers);
  const added = (now: readonly number[], then: readonly number[]) => {
    const known = new Set(then);
    return now.filter((id) => !known.has(id)).toSorted((a, b) => a - b);
  };
  const ids = (list: readonly Named[]) => list.map(({ id }) => id).toSorted((a, b) => a - b);
  expect(added(after.invoices, before.invoices)).toEqual(ids(acknowledged.invoices));
  expect(added(after.bills, before.bills)).toEqual(ids(acknowledged.bills));
  expect(after.payments - before.payments).toBe(acknowledged.payments);
  for (const [id, text] of texts) {
    const { lineItems } = await must<Invoice>(server.address, `/api/billinginvoice/${id}`, { token: first });
    expect(lineItems.map(({ description }) => description)).toEqual([text]);
  }
  for (const { token } of sessions) await must(server.address, '/api/loginroles', { token });
  const { invoices, bills, payments, changes } = acknowledged;
  for (const [kind, list] of [...Object.entries(times), ...timesOf]) {
    console.log(`${list.length} × ${kind}: median ${share(list, 0.5)}, 95th percentile ${share(list, 0.95)}`);
  }
  console.log(
    `${PEOPLE} sessions, none lost; acknowledged and found: ${invoices.length} invoices, ${payments} payments, ` +
      `${bills.length} bills, ${changes} changes; 5xx 0`,
  );
  expect((await server.stop()).code).toBe(0);
  await expectVerified(installation, environment);
});
