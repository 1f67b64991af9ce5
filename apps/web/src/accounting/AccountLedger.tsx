import type { IsoDate } from '@evenkeel/core/dates';
import { sum, ZERO } from '@evenkeel/core/money';
import { type UIEvent, useMemo } from 'react';
import { type Register, useRegister } from '../ledger/queries.ts';
import { type RegisterRow, registerRows } from '../ledger/registerRows.ts';
import { useNarrow } from '../ui/hooks/media.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { Status } from '../ui/show/Status.tsx';
import type { Column } from '../ui/table/columns.ts';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { PhoneRow } from '../ui/table/RowList.tsx';

export interface LedgerAsk {
  accountId: number;
  from: IsoDate | undefined;
  to: IsoDate | undefined;
  showReversed: boolean;
}

export interface AccountLedgerProps extends LedgerAsk {
  onOpen: (transactionId: number) => void;
  onClose: () => void;
}

/** px before the end of what is drawn at which the next page is asked for. */
const AHEAD = 900;

const rowId = (row: RegisterRow) => row.id;
const isForward = (row: RegisterRow) => row.transactionId === undefined;

/** An account's ledger: Post Date, Description, Debit, Credit, Balance; it grows as one scrolls. */
export function AccountLedger({ onOpen, onClose, ...ask }: AccountLedgerProps) {
  const register = useRegister({ ...ask, showReversed: ask.showReversed ? 'true' : undefined });
  const { entries, opening, isComplete, more } = register;
  const rows = useMemo(
    () => (entries === undefined ? undefined : registerRows(entries, { from: ask.from, opening })),
    [entries, opening, ask.from],
  );
  const narrow = useNarrow();
  const columns = isComplete && !narrow ? COMPLETE : GROWING;
  return (
    <div className="ac-ledger" onScrollCapture={(event) => growAt(event, more)}>
      <DataTable<RegisterRow>
        label="Account entries"
        columns={columns}
        rows={rows}
        rowId={rowId}
        error={register.error}
        onRetry={register.retry}
        empty={emptyWords(ask)}
        onOpen={(row) => (row.transactionId === undefined ? undefined : onOpen(row.transactionId))}
        onEscape={onClose}
        isQuiet={isForward}
        phoneRow={phoneRow}
        count={() => countWords(register)}
        note={register.isReadingMore ? 'Loading...' : undefined}
      />
    </div>
  );
}

function growAt({ target }: UIEvent, more: () => void): void {
  if (!(target instanceof HTMLElement)) return;
  if (target.scrollHeight - target.scrollTop - target.clientHeight < AHEAD) more();
}

function countWords({ total, entries, isComplete }: Register): string {
  const words = total === 1 ? '1 entry' : `${total.toLocaleString('en-US')} entries`;
  return isComplete ? words : `${entries?.length ?? 0} of ${words}`;
}

function emptyWords({ from, to }: LedgerAsk) {
  if (from === undefined && to === undefined) {
    return { title: 'No entries yet', hint: 'What is posted to this account stands here.' };
  }
  return { title: 'No entries on these dates', hint: 'Choose other dates or clear them.' };
}

function Description({ row }: { row: RegisterRow }) {
  if (row.standing === undefined) return row.description;
  return (
    <>
      {row.description} <Status look={row.standing === 'Reversed' ? 'void' : 'plain'}>{row.standing}</Status>
    </>
  );
}

const total = (side: 'debit' | 'credit') => (rows: readonly RegisterRow[]) => (
  <Amount value={sum(rows.map((row) => row[side] ?? ZERO))} />
);

const GROWING: readonly Column<RegisterRow>[] = [
  { id: 'postingDate', header: 'Post Date', kind: 'date', value: (row) => row.postingDate, sortable: false },
  {
    id: 'description',
    header: 'Description',
    value: (row) => row.description,
    render: (row) => <Description row={row} />,
    sortable: false,
  },
  { id: 'debit', header: 'Debit', kind: 'amount', value: (row) => row.debit, width: '106px', sortable: false },
  { id: 'credit', header: 'Credit', kind: 'amount', value: (row) => row.credit, width: '106px', sortable: false },
  { id: 'balance', header: 'Balance', kind: 'amount', value: (row) => row.balance, width: '118px', sortable: false },
];

/** With every page read the sums are those of the whole register. */
const COMPLETE: readonly Column<RegisterRow>[] = GROWING.map((column) => {
  if (column.id === 'debit' || column.id === 'credit') return { ...column, total: total(column.id) };
  if (column.id === 'balance') return { ...column, total: (rows) => <Amount value={rows.at(-1)?.balance} /> };
  return column;
});

function phoneRow(row: RegisterRow): PhoneRow {
  const side = row.debit !== null ? 'Debit' : row.credit !== null ? 'Credit' : undefined;
  return {
    title: <Description row={row} />,
    amount: <Amount value={row.debit ?? row.credit} />,
    detail: (
      <>
        <DateText value={row.postingDate} />
        {side !== undefined && ` · ${side}`}
      </>
    ),
    aside: (
      <span className="ek-muted">
        <Amount value={row.balance} />
      </span>
    ),
  };
}
