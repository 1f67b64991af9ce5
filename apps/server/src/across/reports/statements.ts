import { accountTypeInfo, GAIN_ON_SALE, LOSS_ON_SALE } from '@evenkeel/core/books/accounts';
import { addDays, type DateRange } from '@evenkeel/core/dates';
import { refuse } from '@evenkeel/core/failure';
import { cents, ZERO } from '@evenkeel/core/money';
import { comparedBalanceSheet } from '@evenkeel/core/reports/balance-sheet';
import type { AccountBalance, ReportAccount } from '@evenkeel/core/reports/balances';
import { cashFlow, type CashFlowFigure } from '@evenkeel/core/reports/cash-flow';
import { type Columns, type Plan, planColumns } from '@evenkeel/core/reports/compare';
import { comparedProfitAndLoss } from '@evenkeel/core/reports/profit-loss';
import type { Report, ReportContext } from '@evenkeel/core/reports/report';
import { trialBalance } from '@evenkeel/core/reports/trial-balance';
import type { Ctx } from '../../platform/http/context.ts';
import { amountsBetween, balancesAt } from '../../books/ledger/balances.sql.ts';
import { knownOf, type Running, scopeOf } from './books.ts';
import { usedDimensionsSql } from './books.sql.ts';
import { assetSalesSql } from './lines.sql.ts';

/** The maximum number of columns. More would be unreadable in print. */
const MOST_COLUMNS = 37;

/** Returns the requested columns. */
async function planOf(running: Running): Promise<Plan> {
  const { ask, books, context } = running;
  const { fyStartMonth } = books.settings;
  const plan = planColumns({ compare: ask.compare, context, fyStartMonth, values: await valuesOf(running) });
  if (plan.columns.length > MOST_COLUMNS) {
    const message = `The report has more than ${MOST_COLUMNS} columns. Choose a shorter date range.`;
    throw refuse(message, { compare: message });
  }
  return plan;
}

/** Reads each requested column separately. All statements are sent in one round trip. */
async function columnsOf<F>(running: Running, read: (context: ReportContext) => Promise<F[]>): Promise<Columns<F>> {
  const plan = await planOf(running);
  const columns = plan.columns.map(async (column) => ({ ...column, figures: await read(column.context) }));
  return { ...plan, columns: await Promise.all(columns) };
}

async function valuesOf({ ctx, ask, context }: Running) {
  const table = ask.compare === 'profitcenter' ? 'profit_center' : ask.compare === 'location' ? 'location' : undefined;
  if (table === undefined) return [];
  const { from = context.fiscalYearStart, asOf: to } = context;
  return ctx.tx.rows(usedDimensionsSql(table, { from, to, ...knownOf(context.known) }));
}

function readBalances(ctx: Ctx, context: ReportContext): Promise<AccountBalance[]> {
  const { asOf: date, fiscalYearStart } = context;
  return ctx.tx.rows(balancesAt({ ...scopeOf(context), date, fiscalYearStart }));
}

export async function runBalanceSheet(running: Running): Promise<Report> {
  const { ctx, books, context } = running;
  return comparedBalanceSheet(await columnsOf(running, (of) => readBalances(ctx, of)), books.accounts, context);
}

export async function runProfitAndLoss(running: Running): Promise<Report> {
  const { ctx, books, context } = running;
  const columns = await columnsOf(running, ({ from = context.fiscalYearStart, ...of }) =>
    ctx.tx.rows(amountsBetween({ ...scopeOf(of), from, to: of.asOf })),
  );
  return comparedProfitAndLoss(columns, books.accounts, context);
}

export async function runTrialBalance({ ctx, books, context }: Running): Promise<Report> {
  return trialBalance(await readBalances(ctx, context), books.accounts, context);
}

export async function runCashFlow(running: Running): Promise<Report> {
  const { books, context } = running;
  const { columns, ...plan } = await planOf(running);
  const flows = await readFlows(
    running,
    columns.map(({ context: { from, asOf, fiscalYearStart } }) => ({ from: from ?? fiscalYearStart, to: asOf })),
  );
  const read = columns.map((column, at) => ({ ...column, figures: flows[at] ?? [] }));
  return cashFlow({ ...plan, columns: read }, books.accounts, context);
}

/**
 * Returns the change in every account for each period: the ending balance less the starting balance. For cash accounts,
 * also returns both balances. Many periods start where another one ends, so the balances on each date are read only
 * once. The asset sales for all periods are also read only once.
 */
async function readFlows({ ctx, books, context }: Running, ranges: readonly DateRange[]): Promise<CashFlowFigure[][]> {
  const { accounts } = books;
  const { fiscalYearStart } = context;
  const scope = scopeOf(context);
  const idsOf = (is: (account: ReportAccount) => boolean): number[] => accounts.filter(is).map(({ id }) => id);
  const flowOf = ({ type, contra }: ReportAccount) => accountTypeInfo(type, contra).cashFlow;
  const besides = [GAIN_ON_SALE, LOSS_ON_SALE];
  const days = [...new Set(ranges.flatMap(({ from, to }) => [addDays(from, -1), to]))];
  const [sales, ...balances] = await Promise.all([
    ctx.tx.rows(
      assetSalesSql({
        ...scope,
        ranges,
        assetIds: idsOf((account) => flowOf(account) === 'Investing'),
        besideIds: idsOf(({ id, type }) => besides.includes(id) || type === 'Accumulated Depreciation'),
      }),
    ),
    ...days.map((date) => ctx.tx.rows(balancesAt({ ...scope, date, fiscalYearStart }))),
  ]);
  const cash = new Set(idsOf((account) => flowOf(account) === 'Cash'));
  const byDay = new Map(
    days.map((day, at) => [day, new Map(balances[at]?.map(({ accountId, toDate }) => [accountId, toDate]))]),
  );
  return ranges.map(({ from, to }, range) => {
    const [before, after] = [byDay.get(addDays(from, -1)), byDay.get(to)];
    const ids = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
    return [...ids].map((accountId) => {
      const [opening, closing] = [before?.get(accountId) ?? ZERO, after?.get(accountId) ?? ZERO];
      const sold = sales.find((each) => each.range === range && each.accountId === accountId);
      return {
        accountId,
        amount: cents(closing - opening),
        ofAssets: sold?.ofAssets ?? ZERO,
        opening: cash.has(accountId) ? opening : ZERO,
        closing: cash.has(accountId) ? closing : ZERO,
      };
    });
  });
}
