import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { creditCalls, type CreditPart, type CreditRow } from '@evenkeel/contract/credits';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';

let t: TestApp;
let make: Factory;

const post = async (url: string, body: object) => {
  const answer = await t.request({ method: 'POST', url, body, token: make.token });
  expect(answer.status).toBe(200);
  return answer.body as { id: number };
};

/**
 * Creates a credit memo for 100.00 with 30.00 applied and 60.00 refunded, an unused credit memo for 15.00, a write-off
 * of 7.00, and a refund of 25.00 from a payment.
 */
beforeAll(async () => {
  t = await startTestApp();
  const company = await t.createCompany();
  make = factoryFor(t, company);
  const [oak, elm] = [await make.customer('Oak Hollow'), await make.customer('Elm Court')];
  const bankAccountId = await checkingOf(t, company.companyId);
  const money = { paymentTypeId: 2, bankAccountId };
  const [paid, written] = [
    await make.invoice({ customerId: oak, amount: 30 }),
    await make.invoice({ customerId: elm, amount: 7 }),
  ];
  const memo = await make.credit({ customerId: oak, amount: 100, invoiceDate: '2026-05-03', reason: 'Dead shrubs' });
  await make.credit({ customerId: elm, amount: 15, invoiceDate: '2026-05-02' });
  await post('/api/billingpayment', {
    customerId: oak,
    paymentDate: '2026-05-04',
    paymentAmount: 0,
    paymentApplications: [
      { invoiceId: paid.id, amount: 30 },
      { invoiceId: memo.id, amount: -30 },
    ],
  });
  const refund = { ...money, paymentDate: '2026-05-05' };
  await post('/api/billingpayment', {
    ...refund,
    customerId: oak,
    paymentAmount: -60,
    paymentCheckNo: '2203',
    paymentApplications: [{ invoiceId: memo.id, amount: -60 }],
  });
  const payment = await make.payment({ customerId: elm, paymentAmount: 25, paymentApplications: [] });
  await post('/api/billingpayment', {
    ...refund,
    customerId: elm,
    paymentAmount: -25,
    paymentApplications: [],
    paymentRefunds: [{ paymentId: payment.id, amount: 25 }],
  });
  await post('/api/writeoff', { invoiceId: written.id, amount: 7, writeOffDate: '2026-05-01', reason: 'Moved away' });
});
afterAll(() => t.close());

type Query = Partial<Record<'sort' | 'desc' | 'q' | 'after', string>> & { limit?: number; status?: CreditPart };
const list = (query: Query) => t.call(creditCalls.listAllCredits, { token: make.token, query });
const page = async (query: Query) => {
  const answer = await list({ limit: 100, sort: 'date', desc: 'true', ...query });
  if (Array.isArray(answer)) throw new Error('received a list instead of a page');
  return answer;
};
const shown = (row: CreditRow) =>
  [row.date, row.kind, row.customerDisplayName, row.badge, row.amount / 100, row.remainingAmount / 100].join(' ');

test('credit memos, write-offs, and refunds share one list, with positive amounts and newest first', async () => {
  const { items, total, sums, parts } = await page({});
  expect(items.map(shown)).toEqual([
    '2026-05-05 refund Elm Court Posted 25 0',
    '2026-05-05 refund Oak Hollow Posted 60 0',
    '2026-05-03 creditmemo Oak Hollow Credit 100 10',
    '2026-05-02 creditmemo Elm Court Credit 15 15',
    '2026-05-01 writeoff Elm Court Posted 7 0',
  ]);
  expect({ total, sums }).toEqual({ total: 5, sums: { remainingAmount: 2500 } });
  // The remaining credit is the amount of the credit memos that the list of open invoices subtracts.
  const open = await t.call(billingCalls.listInvoices, { token: make.token, query: { limit: 1 } });
  expect(parts).toEqual({
    all: { count: 5, amount: 20700 },
    remaining: { count: 2, amount: -('sums' in open ? (open.sums?.['creditAmount'] ?? 0) : 0) },
    creditmemo: { count: 2, amount: 11500 },
    writeoff: { count: 1, amount: 700 },
    refund: { count: 2, amount: 8500 },
  });
});

test('each credit names the documents that it was used for', async () => {
  const { items } = await page({});
  const uses = items.map((row) => [row.usedFor, row.appliedAmount, row.refundedAmount, row.reason, row.checkNumber]);
  const [elm, oak, memo, unused, written] = uses;
  expect(elm).toEqual([['payment 3'], 0, 0, '', '']);
  expect(oak).toEqual([['credit memo CM-101'], 0, 0, '', '2203']);
  expect(memo).toEqual([['invoice 10001'], 3000, 6000, 'Dead shrubs', '']);
  expect(unused).toEqual([[], 0, 0, '', '']);
  expect(written).toEqual([['invoice 10002'], 700, 0, 'Moved away', '']);
});

test('the credit list has status filters, a search, and pages', async () => {
  const kinds = async (query: Query) => (await page(query)).items.map(({ kind, amount }) => `${kind} ${amount / 100}`);
  expect(await kinds({ status: 'remaining' })).toEqual(['creditmemo 100', 'creditmemo 15']);
  expect(await kinds({ status: 'refund' })).toEqual(['refund 25', 'refund 60']);
  expect(await kinds({ q: 'elm' })).toEqual(['refund 25', 'creditmemo 15', 'writeoff 7']);
  expect(await kinds({ q: '2203' })).toEqual(['refund 60']);
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const { items, next } = await page({ limit: 2, sort: 'amount', ...(after !== undefined && { after }) });
    seen.push(...items.map(({ amount }) => String(amount / 100)));
    after = next;
  }
  expect(seen).toEqual(['100', '60', '25', '15', '7']);
  expect(await list({})).toHaveLength(5);
});
