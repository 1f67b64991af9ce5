import * as z from 'zod';
import { BillingInvoiceRow } from './billing.ts';
import { endpoint } from './endpoint.ts';
import { Id, Usd } from './fields.ts';

/** The start page: sums and a few invoices, never a list that grows with the books. */

const Billing = z.object({
  /** What is owed on posted invoices: accounts receivable but for unapplied credit. */
  unpaid: Usd,
  overdue: Usd,
  overdueCount: z.number().int(),
  /** Posted invoices that are not paid. */
  count: z.number().int(),
  drafts: z.number().int(),
  /** Those past due the longest. */
  attention: z.array(BillingInvoiceRow),
  /** The latest by date, whatever their state; none in a company that has never billed. */
  recent: z.array(BillingInvoiceRow),
});

const Cash = z.object({ lines: z.array(z.object({ id: Id, label: z.string(), amount: Usd })), total: Usd });

export const Dashboard = z.object({ billing: Billing.nullable(), cash: Cash.nullable() });
export type Dashboard = z.output<typeof Dashboard>;

export const dashboardCalls = {
  getDashboard: endpoint({
    method: 'GET',
    path: '/dashboard',
    needs: 'signed-in',
    summary: "The start page's figures as of today; null for what the caller may not view.",
    reply: Dashboard,
  }),
};
