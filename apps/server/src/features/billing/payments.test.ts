import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { settingsCalls } from '@evenkeel/contract/settings';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { countRows, type RawAnswer, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import { takeTurn } from '../../testing/turns.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let token: string;
let customerId: number;

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  token = company.bookkeeper.token;
  customerId = await make.customer();
});

/**
 * Returns the journal totals of each account on a basis, as "account amount". Accounts with a zero balance are omitted.
 */
async function balances(view: 'accrual' | 'cash', until = '2199-12-31'): Promise<string[]> {
  const { companyId } = company;
  const other = view === 'accrual' ? 'C' : 'A';
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ account_id: number; amount: Cents }>`
      select account_id, sum(amount_cents)::bigint as amount from journal_line
      where company_id = ${companyId} and basis <> ${other} and posting_date <= ${until}
      group by account_id having sum(amount_cents) <> 0 order by account_id`),
  );
  return rows.map((row) => `${row.account_id} ${formatAmount(row.amount)}`);
}

async function openOf(id: number): Promise<string> {
  return formatAmount((await t.call(billingCalls.getInvoice, { token, params: { id } })).openAmount);
}

const applied = (payment: { paymentApplications: { invoiceId: number; amount: Cents }[] }) =>
  payment.paymentApplications.map((each) => formatAmount(each.amount));

describe('payment validation', () => {
  const cases: [string, (ids: Ids) => Record<string, unknown>, string][] = [
    ['an amount of 0.00', () => ({ paymentAmount: 0 }), 'must be more than $0.00'],
    ['no account for the money', () => ({ bankAccountId: null }), 'Please Select a Bank Account'],
    ['a bank account that does not exist', () => ({ bankAccountId: 999_999 }), 'Please Select a Bank Account'],
    [
      'a cash account that is a receivable',
      () => ({ bankAccountId: null, paymentAccountId: 138 }),
      'Please Select a Cash Account',
    ],
    ['a payment type that does not exist', () => ({ paymentTypeId: 99 }), 'Please Select a Payment Type'],
    ['a customer that does not exist', () => ({ customerId: 999_999 }), 'Please Select a Customer'],
    [
      '100.01 applied to an open balance of 100.00',
      ({ a }) => ({ paymentApplications: [{ invoiceId: a, amount: 100.01 }] }),
      'unpaid',
    ],
    [
      '60.00 applied twice to an open balance of 100.00',
      ({ a }) => ({
        paymentApplications: [
          { invoiceId: a, amount: 60 },
          { invoiceId: a, amount: 60 },
        ],
      }),
      'unpaid',
    ],
    [
      'applications of more than the payment amount',
      ({ a }) => ({ paymentAmount: 50, paymentApplications: [{ invoiceId: a, amount: 60 }] }),
      'more than the payment amount',
    ],
    [
      'a negative application',
      ({ a }) => ({ paymentApplications: [{ invoiceId: a, amount: -1 }] }),
      "can't be negative",
    ],
    [
      "an application to another customer's invoice",
      ({ b }) => ({ paymentApplications: [{ invoiceId: b, amount: 1 }] }),
      'not open',
    ],
    [
      'an application to a draft',
      ({ draft }) => ({ paymentApplications: [{ invoiceId: draft, amount: 1 }] }),
      'not open',
    ],
  ];
  interface Ids {
    a: number;
    b: number;
    draft: number;
  }

  it.each(cases)('rejects a payment with %s', async (_name, change, message) => {
    const a = (await make.invoice({ customerId })).id;
    const b = (await make.invoice({ customerId: await make.customer('Oak Hollow') })).id;
    const draft = (await make.invoice({ customerId, arBillingStatus: 1 })).id;
    const before = await countRows(t, company.companyId, 'journal_line');
    const error = await make
      .payment({ customerId, paymentAmount: 120, ...change({ a, b, draft }) })
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('answered 422');
    expect(String(error)).toContain(message);
    expect(await countRows(t, company.companyId, 'payment')).toBe(0);
    expect(await countRows(t, company.companyId, 'payment_application')).toBe(0);
    expect(await countRows(t, company.companyId, 'journal_line')).toBe(before);
    expect(await openOf(a)).toBe('100.00');
  });
});

describe('applying payments', () => {
  it('a payment of 150.00 on two invoices for 100.00 pays all of the first and half of the second', async () => {
    const second = await make.invoice({ customerId, invoiceDate: '2026-03-11' });
    const first = await make.invoice({ customerId, invoiceDate: '2026-03-10' });
    const payment = await make.payment({ customerId, paymentAmount: 150 });
    expect(applied(payment)).toEqual(['100.00', '50.00']);
    expect(payment.paymentApplications[0]?.invoiceId).toBe(first.id);
    expect([await openOf(first.id), await openOf(second.id)]).toEqual(['0.00', '50.00']);
    expect(payment.affectedInvoices.map((row) => row.badge)).toContain('Paid');
  });

  it('an invoice shows its payments with the amounts applied to it, but no other customer payments', async () => {
    const [first, second] = [
      await make.invoice({ customerId, amount: 100 }),
      await make.invoice({ customerId, amount: 80 }),
    ];
    const pay = (paymentDate: string, shares: [number, number][]) =>
      make.payment({
        customerId,
        paymentDate,
        paymentAmount: 150,
        paymentApplications: shares.map(([invoiceId, amount]) => ({ invoiceId, amount })),
      });
    const both = await pay('2026-04-01', [
      [first.id, 30],
      [second.id, 20],
    ]);
    const later = await pay('2026-05-01', [[first.id, 70]]);
    await pay('2026-05-02', []);
    const paidBy = async (id: number) =>
      (await t.call(billingCalls.invoicePayments, { token, params: { id } })).map((one) => [one.id, one.amount]);
    expect(await paidBy(first.id)).toEqual([
      [later.id, 7000],
      [both.id, 3000],
    ]);
    expect(await paidBy(second.id)).toEqual([[both.id, 2000]]);
    await t.call(billingCalls.deletePayment, { token, params: { id: later.id } });
    expect(await paidBy(first.id)).toEqual([[both.id, 3000]]);
    const body = { ...both, paymentApplications: [{ invoiceId: second.id, amount: 20 }], rowVersion: null };
    const moved = { ...body, paymentAmount: 150, closingOverrideReason: undefined };
    await t.call(billingCalls.updatePayment, { token, body: moved });
    expect(await paidBy(first.id)).toEqual([]);
    expect(await paidBy(second.id)).toEqual([[both.id, 2000]]);
    expect((await t.refused(billingCalls.invoicePayments, { token, params: { id: 999_999 } })).status).toBe(404);
  });

  it('a payment of 130.00 on an invoice for 100.00 leaves 30.00 unapplied on both bases', async () => {
    await make.invoice({ customerId });
    const payment = await make.payment({ customerId, paymentAmount: 130 });
    expect(formatAmount(payment.unappliedAmount)).toBe('30.00');
    expect(await balances('accrual')).toEqual(['101 130.00', '138 (30.00)', '140 (100.00)']);
    expect(await balances('cash')).toEqual(['101 130.00', '140 (100.00)', '145 (30.00)']);
  });

  it('an empty list of applications leaves all 130.00 unapplied, and a PUT applies the amount later', async () => {
    const invoice = await make.invoice({ customerId });
    const payment = await make.payment({ customerId, paymentAmount: 130, paymentApplications: [] });
    expect(await openOf(invoice.id)).toBe('100.00');
    const body = { ...inputOf(payment), paymentApplications: [{ invoiceId: invoice.id, amount: 100 }] };
    const edited = await t.call(billingCalls.updatePayment, { token, body });
    expect(formatAmount(edited.unappliedAmount)).toBe('30.00');
    expect(await openOf(invoice.id)).toBe('0.00');
    expect(await balances('cash')).toEqual(['101 130.00', '140 (100.00)', '145 (30.00)']);
  });

  // Promise (books): A partial payment recognizes its share of each line and tax on the invoice to the cent. [4,042.98
  // and 197.02]
  it('a payment of 4,240.00 on an invoice for 8,305.95 recognizes tax and lines to the cent', async () => {
    await make.tax([{ label: 'State', salesTaxType: 0, percentage: '5' }]);
    const lineItems = [
      { description: 'Design', itemPrice: 7719.7, quantity: 1, accountId: 140, taxable: true },
      { description: 'Plants', itemPrice: 200.26, quantity: 1, accountId: 141, taxable: false },
    ];
    const invoice = await make.invoice({ customerId, lineItems });
    expect(formatAmount(invoice.invoiceAmount)).toBe('8,305.95');
    await make.payment({ customerId, paymentAmount: 4240 });
    expect(await balances('cash')).toEqual(['101 4,240.00', '123 (197.04)', '140 (3,940.73)', '141 (102.23)']);
  });

  it('a payment on 03/05 for an invoice dated 03/10 does not count as sales until 03/10', async () => {
    await make.invoice({ customerId });
    await make.payment({ customerId, paymentAmount: 100, paymentDate: '2026-03-05' });
    expect(await balances('cash', '2026-03-09')).toEqual(['101 100.00', '145 (100.00)']);
    expect(await balances('cash', '2026-03-10')).toEqual(['101 100.00', '140 (100.00)']);
  });

  it('a payment can go to Undeposited Funds (104) instead of a bank account', async () => {
    await make.invoice({ customerId });
    const payment = await make.payment({ customerId, paymentAmount: 100, bankAccountId: null, paymentAccountId: 104 });
    expect(payment.accountId).toBe(104);
    expect(await balances('accrual')).toEqual(['104 100.00', '140 (100.00)']);
  });
});

function inputOf(payment: Awaited<ReturnType<Factory['payment']>>) {
  return {
    id: payment.id,
    customerId: payment.customerId,
    paymentDate: payment.paymentDate as string,
    paymentTypeId: payment.paymentTypeId,
    paymentAmount: payment.paymentAmount / 100,
    bankAccountId: payment.bankAccountId,
    rowVersion: payment.rowVersion,
    paymentApplications: payment.paymentApplications.map(({ invoiceId, amount }) => ({
      invoiceId,
      amount: amount / 100,
    })),
  };
}

describe('edited and deleted payments', () => {
  it('lowering a payment from 100.00 to 40.00 reopens 60.00 of the invoice', async () => {
    const invoice = await make.invoice({ customerId });
    const payment = await make.payment({ customerId, paymentAmount: 100 });
    const body = {
      ...inputOf(payment),
      paymentAmount: 40,
      paymentApplications: [{ invoiceId: invoice.id, amount: 40 }],
    };
    const edited = await t.call(billingCalls.updatePayment, { token, body });
    expect(edited.rowVersion).toBe(2);
    expect(await openOf(invoice.id)).toBe('60.00');
    expect(await balances('cash')).toEqual(['101 40.00', '140 (40.00)']);
  });

  it("a payment can't be less than its applied amount, and keeps its type if the type is omitted", async () => {
    await make.invoice({ customerId });
    const payment = await make.payment({ customerId, paymentAmount: 100, paymentTypeId: 3 });
    const body = { ...inputOf(payment), paymentAmount: 40 };
    expect((await t.refused(billingCalls.updatePayment, { token, body })).status).toBe(422);
    expect(await balances('accrual')).toEqual(['101 100.00', '140 (100.00)']);
    const typeless = { ...inputOf(payment), paymentTypeId: 0 };
    const saved = await t.call(billingCalls.updatePayment, { token, body: typeless });
    expect([payment.paymentTypeId, saved.paymentTypeId]).toEqual([3, 3]);
  });

  it("deleting a payment reopens the invoice, and only the invoice's balance remains", async () => {
    const invoice = await make.invoice({ customerId });
    const payment = await make.payment({ customerId, paymentAmount: 100 });
    const answer = await t.call(billingCalls.deletePayment, { token, params: { id: payment.id } });
    expect(answer.affectedInvoices.map((row) => formatAmount(row.openAmount))).toEqual(['100.00']);
    expect(await openOf(invoice.id)).toBe('100.00');
    expect(await balances('accrual')).toEqual(['138 100.00', '140 (100.00)']);
    expect(await balances('cash')).toEqual([]);
    expect((await t.refused(billingCalls.getPayment, { token, params: { id: payment.id } })).status).toBe(404);
  });

  it('an earlier payment changes the shares of later payments, and together they pay each line in full', async () => {
    const lineItems = [1, 2, 3].map((n) => ({
      description: `Part ${n}`,
      itemPrice: 33.33,
      quantity: 1,
      accountId: 139 + n,
    }));
    lineItems[2] = { description: 'Part 3', itemPrice: 33.34, quantity: 1, accountId: 176 };
    await make.invoice({ customerId, lineItems });
    await make.payment({ customerId, paymentAmount: 50, paymentDate: '2026-03-25' });
    await make.payment({ customerId, paymentAmount: 50, paymentDate: '2026-03-20' });
    expect(await balances('cash')).toEqual(['101 100.00', '140 (33.33)', '141 (33.33)', '176 (33.34)']);
    expect(await balances('accrual')).toEqual(await balances('cash'));
  });

  it('moving a line on a paid invoice from account 140 to 141 also moves its cash basis income', async () => {
    const invoice = await make.invoice({ customerId });
    await make.payment({ customerId, paymentAmount: 100 });
    const lineItems = [
      { id: invoice.lineItems[0]?.id, description: 'Work', itemPrice: 100, quantity: 1, accountId: 141 },
    ];
    const body = { id: invoice.id, invoiceDate: '2026-03-10', customerId, lineItems };
    await t.call(billingCalls.updateInvoice, { token, body });
    expect(await balances('cash')).toEqual(['101 100.00', '141 (100.00)']);
  });

  it('while a payment is edited, its 60.00 is listed as applied to the invoice, which has 40.00 open', async () => {
    await make.invoice({ customerId });
    const payment = await make.payment({ customerId, paymentAmount: 60 });
    const params = { customerId, paymentId: payment.id };
    const [row] = await t.call(billingCalls.openInvoicesForPayment, { token, params });
    expect([row?.openAmount, row?.appliedAmount, row?.applyAmount]).toEqual([4000, 6000, 6000]);
  });
});

describe('simultaneous requests', () => {
  // Promise (together): Payments saved at the same time never exceed the open balance. [1 of 50 payments of 60.00
  // against 100.00 is posted]
  it('only one of 50 simultaneous payments of 60.00 against an open balance of 100.00 is posted', async () => {
    const invoice = await make.invoice({ customerId });
    const paymentApplications = [{ invoiceId: invoice.id, amount: 60 }];
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => make.payment({ customerId, paymentAmount: 60, paymentApplications })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await openOf(invoice.id)).toBe('40.00');
    expect(await countRows(t, company.companyId, 'payment')).toBe(1);
    expect(await balances('accrual')).toEqual(['101 60.00', '138 40.00', '140 (100.00)']);
  });

  it('a payment that is sent 20 times at the same time with one key is posted once and gets one response', async () => {
    const invoice = await make.invoice({ customerId });
    const example = await make.payment({ customerId, paymentAmount: 10, paymentApplications: [] });
    const body = {
      ...inputOf(example),
      id: 0,
      paymentAmount: 60,
      paymentApplications: [{ invoiceId: invoice.id, amount: 60 }],
    };
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => t.request({ method: 'POST', url: '/api/billingpayment', token, headers, body })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.bytes.toString())).size).toBe(1);
    expect(await openOf(invoice.id)).toBe('40.00');
    expect(await countRows(t, company.companyId, 'payment')).toBe(2);
  });

  it('books stay balanced and consistent after simultaneous edits to two invoices that share a payment', async () => {
    const [a, b] = [await make.invoice({ customerId }), await make.invoice({ customerId })];
    await make.payment({ customerId, paymentAmount: 150 });
    const edit = (invoice: typeof a, price: number) => {
      const lineItems = [
        { id: invoice.lineItems[0]?.id, description: 'Work', itemPrice: price, quantity: 1, accountId: 141 },
      ];
      return t.call(billingCalls.updateInvoice, {
        token,
        body: { id: invoice.id, invoiceDate: '2026-03-10', customerId, lineItems },
      });
    };
    await Promise.all(Array.from({ length: 10 }, (_, n) => [edit(a, 100 + n), edit(b, 100 + n)]).flat());
    const [openA, openB] = [await openOf(a.id), await openOf(b.id)];
    const cash = await balances('cash');
    expect(cash).toEqual(['101 150.00', '141 (150.00)']);
    expect(await balances('accrual')).toContain('101 150.00');
    expect([openA, openB].every((open) => Number(open) >= 0)).toBe(true);
  });
});

describe('queued payments', () => {
  interface Sent {
    key: string;
    body: object;
  }

  const paying = (key: string, [invoiceId, amount]: [id: number, amount: number], paymentDate = '2026-03-20'): Sent => {
    const paid = { customerId, paymentDate, paymentTypeId: 2, paymentAccountId: 104, paymentAmount: amount };
    return { key, body: { ...paid, paymentApplications: [{ invoiceId, amount }] } };
  };

  const pay = ({ key, body }: Sent): Promise<RawAnswer> =>
    t.request({ method: 'POST', url: '/api/billingpayment', token, headers: { 'idempotency-key': key }, body });

  /** Sends the requests while both of the company's write slots are in use, and then frees one slot. */
  async function together(all: readonly Sent[]): Promise<RawAnswer[]> {
    const turns = [0, 1].map(() => takeTurn(t.pool, company.companyId));
    const answers: Promise<RawAnswer>[] = [];
    for (const each of all) {
      answers.push(pay(each));
      while (t.pool.gates.write.waiting < answers.length) await sleep(2);
    }
    await turns[0]?.();
    const told = await Promise.all(answers);
    await turns[1]?.();
    return told;
  }

  interface Reply {
    paymentNumber: string;
    affectedInvoices: { openAmount: number }[];
  }
  const replies = (answers: readonly RawAnswer[]) =>
    answers.flatMap(({ status, body }) => (status === 200 ? [body as Reply] : []));

  const transactions = async (): Promise<number> => {
    const { companyId } = company;
    const [row] = await t.inCompany(companyId, (tx) =>
      tx.rows(sql<{ count: number }>`
        select count(distinct xmin::text)::int as count from payment where company_id = ${companyId}`),
    );
    return row?.count ?? 0;
  };

  const faults = async () => (await verifyCompany(t.pool, company.companyId)).faults;

  it('queued payments share a transaction, and a rejected one does not affect the others', async () => {
    const [a, b] = [(await make.invoice({ customerId })).id, (await make.invoice({ customerId })).id];
    const first = paying('first', [a, 30]);
    const answers = await together([
      first,
      paying('too much', [a, 80]),
      paying('other invoice', [b, 50]),
      // This payment is dated before the first one, so the first payment's share of the invoice changes.
      paying('dated back', [a, 40], '2026-03-15'),
      first,
      { ...first, body: paying('first', [b, 5]).body },
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 200, 200, 200, 409]);
    expect(answers[1]?.body).toMatchObject({ fields: { 'paymentApplications.0.amount': 'At most $70.00' } });
    const [one, other, back, twin] = replies(answers);
    const number = Number(one?.paymentNumber);
    expect([one, other, back].map((each) => Number(each?.paymentNumber))).toEqual([number, number + 1, number + 2]);
    // Each response shows the open balance as that payment left it.
    expect([one, other, back].map((each) => each?.affectedInvoices[0]?.openAmount)).toEqual([70, 50, 30]);
    expect(twin).toEqual(one);
    expect([await countRows(t, company.companyId, 'payment'), await transactions()]).toEqual([3, 1]);
    expect([await openOf(a), await openOf(b)]).toEqual(['30.00', '50.00']);
    expect(await balances('cash', '2026-03-15')).toEqual(['104 40.00', '140 (40.00)']);
    expect(await balances('cash')).toEqual(['104 120.00', '140 (120.00)']);
    expect(await faults()).toEqual([]);
  });

  it('queued payments are retried separately if their transaction fails', async () => {
    const [a, b] = [(await make.invoice({ customerId })).id, (await make.invoice({ customerId })).id];
    const body = { settingName: 'closingDate', settingValue: '2026-01-31' };
    await t.call(settingsCalls.saveSettings, { token: company.administrator.token, body });
    const answers = await together([
      paying('one', [a, 10]),
      paying('closed', [a, 20], '2026-01-20'),
      paying('other', [b, 30]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 200]);
    expect(replies(answers).map((each) => each.affectedInvoices[0]?.openAmount)).toEqual([90, 70]);
    expect(await countRows(t, company.companyId, 'payment')).toBe(2);
    expect(await faults()).toEqual([]);
  });
});

describe('the values that a new payment starts with', () => {
  const defaults = (of = token) => t.call(billingCalls.paymentDefaults, { token: of });
  const ofVendors = () => t.call(expenseCalls.expensePaymentDefaults, { token });

  it("a new payment starts with the type and account of the user's own last payment or refund", async () => {
    const own = { paymentTypeId: 1, bankAccountId: null, paymentAccountId: 104 };
    expect(await defaults()).toEqual({ payment: null, refund: null, checks: [] });
    const paid = await make.payment({ customerId, paymentAmount: 40, ...own });
    const bankAccountId = await checkingOf(t, company.companyId);
    const paymentRefunds = [{ paymentId: paid.id, amount: 10 }];
    await make.payment({ customerId, paymentAmount: -10, paymentApplications: [], paymentRefunds });
    // A payment that only applies a credit moves no money and has no account, so this payment is ignored.
    const invoice = await make.invoice({ customerId, amount: 5 });
    const memo = await make.credit({ customerId, amount: 5 });
    await make.payment({
      customerId,
      paymentAmount: 0,
      paymentApplications: [
        { invoiceId: memo.id, amount: -5 },
        { invoiceId: invoice.id, amount: 5 },
      ],
    });
    const refund = { paymentTypeId: 2, bankAccountId, paymentAccountId: null };
    expect(await defaults()).toMatchObject({ payment: own, refund });
    expect(await defaults(company.administrator.token)).toMatchObject({ payment: null, refund: null });
    const other = await t.createCompany();
    expect(await defaults(other.administrator.token)).toMatchObject({ payment: null });
  });

  it('each bank account has its own next check number, which vendor payments and refunds share', async () => {
    const bankAccountId = await checkingOf(t, company.companyId);
    const vendorId = await make.vendor();
    const pay = (paymentCheckNo: string) => make.billPayment({ vendorId, paymentAmount: 5, paymentCheckNo });
    // A check number from a customer is ignored.
    await make.payment({ customerId, paymentAmount: 40, paymentCheckNo: '7001' });
    await pay('0998');
    expect((await ofVendors()).checks).toEqual([{ bankAccountId, nextNumber: '0999', isLatest: true }]);
    await pay('');
    expect((await ofVendors()).checks).toEqual([{ bankAccountId, nextNumber: '0999', isLatest: false }]);
    const paid = await make.payment({ customerId, paymentAmount: 40 });
    const paymentRefunds = [{ paymentId: paid.id, amount: 10 }];
    const refund = { customerId, paymentAmount: -10, paymentApplications: [], paymentRefunds };
    const { id } = await make.payment({ ...refund, paymentCheckNo: '0999' });
    expect((await ofVendors()).checks).toEqual([{ bankAccountId, nextNumber: '1000', isLatest: true }]);
    await t.call(billingCalls.deletePayment, { token, params: { id } });
    expect((await defaults()).checks).toEqual([{ bankAccountId, nextNumber: '0999', isLatest: false }]);
  });
});
