import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocate, fill, listOrder } from '../allocation.ts';
import { type OpenInvoice, checkApplications, movedBy, withDocument, withPayment } from './settlement.ts';
import { addDays, isoDate } from '../dates.ts';
import { cents } from '../money.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);
const JAN1 = isoDate('2026-01-01');

function open(invoiceId: number, unpaid: number, more: Partial<OpenInvoice> = {}): OpenInvoice {
  const dates = { invoiceDate: addDays(JAN1, invoiceId), dueDate: null };
  return { invoiceId, invoiceNumber: `INV-${invoiceId}`, ...dates, unpaid: cents(unpaid), ...more };
}

function pay(amount: number, invoices: OpenInvoice[]): [number, number][] {
  return allocate(cents(amount), invoices).map((each) => [each.invoiceId, each.amount]);
}

describe('list order', () => {
  test('open invoices are sorted by invoice date, due date, number in natural order, and ID', () => {
    const same = { invoiceDate: JAN1, dueDate: addDays(JAN1, 30) };
    const invoices = [
      open(1, 1, { ...same, invoiceNumber: 'INV-10' }),
      open(2, 1, { ...same, invoiceNumber: 'INV-9' }),
      open(5, 1, { ...same, invoiceNumber: 'INV-9' }),
      open(3, 1, { ...same, dueDate: null, invoiceNumber: 'Z' }),
      open(4, 1, { invoiceDate: isoDate('2025-12-31'), invoiceNumber: 'Z' }),
    ];
    expect(listOrder(invoices).map((each) => each.invoiceId)).toEqual([4, 3, 2, 5, 1]);
    expect(listOrder(invoices, 5).map((each) => each.invoiceId)).toEqual([5, 4, 3, 2, 1]);
    expect(listOrder(invoices, 9).map((each) => each.invoiceId)).toEqual([4, 3, 2, 5, 1]);
  });

  test('a payment of 500.00 first pays the invoice that the user chose, and then the oldest invoice', () => {
    const listed = listOrder([open(1, 30000), open(2, 30000), open(3, 40000)], 3);
    expect(fill(cents(50000), listed)).toEqual([
      { invoiceId: 3, amount: 40000 },
      { invoiceId: 1, amount: 10000 },
    ]);
  });
});

describe('allocate', () => {
  test('applying 150.00 to two 100.00 invoices pays the first in full and half of the second', () => {
    expect(pay(15000, [open(1, 10000), open(2, 10000)])).toEqual([
      [1, 10000],
      [2, 5000],
    ]);
  });

  test('40.00 pays part of a 60.00 invoice, and then 100.00 pays the rest and 80.00 of the next one', () => {
    expect(pay(4000, [open(1, 6000), open(2, 10000), open(3, 4000)])).toEqual([[1, 4000]]);
    expect(pay(10000, [open(1, 2000), open(2, 10000), open(3, 4000)])).toEqual([
      [1, 2000],
      [2, 8000],
    ]);
  });

  test('the part of a payment that exceeds the open balances stays unapplied', () => {
    expect(pay(25000, [open(2, 10000), open(1, 5000)])).toEqual([
      [1, 5000],
      [2, 10000],
    ]);
  });

  test('allocate skips paid invoices and credits, and returns nothing for 0.00', () => {
    expect(pay(5000, [open(1, 0), open(2, -2000), open(3, 9000)])).toEqual([[3, 5000]]);
    expect(pay(0, [open(1, 100)])).toEqual([]);
  });

  test('allocate never exceeds the amount or an open balance, and applies as much as possible', () => {
    const unpaid = fc.array(fc.integer({ min: -5000, max: 100_000 }), { maxLength: 10 });
    const check = (amount: number, amounts: number[]): void => {
      const invoices = amounts.map((each, index) => open(index, each));
      const applied = allocate(cents(amount), invoices);
      const total = applied.reduce((all, each) => all + each.amount, 0);
      const room = amounts.reduce((all, each) => all + Math.max(0, each), 0);
      expect(total).toBe(Math.min(amount, room));
      for (const each of applied) {
        expect(each.amount).toBeGreaterThan(0);
        expect(each.amount).toBeLessThanOrEqual(amounts[each.invoiceId] ?? 0);
      }
      expect(checkApplications({ amount: cents(amount), applications: applied, open: invoices })).toEqual(applied);
    };
    fc.assert(fc.property(fc.integer({ min: 0, max: 400_000 }), unpaid, check), { numRuns });
  });
});

describe('checkApplications', () => {
  const invoices = [open(1, 10000), open(2, 5000), open(3, -2000)];

  function check(amount: number, ...applications: [number, number][]) {
    return checkApplications({
      amount: cents(amount),
      applications: applications.map(([invoiceId, part]) => ({ invoiceId, amount: cents(part) })),
      open: invoices,
    });
  }

  test.each([
    [
      '100.01 applied to an invoice with 100.00 unpaid',
      20000,
      [[1, 10001]],
      "exceed the invoice's unpaid amount: $100.01 applied",
    ],
    [
      'two applications that together exceed the unpaid amount',
      20000,
      [
        [1, 6000],
        [1, 4001],
      ],
      '$100.01 applied to invoice INV-1, which has $100.00 unpaid',
    ],
    [
      'applications that exceed the payment',
      12000,
      [
        [1, 10000],
        [2, 2001],
      ],
      '($120.01) are more than the payment amount ($120.00)',
    ],
    ['a negative amount', 5000, [[1, -1]], "applied to invoice INV-1 can't be negative"],
    ['a positive amount on a credit', 5000, [[3, 1]], 'applied to invoice INV-3 must be negative'],
    [
      'more than the remaining credit',
      5000,
      [
        [1, 5000],
        [3, -2001],
      ],
      'applied to invoice INV-3',
    ],
    ['an invoice that is not open', 5000, [[9, 1]], 'Invoice 9 is not open for this payment'],
    [
      'credits that exceed the invoices',
      0,
      [
        [1, 1000],
        [3, -1001],
      ],
      'The applied credits exceed the invoices that they are applied to',
    ],
    ['a negative payment', -1, [], 'cannot be negative'],
  ] as [string, number, [number, number][], string][])(
    'checkApplications rejects %s',
    (_, amount, applications, message) => {
      expect(() => check(amount, ...applications)).toThrow(message);
    },
  );

  test('checkApplications reports the field of the invalid application', () => {
    const fields = { 'paymentApplications.1.amount': 'At most $50.00' };
    expect(() => check(20000, [1, 1000], [2, 5001])).toThrow(expect.objectContaining({ fields }));
  });

  test('several applications to one invoice are added up, and applications of 0.00 are omitted', () => {
    expect(check(20000, [1, 4000], [2, 0], [1, 6000])).toEqual([{ invoiceId: 1, amount: 10000 }]);
  });

  test('a credit of 20.00 and a payment of 30.00 pay an invoice for 50.00', () => {
    expect(check(3000, [2, 5000], [3, -2000])).toHaveLength(2);
  });
});

describe('saved documents', () => {
  const component = { accountId: 140, amount: cents(100), description: 'Work', profitCenterId: null, locationId: null };
  const before = {
    id: 1,
    kind: 'invoice',
    date: JAN1,
    entityId: 7,
    controlAccountId: 138,
    description: 'Invoice 10001',
    components: [component],
    posts: true,
  };

  test('saving a document without changes to posted fields affects no postings', () => {
    expect(movedBy(before, { ...before, components: [{ ...component }], paidAtOnce: false })).toBe('nothing');
  });

  test.each([
    ['description', { description: 'Invoice 10002' }],
    ['customer', { entityId: 8 }],
    ['posting status', { posts: false }],
    ['immediate payment', { paidAtOnce: true }],
  ])("a change to a document's %s affects only its own posting", (_what, given) => {
    expect(movedBy(before, { ...before, ...given })).toBe('itself');
  });

  test.each([
    ['date', { date: addDays(JAN1, 1) }],
    ['control account', { controlAccountId: 139 }],
    ['amount', { components: [{ ...component, amount: cents(101) }] }],
    ['line’s description', { components: [{ ...component, description: 'More work' }] }],
    ['line’s profit center', { components: [{ ...component, profitCenterId: 3 }] }],
    ['lines', { components: [component, component] }],
  ])("a change to a document's %s affects its own posting and its payments' postings", (_what, given) => {
    expect(movedBy(before, { ...before, ...given })).toBe('payments');
  });
});

describe('discounts', () => {
  const listed = [open(1, 10_800), open(2, -2000)];
  const checked = (applications: { invoiceId: number; amount: number; discount: number }[]) =>
    checkApplications({
      amount: cents(20_000),
      applications: applications.map((each) => ({
        ...each,
        amount: cents(each.amount),
        discount: cents(each.discount),
      })),
      open: listed,
    });

  test('a discount on a payment is at most the unpaid amount less the applied amount', () => {
    expect(checked([{ invoiceId: 1, amount: 10_584, discount: 216 }])).toEqual([
      { invoiceId: 1, amount: 10_584, discount: 216 },
    ]);
    expect(checked([{ invoiceId: 1, amount: 0, discount: 216 }])).toHaveLength(1);
    const over = () => checked([{ invoiceId: 1, amount: 10_700, discount: 216 }]);
    expect(over).toThrow(
      "A discount can't be more than the unpaid amount: a discount of $2.16 on invoice INV-1, " +
        'which has only $1.00 unpaid',
    );
    expect(() => checked([{ invoiceId: 1, amount: 1, discount: -1 }])).toThrow('A discount cannot be negative');
    expect(() => checked([{ invoiceId: 2, amount: -1, discount: 1 }])).toThrow(
      "A discount can't be more than the unpaid amount",
    );
  });

  test('discounts on closed days stay unless their application is reversed on one of those days', () => {
    const [closing, next] = [isoDate('2026-01-31'), isoDate('2026-02-01')];
    const line = { accountId: 140, amount: cents(10_000), description: '', profitCenterId: null, locationId: null };
    const document = {
      id: 1,
      kind: 'invoice',
      date: JAN1,
      entityId: 5,
      controlAccountId: 138,
      description: 'Invoice 1',
      components: [line],
      posts: true,
    };
    const money = { moneyAccountId: 101, controlAccountId: 138, discountAccountId: 143, amount: cents(9_800) };
    const payment = { id: 2, date: isoDate('2026-01-05'), entityId: 5, description: '', ...money };
    const bare = withDocument({ documents: new Map(), payments: new Map(), applications: [] }, document, null);
    const wanted = (amount: number, waived: number) => [
      { documentId: 1, amount: cents(amount), waived: cents(waived) },
    ];
    const paid = withPayment(bare, payment, wanted(10_000, 200), null);
    expect(() => withPayment(paid, payment, wanted(10_000, 0), closing)).toThrow('on or before the closing date');
    expect(withPayment(paid, payment, wanted(10_000, 200), closing).applications).toEqual(paid.applications);
    const rowsOf = ({ applications }: typeof paid) =>
      applications.map(({ amount, waived, recognitionDate }) => [amount, waived, recognitionDate]);
    expect(rowsOf(withPayment(paid, payment, wanted(5_000, 200), closing))).toEqual([
      [10_000, 200, payment.date],
      [-5_000, undefined, next],
    ]);
    expect(rowsOf(withPayment(paid, payment, wanted(9_800, 0), closing))).toEqual([
      [10_000, 200, payment.date],
      [-200, -200, next],
    ]);
    expect(rowsOf(withPayment(paid, payment, [], closing))).toEqual([
      [10_000, 200, payment.date],
      [-10_000, -200, next],
    ]);
  });
});
