import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { auditCalls } from '@evenkeel/contract/audit';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { type BillingCredit, creditCalls } from '@evenkeel/contract/credits';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { searchCalls } from '@evenkeel/contract/search';
import { settingsCalls } from '@evenkeel/contract/settings';
import { pricePart } from '@evenkeel/core/documents/parts';
import { decimal } from '@evenkeel/core/money';
import { reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import { pageRows } from '@evenkeel/core/reports/page';
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
const credit = (body: object) =>
  t.request({ method: 'POST', url: '/api/billingcredit', body, token: make.token }).then(({ status, body: reply }) => {
    return { status, ...(reply as { id: number; openAmount: number; message?: string; fields?: object }) };
  });
const openOf = async (id: number): Promise<number> =>
  (await t.call(billingCalls.getInvoice, { ...auth(), params: { id } })).openAmount;
const isSound = async () => expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);

/** Returns a report's rows, without headings, as "words | amounts" in cents. */
async function rows(report: ReportName, basis: 0 | 1 = 0): Promise<string[]> {
  const params = { startdate: '2026-01-01', reportdate: '2026-12-31', basis };
  const reportParams = Object.entries(params).map(([paramName, paramvalue]) => ({
    paramType: 3,
    paramName,
    paramvalue,
  }));
  const sent = { params: { reportId: String(reportKinds[report].id) }, body: { reportParams } };
  const answer = await t.call(reportCalls.runReport, { token: company.administrator.token, ...sent });
  return pageRows(answer)
    .filter(({ look }) => look !== 'heads')
    .map(({ cells }) => cells.map((cell) => ('amount' in cell ? String(cell.amount ?? '') : cell.text)).join(' | '));
}

/** Creates an invoice for 100.00 (two items at 50.00) with 8% tax. */
async function taxed() {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '8' }]);
  const lineItems = [{ description: 'Pump', itemPrice: 50, quantity: 2, accountId: 140, taxable: true }];
  const invoice = await make.invoice({ customerId, lineItems });
  return { invoice, lineId: invoice.lineItems[0]?.id ?? 0 };
}

const ofInvoice = (creditedInvoiceId: number, creditedLineId: number, quantity: number, given: object = {}) => ({
  customerId,
  invoiceDate: '2026-03-15',
  creditedInvoiceId,
  lineItems: [{ creditedLineId, quantity, description: '', itemPrice: 0 }],
  ...given,
});

// An invoice for 108 including tax, of which 54 is credited and 54 is paid, leaves 50 of income and 4 of tax on both
// bases.
test('a half-credited, half-paid invoice with tax has the same amounts on both bases', async () => {
  const { invoice, lineId } = await taxed();
  // Today's rates are different, but the invoice's rates apply.
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '9' }]);
  const memo = await credit(ofInvoice(invoice.id, lineId, 1, { applyAmount: 54, reason: 'Leaked' }));
  expect(memo).toMatchObject({
    status: 200,
    invoiceNumber: 'CM-101',
    invoiceAmount: -54,
    salesTaxAmount: -4,
    openAmount: 0,
    badge: 'Applied',
    creditedInvoiceId: invoice.id,
    reason: 'Leaked',
    lineItems: [{ quantity: 1, itemPrice: 50, lineItemAmount: 50, creditedLineId: lineId, taxable: true }],
  });
  expect(await openOf(invoice.id)).toBe(5400);
  await make.payment({ customerId, paymentAmount: 54 });
  expect(await openOf(invoice.id)).toBe(0);
  for (const basis of [0, 1] as const) {
    expect(await rows('profitAndLoss', basis)).toContain('Net Income | 5000');
    expect(await rows('salesByCustomer', basis)).toEqual(expect.arrayContaining([expect.stringMatching(/\| 5000$/)]));
    expect((await rows('salesTaxLiability', basis)).join('\n')).toMatch(/Sales tax.*5000 \| 0 \| 5000.*\| 400/);
  }
  expect(await rows('trialBalance', 1)).not.toContainEqual(expect.stringMatching(/Unapplied|Receivable/));
  await isSound();
});

test('a remaining credit appears in aging, the statement, lists, history, and search', async () => {
  await make.invoice({ customerId, amount: 100 });
  const memo = await make.credit({ customerId, amount: 30, reason: 'Goodwill' });
  expect(memo).toMatchObject({ openAmount: -3000, badge: 'Credit' });
  expect((await rows('customerAging')).at(-1)).toMatch(/7000$/);
  expect((await rows('customerAgingDetail')).join('\n')).toMatch(/Credit memo.*CM-101.*-3000/);
  const list = await t.call(creditCalls.listCredits, { ...auth(), query: { limit: 10, q: 'cm-101' } });
  expect(list).toMatchObject({ total: 1, sums: { openAmount: -3000 }, items: [{ invoiceNumber: 'CM-101' }] });
  for (const q of ['#CM-101', 'Credit Memo CM-101', 'cm-101,']) {
    expect(await t.call(creditCalls.listCredits, { ...auth(), query: { limit: 10, q } })).toEqual(list);
  }
  // The invoice list's totals reconcile to the amount owed today, and the credit is not counted as a journal entry.
  const open = await t.call(billingCalls.listInvoices, { ...auth(), query: { limit: 10 } });
  expect(open).toMatchObject({ sums: { openAmount: 10000, creditAmount: -3000, journalAmount: 0, owedAmount: 7000 } });
  for (const [ask, openAmount] of [
    [{ kind: 'credit' }, -3000],
    [{ documentsOnly: true }, 10000],
  ] as const) {
    const body = { side: 'receivable' as const, ...ask };
    expect(await t.call(ledgerCalls.openItems, { ...auth(), body })).toMatchObject({ count: 1, openAmount });
  }
  const history = await t.call(billingCalls.customerHistory, { ...auth(), params: { customerId } });
  expect(history).toMatchObject([{ kind: 'credit', amount: -3000, balance: -3000 }, { kind: 'invoice' }]);
  const found = await t.call(searchCalls.search, { ...auth(), body: 'CM-101' });
  expect(found).toMatchObject([{ itemType: 10, itemId: memo.id, itemText: 'Credit memo CM-101' }]);
  const pdf = await t.request({ method: 'GET', url: `/api/creditview/${memo.id}`, token: make.token });
  expect(pdf.status).toBe(200);
  await isSound();
});

test('an applied credit appears as the credit memo, never as a payment of 0.00', async () => {
  const invoice = await make.invoice({ customerId, amount: 100 });
  const memo = await make.credit({ customerId, amount: 30 });
  const given = { customerId, paymentAmount: 0, paymentDate: '2026-03-16', paymentTypeId: null, bankAccountId: null };
  const applied = await make.payment({
    ...given,
    paymentDescription: 'Goodwill',
    paymentApplications: [
      { invoiceId: memo.id, amount: -30 },
      { invoiceId: invoice.id, amount: 30 },
    ],
  });
  const { id, paymentNumber } = applied;
  const params = { customerId };
  expect(await t.call(billingCalls.listPayments, { ...auth(), query: {} })).toEqual([]);
  expect(await t.call(billingCalls.listPayments, { ...auth(), query: { limit: 10 } })).toMatchObject({ total: 0 });
  const history = await t.call(billingCalls.customerHistory, { ...auth(), params });
  expect(history.map(({ kind }) => kind)).toEqual(['credit', 'invoice']);
  const activity = await t.call(billingCalls.customerActivity, { ...auth(), params, query: { limit: 10 } });
  expect(activity).toMatchObject({ total: 2, items: [{ kind: 'creditmemo', balance: 7000 }, { kind: 'invoice' }] });
  const find = (body: string) => t.call(searchCalls.search, { ...auth(), body });
  const found = [...(await find(`Payment ${paymentNumber}`)), ...(await find('Goodwill'))];
  expect(found.filter(({ itemType }) => itemType === 6)).toEqual([]);
  const account = { startdate: '2026-01-01', reportdate: '2026-12-31', customerid: String(customerId) };
  const reportParams = Object.entries(account).map(([paramName, paramvalue]) => ({
    paramType: 3,
    paramName,
    paramvalue,
  }));
  const statement = await t.call(reportCalls.runReport, {
    token: company.administrator.token,
    params: { reportId: '105' },
    body: { reportParams },
  });
  expect(JSON.stringify(statement)).not.toMatch(/Payment/);
  // Each document shows the other one in place of the payment.
  const paidBy = await t.call(billingCalls.invoicePayments, { ...auth(), params: { id: invoice.id } });
  expect(paidBy).toMatchObject([{ id, amount: 3000, against: ['Credit memo CM-101'] }]);
  const usedFor = await t.call(creditCalls.creditPayments, { ...auth(), params: { id: memo.id } });
  expect(usedFor).toMatchObject([{ id, amount: -3000, against: [`Invoice ${invoice.invoiceNumber}`] }]);
  // A payment of 0.00 has no receipt to print or send, and the audit log shows the applied amount.
  const receipt = await t.request({ method: 'GET', url: `/api/receiptview/${id}`, token: make.token });
  expect(receipt).toMatchObject({ status: 422, body: { message: expect.stringMatching(/only applies a credit/) } });
  const sending = await t.call(billingCalls.receiptSending, { ...auth(), params: { id } });
  expect(sending).toMatchObject({ refusal: expect.stringMatching(/only applies a credit/) });
  const { token } = company.administrator;
  const audit = await t.call(auditCalls.listAudit, { token, query: { kind: 'payment', record: String(id) } as never });
  expect(audit).toMatchObject([{ title: `${paymentNumber} (credit applied)`, amount: 3000 }]);
  await isSound();
});

test("a vendor credit's application names the bill and the vendor credit", async () => {
  const vendorId = await make.vendor();
  const [bill, back] = [await make.bill({ vendorId, amount: 100 }), await make.bill({ vendorId, amount: -30 })];
  const paymentApplications = [
    { invoiceId: back.id, amount: -30 },
    { invoiceId: bill.id, amount: 30 },
  ];
  await make.billPayment({ vendorId, paymentAmount: 0, paymentApplications });
  expect(await t.call(expenseCalls.listExpensePayments, { ...auth(), query: {} })).toEqual([]);
  const paidBy = await t.call(expenseCalls.expensePayments, { ...auth(), params: { id: bill.id } });
  expect(paidBy).toMatchObject([{ against: [`Vendor credit ${back.invoiceNumber}`] }]);
});

describe('credited quantities', () => {
  it('a quantity can be credited only once, and a request for more fails with the remaining quantity', async () => {
    const { invoice, lineId } = await taxed();
    const first = await credit(ofInvoice(invoice.id, lineId, 1.5));
    expect(first.status).toBe(200);
    const more = await credit(ofInvoice(invoice.id, lineId, 1));
    expect(more).toMatchObject({
      status: 422,
      fields: { 'lineItems.0.quantity': 'Only 0.5 of 2 are available to credit' },
    });
    const credited = await t.call(creditCalls.creditable, { ...auth(), params: { id: invoice.id } });
    expect(credited.lines.map(({ creditedQuantity }) => Number(creditedQuantity))).toEqual([1.5]);
    // An edited credit memo can use its own quantity again. A void credit memo doesn't use any quantity.
    const edited = { ...ofInvoice(invoice.id, lineId, 2), id: first.id };
    expect(await t.call(creditCalls.updateCredit, { ...auth(), body: edited })).toMatchObject({
      invoiceAmount: -10800,
    });
    const line = { creditedLineId: lineId, quantity: 2, description: '', itemPrice: 0 };
    await t.call(creditCalls.updateCredit, {
      ...auth(),
      body: { ...edited, lineItems: [line], arBillingStatus: 5 },
    });
    expect(await credit(ofInvoice(invoice.id, lineId, 2))).toMatchObject({ status: 200 });
    await isSound();
  });

  it('a credit memo needs no profit center if its invoice has none', async () => {
    const { invoice, lineId } = await taxed();
    const { token } = company.administrator;
    const center = { profitcenterid: 0, profitcentername: 'North' };
    await t.call(ledgerCalls.createProfitCenter, { token, body: center });
    const setting = { settingName: 'useProfitCenters', settingValue: 'true' };
    await t.call(settingsCalls.saveSettings, { token, body: setting });
    expect(await credit(ofInvoice(invoice.id, lineId, 1))).toMatchObject({ status: 200 });
    expect(await credit({ ...ofInvoice(invoice.id, lineId, 1), creditedInvoiceId: null })).toMatchObject({
      status: 422,
    });
  });

  it("an invoice with credit memos can't be deleted, voided, or reduced below the credited amount", async () => {
    const { invoice, lineId } = await taxed();
    const memo = await credit(ofInvoice(invoice.id, lineId, 1));
    const save = (given: object) => {
      const lineItems = [
        { id: lineId, description: 'Pump', itemPrice: 50, quantity: 2, accountId: 140, taxable: true },
      ];
      const body = { id: invoice.id, customerId, invoiceDate: '2026-03-10', lineItems, ...given };
      return t.refused(billingCalls.updateInvoice, { ...auth(), body });
    };
    const message = 'A quantity of 1 on this line has already been credited';
    const half = [{ id: lineId, description: 'Pump', itemPrice: 50, quantity: 0.5, accountId: 140 }];
    expect(await save({ lineItems: half })).toMatchObject({ message, fields: { 'lineItems.0.quantity': message } });
    expect(await save({ arBillingStatus: 5 })).toMatchObject({ status: 422 });
    const remove = { ...auth(), params: { id: invoice.id }, query: {} };
    expect(await t.refused(billingCalls.deleteInvoice, remove)).toMatchObject({
      status: 409,
      message: 'Delete these credit memos first: CM-101',
    });
    await t.call(creditCalls.deleteCredit, { ...auth(), params: { id: memo.id }, query: {} });
    await t.call(billingCalls.deleteInvoice, remove);
    await isSound();
  });

  it('credit memos for packages and percentage discounts use the prices and percentages of the invoice', async () => {
    await make.tax();
    const product = await make.product();
    const goal = { name: 'Deal', description: 'Deal', packageDealDiscountType: 2, goalPrice: 99.99 };
    const packageLineItems = [{ productID: product, quantity: 3 }];
    const { packageID } = await t.call(catalogueCalls.createPackage, {
      ...auth(),
      body: { ...goal, packageLineItems },
    });
    const off = { description: 'Tenth', name: 'Tenth', GLAccountID: 143, discountType: 1, discountPercentage: 10 };
    const { discountID } = await t.call(catalogueCalls.createDiscount, {
      ...auth(),
      body: { ...off, discountTypeTarget: 1 },
    });
    const sold = [{ productId: product }, { packageId: packageID }, { discountId: discountID }];
    const lineItems = sold.map((one) => ({ ...one, description: 'Sold', itemPrice: 50, quantity: 3 }));
    const invoice = await make.invoice({ customerId, lineItems });
    const whole = invoice.lineItems.map(({ id, quantity }) => {
      return { creditedLineId: id, quantity: Number(quantity), description: '', itemPrice: 0 };
    });
    const memo = await credit({ ...ofInvoice(invoice.id, 0, 1), lineItems: whole });
    expect(memo).toMatchObject({ status: 200, openAmount: -invoice.invoiceAmount / 100 });
    expect(await rows('trialBalance')).toEqual([expect.stringMatching(/^Total/)]);
    await isSound();
  });
});

describe('a credit memo', () => {
  const apply = (memoId: number, invoiceId: number, amount: number) => {
    const shares = [
      { invoiceId: memoId, amount: -amount },
      { invoiceId, amount },
    ];
    const body = { customerId, paymentDate: '2026-03-20', paymentAmount: 0, paymentApplications: shares };
    return t.request({ method: 'POST', url: '/api/billingpayment', body, token: make.token });
  };
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

  it('a credit memo that two users apply to two invoices at the same time is applied only once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [first, second] = [await make.invoice({ customerId }), await make.invoice({ customerId })];
      const memo = await make.credit({ customerId, amount: 80 });
      expect(statuses(await Promise.all([apply(memo.id, first.id, 80), apply(memo.id, second.id, 80)]))).toEqual([
        200, 422,
      ]);
      expect((await openOf(first.id)) + (await openOf(second.id))).toBe(12000);
    }
    await isSound();
  });

  it('two simultaneous credit memos and a payment never exceed the billed or open amount', async () => {
    const { invoice, lineId } = await taxed();
    const whole = ofInvoice(invoice.id, lineId, 2, { applyAmount: 108 });
    const answers = await Promise.all([credit(whole), credit(whole), make.payment({ customerId, paymentAmount: 8 })]);
    expect(statuses(answers.slice(0, 2) as { status: number }[])).toContain(422);
    expect(await openOf(invoice.id)).toBeGreaterThanOrEqual(0);
    await isSound();
  });

  it('a credit memo that is deleted and applied at the same time is either deleted or applied', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await make.invoice({ customerId });
      const memo = await make.credit({ customerId, amount: 80 });
      const remove = { method: 'DELETE' as const, url: `/api/billingcredit/${memo.id}`, token: make.token };
      const [used, gone] = await Promise.all([apply(memo.id, invoice.id, 80), t.request(remove)]);
      expect([
        [200, 409],
        [422, 200],
      ]).toContainEqual([used.status, gone.status]);
      expect(await openOf(invoice.id)).toBe(used.status === 200 ? 2000 : 10000);
    }
    await isSound();
  });
});

test('partly applied credit memos and payments recognize the same cents in reports as in the journal', async () => {
  await make.tax();
  const line = (itemPrice: number, accountId: number) => {
    return { description: 'Part', itemPrice, quantity: 1.37, accountId, taxable: accountId === 140 };
  };
  const lineItems = [line(33.33, 140), line(0.99, 141), line(-7.77, 140), line(104.01, 141)];
  const invoices = [await make.invoice({ customerId, lineItems }), await make.invoice({ customerId, lineItems })];
  const memo = await make.credit({ customerId, lineItems: lineItems.filter(({ itemPrice }) => itemPrice !== 0.99) });
  for (const [at, amount] of [31.13, 17.01, 9.07, 12.77, 0.03, 20.19, 3.33, 41.51].entries()) {
    const invoiceId = invoices[at % 2]?.id ?? 0;
    const paymentApplications = [
      { invoiceId: memo.id, amount: -amount },
      { invoiceId, amount: Math.round(amount * 100 + 555) / 100 },
    ];
    await make.payment({ customerId, paymentAmount: 5.55, paymentApplications });
  }
  const income = (await rows('profitAndLoss', 1)).find((row) => row.startsWith('Net Income'))?.split(' | ')[1];
  expect((await rows('salesByProduct', 1)).at(-1)).toMatch(new RegExp(`\\| ${income}$`));
  expect((await rows('salesTaxLiability', 1)).join('\n')).not.toContain('Other entries');
  await isSound();
});

test('a document whose taxed lines have a negative total has no tax and passes verify', async () => {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '10' }]);
  const lineItems = [
    { description: 'Returned', itemPrice: -50, quantity: 1, accountId: 140, taxable: true },
    { description: 'Work', itemPrice: 100, quantity: 1, accountId: 140, taxable: false },
  ];
  expect(await make.invoice({ customerId, lineItems })).toMatchObject({ salesTaxAmount: 0, invoiceAmount: 5000 });
  expect(await make.credit({ customerId, lineItems })).toMatchObject({ salesTaxAmount: 0, invoiceAmount: -5000 });
  expect(await make.estimate({ customerId, lineItems })).toMatchObject({ salesTaxAmount: 0 });
  await isSound();
});

test('the last credit memo for an invoice takes the rest of the tax, whatever earlier memos have taken', async () => {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '6' }]);
  const bolt = { description: 'Bolt', itemPrice: 15.89, quantity: 1, accountId: 140, taxable: true };
  const invoice = await make.invoice({ customerId, lineItems: [bolt, bolt] });
  expect(invoice.salesTaxAmount).toBe(191);
  const [first = 0, second = 0] = invoice.lineItems.map(({ id }) => id);
  const one = await credit(ofInvoice(invoice.id, first, 1, { applyAmount: 16.84 }));
  expect(one).toMatchObject({ invoiceAmount: -16.84, salesTaxAmount: -0.95 });
  const last = await credit(ofInvoice(invoice.id, second, 1, { applyAmount: 16.85 }));
  expect(last).toMatchObject({ invoiceAmount: -16.85, salesTaxAmount: -0.96 });
  expect(await openOf(invoice.id)).toBe(0);
  await isSound();
});

test('each of three credit memos has the amounts in its preview, even after it is edited', async () => {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '6' }]);
  const product = await make.product();
  const off = { description: 'Seventh', name: 'Seventh', GLAccountID: 143, discountType: 1, discountPercentage: 7 };
  const { discountID } = await t.call(catalogueCalls.createDiscount, {
    ...auth(),
    body: { ...off, discountTypeTarget: 1 },
  });
  const lineItems = [
    { description: 'Odd', itemPrice: 0.5, quantity: 1, productId: product },
    { description: 'Bolt', itemPrice: 31.79, quantity: 1, accountId: 140, taxable: true },
    { description: 'Off', itemPrice: 0, quantity: 1, discountId: discountID },
  ];
  const invoice = await make.invoice({ customerId, lineItems });
  const partsOf = async (query: object) =>
    (await t.call(creditCalls.creditable, { ...auth(), params: { id: invoice.id }, query })).parts;
  const preview = async (third: string, query = {}) => {
    const [odd, bolt, seventh] = invoice.lineItems;
    const goods = { productServiceType: 1, productCategoryID: null };
    const line = { quantity: decimal(third), taxable: true };
    const parts = await partsOf(query);
    const terms = seventh?.discountTerms ?? undefined;
    const priced = pricePart(
      [
        { ...line, of: odd?.id, itemPrice: decimal('0.5'), product: goods, taxable: odd?.taxable ?? false },
        { ...line, of: bolt?.id, itemPrice: decimal('31.79') },
        { ...line, of: seventh?.id, itemPrice: decimal(0), discount: terms },
      ],
      invoice.taxItems,
      parts,
    );
    const amounts = priced.lines.map(({ lineItemAmount }) => lineItemAmount / 100);
    return { amounts, invoiceAmount: -priced.invoiceAmount / 100, salesTaxAmount: -priced.salesTaxAmount / 100 };
  };
  const posted = (reply: object) => {
    const { lineItems: lines, ...head } = reply as BillingCredit;
    const amounts = lines.map(({ lineItemAmount }) => lineItemAmount);
    return { amounts, invoiceAmount: head.invoiceAmount, salesTaxAmount: head.salesTaxAmount };
  };
  const memos = [];
  for (const third of ['0.333333', '0.333333', '0.333334']) {
    const expected = await preview(third);
    const lines = invoice.lineItems.map(({ id }, at) => {
      return { creditedLineId: id, quantity: at === 2 ? 1 : Number(third), description: '', itemPrice: 0 };
    });
    const memo = await credit({ ...ofInvoice(invoice.id, 0, 1), lineItems: lines });
    expect(posted(memo)).toEqual(expected);
    memos.push(posted(memo));
    expect(await preview(third, { without: memo.id })).toEqual(expected);
  }
  const total = memos.reduce((all, { invoiceAmount }) => all + Math.round(invoiceAmount * 100), 0);
  expect(total).toBe(-invoice.invoiceAmount);
  expect((await partsOf({})).taken.count).toBe(3);
  await isSound();
});

test('two credit memos that each cover half of a taxed invoice add up to the invoice total exactly', async () => {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '6' }]);
  const lineItems = [
    { description: 'Odd', itemPrice: 0.33, quantity: 1, accountId: 140, taxable: true },
    { description: 'Bolt', itemPrice: 31.79, quantity: 1, accountId: 140, taxable: true },
  ];
  const invoice = await make.invoice({ customerId, lineItems });
  const half = {
    customerId,
    invoiceDate: '2026-03-15',
    creditedInvoiceId: invoice.id,
    lineItems: invoice.lineItems.map(({ id }) => ({
      creditedLineId: id,
      quantity: 0.5,
      description: '',
      itemPrice: 0,
    })),
  };
  const first = await credit(half);
  const last = await credit(half);
  expect([first, last]).toMatchObject([
    { invoiceAmount: -17.03, salesTaxAmount: -0.96, lineItems: [{ lineItemAmount: 0.17 }, { lineItemAmount: 15.9 }] },
    { invoiceAmount: -17.02, salesTaxAmount: -0.97, lineItems: [{ lineItemAmount: 0.16 }, { lineItemAmount: 15.89 }] },
  ]);
  expect(invoice.invoiceAmount).toBe(3405);
  await isSound();
});
