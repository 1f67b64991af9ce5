import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { reportCalls } from '@evenkeel/contract/reports';
import { searchCalls } from '@evenkeel/contract/search';
import { pageRows } from '@evenkeel/core/reports/page';
import { reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { type RawAnswer, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
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

interface Saved {
  id: number;
  paymentNumber: string;
  unappliedAmount: number;
  message?: string;
  fields?: Record<string, string>;
}
type Answer = RawAnswer & { body: Saved };

const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  t.request({ method, url, token: make.token, ...(body && { body }) }) as Promise<Answer>;

interface Given {
  payments?: Record<number, number>;
  credits?: Record<number, number>;
  paymentAmount?: number;
  id?: number;
}

/** Sends a refund from Checking, in dollars, for the payments and credit memos with the given IDs. */
const refundOf = async (given: Given) => {
  const { payments = {}, credits = {}, ...others } = given;
  const all = [...Object.values(payments), ...Object.values(credits)].reduce((total, each) => total + each, 0);
  return {
    customerId,
    paymentDate: '2026-03-20',
    paymentAmount: -all,
    paymentTypeId: 2,
    bankAccountId: await checkingOf(t, company.companyId),
    paymentApplications: Object.entries(credits).map(([id, amount]) => ({ invoiceId: Number(id), amount: -amount })),
    paymentRefunds: Object.entries(payments).map(([id, amount]) => ({ paymentId: Number(id), amount })),
    ...others,
  };
};
const refund = async (given: Given) => send('POST', '/api/billingpayment', await refundOf(given));

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

const paymentOf = (id: number) => t.call(billingCalls.getPayment, { token: make.token, params: { id } });
const isSound = async () => expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);

/** Returns an as-of report's rows, without headings, as "words | amounts" in cents. */
async function rows(report: ReportName, reportdate: string, given: { basis?: 0 | 1; customerId?: number } = {}) {
  const params = { startdate: '2026-01-01', reportdate, basis: 0, ...given };
  const reportParams = Object.entries(params).map(([paramName, value]) => {
    return { paramType: 3, paramName, paramvalue: String(value) };
  });
  const sent = { params: { reportId: String(reportKinds[report].id) }, body: { reportParams } };
  const answer = await t.call(reportCalls.runReport, { token: company.administrator.token, ...sent });
  return pageRows(answer)
    .filter(({ look }) => look !== 'heads')
    .map(({ cells }) => cells.map((cell) => ('amount' in cell ? String(cell.amount ?? '') : cell.text)).join(' | '));
}

describe('simultaneous requests', () => {
  /** A payment of 50.00, none of which is applied. */
  const credit = () =>
    make.payment({ customerId, paymentAmount: 50, paymentDate: '2026-03-10', paymentApplications: [] });

  test('if simultaneous requests refund the same credit, it is refunded only once', async () => {
    const { id } = await credit();
    const answers = await Promise.all([1, 2, 3].map(() => refund({ payments: { [id]: 40 } })));
    expect(statuses(answers)).toEqual([200, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.message).toContain('$10.00 remaining');
    expect((await paymentOf(id)).unappliedAmount).toBe(1000);
    await isSound();
  });

  test('if requests refund and apply a credit at the same time, only one of them succeeds', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [{ id }, invoice] = [await credit(), await make.invoice({ customerId, amount: 50 })];
      const body = {
        customerId,
        paymentDate: '2026-03-10',
        paymentTypeId: 2,
        paymentAccountId: 104,
        paymentAmount: 50,
      };
      const apply = { ...body, id, paymentApplications: [{ invoiceId: invoice.id, amount: 50 }] };
      const both = await Promise.all([send('PUT', '/api/billingpayment', apply), refund({ payments: { [id]: 50 } })]);
      expect(statuses(both)).toEqual([200, 422]);
    }
    await isSound();
  });

  test('a credit that is refunded and deleted at the same time is either refunded or deleted', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await credit();
      const memo = await make.credit({ customerId, amount: 30 });
      const [refunded, payment, credited] = await Promise.all([
        refund({ payments: { [id]: 50 }, credits: { [memo.id]: 30 } }),
        send('DELETE', `/api/billingpayment/${id}`),
        send('DELETE', `/api/billingcredit/${memo.id}`),
      ]);
      const isRefunded = refunded.status === 200;
      expect(isRefunded ? [payment.status, credited.status] : refunded.status).toEqual(isRefunded ? [409, 409] : 422);
    }
    await isSound();
  });

  test('applying a credit while its refund is being deleted waits for the deletion or is rejected', async () => {
    const [{ id }, invoice] = [await credit(), await make.invoice({ customerId, amount: 50 })];
    const { body: gone } = await refund({ payments: { [id]: 50 } });
    const body = { customerId, paymentDate: '2026-03-10', paymentTypeId: 2, paymentAccountId: 104, paymentAmount: 50 };
    const apply = { ...body, id, paymentApplications: [{ invoiceId: invoice.id, amount: 50 }] };
    const [deleted, applied] = await Promise.all([
      send('DELETE', `/api/billingpayment/${gone.id}`),
      send('PUT', '/api/billingpayment', apply),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 422]).toContain(applied.status);
    await isSound();
  });
});

test('a refund of a credit memo and an unapplied payment posts on both bases and can be reversed', async () => {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '8' }]);
  const taxed = [{ description: 'Pump', itemPrice: 50, quantity: 1, accountId: 140, taxable: true }];
  const memo = await make.credit({ customerId, invoiceDate: '2026-03-12', lineItems: taxed });
  const paid = await make.payment({
    customerId,
    paymentAmount: 30,
    paymentDate: '2026-03-10',
    paymentApplications: [],
  });
  const answer = await refund({ payments: { [paid.id]: 30 }, credits: { [memo.id]: 54 } });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      paymentNumber: '2',
      paymentAmount: -84,
      unappliedAmount: 0,
      paymentRefunds: [{ paymentId: paid.id, amount: 30 }],
    },
  });
  expect(await paymentOf(paid.id)).toMatchObject({ unappliedAmount: 0, refundedBy: [{ paymentNumber: '2' }] });
  // The income was credited, and the credit was refunded, so the trial balance is the same on both bases.
  expect(await rows('trialBalance', '2026-03-31')).toEqual(await rows('trialBalance', '2026-03-31', { basis: 1 }));
  expect((await rows('trialBalance', '2026-03-31')).join('\n')).toMatch(/Checking.*5400/);
  const owed = async (day: string) => (await rows('customerAging', day)).at(-1)?.split(' | ').at(-1) ?? '0';
  expect([await owed('2026-03-11'), await owed('2026-03-19')]).toEqual(['-3000', '-8400']);
  expect(await owed('2026-03-20')).toBe('0');
  const statement = await rows('customerStatement', '2026-03-31', { customerId });
  expect(statement.join('\n')).toMatch(/Refund \| 2 \|  \| 8400 \| 0/);
  const activity = await t.call(billingCalls.customerActivity, {
    token: make.token,
    params: { customerId },
    query: {},
  });
  expect(activity).toMatchObject([
    { kind: 'payment', amount: 8400, balance: 0 },
    { balance: -8400 },
    { balance: -3000 },
  ]);
  const found = await t.call(searchCalls.search, { token: make.token, body: '84.00' });
  expect(found).toEqual(expect.arrayContaining([expect.objectContaining({ itemText: 'Refund 2' })]));
  await isSound();
  expect((await send('DELETE', `/api/billingpayment/${paid.id}`)).body.message).toBe('Delete these refunds first: 2');
  expect((await send('DELETE', `/api/billingpayment/${answer.body.id}`)).status).toBe(200);
  expect((await paymentOf(paid.id)).unappliedAmount).toBe(3000);
  expect(await owed('2026-03-31')).toBe('-8400');
  await isSound();
});

test("a refund dated before its payment takes effect on the payment's date, even if that date changes", async () => {
  const paid = await make.payment({
    customerId,
    paymentAmount: 30,
    paymentDate: '2026-04-10',
    paymentApplications: [],
  });
  const { body: made } = await refund({ payments: { [paid.id]: 30 } });
  const owed = async (day: string) => (await rows('customerAging', day)).at(-1)?.split(' | ').at(-1) ?? '0';
  expect([await owed('2026-03-20'), await owed('2026-04-10')]).toEqual(['3000', '0']);
  const { affectedInvoices: _, transactionID: _id, ...stored } = paid;
  const moved = { ...stored, paymentAmount: 30, paymentDate: '2026-03-01', paymentApplications: [], rowVersion: null };
  const money = { unappliedAmount: undefined, paymentRefunds: undefined, refundedBy: undefined };
  expect((await send('PUT', '/api/billingpayment', { ...moved, ...money })).status).toBe(200);
  expect([await owed('2026-03-10'), await owed('2026-03-20'), await owed('2026-04-10')]).toEqual(['-3000', '0', '0']);
  // The amount of the refund is reduced, and the rest of the credit is available again.
  const less = await refundOf({ payments: { [paid.id]: 10 }, id: made.id });
  expect((await send('PUT', '/api/billingpayment', less)).status).toBe(200);
  expect((await paymentOf(paid.id)).unappliedAmount).toBe(2000);
  await isSound();
});

describe('refund validation', () => {
  test('a refund must equal its credits to the cent, and the credits must belong to its customer', async () => {
    const [paid, other] = [
      await make.payment({ customerId, paymentAmount: 30, paymentApplications: [] }),
      await make.payment({ customerId: await make.customer(), paymentAmount: 30, paymentApplications: [] }),
    ];
    const invoice = await make.invoice({ customerId, amount: 20 });
    const told = async (given: Given) => (await refund(given)).body.message;
    expect(await told({ paymentAmount: -5 })).toBe('The payment amount must be more than $0.00');
    expect(await told({ payments: { [paid.id]: 20 }, paymentAmount: -25 })).toContain('add up to $20.00');
    expect(await told({ payments: { [other.id]: 20 } })).toContain('no credit to refund');
    expect(await told({ payments: { [paid.id]: 20 }, credits: { [invoice.id]: -5 }, paymentAmount: -15 })).toContain(
      'only credits',
    );
    expect(await told({ payments: { [paid.id]: 20 }, paymentAmount: 20 })).toBe('A refund must be less than $0.00');
    const { body: made } = await refund({ payments: { [paid.id]: 20 } });
    const grown = { customerId, paymentDate: '2026-03-20', paymentTypeId: 2, paymentAccountId: 104, paymentAmount: 5 };
    const turned = await send('PUT', '/api/billingpayment', { ...grown, id: made.id, paymentApplications: [] });
    expect(turned.body.message).toBe("A refund can't be changed to a payment");
    const lowered = { ...grown, id: paid.id, paymentAmount: 15, paymentApplications: [] };
    expect((await send('PUT', '/api/billingpayment', lowered)).body.message).toContain(
      '$20.00 of the payment has been refunded',
    );
    await isSound();
  });
});

test("a vendor's refund of a credit and an overpayment is posted as money in, and both bases agree", async () => {
  const vendorId = await make.vendor();
  const credit = await make.bill({ vendorId, amount: -40, postingDate: '2026-03-05' });
  const paid = await make.billPayment({
    vendorId,
    paymentAmount: 25,
    paymentDate: '2026-03-06',
    paymentApplications: [],
  });
  const body = {
    vendorId,
    paymentDate: '2026-03-20',
    paymentAmount: -65,
    bankAccountId: await checkingOf(t, company.companyId),
    paymentApplications: [{ invoiceId: credit.id, amount: -40 }],
    paymentRefunds: [{ paymentId: paid.id, amount: 25 }],
  };
  const answer = await send('POST', '/api/expensepayment', body);
  expect(answer).toMatchObject({ status: 200, body: { paymentNumber: '2', paymentAmount: -65 } });
  const stored = await t.call(expenseCalls.getExpensePayment, { token: make.token, params: { id: paid.id } });
  expect(stored).toMatchObject({ unappliedAmount: 0, refundedBy: [{ amount: 2500 }] });
  expect(await rows('trialBalance', '2026-03-31')).toEqual(await rows('trialBalance', '2026-03-31', { basis: 1 }));
  expect((await rows('trialBalance', '2026-03-31')).join('\n')).not.toMatch(/Payable|Unapplied/);
  await isSound();
});
