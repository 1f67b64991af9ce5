import type { Cards } from '@evenkeel/contract/dashboard';
import type { ReportRequest } from '@evenkeel/contract/figures';
import type { StatementSection } from '@evenkeel/core/books/accounts';
import {
  type CardKey,
  CARDS,
  cardRange,
  chartMonths,
  CUSTOM_PERIOD,
  targetBasis,
  targetBasisOfDates,
  targetPeriod,
} from '@evenkeel/core/cards';
import {
  addDays,
  addMonths,
  type DateRange,
  endOfMonth,
  formatDate,
  type IsoDate,
  laterOf,
  periodRange,
  startOfMonth,
} from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';
import * as figures from '@evenkeel/core/reports/cards';
import { profitAndLossTotals } from '@evenkeel/core/reports/profit-loss';
import { PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { budgetSql } from '../../features/accounting/budgets.sql.ts';
import { bankingAccounts } from '../../features/banking/accounts.sql.ts';
import { type BankSide, bankSidesSql } from '../../features/banking/statements.sql.ts';
import { holds } from '../../platform/http/session.ts';
import type { Ctx, Rights } from '../../platform/http/context.ts';
import { controlAccountIds } from '../reports/control.ts';
import { rangeOf, readReportParams } from '../reports/report-params.ts';
import { readBooks } from '../reports/books.ts';
import { sumLate } from '../../books/documents/aging.sql.ts';
import { targets } from './dashboard.sql.ts';
import { Sheet } from './sheet.ts';

/** The parameters for a card. */
export interface CardAsk {
  /** One of PERIODS. Custom if the range is given by two dates. */
  period: number;
  range: DateRange;
  /** The kind of profit: 0 for gross, 1 for net. */
  plType: 0 | 1;
}

type CardOf<K extends CardKey> = NonNullable<Cards[K]>;
type Runs = { readonly [K in CardKey]: (sheet: Sheet, ask: CardAsk) => Promise<CardOf<K>> };

const RUNS: Runs = {
  incomingMoney: (sheet) => agingCard(sheet, RECEIVABLE),
  outgoingMoney: (sheet) => agingCard(sheet, PAYABLE),
  revenue: revenueCard,
  cashPositions,
  expenseBreakdown: async (sheet, { period, range }) => {
    const { categories, total } = figures.expenseBreakdown(await sheet.amounts(range), sheet.accounts);
    const behind = sheet.behind(
      categories.flatMap(({ accountIds }) => accountIds),
      range,
    );
    const parts = sheet.parts([
      { name: 'total', label: 'Expenses', amount: total, accountIds: sheet.accountsIn(figures.EXPENSES), dates: range },
    ]);
    const lines = sheet.categories(categories, range);
    return { categories: lines, total, ...sheet.ofPeriod(period, range), ...behind, ...parts };
  },
  revenueVsExpense: async (sheet, { period, range }) => {
    const amounts = await sheet.amounts(range);
    const { categories, ...rest } = figures.revenueVersusExpense(amounts, sheet.accounts);
    const behind = sheet.behind(figures.accountsBehind(amounts, sheet.accounts, figures.NET_INCOME), range);
    const { revenue, otherIncome, totalExpense, netProfitLoss } = rest;
    const of = (name: string, label: string, amount: Cents, sections: readonly StatementSection[]) => {
      return { name, label, amount, accountIds: sheet.accountsIn(sections), dates: range };
    };
    const parts = sheet.parts([
      { ...of('revenue', 'Revenue', revenue, ['Income', 'Other Income']), credit: true },
      { ...of('otherIncome', 'Other income', otherIncome, ['Other Income']), credit: true },
      of('expense', 'Expense', totalExpense, figures.ALL_EXPENSES),
      { ...of('net', netProfitLoss < 0 ? 'Net loss' : 'Net profit', netProfitLoss, figures.NET_INCOME), credit: true },
    ]);
    const lines = sheet.categories(categories, range);
    return { ...rest, categories: lines, ...sheet.ofPeriod(period, range), ...behind, ...parts };
  },
  profitMargin: async (sheet, { period, range, plType }) => {
    const amounts = await sheet.amounts(range);
    const sections = plType === 0 ? figures.GROSS_PROFIT : figures.NET_INCOME;
    const behind = sheet.behind(figures.accountsBehind(amounts, sheet.accounts, sections), range);
    const margin = figures.profitMargin(amounts, sheet.accounts, plType);
    const { netProfitLoss, income } = margin;
    const label = `${plType === 0 ? 'Gross' : 'Net'} ${netProfitLoss < 0 ? 'loss' : 'profit'}`;
    const [profit, whole] = [sheet.accountsIn(sections), sheet.accountsIn(['Income'])];
    const parts = sheet.parts([
      { name: 'profit', label, amount: netProfitLoss, credit: true, accountIds: profit, dates: range },
      { name: 'income', label: 'Income', amount: income, credit: true, accountIds: whole, dates: range },
    ]);
    return { pltype: plType, ...margin, ...sheet.ofPeriod(period, range), ...behind, ...parts };
  },
  currentRatio: async (sheet) => {
    const balances = await sheet.balances(sheet.date);
    const amounts = balances.map(({ accountId, toDate }) => ({ accountId, amount: toDate }));
    const behind = sheet.behind(figures.accountsBehind(amounts, sheet.accounts, figures.LIQUIDITY));
    const ratios = figures.liquidity(balances, sheet.accounts);
    const quick = sheet.accountsWhere(({ type }) => figures.QUICK.includes(type));
    const [assets, debts] = [sheet.accountsIn(['Current Assets']), sheet.accountsIn(['Current Liabilities'])];
    const parts = sheet.parts([
      { name: 'assets', label: 'Current assets', amount: ratios.currentAssets, accountIds: assets },
      { name: 'quick', label: 'Quick assets', amount: ratios.quickAssets, accountIds: quick },
      {
        name: 'liabilities',
        label: 'Current liabilities',
        amount: ratios.currentLiabilities,
        credit: true,
        accountIds: debts,
      },
    ]);
    return { ...ratios, ...sheet.ofPeriod(null), ...behind, ...parts };
  },
  returnOnAssets: async (sheet, { period, range }) => {
    const [amounts, opening, closing] = await Promise.all([
      sheet.amounts(range),
      sheet.balances(addDays(range.from, -1)),
      sheet.balances(range.to),
    ]);
    const behind = sheet.behind(figures.accountsBehind(amounts, sheet.accounts, figures.NET_INCOME), range);
    const roa = figures.returnOnAssets(amounts, { opening, closing }, sheet);
    return { ...roa, ...sheet.ofPeriod(period, range), ...behind, ...returnParts(sheet, range, roa) };
  },
};

/** Returns a period's net income, and the assets before the period and at the end of the period. */
function returnParts(
  sheet: Sheet,
  range: DateRange,
  roa: Pick<ReturnOf, 'netIncome' | 'openingAssets' | 'closingAssets'>,
) {
  const before = addDays(range.from, -1);
  const assets = sheet.accountsWhere(({ root }) => root === 'Asset');
  const net = { accountIds: sheet.accountsIn(figures.NET_INCOME), dates: range, credit: true };
  const at = (to: IsoDate, amount: Cents) => {
    return { label: `Assets as of ${formatDate(to)}`, amount, accountIds: assets, dates: { from: null, to } };
  };
  return sheet.parts([
    { name: 'net', label: roa.netIncome < 0 ? 'Net loss' : 'Net income', amount: roa.netIncome, ...net },
    { name: 'opening', ...at(before, roa.openingAssets) },
    { name: 'closing', ...at(range.to, roa.closingAssets) },
  ]);
}
type ReturnOf = ReturnType<typeof figures.returnOnAssets>;

/** Returns the open amounts on a side: the balance of the control accounts, the overdue part, and the current part. */
async function agingCard(sheet: Sheet, side: Side): Promise<CardOf<'incomingMoney'>> {
  const ids = controlAccountIds(side, sheet.accounts);
  const [late, balances] = await Promise.all([
    sheet.ctx.tx.row(sumLate(side, sheet.date)),
    sheet.balances(sheet.date, 'accrual'),
  ]);
  if (late === undefined) throw new Error('the totals query returned no rows');
  const { thirty, sixty, ninety, days } = late;
  const own = balances.filter(({ accountId }) => ids.includes(accountId));
  const total = cents(side.sign * sum(own.map(({ toDate }) => toDate)));
  return {
    currentAmount: cents(total - thirty - sixty - ninety),
    thirtyAmount: thirty,
    sixtyAmount: sixty,
    ninetyAmount: ninety,
    totalAmount: total,
    averageDaysOutstanding: days,
    ...sheet.ofPeriod(null, undefined, 'accrual'),
    ...sheet.behind(ids, undefined, 'accrual'),
  };
}

async function revenueCard(sheet: Sheet, { period, range }: CardAsk): Promise<CardOf<'revenue'>> {
  const months = chartMonths(range);
  const [first = range.from] = months;
  // In a chart for a one-month period, the earlier months are complete. The chart for a longer period starts on the
  // period's first day.
  const from = first < startOfMonth(range.from) ? first : laterOf(first, range.from);
  const [amounts, byMonth, target] = await Promise.all([
    sheet.amounts(range),
    sheet.incomeByMonth({ from, to: range.to }),
    targetOf(sheet, { period, range }),
  ]);
  const incomeOf = new Map(byMonth.map(({ month, amount }) => [month, negate(amount)]));
  const revenueAmount = profitAndLossTotals(amounts, sheet.accounts).income;
  const income = sheet.accountsIn(['Income']);
  return {
    revenueAmount,
    targetAmounts: sheet.targets,
    ...target,
    months: months.map((month) => ({ month, amount: incomeOf.get(month) ?? ZERO })),
    ...sheet.ofPeriod(period, range),
    ...sheet.behind(figures.accountsBehind(amounts, sheet.accounts, ['Income']), range),
    ...sheet.parts([
      { name: 'revenue', label: 'Revenue', amount: revenueAmount, credit: true, accountIds: income, dates: range },
    ]),
  };
}

/**
 * Returns the target for a period. If none was set, returns the first of these that exists: the income in the budget,
 * the revenue from a year earlier, or the average for the previous periods. If none of them exists, returns null. The
 * endpoint for a single card also returns the income in the earlier periods.
 */
async function targetOf(
  sheet: Sheet,
  { period, range }: Omit<CardAsk, 'plType'>,
): Promise<Pick<CardOf<'revenue'>, 'target' | 'earlier'>> {
  const isCustom = period === CUSTOM_PERIOD;
  const periodType = isCustom ? period : targetPeriod(period);
  const set = sheet.targets.find((one) => one.periodType === periodType);
  if (set !== undefined && sheet.isShort) return { target: { ...set, computed: false } };
  const basis = isCustom ? targetBasisOfDates(range) : targetBasis(period, sheet.date, sheet.fyStartMonth);
  // The budget and the revenues are read at the same time, because each round trip delays all cards.
  const [budget, revenues] = await Promise.all([
    set === undefined ? budgetedIncome(sheet, { period, range }) : undefined,
    Promise.all(basis.map(async (dates) => profitAndLossTotals(await sheet.amounts(dates), sheet.accounts).income)),
  ]);
  if (budget !== undefined) return { target: { periodType, amount: budget, computed: true, budgeted: true } };
  const amount = figures.computedTarget(revenues);
  const computed = amount > 0 ? { periodType, amount, computed: true } : null;
  const accountIds = sheet.accountsIn(['Income']);
  const { parts: earlier } = sheet.parts(
    figures.targetSources(revenues).flatMap((index) => {
      const dates = basis[index];
      if (dates === undefined) return [];
      const label = `${formatDate(dates.from)} – ${formatDate(dates.to)}`;
      return [{ name: `earlier-${index}`, label, amount: revenues[index] ?? ZERO, credit: true, accountIds, dates }];
    }),
  );
  return {
    target: set === undefined ? computed : { ...set, computed: false },
    ...(earlier !== undefined && { earlier }),
  };
}

/**
 * Returns the income in the budget for the whole months of a period, such as all of this year. A custom range must
 * start and end with a month. Returns undefined if the budget has no income in one of the months.
 */
async function budgetedIncome(sheet: Sheet, { period, range }: Omit<CardAsk, 'plType'>): Promise<Cents | undefined> {
  const isCustom = period === CUSTOM_PERIOD;
  const { from, to } = isCustom ? range : periodRange(period, sheet.date, sheet.fyStartMonth);
  const end = endOfMonth(to);
  if (from !== startOfMonth(from) || (isCustom && to !== end)) return undefined;
  const income = new Set(sheet.accountsIn(['Income']));
  const cells = await sheet.ctx.tx.rows(budgetSql({ from, to: end }));
  const own = cells.filter(({ accountId }) => income.has(accountId));
  const months = new Set(own.map(({ month }) => month));
  for (let month = from; month <= end; month = addMonths(month, 1)) {
    if (!months.has(month)) return undefined;
  }
  const amount = sum(own.map((cell) => cell.amount));
  return amount > 0 ? amount : undefined;
}

/** Returns today's bank balances. Returns undefined on other dates, and for users who can't view Banking. */
async function bankSides({ ctx, date }: Sheet): Promise<BankSide[] | undefined> {
  return date === ctx.today && holds(ctx, 'View Banking') ? ctx.tx.rows(bankSidesSql()) : undefined;
}

async function cashPositions(sheet: Sheet): Promise<CardOf<'cashPositions'>> {
  const [balances, sides] = await Promise.all([sheet.balances(sheet.date), bankSides(sheet)]);
  const { items, total, cardsOwed } = figures.cashPositions(balances, sheet.accounts, sheet.banks);
  const rest = (amount: typeof total) => ({ accountId: 0, label: 'Other', amount });
  const withSource = (cash: readonly figures.CashItem[]) =>
    sheet.few(cash, rest, ({ amount }) => amount).map((item) => ({ ...item, ...sheet.behind([item.accountId]) }));
  const atBank = ({ accountId }: { accountId: number }) => {
    const { bankBalance = null, bankDate = null } = sides?.find((side) => side.glAccountId === accountId) ?? {};
    return bankBalance === null || bankDate === null ? {} : { bankBalance, bankDate };
  };
  return {
    items: withSource(items).map((item) => ({ ...item, ...atBank(item) })),
    total,
    cardsOwed: { items: withSource(cardsOwed.items), total: cardsOwed.total },
    ...(sides && { reviewCount: sides.reduce((all, { reviewCount }) => all + reviewCount, 0) }),
    ...sheet.ofPeriod(null),
    ...sheet.behind(items.map(({ accountId }) => accountId)),
    ...sheet.parts([
      { name: 'total', label: 'Cash', amount: total, accountIds: items.map(({ accountId }) => accountId) },
      {
        name: 'owed',
        label: 'Credit card balances',
        amount: cardsOwed.total,
        credit: true,
        accountIds: cardsOwed.items.map(({ accountId }) => accountId),
      },
    ]),
  };
}

/** Returns whether the user can view one of the areas that the card covers. */
export function mayViewCard(caller: Rights, key: CardKey): boolean {
  return CARDS[key].areas.some((area) => holds(caller, `View ${area}`));
}

/** Reads, in one round trip, the data that all cards in a response share: the books, the targets, and the banks. */
export async function openSheet(ctx: Ctx, asked: { date?: IsoDate; basis?: 0 | 1; isShort?: boolean }): Promise<Sheet> {
  const [books, set, banks] = await Promise.all([
    readBooks(ctx, { profitCenterId: undefined, locationId: undefined }),
    ctx.tx.rows(targets.find({}, { orderBy: targets.ref('periodType') })),
    ctx.tx.rows(bankingAccounts.find({})),
  ]);
  const basis = (asked.basis ?? books.settings.reportingAccountingBasis) === 1 ? 'cash' : 'accrual';
  return new Sheet(ctx, books, { targets: set, banks, basis, date: asked.date ?? ctx.today, isShort: asked.isShort });
}

/** Returns one card for a preset period or for two dates. */
export function runCard<K extends CardKey>(
  sheet: Sheet,
  key: K,
  { period, plType, range }: { period: number; plType: 0 | 1; range?: DateRange | undefined },
): Promise<CardOf<K>> {
  return RUNS[key](sheet, { period, plType, range: range ?? cardRange(period, sheet.date, sheet.fyStartMonth) });
}

/**
 * Returns one card for report parameters: reportdate, periodType (0 if missing), pltype, basis, or startdate instead of
 * a period. Throws 400 for invalid parameters, and 403 if the user can view none of the areas that the card covers.
 */
export async function readCard<K extends CardKey>(ctx: Ctx, key: K, request: ReportRequest): Promise<CardOf<K>> {
  if (!mayViewCard(ctx, key)) throw new Failure('forbidden', "You don't have access to this page");
  const { reportDate, startDate, basis, period, plType = 0 } = readReportParams(request);
  const sheet = await openSheet(ctx, {
    ...(reportDate && { date: reportDate }),
    ...(basis !== undefined && { basis }),
  });
  if (period !== undefined || startDate === undefined) return runCard(sheet, key, { period: period ?? 0, plType });
  const { to } = rangeOf({ reportDate: sheet.date, startDate }, { today: ctx.today, fyStartMonth: sheet.fyStartMonth });
  return runCard(sheet, key, { period: CUSTOM_PERIOD, plType, range: { from: startDate, to } });
}
