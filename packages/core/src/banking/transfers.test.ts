import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountTypeInfo, AR, CHECKING, CREDIT_CARD, PETTY_CASH, SALES, UNDEPOSITED } from '../books/accounts.ts';
import { isoDate } from '../dates.ts';
import { assertBalanced, difference, type Transaction } from '../books/ledger.ts';
import { cents, sum } from '../money.ts';
import { postPayment } from '../books/posting.ts';
import { RECEIVABLE } from '../documents/side.ts';
import {
  checkDeposit,
  checkTransfer,
  type DepositLine,
  depositTotal,
  postDeposit,
  postTransfer,
  refusedInDeposit,
} from './transfers.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);
const DAY = isoDate('2026-03-05');

const otherLine = (amount: number, accountId = PETTY_CASH): DepositLine => ({
  accountId,
  amount: cents(amount),
  description: '',
  entityId: null,
  profitCenterId: null,
  locationId: null,
});

/** Returns an account's debits less credits in the transactions, in cents. */
const balanceOf = (transactions: readonly Transaction[], accountId: number) =>
  sum(
    transactions.flatMap(({ entries }) =>
      entries.filter((entry) => entry.accountId === accountId).map(({ amount }) => amount),
    ),
  );

describe('transfers', () => {
  test('a card payment of 310.00 debits the card and credits the bank on both bases', () => {
    const transaction = postTransfer({
      date: DAY,
      fromAccountId: CHECKING,
      toAccountId: CREDIT_CARD,
      amount: cents(31_000),
      description: 'Card of March',
    });
    expect(transaction.entries.map(({ accountId, amount, basis }) => [accountId, amount, basis])).toEqual([
      [CREDIT_CARD, 31_000, 'B'],
      [CHECKING, -31_000, 'B'],
    ]);
  });

  test('changing 310.00 to 300.00 reverses two lines and posts two, and saving without changes posts nothing', () => {
    const wanted = (amount: number) =>
      postTransfer({
        date: DAY,
        fromAccountId: CHECKING,
        toAccountId: CREDIT_CARD,
        amount: cents(amount),
        description: 'T',
      });
    const live = wanted(31_000).entries.map((entry, index) => ({ ...entry, id: index + 1, postingDate: DAY }));
    expect(difference(live, [wanted(30_000)]).map(({ entries }) => entries.length)).toEqual([4]);
    expect(difference(live, [wanted(31_000)])).toEqual([]);
  });

  test('a transfer requires two different accounts and an amount other than 0.00', () => {
    expect(Object.keys(checkTransfer({ amount: cents(0) }))).toEqual([
      'fromBankAccountId',
      'toBankAccountId',
      'amount',
    ]);
    const same = { fromBankAccountId: 1, toBankAccountId: 1, amount: cents(100) };
    expect(checkTransfer(same)).toEqual({ toBankAccountId: 'Please select two different accounts' });
    expect(checkTransfer({ ...same, toBankAccountId: 2 })).toEqual({});
  });
});

describe('deposits', () => {
  test('checks for 100.00 and 55.50 less 20.00 cash back reach the bank as one entry for 135.50', () => {
    const { entries } = postDeposit({
      date: DAY,
      accountId: CHECKING,
      description: 'Deposit 1',
      receipts: [cents(10_000), cents(5_550)],
      lines: [{ ...otherLine(-2_000), description: 'Cash back', locationId: 3 }],
    });
    expect(entries.map(({ accountId, amount, description }) => [accountId, amount, description])).toEqual([
      [CHECKING, 13_550, 'Deposit 1'],
      [UNDEPOSITED, -15_550, 'Deposit 1'],
      [PETTY_CASH, 2_000, 'Cash back'],
    ]);
    expect(entries.map(({ basis, locationId }) => [basis, locationId])).toEqual([
      ['B', null],
      ['B', null],
      ['B', 3],
    ]);
  });

  test('after any sequence of receipts and deposits, both bases balance and Undeposited Funds ends at 0.00', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 12 });
    const others = fc.array(
      fc.integer({ min: -900_000, max: 900_000 }).filter((amount) => amount !== 0),
      { maxLength: 4 },
    );
    const check = (received: number[], added: number[]): void => {
      const payments = received.flatMap((amount, index) =>
        postPayment(RECEIVABLE, {
          id: index + 1,
          date: DAY,
          entityId: 1,
          moneyAccountId: UNDEPOSITED,
          controlAccountId: AR,
          amount: cents(amount),
          description: 'Check',
          applications: [],
        }),
      );
      const receipts = received.map((amount) => cents(amount));
      const lines = added.map((amount, index) => otherLine(amount, index % 2 === 0 ? SALES : PETTY_CASH));
      const deposit = postDeposit({ date: DAY, accountId: CHECKING, description: 'Deposit', receipts, lines });
      assertBalanced(deposit);
      expect(balanceOf([...payments, deposit], UNDEPOSITED)).toBe(0);
      expect(balanceOf([deposit], CHECKING)).toBe(depositTotal(receipts, lines));
      expect(deposit.entries.filter(({ accountId }) => accountId === CHECKING).length).toBeLessThanOrEqual(1);
    };
    fc.assert(fc.property(amounts, others, check), { numRuns });
  });

  test('a deposit requires items, a positive total within the limit, and an account on each line', () => {
    const no = { bankAccountId: 1, receipts: [], lineItems: [] };
    expect(checkDeposit({ ...no, bankAccountId: 0 })).toEqual({
      bankAccountId: 'Please Select a Bank Account',
      receipts: 'Please select the receipts to deposit',
    });
    const even = { ...no, receipts: [cents(500)], lineItems: [otherLine(-500)] };
    expect(checkDeposit(even)).toEqual({ receipts: 'A deposit must be more than $0.00' });
    const huge = Array.from({ length: 1_000 }, () => cents(10_000_000_000_000));
    expect(checkDeposit({ ...no, receipts: huge })).toEqual({ receipts: 'Amount is out of range' });
    expect(checkDeposit({ ...no, lineItems: [otherLine(0, 0), otherLine(1)] })).toEqual({
      'lineItems.0.accountId': 'Please Select an Account',
      'lineItems.0.amount': 'The amount cannot be $0.00',
    });
  });

  test('a deposit line can use petty cash or sales, but not its bank, Undeposited Funds, or receivables', () => {
    const refused = (id: number, type: string) => refusedInDeposit(id, accountTypeInfo(type), CHECKING) !== undefined;
    expect([refused(PETTY_CASH, 'Cash'), refused(SALES, 'Income')]).toEqual([false, false]);
    expect([
      refused(CHECKING, 'Bank'),
      refused(UNDEPOSITED, 'Cash'),
      refused(AR, 'Accounts Receivable'),
      refused(145, 'Income'),
    ]).toEqual([true, true, true, true]);
  });
});
