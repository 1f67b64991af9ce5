import type { IsoDate } from '@evenkeel/core/dates';
import { addDays, formatDate, isoDate } from '@evenkeel/core/dates';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useChart } from '../ledger/queries.ts';
import { TransactionModal } from '../ledger/TransactionModal.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { SidePanel } from '../ui/overlay/SidePanel.tsx';
import { EntryTable } from './EntryTable.tsx';
import type { Source } from './reportRows.ts';
import type { ChosenFigure } from './ReportViewer.tsx';

export interface EntriesPanelProps {
  figure: ChosenFigure;
  onClose: () => void;
  /** Runs the Profit & Loss Statement over a range: what retained earnings hold besides their entries. */
  onEarnings: (from: IsoDate, to: IsoDate) => void;
}

/** The entries behind a number of a report: each account's lines for the report's dates and basis. */
export function EntriesPanel({ figure, onClose, onEarnings }: EntriesPanelProps) {
  const [transactionId, setTransactionId] = useState<number>();
  const navigate = useNavigate();
  const { source, label, amount } = figure;
  const [only] = source.accountIds.length === 1 ? source.accountIds : [];
  const ledger = {
    label: 'Open account ledger',
    onClick: () => void navigate(`/accounting?${ledgerQuery(only ?? 0, source)}`),
  };
  return (
    <SidePanel title={label} onClose={onClose} footer={only === undefined ? undefined : { actions: [ledger] }}>
      <div>
        <p className="ek-muted ek-small">Entries behind this number</p>
        <Figure note={datesOf(source)}>{'amount' in amount && <Amount value={amount.amount} sign />}</Figure>
      </div>
      {source.earningsBefore !== undefined && <Earnings before={source.earningsBefore} onEarnings={onEarnings} />}
      <Accounts source={source} onOpen={setTransactionId} />
      {transactionId !== undefined && (
        <TransactionModal transactionId={transactionId} onClose={() => setTransactionId(undefined)} />
      )}
    </SidePanel>
  );
}

function datesOf({ from, to, basis }: Source): string {
  const words = basis === 1 ? 'cash basis' : 'accrual basis';
  if (to === null) return words;
  return from === null ? `as of ${formatDate(to)}, ${words}` : `${formatDate(from)} – ${formatDate(to)}, ${words}`;
}

function ledgerQuery(accountId: number, { from, to }: Source): string {
  const query = new URLSearchParams({ account: String(accountId) });
  if (from !== null) query.set('from', from);
  if (to !== null) query.set('to', to);
  return query.toString();
}

/** The first day that the calendar of the books knows. */
const FIRST_DAY = isoDate('1900-01-01');

function Earnings({ before, onEarnings }: { before: IsoDate; onEarnings: EntriesPanelProps['onEarnings'] }) {
  return (
    <p className="ek-small ek-second">
      Besides its own entries this number holds all income and expenses before {formatDate(before)}.{' '}
      <button type="button" className="ek-link" onClick={() => onEarnings(FIRST_DAY, addDays(before, -1))}>
        Show them as a Profit &amp; Loss Statement
      </button>
    </p>
  );
}

/** One account's entries at once; of several each opens by its name. */
function Accounts({ source, onOpen }: { source: Source; onOpen: (transactionId: number) => void }) {
  const { rows = [] } = useChart(true);
  const accounts = source.accountIds.map((id) => ({ id, account: rows.find((row) => row.customerAccountID === id) }));
  const [first] = accounts;
  if (accounts.length === 1 && first !== undefined) {
    return <EntryTable account={first.account} accountId={first.id} source={source} onOpen={onOpen} />;
  }
  return (
    <div className="rp-accounts">
      {accounts.map(({ id, account }) => (
        <LazyAccount key={id} label={account?.displayAccountLabel ?? `Account ${id}`}>
          {() => <EntryTable account={account} accountId={id} source={source} onOpen={onOpen} />}
        </LazyAccount>
      ))}
    </div>
  );
}

function LazyAccount({ label, children }: { label: string; children: () => React.ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children()}
    </details>
  );
}
