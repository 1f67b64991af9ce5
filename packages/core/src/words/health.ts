import { kinds } from '../documents/side.ts';

/** A health check of a company's books, with the text that users see. Checks are listed in display order. */

export interface HealthCheck {
  /** The name that `verify` uses for the problems that the check finds. */
  name: string;
  title: string;
  /** The text for a passed check. */
  says: string;
  /** The value next to the description: an amount or a count. */
  figure?: { kind: 'amount' | 'count'; words: string };
}

const count = (words: string) => ({ kind: 'count' as const, words });
const amount = (words: string) => ({ kind: 'amount' as const, words });

export const healthChecks: readonly HealthCheck[] = [
  {
    name: 'balance',
    title: 'Every transaction balances',
    says: 'Debits equal credits on both bases',
    figure: count('transactions'),
  },
  { name: 'dates', title: 'All entries add up to zero', says: 'On every date, on both bases' },
  {
    name: 'control accounts',
    title: 'A/R and A/P equal open invoices and bills',
    says: 'Less unapplied payments and journal entries. On the cash basis, A/R and A/P are zero.',
    figure: amount('receivable'),
  },
  {
    name: 'sales tax',
    title: 'Sales tax payable equals sales tax charged',
    says: 'The tax items and totals of every invoice are correct',
  },
  {
    name: 'reconciliations',
    title: 'Reconciled balances match their entries',
    says: 'The selected entries add up to each statement balance',
    figure: count('reconciliations'),
  },
  {
    name: 'totals',
    title: 'Trial balance, monthly totals, and profit center totals agree',
    says: 'Report totals match the entries by day, month, profit center, and location',
    figure: amount('each side'),
  },
  {
    name: 'documents',
    title: 'Documents match the ledger',
    says: 'Each invoice, bill, and payment is posted correctly',
    figure: count('documents'),
  },
  {
    name: 'chain',
    title: 'The hash chain is intact',
    says: "Each transaction's hash is included in the next one",
    figure: count('entries'),
  },
  { name: 'head', title: 'The hash chain is complete', says: 'The last number and hash match the last transaction' },
  {
    name: 'audit log',
    title: 'The audit log is complete',
    says: "Each row's hash is included in the next one, and no rows are missing",
    figure: count('rows'),
  },
  { name: 'ids', title: 'No entries are missing', says: 'Transaction and line IDs have no gaps' },
  { name: 'numbers', title: 'No document numbers are missing', says: 'Each assigned number has a document' },
  {
    name: 'reversals',
    title: 'Reversals are exact',
    says: 'Each reversal reverses one line, and no line is reversed twice',
  },
  {
    name: 'live lines',
    title: 'Current lines are correct',
    says: 'The current lines of edited documents equal the rebuilt lines',
  },
  {
    name: 'open amounts',
    title: 'Open balances match payments',
    says: 'Each open balance is the total minus the applied amounts',
  },
  {
    name: 'unapplied amounts',
    title: 'Credits match payments',
    says: 'Each credit is the payment amount minus the applied amounts',
  },
  {
    name: 'refunds',
    title: 'Refunds match credits',
    says: 'Each refund uses a credit of the same customer or vendor, dated on or before the refund',
  },
  { name: 'open sums', title: 'Totals of open documents are correct', says: 'List totals equal the sum of their rows' },
  {
    name: 'running sums',
    title: 'Payment applications are valid',
    says: 'Each application records the amount already applied to its document',
  },
  {
    name: 'money accounts',
    title: 'Payments have one account',
    says: 'Each payment has either a bank account or a GL account',
  },
  { name: 'kinds', title: 'Documents have a valid type', says: 'Each document belongs to receivables or payables' },
  { name: 'lines', title: 'Line amounts are correct', says: 'Price, quantity, package parts, and discounts' },
  {
    name: 'opening balances',
    title: 'Opening balances match their open documents',
    says: 'Opening Balance Equity has the amount that was entered',
  },
  {
    name: 'sales tax returns',
    title: 'Sales tax returns match their documents',
    says: 'Each amount equals the sum of its documents, and each return and payment is posted correctly',
  },
  {
    name: 'account sign-offs',
    title: 'Signed-off balances are unchanged',
    says: 'Each signed-off balance equals the sum of the entries posted before the sign-off',
  },
  {
    name: 'online payments',
    title: 'The clearing account equals charges less fees, refunds, and payouts',
    says: 'Each change to the Stripe balance is posted once, with its amount and fee',
  },
  { name: 'work items', title: 'Each work item is billed only once', says: 'No work item is on two invoices' },
  ...[...kinds.values()].flatMap(({ health = [] }) => health),
  { name: 'transfers', title: 'Transfers match the ledger', says: 'Each transfer is posted correctly' },
  {
    name: 'deposits',
    title: 'Deposits match their receipts',
    says: 'Each receipt still has the amount that was deposited',
  },
  { name: 'matches', title: 'Bank transactions equal their matches', says: 'Both add up to the same amount' },
  { name: 'bank lines', title: 'Bank transactions are unchanged', says: "Each transaction's key matches its text" },
  {
    name: 'bank statements',
    title: 'Bank statements are complete',
    says: 'Each statement has all the transactions that were imported',
  },
  {
    name: 'search',
    title: 'The search index is complete',
    says: 'Rebuilds the index entries and compares them with the stored entries',
  },
  { name: 'finance charges', title: 'Each overdue day is charged only once', says: 'Each charge has one invoice line' },
  {
    name: 'templates',
    title: 'Each scheduled document is created only once',
    says: 'Each date has the document that was created for it',
  },
  {
    name: 'members',
    title: "Users have their role's permissions",
    says: "Users also meet the company's sign-in requirements",
  },
  { name: 'saved values', title: 'Records are unchanged', says: 'Each row matches its seal' },
  { name: 'files', title: 'Files are unchanged', says: 'Each file matches its digest' },
];

/** Returns the text for a check. A check that is not listed is shown by its name. */
export function healthCheckOf(name: string): HealthCheck {
  return healthChecks.find((each) => each.name === name) ?? { name, title: name, says: '' };
}
