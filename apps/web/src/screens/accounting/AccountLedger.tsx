import { MOST_FOUND } from '@evenkeel/contract/ledger';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { IconCheck } from '@tabler/icons-react';
import { type UIEvent, useMemo, useRef } from 'react';
import { useMay } from '../../client/session.ts';
import { formOf, LedgerDocument, LedgerName, type LedgerOpens } from './LedgerLinks.tsx';
import { type Register, useRegister } from '../../parts/ledger/queries.ts';
import { type RegisterRow, registerRows } from '../../parts/ledger/registerRows.ts';
import { sourceLabel } from '../../parts/ledger/sources.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Status } from '../../ui/show/Status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { useRoom } from '../../ui/table/useRoom.ts';
import type { AccountAsk } from './useAccountingPlace.ts';

export interface AccountLedgerProps extends AccountAsk {
  /** Whether the account has bank or card statements, so that its entries can be cleared. */
  isReconciled: boolean;
  opens: LedgerOpens;
  onClose: () => void;
}

/** The distance in px from the end of the rendered rows at which the next page is loaded. */
const AHEAD = 900;
/** The minimum width in px at which the type, number, name, and description have separate columns. */
const ALL_COLUMNS = 820;

const rowId = (row: RegisterRow) => row.id;
const isForward = (row: RegisterRow) => row.transactionId === undefined;

/** An account's register, newest entry first. More entries load as the user scrolls. A search covers all dates. */
export function AccountLedger({ opens, onClose, find, isReconciled, ...ask }: AccountLedgerProps) {
  const { accountId, showReversed } = ask;
  const cleared = isReconciled ? ask.cleared : undefined;
  const isSearch = find.trim() !== '';
  const dates = isSearch ? { from: undefined, to: undefined } : { from: ask.from, to: ask.to };
  const shared = { accountId, desc: 'true', showReversed: showReversed ? 'true' : undefined } as const;
  const register = useRegister({ ...shared, ...dates, q: isSearch ? find : undefined, cleared });
  const place = useRef<HTMLDivElement>(null);
  const room = useRoom(place);
  const { value: entries, period, isComplete, readMore } = register;
  const forward = period?.broughtForward;
  const { from } = dates;
  const rows = useMemo(
    () => entries && registerRows(entries, { from, forward: isComplete ? forward : undefined }),
    [entries, from, forward, isComplete],
  );
  const readAll = async (onRead: (lines: number) => void) =>
    registerRows(await register.readAll(onRead), { from, forward });
  const seesBanking = useMay()('View Banking');
  const open = (row: RegisterRow) => {
    const form = seesBanking ? formOf(opens, row) : undefined;
    if (row.transactionId === undefined) return;
    if (form === undefined) opens.entry.open(row.transactionId);
    else form.open(row.sourceId);
  };
  const isTight = room > 0 && room < ALL_COLUMNS;
  const isPartial = isSearch || cleared !== undefined;
  const columns = useMemo(() => {
    const totals = totalsOf(rows ?? [], { period, isComplete, isPartial });
    const marks = isReconciled && !isTight ? [CLEARED] : [];
    return [...(isTight ? tightColumns(opens) : wideColumns(opens)), ...marks, ...amountColumns(totals)];
  }, [rows, period, isComplete, isPartial, isReconciled, isTight, opens]);
  return (
    <div className="ac-ledger" ref={place} onScrollCapture={(event) => growAt(event, readMore)}>
      <DataTable<RegisterRow>
        label="Account entries"
        columns={columns}
        rows={rows}
        rowId={rowId}
        error={register.error}
        onRetry={register.retry}
        empty={
          isSearch
            ? { title: 'No entries found', hint: `No entries in this account match “${find.trim()}”.` }
            : cleared === undefined
              ? EMPTY
              : { title: 'No entries found', hint: 'No entries in this account match these filters.' }
        }
        onOpen={open}
        onEscape={onClose}
        isQuiet={isForward}
        phoneRow={phoneRow}
        readAll={isComplete ? undefined : readAll}
        count={() => countWords(register, isPartial)}
        note={register.isReadingMore ? 'Loading...' : undefined}
      />
    </div>
  );
}

function growAt({ target }: UIEvent, more: () => void): void {
  if (!(target instanceof HTMLElement)) return;
  if (target.scrollHeight - target.scrollTop - target.clientHeight < AHEAD) more();
}

function countWords({ total, value: entries, period, isComplete }: Register, isPartial: boolean): string {
  const count = isComplete ? (entries?.length ?? 0) : total;
  const more = isPartial && !isComplete && total === MOST_FOUND ? ' or more' : '';
  const words = count === 1 ? '1 entry' : `${count.toLocaleString('en-US')}${more} entries`;
  if (period !== undefined) return `Period total, ${words}`;
  return isComplete ? words : `${entries?.length ?? 0} of ${words}`;
}

const EMPTY = { title: 'No entries yet', hint: 'Entries posted to this account appear here.' };

function Described({ text, row }: { text: string; row: RegisterRow }) {
  if (row.standing === undefined) return text;
  return (
    <>
      {text} <Status look={row.standing === 'Reversed' ? 'void' : 'plain'}>{row.standing}</Status>
    </>
  );
}

interface Totals {
  debits: Cents;
  credits: Cents;
  closing: Cents | null;
}

interface TotalsAsk extends Pick<Register, 'period' | 'isComplete'> {
  /** Whether a search or a filter excludes entries. */
  isPartial: boolean;
}

/**
 * Returns the footer totals. For a date range, the first page of the response includes them. Otherwise, they are
 * calculated after every page has been loaded. A search or a filter removes the closing balance.
 */
function totalsOf(rows: readonly RegisterRow[], { period, isComplete, isPartial }: TotalsAsk): Totals | undefined {
  if (period !== undefined || !isComplete) return period;
  const side = (name: 'debit' | 'credit') => sum(rows.map((row) => row[name] ?? ZERO));
  const closing = isPartial ? null : (rows[0]?.balance ?? null);
  return { debits: side('debit'), credits: side('credit'), closing };
}

const typeOf = (row: RegisterRow) => (isForward(row) ? '' : sourceLabel(row.sourceType));
const documentOf = (row: RegisterRow) => `${typeOf(row)} ${row.number}`.trim();

/** Returns the combined name and description. A description that only repeats the document is omitted. */
const namedOf = (row: RegisterRow) =>
  row.name !== '' && row.description === documentOf(row) ? row.name : row.withName;

const DATE: Column<RegisterRow> = {
  id: 'postingDate',
  header: 'Post Date',
  kind: 'date',
  rank: 0,
  value: (row) => row.postingDate,
  sortable: false,
};

/** Shown for bank, cash, and card accounts. */
const CLEARED: Column<RegisterRow> = {
  id: 'cleared',
  header: 'Cleared',
  // The type is hidden first, because the description repeats it.
  rank: 2.5,
  value: (row) => (row.isCleared ? 'Yes' : ''),
  render: (row) => row.isCleared && <IconCheck {...ICON_SMALL} aria-hidden={false} aria-label="Cleared" />,
  width: '76px',
  sortable: false,
};

function textColumn(id: string, header: string, more: Partial<Column<RegisterRow>>): Column<RegisterRow> {
  return { id, header, sortable: false, ...more };
}

function described(rank: number, textOf: (row: RegisterRow) => string): Column<RegisterRow> {
  const render = (row: RegisterRow) => <Described text={textOf(row)} row={row} />;
  return textColumn('description', 'Description', { rank, value: textOf, render });
}

function wideColumns(opens: LedgerOpens): Column<RegisterRow>[] {
  return [
    DATE,
    textColumn('type', 'Type', { rank: 3, value: typeOf, width: '108px', quiet: true }),
    textColumn('number', 'Number', {
      rank: 0,
      value: (row) => row.number,
      render: (row) => <LedgerDocument row={row} opens={opens} text={row.number} />,
      width: '84px',
    }),
    textColumn('name', 'Name', { rank: 2, value: (row) => row.name, render: (row) => <LedgerName row={row} /> }),
    described(1, (row) => row.description),
  ];
}

/** Returns the columns for narrow screens, which combine the type with the number and the name with the description. */
function tightColumns(opens: LedgerOpens): Column<RegisterRow>[] {
  return [
    DATE,
    textColumn('number', 'Number', {
      rank: 0,
      value: documentOf,
      render: (row) => <LedgerDocument row={row} opens={opens} text={documentOf(row)} />,
      width: '120px',
    }),
    described(1, namedOf),
  ];
}

function amountColumns(totals: Totals | undefined): Column<RegisterRow>[] {
  const amount = (id: 'debit' | 'credit' | 'balance', header: string, total: Cents | null | undefined) => ({
    id,
    header,
    kind: 'amount' as const,
    value: (row: RegisterRow) => row[id],
    width: id === 'balance' ? '118px' : '106px',
    sortable: false,
    ...(total === undefined ? {} : { total }),
  });
  return [
    amount('debit', 'Debit', totals?.debits),
    amount('credit', 'Credit', totals?.credits),
    amount('balance', 'Balance', totals?.closing),
  ];
}

function phoneRow(row: RegisterRow): PhoneRow {
  const side = row.debit !== null ? 'Debit' : row.credit !== null ? 'Credit' : undefined;
  const more = [documentOf(row), side, row.isCleared ? 'Cleared' : ''].filter(
    (words) => words !== undefined && words !== '',
  );
  return {
    title: <Described text={namedOf(row)} row={row} />,
    amount: <Amount value={row.debit ?? row.credit} />,
    detail: (
      <>
        <DateText value={row.postingDate} />
        {more.map((words) => ` · ${words}`)}
      </>
    ),
    aside: (
      <span className="ek-muted">
        <Amount value={row.balance} />
      </span>
    ),
  };
}
