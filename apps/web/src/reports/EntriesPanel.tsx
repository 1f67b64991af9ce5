import './entries.css';
import type { ChartAccount } from '@evenkeel/contract/ledger';
import type { ReportData } from '@evenkeel/contract/reports';
import { addDays, formatDate, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useChart } from '../ledger/queries.ts';
import { useMay } from '../session.ts';
import { TransactionModal } from '../ledger/TransactionModal.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { SidePanel } from '../ui/overlay/SidePanel.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { EntryTable } from './EntryTable.tsx';
import { CUSTOM } from './openReports.ts';
import { useReport } from './queries.ts';
import { pageRows } from '@evenkeel/core/reports/page';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { linesBehind, linesOf, type PageRow, type Source } from './reportRows.ts';
import type { ChosenFigure } from './ReportViewer.tsx';

type Detail = NonNullable<Source['detail']>;

export interface EntriesPanelProps {
  report: ReportData;
  figure: ChosenFigure;
  onFigure: (figure: ChosenFigure) => void;
  onClose: () => void;
  /** Runs the Profit & Loss Statement over a range: what retained earnings hold besides their entries. */
  onEarnings: (from: IsoDate, to: IsoDate) => void;
  /** Runs a customer's statement of account; absent where the figures are of no customers. */
  onStatement: ((customerId: number) => void) | undefined;
}

/** The entries behind a number of a report: each account's lines for the report's dates and basis. */
export function EntriesPanel(props: EntriesPanelProps) {
  const { figure, onClose, onEarnings, onStatement } = props;
  const opensLedger = useMay()('View Accounting');
  const [transactionId, setTransactionId] = useState<number>();
  const navigate = useNavigate();
  const { source, label, amount } = figure;
  const [only] = source.accountIds.length === 1 && opensLedger ? source.accountIds : [];
  const ledger = {
    label: 'Open account ledger',
    onClick: () => void navigate(`/accounting?${ledgerQuery(only ?? 0, source)}`),
  };
  const { entityId } = source;
  const actions = [
    ...(only === undefined ? [] : [ledger]),
    ...(entityId === undefined || onStatement === undefined
      ? []
      : [{ label: 'Statement of account', onClick: () => onStatement(entityId) }]),
  ];
  return (
    <SidePanel title={label} onClose={onClose} footer={actions.length === 0 ? undefined : { actions }}>
      <div>
        <p className="ek-muted ek-small">{figure.isTotal ? 'Lines' : 'Entries'} behind this number</p>
        <Figure note={datesOf(source)}>{'amount' in amount && <Amount value={amount.amount} sign />}</Figure>
      </div>
      {source.earningsBefore !== undefined && <Earnings before={source.earningsBefore} onEarnings={onEarnings} />}
      {figure.isTotal ? (
        <Lines {...props} />
      ) : source.detail === undefined ? (
        <Accounts source={source} onOpen={setTransactionId} />
      ) : (
        <Listed detail={source.detail} source={source} onOpen={setTransactionId} />
      )}
      {transactionId !== undefined && (
        <TransactionModal transactionId={transactionId} onClose={() => setTransactionId(undefined)} />
      )}
    </SidePanel>
  );
}

/** The lines that a total adds up, each leading to its entries. */
function Lines({ report, figure, onFigure }: EntriesPanelProps) {
  return (
    <table className="ek-mini">
      <tbody>
        {(figure.lines ?? linesBehind(report, figure)).map((row) => (
          <BehindLine key={row.key} row={row} onFigure={onFigure} />
        ))}
      </tbody>
    </table>
  );
}

function BehindLine({ row, onFigure }: { row: PageRow } & Pick<EntriesPanelProps, 'onFigure'>) {
  const [first, ...rest] = row.cells;
  const label = first !== undefined && 'text' in first ? first.text : '';
  const index = rest.findIndex((each) => 'amount' in each && each.amount !== null);
  const cell = rest[index];
  if (cell === undefined || !('amount' in cell)) return null;
  const { source } = cell;
  const open = () => {
    if (source !== undefined)
      onFigure({ key: `${row.key}/${index}`, label, amount: cell, source, isTotal: false, column: 1 });
  };
  return (
    <tr>
      <td>
        <button type="button" className="ek-link" onClick={open}>
          {label}
        </button>
      </td>
      <td data-right="">
        <Amount value={cell.amount} />
      </td>
    </tr>
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

/** One account's entries at once; several as a Profit & Loss Statement of their own, each opening by its name. */
function Accounts({ source, onOpen }: { source: Source; onOpen: (transactionId: number) => void }) {
  const { rows = [] } = useChart(true);
  const accountOf = (id: number) => rows.find((row) => row.customerAccountID === id);
  const [only] = source.accountIds;
  if (only !== undefined && source.accountIds.length === 1) {
    return <EntryTable account={accountOf(only)} accountId={only} source={source} onOpen={onOpen} />;
  }
  return <Parts source={source} accountOf={accountOf} onOpen={onOpen} />;
}

interface PartsProps {
  source: Source;
  accountOf: (id: number) => ChartAccount | undefined;
  onOpen: (transactionId: number) => void;
}

function Parts({ source, accountOf, onOpen }: PartsProps) {
  const amounts = useAmounts(source);
  const ordered = amounts === undefined ? source.accountIds : [...amounts.keys()];
  const quiet = source.accountIds.filter((id) => !ordered.includes(id));
  return (
    <div className="rp-accounts">
      {[...ordered, ...quiet].map((id) => (
        <LazyAccount
          key={id}
          label={accountOf(id)?.displayAccountLabel ?? `Account ${id}`}
          amount={amounts?.get(id) ?? (amounts === undefined ? undefined : ZERO)}
        >
          {() => <EntryTable account={accountOf(id)} accountId={id} source={source} onOpen={onOpen} />}
        </LazyAccount>
      ))}
    </div>
  );
}

interface ListedProps {
  detail: Detail;
  source: Source;
  onOpen: (transactionId: number) => void;
}

/** Lines of another report, such as an aging detail, for the same dates; each opens what it was posted with. */
function Listed({ detail, source, onOpen }: ListedProps) {
  const { report, error, retry } = useReport({
    reportId: detail.reportId,
    period: CUSTOM,
    from: source.from ?? FIRST_DAY,
    to: source.to ?? FIRST_DAY,
    basis: source.basis === 1 ? 1 : 0,
    profitCenterId: source.profitCenterId ?? 0,
    locationId: source.locationId ?? 0,
    only: `${detail.only.by} ${detail.only.id}`,
  });
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (report === undefined) return <p role="status">Loading...</p>;
  const open = ({ source: behind }: Pick<ChosenFigure, 'source'>) =>
    behind.transactionId === undefined ? undefined : onOpen(behind.transactionId);
  return (
    <table className="ek-mini" aria-label={report.title}>
      <tbody>
        {linesOf(report, detail.columns).map((row) => (
          <BehindLine key={row.key} row={row} onFigure={open} />
        ))}
      </tbody>
    </table>
  );
}

/** The amounts of the accounts behind a sum, as the Profit & Loss Statement of the same dates has them. */
function useAmounts({ accountIds, from, to, basis, profitCenterId, locationId }: Source) {
  const dates = { from: from ?? FIRST_DAY, to: to ?? FIRST_DAY, period: CUSTOM };
  const filters = { profitCenterId: profitCenterId ?? 0, locationId: locationId ?? 0 };
  const { report } = useReport({
    reportId: reportKinds.profitAndLoss.id,
    ...dates,
    ...filters,
    basis: basis === 1 ? 1 : 0,
  });
  if (report === undefined) return undefined;
  const amounts = new Map<number, Cents>();
  for (const row of pageRows(report)) {
    const cell = row.cells[1];
    if (row.look !== 'line' || cell === undefined || !('amount' in cell) || cell.amount === null) continue;
    const [id] = cell.source?.accountIds ?? [];
    if (id !== undefined && accountIds.includes(id)) amounts.set(id, cell.amount);
  }
  return amounts;
}

interface LazyAccountProps {
  label: string;
  amount: Cents | undefined;
  children: () => ReactNode;
}

function LazyAccount({ label, amount, children }: LazyAccountProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <IconChevronRight {...ICON_SMALL} />
        <span className="ek-grow">{label}</span>
        <Amount value={amount} zero="dash" />
      </summary>
      {isOpen && children()}
    </details>
  );
}
