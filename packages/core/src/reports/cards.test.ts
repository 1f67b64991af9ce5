import { describe, expect, test } from 'vitest';
import { AP, AR, CHECKING, COST_OF_GOODS_SOLD, CREDIT_CARD, RETAINED_EARNINGS, SALES } from '../books/accounts.ts';
import { cents, toDollars } from '../money.ts';
import { reportAccounts as accounts } from '../testing/report-accounts.ts';
import type { AccountBalance } from './balances.ts';
import * as cards from './cards.ts';

/** The amounts by account in whole dollars, as debit − credit. */
type Books = Record<number, number>;

const balancesOf = (books: Books): AccountBalance[] =>
  Object.entries(books).map(([id, dollars]) => ({
    accountId: Number(id),
    toDate: cents(dollars * 100),
    beforeYear: cents(0),
  }));
const amountsOf = (books: Books) =>
  Object.entries(books).map(([id, dollars]) => ({ accountId: Number(id), amount: cents(dollars * 100) }));

/** A merchant from a textbook, with assets of 200,000 at the start of the year and 250,000 at the end. */
const banyan = {
  opening: { [CHECKING]: 100_000, 112: 100_000, [AP]: -80_000, 133: -120_000 },
  closing: { [CHECKING]: 110_000, 110: 20_000, [AR]: 30_000, 106: 40_000, 112: 50_000, [AP]: -60_000, 127: -40_000 },
  year: { [SALES]: -120_000, [COST_OF_GOODS_SOLD]: 60_000, 167: 25_000 },
};
/** A printer's first month. Supplies and interest receivable are current assets, but not quick assets. */
const printingPlus = { [CHECKING]: 24_800, [AR]: 1200, 107: 540, [AP]: -500, 125: -1500, 127: -3400, 112: 3500 };

describe('textbook examples', () => {
  test('the profit margin in a textbook example is 50% gross and 29.17% net on income of 120,000.00', () => {
    const year = amountsOf(banyan.year);
    expect(cards.profitMargin(year, accounts, 0)).toEqual({
      profitMarginPercent: 50,
      netProfitLoss: 6_000_000,
      income: 12_000_000,
    });
    expect(cards.profitMargin(year, accounts, 1)).toMatchObject({
      profitMarginPercent: 29.17,
      netProfitLoss: 3_500_000,
    });
  });

  test('the current ratio is 2.0 for the merchant and 4.91 for the printer, and the quick ratio is 1.6', () => {
    expect(cards.liquidity(balancesOf(banyan.closing), accounts)).toMatchObject({ currentRatio: 2, quickRatio: 1.6 });
    expect(cards.liquidity(balancesOf(printingPlus), accounts)).toMatchObject({
      currentRatio: 4.91,
      currentAssets: 2_654_000,
      currentLiabilities: 540_000,
    });
  });

  test('the return on average assets is 15.56%, not the 14% that the closing assets would give', () => {
    const around = { opening: balancesOf(banyan.opening), closing: balancesOf(banyan.closing) };
    const books = { accounts, retainedEarningsAccountId: RETAINED_EARNINGS };
    expect(cards.returnOnAssets(amountsOf(banyan.year), around, books)).toEqual({
      roaPercent: 15.56,
      netIncome: 3_500_000,
      averageAssets: 22_500_000,
      openingAssets: 20_000_000,
      closingAssets: 25_000_000,
    });
  });
});

describe('division by zero', () => {
  test('the margin is empty without income, the return without assets, and the ratios without liabilities', () => {
    expect(cards.profitMargin(amountsOf({ 167: 40 }), accounts, 1)).toMatchObject({
      profitMarginPercent: null,
      netProfitLoss: -4000,
    });
    const none = { opening: [], closing: [] };
    const books = { accounts, retainedEarningsAccountId: RETAINED_EARNINGS };
    expect(cards.returnOnAssets([], none, books).roaPercent).toBeNull();
    expect(cards.liquidity(balancesOf({ [CHECKING]: 5 }), accounts)).toMatchObject({
      currentRatio: null,
      quickRatio: null,
    });
  });

  test('negative income has no margin, and an overdrawn bank account has a negative ratio', () => {
    expect(cards.profitMargin(amountsOf({ [SALES]: 40 }), accounts, 0).profitMarginPercent).toBeNull();
    expect(cards.liquidity(balancesOf({ [CHECKING]: -50, [AP]: -100 }), accounts).currentRatio).toBe(-0.5);
  });
});

describe('expenses', () => {
  const spent = amountsOf({ [COST_OF_GOODS_SOLD]: 60, 167: 25, 151: 5, 150: -7, 179: 3, [SALES]: -200, 176: -2 });

  test('expenses are listed by category, including cost of goods sold, from the largest down to refunds', () => {
    const { categories, total } = cards.expenseBreakdown(spent, accounts);
    expect(categories.map((one) => toDollars(one.total))).toEqual(
      categories.map((one) => toDollars(one.total)).toSorted((a, b) => b - a),
    );
    expect(categories[0]).toMatchObject({ total: 6000, accountIds: [COST_OF_GOODS_SOLD] });
    expect(categories.at(-1)).toMatchObject({ total: -700, accountIds: [150] });
    expect(total).toBe(8300);
  });

  test('revenue and expenses include other income and other expenses, and their difference is net income', () => {
    expect(cards.revenueVersusExpense(spent, accounts)).toMatchObject({
      revenue: 20_200,
      otherIncome: 200,
      totalExpense: 8600,
      netProfitLoss: 11_600,
    });
  });
});

describe('cash positions', () => {
  const banks = [
    { name: 'Main Street Bank', glAccountId: CHECKING, active: true },
    { name: 'Old Savings', glAccountId: 102, active: false },
    { name: 'Visa', glAccountId: CREDIT_CARD, active: true },
  ];

  test("cash positions use the bank account's name, skip an empty cash account, and list cards separately", () => {
    const books = balancesOf({ 104: 3275, [CHECKING]: 48_316, [CREDIT_CARD]: -310 });
    expect(cards.cashPositions(books, accounts, banks)).toEqual({
      items: [
        { accountId: CHECKING, label: 'Main Street Bank', amount: 4_831_600 },
        { accountId: 104, label: 'Undeposited Funds', amount: 327_500 },
      ],
      total: 5_159_100,
      cardsOwed: { items: [{ accountId: CREDIT_CARD, label: 'Visa', amount: 31_000 }], total: 31_000 },
    });
  });

  test('cash positions include inactive bank accounts with money, and active ones even if they are empty', () => {
    const labels = (books: Books) =>
      cards.cashPositions(balancesOf(books), accounts, banks).items.map((one) => one.label);
    expect(labels({ 102: 1 })).toEqual(['Main Street Bank', 'Old Savings']);
    expect(labels({})).toEqual(['Main Street Bank']);
  });
});

describe('computed targets', () => {
  test.each([
    ['the revenue of the previous year', [500, 1, 2, 3], 500],
    ['a loss in the previous year', [-500, 1, 2, 3], -500],
    ['the average of the periods that have revenue', [0, 100, 0, 101], 101],
    ['zero without any revenue', [0, 0, 0, 0], 0],
  ])('the default revenue target is %s', (_, revenues, target) => {
    expect(cards.computedTarget(revenues.map(cents))).toBe(target);
  });
});
