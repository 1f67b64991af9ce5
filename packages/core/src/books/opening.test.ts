import { describe, expect, test } from 'vitest';
import { AP, AR, accountTypeInfo, CHECKING, masterAccount, OPENING_BALANCE_EQUITY, SALES } from './accounts.ts';
import { isoDate } from '../dates.ts';
import { PAYABLE, RECEIVABLE } from '../documents/side.ts';
import { cents } from '../money.ts';
import type { Entry } from './ledger.ts';
import {
  checkOpening,
  checkOpeningDocument,
  openingEquity,
  openParts,
  type OpeningBalances,
  postOpening,
  withoutTax,
} from './opening.ts';
import { type Component, postDocument, postPayment, type PostableDocument } from './posting.ts';

const DEC10 = isoDate('2025-12-10');
const DEC31 = isoDate('2025-12-31');
const JAN20 = isoDate('2026-01-20');
const OWNERS_EQUITY = 133;
const RETAINED = 137;
const TAX = 123;
const RENT = 163;

function component(accountId: number, amount: number): Component {
  return { accountId, amount: cents(amount), description: '', profitCenterId: null, locationId: null };
}

const brief = (entries: readonly Entry[]) => entries.map((each) => [each.accountId, each.amount, each.basis]);

/** An invoice for 108.00, of which 54.00 was paid before the opening balances. */
const invoice: PostableDocument = {
  id: 1,
  date: DEC10,
  entityId: 9,
  controlAccountId: AR,
  description: 'Invoice 1038',
  components: [component(SALES, 5000), component(TAX, 400)],
  opening: [cents(10_000), cents(800)],
};

const bill: PostableDocument = {
  ...invoice,
  id: 2,
  controlAccountId: AP,
  components: [component(RENT, 3000)],
  opening: [cents(3000)],
};

function balances(accounts: [number, number][], more: Partial<OpeningBalances> = {}): OpeningBalances {
  return {
    date: DEC31,
    fiscalYearStart: isoDate('2025-01-01'),
    accounts: accounts.map(([accountId, amount]) => ({ accountId, amount: cents(amount) })),
    documents: [
      { ...invoice, side: RECEIVABLE },
      { ...bill, side: PAYABLE },
    ],
    accountType: (id) => {
      const { accountTypeLabel = '', contra = false } = masterAccount(id) ?? {};
      return accountTypeInfo(accountTypeLabel, contra);
    },
    ...more,
  };
}

/** Checking 100.00, sales tax payable 10.00, owner's equity 114.00: with the documents, debits equal credits. */
const EVEN: [number, number][] = [
  [CHECKING, 10_000],
  [TAX, -1000],
  [OWNERS_EQUITY, -11_400],
];

describe('an invoice or bill from before the opening balances', () => {
  test('the open part of an earlier invoice, 54.00, posts to opening balance equity on the accrual basis only', () => {
    const { postingDate, entries } = postDocument(RECEIVABLE, invoice);
    expect(postingDate).toBe(DEC10);
    expect(brief(entries)).toEqual([
      [AR, 5400, 'A'],
      [OPENING_BALANCE_EQUITY, -5400, 'A'],
    ]);
    expect(entries.map(({ entityId }) => entityId)).toEqual([9, null]);
    expect(brief(postDocument(PAYABLE, bill).entries)).toEqual([
      [AP, -3000, 'A'],
      [OPENING_BALANCE_EQUITY, 3000, 'A'],
    ]);
  });

  test('a payment of 10.00 recognizes the same parts as it would after an earlier payment of 54.00', () => {
    const head = { id: 1, date: JAN20, entityId: 9, moneyAccountId: CHECKING, controlAccountId: AR };
    const application = { document: invoice, amount: cents(1000), recognitionDate: JAN20, appliedBefore: cents(0) };
    const paid = postPayment(RECEIVABLE, {
      ...head,
      amount: cents(1000),
      description: 'Payment',
      applications: [application],
    });
    const moved = { ...invoice, components: [component(SALES, 10_000), component(TAX, 800)], opening: null };
    const stayed = postPayment(RECEIVABLE, {
      ...head,
      amount: cents(1000),
      description: 'Payment',
      applications: [{ ...application, document: moved, appliedBefore: cents(5400) }],
    });
    expect(paid).toEqual(stayed);
    expect(brief(paid[0]?.entries ?? []).filter(([, , basis]) => basis === 'C')).toEqual([
      [SALES, -926, 'C'],
      [TAX, -74, 'C'],
    ]);
  });

  test('the open parts of 100.00, 8.00, and −0.01 with 54.00 unpaid add up to 54.00', () => {
    expect(openParts([10_000, 800].map(cents), cents(5400))).toEqual([5000, 400]);
    expect(openParts([10_000, 800, -1].map(cents), cents(5400)).reduce((all, each) => all + each, 0)).toBe(5400);
    expect(openParts([-10_000, -800].map(cents), cents(-5400))).toEqual([-5000, -400]);
  });

  test('642.50 including 8% tax is split into 594.91 and 47.59, and the parts always add up', () => {
    expect(withoutTax(cents(64_250), ['8'])).toEqual({ net: 59_491, taxes: [4759] });
    expect(withoutTax(cents(64_250), [])).toEqual({ net: 64_250, taxes: [] });
    expect(withoutTax(cents(100), ['4.225', '2.5'])).toEqual({ net: 94, taxes: [4, 2] });
  });
});

describe('postOpening', () => {
  test('balances post against opening balance equity, and the cash basis has no income from open documents', () => {
    const { postingDate, entries } = postOpening(balances(EVEN));
    expect(postingDate).toBe(DEC31);
    expect(brief(entries)).toEqual([
      [CHECKING, 10_000, 'B'],
      [TAX, -1000, 'B'],
      [TAX, 400, 'C'],
      [OWNERS_EQUITY, -11_400, 'B'],
      [SALES, 5000, 'C'],
      [RENT, -3000, 'C'],
      [OPENING_BALANCE_EQUITY, 2400, 'B'],
      [OPENING_BALANCE_EQUITY, -2400, 'C'],
    ]);
  });

  test('income and expenses of an earlier fiscal year are subtracted from retained earnings', () => {
    const { entries } = postOpening(balances(EVEN, { fiscalYearStart: isoDate('2025-12-15') }));
    expect(brief(entries).filter(([, , basis]) => basis === 'C')).toEqual([
      [TAX, 400, 'C'],
      [RETAINED, 2000, 'C'],
      [OPENING_BALANCE_EQUITY, -2400, 'C'],
    ]);
  });

  test('a stated cash balance replaces the balance that is calculated from the documents', () => {
    const given = balances(EVEN);
    const accounts = [
      ...given.accounts,
      { accountId: SALES, amount: cents(0), cashAmount: cents(4500) },
      { accountId: RENT, amount: cents(0), cashAmount: cents(-2500) },
    ];
    const { entries } = postOpening({ ...given, accounts });
    expect(brief(entries).filter(([id]) => id === SALES || id === RENT)).toEqual([
      [SALES, 4500, 'C'],
      [RENT, -2500, 'C'],
    ]);
    expect(checkOpening({ ...given, accounts })).toEqual({});
    const uneven = accounts.map((each) => (each.accountId === RENT ? { ...each, cashAmount: cents(-2400) } : each));
    expect(checkOpening({ ...given, accounts: uneven })['accounts']).toMatch(/^On the cash basis: Debits exceed/);
  });
});

describe('checkOpening', () => {
  test('accounts and documents that balance leave 0.00 in opening balance equity', () => {
    expect(openingEquity(balances(EVEN))).toBe(0);
    expect(checkOpening(balances(EVEN))).toEqual({});
  });

  test('a missing 12.50 of equity is rejected unless it is stated as opening balance equity', () => {
    const short: [number, number][] = [[CHECKING, 11_250], ...EVEN.slice(1)];
    expect(checkOpening(balances(short))).toEqual({
      accounts: 'Debits exceed credits by $12.50. Add a credit of $12.50 to an equity account.',
    });
    expect(checkOpening(balances([...short, [OPENING_BALANCE_EQUITY, -1250]]))).toEqual({});
    expect(checkOpening(balances([[CHECKING, 8750], ...EVEN.slice(1)]))).toEqual({
      accounts: 'Credits exceed debits by $12.50. Add a debit of $12.50 to an equity account.',
    });
  });

  test('a control account is rejected, and so is an account that is listed twice', () => {
    expect(checkOpening(balances([...EVEN, [AR, 5400], [TAX, 0]]))).toEqual({
      'accounts.3.accountId': "This account's balance is calculated from the open documents",
      'accounts.4.accountId': 'This account is listed twice',
    });
  });

  test('an open document requires a number, a date up to the opening date, and at most its original amount', () => {
    const right = { number: '1038', date: DEC10, dueDate: DEC31, unpaid: cents(5400), original: cents(10_800) };
    expect(checkOpeningDocument(right, DEC31)).toEqual({});
    expect(checkOpeningDocument({ ...right, number: ' ', date: JAN20, unpaid: cents(0) }, DEC31)).toEqual({
      number: 'Please enter a number',
      date: "The date can't be after the date of the opening balances, 12/31/2025",
      dueDate: "The due date can't be before the date",
      unpaidAmount: 'Please enter an amount greater than $0.00',
    });
    expect(checkOpeningDocument({ ...right, unpaid: cents(10_801) }, null)).toEqual({
      unpaidAmount: "The unpaid amount can't be more than the original amount, $108.00",
    });
  });
});
