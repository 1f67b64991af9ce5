import './entries.css';
import type { ReportData } from '@evenkeel/contract/reports';
import { addDays, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { pageRows } from '@evenkeel/core/reports/page';
import { type Cents, cents, ZERO } from '@evenkeel/core/money';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../client/session.ts';
import { SidePanel } from '../../ui/overlay/SidePanel.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { BehindAccounts } from './BehindAccounts.tsx';
import { CUSTOM, FIRST_DAY } from './openReports.ts';
import { useReport } from './queries.ts';
import {
  type ChosenFigure,
  figureAt,
  type LineRow,
  linesBehind,
  linesOf,
  type PageRow,
  type Side,
  type Source,
} from './reportRows.ts';

type Detail = NonNullable<Source['detail']>;

export interface EntriesPanelProps {
  report: ReportData;
  figure: ChosenFigure;
  onFigure: (figure: ChosenFigure) => void;
  /** Opens a transaction over the report. */
  onEntry: (transactionId: number) => void;
  onClose: () => void;
  /** Runs the Profit & Loss Statement over a range: what retained earnings hold besides their entries. */
  onEarnings: (from: IsoDate, to: IsoDate) => void;
  /** Runs a customer's statement of account; absent where the figures are of no customers. */
  onStatement: ((customerId: number) => void) | undefined;
}

/** The entries behind a number of a report: each account's lines for the report's dates and basis. */
export function EntriesPanel(props: EntriesPanelProps) {
  const { figure, onStatement } = props;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.closest<HTMLElement>('.ek-panel-body')?.focus(), []);
  const onClose = () => {
    props.onClose();
    // Back to the figure, from where the next one is near.
    document.querySelector<HTMLElement>('.rp-table [data-on] > .rp-figure')?.focus();
  };
  const opensLedger = useMay()('View Accounting');
  const navigate = useNavigate();
  const { source, label, cell, sides } = figure;
  const [only] = source.accountIds.length === 1 && opensLedger && sides === undefined ? source.accountIds : [];
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
  const dates = sides === undefined ? datesOf(source) : `${sides[0].title} less ${sides[1].title}, ${basisOf(source)}`;
  return (
    <SidePanel title={label} onClose={onClose} footer={actions.length === 0 ? undefined : { actions }}>
      <div ref={panel}>
        <p className="ek-muted ek-small">{figure.isTotal ? 'Lines' : 'Entries'} behind this number</p>
        <Figure note={dates}>{'amount' in cell ? <Amount value={cell.amount} sign /> : cell.text}</Figure>
      </div>
      <Made figure={figure} />
      <Behind {...props} />
    </SidePanel>
  );
}

/** How a difference or a percentage is made, with its figures. */
function Made({ figure: { sides, percent } }: Pick<EntriesPanelProps, 'figure'>) {
  if (sides === undefined && percent === undefined) return null;
  const difference = sides?.[0] === undefined ? undefined : cents(sides[0].amount - sides[1].amount);
  return (
    <table className="ek-mini" aria-label="How this number is made">
      <tbody>
        {sides !== undefined && (
          <>
            <MadeOf words={sides[0].title} amount={sides[0].amount} />
            <MadeOf words={`Less ${sides[1].title}`} amount={sides[1].amount} />
            <MadeOf words="Difference" amount={difference ?? ZERO} />
          </>
        )}
        {percent !== undefined && sides === undefined && (
          <>
            <MadeOf words={percent.part.title} amount={percent.part.amount} />
            <MadeOf words={percent.whole.title} amount={percent.whole.amount} />
          </>
        )}
        {percent !== undefined && (
          <tr>
            <td>
              {sides === undefined ? `In percent of ${percent.whole.title}` : `In percent of ${percent.whole.title}`}
            </td>
            <td data-right="">{percent.text}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function MadeOf({ words, amount }: { words: string; amount: Cents }) {
  return (
    <tr>
      <td>{words}</td>
      <td data-right="">
        <Amount value={amount} zero="dash" />
      </td>
    </tr>
  );
}

/** Of a total its lines; of a difference the entries of either side; else entries, or lines of another report. */
function Behind(props: EntriesPanelProps) {
  const { source, isTotal, sides } = props.figure;
  if (isTotal) return <Lines {...props} />;
  const parts: readonly Side[] = sides ?? [{ title: '', amount: ZERO, source }];
  return (
    <>
      {parts.map((side) => (
        <div key={side.title} role={sides && 'group'} aria-label={sides && `Entries of ${side.title}`}>
          {sides !== undefined && (
            <h3 className="rp-side">
              <span className="ek-grow ek-num">{side.title}</span>
              <Amount value={side.amount} zero="dash" />
            </h3>
          )}
          <Entries source={side.source} onOpen={props.onEntry} onEarnings={props.onEarnings} />
        </div>
      ))}
    </>
  );
}

interface EntriesProps extends Pick<EntriesPanelProps, 'onEarnings'> {
  source: Source | undefined;
  onOpen: (transactionId: number) => void;
}

function Entries({ source, onOpen, onEarnings }: EntriesProps) {
  if (source === undefined) return <p className="ek-muted">No entries come to an amount here.</p>;
  return (
    <>
      {source.earningsBefore !== undefined && <Earnings before={source.earningsBefore} onEarnings={onEarnings} />}
      {source.detail === undefined ? (
        <BehindAccounts source={source} onOpen={onOpen} />
      ) : (
        <Listed detail={source.detail} source={source} onOpen={onOpen} />
      )}
    </>
  );
}

/** What is behind a line's figure. */
function figureOfLine(rows: readonly PageRow[], { key, column }: LineRow): ReturnType<typeof figureAt> {
  return figureAt(
    rows,
    rows.findIndex((row) => row.key === key),
    column,
  );
}

/** The lines that a total adds up, each leading to its entries. */
function Lines({ report, figure, onFigure }: EntriesPanelProps) {
  const rows = pageRows(report);
  return (
    <table className="ek-mini" aria-label="Lines behind this number">
      <tbody>
        {(figure.lines ?? linesBehind(report, figure)).map((row) => (
          <BehindLine key={row.key} row={row} figure={figureOfLine(rows, row)} onFigure={onFigure} />
        ))}
      </tbody>
    </table>
  );
}

interface BehindLineProps extends Pick<EntriesPanelProps, 'onFigure'> {
  row: LineRow;
  figure: ChosenFigure | undefined;
}

function BehindLine({ row, figure, onFigure }: BehindLineProps) {
  const [words, amount] = row.cells;
  const label = words !== undefined && 'text' in words ? words.text : '';
  if (amount === undefined || !('amount' in amount)) return null;
  return (
    <tr>
      <td>
        {figure === undefined ? (
          label
        ) : (
          <button type="button" className="ek-link" onClick={() => onFigure(figure)}>
            {label}
          </button>
        )}
      </td>
      <td data-right="">
        <Amount value={amount.amount} />
      </td>
    </tr>
  );
}

const basisOf = ({ basis }: Pick<Source, 'basis'>): string => (basis === 1 ? 'cash basis' : 'accrual basis');

function datesOf({ from, to, basis }: Source): string {
  const words = basisOf({ basis });
  if (to === null) return words;
  return from === null ? `as of ${formatDate(to)}, ${words}` : `${formatDate(from)} – ${formatDate(to)}, ${words}`;
}

function ledgerQuery(accountId: number, { from, to }: Source): string {
  const query = new URLSearchParams({ account: String(accountId) });
  if (from !== null) query.set('from', from);
  if (to !== null) query.set('to', to);
  return query.toString();
}

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
  const rows = pageRows(report);
  const open = ({ source: one }: ChosenFigure) =>
    one.transactionId === undefined ? undefined : onOpen(one.transactionId);
  return (
    <table className="ek-mini" aria-label={report.title}>
      <tbody>
        {linesOf(report, detail.columns).map((row) => (
          <BehindLine key={row.key} row={row} figure={figureOfLine(rows, row)} onFigure={open} />
        ))}
      </tbody>
    </table>
  );
}
