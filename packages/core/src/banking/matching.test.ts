import { describe, expect, test } from 'vitest';
import { addDays, isoDate } from '../dates.ts';
import { cents, sum } from '../money.ts';
import { type Explained, explain } from './matching.ts';
import type { BookItem, ReviewLine } from './matching/score.ts';
import { onlySet } from './matching/sets.ts';
import { payeeOf } from './matching/words.ts';

const MAY = isoDate('2026-05-04');

function line(id: number, given: Partial<ReviewLine> = {}): ReviewLine {
  const text = given.text ?? 'DEPOSIT';
  return { id, date: MAY, amount: cents(10_000), checkNumber: '', ...given, text, payee: payeeOf(text) };
}

function entry(id: number, given: Partial<BookItem> = {}): BookItem {
  return {
    kind: 'entry',
    id,
    amount: cents(10_000),
    date: MAY,
    entityId: null,
    entityName: '',
    numbers: [],
    checkNumber: '',
    description: '',
    ...given,
  };
}

const acme = { entityId: 7, entityName: 'Acme Tools, Inc.' };

function matched(
  lines: readonly ReviewLine[],
  items: readonly BookItem[],
  more: { refused?: string[]; aliases?: [string, number[]][] } = {},
): (id: number) => Explained {
  const aliases = new Map((more.aliases ?? []).map(([payee, ids]) => [payee, new Set(ids)]));
  return explain({ lines, items, refused: new Set(more.refused), aliases });
}

const first = (explained: Explained) => explained.explanations[0];

describe('one entry for one bank transaction', () => {
  test('an entry three days earlier is a certain match if the text names Acme and the amount is unique', () => {
    const text = 'ACH CREDIT ACME TOOLS 0042';
    const explained = matched([line(1, { text })], [entry(2, { ...acme, date: addDays(MAY, -3) })])(1);
    expect(first(explained)).toMatchObject({ key: 'entry:2', score: 0.99, kind: 'entry' });
    expect(first(explained)?.reason).toBe(
      'same amount, 3 days apart, Acme Tools, Inc. in the description, the only entry with this amount',
    );
    expect(explained).toMatchObject({ isSure: true, choices: 1 });
  });

  test('100.00 does not match 100.01, an amount with the opposite sign, or an entry eight days away', () => {
    const others = [{ amount: cents(10_001) }, { amount: cents(-10_000) }, { date: addDays(MAY, 8) }];
    const explained = matched(
      [line(1)],
      others.map((given, at) => entry(at + 1, given)),
    )(1);
    expect(explained.explanations).toEqual([]);
  });

  test('a match on only the amount and the day scores 0.71 and is not certain', () => {
    const explained = matched([line(1)], [entry(2)])(1);
    expect(first(explained)?.score).toBe(0.71);
    expect(explained.isSure).toBe(false);
  });

  test('a check is matched by number even after 60 days, but another check for the same amount is not', () => {
    const given = { checkNumber: '1042', amount: cents(-5000) };
    const items = [entry(2, given), entry(3, { ...given, checkNumber: '1043', date: MAY })];
    const explained = matched(
      [line(1, { amount: cents(-5000), text: 'CHECK', checkNumber: '001042', date: addDays(MAY, 60) })],
      items,
    )(1);
    expect(explained.explanations.map(({ key }) => key)).toEqual(['entry:2']);
  });

  test("an invoice number in the bank's text selects the second of two identical open invoices", () => {
    const invoice = (id: number, number: string) => entry(id, { ...acme, kind: 'document', numbers: [number] });
    const items = [invoice(1, '10041'), invoice(2, '10042')];
    const explained = matched([line(9, { text: 'ACME TOOLS INV 10042', date: addDays(MAY, 20) })], items)(9);
    expect(first(explained)).toMatchObject({ key: 'document:2', kind: 'document', score: 1 });
    expect(explained.isSure).toBe(true);
  });

  test('an earlier match with the same payee counts as if the text named the customer', () => {
    const aliases: [string, number[]][] = [['SQ TOOLSHED', [7]]];
    const explained = matched([line(1, { text: 'SQ *TOOLSHED 9912' })], [entry(2, acme)], { aliases })(1);
    expect(first(explained)).toMatchObject({ score: 1, key: 'entry:2' });
    expect(first(explained)?.reason).toContain('this payee was matched to Acme Tools, Inc. before');
  });
});

describe('choices between candidates', () => {
  test('the user must choose if two customers paid 100.00 on the same day and the text names neither', () => {
    const items = [entry(2, acme), entry(3, { entityId: 8, entityName: 'Birch' })];
    const explained = matched([line(1)], items)(1);
    expect(explained.choices).toBe(2);
    expect(explained.explanations).toHaveLength(2);
  });

  test('the user must choose if the text does not show which of two customers made which payment', () => {
    const items = [entry(2, acme), entry(3, { entityId: 8, entityName: 'Birch' })];
    const of = matched([line(1, { text: 'DEPOSIT A' }), line(4, { text: 'DEPOSIT B' })], items);
    expect([of(1).choices, of(4).choices]).toEqual([2, 2]);
    expect(new Set([first(of(1))?.key, first(of(4))?.key]).size).toBe(2);
  });

  test("two 4.50 coffees on the same day match two identical entries, and the user doesn't have to choose", () => {
    const coffee = { amount: cents(-450), text: 'BLUE CUP' };
    const item = { amount: cents(-450), entityId: 5, entityName: 'Blue Cup' };
    const of = matched([line(1, coffee), line(2, coffee)], [entry(3, item), entry(4, item)]);
    expect([of(1), of(2)].map((each) => [first(each)?.key, each.choices, each.isSure])).toEqual([
      ['entry:3', 1, true],
      ['entry:4', 1, true],
    ]);
  });

  test('an entry that fits two bank transactions is not a clear match for either of them', () => {
    const lines = [line(1, { text: 'DEPOSIT A' }), line(2, { text: 'DEPOSIT B' })];
    const of = matched(lines, [entry(3)]);
    expect(of(1)).toMatchObject({ choices: 2, isSure: false });
    expect(of(2)).toMatchObject({ isAssigned: false, isSure: false });
    expect(first(of(2))).toMatchObject({ key: 'entry:3', isTaken: true });
  });

  test('an entry matches the bank transaction that names the customer, and the other one gets no match', () => {
    const lines = [line(1, { text: 'DEPOSIT' }), line(2, { text: 'ACME TOOLS' })];
    const of = matched(lines, [entry(3, acme)]);
    expect([of(1).isAssigned, of(2).isSure]).toEqual([false, true]);
  });

  test('the next pair is suggested after the first pair is rejected', () => {
    const items = [entry(2, acme), entry(3, { date: addDays(MAY, -5) })];
    const explained = matched([line(1, { text: 'ACME TOOLS' })], items, { refused: ['1 entry:2'] })(1);
    expect(explained.explanations.map(({ key }) => key)).toEqual(['entry:3']);
  });
});

describe('sets of entries', () => {
  const amounts = [1200, 3400, 5600, 999];
  const items = amounts.map((amount, at) => entry(at + 1, { ...acme, amount: cents(amount) }));

  test('payments of 12.00, 34.00, and 56.00 from Acme match a deposit of 102.00 if no other set does', () => {
    const explained = matched([line(9, { amount: cents(10_200), text: 'ACME TOOLS' })], items)(9);
    expect(first(explained)).toMatchObject({ key: 'entries:1,2,3', kind: 'entries', score: 0.8 });
    expect(explained).toMatchObject({ isAssigned: true, isSure: false });
  });

  test('no set is suggested if two sets have the same sum', () => {
    const more = [...items, entry(5, { ...acme, amount: cents(4600) })];
    const explained = matched([line(9, { amount: cents(10_200), text: 'ACME TOOLS' })], more)(9);
    expect(explained.explanations).toEqual([]);
  });

  test("a payment matches one customer's open invoices that add up to its amount", () => {
    const open = items.map((item) => ({ ...item, kind: 'document' as const, date: addDays(MAY, -40) }));
    const explained = matched([line(9, { amount: cents(6599), text: 'ACME TOOLS INC' })], open)(9);
    expect(first(explained)).toMatchObject({ key: 'documents:3,4', kind: 'documents' });
  });

  test('two bank transactions for one payee, 30.00 and 70.00, match one entry for 100.00', () => {
    const lines = [3000, 7000].map((amount, at) => line(at + 1, { amount: cents(amount), text: 'ACME TOOLS' }));
    const of = matched(lines, [entry(5, acme)]);
    for (const id of [1, 2]) expect(first(of(id))).toMatchObject({ kind: 'lines', lineIds: [1, 2] });
  });

  test('a search of 40 entries ends within 10 steps of reaching its step limit, and finds nothing', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ amount: cents(10_007 + at * at * 13) }));
    const target = sum(many.slice(0, 10).map(({ amount }) => amount));
    const budget = { steps: 10_000 };
    expect(onlySet(many, target, budget)).toEqual({ found: 'none' });
    expect(budget.steps).toBeGreaterThanOrEqual(-10);
    expect(budget.steps).toBeLessThanOrEqual(0);
  });
});

describe('transfers', () => {
  const other = entry(3, { kind: 'transfer', date: addDays(MAY, 2), description: 'TRANSFER FROM CHECKING' });

  test('the same amount in another account two days later is a certain match if the text says "transfer"', () => {
    const explained = matched([line(1, { text: 'ONLINE TRANSFER TO SAVINGS' })], [other])(1);
    expect(first(explained)).toMatchObject({ kind: 'transfer', score: 0.95, lineIds: [1, 3] });
    expect(explained.isSure).toBe(true);
  });

  test('the same amount six days later is not a transfer', () => {
    const explained = matched([line(1, { text: 'TRANSFER' })], [{ ...other, date: addDays(MAY, 6) }])(1);
    expect(explained.explanations).toEqual([]);
  });

  test('a transfer that is already in the books with a date 3 days away is matched instead of posted again', () => {
    const text = 'ONLINE TRANSFER';
    const items = [entry(2, { date: addDays(MAY, -3) }), entry(5, { kind: 'transfer', description: text })];
    const explained = matched([line(1, { text })], items)(1);
    expect(explained.explanations.map(({ key }) => key)).toEqual(['entry:2', 'transfer:5']);
    expect(explained).toMatchObject({ isSure: false, choices: 1 });
  });
});

describe('early-payment discounts', () => {
  const invoice = (given: Partial<BookItem> = {}): BookItem => {
    const discounted = { amount: cents(9800), until: addDays(MAY, 2) };
    return {
      ...entry(5, { ...acme, date: addDays(MAY, -8), numbers: ['10436'] }),
      kind: 'document',
      discounted,
      ...given,
    };
  };
  const keysOf = ({ explanations }: Explained) => explanations.map(({ key }) => key);

  test('an invoice for 100.00 with a 2.00 discount matches 98.00 through the last discount day, but not later', () => {
    const paid = (date = addDays(MAY, 2)) => line(1, { amount: cents(9800), text: 'ACME TOOLS INV 10436', date });
    const explained = matched([paid()], [invoice()])(1);
    expect(first(explained)).toMatchObject({ key: 'discount:5', kind: 'document', takesDiscount: true });
    expect(first(explained)?.reason).toContain('less its early-payment discount');
    expect(keysOf(matched([paid(addDays(MAY, 3))], [invoice()])(1))).toEqual([]);
    expect(keysOf(matched([paid()], [invoice()], { refused: ['1 discount:5'] })(1))).toEqual([]);
  });

  test('an invoice matches one bank transaction, either in full or less the discount', () => {
    const lines = [line(1, { text: 'ACME TOOLS INV 10436' }), line(2, { amount: cents(9800), text: 'TRANSFER IN' })];
    const explained = matched(lines, [invoice()]);
    expect([first(explained(1))?.key, explained(1).isAssigned]).toEqual(['document:5', true]);
    expect([keysOf(explained(2)), explained(2).isAssigned]).toEqual([['discount:5'], false]);
  });
});
