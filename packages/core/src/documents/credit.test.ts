import { expect, test } from 'vitest';
import { creditFault, leftToCredit, turnedLine } from './credit.ts';
import { cents, decimal, sum } from '../money.ts';
import { PERCENTAGE } from './discounts.ts';
import { isoDate } from '../dates.ts';
import { inView } from '../books/ledger.ts';
import type { PostableDocument } from '../books/posting.ts';
import { openAmount, wantedPostings, withDocument, withPayment } from '../books/settlement.ts';
import { RECEIVABLE } from './side.ts';
import { EMPTY } from '../testing/random-settlement.ts';

const line = (quantity: number, credited: number, discountType?: number) => {
  return { quantity: decimal(quantity), credited: decimal(credited), discountType };
};

test('an invoiced quantity can be credited only once, but a percentage discount can be credited repeatedly', () => {
  expect(creditFault(line(12, 0), decimal(13))).toBe('Only 12 were billed');
  expect(creditFault(line(12, 8), decimal(5))).toBe('Only 4 of 12 are available to credit');
  expect(creditFault(line(12, 8), decimal(4))).toBeUndefined();
  expect(creditFault(line(12, 8), decimal(0))).toBe('Please enter a quantity');
  expect(creditFault(line(1, 1, PERCENTAGE), decimal(1))).toBeUndefined();
  expect(Number(leftToCredit(line(2, 3)))).toBe(0);
});

test('reversing a line negates its amounts but not its prices, and reversing it again restores it', () => {
  const sold = {
    itemPrice: 5000,
    quantity: '1.1',
    restAmount: cents(0),
    lineItemAmount: cents(5500),
    lineTax: '4.40',
    taxItems: [{ salesTaxType: 0, total: '4.4' }],
    parts: [{ name: 'Mulch', amount: cents(5500) }],
  };
  const turned = turnedLine(sold);
  expect(turned).toMatchObject({ itemPrice: 5000, quantity: '-1.1', lineItemAmount: -5500, lineTax: '-4.4' });
  expect([turned.taxItems[0]?.total, turned.parts?.[0]?.amount]).toEqual(['-4.4', -5500]);
  expect(turnedLine(turned)).toEqual({ ...sold, lineTax: '4.4' });
});

const day = isoDate('2026-03-10');
const part = (accountId: number, amount: number) => {
  return { accountId, amount: cents(amount), description: '', profitCenterId: null, locationId: null };
};
const document = (id: number, kind: string, components: PostableDocument['components']) => {
  const head = { id, kind, date: day, entityId: 5, controlAccountId: 138, description: '', posts: true };
  return { ...head, components };
};

test('crediting 54 and paying 54 of a 108 invoice with tax of 8 leaves income of 50 and tax of 4', () => {
  let books = withDocument(EMPTY, document(1, 'invoice', [part(140, 10_000), part(123, 800)]), null);
  books = withDocument(books, document(2, 'creditmemo', [part(140, -5000), part(123, -400)]), null);
  const payment = {
    id: 9,
    date: isoDate('2026-03-20'),
    entityId: 5,
    moneyAccountId: 101,
    controlAccountId: 138,
    amount: cents(5400),
    description: '',
  };
  const wanted = [
    { documentId: 1, amount: cents(10_800) },
    { documentId: 2, amount: cents(-5400) },
  ];
  books = withPayment(books, payment, wanted, null);
  expect([...books.documents.values()].map(openAmount)).toEqual([0, 0]);
  const entries = wantedPostings(RECEIVABLE, books).flatMap(({ transactions }) =>
    transactions.flatMap((transaction) => transaction.entries),
  );
  for (const view of ['accrual', 'cash'] as const) {
    const of = (accountId: number) =>
      sum(
        entries.filter((each) => each.accountId === accountId && inView(each.basis, view)).map(({ amount }) => amount),
      );
    expect([of(101), of(138) + 0, of(140), of(123)]).toEqual([5400, 0, -5000, -400]);
  }
});
