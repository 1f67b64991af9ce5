import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { type GlEntry, ledgerCalls as calls } from '@evenkeel/contract/ledger';
import { toPlain } from '@evenkeel/core/money';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { Person } from '../../testing/world.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

type Move = [accountID: number, amount: number];

/** Posts one entry. A positive amount is a debit. */
async function post(person: Person, postingDate: string, moves: Move[], basis = 0): Promise<number> {
  const generalLedgerEntries = moves.map(([accountID, amount]) => {
    return { accountID, debit: amount > 0, amount: Math.abs(amount), description: 'Move', postingDate };
  });
  const body = { generalLedgerEntries, basis };
  return (await t.call(calls.postTransaction, { token: person.token, body })).transactionID;
}

const reverse = (person: Person, id: number, postingDate: string) =>
  t.call(calls.reverseTransaction, {
    token: person.token,
    params: { transactionId: String(id) },
    body: { postingDate },
  });

const askOf = (person: Person, account: number, query: Record<string, string> = {}) => {
  return { token: person.token, params: { customerAccountId: String(account) }, query };
};

async function register(person: Person, account: number, query: Record<string, string> = {}): Promise<GlEntry[]> {
  const reply = await t.call(calls.accountEntries, askOf(person, account, query));
  if (!Array.isArray(reply)) throw new Error('a page came where the whole list was asked for');
  return reply;
}

async function page(person: Person, account: number, query: Record<string, string>) {
  const reply = await t.call(calls.accountEntries, askOf(person, account, query));
  if (Array.isArray(reply)) throw new Error('a list came where a page was asked for');
  return reply;
}

const shown = (entries: readonly GlEntry[]): string[] =>
  entries.map((entry) => `${entry.postingDate} ${entry.balance === null ? '?' : toPlain(entry.balance)}`);

async function setting(companyId: number, name: string, value: string): Promise<void> {
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      update setting set setting_value = ${value} where company_id = ${companyId} and setting_name = ${name}`),
  );
}

describe('GET GetAccountEntries', () => {
  it('a register rejects an unknown account (404), an invalid page (400), and unauthorized users (403)', async () => {
    const { administrator, stranger } = t.world.company;
    const status = async (...ask: Parameters<typeof askOf>) =>
      (await t.refused(calls.accountEntries, askOf(...ask))).status;
    expect(await status(administrator, 9999)).toBe(404);
    expect(await status(administrator, 101, { limit: '5', after: 'page-two' })).toBe(400);
    expect(await status(administrator, 101, { from: '2026-02-30' })).toBe(400);
    expect(await status(administrator, 101, { limit: '0' })).toBe(400);
    expect(await status(stranger, 101)).toBe(403);
  });
});

describe('an account register', () => {
  it('in registers, debits increase checking, and credits reduce checking and increase sales', async () => {
    const { administrator: ada } = await t.createCompany();
    await post(ada, '2026-01-10', [
      [101, 100],
      [140, -100],
    ]);
    await post(ada, '2026-01-05', [
      [167, 30],
      [101, -30],
    ]);
    expect(shown(await register(ada, 101))).toEqual(['2026-01-05 -30.00', '2026-01-10 70.00']);
    expect(shown(await register(ada, 140))).toEqual(['2026-01-10 100.00']);
    expect(shown(await register(ada, 101, { from: '2026-01-06' }))).toEqual(['2026-01-10 70.00']);
    expect(shown(await register(ada, 101, { to: '2026-01-09' }))).toEqual(['2026-01-05 -30.00']);
  });

  it('if the fiscal year starts in April, a register restarts the balance for sales, not for checking', async () => {
    const { administrator: ada, companyId } = await t.createCompany();
    await setting(companyId, 'fyStartMonth', '4');
    for (const date of ['2025-03-31', '2025-04-01', '2026-03-31', '2026-04-01']) {
      await post(ada, date, [
        [101, 10],
        [140, -10],
      ]);
    }
    const sales = ['2025-03-31 10.00', '2025-04-01 10.00', '2026-03-31 20.00', '2026-04-01 10.00'];
    expect(shown(await register(ada, 140))).toEqual(sales);
    const first = await page(ada, 140, { limit: '3' });
    expect([shown(first.items), first.total]).toEqual([sales.slice(0, 3), 4]);
    const second = await page(ada, 140, { limit: '3', after: first.next ?? '' });
    expect([shown(second.items), second.next, toPlain(second.opening)]).toEqual([sales.slice(3), null, '20.00']);
    expect(shown(await register(ada, 140, { from: '2026-03-01' }))).toEqual(sales.slice(2));
    expect(shown(await register(ada, 101)).at(-1)).toBe('2026-04-01 40.00');
  });

  it('a register shows an accrual-only entry of 55.00 on the accrual basis but not on the cash basis', async () => {
    const { administrator: ada, companyId } = await t.createCompany();
    await post(
      ada,
      '2026-02-01',
      [
        [155, 55],
        [119, -55],
      ],
      1,
    );
    expect(shown(await register(ada, 119))).toEqual(['2026-02-01 -55.00']);
    expect(await register(ada, 119, { basis: '1' })).toEqual([]);
    await setting(companyId, 'reportingAccountingBasis', '1');
    expect(await register(ada, 119)).toEqual([]);
    expect(shown(await register(ada, 119, { basis: '0' }))).toEqual(['2026-02-01 -55.00']);
  });

  it('a register for one profit center shows the balance of only its lines: 15.00 of 115.00', async () => {
    const { administrator: ada, companyId } = await t.createCompany();
    const center = await t.inCompany(companyId, (tx) =>
      tx.row(
        sql<{ id: number }>`insert into profit_center (company_id, name) values (${companyId}, 'Pier') returning id`,
      ),
    );
    const profitcenterid = String(center?.id);
    const line = { description: 'Sale', postingDate: '2026-06-20', accountID: 140, debit: false };
    const lines = [
      { ...line, amount: 15, profitcenterid: center?.id },
      { ...line, amount: 100 },
      { ...line, amount: 115, accountID: 101, debit: true },
    ];
    for (const postingDate of ['2026-06-20', '2026-07-02']) {
      const body = { postingDate, generalLedgerEntries: lines.map((each) => ({ ...each, postingDate })) };
      await t.call(calls.postTransaction, { token: ada.token, body });
    }
    const rows = ['2026-06-20 15.00', '2026-07-02 30.00'];
    expect(shown(await register(ada, 140, { profitcenterid }))).toEqual(rows);
    expect(shown(await register(ada, 140, { profitcenterid, from: '2026-06-21' }))).toEqual(rows.slice(1));
    const first = await page(ada, 140, { profitcenterid, limit: '1' });
    expect([shown(first.items), first.total]).toEqual([rows.slice(0, 1), 2]);
  });

  it('by default, a register hides entries reversed on the same date, but not those reversed later', async () => {
    const { administrator: ada } = await t.createCompany();
    const moves: Move[] = [
      [101, 20],
      [140, -20],
    ];
    const hidden = await post(ada, '2026-05-10', moves);
    await post(ada, '2026-05-10', moves);
    await reverse(ada, hidden, '2026-05-10');
    const visible = await post(ada, '2026-05-11', moves);
    await reverse(ada, visible, '2026-05-12');
    const rows = ['2026-05-10 20.00', '2026-05-11 40.00', '2026-05-12 20.00'];
    expect(shown(await register(ada, 101))).toEqual(rows);
    expect(await register(ada, 101, { showReversed: 'true' })).toHaveLength(5);
    // The position after the first page is between the hidden line and its reversal.
    const first = await page(ada, 101, { limit: '1' });
    expect([shown(first.items), first.total]).toEqual([rows.slice(0, 1), 3]);
    const second = await page(ada, 101, { limit: '1', after: first.next ?? '' });
    expect([shown(second.items), toPlain(second.opening)]).toEqual([rows.slice(1, 2), '20.00']);
    const all = await page(ada, 101, { limit: '2', showReversed: 'true' });
    expect([shown(all.items), all.total]).toEqual([['2026-05-10 20.00', '2026-05-10 40.00'], 5]);
  });
});

describe('an account register that is read from its end', () => {
  it('paging back through a register from the newest entry keeps the same balances across fiscal years', async () => {
    const { administrator: ada, companyId } = await t.createCompany();
    await setting(companyId, 'fyStartMonth', '4');
    const dates = ['2025-03-30', '2025-03-31', '2025-04-01', '2025-04-01', '2025-09-09', '2026-03-31', '2026-04-01'];
    for (const [index, date] of dates.entries()) {
      await post(ada, date, [
        [101, 10 + index],
        [140, -10 - index],
      ]);
    }
    for (const account of [101, 140]) {
      const all = await register(ada, account);
      expect(await register(ada, account, { desc: 'true' })).toEqual(all.toReversed());
      const items: GlEntry[] = [];
      const openings: (number | null)[] = [];
      for (let after: string | null = ''; after !== null;) {
        const read = await page(ada, account, { desc: '1', limit: '2', ...(after === '' ? {} : { after }) });
        items.push(...read.items);
        openings.push(read.opening);
        expect(read.total).toBe(7);
        after = read.next;
      }
      expect(items).toEqual(all.toReversed());
      expect(openings).toEqual([...[4, 2, 0].map((index) => all[index]?.balance), 0]);
    }
  });

  it("a register stops at the range's start date and opens with the previous day’s balance", async () => {
    const { administrator: ada } = await t.createCompany();
    for (const date of ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04']) {
      await post(ada, date, [
        [101, 10],
        [140, -10],
      ]);
    }
    const last = await page(ada, 101, { desc: 'true', limit: '5', from: '2026-05-02', to: '2026-05-03' });
    expect([shown(last.items), toPlain(last.opening), last.next, last.total]).toEqual([
      ['2026-05-03 30.00', '2026-05-02 20.00'],
      '10.00',
      null,
      2,
    ]);
  });
});

describe('a date range of a register', () => {
  const plain = ({ period }: Awaited<ReturnType<typeof page>>): string[] =>
    period === undefined
      ? []
      : [period.broughtForward, period.debits, period.credits, period.closing].map((amount) => toPlain(amount));

  it('a register for a date range shows its balances and both sides, but no same-day reversals', async () => {
    const { administrator: ada } = await t.createCompany();
    await post(ada, '2026-05-01', [
      [101, 100],
      [140, -100],
    ]);
    await post(ada, '2026-05-10', [
      [101, 40],
      [140, -40],
    ]);
    const taken = await post(ada, '2026-05-11', [
      [101, 7],
      [140, -7],
    ]);
    await reverse(ada, taken, '2026-05-11');
    await post(ada, '2026-05-12', [
      [167, 15],
      [101, -15],
    ]);
    await post(ada, '2026-06-01', [
      [167, 1],
      [101, -1],
    ]);
    const may = { from: '2026-05-02', to: '2026-05-31', limit: '1' };
    for (const desc of ['false', 'true']) {
      const first = await page(ada, 101, { ...may, desc });
      expect(plain(first)).toEqual(['100.00', '40.00', '15.00', '125.00']);
      expect(plain(await page(ada, 101, { ...may, desc, after: first.next ?? '' }))).toEqual([]);
    }
    expect(plain(await page(ada, 101, { ...may, showReversed: 'true' }))).toEqual([
      '100.00',
      '47.00',
      '22.00',
      '125.00',
    ]);
    expect(plain(await page(ada, 101, { limit: '1', to: '2026-05-31' }))).toEqual([
      '0.00',
      '140.00',
      '15.00',
      '125.00',
    ]);
    expect(plain(await page(ada, 101, { limit: '1', from: '2026-05-02' }))).toEqual([
      '100.00',
      '40.00',
      '16.00',
      '124.00',
    ]);
    expect(plain(await page(ada, 101, { limit: '1' }))).toEqual([]);
    expect(plain(await page(ada, 103, may))).toEqual(['0.00', '0.00', '0.00', '0.00']);
  });

  it('a register starts sales at zero each fiscal year, and shows discounts below zero', async () => {
    const { administrator: ada } = await t.createCompany();
    for (const date of ['2025-11-01', '2025-12-31', '2026-01-01']) {
      await post(ada, date, [
        [101, 90],
        [143, 10],
        [140, -100],
      ]);
    }
    const over = { limit: '1', from: '2025-12-01', to: '2026-01-31' };
    expect(plain(await page(ada, 140, over))).toEqual(['100.00', '0.00', '200.00', '100.00']);
    expect(plain(await page(ada, 140, { limit: '1', from: '2025-12-01' }))).toEqual([
      '100.00',
      '0.00',
      '200.00',
      '100.00',
    ]);
    expect(plain(await page(ada, 140, { ...over, from: '2026-02-01', to: '2027-01-31' }))).toEqual([
      '100.00',
      '0.00',
      '0.00',
      '0.00',
    ]);
    expect(plain(await page(ada, 143, { ...over, to: '2025-12-31' }))).toEqual(['-10.00', '10.00', '0.00', '-20.00']);
  });
});

describe('a search in a register', () => {
  const told = (entries: readonly GlEntry[]): string[] =>
    entries.map(({ number, entityName, description, balance }) =>
      [number, entityName, description, balance === null ? '?' : toPlain(balance)].join(' | '),
    );
  const newest = async (person: Person, account: number, q: string, more: Record<string, string> = {}) =>
    page(person, account, { desc: 'true', limit: '50', q, ...more });

  it('a register search by number, name, memo, or amount lists the newest entries first, with balances', async () => {
    const company = await t.createCompany();
    const { administrator: ada } = company;
    const factory = factoryFor(t, company);
    const [heights, marina] = [await factory.customer('Fairlawn Heights'), await factory.customer('Marina É. 50%')];
    await factory.invoice({ customerId: heights, amount: 80 });
    await factory.invoice({ customerId: marina, amount: 1250.5 });
    await factory.payment({ customerId: heights, paymentAmount: 80 });
    const lines = { postingDate: '2026-05-01', description: 'Write-off' };
    const journal = await t.call(calls.postTransaction, {
      token: ada.token,
      body: {
        generalLedgerEntries: [
          { ...lines, accountID: 155, debit: true, amount: 5 },
          { ...lines, accountID: 138, debit: false, amount: 5, entityId: marina },
        ],
      },
    });
    const whole = (await register(ada, 138)).toReversed();
    const numberOf = (entry: GlEntry): string => entry.number ?? '';
    expect(whole.map(numberOf).toSorted()).toEqual(['1', '10001', '10002', String(journal.transactionID)].toSorted());
    const having = (wanted: (entry: GlEntry) => boolean) => told(whole.filter(wanted));
    const find = async (q: string) => told((await newest(ada, 138, q)).items);
    expect(await find('10002')).toEqual(having((entry) => entry.number === '10002'));
    expect(await find('HEIGHTS')).toEqual(having((entry) => entry.entityName === 'Fairlawn Heights'));
    expect(await find('é. marina')).toEqual(having((entry) => entry.entityName.startsWith('Marina')));
    expect(await find('write-OFF')).toEqual(having((entry) => entry.description === 'Write-off'));
    expect(await find('$1,250.5')).toEqual(having((entry) => entry.debitAmount === 125_050));
    expect(await find('heights 80.00')).toEqual(having((entry) => entry.entityName === 'Fairlawn Heights'));
    expect(await find('50%')).toEqual(having((entry) => entry.entityName.startsWith('Marina')));
    expect(await find('heights marina')).toEqual([]);
    // The bank line in the journal entry has no customer. The search finds it by the name on the entry's other line.
    expect(told((await newest(ada, 155, 'marina')).items)).toEqual(told(await register(ada, 155)));
    expect((await find('80')).length).toBeGreaterThan(0);
  });

  it('a register search has pages, counts entries once, and respects the date range, basis, and company', async () => {
    const { administrator: ada } = await t.createCompany();
    const { administrator: eve } = await t.createCompany();
    for (let at = 0; at < 7; at += 1) {
      const date = `202${at % 2 === 0 ? 5 : 6}-0${at + 1}-10`;
      await post(ada, date, [
        [101, 10 + at],
        [140, -10 - at],
      ]);
    }
    await post(eve, '2026-01-10', [
      [101, 12],
      [140, -12],
    ]);
    const whole = (await register(ada, 140)).toReversed();
    const items: GlEntry[] = [];
    for (let after: string | null = ''; after !== null;) {
      const read = await newest(ada, 140, 'move', { limit: '3', after });
      expect(read.total).toBe(7);
      items.push(...read.items);
      after = read.next;
    }
    expect(items).toEqual(whole);
    expect((await newest(ada, 140, 'move 13')).items).toEqual(
      whole.filter(({ creditAmount }) => creditAmount === 1300),
    );
    const late = await newest(ada, 140, 'move', { from: '2026-01-01', to: '2026-04-30' });
    expect(late.items).toEqual(whole.filter(({ postingDate }) => /^2026-0[1-4]/.test(postingDate)));
    expect((await newest(eve, 140, 'move')).total).toBe(1);
    expect(await register(ada, 140, { q: 'nothing of it' })).toEqual([]);
    const refused = await t.refused(calls.accountEntries, askOf(ada, 140, { q: 'move', journals: 'only' }));
    expect([refused.status, refused.fields]).toEqual([
      400,
      { q: "A search can't be combined with 'entityid', 'ofassets', or 'journals'" },
    ]);
  });
});

describe('the customer or vendor of an entry', () => {
  const names = (entries: readonly GlEntry[]): string[] => entries.map((entry) => entry.entityName);

  it('a register shows the customer on income and bank entries, even after a payment is moved', async () => {
    const company = await t.createCompany();
    const { administrator: ada } = company;
    const factory = factoryFor(t, company);
    const customerId = await factory.customer('Fairlawn Heights');
    const invoice = await factory.invoice({ customerId, amount: 80 });
    const payment = await factory.payment({ customerId, paymentAmount: 80 });
    expect(names(await register(ada, 101))).toEqual(['Fairlawn Heights']);
    for (const basis of ['0', '1']) expect(names(await register(ada, 140, { basis }))).toEqual(['Fairlawn Heights']);
    const moved = {
      id: payment.id,
      customerId,
      paymentDate: '2026-03-21',
      paymentAmount: 80,
      paymentTypeId: 2,
      paymentAccountId: 104,
    };
    await t.call(billingCalls.updatePayment, {
      token: ada.token,
      body: { ...moved, paymentApplications: [{ invoiceId: invoice.id, amount: 80 }] },
    });
    await t.call(billingCalls.updatePayment, {
      token: ada.token,
      body: { ...moved, paymentAccountId: 103, paymentApplications: [{ invoiceId: invoice.id, amount: 80 }] },
    });
    expect(new Set(names(await register(ada, 103)))).toEqual(new Set(['Fairlawn Heights']));
    expect(new Set(names(await register(ada, 104, { showReversed: 'true' })))).toEqual(new Set(['Fairlawn Heights']));
  });

  it('a register shows the only name in a journal entry, but no name on the bank line if there are two', async () => {
    const company = await t.createCompany();
    const { administrator: ada } = company;
    const factory = factoryFor(t, company);
    const [north, south] = [await factory.customer('North'), await factory.customer('South')];
    const line = { description: 'Fees', postingDate: '2026-05-01' };
    const journal = (entities: number[]) =>
      t.call(calls.postTransaction, {
        token: ada.token,
        body: {
          generalLedgerEntries: [
            { ...line, accountID: 101, debit: true, amount: entities.length * 5 },
            ...entities.map((entityId) => ({ ...line, accountID: 140, debit: false, amount: 5, entityId })),
          ],
        },
      });
    await journal([north, south]);
    await journal([south, south]);
    expect(names(await register(ada, 101))).toEqual(['', 'South']);
    expect(names(await register(ada, 140))).toEqual(['North', 'South', 'South', 'South']);
  });
});

it('each entry in a transaction shows its basis, and each basis balances separately', async () => {
  const company = await t.createCompany();
  const { administrator: ada } = company;
  const factory = factoryFor(t, company);
  const customerId = await factory.customer();
  await factory.tax();
  await factory.invoice({ customerId, amount: 530 });
  const payment = await factory.payment({ customerId, paymentAmount: 530 });
  const { generalLedgerEntries: entries } = await t.call(calls.transactionEntries, {
    token: ada.token,
    params: { transactionId: payment.transactionID },
  });
  const totals = [1, 2].map((basis) => {
    const own = entries.filter((entry) => entry.basis === 0 || entry.basis === basis);
    const total = (side: 'debitAmount' | 'creditAmount') => own.reduce((sum, entry) => sum + (entry[side] ?? 0), 0);
    return [total('debitAmount'), total('creditAmount')];
  });
  expect(totals).toEqual([
    [53000, 53000],
    [53000, 53000],
  ]);
  expect(new Set(entries.map((entry) => entry.basis))).toEqual(new Set([0, 1, 2]));
});

it('posted documents return all their entries, drafts return none, and unknown documents return 404', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const factory = factoryFor(t, company);
  const customerId = await factory.customer();
  const behind = (sourceType: string, sourceId: number) =>
    t.call(calls.sourceEntries, { token, params: { sourceType, sourceId: String(sourceId) } });
  const invoice = await factory.invoice({ customerId, amount: 100 });
  expect(shown(await behind('invoice', invoice.id))).toHaveLength(2);
  const { id, invoiceDate, lineItems, rowVersion } = invoice;
  const dearer = lineItems.map((line) => ({ ...line, itemPrice: 130, quantity: 1 }));
  const body = { id, customerId, invoiceDate, arBillingStatus: 2, lineItems: dearer, rowVersion };
  await t.call(billingCalls.updateInvoice, { token, body });
  const entries = await behind('invoice', id);
  const live = entries.filter((entry) => entry.reverses === null && entry.reversedBy === null);
  expect(entries.length).toBeGreaterThan(live.length);
  expect(live.map((entry) => entry.debitAmount ?? -(entry.creditAmount ?? 0))).toEqual([13000, -13000]);
  const payment = await factory.payment({ customerId, paymentAmount: 50 });
  expect((await behind('payment', payment.id)).every((entry) => entry.sourceId === payment.id)).toBe(true);
  const draft = await t.call(billingCalls.createInvoice, {
    token,
    body: { customerId, invoiceDate, arBillingStatus: 1, lineItems: [] },
  });
  expect(await behind('invoice', draft.id)).toEqual([]);
  for (const [type, of] of [
    ['invoice', 999_999],
    ['expense', id],
    ['journal', 999_999],
  ] as const) {
    const params = { sourceType: type, sourceId: String(of) };
    expect((await t.refused(calls.sourceEntries, { token, params })).status).toBe(404);
  }
});
