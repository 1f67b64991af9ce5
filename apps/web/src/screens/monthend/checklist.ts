import type { ClosingChecklist } from '@evenkeel/contract/closing';
import { isEqual, isSignedOff } from '@evenkeel/core/books/closing';
import { endOfMonth, formatDate, type IsoDate, monthName, MONTHS, partsOf, startOfMonth } from '@evenkeel/core/dates';
import { type Cents, formatAmount, negate, sum } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { reportAddress } from '../../parts/ledger/reportAddress.ts';
import { troubleWords } from '../../parts/ledger/onlineTrouble.ts';
import { counted } from '../../ui/show/words.ts';

/** The rows of a month's checklist, each with its state and a link to the open work. */

type Review = ClosingChecklist['reviews'][number];
type SignOff = ClosingChecklist['signOffs'][number];

/** A check for the month. */
export interface Check {
  key: string;
  title: string;
  /** The title in a list of open items, if it differs. */
  openTitle?: string;
  /** A summary of the open items, or a note that there are none. */
  detail: string;
  isDone: boolean;
  /** Null if the check has no amount. */
  amount: Cents | null;
  /** The link to the open work or to the amount, or undefined if there is none. */
  link: { to: string; label: string } | undefined;
  /** The report to sign off. */
  review?: Review;
}

export interface CheckGroup {
  title: string;
  checks: readonly Check[];
}

const { customerAging: CUSTOMERS, vendorAging: VENDORS } = reportKinds;

/** The URLs of the drafts and of the schedules for each document type. */
const DRAFTS: Readonly<Record<string, string>> = {
  invoice: '/billing?tab=open&part=draft',
  creditmemo: '/billing?tab=credits&kind=memos',
  expense: '/expenses',
  journal: '/accounting?saved=1',
};
const SCHEDULED: Readonly<Record<string, string>> = {
  invoice: '/billing?tab=scheduled',
  expense: '/expenses?tab=scheduled',
  journal: '/accounting?tab=scheduled',
};

/** Returns the checks for a closing date, in groups. `basis` is the company's basis, 0 for accrual and 1 for cash. */
export function checksOf(list: ClosingChecklist, basis: number): CheckGroup[] {
  return [
    { title: 'Transactions', checks: transactionsOf(list) },
    { title: 'Balances', checks: [...controlsOf(list), ...balancesOf(list)] },
    {
      title: 'Review and sign off',
      checks: [...list.reviews.map((review) => reviewCheck(review, list, basis)), ...list.signOffs.map(signOffCheck)],
    },
  ];
}

function transactionsOf(list: ClosingChecklist): Check[] {
  const { date, bankAccounts, review, drafts, scheduled, held, certificates, returns } = list;
  const [bank] = review;
  const [unreconciled] = bankAccounts;
  return [
    {
      key: 'review',
      title: 'Bank transactions to review',
      detail: namesOf(review, 'All bank transactions have been reviewed', (one) => `${one.count} in ${one.name}`),
      isDone: bank === undefined,
      amount: amountOf(review),
      link: bank && { to: `/banking?tab=review&of=${bank.bankAccountId}`, label: `Review ${countOf(review)}` },
    },
    {
      key: 'reconciled',
      title: `Bank accounts reconciled through ${formatDate(date)}`,
      openTitle: `Bank accounts not reconciled through ${formatDate(date)}`,
      detail: namesOf(bankAccounts, 'All bank accounts have been reconciled', ({ name, lastReconciledDate: last }) =>
        last === null ? `${name} has never been reconciled` : `${name} was last reconciled through ${formatDate(last)}`,
      ),
      isDone: unreconciled === undefined,
      amount: amountOf(bankAccounts),
      link: unreconciled && { to: `/banking?reconcile=${unreconciled.bankAccountId}`, label: 'Reconcile' },
    },
    kindsOpen('Drafts', drafts, { none: 'No drafts', words: DRAFT, to: DRAFTS, label: 'Show' }),
    kindsOpen('Scheduled documents', scheduled, {
      none: 'All scheduled documents have been created',
      words: SCHEDULE,
      to: SCHEDULED,
      label: 'Show',
    }),
    ...heldDates(held),
    ...expiredCertificates(certificates),
    ...returnsDue(returns),
    ...missingTaxIds(list.vendorTaxes),
    ...onlineTroubles(list.onlinePayments),
  ];
}

/** Returns a check only if there is open work, because dates are rarely on hold. The link opens the first schedule. */
function heldDates(held: ClosingChecklist['held']): Check[] {
  const [first] = held;
  if (first === undefined) return [];
  const place = SCHEDULED[first.kind];
  return [
    {
      key: 'held',
      title: 'Scheduled documents on hold',
      detail: namesOf(held, '', ({ name, first: date, count }) =>
        count === 1 ? `${name}: ${formatDate(date)}` : `${name}: ${count} dates since ${formatDate(date)}`,
      ),
      isDone: false,
      amount: amountOf(held),
      link: place === undefined ? undefined : { to: `${place}&scheduled=${first.templateId}`, label: 'Review' },
    },
  ];
}

/** Returns a check only if there is open work, because few companies have exempt customers. */
function expiredCertificates(certificates: ClosingChecklist['certificates']): Check[] {
  const [first] = certificates;
  if (first === undefined) return [];
  const { customerId: id } = first;
  return [
    {
      key: 'certificates',
      title: 'Expired certificates of exemption',
      detail: namesOf(certificates, '', ({ name, exemptUntil }) => `${name}: expired on ${formatDate(exemptUntil)}`),
      isDone: false,
      amount: amountOf(certificates),
      link: { to: `/customers?customer=${id}&edit=${id}`, label: 'Edit' },
    },
  ];
}

/** Returns a check only if a return is due, because few companies have tax agencies. */
function returnsDue(returns: ClosingChecklist['returns']): Check[] {
  if (returns.length === 0) return [];
  return [
    {
      key: 'returns',
      title: 'Sales tax returns to file',
      detail: namesOf(returns, '', ({ name, periods, first }) =>
        periods === 1 ? `${name}: ${first}` : `${name}: ${periods} periods since ${first}`,
      ),
      isDone: false,
      amount: null,
      link: { to: '/taxes', label: 'File' },
    },
  ];
}

/** Returns a check only in December, and only if there is open work. */
function missingTaxIds(vendors: ClosingChecklist['vendorTaxes']): Check[] {
  const [first] = vendors;
  if (first === undefined) return [];
  return [
    {
      key: 'vendor taxes',
      title: '1099 vendors without a tax ID or classification',
      detail: namesOf(vendors, '', ({ name }) => name),
      isDone: false,
      amount: amountOf(vendors),
      link: { to: '/taxes?tab=forms', label: 'Show' },
    },
  ];
}

/** Returns a check only if there is open work, because few companies take online payments. */
function onlineTroubles(troubles: ClosingChecklist['onlinePayments']): Check[] {
  if (troubles.length === 0) return [];
  return [
    {
      key: 'online payments',
      title: 'Online payments',
      detail: namesOf(troubles, '', troubleWords),
      isDone: false,
      amount: amountOf(troubles),
      link: { to: '/onlinepayments', label: 'Show' },
    },
  ];
}

/**
 * The check for a control account is open while its balance differs from the documents and payments. Only journal
 * entries cause such a difference.
 */
function controlsOf({ date, receivables, payables }: ClosingChecklist): Check[] {
  const rows = [
    { account: 'Accounts Receivable', documents: 'invoices', balance: receivables, kind: CUSTOMERS },
    { account: 'Accounts Payable', documents: 'bills', balance: payables, kind: VENDORS },
  ];
  return rows.map(({ account, documents, balance: { ledger, open }, kind }): Check => {
    const isDone = isEqual({ ledger, open });
    const difference = formatAmount(sum([ledger, negate(open)]));
    return {
      key: account,
      title: `${account} equals open ${documents}`,
      openTitle: `${account} does not equal open ${documents}`,
      detail: isDone
        ? `The aging report has the same total on ${formatDate(date)}`
        : `Open ${documents}: ${formatAmount(open)} · Journal entries: ${difference}`,
      isDone,
      amount: ledger,
      link: { to: reportAddress(kind, { from: null, to: date, basis: 0 }), label: 'Show' },
    };
  });
}

/**
 * The check for clearing accounts is open while one of them has a balance. Sales tax is never an open check, because it
 * is due after the month ends.
 */
function balancesOf({ date, clearingAccounts, negativeAccounts, salesTax }: ClosingChecklist): Check[] {
  const through = formatDate(date);
  const cleared: Check = {
    key: 'clearing',
    title: 'Suspense and clearing accounts',
    detail: `No balance to clear as of ${through}`,
    isDone: true,
    amount: sum([]),
    link: undefined,
  };
  const rowsOf = (accounts: typeof salesTax, detail: string, isDone: boolean): Check[] =>
    accounts.map(({ accountId, label, amount }) => ({
      key: `${detail} ${accountId}`,
      title: label,
      detail: `${detail} ${through}`,
      isDone,
      amount,
      link: { to: `/accounting?account=${accountId}&to=${date}`, label: 'Show' },
    }));
  const rows = [
    ...rowsOf(clearingAccounts, 'Balance to clear as of', false),
    ...rowsOf(negativeAccounts, 'Negative balance on', false),
    ...rowsOf(salesTax, 'Sales tax owed as of', true),
  ];
  return clearingAccounts.length === 0 ? [cleared, ...rows] : rows;
}

function reviewCheck(review: Review, { date, figures }: ClosingChecklist, basis: number): Check {
  const { report, signedBy, outdated } = review;
  const kind = reportKinds[report];
  const isOnDate = report === 'balanceSheet';
  const fresh = isOnDate
    ? `Total assets on ${formatDate(date)}: ${formatAmount(figures.assets)}`
    : `Net income in ${monthName(date)}: ${formatAmount(figures.netIncome)}`;
  return {
    key: report,
    title: `${kind.title} reviewed`,
    openTitle: `${kind.title} is not signed off`,
    detail: signedBy !== null && outdated ? `Changed after ${signedBy} signed off` : fresh,
    isDone: isSignedOff(review),
    amount: null,
    link: {
      to: reportAddress(kind, { from: isOnDate ? null : startOfMonth(date), to: date, basis }),
      label: 'Open',
    },
    review,
  };
}

/** The check for an account's last sign-off is open if the account's balance has changed since the sign-off. */
function signOffCheck({ accountId, label, date, balance, current, change, signedBy }: SignOff): Check {
  const through = formatDate(date);
  const isDone = change === 0;
  return {
    key: `signed off ${accountId}`,
    title: `${label} signed off through ${through}`,
    openTitle: `${label} has changed since it was signed off through ${through}`,
    detail: isDone
      ? `Signed off by ${signedBy}`
      : `${signedBy} signed off ${formatAmount(balance)} · Changed by ${formatAmount(change)} since`,
    isDone,
    amount: current,
    link: { to: `/accounting?account=${accountId}&to=${date}&signoff=${accountId}`, label: 'Show' },
  };
}

/** Returns the month of a date, for example "October". */
export function monthOnly(date: IsoDate): string {
  return MONTHS[partsOf(date).month - 1] ?? '';
}

/** Returns the month of a closing date, or the date if it is not the last day of its month. */
export function closedWords(date: IsoDate): string {
  return date === endOfMonth(date) ? monthOnly(date) : `Through ${formatDate(date)}`;
}

const DRAFT = { one: 'draft', many: 'drafts' };
const SCHEDULE = { one: 'schedule', many: 'schedules' };

type Counted = ClosingChecklist['drafts'][number];

interface KindWords {
  none: string;
  words: { one: string; many: string };
  to: Readonly<Record<string, string>>;
  label: string;
}

function kindsOpen(title: string, rows: readonly Counted[], { none, words, to, label }: KindWords): Check {
  const [first] = rows;
  const place = first && to[first.kind];
  return {
    key: title,
    title,
    detail: namesOf(rows, none, (one) => `${one.label}: ${counted(one.count, words)}`),
    isDone: first === undefined,
    amount: amountOf(rows),
    link: place === undefined ? undefined : { to: place, label },
  };
}

const amountOf = (rows: readonly { amount: Cents }[]): Cents => sum(rows.map(({ amount }) => amount));
const countOf = (rows: readonly { count: number }[]): number => rows.reduce((all, { count }) => all + count, 0);

/** Returns the names of the first three rows and the number of other rows. */
function namesOf<Row>(rows: readonly Row[], none: string, nameOf: (row: Row) => string): string {
  if (rows.length === 0) return none;
  const more = rows.length > 3 ? [`${rows.length - 3} more`] : [];
  return [...rows.slice(0, 3).map((row) => nameOf(row)), ...more].join(' · ');
}
