import { closingCalls, type ClosingChecklist as Checklist } from '@evenkeel/contract/closing';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { ReactNode } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { useSettled } from '../../ui/hooks/settled.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';

/** The list that shows the drafts of a type. Other types have none. */
const DRAFTS: Readonly<Record<string, string>> = {
  invoice: '/billing?tab=open&part=draft',
  creditmemo: '/billing?tab=credits',
  expense: '/expenses',
  journal: '/accounting?saved=1',
};

interface Line {
  key: string | number;
  name: string;
  to: string | undefined;
  detail: ReactNode;
  amount: Cents;
}

/** Returns the parts of the checklist with their open items. */
function partsOf({ date, bankAccounts, drafts, clearingAccounts, salesTax }: Checklist) {
  const account = ({ accountId, label, amount }: Checklist['salesTax'][number]): Line => {
    return { key: accountId, name: label, to: `/accounting?account=${accountId}&to=${date}`, detail: '', amount };
  };
  return [
    {
      title: 'Not reconciled',
      lines: bankAccounts.map(({ bankAccountId, name, lastReconciledDate, amount }): Line => {
        const detail =
          lastReconciledDate === null ? 'never reconciled' : `reconciled to ${formatDate(lastReconciledDate)}`;
        return { key: bankAccountId, name, to: `/banking?reconcile=${bankAccountId}`, detail, amount };
      }),
    },
    {
      title: 'Drafts',
      lines: drafts.map(({ kind, label, count, amount }): Line => {
        return {
          key: kind,
          name: label,
          to: DRAFTS[kind],
          detail: count === 1 ? '1 draft' : `${count} drafts`,
          amount,
        };
      }),
    },
    { title: 'Waiting in clearing accounts', lines: clearingAccounts.map(account) },
    { title: 'Sales tax not remitted', lines: salesTax.map(account) },
  ].filter(({ lines }) => lines.length > 0);
}

/** The delay in ms before an edited date is used. */
const TYPING_MS = 300;

/** Lists everything that is still open on the planned closing date. It doesn't prevent closing the books. */
export function ClosingChecklist({ date: typed }: { date: IsoDate }) {
  const date = useSettled(typed, TYPING_MS);
  const { value, error, retry } = useRead(ask(closingCalls.closingChecklist, { query: { date } }), { isFresh: true });
  const parts = value === undefined ? [] : partsOf(value);
  return (
    <section className="st-check" aria-label="Before You Close">
      <h3 className="ek-semi">Before you close the books through {formatDate(date)}</h3>
      {error !== undefined && value === undefined && <ErrorState message={error} onRetry={retry} />}
      {error === undefined && value === undefined && (
        <p className="ek-muted" role="status">
          Loading...
        </p>
      )}
      {value !== undefined && parts.length === 0 && <p role="status">Nothing left to do.</p>}
      {parts.map(({ title, lines }) => (
        <div key={title}>
          <h4 className="ek-second">{title}</h4>
          <ul aria-label={title}>
            {lines.map(({ key, name, to, detail, amount }) => (
              <li key={key}>
                <span>
                  {to === undefined ? name : <NameLink to={to}>{name}</NameLink>}{' '}
                  {detail !== '' && <span className="ek-second">{detail}</span>}
                </span>
                <Amount value={amount} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
