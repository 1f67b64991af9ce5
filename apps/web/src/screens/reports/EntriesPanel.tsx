import './entries.css';
import type { ReportData } from '@evenkeel/contract/reports';
import { addDays, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { pageRows } from '@evenkeel/core/reports/page';
import { type Cents, cents, ZERO } from '@evenkeel/core/money';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { basisWords, figureDates } from '../../parts/ledger/figureDates.ts';
import { Posted } from '../../parts/ledger/Posted.tsx';
import { Loaded } from '../../records/Loaded.tsx';
import { useMay } from '../../client/session.ts';
import { SidePanel } from '../../ui/overlay/SidePanel.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { BehindAccounts } from './BehindAccounts.tsx';
import { CUSTOM, FIRST_DAY } from './openReports.ts';
import { wordsOfCell } from './pageColumns.ts';
import { useReport } from './queries.ts';
import {
  type ChosenFigure,
  figureAt,
  type LineRow,
  linesBehind,
  linesOf,
  type Side,
  type Source,
} from './reportRows.ts';

type Detail = NonNullable<Source['detail']>;

export interface EntriesPanelProps {
  report: ReportData;
  figure: ChosenFigure;
  onFigure: (figure: ChosenFigure) => void;
  /** Opens a transaction on top of the report. */
  onEntry: (transactionId: number) => void;
  onClose: () => void;
  /**
   * Runs the Profit & Loss Statement for a date range. The report explains the part of retained earnings that isn't
   * posted as entries.
   */
  onEarnings: (from: IsoDate, to: IsoDate) => void;
  /** Runs a customer's statement. Omitted if the amounts don't belong to customers. */
  onStatement: ((customerId: number) => void) | undefined;
}

/** The entries in a report amount: each account's lines for the report's dates and basis. */
export function EntriesPanel(props: EntriesPanelProps) {
  const { figure, onStatement } = props;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.closest<HTMLElement>('.ek-panel-body')?.focus(), []);
  const onClose = () => {
    props.onClose();
    // Returns the focus to the amount, so that keyboard users can continue from there.
    document.querySelector<HTMLElement>('.rp-table [data-on] > .rp-figure')?.focus();
  };
  const opensLedger = useMay()('View Accounting');
  const navigate = useNavigate();
  const { source, label, cell, sides } = figure;
  const isNow = source.through === undefined && source.since === undefined;
  const isSingle = source.accountIds.length === 1 && opensLedger && sides === undefined && isNow;
  const [only] = isSingle ? source.accountIds : [];
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
  const dates =
    sides === undefined
      ? figureDates(source.from, source.to, source.basis)
      : `${sides[0].title} less ${sides[1].title}, ${basisWords(source.basis)}`;
  return (
    <SidePanel title={label} onClose={onClose} footer={actions.length === 0 ? undefined : { actions }}>
      <div ref={panel}>
        <p className="ek-muted ek-small">{wordsFor(figure)}</p>
        <Figure note={dates}>{'amount' in cell ? <Amount value={cell.amount} sign /> : cell.text}</Figure>
      </div>
      <Made figure={figure} />
      <Behind {...props} />
    </SidePanel>
  );
}

/** Returns the text above the amount. */
function wordsFor({ source, isTotal }: ChosenFigure): string {
  if (source.since !== undefined) return 'Changes since then';
  return `${isTotal ? 'Lines' : 'Entries'} in this amount`;
}

/** The calculation of a difference or percentage. */
function Made({ figure: { sides, percent } }: Pick<EntriesPanelProps, 'figure'>) {
  const rows: { words: string; figure: Cents | string }[] = [];
  if (sides !== undefined) {
    const [one, other] = sides;
    rows.push({ words: one.title, figure: one.amount }, { words: `Less ${other.title}`, figure: other.amount });
    rows.push({ words: 'Difference', figure: cents(one.amount - other.amount) });
  } else if (percent !== undefined) {
    for (const { title, amount } of [percent.part, percent.whole]) rows.push({ words: title, figure: amount });
  }
  if (percent !== undefined) rows.push({ words: `As a percentage of ${percent.whole.title}`, figure: percent.text });
  if (rows.length === 0) return null;
  const show = (figure: Cents | string) =>
    typeof figure === 'string' ? figure : <Amount value={figure} zero="dash" />;
  return (
    <MiniTable
      label="How this amount is calculated"
      isHeadless
      columns={[
        { header: 'Part', render: ({ words }) => words },
        { header: 'Amount', right: true, render: ({ figure }) => show(figure) },
      ]}
      rows={rows}
      keyOf={({ words }) => words}
    />
  );
}

/**
 * The lines in a total, the entries on both sides of a difference, or, for any other amount, its entries or the lines
 * from another report.
 */
function Behind(props: EntriesPanelProps) {
  const { source, isTotal, sides, cell } = props.figure;
  const own = 'amount' in cell ? (cell.amount ?? undefined) : undefined;
  if (isTotal) return <Lines {...props} />;
  const parts: readonly Side[] = sides ?? [{ title: '', amount: ZERO, source }];
  return (
    <>
      {parts.map((side) => (
        <div key={side.title} role={sides && 'group'} aria-label={sides && `Entries in ${side.title}`}>
          {sides !== undefined && (
            <h3 className="rp-side">
              <span className="ek-grow ek-num">{side.title}</span>
              <Amount value={side.amount} zero="dash" />
            </h3>
          )}
          <Entries
            source={side.source}
            shown={sides === undefined ? own : side.amount}
            onOpen={props.onEntry}
            onEarnings={props.onEarnings}
          />
        </div>
      ))}
    </>
  );
}

interface EntriesProps extends Pick<EntriesPanelProps, 'onEarnings'> {
  source: Source | undefined;
  /** The amount that the entries add up to. */
  shown: Cents | undefined;
  onOpen: (transactionId: number) => void;
}

function Entries({ source, shown, onOpen, onEarnings }: EntriesProps) {
  if (source === undefined) return <p className="ek-muted">No entries make up this amount.</p>;
  return (
    <>
      {source.earningsBefore !== undefined && source.since === undefined && (
        <Earnings before={source.earningsBefore} onEarnings={onEarnings} />
      )}
      {source.detail !== undefined ? (
        <Listed detail={source.detail} source={source} onOpen={onOpen} />
      ) : source.through !== undefined || source.since !== undefined ? (
        <Posted source={source} shown={shown} onOpen={onOpen} />
      ) : (
        <BehindAccounts source={source} onOpen={onOpen} />
      )}
    </>
  );
}

/** The lines that make up a total. Each line opens its entries. */
function Lines({ report, figure, onFigure }: EntriesPanelProps) {
  const lines = figure.lines ?? linesBehind(report, figure);
  return <LinesTable label="Lines in this amount" report={report} lines={lines} onFigure={onFigure} />;
}

interface LinesTableProps extends Pick<EntriesPanelProps, 'report' | 'onFigure'> {
  label: string;
  lines: readonly LineRow[];
}

/** Report lines with an amount. Each line opens its source. */
function LinesTable({ label, report, lines, onFigure }: LinesTableProps) {
  const rows = pageRows(report);
  const figureOf = ({ key, column }: LineRow) =>
    figureAt(
      rows,
      rows.findIndex((row) => row.key === key),
      column,
    );
  const amountOf = ({ cells: [, cell] }: LineRow) => (cell !== undefined && 'amount' in cell ? cell.amount : undefined);
  const name = (line: LineRow) => {
    const figure = figureOf(line);
    const words = wordsOfCell(line.cells[0]);
    if (figure === undefined) return words;
    return (
      <button type="button" className="ek-link" onClick={() => onFigure(figure)}>
        {words}
      </button>
    );
  };
  return (
    <MiniTable<LineRow>
      label={label}
      isHeadless
      columns={[
        { header: 'Line', render: name },
        { header: 'Amount', right: true, render: (line) => <Amount value={amountOf(line)} /> },
      ]}
      rows={lines.filter((line) => amountOf(line) !== undefined)}
      keyOf={({ key }) => key}
    />
  );
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
      In addition to its own entries, this amount includes all income and expenses before {formatDate(before)}.{' '}
      <button type="button" className="ek-link" onClick={() => onEarnings(FIRST_DAY, addDays(before, -1))}>
        View the Profit &amp; Loss Statement for this period
      </button>
    </p>
  );
}

interface ListedProps {
  detail: Detail;
  source: Source;
  onOpen: (transactionId: number) => void;
}

/** Lines from another report, such as an aging detail, for the same dates. Each line opens its source document. */
function Listed({ detail, source, onOpen }: ListedProps) {
  const read = useReport({
    reportId: detail.reportId,
    period: CUSTOM,
    from: source.from ?? FIRST_DAY,
    to: source.to ?? FIRST_DAY,
    basis: source.basis === 1 ? 1 : 0,
    profitCenterId: source.profitCenterId ?? 0,
    locationId: source.locationId ?? 0,
    ageBy: detail.ageBy,
    knownAt: detail.knownAt,
    only: `${detail.only.by} ${detail.only.id}`,
  });
  const open = ({ source: one }: ChosenFigure) =>
    one.transactionId === undefined ? undefined : onOpen(one.transactionId);
  return (
    <Loaded read={read}>
      {(report) => (
        <LinesTable label={report.title} report={report} lines={linesOf(report, detail.columns)} onFigure={open} />
      )}
    </Loaded>
  );
}
