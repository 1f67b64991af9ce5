import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { billingPayments } from '../../features/billing/views.ts';
import { openPool } from '../../platform/db/connect.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { countRoundTrips } from '../../testing/round-trips.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import { countStatements } from '../../testing/statements.ts';
import type { WorldCompany } from '../../testing/world.ts';

/** The number of payments that exist before the measured payments. */
const EARLIER = 300;

let t: TestApp;
let company: WorldCompany;
let make: Factory;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  make = factoryFor(t, company);
});
afterAll(() => t.close());

const NOTHING = { statements: 0, rows: 0 };
const cost = async (work: () => Promise<unknown>) => countStatements(t.pool, work);

describe('a payment on an invoice for 1,000.00', () => {
  const paid = (customerId: number, invoiceId: number, day = '2026-04-30', amount = 1) =>
    make.payment({
      customerId,
      paymentDate: day,
      paymentAmount: amount,
      paymentApplications: [{ invoiceId, amount }],
    });

  test('saving a payment costs the same after 300 payments as after none, but more if later ones exist', async () => {
    const customerId = await make.customer();
    const invoice = (await make.invoice({ customerId, amount: 1000 })).id;
    const first = await cost(() => paid(customerId, invoice, '2026-04-01'));
    for (let n = 1; n < EARLIER; n += 1) await paid(customerId, invoice, n > 290 ? '2026-04-29' : '2026-04-01');
    const last = await cost(() => paid(customerId, invoice));
    expect(last).toEqual(first);
    const sameDay = await cost(() => paid(customerId, invoice));
    expect(sameDay).toEqual(first);
    const dated = await cost(() => paid(customerId, invoice, '2026-04-15'));
    // After April 15, nine payments are dated April 29, and two are dated April 30. Each payment has a row, an
    // application, and lines.
    expect(dated.rows).toBeGreaterThan(first.rows + 11);
    expect(dated.rows).toBeLessThan(first.rows + 11 * 25);
  });

  test("saving a payment doesn't read the other applications to its invoice or on its date", async () => {
    const customerId = await make.customer();
    const invoices: number[] = [];
    for (let n = 0; n < 4; n += 1) invoices.push((await make.invoice({ customerId, amount: 1000 })).id);
    for (let n = 0; n < 120; n += 1) await paid(customerId, invoices[n % 4] ?? 0);
    const owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 1 });
    await owner.query('analyze payment_application; analyze payment; analyze document');
    await owner.end();
    const work = () => paid(customerId, invoices[0] ?? 0);
    const read = await rowsRead(t.pool, { companyId: company.companyId, table: 'payment_application' }, work);
    // These rows belong to the payment itself, and the response needs them.
    expect(read.rows).toBeLessThan(5);
  });

  test('deleting the latest payment costs the same after 100 earlier payments as after 3', async () => {
    const costs: unknown[] = [];
    for (const earlier of [3, 100]) {
      const customerId = await make.customer();
      const invoice = (await make.invoice({ customerId, amount: 1000 })).id;
      for (let n = 0; n < earlier; n += 1) await paid(customerId, invoice, '2026-04-01');
      const { id } = await paid(customerId, invoice);
      costs.push(await cost(() => t.call(billingCalls.deletePayment, { token: make.token, params: { id } })));
    }
    expect(costs[1]).toEqual(costs[0]);
  });
});

describe('payments that are saved together', () => {
  const many = async (invoiceIds: readonly number[], customerId: number) =>
    t.withCtx(company.administrator, (ctx) =>
      billingPayments.createMany(
        ctx,
        invoiceIds.map((invoiceId, at) => ({
          today: isoDate('2026-04-30'),
          input: {
            customerId,
            paymentDate: isoDate(`2026-04-${10 + at}`),
            paymentAmount: cents(60_000),
            paymentTypeId: 2,
            paymentAccountId: 104,
            paymentApplications: [{ invoiceId, amount: cents(60_000) }],
          },
        })),
      ),
    );

  // Promise (together): Payments that are saved together are settled and numbered as if they were saved one by one, or
  // are all rejected. [10 payments, < 50 statements]
  test('saving 10 payments takes fewer than 50 statements and has the same results as 10 single saves', async () => {
    const customerId = await make.customer();
    const invoices: number[] = [];
    for (let n = 0; n < 10; n += 1) invoices.push((await make.invoice({ customerId, amount: 1000 })).id);
    let ids: number[] = [];
    const { statements } = await cost(async () => {
      ids = await many(invoices, customerId);
    });
    expect(statements).toBeLessThan(50);
    const saved = await Promise.all(
      ids.map((id) => t.call(billingCalls.getPayment, { token: make.token, params: { id } })),
    );
    const [first = 0] = saved.map(({ paymentNumber }) => Number(paymentNumber));
    expect(saved.map(({ paymentNumber }) => Number(paymentNumber))).toEqual(invoices.map((_, at) => first + at));
    const open = await Promise.all(
      invoices.map((id) => t.call(billingCalls.getInvoice, { token: make.token, params: { id } })),
    );
    expect(open.map(({ openAmount }) => openAmount)).toEqual(invoices.map(() => 40_000));
    expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
  });

  test('if the second payment exceeds the balance that the first one leaves, all payments are rejected', async () => {
    const customerId = await make.customer();
    const { id } = await make.invoice({ customerId, amount: 1000 });
    await expect(many([id, id], customerId)).rejects.toThrow("cannot exceed the invoice's unpaid amount");
    expect((await t.call(billingCalls.getInvoice, { token: make.token, params: { id } })).openAmount).toBe(100_000);
  });
});

describe('invoice edits', () => {
  let keys = 0;
  /**
   * Creates an invoice for 5,000.00 with `payments` payments of 1.00. Returns the invoice's ID and a function that
   * edits the invoice.
   */
  const paidInvoice = async (payments: number) => {
    const customerId = await make.customer();
    const { id } = await make.invoice({ customerId, amount: 5000 });
    for (let n = 0; n < payments; n += 1) {
      await make.payment({ customerId, paymentAmount: 1, paymentApplications: [{ invoiceId: id, amount: 1 }] });
    }
    const edit = (given: object, description = 'Work') => {
      const lineItems = [{ description, itemPrice: 5000, quantity: 1, accountId: 140 }];
      const body = { id, customerId, invoiceDate: '2026-03-10', dueDate: '2026-04-09', lineItems, ...given };
      const headers = { 'idempotency-key': `edit-${(keys += 1)}` };
      return t.call(billingCalls.updateInvoice, { token: make.token, headers, body });
    };
    return { id, edit };
  };

  test('an invoice edit that affects no payment costs the same with 40 payments as with 2', async () => {
    const [few, many] = [await paidInvoice(2), await paidInvoice(40)];
    const moved = { dueDate: '2026-05-09' };
    expect(await cost(() => many.edit(moved))).toEqual(await cost(() => few.edit(moved)));
  });

  test('editing an invoice’s line text or date posts all payments again in a fixed number of statements', async () => {
    const invoices = [await paidInvoice(10), await paidInvoice(20), await paidInvoice(40)];
    for (const change of [['More work'], ['Work', '2026-03-25'], ['Other work', '2026-03-25']]) {
      const [words = '', invoiceDate = '2026-03-10'] = change;
      const costs = [];
      for (const { edit } of invoices) costs.push(await cost(() => edit({ invoiceDate }, words)));
      const [ten = NOTHING, twenty = NOTHING, forty = NOTHING] = costs;
      expect([twenty.statements, forty.statements]).toEqual([ten.statements, ten.statements]);
      // The cost is linear: twice as many additional payments cause twice as many additional rows.
      expect(forty.rows - twenty.rows).toBe(2 * (twenty.rows - ten.rows));
    }
  });

  test('an invoice edit reads as many journal lines after 40 edits as after 2', async () => {
    const { edit } = await paidInvoice(1);
    const read = (words: string) =>
      rowsRead(t.pool, { companyId: company.companyId, table: 'journal_line' }, () => edit({}, words));
    await edit({}, 'First');
    await edit({}, 'Second');
    const early = await read('Third');
    for (let n = 0; n < 40; n += 1) await edit({}, `Edit ${n}`);
    expect(await read('Last')).toEqual(early);
  });
});

describe('database round trips with a cached session', () => {
  let keys = 0;
  const headers = () => ({ 'idempotency-key': `settle-${(keys += 1)}` });
  let customerId: number;
  let invoiceId: number;
  let paymentId: number;
  let unpaidId: number;
  beforeAll(async () => {
    customerId = await make.customer();
    invoiceId = (await make.invoice({ customerId })).id;
    paymentId = (await make.payment({ customerId, paymentAmount: 40 })).id;
    unpaidId = (await make.invoice({ customerId: await make.customer() })).id;
  });

  const body = (given: object) => {
    return {
      customerId,
      paymentDate: '2026-03-21',
      paymentTypeId: 2,
      paymentAccountId: 104,
      paymentAmount: 10,
      ...given,
    };
  };
  const lineItems = [{ description: 'More work', itemPrice: 150, quantity: 1, accountId: 141 }];
  const invoice = () => ({ id: invoiceId, customerId, invoiceDate: '2026-03-11', lineItems });
  const commands: [string, () => Promise<unknown>][] = [
    [
      'creating a payment',
      () => t.call(billingCalls.createPayment, { token: make.token, headers: headers(), body: body({}) }),
    ],
    [
      'editing a payment',
      () => {
        const given = { id: paymentId, paymentApplications: [{ invoiceId, amount: 5 }] };
        return t.call(billingCalls.updatePayment, { token: make.token, headers: headers(), body: body(given) });
      },
    ],
    [
      'editing an invoice with payments',
      () => t.call(billingCalls.updateInvoice, { token: make.token, headers: headers(), body: invoice() }),
    ],
    [
      'deleting a payment',
      () => t.call(billingCalls.deletePayment, { token: make.token, headers: headers(), params: { id: paymentId } }),
    ],
    [
      'deleting an invoice',
      () => t.call(billingCalls.deleteInvoice, { token: make.token, headers: headers(), params: { id: unpaidId } }),
    ],
  ];

  test.each(commands)('%s takes at most 4 round trips', async (_name, command) => {
    expect(await countRoundTrips(t.pool, command)).toBeLessThanOrEqual(4);
  });
});
