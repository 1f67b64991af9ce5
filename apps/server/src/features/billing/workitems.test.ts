import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { type WorkItem, workItemCalls as calls } from '@evenkeel/contract/workitems';
import { DRAFT, ON_HOLD, OPEN, VOID } from '@evenkeel/core/documents/invoice';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { countRows, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor, makeInactive } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  make = factoryFor(t, company);
  await make.tax();
});
afterAll(() => t.close());

const token = () => make.token;
type Given = Record<string, unknown>;

const itemOf = (id: number) => t.call(calls.getWorkItem, { token: token(), params: { id } });
const candidates = async () => t.call(calls.listWorkItemInvoices, { token: token() });
const candidateOf = async (id: number) => (await candidates()).find((each) => each.id === id);
const bill = async (id: number, given: Given = {}) => {
  const body = { id, invoiceDate: '2026-03-10', ...given };
  const made = await t.call(calls.billWorkItems, { token: token(), body });
  if (Array.isArray(made)) throw new Error('a request for one customer returned a list');
  return made;
};
const invoiceOf = (id: number) => t.call(billingCalls.getInvoice, { token: token(), params: { id } });
/** Returns an invoice in the format in which its form loads it. */
const edited = async (id: number, change: Given) => {
  const read = await t.request({ ...requestOf(billingCalls.getInvoice, { params: { id } }), token: token() });
  return t.request({
    ...requestOf(billingCalls.updateInvoice, { body: { ...(read.body as object), ...change } as never }),
    token: token(),
  });
};
const faults = async () => (await verifyCompany(t.pool, company.companyId)).faults.map(({ message }) => message);

describe('a work item', () => {
  test('a work item of 5.5 hours at 86.00 totals 473.00 and has its service date, customer, and account', async () => {
    const customerId = await make.customer('Blue Heron');
    const given = { description: 'Storm cleanup, crew hour', itemPrice: 86, quantity: 5.5, serviceDate: '2026-06-25' };
    const item = await make.workItem({ customerId, ...given });
    expect(item).toMatchObject({
      customerId,
      customerDisplayName: 'Blue Heron',
      displayName: given.description,
      description: given.description,
      workitemDate: '2026-06-25',
      serviceDate: '2026-06-25',
      dueDate: null,
      itemPrice: 8_600,
      totalAmount: 47_300,
      accountId: 140,
      isProduct: false,
      isProductLine: false,
      invoiceId: null,
      rowVersion: 1,
    });
    expect(await itemOf(item.id)).toEqual(item);
    const list = await t.call(calls.listWorkItems, { token: token(), query: { q: 'storm heron' } });
    expect(list).toMatchObject([{ id: item.id, totalAmount: 47_300 }]);
  });

  test('a work item without dates is dated today, and its product sets the account, tax, and name', async () => {
    const [customerId, productId] = [await make.customer(), await make.product({ name: 'Core aeration' })];
    const item = await make.workItem({ customerId, productId, accountId: null, serviceDate: null });
    expect(item).toMatchObject({ productName: 'Core aeration', accountId: 141, taxable: true, isProductLine: true });
    expect([item.serviceDate, item.workitemDate]).toEqual([item.entryDate, item.entryDate]);
  });

  test.each([
    [{ customerId: 987_654 }, { customerId: 'Please Select a Customer' }],
    [{ description: ' ' }, { description: 'A description entry is required' }],
    [{ accountId: 0 }, { accountId: 'Please Select an Account' }],
    [{ quantity: -1 }, { quantity: 'Quantity cannot be negative' }],
    [{ accountId: 138 }, { accountId: expect.any(String) as string }],
    [{ productId: 987_654 }, { productId: 'Please Select a Product' }],
  ])('a work item with %j is rejected with an error for its field', async (change, fields) => {
    const customerId = await make.customer();
    const before = await countRows(t, company.companyId, 'work_item');
    const body = { customerId, description: 'Mowing', itemPrice: 1, quantity: 1, accountId: 140, ...change };
    const refusal = await t.refused(calls.createWorkItem, { token: token(), body });
    expect([refusal.status, refusal.fields]).toEqual([422, fields]);
    expect(await countRows(t, company.companyId, 'work_item')).toBe(before);
  });

  test('a work item can be saved and deleted, and saving an outdated or deleted work item is rejected', async () => {
    const { id } = await make.workItem({ customerId: await make.customer(), dueDate: '2026-04-01' });
    const stored = await t.request({ ...requestOf(calls.getWorkItem, { params: { id } }), token: token() });
    const put = (change: Given) =>
      t.request({
        ...requestOf(calls.updateWorkItem, { body: { ...(stored.body as object), ...change } as never }),
        token: token(),
      });
    expect(await put({ quantity: 2 })).toMatchObject({ status: 200, body: { totalAmount: 200, rowVersion: 2 } });
    expect(await put({ quantity: 3 })).toMatchObject({
      status: 409,
      body: { code: 'stale', current: { quantity: 2 } },
    });
    expect(await itemOf(id)).toMatchObject({ totalAmount: 20_000, dueDate: '2026-04-01' });
    await t.call(calls.deleteWorkItem, { token: token(), params: { id } });
    expect(await t.refused(calls.deleteWorkItem, { token: token(), params: { id } })).toMatchObject({ status: 404 });
    expect(await put({ rowVersion: undefined })).toMatchObject({ status: 404 });
  });

  test('a discount is saved as a work item: a flat 3.00 as -3.00, and 10% as 0.00 until it is billed', async () => {
    const customerId = await make.customer();
    const discount = async (given: Given) => {
      const body = {
        name: 'Problem found',
        description: 'Problem found',
        GLAccountID: 143,
        discountTypeTarget: 1,
        ...given,
      };
      return (await t.call(catalogueCalls.createDiscount, { token: token(), body })).discountID;
    };
    const flat = await discount({ discountType: 0, discountFlatValue: 3, name: 'Three' });
    const tenth = await discount({ discountType: 1, discountPercentage: 10, name: 'Tenth' });
    const off = { customerId, accountId: null };
    expect(await make.workItem({ ...off, discountId: flat })).toMatchObject({ totalAmount: -300, accountId: 143 });
    expect(await make.workItem({ ...off, discountId: tenth })).toMatchObject({ totalAmount: 0 });
    const alone = await t.refused(calls.billWorkItems, { token: token(), body: { id: customerId } });
    expect([alone.status, alone.message]).toEqual([422, 'Invoice total cannot be negative']);
    const product = await make.product({ taxable: false });
    await make.workItem({ customerId, productId: product, accountId: null, itemPrice: 50, quantity: 2 });
    expect(await candidateOf(customerId)).toMatchObject({ workItemCount: 3, invoiceAmount: 8_700 });
    const { lineItems, invoiceAmount } = await bill(customerId);
    expect([lineItems.map(({ lineItemAmount }) => lineItemAmount), invoiceAmount]).toEqual([
      [-300, -1_000, 10_000],
      8_700,
    ]);
    expect(await faults()).toEqual([]);
  });
});

describe('billing work items', () => {
  test('billing creates one invoice with a line per item, and its total equals the preview to the cent', async () => {
    const customerId = await make.customer('Fairlawn');
    const productId = await make.product({ taxable: true });
    const own = { customerId, productId, accountId: null };
    const second = await make.workItem({ ...own, itemPrice: 9.99, quantity: 1.333, serviceDate: '2026-03-07' });
    const first = await make.workItem({ ...own, itemPrice: 15.89, serviceDate: '2026-03-05' });
    const third = await make.workItem({ customerId, itemPrice: 40, serviceDate: '2026-03-07' });
    const shown = await candidateOf(customerId);
    const today = first.entryDate;
    expect(shown).toMatchObject({
      included: true,
      onHold: false,
      customerDisplayName: 'Fairlawn',
      customerEmail: 'billing@fairlawn.example',
      workItemCount: 3,
      // The total is 15.89 + 13.32 + 40.00, plus taxes of 5.75% (1.68) and 1% (0.29) on 29.21.
      invoiceAmount: 7_118,
      arBillingStatus: OPEN,
      invoiceDate: today,
      workItemIds: [first.id, second.id, third.id],
    });
    const invoice = await bill(customerId);
    expect(invoice).toMatchObject({
      customerId,
      arBillingStatus: OPEN,
      invoiceDate: '2026-03-10',
      dueDate: '2026-04-09',
      invoiceAmount: 7_118,
      salesTaxAmount: 197,
      openAmount: 7_118,
    });
    expect(
      invoice.lineItems.map(({ workItemId, lineItemAmount, serviceDate }) => [workItemId, lineItemAmount, serviceDate]),
    ).toEqual([
      [first.id, 1_589, '2026-03-05'],
      [second.id, 1_332, '2026-03-07'],
      [third.id, 4_000, '2026-03-07'],
    ]);
    expect(await invoiceOf(invoice.id)).toEqual(invoice);
    expect(await itemOf(second.id)).toMatchObject({ invoiceId: invoice.id, invoiceNumber: invoice.invoiceNumber });
    expect(await candidateOf(customerId)).toBeUndefined();
    const query = { customerId, status: 'billed' as const };
    expect(await t.call(calls.listWorkItems, { token: token(), query })).toHaveLength(3);
    expect(await t.call(calls.listWorkItems, { token: token(), query: { customerId } })).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test("a billed work item can't be saved, deleted, or billed again", async () => {
    const customerId = await make.customer('Dvorak');
    const { id } = await make.workItem({ customerId });
    const invoice = await bill(customerId);
    const message = `This work item is already billed on invoice ${invoice.invoiceNumber}`;
    const { status, body } = await t.request({ ...requestOf(calls.getWorkItem, { params: { id } }), token: token() });
    expect(status).toBe(200);
    for (const call of [calls.updateWorkItem, calls.createWorkItem]) {
      const refusal = await t.refused(call, { token: token(), body: { ...(body as WorkItem), quantity: 2 } as never });
      expect([refusal.status, refusal.message]).toEqual([409, message]);
    }
    const gone = await t.refused(calls.deleteWorkItem, { token: token(), params: { id } });
    expect([gone.status, gone.message]).toEqual([409, message]);
    const again = await t.refused(calls.billWorkItems, { token: token(), body: { id: customerId } });
    expect(again).toMatchObject({
      status: 409,
      message: `Already billed on invoice ${invoice.invoiceNumber} by Bob Person`,
      billed: { invoiceId: invoice.id, invoiceNumber: invoice.invoiceNumber, billedBy: 'Bob Person' },
    });
  });

  test('billing returns 404 for an unknown customer, and 409 for a customer without work items', async () => {
    const theirs = await factoryFor(t, t.world.other).customer();
    const status = async (id: number) =>
      (await t.refused(calls.billWorkItems, { token: token(), body: { id } })).status;
    expect([await status(987_654), await status(theirs), await status(await make.customer())]).toEqual([404, 404, 409]);
  });

  test('billing includes the items that the user saw and leaves a newer item unbilled', async () => {
    const customerId = await make.customer();
    const { id } = await make.workItem({ customerId });
    const later = await make.workItem({ customerId, itemPrice: 7 });
    expect(await bill(customerId, { workItemIds: [id] })).toMatchObject({ invoiceAmount: 10_000 });
    expect(await candidateOf(customerId)).toMatchObject({ workItemCount: 1, workItemIds: [later.id] });
    const again = await t.refused(calls.billWorkItems, { token: token(), body: { id: customerId, workItemIds: [id] } });
    expect(again).toMatchObject({ status: 409, billed: { billedBy: 'Bob Person' } });
  });

  test('billing uses packages and products as they were when the work item was saved', async () => {
    const [customerId, productID] = [await make.customer(), await make.product({ salesPrice: 50, taxable: false })];
    const deal = { name: 'Spring', description: 'Spring', packageDealDiscountType: 2, goalPrice: 100 };
    const body = { ...deal, packageLineItems: [{ productID, quantity: 3 }] };
    const { packageID } = await t.call(catalogueCalls.createPackage, { token: token(), body });
    const item = await make.workItem({ customerId, packageId: packageID, accountId: null, quantity: 2 });
    await make.workItem({ customerId, productId: productID, accountId: null, itemPrice: 50 });
    expect([item.totalAmount, item.packageParts?.map(({ amount }) => amount)]).toEqual([20_000, [20_000]]);
    await t.call(catalogueCalls.deletePackage, { token: token(), query: { PackageID: packageID } });
    await t.call(catalogueCalls.deleteProduct, { token: token(), query: { ProductID: productID } });
    expect(await candidateOf(customerId)).toMatchObject({ invoiceAmount: 25_000 });
    expect(await bill(customerId)).toMatchObject({ invoiceAmount: 25_000 });
    expect(await faults()).toEqual([]);
  });

  test('billing skips a customer with an invoice on hold unless the user includes that customer', async () => {
    const customerId = await make.customer('Whitaker');
    await make.invoice({ customerId, arBillingStatus: ON_HOLD });
    await make.workItem({ customerId });
    expect(await candidateOf(customerId)).toMatchObject({ included: false, onHold: true });
    const left = await t.refused(calls.billWorkItems, { token: token(), body: { id: customerId, included: false } });
    expect([left.status, left.message]).toEqual([422, 'This customer is excluded from billing']);
    expect(await bill(customerId, { included: true, arBillingStatus: ON_HOLD })).toMatchObject({ badge: 'On Hold' });
  });

  test('billing rejects an inactive customer, and an item that lacks a field that is now required', async () => {
    const customerId = await make.customer('Gone Garden');
    const { id } = await make.workItem({ customerId, description: 'Mulch' });
    await makeInactive(t, company.companyId, customerId);
    const gone = await t.refused(calls.billWorkItems, { token: token(), body: { id: customerId } });
    expect([gone.status, gone.message]).toEqual([409, 'Gone Garden is inactive. Make the customer active first.']);
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update entity set deleted = false where company_id = ${company.companyId} and id = ${customerId}`),
    );
    await withSetting('useProfitCenters', async () => {
      const refusal = await t.refused(calls.billWorkItems, { token: token(), body: { id: customerId } });
      expect(refusal).toMatchObject({ status: 422, message: 'Mulch: Please Select a Profit Center', workItemId: id });
    });
    expect(await bill(customerId)).toMatchObject({ invoiceAmount: 10_000 });
  });

  test('billing in closed books returns 422 and leaves the item unbilled', async () => {
    const customerId = await make.customer();
    await make.workItem({ customerId });
    const close = (date: string | null) =>
      t.inCompany(company.companyId, (tx) =>
        tx.rows(sql`update ledger_head set closing_date = ${date} where company_id = ${company.companyId}`),
      );
    await close('2026-03-31');
    const body = { id: customerId, invoiceDate: '2026-03-10' };
    expect(await t.refused(calls.billWorkItems, { token: token(), body })).toMatchObject({
      status: 422,
      code: 'closed',
    });
    expect(await candidateOf(customerId)).toMatchObject({ workItemCount: 1 });
    const { administrator } = company;
    const reason = { ...body, closingOverrideReason: 'Late timesheet' };
    await t.call(calls.billWorkItems, { token: administrator.token, body: reason });
    await close(null);
  });

  /** Turns a setting on while a function runs. */
  async function withSetting(settingName: string, work: () => Promise<void>): Promise<void> {
    const { companyId } = company;
    await t.inCompany(companyId, async (tx) => {
      await tx.rows(sql`insert into profit_center (company_id, name) values (${companyId}, 'North')`);
      await tx.rows(sql`update setting set setting_value = 'true'
        where company_id = ${companyId} and setting_name = ${settingName}`);
    });
    await work();
    await t.inCompany(companyId, (tx) =>
      tx.rows(sql`update setting set setting_value = 'false'
        where company_id = ${companyId} and setting_name = ${settingName}`),
    );
  }
});

describe('pasted work items', () => {
  const row = (customerId: number, change: Given = {}) => ({
    customerId,
    description: 'Mowing',
    itemPrice: 45,
    quantity: 2,
    accountId: 140,
    serviceDate: '2026-03-01',
    ...change,
  });
  const paste = async (body: unknown, key?: string, as = token()) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    return t.request({ ...requestOf(calls.createWorkItems, { body: body as never, headers }), token: as });
  };

  test('pasted rows are saved separately, and a rejected row does not affect the others', async () => {
    const customerId = await make.customer();
    const { status, body } = await paste([
      row(customerId),
      row(customerId, { description: '' }),
      row(987_654),
      row(customerId, { quantity: 'two' }),
      row(customerId, { itemPrice: 7, quantity: 1 }),
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { record: { customerId, totalAmount: 90, serviceDate: '2026-03-01' } },
      { error: { code: 'rule', fields: { description: 'A description entry is required' } } },
      { error: { code: 'rule', fields: { customerId: 'Please Select a Customer' } } },
      { error: { code: 'malformed', fields: { quantity: expect.any(String) } } },
      { record: { totalAmount: 7 } },
    ]);
    expect(await candidateOf(customerId)).toMatchObject({ workItemCount: 2, invoiceAmount: 9_700 });
    expect(await faults()).toEqual([]);
  });

  test('pasted rows are saved once if the request is repeated, and a corrected row becomes a new item', async () => {
    const customerId = await make.customer();
    const rows = [row(customerId), row(customerId, { description: '' })];
    const answers = await Promise.all([paste(rows, 'pasted'), paste(rows, 'pasted')]);
    const [first, second] = answers.map(({ body }) => (body as { record?: Given }[])[0]?.record);
    expect(first).toMatchObject({ customerId });
    expect(second).toEqual(first);
    await paste([rows[0], row(customerId, { description: 'Edging' })], 'pasted');
    const saved = await t.call(calls.listWorkItems, { token: token(), query: { customerId } });
    expect((saved as WorkItem[]).map(({ displayName }) => displayName).toSorted()).toEqual(['Edging', 'Mowing']);
  });

  test("pasted rows can't be saved without permission or for another company's customers", async () => {
    const theirs = await factoryFor(t, t.world.other).customer();
    expect((await paste([row(theirs)])).body).toMatchObject([{ error: { code: 'rule' } }]);
    expect((await paste([row(theirs)], undefined, company.reader.token)).status).toBe(403);
  });
});

describe('work items become unbilled in the same transaction', () => {
  /** Creates an invoice from two items of 100.00 and 7.00. */
  async function billed(given: Given = {}) {
    const customerId = await make.customer();
    const one = await make.workItem({ customerId });
    const other = await make.workItem({ customerId, itemPrice: 7 });
    return { customerId, one, other, invoice: await bill(customerId, given) };
  }
  const open = async (customerId: number) => (await candidateOf(customerId))?.workItemIds ?? [];

  test.each([OPEN, DRAFT])(
    'work items become unbilled when their invoice with status %i is deleted',
    async (arBillingStatus) => {
      const { customerId, one, other, invoice } = await billed({ arBillingStatus });
      expect(await open(customerId)).toEqual([]);
      await t.call(billingCalls.deleteInvoice, { token: token(), params: { id: invoice.id }, query: {} });
      expect(await open(customerId)).toEqual([one.id, other.id]);
      expect((await bill(customerId)).invoiceNumber).not.toBe(invoice.invoiceNumber);
      expect(await faults()).toEqual([]);
    },
  );

  test('work items become unbilled when their invoice is voided, and reopening it bills them again', async () => {
    const { customerId, one, other, invoice } = await billed();
    expect(await edited(invoice.id, { arBillingStatus: VOID })).toMatchObject({
      status: 200,
      body: { lineItems: [{ workItemId: null }, { workItemId: null }] },
    });
    expect(await open(customerId)).toEqual([one.id, other.id]);
    await t.call(calls.deleteWorkItem, { token: token(), params: { id: other.id } });
    expect(await edited(invoice.id, { arBillingStatus: OPEN })).toMatchObject({
      status: 200,
      body: { lineItems: [{ workItemId: one.id }, { workItemId: null }] },
    });
    expect(await open(customerId)).toEqual([]);
    expect(await itemOf(one.id)).toMatchObject({ invoiceId: invoice.id });
    expect(await faults()).toEqual([]);
  });

  test('a reopened invoice does not bill items that another invoice has billed in the meantime', async () => {
    const { customerId, one, other, invoice } = await billed();
    await edited(invoice.id, { arBillingStatus: VOID });
    const again = await bill(customerId, { workItemIds: [other.id] });
    const billedOn = `invoice ${again.invoiceNumber}`;
    const message = `This work item has since been billed on ${billedOn}. Remove the line first.`;
    expect(await edited(invoice.id, { arBillingStatus: DRAFT })).toMatchObject({
      status: 422,
      body: { message, fields: { 'lineItems.1.description': message } },
    });
    expect((await edited(invoice.id, { dueDate: '2026-05-01' })).status).toBe(200);
    const { lineItems } = (await edited(invoice.id, {})).body as { lineItems: object[] };
    const kept = [lineItems[0], { ...lineItems[1], deleted: true }];
    expect(await edited(invoice.id, { arBillingStatus: OPEN, lineItems: kept })).toMatchObject({
      status: 200,
      body: { invoiceAmount: 100, lineItems: [{ workItemId: one.id }] },
    });
    expect(await open(customerId)).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test('a work item becomes unbilled when its line is removed, while the other items stay billed', async () => {
    const { customerId, one, other, invoice } = await billed();
    const lines = invoice.lineItems.map(({ id, workItemId }) => ({ id, workItemId }));
    const read = await t.request({
      ...requestOf(billingCalls.getInvoice, { params: { id: invoice.id } }),
      token: token(),
    });
    const { lineItems } = read.body as { lineItems: object[] };
    expect((await edited(invoice.id, { dueDate: '2026-05-01' })).status).toBe(200);
    expect(await open(customerId)).toEqual([]);
    const saved = await edited(invoice.id, { lineItems: [lineItems[0], { ...lineItems[1], deleted: true }] });
    expect(saved).toMatchObject({ status: 200, body: { lineItems: [lines[0]] } });
    expect(await open(customerId)).toEqual([other.id]);
    expect(await itemOf(one.id)).toMatchObject({ invoiceId: invoice.id });
    expect(await faults()).toEqual([]);
  });

  test("an invoice with work items can't be moved to another customer", async () => {
    const { invoice } = await billed();
    const refused = await edited(invoice.id, { customerId: await make.customer('Another') });
    const message = "This invoice contains work items, so you can't change its customer";
    expect(refused).toMatchObject({ status: 422, body: { message, fields: { customerId: message } } });
  });

  test("work items stay billed if their invoice can't be deleted because of payments", async () => {
    const { customerId, invoice } = await billed();
    await make.payment({ customerId, paymentAmount: 5, paymentApplications: [{ invoiceId: invoice.id, amount: 5 }] });
    const query = { token: token(), params: { id: invoice.id }, query: {} };
    expect(await t.refused(billingCalls.deleteInvoice, query)).toMatchObject({ status: 409 });
    expect(await open(customerId)).toEqual([]);
  });
});

test('verify reports a work item whose amount or line was changed directly in the database', async () => {
  const other = await t.createCompany();
  const own = factoryFor(t, other);
  const customerId = await own.customer();
  const { id } = await own.workItem({ customerId });
  await own.workItem({ customerId, itemPrice: 7 });
  await t.call(calls.billWorkItems, { token: own.token, body: { id: customerId, workItemIds: [id] } });
  const { companyId } = other;
  const change = (text: ReturnType<typeof sql>) => t.inCompany(companyId, (tx) => tx.rows(text));
  const found = async () =>
    (await verifyCompany(t.pool, companyId)).faults
      .filter(({ check }) => check === 'work items')
      .map(({ message }) => message);
  await change(sql`update work_item set total_cents = 1 where company_id = ${companyId} and invoice_line_id is null`);
  expect(await found()).toEqual([expect.stringContaining('is 1 cents, not 700 × 1.000000')]);
  await change(sql`update work_item set total_cents = 700 where company_id = ${companyId} and total_cents = 1`);
  await change(sql`update invoice_line set deleted = true where company_id = ${companyId}`);
  expect(await found()).toEqual([`work item ${id} is billed on invoice 10001, whose line is deleted`]);
  await change(sql`update document set deleted = true, open_cents = 0 where company_id = ${companyId}`);
  expect(await found()).toEqual([`work item ${id} is billed on invoice 10001, which is void or deleted`]);
});
