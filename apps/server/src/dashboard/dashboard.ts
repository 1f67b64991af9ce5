import type { Dashboard } from '@evenkeel/contract/dashboard';
import { sum, ZERO } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/side';
import { listBankingAccounts } from '../banking/accounts.ts';
import { invoiceRowView } from '../billing/invoice-view.ts';
import { holds } from '../http/authorise.ts';
import type { Ctx } from '../http/context.ts';
import { chartOfAccounts } from '../ledger/accounts.ts';
import { selectOverdue, selectRecent, sumOpen } from './dashboard.sql.ts';

/** How many invoices are named, of the overdue and of the latest. */
const MOST = 6;

/** What is owed to the company and what it has, as of today; each part for those who may view what it sums up. */
export async function dashboard(ctx: Ctx): Promise<Dashboard> {
  const [billing, cash] = await Promise.all([
    holds(ctx.user, 'View Billing') ? billingFigures(ctx) : null,
    cashLines(ctx),
  ]);
  return { billing, cash: cash === null ? null : { lines: cash, total: sum(cash.map(({ amount }) => amount)) } };
}

async function billingFigures({ tx, today }: Ctx): Promise<NonNullable<Dashboard['billing']>> {
  const [sums, attention, recent] = await Promise.all([
    tx.row(sumOpen(RECEIVABLE, today)),
    tx.rows(selectOverdue(RECEIVABLE, today, MOST)),
    tx.rows(selectRecent(RECEIVABLE, MOST)),
  ]);
  if (sums === undefined) throw new Error('a sum answered nothing');
  const rowsOf = (rows: typeof recent) => rows.map((row) => invoiceRowView(row, today));
  return { ...sums, attention: rowsOf(attention), recent: rowsOf(recent) };
}

/** Bank and cash accounts; a till without money is left out, and a credit card is no cash. */
async function cashLines(ctx: Ctx): Promise<NonNullable<Dashboard['cash']>['lines'] | null> {
  if (holds(ctx.user, 'View Accounting')) {
    return (await chartOfAccounts(ctx, false))
      .map((one) => ({ ...one, amount: one.balance ?? ZERO }))
      .filter(({ displayAccountType: type, amount }) => type === 'Bank' || (type === 'Cash' && amount !== 0))
      .map((one) => ({ id: one.customerAccountID, label: one.displayAccountName, amount: one.amount }));
  }
  if (!holds(ctx.user, 'View Banking')) return null;
  return (await listBankingAccounts(ctx))
    .filter(({ creditCards }) => !creditCards)
    .map((one) => ({ id: one.bankingAccountID, label: one.name, amount: one.currentBalance ?? ZERO }));
}
