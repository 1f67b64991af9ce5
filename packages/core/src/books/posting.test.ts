import { describe, expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import type { Entry, Transaction } from './ledger.ts';
import { cents } from '../money.ts';
import { componentsOf, cumulate, postDocument, postPayment, recognise } from './posting.ts';
import type { Application, Component, PostableDocument, PostablePayment } from './posting.ts';
import { RECEIVABLE } from '../documents/side.ts';

const JAN10 = isoDate('2026-01-10');
const JAN20 = isoDate('2026-01-20');
const FEB01 = isoDate('2026-02-01');

function component(accountId: number, amount: number, more: Partial<Component> = {}): Component {
  const plain = { description: `On ${accountId}`, profitCenterId: null, locationId: null };
  return { accountId, amount: cents(amount), ...plain, ...more };
}

/** Sales of 100.00 with profit center 5 and location 6, and tax of 6.00. */
const invoice: PostableDocument = {
  id: 1,
  date: JAN10,
  entityId: 9,
  controlAccountId: 138,
  description: 'Invoice 1',
  components: [component(140, 10000, { profitCenterId: 5, locationId: 6 }), component(123, 600)],
};

function application(amount: number, more: Partial<Application> = {}): Application {
  return { document: invoice, amount: cents(amount), recognitionDate: JAN20, appliedBefore: cents(0), ...more };
}

function payment(amount: number, applications: Application[], more: Partial<PostablePayment> = {}): PostablePayment {
  const money = { moneyAccountId: 101, controlAccountId: 138, amount: cents(amount) };
  return { id: 1, date: JAN20, entityId: 9, ...money, description: 'Payment 1', applications, ...more };
}

function brief(entries: readonly Entry[]): [number, number, string][] {
  return entries.map((each) => [each.accountId, each.amount, each.basis]);
}

function briefs(transactions: readonly Transaction[]): [string, [number, number, string][]][] {
  return transactions.map((each) => [each.postingDate, brief(each.entries)]);
}

describe('postDocument', () => {
  test('an invoice for 106.00 posts a receivable, sales of 100.00, and tax of 6.00 on the accrual basis only', () => {
    const { postingDate, entries } = postDocument(RECEIVABLE, invoice);
    expect(postingDate).toBe(JAN10);
    expect(brief(entries)).toEqual([
      [138, 10600, 'A'],
      [140, -10000, 'A'],
      [123, -600, 'A'],
    ]);
  });

  test('only the receivable line has the customer, and only the income line has the dimensions', () => {
    const dimensions = postDocument(RECEIVABLE, invoice).entries.map((each) => [
      each.entityId,
      each.profitCenterId,
      each.locationId,
    ]);
    expect(dimensions).toEqual([
      [9, null, null],
      [null, 5, 6],
      [null, null, null],
    ]);
  });

  test('a discount of 20.00 is posted as a debit, without a line of 0.00', () => {
    const components = [component(140, 10000), component(143, -2000), component(123, 0)];
    expect(brief(postDocument(RECEIVABLE, { ...invoice, components }).entries)).toEqual([
      [138, 8000, 'A'],
      [140, -10000, 'A'],
      [143, 2000, 'A'],
    ]);
  });

  test('a document for 0.00 counts as paid immediately, so its lines are on both bases', () => {
    const components = [component(140, 10000), component(143, -10000)];
    expect(brief(postDocument(RECEIVABLE, { ...invoice, components }).entries)).toEqual([
      [140, -10000, 'B'],
      [143, 10000, 'B'],
    ]);
  });
});

describe('postPayment', () => {
  test('rejects applications of 50.01 for a payment of 50.00', () => {
    expect(() => postPayment(RECEIVABLE, payment(5000, [application(5001)]))).toThrow('more than the payment amount');
  });

  test('a payment of 53.00 on an invoice for 106.00 recognizes half of the sales and half of the tax', () => {
    expect(briefs(postPayment(RECEIVABLE, payment(5300, [application(5300)])))).toEqual([
      [
        JAN20,
        [
          [101, 5300, 'B'],
          [138, -5300, 'A'],
          [140, -5000, 'C'],
          [123, -300, 'C'],
        ],
      ],
    ]);
  });

  test('recognized lines keep their dimensions', () => {
    const [transaction] = postPayment(RECEIVABLE, payment(5300, [application(5300)]));
    const recognised = transaction?.entries.filter((each) => each.basis === 'C');
    expect(recognised?.map((each) => [each.profitCenterId, each.locationId])).toEqual([
      [5, 6],
      [null, null],
    ]);
    expect(transaction?.entries.find((each) => each.accountId === 138)?.entityId).toBe(9);
  });

  test('a payment of 120.00 on an invoice for 106.00 leaves 14.00 as unapplied cash income', () => {
    const [transaction] = postPayment(RECEIVABLE, payment(12000, [application(10600)]));
    expect(brief(transaction?.entries ?? [])).toEqual([
      [101, 12000, 'B'],
      [138, -12000, 'A'],
      [140, -10000, 'C'],
      [123, -600, 'C'],
      [145, -1400, 'C'],
    ]);
  });

  test('an early payment stays in unapplied cash income and is recognized on the invoice date', () => {
    const early = payment(10600, [application(10600, { recognitionDate: FEB01 })]);
    expect(briefs(postPayment(RECEIVABLE, early))).toEqual([
      [
        JAN20,
        [
          [101, 10600, 'B'],
          [138, -10600, 'A'],
          [145, -10600, 'C'],
        ],
      ],
      [
        FEB01,
        [
          [145, 10600, 'C'],
          [140, -10000, 'C'],
          [123, -600, 'C'],
        ],
      ],
    ]);
  });

  test('a payment credits receivable account 1201, which the invoice debited, instead of the default account', () => {
    const other = { ...invoice, controlAccountId: 1201 };
    const [transaction] = postPayment(RECEIVABLE, payment(12000, [application(10600, { document: other })]));
    expect(brief(transaction?.entries ?? []).slice(0, 3)).toEqual([
      [101, 12000, 'B'],
      [1201, -10600, 'A'],
      [138, -1400, 'A'],
    ]);
  });

  test('a credit moves to another receivable account on the date it is applied to an invoice in that account', () => {
    const other = { ...invoice, controlAccountId: 1201 };
    const later = postPayment(
      RECEIVABLE,
      payment(5300, [application(5300, { document: other, recognitionDate: FEB01 })]),
    )[1];
    expect(brief(later?.entries ?? [])).toEqual([
      [138, 5300, 'A'],
      [1201, -5300, 'A'],
      [145, 5300, 'C'],
      [140, -5000, 'C'],
      [123, -300, 'C'],
    ]);
  });

  test('later applications post one transaction for each date, in date order', () => {
    const applications = [
      application(1000, { recognitionDate: FEB01 }),
      application(1000, { recognitionDate: isoDate('2026-01-25'), appliedBefore: cents(1000) }),
      application(1000, { recognitionDate: FEB01, appliedBefore: cents(2000) }),
    ];
    const dates = postPayment(RECEIVABLE, payment(3000, applications)).map((each) => each.postingDate);
    expect(dates).toEqual([JAN20, '2026-01-25', FEB01]);
  });

  test('a payment of 0.00 without applications posts nothing', () => {
    expect(postPayment(RECEIVABLE, payment(0, []))).toEqual([]);
  });
});

describe('recognize', () => {
  test('three payments of 0.33, 0.33, and 0.34 recognize fractions of a cent without loss', () => {
    const thirds = [component(140, 34), component(141, 33), component(142, 33)];
    const steps = [
      [0, 33],
      [33, 66],
      [66, 100],
    ].map(([before, after]) => recognise(thirds, cents(before ?? 0), cents(after ?? 0)));
    expect(steps).toEqual([
      [11, 11, 11],
      [11, 11, 11],
      [12, 11, 11],
    ]);
  });

  test('a discount is recognized proportionally, with its sign', () => {
    expect(recognise([component(140, 10000), component(143, -2000)], cents(0), cents(4000))).toEqual([5000, -1000]);
  });

  test('a credit of -100.00 is recognized with its sign', () => {
    expect(recognise([component(160, -7500), component(161, -2500)], cents(0), cents(-5000))).toEqual([-3750, -1250]);
  });

  test('nothing is recognized if nothing is applied, even on an invoice for 0.00', () => {
    expect(recognise([component(140, 100), component(143, -100)], cents(0), cents(0))).toEqual([0, 0]);
  });
});

test('cumulate sorts applications by recognition date and payment ID, and adds the amounts applied earlier', () => {
  const given = [
    { paymentId: 3, recognitionDate: JAN20, amount: cents(300) },
    { paymentId: 2, recognitionDate: FEB01, amount: cents(200) },
    { paymentId: 1, recognitionDate: JAN20, amount: cents(100) },
  ];
  expect(cumulate(given).map((each) => [each.paymentId, each.appliedBefore])).toEqual([
    [1, 0],
    [3, 100],
    [2, 400],
  ]);
});

test('the components of an invoice are its lines in order, then its taxes without dimensions', () => {
  const line = { accountId: 140, lineItemAmount: cents(500), description: 'Bolt', profitCenterId: 5, locationId: null };
  const taxItems = [{ label: 'State', total: cents(30) }];
  expect(componentsOf({ lines: [line], taxItems, taxAccountId: 123 })).toEqual([
    { accountId: 140, amount: 500, description: 'Bolt', profitCenterId: 5, locationId: null },
    { accountId: 123, amount: 30, description: 'State', profitCenterId: null, locationId: null },
  ]);
});

describe('early-payment discounts', () => {
  const rest = { amount: cents(5300), waived: cents(212), appliedBefore: cents(5300) };

  test('a discount of 2.12 posts on the accrual basis only, and the cash basis recognizes only the payment', () => {
    const half = payment(5300, [application(5300)]);
    const other = payment(5088, [application(5300, rest)], { id: 2, discountAccountId: 143 });
    expect(briefs([...postPayment(RECEIVABLE, half), ...postPayment(RECEIVABLE, other)])).toEqual([
      [
        JAN20,
        [
          [101, 5300, 'B'],
          [138, -5300, 'A'],
          [140, -5000, 'C'],
          [123, -300, 'C'],
        ],
      ],
      [
        JAN20,
        [
          [101, 5088, 'B'],
          [143, 212, 'A'],
          [138, -5300, 'A'],
          [140, -4800, 'C'],
          [123, -288, 'C'],
        ],
      ],
    ]);
  });

  test("a discount on a later invoice is posted on that invoice's date and in its receivable account", () => {
    const later = { ...invoice, date: FEB01, controlAccountId: 2138 };
    const early = application(10600, { document: later, waived: cents(212), recognitionDate: FEB01 });
    const [, second] = briefs(postPayment(RECEIVABLE, payment(10388, [early], { discountAccountId: 143 })));
    expect(second).toEqual([
      FEB01,
      [
        [138, 10600, 'A'],
        [2138, -10600, 'A'],
        [143, 212, 'A'],
        [138, -212, 'A'],
        [145, 10388, 'C'],
        [140, -9800, 'C'],
        [123, -588, 'C'],
      ],
    ]);
  });

  test('reversing an application with a discount reverses exactly the recognized amounts, to the cent', () => {
    const document = { ...invoice, components: [component(140, 3333), component(141, 3333), component(123, 3334)] };
    const taken = application(10000, { document, waived: cents(333) });
    const back = { document, recognitionDate: FEB01, amount: cents(-10000), waived: cents(-333) };
    const both = [taken, application(0, { ...back, appliedBefore: cents(10000) })];
    const all = postPayment(RECEIVABLE, payment(9667, both, { discountAccountId: 143 })).flatMap(
      ({ entries }) => entries,
    );
    const total = (accountId: number) =>
      all.reduce((sum, each) => sum + (each.accountId === accountId ? each.amount : 0), 0);
    expect([140, 141, 123, 143].map(total)).toEqual([0, 0, 0, 0]);
  });
});
