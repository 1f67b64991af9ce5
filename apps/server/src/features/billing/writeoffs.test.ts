import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { reportCalls } from '@evenkeel/contract/reports';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { pageRows } from '@evenkeel/core/reports/page';
import { reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { type RawAnswer, startTestApp, type TestApp } from '../../testing/app.ts';
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
  customerId = await make.customer('Harbor View');
});

type Answer = RawAnswer & { body: { id: number; message?: string } };
const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  t.request({ method, url, token: make.token, ...(body && { body }) }) as Promise<Answer>;
const writeOff = (invoiceId: number, amount: number, given: object = {}) =>
  send('POST', '/api/writeoff', { invoiceId, amount, writeOffDate: '2026-05-01', ...given });
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const openOf = async (id: number) =>
  (await t.call(billingCalls.getInvoice, { token: make.token, params: { id } })).openAmount;
const isSound = async () => expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);

/** Returns an as-of report's rows, without headings, as "words | amounts" in cents. */
async function rows(report: ReportName, basis: 0 | 1 = 0, reportdate = '2026-12-31', given: object = {}) {
  const params = { startdate: '2026-01-01', reportdate, basis, ...given };
  const reportParams = Object.entries(params).map(([paramName, value]) => {
    return { paramType: 3, paramName, paramvalue: String(value) };
  });
  const sent = { params: { reportId: String(reportKinds[report].id) }, body: { reportParams } };
  const answer = await t.call(reportCalls.runReport, { token: company.administrator.token, ...sent });
  return pageRows(answer)
    .filter(({ look }) => look !== 'heads')
    .map(({ cells }) => cells.map((cell) => ('amount' in cell ? String(cell.amount ?? '') : cell.text)).join(' | '));
}

/** Creates an invoice for 100.00 plus 8% tax with 54.00 paid. */
async function halfPaid() {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '8' }]);
  const lineItems = [{ description: 'Pump', itemPrice: 50, quantity: 2, accountId: 140, taxable: true }];
  const invoice = await make.invoice({ customerId, lineItems });
  await make.payment({ customerId, paymentAmount: 54 });
  return invoice;
}

describe('simultaneous requests', () => {
  test('an invoice is written off only once, and a simultaneous payment is rejected or applied first', async () => {
    const invoice = await make.invoice({ customerId, amount: 80 });
    const twice = await Promise.all([1, 2, 3].map(() => writeOff(invoice.id, 80)));
    expect(statuses(twice)).toEqual([200, 422, 422]);
    for (let round = 0; round < 3; round += 1) {
      const next = await make.invoice({ customerId, amount: 60 });
      const pay = { customerId, paymentDate: '2026-05-01', paymentTypeId: 2, paymentAccountId: 104, paymentAmount: 60 };
      const paid = { ...pay, paymentApplications: [{ invoiceId: next.id, amount: 60 }] };
      const both = await Promise.all([writeOff(next.id, 60), send('POST', '/api/billingpayment', paid)]);
      expect(statuses(both)).toEqual([200, 422]);
      expect(await openOf(next.id)).toBe(0);
    }
    await isSound();
  });

  test('a write-off is deleted only once, even if two requests delete it at the same time', async () => {
    const invoice = await make.invoice({ customerId, amount: 80 });
    const { body } = await writeOff(invoice.id, 80);
    const gone = await Promise.all([1, 2].map(() => send('DELETE', `/api/writeoff/${body.id}`)));
    expect(statuses(gone)).toEqual([200, 404]);
    expect(await openOf(invoice.id)).toBe(8000);
    await isSound();
  });
});

test('a half-paid invoice is written off with its tax, and the cash basis keeps the paid amount', async () => {
  const invoice = await halfPaid();
  const found = await t.call(writeOffCalls.writeOffCandidates, {
    token: make.token,
    query: { most: '54.00', before: '2026-12-31' },
  });
  expect(found).toMatchObject([{ invoiceId: invoice.id, openAmount: 5400, taxAmount: 400 }]);
  const { status, body } = await writeOff(invoice.id, 54, { withTax: true, reason: 'Moved away' });
  const amounts = { amount: 54, badDebtAmount: 50, taxAmount: 4, writeOffNumber: 'WO-101', reason: 'Moved away' };
  expect([status, body]).toEqual([200, expect.objectContaining(amounts)]);
  expect(await openOf(invoice.id)).toBe(0);
  // Neither the payment list nor the customer's activity shows the payment of 0.00 that applies a write-off.
  const paid = await t.call(billingCalls.listPayments, { token: make.token, query: { limit: '10' } });
  expect(paid).toMatchObject({ total: 1, items: [{ paymentAmount: 5400 }] });
  const params = { customerId };
  const happened = await t.call(billingCalls.customerActivity, { token: make.token, params, query: { limit: '10' } });
  expect(happened).toMatchObject({ total: 3, items: [{ number: 'WO-101' }, { kind: 'payment' }, { kind: 'invoice' }] });
  const history = await t.call(billingCalls.customerHistory, { token: make.token, params });
  expect(history.map(({ amount }) => amount)).toEqual([5400, 10800]);
  const accrual = (await rows('trialBalance')).join('\n');
  for (const line of [/Sales \|  \| 10000/, /Bad Debt \| 5000 \|/, /Sales Tax Payable \|  \| 400/])
    expect(accrual).toMatch(line);
  const cash = (await rows('trialBalance', 1)).join('\n');
  for (const line of [/Sales \|  \| 5000/, /Sales Tax Payable \|  \| 400/]) expect(cash).toMatch(line);
  expect(cash).not.toMatch(/Bad Debt|Receivable|Unapplied/);
  const taxes = await rows('salesTaxLiability');
  expect(taxes).toEqual(expect.arrayContaining([expect.stringMatching(/Write-off WO-101 .*\| 400 \| -400$/)]));
  expect(await rows('salesByCustomer', 1)).toEqual(expect.arrayContaining([expect.stringMatching(/\| 5000$/)]));
  const owed = async (day: string) => (await rows('customerAging', 0, day)).at(-1)?.split(' | ').at(-1);
  expect([await owed('2026-04-30'), await owed('2026-05-01')]).toEqual(['5400', '0']);
  const statement = (await rows('customerStatement', 0, '2026-12-31', { customerId })).join('\n');
  expect(statement).toMatch(/Write-off \| WO-101 \| .*-5400/);
  expect(statement.match(/Payment \|/g)).toHaveLength(1);
  await isSound();
});

// The example in docs/accounting.md, "Write-offs".
test('a credited and half-paid invoice is written off with its tax, as in the documented example', async () => {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '8' }]);
  const line = { description: 'Pump', itemPrice: 25, accountId: 140, taxable: true };
  const invoice = await make.invoice({ customerId, lineItems: [{ ...line, quantity: 4 }] });
  const creditedLineId = invoice.lineItems[0]?.id ?? 0;
  const memo = { customerId, invoiceDate: '2026-03-15', creditedInvoiceId: invoice.id, applyAmount: 27 };
  const lineItems = [{ creditedLineId, quantity: 1, description: '', itemPrice: 0 }];
  expect((await send('POST', '/api/billingcredit', { ...memo, lineItems })).status).toBe(200);
  await make.payment({ customerId, paymentAmount: 54 });
  expect((await writeOff(invoice.id, 27, { withTax: true })).status).toBe(200);
  const [accrual, cash] = [(await rows('trialBalance')).join('\n'), (await rows('trialBalance', 1)).join('\n')];
  for (const each of [/Sales \|  \| 7500/, /Bad Debt \| 2500/, /Sales Tax Payable \|  \| 400/])
    expect(accrual).toMatch(each);
  for (const each of [/Sales \|  \| 5000/, /Sales Tax Payable \|  \| 400/]) expect(cash).toMatch(each);
  expect(`${accrual}${cash}`).not.toMatch(/Receivable|Unapplied/);
  await isSound();
});

test('after a write-off, no payment can be applied until the write-off is deleted', async () => {
  const invoice = await halfPaid();
  const { body } = await writeOff(invoice.id, 54);
  const paid = { customerId, paymentDate: '2026-06-01', paymentTypeId: 2, paymentAccountId: 104, paymentAmount: 10 };
  const over = { ...paid, paymentApplications: [{ invoiceId: invoice.id, amount: 10 }] };
  expect((await send('POST', '/api/billingpayment', over)).status).toBe(422);
  const [own] = await t.call(billingCalls.invoicePayments, { token: make.token, params: { id: invoice.id } });
  const zero = { ...paid, paymentAmount: 0, id: own?.id, paymentApplications: [] };
  expect((await send('PUT', '/api/billingpayment', zero)).body.message).toContain(
    'This payment belongs to write-off WO-101',
  );
  expect((await send('DELETE', `/api/billingpayment/${own?.id}`)).status).toBe(409);
  expect((await send('DELETE', `/api/writeoff/${body.id}`)).status).toBe(200);
  expect(
    (await send('POST', '/api/billingpayment', { ...over, paymentAmount: 54, paymentApplications: null })).status,
  ).toBe(200);
  expect(await openOf(invoice.id)).toBe(0);
  expect(await rows('trialBalance')).toEqual(await rows('trialBalance', 1));
  await isSound();
});

test('a written-off invoice accepts a new due date and lines, but no total below the applied amount', async () => {
  const { rowVersion: _, ...invoice } = await halfPaid();
  const { body } = await writeOff(invoice.id, 54, { withTax: true });
  const pump = { description: 'Pump', itemPrice: 50, quantity: 2, accountId: 140, taxable: true };
  const more = { description: 'Hose', itemPrice: 10, quantity: 1, accountId: 140 };
  const head = { id: invoice.id, customerId, invoiceDate: '2026-03-10', dueDate: '2026-07-01' };
  const save = (lineItems: object[]) => send('PUT', '/api/billinginvoice', { ...head, lineItems });
  const own = { ...pump, id: invoice.lineItems[0]?.id };
  expect(await save([own])).toMatchObject({ status: 200, body: { dueDate: '2026-07-01', openAmount: 0 } });
  expect(await save([own, more])).toMatchObject({ status: 200, body: { openAmount: 10 } });
  expect((await save([{ ...own, quantity: 1 }])).body.message).toContain('less than the $108.00 already applied');
  const gone = await send('DELETE', `/api/billinginvoice/${invoice.id}`);
  expect([gone.status, gone.body.message]).toEqual([409, 'Delete its payments and write-off first']);
  expect((await send('DELETE', `/api/writeoff/${body.id}`)).status).toBe(200);
  await isSound();
});

test('a list of write-offs returns one result per invoice', async () => {
  const [first, second] = [
    await make.invoice({ customerId, amount: 5 }),
    await make.invoice({ customerId, amount: 7 }),
  ];
  const of = (invoiceId: number, amount: number) => ({ invoiceId, amount, writeOffDate: '2026-05-01' });
  const answer = await t.request({
    method: 'POST',
    url: '/api/writeoff',
    token: make.token,
    body: [of(first.id, 5), of(second.id, 8), of(second.id, 7)],
  });
  expect(answer.body).toMatchObject([
    { ok: true, writeOffNumber: 'WO-101' },
    { ok: false, message: expect.stringContaining('is now $7.00') },
    { ok: true, writeOffNumber: 'WO-102' },
  ]);
  expect(await t.call(writeOffCalls.listWriteOffs, { token: make.token, query: { limit: 1 } })).toMatchObject({
    total: 2,
  });
  const early = await writeOff((await make.invoice({ customerId, amount: 9 })).id, 9, { writeOffDate: '2026-01-01' });
  expect(early.body.message).toBe("A write-off can't be dated before its invoice");
  await isSound();
});

test('if applied documents prevent deleting or voiding a document, the error names them', async () => {
  const written = await halfPaid();
  const other = await make.invoice({ customerId, amount: 30 });
  expect((await writeOff(other.id, 30)).status).toBe(200);
  const credited = await make.invoice({ customerId, amount: 20 });
  const [used, refunded] = [
    await make.credit({ customerId, amount: 20 }),
    await make.credit({ customerId, amount: 5 }),
  ];
  await make.payment({
    customerId,
    paymentAmount: 0,
    paymentApplications: [
      { invoiceId: used.id, amount: -20 },
      { invoiceId: credited.id, amount: 20 },
    ],
  });
  await make.payment({
    customerId,
    paymentAmount: -5,
    paymentApplications: [{ invoiceId: refunded.id, amount: -5 }],
  });
  const why = async (kind: string, id: number) => (await send('DELETE', `/api/${kind}/${id}`)).body.message;
  expect(await why('billinginvoice', other.id)).toBe('Delete its write-off first');
  expect(await why('billinginvoice', credited.id)).toBe('Delete its credit applications first');
  expect(await why('billingcredit', used.id)).toBe('Delete its credit applications first');
  expect(await why('billingcredit', refunded.id)).toBe('Delete its refunds first');
  expect(await why('billinginvoice', written.id)).toBe('Delete its payments first');
  expect((await writeOff(written.id, 54)).status).toBe(200);
  expect(await why('billinginvoice', written.id)).toBe('Delete its payments and write-off first');
  const { lineItems, ...invoice } = await t.call(billingCalls.getInvoice, {
    token: make.token,
    params: { id: other.id },
  });
  const lines = lineItems.map((line) => ({ ...line, itemPrice: line.itemPrice / 100, quantity: 1 }));
  const body = { id: other.id, customerId, invoiceDate: invoice.invoiceDate, arBillingStatus: 5, lineItems: lines };
  const voided = await send('PUT', '/api/billinginvoice', { ...body, rowVersion: invoice.rowVersion });
  expect(voided.body.message).toBe("An invoice that has a write-off can't be a draft or void");
});
