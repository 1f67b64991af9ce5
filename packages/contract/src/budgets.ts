import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField, Id, IdText, Usd } from './fields.ts';

/** The budget of a fiscal year, by account, month, and profit center. */

/** One item for each month of the fiscal year. */
const byMonth = <T extends z.ZodType>(of: T) => z.array(of);

/** Income and expense accounts. All amounts are positive on the side of the account's root. */
const BudgetRow = z.object({
  accountId: Id,
  label: z.string(),
  /** The section of the profit and loss statement. */
  section: z.enum(['Income', 'Cost of Goods Sold', 'Expenses', 'Other Income', 'Other Expenses']),
  /** The budget by month, in whole dollars. Null for a month without a budget. */
  amounts: byMonth(Usd.nullable()),
  /** The actual amounts by month for this and the previous fiscal year, on the company's basis. */
  actuals: byMonth(Usd),
  lastYear: byMonth(Usd),
  /**
   * Whether the amounts are the totals of several profit centers. If so, they can be changed only in those profit
   * centers.
   */
  isTotal: z.boolean(),
});
export type BudgetRow = z.output<typeof BudgetRow>;

export const Budget = z.object({
  /** The calendar year in which the fiscal year starts. */
  year: z.number().int(),
  /** The name of the fiscal year: `2026`, or `2025–2026`. */
  name: z.string(),
  /** Null for the total of all profit centers, 0 for the amounts without a profit center. */
  profitCenterId: Id.nullable(),
  months: byMonth(DateField),
  /** The fiscal years that have a budget, latest first. */
  years: z.array(z.object({ year: z.number().int(), name: z.string() })),
  /** The accounts in the order of the profit and loss statement. */
  rows: z.array(BudgetRow),
});
export type Budget = z.output<typeof Budget>;

/** The maximum number of cells in one request: 1,000 accounts. */
const MOST_CELLS = 12_000;

export const budgetCalls = {
  /**
   * Defaults to the current fiscal year. If no profit center is given, the amounts are the totals of all profit
   * centers. Profit center 0 selects the amounts without a profit center.
   */
  getBudget: endpoint({
    method: 'GET',
    path: '/budget',
    needs: 'View Accounting',
    summary: "Returns a fiscal year's budget with the actual amounts for that year and the previous year.",
    query: z.object({ year: IdText.optional(), profitCenterId: IdText.optional() }),
    reply: Budget,
  }),
  /**
   * Saves only the given months, and either all of them or none. `was` is the amount that the user saw: returns 409
   * with the current budget if another user has changed one of these months in the meantime. Other months don't matter,
   * so several users can work on one budget. It is not an error if a month already has the requested amount. Returns
   * 422 for amounts that are not whole dollars, and for the total of an account that has a budget by profit center.
   */
  saveBudget: endpoint({
    method: 'PUT',
    path: '/budget',
    needs: 'Manage Accounting',
    summary: "Saves one or more months of a fiscal year's budget.",
    body: z.object({
      year: z.number().int(),
      profitCenterId: Id.nullable(),
      cells: z
        .array(z.object({ accountId: Id, month: DateField, was: Usd.nullable(), amount: Usd.nullable() }))
        .min(1)
        .max(MOST_CELLS),
    }),
    reply: Budget,
  }),
};
