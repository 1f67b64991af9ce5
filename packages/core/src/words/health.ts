/** The checks of a company's books, as people are told of them, in the order in which they are shown. */

export interface HealthCheck {
  /** The name that `verify` gives its faults. */
  name: string;
  title: string;
  /** The proof in words. */
  says: string;
  /** The figure beside it: an amount or a number of something. */
  figure?: { kind: 'amount' | 'count'; words: string };
}

const count = (words: string) => ({ kind: 'count' as const, words });
const amount = (words: string) => ({ kind: 'amount' as const, words });

export const healthChecks: readonly HealthCheck[] = [
  {
    name: 'balance',
    title: 'Every transaction’s two sums are zero',
    says: 'Debits equal credits in both views, line by line',
    figure: count('transactions'),
  },
  { name: 'dates', title: 'All lines together are zero', says: 'At every date, in both views' },
  {
    name: 'control accounts',
    title: 'A/R equals open invoices, A/P open bills',
    says: 'Less unapplied payments, apart from journal entries; the cash view keeps none',
    figure: amount('receivable'),
  },
  { name: 'sales tax', title: 'Sales tax equals tax charged', says: 'Tax items of every invoice, and their sums' },
  {
    name: 'reconciliations',
    title: 'Reconciled balances equal their lines',
    says: 'Each statement is proved by the entries that it ticked',
    figure: count('reconciliations'),
  },
  {
    name: 'totals',
    title: 'Trial balance, months and profit centers add up',
    says: 'The sums that reports read equal the lines, by day, month, profit center and location',
    figure: amount('each side'),
  },
  {
    name: 'documents',
    title: 'Documents agree with the ledger',
    says: 'Each invoice, bill and payment wants exactly what is posted for it',
    figure: count('documents'),
  },
  {
    name: 'chain',
    title: 'The chain is unbroken',
    says: 'Each entry is sealed by the next',
    figure: count('entries'),
  },
  { name: 'head', title: 'The chain ends where it should', says: 'Counters and hash stand behind the last entry' },
  {
    name: 'audit log',
    title: 'The audit log is whole',
    says: 'Each row is sealed by the next, and none is missing',
    figure: count('rows'),
  },
  { name: 'ids', title: 'No entry is missing', says: 'Ids of transactions and lines have no gap' },
  { name: 'numbers', title: 'No document number is missing', says: 'Each number given out has its document' },
  { name: 'reversals', title: 'Reversals are exact', says: 'Each takes back one line, once' },
  { name: 'live lines', title: 'Live lines are known', says: 'What stands for an edited document is gathered again' },
  { name: 'open amounts', title: 'Open amounts follow from payments', says: 'Total less what is applied' },
  { name: 'unapplied amounts', title: 'Credits follow from payments', says: 'Amount less what is applied' },
  { name: 'refunds', title: 'Refunds give back credits', says: 'Of the same customer or vendor, from their day on' },
  { name: 'open sums', title: 'Sums of open documents', says: 'The sums that lists show equal their rows' },
  { name: 'running sums', title: 'Applications in order', says: 'Each keeps what was applied before it' },
  { name: 'money accounts', title: 'Payments name their account', says: 'A bank or a GL account, never both' },
  { name: 'kinds', title: 'Documents are of a known kind', says: 'Each stands on its side' },
  { name: 'lines', title: 'Lines come to their amounts', says: 'Price, quantity, parts and discounts' },
  { name: 'work items', title: 'Work is billed once', says: 'No work item stands on two invoices' },
  { name: 'estimates', title: 'Estimates are invoiced once', says: 'No more is invoiced than was estimated' },
  { name: 'transfers', title: 'Transfers agree with the ledger', says: 'Each wants exactly what is posted for it' },
  { name: 'deposits', title: 'Deposits come to their receipts', says: 'Each receipt is what it was when deposited' },
  { name: 'matches', title: 'Bank lines match their entries', says: 'Both come to the same amount' },
  { name: 'bank lines', title: 'Bank lines are as they were read', says: 'Their keys follow from their words' },
  { name: 'bank statements', title: 'Bank statements are whole', says: 'Each has the lines that it was read with' },
  { name: 'search', title: 'Search finds what there is', says: 'Its entries are made again from their records' },
  { name: 'finance charges', title: 'Late days are charged once', says: 'Each by the one line that names it' },
  { name: 'templates', title: 'Scheduled dates are made once', says: 'Each names the document that it made' },
  { name: 'members', title: 'Members have the rights of their role', says: 'And the rules of the company' },
  { name: 'saved values', title: 'Records are as they were saved', says: 'Each row gives its seal' },
  { name: 'files', title: 'Files are as they were uploaded', says: 'Each gives its digest' },
];

/** The words of a check; of one that is not listed its name. */
export function healthCheckOf(name: string): HealthCheck {
  return healthChecks.find((each) => each.name === name) ?? { name, title: name, says: '' };
}
