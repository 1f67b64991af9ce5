import { addDays, isoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';

let t: TestApp;
let token: string;
let company: Awaited<ReturnType<TestApp['createCompany']>>;
let companyId: number;
const COUNT = 5000;

/** Creates invoices for three customers. Sorting by number, date, or name results in three different orders. */
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  ({ companyId } = company);
  ({ token } = company.administrator);
  const factory = factoryFor(t, company);
  const customers: number[] = [];
  for (const name of ['Mill Lane', 'Ashby', 'Zinnia']) customers.push(await factory.customer(name));
  const invoice = await factory.invoice({ customerId: customers[0] ?? 0 });
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`
      insert into document (company_id, kind, side, document_number, document_date, due_date, entity_id, status,
        control_account_id, sales_tax_cents, total_cents, open_cents, applied_cents, entry_date)
      select d.company_id, d.kind, d.side, (20000 + n)::text, d.document_date - (n * 7) % 900, d.due_date,
        (${customers}::bigint[])[1 + n % 3], d.status, d.control_account_id, 0, 10000, 10000, 0, d.entry_date
      from document d join generate_series(2, ${COUNT}) n on true
      where d.company_id = ${company.companyId} and d.id = ${invoice.id} returning id`),
  );
});
afterAll(() => t.close());

interface Row {
  id: number;
  invoiceNumber: string;
  invoiceDate: string;
  customerDisplayName: string;
  badge: string;
  daysOverdue: number;
  invoiceAmount: number;
  openAmount: number;
}

interface Page {
  items: Row[];
  parts?: Record<string, { count: number; amount: number }>;
  next: string | null;
  total: number;
  sums?: Record<string, number>;
}

async function page(query: string): Promise<{ page: Page; bytes: number }> {
  const { status, body, bytes } = await t.request({ method: 'GET', url: `/api/billinginvoice?${query}`, token });
  expect(status).toBe(200);
  return { page: body as Page, bytes: bytes.length };
}

/** Returns all pages of a list as one list. */
async function walk(query: string): Promise<Page['items']> {
  const items: Page['items'] = [];
  for (let after = ''; ;) {
    const { page: found } = await page(`limit=500&${query}${after}`);
    items.push(...found.items);
    if (found.next === null) return items;
    after = `&after=${encodeURIComponent(found.next)}`;
  }
}

test('the first 100 of 5,000 open invoices are returned in less than 60 kB, with the total count', async () => {
  const { page: first, bytes } = await page('limit=100');
  expect([first.items.length, first.total]).toEqual([100, COUNT]);
  expect(bytes).toBeLessThan(60_000);
});

test.each([
  ['sort=invoiceNumber', (row: Page['items'][number]) => row.invoiceNumber],
  ['sort=invoiceDate', (row: Page['items'][number]) => row.invoiceDate],
  ['sort=customerDisplayName', (row: Page['items'][number]) => row.customerDisplayName.toLowerCase()],
])('pages by %s contain every invoice once, in ascending and descending order', async (query, keyOf) => {
  const up = await walk(query);
  expect(new Set(up.map(({ id }) => id)).size).toBe(COUNT);
  expect(up.map(keyOf)).toEqual(up.map(keyOf).toSorted());
  const down = await walk(`${query}&desc=true`);
  expect(down.map(({ id }) => id)).toEqual(up.map(({ id }) => id).toReversed());
});

test('an invoice search finds words in names and numbers, page by page', async () => {
  const found = await walk('q=ashby');
  expect(new Set(found.map(({ customerDisplayName }) => customerDisplayName))).toEqual(new Set(['Ashby']));
  expect(found.length).toBe(found.filter((row, at) => found.indexOf(row) === at).length);
  expect((await page('limit=100&q=ashby')).page.total).toBe(found.length);
  expect((await walk('q=23456')).map(({ invoiceNumber }) => invoiceNumber)).toEqual(['23456']);
});

test('a page after the first 4,950 of 5,000 invoices has the last 50 and the count and totals of all', async () => {
  const { page: last } = await page('limit=100&skip=4950');
  const all = await walk('');
  expect(last.items).toEqual(all.slice(4950));
  // All invoices except the first were inserted without ledger entries, so the totals also show the difference from the
  // ledger.
  const ties = { creditAmount: 0, unappliedAmount: 0, journalAmount: -499_900, laterAmount: 0, owedAmount: 100 };
  const sums = { invoiceAmount: 500_000, openAmount: 500_000, draftAmount: 0, voidAmount: 0, ...ties };
  expect([last.next, last.total, last.sums]).toEqual([null, COUNT, sums]);
  expect((await page('limit=1&q=ashby')).page.sums?.['openAmount']).toBe(100 * (await walk('q=ashby')).length);
});

test.each(['ash 23457', '$100.00 23457', '9/2/2026 23457', '2026-09-02 23457', 'ASH 09/02 23457'])(
  'an invoice search requires every word in %s, including dates and amounts',
  async (words) => {
    const { invoiceDate } = (await page('limit=1&q=23457')).page.items[0] ?? { invoiceDate: '' };
    const [year = '', month = '', day = ''] = invoiceDate.split('-');
    const asked = words
      .replace('9/2/2026', `${Number(month)}/${Number(day)}/${year}`)
      .replace('2026-09-02', invoiceDate)
      .replace('09/02', `${month}/${day}`);
    const q = encodeURIComponent(asked);
    expect((await page(`limit=10&q=${q}`)).page.items.map((row) => row.invoiceNumber)).toEqual(['23457']);
    expect((await page(`limit=10&q=${q}x`)).page.total).toBe(0);
  },
);

test('the invoice history has pages and includes only invoices in its date range', async () => {
  const [{ invoiceDate } = { invoiceDate: '' }] = (await page('limit=1&sort=invoiceDate&desc=true')).page.items;
  const body = { fromDate: addDays(isoDate(invoiceDate), -300), toDate: invoiceDate };
  const history = async (query: string) => {
    const url = `/api/BillingInvoiceHistory${query}`;
    const { body: found } = await t.request({ method: 'PUT', url, token, body });
    return found as Page;
  };
  const all = (await history('')) as unknown as Page['items'];
  expect(all.length).toBeGreaterThan(1000);
  const keys = all.map((row) => `${row.invoiceDate} ${row.invoiceNumber}`);
  expect(keys).toEqual(keys.toSorted());
  const last = await history('?limit=100&sort=invoiceDate&desc=true&skip=100');
  expect([last.total, last.items.length]).toEqual([all.length, 100]);
});

describe('open invoices', () => {
  beforeAll(() =>
    t.inCompany(companyId, (tx) =>
      tx.rows(sql`
        update document set due_date = current_date - 30 + (id % 60)::int,
          status = case when id % 7 = 0 then 1 when id % 7 = 1 then 4 else 2 end,
          open_cents = case when id % 7 = 0 then 0 else 7500 end,
          applied_cents = case when id % 7 = 0 then 0 else 2500 end
        where company_id = ${companyId} and id % 3 = 0`),
    ),
  );

  test('open invoices are filtered by badge and show their open balances', async () => {
    const open = await walk('');
    const { page: first } = await page('limit=1');
    const of = (isIn: (row: Row) => boolean, amount: (row: Row) => number) => {
      const rows = open.filter(isIn);
      return { count: rows.length, amount: rows.reduce((total, row) => total + amount(row), 0) };
    };
    const unpaid = (row: Row) => row.openAmount;
    const parts = {
      overdue: of((row) => row.daysOverdue > 0, unpaid),
      draft: of(
        ({ badge }) => badge === 'Draft',
        (row) => row.invoiceAmount,
      ),
      hold: of(({ badge }) => badge === 'On Hold', unpaid),
    };
    expect(first.parts).toEqual(parts);
    for (const part of Object.values(parts)) expect(part.count).toBeGreaterThan(100);
    for (const [status, { count }] of Object.entries(parts)) {
      const { page: found } = await page(`limit=1&status=${status}`);
      expect([status, found.total, found.parts]).toEqual([status, count, undefined]);
    }
    expect((await walk('status=overdue')).every(({ daysOverdue }) => daysOverdue > 0)).toBe(true);
  });

  test('paid invoices are all invoices without an open balance', async () => {
    const all = await walk('status=all');
    const paid = all.filter(({ badge }) => badge === 'Paid').map(({ id }) => id);
    expect((await walk('status=paid')).map(({ id }) => id)).toEqual(paid);
    expect((await walk('status=all&q=ashby')).length).toBeGreaterThan(1000);
  });
});

test('the payment list can be paged and searched, and has totals', async () => {
  const factory = factoryFor(t, company);
  const customerId = await factory.customer('Payer');
  const days = ['2026-03-02', '2026-05-01', '2026-03-02', '2026-04-07'];
  const made: { id: number }[] = [];
  for (const [at, paymentDate] of days.entries()) {
    const extra = { paymentCheckNo: `44${at}`, paymentApplications: [] };
    made.push(await factory.payment({ customerId, paymentAmount: 10 + at, paymentDate, ...extra }));
  }
  const get = async (query: string) => {
    const { body } = await t.request({ method: 'GET', url: `/api/billingpayment?${query}`, token });
    return body as { items: { id: number }[]; next: string | null; total: number; sums: Record<string, number> };
  };
  const ids = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);
  const order = [1, 3, 2, 0].map((at) => made[at]?.id);
  const first = await get('limit=3&sort=paymentDate&desc=true');
  const second = await get(`limit=3&sort=paymentDate&desc=true&after=${encodeURIComponent(first.next ?? '')}`);
  expect([...ids(first), ...ids(second)]).toEqual(order);
  expect([first.total, first.sums]).toEqual([4, { paymentAmount: 46, unappliedAmount: 46 }]);
  expect(ids(await get('limit=9&q=443'))).toEqual([made[3]?.id]);
  expect(ids(await get('limit=9&q=payer+12.00'))).toEqual([made[2]?.id]);
  expect((await get('limit=9&sort=paymentAmount')).items[0]).toMatchObject({
    entityDisplayName: 'Payer',
    paymentAmount: 10,
    paymentCheckNo: '440',
  });
});
