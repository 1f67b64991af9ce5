import type { Rehearsal as Rehearsed } from '@evenkeel/contract/bankRules';
import { formatMonth } from '@evenkeel/core/dates';
import { formatUsd } from '@evenkeel/core/money';
import type { Read } from '../../../client/api.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { counted } from '../../../ui/show/words.ts';
import { MiniTable } from '../../../ui/table/MiniTable.tsx';

const LINES = { one: 'line', many: 'lines' };
const SHOWN = 8;

type Touched = Rehearsed['lines'][number];

/** The preview of a rule: the bank transactions from the last 12 months that match the rule, and its effect on them. */
export function Rehearsal({ read, isWaiting }: { read: Read<Rehearsed>; isWaiting: boolean }) {
  const { value } = read;
  if (read.error !== undefined) return <ErrorState message={read.error} onRetry={read.retry} />;
  if (isWaiting || value === undefined) {
    return (
      <p className="ru-wait ek-muted" role="status">
        {isWaiting ? 'Complete the rule to preview its effect.' : 'Loading preview...'}
      </p>
    );
  }
  const rest = value.count - Math.min(SHOWN, value.lines.length);
  return (
    <div className="ek-stack">
      <p role="status">{touchedWords(value)}</p>
      {value.accounts.length > 0 && (
        <MiniTable<Rehearsed['accounts'][number]>
          label="Changes to the Profit & Loss Statement"
          rows={value.accounts}
          keyOf={({ accountID }) => accountID}
          columns={[
            { header: 'Profit & Loss', render: ({ displayAccountLabel }) => displayAccountLabel },
            { header: 'Change', right: true, render: ({ change }) => <Amount value={change} /> },
          ]}
          total={{ label: 'Net income', value: <Amount value={value.netIncome} /> }}
        />
      )}
      {value.lines.length > 0 && (
        <MiniTable<Touched>
          label="Matching bank transactions"
          rows={value.lines.slice(0, SHOWN)}
          keyOf={({ id }) => id}
          columns={[
            { header: 'Date', render: ({ date }) => <DateText value={date} /> },
            { header: 'Description', render: ({ text }) => text },
            { header: 'Now', render: ({ now, state }) => (state === 'review' ? 'For review' : now) },
            { header: 'Amount', right: true, render: ({ amount }) => <Amount value={amount} /> },
          ]}
        />
      )}
      {rest > 0 && <p className="ek-muted ek-small">{`and ${counted(rest, LINES)} more`}</p>}
    </div>
  );
}

/** Summarizes a preview in one sentence. */
export function touchedWords({ count, from, sum, netIncome }: Rehearsed): string {
  if (count === 0) return `No matching bank transactions since ${formatMonth(from)}.`;
  const net = netIncome === 0 ? "Net income doesn't change." : `Net income changes by ${formatUsd(netIncome)}.`;
  return `Matches ${counted(count, LINES)} since ${formatMonth(from)}, ${formatUsd(sum)} in total. ${net}`;
}
