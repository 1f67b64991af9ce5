import type { BankingAccount } from '@evenkeel/contract/banking';
import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import type { ChartAccount } from '@evenkeel/contract/ledger';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';

/** The figures of the start page, made of the same rows as the lists, so that they are the same figures. */

export interface OpenFigures {
  /** What is owed on posted invoices: accounts receivable but for unapplied credit. */
  unpaid: Cents;
  overdue: Cents;
  overdueCount: number;
  count: number;
  drafts: number;
  /** Past due, the longest first; at most `most` of them. */
  attention: readonly BillingInvoiceRow[];
}

const isOverdue = (row: BillingInvoiceRow): boolean => row.daysOverdue > 0 && row.openAmount > 0;
const isDraft = (row: BillingInvoiceRow): boolean => row.badge === 'Draft';

/** Open invoices and drafts → what is unpaid, what is overdue, and whom to ask first. */
export function openFigures(rows: readonly BillingInvoiceRow[], most: number): OpenFigures {
  // A draft has no effect on the ledger: nobody owes it yet.
  const posted = rows.filter((row) => !isDraft(row));
  const overdue = posted.filter(isOverdue);
  return {
    unpaid: sum(posted.map((row) => row.openAmount)),
    overdue: sum(overdue.map((row) => row.openAmount)),
    overdueCount: overdue.length,
    count: posted.length,
    drafts: rows.length - posted.length,
    attention: overdue.toSorted((a, b) => b.daysOverdue - a.daysOverdue || b.openAmount - a.openAmount).slice(0, most),
  };
}

/** The overdue part of what is unpaid in percent, 0 to 100, for the length of a bar. */
export function overdueShare({ unpaid, overdue }: Pick<OpenFigures, 'unpaid' | 'overdue'>): number {
  return unpaid <= 0 ? 0 : Math.round(Math.min(1, overdue / unpaid) * 1000) / 10;
}

export interface CashLine {
  id: number;
  label: string;
  amount: Cents;
}

export interface Cash {
  lines: readonly CashLine[];
  total: Cents;
}

const CASH_TYPES = ['Bank', 'Cash'];

/** Bank and cash accounts of the chart; a cash account without money is left out. */
export function cashOfChart(accounts: readonly ChartAccount[]): Cash {
  return cashOf(
    accounts
      .filter(({ displayAccountType }) => CASH_TYPES.includes(displayAccountType))
      .filter(({ displayAccountType, balance }) => displayAccountType === 'Bank' || (balance ?? ZERO) !== 0)
      .map((one) => ({ id: one.customerAccountID, label: one.displayAccountName, amount: one.balance ?? ZERO })),
  );
}

/** Banking accounts for those who see banking but not the chart; credit cards are no cash. */
export function cashOfBanking(accounts: readonly BankingAccount[]): Cash {
  return cashOf(
    accounts
      .filter((one) => !one.creditCards)
      .map((one) => ({ id: one.bankingAccountID, label: one.name, amount: one.currentBalance ?? ZERO })),
  );
}

function cashOf(lines: readonly CashLine[]): Cash {
  return { lines, total: cents(lines.reduce((total, line) => total + line.amount, 0)) };
}
