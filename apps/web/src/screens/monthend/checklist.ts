import type { ClosingChecklist } from '@evenkeel/contract/closing';
import { formatDate } from '@evenkeel/core/dates';
import { type Cents, sum } from '@evenkeel/core/money';
import { counted } from '../../ui/show/words.ts';

/** The rows of a month's checklist, each with its state and a link to the open work. */

/** A check for the month. The check is done when no work is open. */
export interface Check {
  key: string;
  title: string;
  /** A summary of the open items, or a note that there are none. */
  detail: string;
  amount: Cents;
  /** The link to the open work, or undefined if there is none. */
  open: { to: string; label: string } | undefined;
}

export interface CheckGroup {
  title: string;
  checks: readonly Check[];
}

/** The URLs of the drafts and of the schedules for each document type. */
const DRAFTS: Readonly<Record<string, string>> = {
  invoice: '/billing?tab=open&part=draft',
  creditmemo: '/billing?tab=credits',
  expense: '/expenses',
  journal: '/accounting?saved=1',
};
const SCHEDULED: Readonly<Record<string, string>> = {
  invoice: '/billing?tab=scheduled',
  expense: '/expenses?tab=scheduled',
  journal: '/accounting?tab=scheduled',
};

/** Returns the checks for a closing date, in groups. */
export function checksOf(list: ClosingChecklist): CheckGroup[] {
  const { date, bankAccounts, review, drafts, scheduled, clearingAccounts, salesTax } = list;
  const through = formatDate(date);
  const [bank] = review;
  const [unreconciled] = bankAccounts;
  return [
    {
      title: 'Transactions',
      checks: [
        {
          key: 'review',
          title: 'Bank transactions to review',
          detail: namesOf(review, 'All bank transactions have been reviewed', (one) => `${one.count} in ${one.name}`),
          amount: amountOf(review),
          open: bank && { to: `/banking?tab=review&of=${bank.bankAccountId}`, label: `Review ${countOf(review)}` },
        },
        {
          key: 'reconciled',
          title: `Bank accounts reconciled through ${through}`,
          detail: namesOf(
            bankAccounts,
            'All bank accounts have been reconciled',
            ({ name, lastReconciledDate: last }) =>
              last === null
                ? `${name} has never been reconciled`
                : `${name} was last reconciled through ${formatDate(last)}`,
          ),
          amount: amountOf(bankAccounts),
          open: unreconciled && { to: `/banking?reconcile=${unreconciled.bankAccountId}`, label: 'Reconcile' },
        },
        kindsOpen('Drafts', drafts, { none: 'No drafts', words: DRAFT, to: DRAFTS, label: 'Show' }),
        kindsOpen('Scheduled documents', scheduled, {
          none: 'All scheduled documents have been created',
          words: SCHEDULE,
          to: SCHEDULED,
          label: 'Show',
        }),
      ],
    },
    {
      title: 'Balances',
      checks: [...clearingAccounts, ...salesTax].map(({ accountId, label, amount }, index): Check => {
        const isTax = index >= clearingAccounts.length;
        return {
          key: `${isTax ? 'tax' : 'clearing'} ${accountId}`,
          title: label,
          detail: isTax ? `Sales tax collected but not yet paid as of ${through}` : `Balance to clear as of ${through}`,
          amount,
          open: { to: `/accounting?account=${accountId}&to=${date}`, label: 'Show' },
        };
      }),
    },
  ];
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
    amount: amountOf(rows),
    open: place === undefined ? undefined : { to: place, label },
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
