import { naturalAmount, type StatementSection } from '../books/accounts.ts';
import { type Cents, cents, decimal, round, sum, ZERO } from '../money.ts';
import { balanceSheetTotals } from './balance-sheet.ts';
import {
  type AccountAmount,
  type AccountBalance,
  inAccountOrder,
  type ReportAccount,
  type ReportRow,
  rowsOf,
} from './balances.ts';
import { profitAndLossTotals } from './profit-loss.ts';
import { grouped } from './report.ts';
import { amountOf } from './statement.ts';

/**
 * Calculates the amounts on the dashboard's cards from ledger totals. Each of these amounts equals an amount on a
 * report.
 */

/** Assets that count toward the quick ratio, because they can quickly be turned into cash. */
export const QUICK: readonly string[] = ['Bank', 'Cash', 'Short-Term Investment', 'Accounts Receivable'];
export const EXPENSES: readonly StatementSection[] = ['Cost of Goods Sold', 'Expenses'];
export const ALL_EXPENSES: readonly StatementSection[] = [...EXPENSES, 'Other Expenses'];

/** The sections that make up gross profit, net income, and the ratios. */
export const GROSS_PROFIT: readonly StatementSection[] = ['Income', 'Cost of Goods Sold'];
export const NET_INCOME: readonly StatementSection[] = ['Income', 'Other Income', ...ALL_EXPENSES];
export const LIQUIDITY: readonly StatementSection[] = ['Current Assets', 'Current Liabilities'];

/** Returns part / whole × 100 with 2 decimal places, or null if the whole is not positive. */
export function percentOf(part: Cents, whole: Cents): number | null {
  return whole <= 0 ? null : Number(round(decimal(part).times(100).div(whole), 2));
}

/** Returns part / whole with 2 decimal places, or null if the whole is zero. */
function ratioOf(part: Cents, whole: Cents): number | null {
  return whole === 0 ? null : Number(round(decimal(part).div(whole), 2));
}

export interface CategoryTotal {
  categoryName: string;
  total: Cents;
  accountIds: number[];
}

/** Returns totals by account category, largest first, with negative totals last. */
function byCategory(rows: readonly ReportRow[], of: readonly StatementSection[]): CategoryTotal[] {
  const own = rows.filter(({ info, amount }) => amount !== 0 && of.includes(info.section));
  const groups = [...grouped(own, ({ account }) => account.category || 'Uncategorized')];
  return groups
    .map(([categoryName, group]) => ({
      categoryName,
      total: sum(group.map(({ info, amount }) => naturalAmount(info, amount))),
      accountIds: accountIdsOf(group),
    }))
    .toSorted((a, b) => b.total - a.total || a.categoryName.localeCompare(b.categoryName, 'en'));
}

function accountIdsOf(rows: readonly ReportRow[]): number[] {
  return rows.map(({ account }) => account.id).toSorted((a, b) => a - b);
}

/** Returns the accounts in these sections that have an amount. These accounts are the source of a number on a card. */
export function accountsBehind(
  amounts: readonly AccountAmount[],
  accounts: readonly ReportAccount[],
  of: readonly StatementSection[],
): number[] {
  return accountIdsOf(
    rowsOf(amounts, accounts).filter(({ info, amount }) => amount !== 0 && of.includes(info.section)),
  );
}

/** Returns expenses and cost of goods sold by category. */
export function expenseBreakdown(amounts: readonly AccountAmount[], accounts: readonly ReportAccount[]) {
  const categories = byCategory(rowsOf(amounts, accounts), EXPENSES);
  return { categories, total: sum(categories.map(({ total }) => total)) };
}

/** Returns income and other income compared with all expenses. The difference equals the report's net income. */
export function revenueVersusExpense(amounts: readonly AccountAmount[], accounts: readonly ReportAccount[]) {
  const { income, otherIncome, netIncome } = profitAndLossTotals(amounts, accounts);
  const categories = byCategory(rowsOf(amounts, accounts), ALL_EXPENSES);
  return {
    revenue: sum([income, otherIncome]),
    otherIncome,
    totalExpense: sum(categories.map(({ total }) => total)),
    categories,
    netProfitLoss: netIncome,
  };
}

/** Returns gross (0) or net (1) profit as a percentage of income, or null if income is zero. */
export function profitMargin(amounts: readonly AccountAmount[], accounts: readonly ReportAccount[], plType: 0 | 1) {
  const { income, grossProfit, netIncome } = profitAndLossTotals(amounts, accounts);
  const netProfitLoss = plType === 0 ? grossProfit : netIncome;
  return { profitMarginPercent: percentOf(netProfitLoss, income), netProfitLoss, income };
}

/**
 * Returns the current and quick ratios, or null if the company has no current liabilities. An overdrawn bank account is
 * a negative asset.
 */
export function liquidity(balances: readonly AccountBalance[], accounts: readonly ReportAccount[]) {
  const rows = rowsOf(
    balances.map(({ accountId, toDate }) => ({ accountId, amount: toDate })),
    accounts,
  );
  const currentAssets = amountOf({ of: ['Current Assets'], root: 'Asset' }, rows);
  const quickAssets = sum(rows.filter(({ info }) => QUICK.includes(info.type)).map(({ amount }) => amount));
  const currentLiabilities = amountOf({ of: ['Current Liabilities'], root: 'Liability' }, rows);
  return {
    currentRatio: ratioOf(currentAssets, currentLiabilities),
    quickRatio: ratioOf(quickAssets, currentLiabilities),
    currentAssets,
    quickAssets,
    currentLiabilities,
  };
}

/**
 * The total assets on the day before the period and on the period's last day. Their mean is the base of the return on
 * assets.
 */
export interface AssetsAround {
  opening: readonly AccountBalance[];
  closing: readonly AccountBalance[];
}

/** Returns net income as a percentage of average assets, or null if average assets are not positive. */
export function returnOnAssets(
  amounts: readonly AccountAmount[],
  { opening, closing }: AssetsAround,
  books: { accounts: readonly ReportAccount[]; retainedEarningsAccountId: number },
) {
  const { accounts, retainedEarningsAccountId } = books;
  const { netIncome } = profitAndLossTotals(amounts, accounts);
  const assetsOf = (balances: readonly AccountBalance[]): Cents =>
    balanceSheetTotals(balances, accounts, retainedEarningsAccountId).assets;
  const [openingAssets, closingAssets] = [assetsOf(opening), assetsOf(closing)];
  const both = sum([openingAssets, closingAssets]);
  const average = cents(Number(round(decimal(both).div(2), 0)));
  // Doubling net income instead of halving the assets avoids rounding an odd cent.
  return {
    roaPercent: percentOf(cents(netIncome * 2), both),
    netIncome,
    averageAssets: average,
    openingAssets,
    closingAssets,
  };
}

export interface CashItem {
  accountId: number;
  label: string;
  /** The current balance of a cash account, or the balance owed on a credit card. */
  amount: Cents;
}

export interface Bank {
  name: string;
  glAccountId: number;
  active: boolean;
}

/**
 * Returns bank and cash accounts, each under the name of its bank account if it has one, and, separately, credit cards.
 * Active bank accounts are included even if they are empty. The total equals "Bank and Cash" on the balance sheet.
 */
export function cashPositions(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  banks: readonly Bank[],
) {
  const byAccount = new Map(banks.map((bank) => [bank.glAccountId, bank]));
  const amounts = balances.map(({ accountId, toDate }) => ({ accountId, amount: toDate }));
  const seen = new Set(balances.map(({ accountId }) => accountId));
  const unposted = accounts.filter(({ id }) => !seen.has(id)).map(({ id }) => ({ accountId: id, amount: ZERO }));
  const rows = rowsOf([...amounts, ...unposted], accounts).toSorted(inAccountOrder);
  const itemsOf = (types: readonly string[]): CashItem[] =>
    rows
      .filter(({ info, account, amount }) => types.includes(info.type) && (amount !== 0 || isOpen(account.id)))
      .map(({ account, info, amount }) => ({
        accountId: account.id,
        label: byAccount.get(account.id)?.name ?? account.name,
        amount: naturalAmount(info, amount),
      }));
  const isOpen = (accountId: number): boolean => byAccount.get(accountId)?.active === true;
  const [items, owed] = [itemsOf(['Bank', 'Cash']), itemsOf(['Credit Card'])];
  return { items, total: totalOf(items), cardsOwed: { items: owed, total: totalOf(owed) } };
}

function totalOf(items: readonly CashItem[]): Cents {
  return sum(items.map(({ amount }) => amount));
}

/**
 * Returns the indexes of the targetBasis periods on which a default target is based: the period a year earlier or, if
 * it had no revenue, the earlier periods that had revenue (at most three).
 */
export function targetSources([yearEarlier = ZERO, ...before]: readonly Cents[]): number[] {
  if (yearEarlier !== 0) return [0];
  return before.flatMap((amount, index) => (amount === 0 ? [] : [index + 1]));
}

/** Returns the default revenue target: the mean of its sources, or zero if there are none. */
export function computedTarget(revenues: readonly Cents[]): Cents {
  const earned = targetSources(revenues).map((index) => revenues[index] ?? ZERO);
  return earned.length === 0 ? ZERO : cents(Number(round(decimal(sum(earned)).div(earned.length), 0)));
}
