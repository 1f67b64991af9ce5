import type { BudgetCell } from '@evenkeel/core/books/budgets';
import type { DateRange, IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { AccountAmount } from '@evenkeel/core/reports/balances';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

export const budgetAmounts = table('budget_amount', {
  id: 'id',
  accountId: 'account_id',
  profitCenterId: 'profit_center_id',
  month: 'month',
  amount: 'amount_cents',
});

/** The budget for one account in one month. */
export interface BudgetedMonth {
  accountId: number;
  month: IsoDate;
  /** The amount, with the natural sign of the account's root. */
  amount: Cents;
  /** Whether the amount includes the budget of a profit center. */
  isShared: boolean;
}

/**
 * Limits a query to a profit center. Undefined includes all profit centers, and 0 selects the amounts without a profit
 * center.
 */
function ofCenter(id: number | undefined): RawBuilder<unknown> {
  if (id === undefined) return sql``;
  return id === UNASSIGNED ? sql` and profit_center_id is null` : sql` and profit_center_id = ${id}`;
}

/** The budgets to select: the months in a date range, for one profit center or, if none is given, for all of them. */
interface Budgeted extends DateRange {
  profitCenterId?: number | undefined;
}

/** Selects the budget by account and month. */
export function budgetSql({ from, to, profitCenterId }: Budgeted): Runnable<BudgetedMonth> {
  return sql<BudgetedMonth>`
    select account_id as "accountId", month, sum(amount_cents)::bigint as amount,
      bool_or(profit_center_id is not null) as "isShared"
    from budget_amount
    where company_id = ${COMPANY} and month between ${from} and ${to}${ofCenter(profitCenterId)}
    group by account_id, month
    order by account_id, month`;
}

/** Selects the budget by account. */
export function budgetSumsSql({ from, to, profitCenterId }: Budgeted): Runnable<AccountAmount> {
  return sql<AccountAmount>`
    select account_id as "accountId", sum(amount_cents)::bigint as amount
    from budget_amount
    where company_id = ${COMPANY} and month between ${from} and ${to}${ofCenter(profitCenterId)}
    group by account_id
    order by account_id`;
}

/** Selects the months that have a budget. */
export function budgetMonthsSql(): Runnable<{ month: IsoDate }> {
  return sql<{ month: IsoDate }>`
    select month from budget_amount where company_id = ${COMPANY} group by month order by month desc`;
}

/** Locks the company's budgets until the commit, so that two requests can't save the same month at the same time. */
export function lockBudgetsSql(): Runnable<unknown> {
  return sql`select company_id from ledger_head where company_id = ${COMPANY} for update`;
}

/** Replaces months of a budget. If a month has no new amount, its old amount is only removed. */
export function replaceMonths(profitCenterId: number | null, cells: readonly BudgetCell[]): Runnable<unknown>[] {
  const rows = cells.flatMap(({ accountId, month, amount }) =>
    amount === null ? [] : [{ accountId, profitCenterId, month, amount }],
  );
  const removed = sql`
    delete from budget_amount
    where company_id = ${COMPANY}${ofCenter(profitCenterId ?? UNASSIGNED)} and (account_id, month) in (
      select account_id, month
      from unnest(${cells.map(({ accountId }) => accountId)}::bigint[], ${cells.map(({ month }) => month)}::date[])
        as cell (account_id, month))`;
  return rows.length === 0 ? [removed] : [removed, budgetAmounts.insertMany(rows)];
}
