import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { workItemCalls as calls } from '@evenkeel/contract/workitems';
import { sum } from '@evenkeel/core/money';
import { COMPANY } from '../../platform/db/query.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { countRows, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

/** Each work item must be billed exactly once, even if there are many customers, two users, and repeated clicks. */

let t: TestApp;
let company: WorldCompany;
let make: Factory;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
});

const people = () => [company.bookkeeper.token, company.superuser.token];

/** Creates `each` work items of 10.00 for each of several customers. Returns the customers. */
async function work(customers: number, each: number): Promise<number[]> {
  const ids = await t.inCompany(company.companyId, async (tx) => {
    const made = await tx.rows(sql<{ id: number }>`
      insert into entity (company_id, kind, displayname, name)
      select h.company_id, 0, 'Customer ' || n, 'Customer ' || n
      from ledger_head h, generate_series(1, ${customers}::int) n where h.company_id = ${COMPANY} returning id`);
    await tx.rows(sql`
      insert into work_item (company_id, entity_id, work_date, service_date, description, item_price_cents, item_amount,
        quantity, taxable, account_id, total_cents, entry_date)
      select h.company_id, e.id, '2026-03-01', '2026-03-01', 'Hour ' || n, 1000, 10, 1, false, 140, 1000, '2026-03-01'
      from ledger_head h, unnest(${made.map(({ id }) => id)}::bigint[]) e (id), generate_series(1, ${each}::int) n
      where h.company_id = ${COMPANY} returning id`);
    return made.map(({ id }) => id);
  });
  return ids.toSorted((a, b) => a - b);
}

const rowsOf = (ids: readonly number[]) => ids.map((id) => ({ id, invoiceDate: '2026-03-10' }));
interface Sent {
  token?: string;
  key?: string;
}
const post = (body: unknown, { token = make.token, key }: Sent = {}) => {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return t.request({ ...requestOf(calls.billWorkItems, { body: body as never, headers }), token });
};
interface Row {
  id: number;
  ok: boolean;
  invoiceId?: number;
  message?: string;
  billed?: { invoiceId: number };
}

/**
 * Checks that every work item in the company is billed on a separate line and that each customer has the given number
 * of invoices.
 */
async function expectOnce(customers: number, each: number, invoices = 1): Promise<void> {
  const found = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ items: number; lines: number; invoices: number }>`
      select count(*)::int as items, count(distinct w.invoice_line_id)::int as lines,
        count(distinct l.invoice_id)::int as invoices
      from work_item w left join invoice_line l on l.company_id = ${COMPANY} and l.id = w.invoice_line_id
      where w.company_id = ${COMPANY} group by w.entity_id`),
  );
  expect(found).toEqual(Array.from({ length: customers }, () => ({ items: each, lines: each, invoices })));
  expect(await countRows(t, company.companyId, 'invoice_line')).toBe(customers * each);
  expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
}

test('500 items for 100 customers in one request become 100 invoices of 50.00 each, in list order', async () => {
  const ids = await work(100, 5);
  const shown = await t.call(calls.listWorkItemInvoices, { token: make.token });
  expect([shown.length, sum(shown.map(({ invoiceAmount }) => invoiceAmount))]).toEqual([100, 500_000]);
  const { status, body } = await post(rowsOf(ids), { key: 'all' });
  expect([status, (body as Row[]).map(({ id, ok }) => [id, ok])]).toEqual([200, ids.map((id) => [id, true])]);
  const invoices = await t.call(billingCalls.listInvoices, { token: make.token, query: {} });
  const rows = Array.isArray(invoices) ? invoices : invoices.items;
  expect([rows.length, new Set(rows.map(({ invoiceAmount }) => invoiceAmount))]).toEqual([100, new Set([5_000])]);
  expect(await t.call(calls.listWorkItemInvoices, { token: make.token })).toEqual([]);
  await expectOnce(100, 5);
});

test('three simultaneous requests with one key get the same response and bill 12 customers only once', async () => {
  const ids = await work(12, 3);
  const answers = await Promise.all([1, 2, 3].map(() => post(rowsOf(ids), { key: 'twice' })));
  const [one = [], ...others] = answers.map(({ body }) => body as Row[]);
  expect(one.every(({ ok }) => ok)).toBe(true);
  expect(others).toEqual([one, one]);
  expect((await post(rowsOf(ids), { key: 'twice' })).body).toEqual(one);
  await expectOnce(12, 3);
});

// Promise (together): Each work item is billed only once, even with repeated requests or a killed server, and the
// second user sees who billed it. [12 customers, two users; 500 items for 100 customers, with the server killed
// halfway]
test('if two users bill 12 customers at once, each is billed only once, and the other user is named', async () => {
  const ids = await work(12, 3);
  const answers = await Promise.all(people().map((token, at) => post(rowsOf(ids), { token, key: `person ${at}` })));
  const [one = [], other = []] = answers.map(({ body }) => body as Row[]);
  for (const [at, row] of one.entries()) {
    const [made, told] = row.ok ? [row, other[at]] : [other[at], row];
    expect([made?.ok, told?.ok, told?.billed?.invoiceId]).toEqual([true, false, made?.invoiceId]);
    expect(told?.message).toMatch(/^Already billed on invoice \d+ by \w+ Person$/);
  }
  await expectOnce(12, 3);
});

test('two users who bill one customer at the same time create one invoice, and the second user gets it', async () => {
  for (const id of await work(6, 2)) {
    const answers = await Promise.all(people().map((token) => post({ id }, { token })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [made, told] = answers.toSorted((a, b) => a.status - b.status).map(({ body }) => body);
    expect(told).toMatchObject({ billed: { invoiceId: (made as { id: number }).id } });
  }
  await expectOnce(6, 2);
});

test('selected items are not billed if another user billed one of them, and the error names that user', async () => {
  const [id = 0] = await work(1, 3);
  const [row] = await t.call(calls.listWorkItemInvoices, { token: make.token });
  const [item, ...rest] = row?.workItemIds ?? [];
  const [bookkeeper = '', superuser = ''] = people();
  const one = await post({ id, workItemIds: [item] }, { token: superuser });
  const told = await post({ id, workItemIds: [item, ...rest] }, { token: bookkeeper });
  expect(told).toMatchObject({ status: 409, body: { billed: { invoiceId: (one.body as Row).id } } });
  expect((told.body as Row).message).toMatch(/^Already billed on invoice \d+ by Sue Person$/);
  expect(await post({ id, workItemIds: rest }, { token: bookkeeper })).toMatchObject({ status: 200 });
});

test('saving or deleting an item that is being billed either takes effect first or is rejected', async () => {
  for (const customerId of await work(8, 1)) {
    const [item] = (await t.call(calls.listWorkItems, { token: make.token, query: { customerId } })) as {
      id: number;
    }[];
    const id = item?.id ?? 0;
    const own = { id, customerId, description: 'Hour', itemPrice: 20, quantity: 1, accountId: 140 };
    const change =
      customerId % 2 === 0
        ? requestOf(calls.updateWorkItem, { body: own })
        : requestOf(calls.deleteWorkItem, { params: { id } });
    const [billed, changed] = await Promise.all([
      post({ id: customerId }),
      t.request({ ...change, token: company.superuser.token }),
    ]);
    if (changed.status === 409) expect(billed).toMatchObject({ status: 200, body: { invoiceAmount: 10 } });
    else if (customerId % 2 === 0) expect(billed).toMatchObject({ status: 200, body: { invoiceAmount: 20 } });
    else expect([changed.status, billed.status]).toEqual([200, 409]);
  }
  expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
});

test('if an invoice is deleted while its customer is being billed, no item is billed twice or lost', async () => {
  const [id = 0] = await work(1, 4);
  for (let round = 0; round < 5; round += 1) {
    const made = await post({ id });
    const gone = requestOf(billingCalls.deleteInvoice, { params: { id: (made.body as { id: number }).id }, query: {} });
    const [removed, again] = await Promise.all([
      t.request({ ...gone, token: make.token }),
      post({ id }, { token: company.superuser.token }),
    ]);
    expect(removed.status).toBe(200);
    expect([200, 409]).toContain(again.status);
    const open = (await t.call(calls.listWorkItemInvoices, { token: make.token }))[0]?.workItemCount ?? 0;
    expect(open).toBe(again.status === 200 ? 0 : 4);
    if (again.status === 200) {
      const last = requestOf(billingCalls.deleteInvoice, {
        params: { id: (again.body as { id: number }).id },
        query: {},
      });
      expect((await t.request({ ...last, token: make.token })).status).toBe(200);
    }
  }
  expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
});

test('if a void invoice is reopened while its customer is being billed, each item is billed only once', async () => {
  const [id = 0] = await work(1, 3);
  for (let round = 0; round < 4; round += 1) {
    const { body: made } = await post({ id });
    const invoice = made as { id: number; rowVersion: number };
    const save = (change: object) => {
      const body = { ...(made as object), rowVersion: null, ...change } as never;
      return t.request({ ...requestOf(billingCalls.updateInvoice, { body }), token: make.token });
    };
    expect((await save({ arBillingStatus: 5 })).status).toBe(200);
    const both = await Promise.all([save({ arBillingStatus: 2 }), post({ id }, { token: company.superuser.token })]);
    expect([`200 409`, `422 200`]).toContain(both.map(({ status }) => status).join(' '));
    const billed = both[0].status === 200 ? invoice.id : (both[1].body as { id: number }).id;
    const gone = requestOf(billingCalls.deleteInvoice, { params: { id: billed }, query: {} });
    expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
    expect((await t.request({ ...gone, token: make.token })).status).toBe(200);
  }
});

test('a rejected customer affects no others, and each row has a key that prevents billing it twice', async () => {
  const [first = 0, second = 0, third = 0] = await work(3, 2);
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update work_item set item_price_cents = -1000, item_amount = -10, total_cents = -1000
      where company_id = ${COMPANY} and entity_id = ${second}`),
  );
  const rows = rowsOf([first, second, 987_654, third]);
  const { status, body } = await post(rows, { key: 'rows' });
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { id: first, ok: true, invoiceAmount: 20 },
    { id: second, ok: false, message: 'Invoice total cannot be negative' },
    { id: 987_654, ok: false, message: 'Customer not found' },
    { id: third, ok: true },
  ]);
  const other = await post([{ ...rows[0], invoiceDate: '2026-03-11' }, ...rows.slice(1)], { key: 'rows' });
  expect((other.body as Row[]).map(({ ok }) => ok)).toEqual([false, false, false, true]);
  expect(other.body).toMatchObject([
    { message: 'This Idempotency-Key was already used for a different request' },
    {},
    {},
    {},
  ]);
  expect(await countRows(t, company.companyId, 'document')).toBe(2);
});

test('if a customer in a list is rejected, the error names the invalid field and item', async () => {
  const [first = 0, second = 0] = await work(2, 2);
  await t.inCompany(company.companyId, async (tx) => {
    await tx.rows(sql`insert into profit_center (company_id, name) select company_id, 'North' from ledger_head
      where company_id = ${COMPANY} returning id`);
    await tx.rows(sql`update setting set setting_value = 'true'
      where company_id = ${COMPANY} and setting_name = 'useProfitCenters'`);
  });
  const { body } = await post(rowsOf([first, second]));
  const items = (await t.call(calls.listWorkItems, { token: make.token, query: { customerId: second } })) as {
    id: number;
  }[];
  expect((body as object[])[1]).toMatchObject({
    id: second,
    ok: false,
    workItemId: items[0]?.id,
    message: 'Hour 1: Please Select a Profit Center',
    fields: { 'lineItems.0.profitCenterId': 'Please Select a Profit Center' },
  });
});

test('a list is validated completely before any item is billed, and an invalid list returns 400', async () => {
  const ids = await work(2, 1);
  const wrong = await post([...rowsOf(ids), { id: 7, dueDate: 'soon' }, { id: 'one' }]);
  expect(wrong).toMatchObject({ status: 400, body: { fields: { '2.dueDate': expect.any(String) } } });
  expect(Object.keys((wrong.body as { fields: object }).fields)).toEqual(['2.dueDate', '3.id']);
  expect((await post(Array.from({ length: 501 }, () => ({ id: ids[0] })))).status).toBe(400);
  expect(await countRows(t, company.companyId, 'document')).toBe(0);
});

test("a read-only user sees the billable items but can't bill them", async () => {
  const ids = await work(2, 1);
  const { reader, stranger } = company;
  expect(await t.call(calls.listWorkItemInvoices, { token: reader.token })).toHaveLength(2);
  for (const { token } of [reader, stranger]) expect((await post(rowsOf(ids), { token })).status).toBe(403);
  expect(await countRows(t, company.companyId, 'document')).toBe(0);
});
