import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { type Cents, cents } from '../money.ts';
import {
  balanceDifference,
  chargeTransaction,
  checkStatement,
  findDifference,
  outOfBalance,
  reconciledBalance,
  type Selectable,
  type Statement,
} from './reconcile.ts';

const usd = (dollars: number): Cents => cents(Math.round(dollars * 100));
const statement = (given: Partial<Statement> = {}): Statement => ({
  statementDate: isoDate('2026-05-31'),
  statementBalance: usd(0),
  bankCharge: usd(0),
  bankChargeAccountID: null,
  interest: usd(0),
  interestAccountID: null,
  ...given,
});

describe('the reconciled balance', () => {
  const figures = { last: usd(0), selected: [usd(1468.12)], bankCharge: usd(10), interest: usd(0) };

  // IRS Publication 583, "Bank Reconciliation": the statement balance is 1,458.12, and the charge is 10.00.
  test('entries of 1,468.12 net and a charge of 10.00 give a reconciled balance of 1,458.12', () => {
    expect(reconciledBalance(figures)).toBe(usd(1458.12));
    expect(balanceDifference(figures, usd(1458.12))).toBe(0);
    expect(outOfBalance(figures, usd(1458.12))).toBeUndefined();
  });

  test('a balance that differs from the statement is rejected with both balances and the signed difference', () => {
    expect(balanceDifference(figures, usd(1458.11))).toBe(1);
    expect(outOfBalance(figures, usd(1458.11))).toBe(
      'The reconciled balance 1,458.12 differs from the statement balance 1,458.11 by 0.01',
    );
    expect(outOfBalance({ ...figures, selected: [usd(-300)] }, usd(-310))).toBeUndefined();
  });

  test('a reconciled balance includes interest and may be negative, for example for a card with 310.00 owed', () => {
    const card = { last: usd(-100), selected: [usd(-250), usd(50)], bankCharge: usd(15), interest: usd(5) };
    expect(reconciledBalance(card)).toBe(usd(-310));
  });
});

describe('statements', () => {
  test('a statement requires an account for its charge or interest only if the amount is not zero', () => {
    expect(checkStatement(statement(), { lastDate: null })).toEqual({});
    expect(checkStatement(statement({ bankCharge: usd(10), interest: usd(1) }), { lastDate: null })).toEqual({
      bankChargeAccountID: 'Please Select an Account',
      interestAccountID: 'Please Select an Account',
    });
  });

  test('a statement must be dated after the previous one and cannot have a negative charge or interest', () => {
    const given = statement({ bankCharge: usd(-1), interest: usd(-1) });
    expect(checkStatement(given, { lastDate: isoDate('2026-05-31') })).toEqual({
      statementDate: 'The statement date must be after the last statement date, 5/31/2026',
      bankCharge: 'The bank charge cannot be negative',
      interest: 'The interest cannot be negative',
    });
    expect(checkStatement(statement(), { lastDate: isoDate('2026-05-30') })).toEqual({});
  });

  test('a charge of 10.00 and interest of 1.25 are posted on the statement date on both bases', () => {
    const charged = { bankCharge: usd(10), bankChargeAccountID: 151, interest: usd(1.25), interestAccountID: 176 };
    const posted = chargeTransaction(statement(charged), { accountId: 101, name: 'Checking' });
    expect(posted).toMatchObject({ postingDate: '2026-05-31', description: 'Checking statement' });
    expect(posted.entries.map(({ accountId, amount, basis }) => [accountId, amount, basis])).toEqual([
      [101, -1000, 'B'],
      [151, 1000, 'B'],
      [101, 125, 'B'],
      [176, -125, 'B'],
    ]);
    expect(chargeTransaction(statement(), { accountId: 101, name: 'Checking' }).entries).toEqual([]);
  });
});

describe('difference hints', () => {
  const entry = (id: number, dollars: number, isSelected = true): Selectable => ({
    id,
    amount: usd(dollars),
    isSelected,
  });
  const acts = (...given: Parameters<typeof findDifference>) =>
    findDifference(...given).map(({ act, entryIds, lineIds }) => [act, entryIds, lineIds]);

  test('a reconciliation difference of 0.00 has no hints', () => {
    expect(findDifference(usd(0), [entry(1, 5, false)])).toEqual([]);
  });

  test('an unselected entry explains a difference of -412.50, and a bank transaction confirms it', () => {
    const entries = [entry(1, 412.5, false), entry(2, 99)];
    expect(acts(usd(-412.5), entries)).toEqual([['select', [1], []]]);
    const [best] = findDifference(usd(-412.5), entries, [{ id: 7, amount: usd(412.5) }]);
    expect(best).toMatchObject({ act: 'select', entryIds: [1], lineIds: [7], isProved: true });
  });

  test("a selected entry that is not on the bank's statement yet explains a difference of 412.50", () => {
    expect(acts(usd(412.5), [entry(1, 412.5), entry(2, 99)])).toEqual([['deselect', [1], []]]);
  });

  test('a 420.00 check that was posted as money in explains a difference of 840.00', () => {
    const [hint] = findDifference(usd(840), [entry(1, 420), entry(2, 99)]);
    expect(hint).toMatchObject({ act: 'turn', entryIds: [1], amount: usd(-420) });
    expect(findDifference(usd(840), [entry(1, 420, false)])).toEqual([]);
  });

  test('two entries together explain a difference of -63.00, even if one of them must be deselected', () => {
    expect(acts(usd(-63), [entry(1, 12.3, false), entry(2, 7, false), entry(3, 50.7, false)])).toEqual([
      ['pair', [1, 3], []],
    ]);
    expect(acts(usd(-63), [entry(1, 80, false), entry(2, 17), entry(3, 1)])).toEqual([['pair', [1, 2], []]]);
  });

  // Also from IRS Publication 583: a deposit of 600.40 was entered as 594.40, which is not a transposition error.
  test('no transposition is suggested for digits that are not adjacent, such as 594.40 for 600.40', () => {
    expect(findDifference(usd(-6), [entry(1, 594.4)])).toEqual([]);
    expect(findDifference(usd(27), [entry(1, 184.3)])).toEqual([]);
  });

  test('63.00 is suggested instead of 36.00 for a difference of 27.00, and 74.10 instead of 71.40 for -2.70', () => {
    expect(findDifference(usd(27), [entry(1, 63), entry(2, 40)])).toMatchObject([
      { act: 'digits', entryIds: [1], amount: usd(36) },
    ]);
    expect(findDifference(usd(-2.7), [entry(1, -74.1)])).toMatchObject([
      { act: 'digits', entryIds: [1], amount: usd(-71.4) },
    ]);
  });

  test('10.00 is suggested instead of 01.00 for a difference of 9.00', () => {
    expect(findDifference(usd(9), [entry(1, 10)])).toMatchObject([{ act: 'digits', amount: usd(1) }]);
  });

  test('a difference of 4.25 is explained by one bank transaction without an entry, or by all of them together', () => {
    expect(acts(usd(4.25), [], [{ id: 7, amount: usd(-4.25) }])).toEqual([['add', [], [7]]]);
    const two = [
      { id: 7, amount: usd(-5) },
      { id: 8, amount: usd(0.75) },
    ];
    expect(acts(usd(4.25), [], two)).toEqual([['add', [], [7, 8]]]);
  });

  test('hints confirmed by a bank transaction come first, followed by the simplest hints', () => {
    const entries = [entry(1, 63), entry(2, 27), entry(3, 13.5), entry(4, 20), entry(5, 7)];
    expect(findDifference(usd(27), entries).map(({ act }) => act)).toEqual(['deselect', 'turn', 'pair', 'digits']);
    const [best] = findDifference(usd(27), entries, [{ id: 9, amount: usd(36) }]);
    expect(best).toMatchObject({ act: 'digits', entryIds: [1], isProved: true });
  });

  test('every reconciliation hint accounts for the difference to the cent', () => {
    const amount = fc.integer({ min: -99_999, max: 99_999 }).filter((each) => each !== 0);
    const entries = fc.array(fc.record({ amount, isSelected: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(entries, amount, fc.array(amount, { maxLength: 5 }), (given, difference, lines) => {
        const all = given.map((each, id) => ({ id, amount: cents(each.amount), isSelected: each.isSelected }));
        const bank = lines.map((each, id) => ({ id, amount: cents(each) }));
        for (const hint of findDifference(cents(difference), all, bank)) {
          const toggled = hint.entryIds.map((id) => all[id]).filter((each) => each !== undefined);
          const moved = toggled.map((each) => {
            if (hint.act === 'turn' || hint.act === 'digits') return Number(hint.amount) - each.amount;
            return each.isSelected ? -each.amount : each.amount;
          });
          const added = hint.act === 'add' ? hint.lineIds.map((id) => Number(bank[id]?.amount)) : [];
          expect([...moved, ...added].reduce((total, each) => total + each, difference)).toBe(0);
        }
      }),
      { numRuns: Number(process.env['TORTURE_RUNS'] ?? 300) },
    );
  });

  test('reconciliation hints are found among 20,000 entries in less than a second', () => {
    const entries = Array.from({ length: 20_000 }, (_, id) => entry(id, (id % 977) + 0.5, id % 3 === 0));
    const began = performance.now();
    findDifference(usd(-123_456.78), entries);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
