import { readFile } from 'node:fs/promises';
import { billingCalls } from '@evenkeel/contract/billing';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { searchCalls } from '@evenkeel/contract/search';
import {
  ACCEPTED,
  DECLINED,
  ESTIMATE_DRAFT,
  ESTIMATE_SENT,
  ESTIMATE_VOID,
  INVOICED,
} from '@evenkeel/core/documents/estimate';
import { DRAFT, OPEN, VOID } from '@evenkeel/core/documents/invoice';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let customerId: number;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  customerId = await make.customer();
});

const auth = () => ({ token: make.token });
const read = (id: number) => t.call(estimateCalls.getEstimate, { ...auth(), params: { id } });
const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  t.request({ method, url: `/api${url}`, ...(body && { body }), token: make.token }).then(({ status, body: reply }) => {
    return { status, ...(reply as { id: number; message?: string; fields?: object }) };
  });
const isSound = async () => expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);

/** Ten mowings at 40.00 each and a rake at 25.00, taxed at 8%. */
async function garden(given: object = {}) {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '8' }]);
  const lineItems = [
    { description: 'Mowing', itemPrice: 40, quantity: 10, accountId: 140, taxable: true },
    { description: 'Rake', itemPrice: 25, quantity: 1, accountId: 140, taxable: true },
  ];
  const estimate = await make.estimate({ customerId, lineItems, dueDate: '2026-04-09', ...given });
  const [mowing = 0, rake = 0] = estimate.lineItems.map(({ id }) => id);
  return { estimate, mowing, rake };
}

type Estimate = Awaited<ReturnType<typeof read>>;

/** Returns the request that saves an estimate with the given changes. */
function asRequest({ id, invoiceDate, dueDate, arBillingStatus, note, lineItems, rowVersion }: Estimate, given = {}) {
  const lines = lineItems.map(({ quantity, itemPrice, ...line }) => {
    return { ...line, quantity: Number(quantity), itemPrice: itemPrice / 100 };
  });
  const head = { id, customerId, invoiceDate, dueDate, arBillingStatus, note, rowVersion };
  return { ...head, lineItems: lines, ...given };
}

const invoice = (id: number, quantities: [line: number, quantity: number][], given: object = {}) =>
  send('POST', `/billingestimate/${id}/invoices`, {
    invoiceDate: '2026-03-20',
    lines: quantities.map(([estimateLineId, quantity]) => ({ estimateLineId, quantity })),
    ...given,
  });
const stateOf = async (id: number): Promise<number> => (await read(id)).arBillingStatus;

test("an estimate has its own number, posts nothing, and adds nothing to the customer's balance", async () => {
  const { estimate } = await garden({ note: 'Valid with good weather' });
  expect(estimate).toMatchObject({
    invoiceNumber: 'E-101',
    invoiceAmount: 45900,
    salesTaxAmount: 3400,
    openAmount: 0,
    arBillingStatus: ESTIMATE_DRAFT,
    badge: 'Draft',
    dueDate: '2026-04-09',
    note: 'Valid with good weather',
  });
  await make.invoice({ customerId, amount: 100 });
  const standing = await t.call(billingCalls.customerStanding, { ...auth(), params: { customerId } });
  expect(standing).toMatchObject({ balance: 10000, openCount: 1, billedThisYear: 10000 });
  const open = await t.call(billingCalls.listInvoices, { ...auth(), query: { limit: 10 } });
  expect(open).toMatchObject({ total: 1, sums: { openAmount: 10000, journalAmount: 0, owedAmount: 10000 } });
  const sold = { side: 'receivable' as const, documentsOnly: true, drafts: true };
  expect(await t.call(ledgerCalls.openItems, { ...auth(), body: sold })).toMatchObject({ count: 1 });
  const paid = { customerId, paymentAmount: 1, paymentApplications: [{ invoiceId: estimate.id, amount: 1 }] };
  await expect(make.payment(paid)).rejects.toThrow('answered 422');
  const activity = await t.call(billingCalls.customerActivity, { ...auth(), params: { customerId }, query: {} });
  expect(activity).toMatchObject([
    { kind: 'invoice', balance: 10000 },
    { kind: 'estimate', number: 'E-101', amount: 45900, balance: null, badge: 'Draft' },
  ]);
  const history = await t.call(billingCalls.customerHistory, { ...auth(), params: { customerId } });
  expect(history.map(({ kind }) => kind)).toEqual(['invoice']);
  await isSound();
});

test('lists and search include estimates', async () => {
  const { estimate } = await garden();
  const declined = await make.estimate({ customerId, amount: 5, arBillingStatus: DECLINED });
  expect(declined.invoiceNumber).toBe('E-102');
  const listed = async (query: object) => {
    const list = await t.call(estimateCalls.listEstimates, { ...auth(), query: { limit: 10, ...query } });
    return 'items' in list ? { ...list, items: list.items.map(({ invoiceNumber }) => invoiceNumber) } : undefined;
  };
  expect(await listed({})).toMatchObject({ total: 1, items: ['E-101'], sums: { invoiceAmount: 45900 } });
  expect(await listed({ status: 'all', sort: 'invoiceNumber' })).toMatchObject({ items: ['E-101', 'E-102'] });
  expect(await listed({ status: 'all', q: 'e-102' })).toMatchObject({ total: 1, items: ['E-102'] });
  const found = await t.call(searchCalls.search, { ...auth(), body: 'E-101' });
  expect(found).toMatchObject([{ itemType: 11, itemId: estimate.id, itemText: 'Estimate E-101' }]);
  expect(await send('DELETE', `/billingestimate/${declined.id}`)).toMatchObject({ status: 200 });
  await isSound();
});

describe('invoices from an estimate', () => {
  it('an invoice for part of an estimate leaves the rest to be invoiced and refers to the estimate', async () => {
    const { estimate, mowing, rake } = await garden();
    const first = await invoice(estimate.id, [[mowing, 4]]);
    expect(first).toMatchObject({
      status: 200,
      invoiceAmount: 172.8,
      openAmount: 172.8,
      estimateId: estimate.id,
      lineItems: [{ description: 'Mowing', quantity: 4, itemPrice: 40 }],
    });
    const begun = await read(estimate.id);
    expect(begun).toMatchObject({ arBillingStatus: ACCEPTED, badge: 'Accepted' });
    expect(begun.lineItems.map(({ invoicedQuantity }) => Number(invoicedQuantity))).toEqual([4, 0]);
    expect(await invoice(estimate.id, [[mowing, 7]])).toMatchObject({
      status: 422,
      fields: { 'lines.0.quantity': 'Only 6 of 10 are available to invoice' },
    });
    const second = await invoice(
      estimate.id,
      [
        [mowing, 6],
        [rake, 1],
      ],
      { isDraft: true },
    );
    expect(second).toMatchObject({ status: 200, arBillingStatus: DRAFT });
    expect(await read(estimate.id)).toMatchObject({ badge: 'Invoiced' });
    expect(await invoice(estimate.id, [[rake, 1]])).toMatchObject({
      status: 422,
      message: 'This estimate is already fully invoiced',
    });
    const params = { id: estimate.id };
    expect(await t.call(estimateCalls.estimateInvoices, { ...auth(), params })).toMatchObject([
      { id: first.id, invoiceAmount: 17280, badge: '' },
      { id: second.id, badge: 'Draft' },
    ]);
    await isSound();
  });

  it('invoices never exceed the estimate, even if several are created at the same time', async () => {
    const { estimate, mowing } = await garden();
    const made = await Promise.all([1, 2, 3, 4].map(() => invoice(estimate.id, [[mowing, 5]])));
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 422, 422]);
    expect((await read(estimate.id)).lineItems.map(({ invoicedQuantity }) => Number(invoicedQuantity))).toEqual([
      10, 0,
    ]);
    await isSound();
  });

  it('invoices release their quantities when they are voided, deleted, or reduced', async () => {
    const { estimate, mowing, rake } = await garden();
    const made = await invoice(estimate.id, [
      [mowing, 10],
      [rake, 1],
    ]);
    expect(await stateOf(estimate.id)).toBe(INVOICED);
    const change = async (given: object, lines: object = {}) => {
      const one = await t.call(billingCalls.getInvoice, { ...auth(), params: { id: made.id } });
      const { id, invoiceDate, dueDate, lineItems, rowVersion } = one;
      const asked = lineItems.map((line, at) => {
        const quantity = Number(line.quantity);
        return { ...line, quantity, itemPrice: line.itemPrice / 100, ...(at === 0 ? lines : {}) };
      });
      const head = { id, customerId, invoiceDate, dueDate, rowVersion };
      return send('PUT', '/billinginvoice', { ...head, lineItems: asked, ...given });
    };
    expect(await change({}, { quantity: 8 })).toMatchObject({ status: 200, estimateId: estimate.id });
    expect(await stateOf(estimate.id)).toBe(ACCEPTED);
    expect(await change({}, { quantity: 11 })).toMatchObject({
      status: 422,
      fields: { 'lineItems.0.quantity': 'Only 10 were estimated' },
    });
    expect(await change({ customerId: await make.customer() })).toMatchObject({ status: 422 });
    expect(await change({ arBillingStatus: VOID })).toMatchObject({ status: 200 });
    expect((await read(estimate.id)).lineItems.every(({ invoicedQuantity }) => Number(invoicedQuantity) === 0)).toBe(
      true,
    );
    // Another invoice takes the released quantity. The void invoice can then be reopened with no more than the
    // remaining quantity.
    const other = await invoice(estimate.id, [[mowing, 3]]);
    expect(await change({ arBillingStatus: OPEN })).toMatchObject({ status: 422 });
    expect(await change({ arBillingStatus: OPEN }, { quantity: 7 })).toMatchObject({ status: 200 });
    expect(await stateOf(estimate.id)).toBe(INVOICED);
    expect(await send('DELETE', `/billinginvoice/${other.id}`)).toMatchObject({ status: 200 });
    expect(await stateOf(estimate.id)).toBe(ACCEPTED);
    await isSound();
  });

  it("a declined or void estimate can't be invoiced, and an invoiced estimate can't be voided or deleted", async () => {
    const { estimate, mowing } = await garden();
    for (const arBillingStatus of [DECLINED, ESTIMATE_VOID]) {
      const saved = asRequest(await read(estimate.id), { arBillingStatus });
      expect(await send('PUT', '/billingestimate', saved)).toMatchObject({ status: 200 });
      expect(await invoice(estimate.id, [[mowing, 1]])).toMatchObject({ status: 422 });
    }
    const back = asRequest(await read(estimate.id), { arBillingStatus: ESTIMATE_SENT });
    expect(await send('PUT', '/billingestimate', back)).toMatchObject({ status: 200 });
    const made = await invoice(estimate.id, [[mowing, 1]]);
    const gone = asRequest(await read(estimate.id), { arBillingStatus: ESTIMATE_VOID });
    expect(await send('PUT', '/billingestimate', gone)).toMatchObject({
      status: 422,
      message: 'An estimate with invoices must stay accepted. Delete or void its invoices first.',
    });
    expect(await send('DELETE', `/billingestimate/${estimate.id}`)).toMatchObject({
      status: 409,
      message: expect.stringMatching(/^Delete these invoices first: 10001/) as unknown,
    });
    expect(await send('DELETE', `/billinginvoice/${made.id}`)).toMatchObject({ status: 200 });
    expect(await send('DELETE', `/billingestimate/${estimate.id}`)).toMatchObject({ status: 200 });
    await isSound();
  });

  it('two tabs with the same version create one invoice, and the second tab shows who created it', async () => {
    const { estimate, mowing } = await garden();
    const { rowVersion, invoiceNumber } = estimate;
    const answers = await Promise.all([1, 2].map(() => invoice(estimate.id, [[mowing, 1]], { rowVersion })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      message: `Bob Person changed estimate ${invoiceNumber} or invoiced it. Review the lines again.`,
    });
    const now = await read(estimate.id);
    expect(await invoice(estimate.id, [[mowing, 1]], { rowVersion: now.rowVersion })).toMatchObject({ status: 200 });
  });

  it('invoices use the tax rates of their own date and are created once per idempotency key', async () => {
    const { estimate, rake } = await garden();
    await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '10' }]);
    const asked = {
      method: 'POST' as const,
      url: `/api/billingestimate/${estimate.id}/invoices`,
      body: { invoiceDate: '2026-03-20', lines: [{ estimateLineId: rake, quantity: 1 }] },
      token: make.token,
      headers: { 'idempotency-key': 'once' },
    };
    const answers = await Promise.all([t.request(asked), t.request(asked)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0].body).toEqual(answers[1].body);
    expect(answers[0].body).toMatchObject({ invoiceAmount: 27.5, salesTaxAmount: 2.5 });
    expect((await read(estimate.id)).lineItems.map(({ invoicedQuantity }) => Number(invoicedQuantity))).toEqual([0, 1]);
  });
});

describe('editing an estimate', () => {
  it('an accepted estimate can be edited only after its status is reset', async () => {
    const { estimate } = await garden({ arBillingStatus: ACCEPTED });
    const dearer = { lineItems: asRequest(estimate).lineItems.map((line) => ({ ...line, itemPrice: 50 })) };
    expect(await send('PUT', '/billingestimate', asRequest(estimate, dearer))).toMatchObject({
      status: 422,
      message: 'This estimate has been accepted. To change it, set its status to Draft or Sent first.',
    });
    const later = asRequest(estimate, { dueDate: '2026-05-01' });
    expect(await send('PUT', '/billingestimate', later)).toMatchObject({ status: 200, badge: 'Accepted' });
    const now = await read(estimate.id);
    const back = asRequest(now, { ...dearer, arBillingStatus: ESTIMATE_SENT });
    expect(await send('PUT', '/billingestimate', back)).toMatchObject({ status: 200, invoiceAmount: 594 });
  });

  it('an estimate edit can remove only lines and quantities that are not invoiced yet', async () => {
    const { estimate, mowing } = await garden();
    await invoice(estimate.id, [[mowing, 4]]);
    const now = await read(estimate.id);
    const { lineItems } = asRequest(now);
    const [first, second] = lineItems;
    const kept = (quantity: number) => [
      { ...first, quantity },
      { ...second, deleted: true },
    ];
    expect(await send('PUT', '/billingestimate', asRequest(now, { lineItems: kept(3) }))).toMatchObject({
      status: 422,
      fields: { 'lineItems.0.quantity': 'A quantity of 4 on this line has already been invoiced' },
    });
    expect(await send('PUT', '/billingestimate', asRequest(now, { lineItems: kept(4) }))).toMatchObject({
      status: 200,
      badge: 'Invoiced',
    });
    await isSound();
  });

  it('an estimate edit is rejected if a change or invoice was saved since the tab loaded the estimate', async () => {
    const { estimate, mowing } = await garden();
    const [mine, theirs] = [asRequest(estimate, { note: 'Mine' }), asRequest(estimate, { note: 'Theirs' })];
    expect(await send('PUT', '/billingestimate', theirs)).toMatchObject({ status: 200 });
    expect(await send('PUT', '/billingestimate', mine)).toMatchObject({ status: 409 });
    const seen = await read(estimate.id);
    await invoice(estimate.id, [[mowing, 1]]);
    expect(await send('PUT', '/billingestimate', asRequest(seen, { note: 'Late' }))).toMatchObject({ status: 409 });
  });

  it('an estimate edit with invalid values is rejected', async () => {
    const { estimate } = await garden();
    expect(await send('PUT', '/billingestimate', asRequest(estimate, { dueDate: '2026-03-01' }))).toMatchObject({
      fields: { dueDate: "The expiration date can't be before the estimate date" },
    });
    const empty = { customerId, invoiceDate: '2026-03-10', lineItems: [] };
    expect(await send('POST', '/billingestimate', { ...empty, arBillingStatus: ESTIMATE_SENT })).toMatchObject({
      status: 422,
    });
    expect(await send('POST', '/billingestimate', empty)).toMatchObject({ status: 200 });
  });
});

test("a credit memo for an estimate's invoice does not release quantities on the estimate", async () => {
  const { estimate, rake } = await garden();
  const made = await invoice(estimate.id, [[rake, 1]]);
  const { lineItems } = await t.call(billingCalls.getInvoice, { ...auth(), params: { id: made.id } });
  const line = { creditedLineId: lineItems[0]?.id ?? 0, quantity: 0.5, description: '', itemPrice: 0 };
  const memo = { customerId, invoiceDate: '2026-03-21', creditedInvoiceId: made.id, lineItems: [line] };
  expect(await send('POST', '/billingcredit', memo)).toMatchObject({ status: 200, invoiceAmount: -13.5 });
  expect((await read(estimate.id)).lineItems.map(({ invoicedQuantity }) => Number(invoicedQuantity))).toEqual([0, 1]);
  expect(await invoice(estimate.id, [[rake, 0.5]])).toMatchObject({ status: 422 });
  await isSound();
});

test('an estimate that an earlier version reduced by a credit memo passes verify and is repaired', async () => {
  const { estimate, mowing, rake } = await garden();
  const made = await invoice(estimate.id, [[rake, 1]]);
  const { lineItems } = await t.call(billingCalls.getInvoice, { ...auth(), params: { id: made.id } });
  const line = { creditedLineId: lineItems[0]?.id ?? 0, quantity: 0.5, description: '', itemPrice: 0 };
  const memo = { customerId, invoiceDate: '2026-03-21', creditedInvoiceId: made.id, lineItems: [line] };
  const { id } = await send('POST', '/billingcredit', memo);
  const again = await invoice(estimate.id, [[mowing, 0.5]]);
  const { companyId } = company;
  const change = (query: RawBuilder<unknown>) => t.inCompany(companyId, (tx) => tx.rows(query));
  const ofLine = (documentId: number, lineId: number) =>
    change(sql`update invoice_line set estimate_line_id = ${lineId}
      where company_id = ${companyId} and invoice_id = ${documentId}`);
  // Earlier versions let users invoice the credited quantity of 0.5 again.
  await ofLine(id, rake);
  await ofLine(again.id, rake);
  await isSound();
  // Everything is invoiced, but the estimate still has the status "accepted".
  await invoice(estimate.id, [[mowing, 10]]);
  await change(sql`update document set status = ${ACCEPTED} where company_id = ${companyId} and id = ${estimate.id}`);
  const isStateWrong = async () =>
    (await verifyCompany(t.pool, companyId)).faults.some(({ message }) => message.includes('status that differs'));
  expect([await stateOf(estimate.id), await isStateWrong()]).toEqual([ACCEPTED, true]);
  const migration = new URL('../../../migrations/20261127_350_estimate_states.sql', import.meta.url);
  const statement = /^update[^;]*/m.exec(await readFile(migration, 'utf8'))?.[0] ?? '';
  await change(sql.raw(statement));
  expect([await stateOf(estimate.id), await isStateWrong()]).toEqual([INVOICED, false]);
  await isSound();
});

test('two invoices that each cover half of an estimate add up to it exactly, even after an edit', async () => {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '10' }]);
  const lineItems = [
    { description: 'Odd', itemPrice: 3.33, quantity: 1, accountId: 140, taxable: true },
    { description: 'Odd too', itemPrice: 0.33, quantity: 1, accountId: 140, taxable: true },
  ];
  const estimate = await make.estimate({ customerId, lineItems });
  expect(estimate).toMatchObject({ salesTaxAmount: 37, invoiceAmount: 403 });
  const lines = estimate.lineItems.map(({ id }) => ({ estimateLineId: id, quantity: 0.5 }));
  const half = { invoiceDate: '2026-03-10', lines };
  const first = await send('POST', `/billingestimate/${estimate.id}/invoices`, half);
  const last = await send('POST', `/billingestimate/${estimate.id}/invoices`, half);
  expect([first, last]).toMatchObject([
    { status: 200, salesTaxAmount: 0.18, invoiceAmount: 2.02 },
    { status: 200, salesTaxAmount: 0.19, invoiceAmount: 2.01 },
  ]);
  const stored = await t.call(billingCalls.getInvoice, { ...auth(), params: { id: last.id } });
  const query = { without: last.id };
  const { parts } = await t.call(estimateCalls.invoiceable, { ...auth(), params: { id: estimate.id }, query });
  expect(parts).toMatchObject({
    lines: [
      { amount: 333, taken: { amount: 167 } },
      { amount: 33, taken: { amount: 17 } },
    ],
    taxItems: [{ total: 37 }],
    taken: { count: 1, taxItems: [{ total: 18 }] },
  });
  expect(stored.lineItems.map(({ sourceLineId }) => sourceLineId)).toEqual(parts.lines.map(({ id }) => id));
  const again = await send('PUT', '/billinginvoice', asRequest(stored as never));
  expect(again).toMatchObject({ status: 200, salesTaxAmount: 0.19, invoiceAmount: 2.01 });
  await isSound();
});
