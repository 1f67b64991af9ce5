import { Budget, type BudgetRow, type budgetCalls } from '@evenkeel/contract/budgets';
import type { BodyOf, QueryOf } from '@evenkeel/contract/endpoint';
import { DateField, Usd } from '@evenkeel/contract/fields';
import { accountLabel, accountTypeInfo, naturalAmount } from '@evenkeel/core/books/accounts';
import {
  BUDGET_YEARS,
  type BudgetCell,
  budgetMonths,
  budgetYearName,
  budgetYearOf,
  cellKey,
} from '@evenkeel/core/books/budgets';
import { addMonths, endOfMonth, type IsoDate } from '@evenkeel/core/dates';
import { type FieldMessages, refuse, refuseFields } from '@evenkeel/core/failure';
import { malformed } from '@evenkeel/contract/sentences';
import { type Cents, isWholeDollars, ZERO } from '@evenkeel/core/money';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { inAccountOrder } from '@evenkeel/core/reports/balances';
import * as z from 'zod';
import { type CompanySettings, companySettings } from '../../books/company-settings.ts';
import { type AccountRow, accountsSql } from '../../books/ledger/accounts.sql.ts';
import { accountsByMonth } from '../../books/ledger/balances.sql.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { stale } from '../../platform/http/fresh.ts';
import { budgetMonthsSql, budgetSql, lockBudgetsSql, replaceMonths } from './budgets.sql.ts';
import { profitCenters } from './dimensions.ts';

/** The budget that a request is about. */
interface Asked {
  year: number;
  /** Null for all profit centers, 0 for the amounts without a profit center. */
  profitCenterId: number | null;
}

/**
 * Returns the budget for a fiscal year. The default is the current year. Throws 422 for another company's profit
 * center, and 400 for a year that is out of range.
 */
export async function getBudget(ctx: Ctx, query: QueryOf<typeof budgetCalls.getBudget>): Promise<Budget> {
  const settings = await companySettings(ctx);
  const { year = budgetYearOf(ctx.today, settings.fyStartMonth), profitCenterId = null } = query;
  return readBudget(ctx, { year, profitCenterId }, settings);
}

const SECTIONS: readonly BudgetRow['section'][] = [
  'Income',
  'Cost of Goods Sold',
  'Expenses',
  'Other Income',
  'Other Expenses',
];

async function readBudget({ tx }: Ctx, asked: Asked, settings: CompanySettings): Promise<Budget> {
  const { year, profitCenterId } = asked;
  const { fyStartMonth } = settings;
  const { first, last } = BUDGET_YEARS;
  if (year < first || year > last) throw malformed({ year: `The year must be between ${first} and ${last}` });
  const months = budgetMonths(year, fyStartMonth);
  const lastYear = months.map((month) => addMonths(month, -12));
  const [from, to] = endsOf(months);
  const [[center], accounts, budgeted, actual, all] = await Promise.all([
    tx.rows(profitCenters.table.find({ profitcenterid: profitCenterId ?? UNASSIGNED })),
    tx.rows(accountsSql('every', true)),
    tx.rows(budgetSql({ from, to, profitCenterId: profitCenterId ?? undefined })),
    tx.rows(
      accountsByMonth({
        basis: settings.reportingAccountingBasis === 1 ? 'cash' : 'accrual',
        profitCenterId: profitCenterId ?? undefined,
        from: endsOf(lastYear)[0],
        to,
      }),
    ),
    tx.rows(budgetMonthsSql()),
  ]);
  if (profitCenterId !== null && profitCenterId !== UNASSIGNED && center === undefined) {
    throw refuse('Please Select a Profit Center', { profitCenterId: 'Please Select a Profit Center' });
  }
  const budgets = new Map(budgeted.map((cell) => [cellKey(cell), cell]));
  const actuals = new Map(actual.map((cell) => [cellKey(cell), cell.amount]));
  const rowOf = (account: AccountRow): BudgetRow | undefined => {
    const info = accountTypeInfo(account.type, account.contra);
    const section = SECTIONS.find((each) => each === info.section);
    if (section === undefined) return undefined;
    const cells = months.map((month) => budgets.get(cellKey({ accountId: account.id, month })));
    const posted = (of: readonly IsoDate[]): Cents[] =>
      of.map((month) => naturalAmount(info, actuals.get(cellKey({ accountId: account.id, month })) ?? ZERO));
    const row = {
      accountId: account.id,
      label: accountLabel(account, settings.useAccountNumbers),
      section,
      amounts: cells.map((cell) => cell?.amount ?? null),
      actuals: posted(months),
      lastYear: posted(lastYear),
      isTotal: profitCenterId === null && cells.some((cell) => cell?.isShared === true),
    };
    const isEmpty =
      cells.every((cell) => cell === undefined) && [...row.actuals, ...row.lastYear].every((each) => !each);
    return account.active || !isEmpty ? row : undefined;
  };
  const sorted = accounts.toSorted((a, b) => inAccountOrder({ account: named(a) }, { account: named(b) }));
  const rows = sorted.flatMap((account) => rowOf(account) ?? []);
  const years = [...new Set(all.map(({ month }) => budgetYearOf(month, fyStartMonth)))];
  return {
    year,
    name: budgetYearName(year, fyStartMonth),
    profitCenterId,
    months,
    years: years.map((each) => ({ year: each, name: budgetYearName(each, fyStartMonth) })),
    rows: SECTIONS.flatMap((section) => rows.filter((row) => row.section === section)),
  };
}

/** Returns the first and the last day of a list of months. */
function endsOf(months: readonly IsoDate[]): [from: IsoDate, to: IsoDate] {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) throw new Error('the fiscal year has no months');
  return [first, endOfMonth(last)];
}

const named = (account: AccountRow) => ({ ...account, category: '', label: '' });

/** The changed months of a budget, as shown in the audit log. */
const AuditedBudget = z.object({
  year: z.number().int(),
  budget: z.string(),
  profitCenter: z.string(),
  cells: z.array(z.object({ account: z.string(), month: DateField, amount: Usd.nullable() })),
});
const subject: Subject<typeof AuditedBudget> = { name: 'budget', schema: AuditedBudget, idOf: ({ year }) => year };

/**
 * Saves months of a budget, either all of them or none. Throws 409 'stale' with the current budget if another user has
 * changed one of the months since this user loaded the budget. Throws 422 for an amount that is not in whole dollars, a
 * month outside the year, an account that is not income or expense, or a change to the total of several profit centers.
 */
export async function saveBudget(ctx: Ctx, input: BodyOf<typeof budgetCalls.saveBudget>): Promise<Budget> {
  const { tx } = ctx;
  const settings = await companySettings(ctx);
  // The amounts are read after the lock, so that two users can't both replace the same month.
  await tx.rows(lockBudgetsSql());
  const budget = await readBudget(ctx, input, settings);
  const rows = new Map(budget.rows.map((row) => [row.accountId, row]));
  refuseFields(faultsOf(input.cells, { budget, rows }));
  const saved = ({ accountId, month }: Pick<BudgetCell, 'accountId' | 'month'>): Cents | null =>
    rows.get(accountId)?.amounts[budget.months.indexOf(month)] ?? null;
  const changed = input.cells.filter((cell) => saved(cell) !== cell.amount);
  // A repeated request is not a conflict, and neither is the same amount from another user.
  if (changed.some((cell) => saved(cell) !== cell.was)) throw stale(Budget, budget);
  const total = changed.find(({ accountId }) => rows.get(accountId)?.isTotal === true);
  if (total !== undefined) {
    const label = rows.get(total.accountId)?.label ?? '';
    throw refuse(`${label} has a budget by profit center. Select a profit center to change it.`);
  }
  if (changed.length === 0) return budget;
  const centerId = input.profitCenterId === UNASSIGNED ? null : input.profitCenterId;
  const [center] = centerId === null ? [] : await tx.rows(profitCenters.table.find({ profitcenterid: centerId }));
  const audited = (amountOf: (cell: (typeof changed)[number]) => Cents | null) => ({
    year: input.year,
    budget: `${budget.name} Budget`,
    profitCenter: center?.profitcentername ?? '',
    cells: changed.map((cell) => {
      return { account: rows.get(cell.accountId)?.label ?? '', month: cell.month, amount: amountOf(cell) };
    }),
  });
  record(ctx, subject, {
    before: audited(saved),
    after: audited(({ amount }) => amount),
    write: replaceMonths(centerId, changed),
  });
  return readBudget(ctx, input, settings);
}

function faultsOf(
  cells: readonly BudgetCell[],
  { budget, rows }: { budget: Budget; rows: ReadonlyMap<number, BudgetRow> },
): FieldMessages {
  const fields: FieldMessages = {};
  const seen = new Set<string>();
  for (const [at, cell] of cells.entries()) {
    const { accountId, month, amount } = cell;
    if (!rows.has(accountId)) fields[`cells.${at}.accountId`] = 'Please select an income or expense account';
    if (!budget.months.includes(month))
      fields[`cells.${at}.month`] = `must be the first day of a month in ${budget.name}`;
    if (amount !== null && !isWholeDollars(amount))
      fields[`cells.${at}.amount`] = 'Budget amounts must be whole dollars';
    if (seen.has(cellKey(cell))) fields[`cells.${at}.month`] = 'must appear only once for each account';
    seen.add(cellKey(cell));
  }
  return fields;
}
