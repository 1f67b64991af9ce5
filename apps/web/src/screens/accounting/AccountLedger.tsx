import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { type UIEvent, useMemo } from 'react';
import { type Register, useRegister } from '../../parts/ledger/queries.ts';
import { type RegisterRow, registerRows } from '../../parts/ledger/registerRows.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import type { AccountAsk } from './useAccountingPlace.ts';

export interface AccountLedgerProps extends AccountAsk {
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
  const { value: entries, opening, period, isComplete, readMore } = register;
  const rows = useMemo(
    () => (entries === undefined ? undefined : registerRows(entries, { from: ask.from, opening })),
    [entries, opening, ask.from],
  );
  const readAll = async (onRead: (lines: number) => void) =>
    registerRows(await register.readAll(onRead), { from: ask.from, opening });
  const columns = useMemo(() => columnsWith(totalsOf(rows ?? [], { period, isComplete })), [rows, period, isComplete]);
  return (
    <div className="ac-ledger" onScrollCapture={(event) => growAt(event, readMore)}>
      <DataTable<RegisterRow>
        label="Account entries"
        columns={columns}
        rows={rows}
        rowId={rowId}
        error={register.error}
        onRetry={register.retry}
        empty={EMPTY}
        onOpen={(row) => (row.transactionId === undefined ? undefined : onOpen(row.transactionId))}
        onEscape={onClose}
        isQuiet={isForward}
        phoneRow={phoneRow}
        readAll={isComplete ? undefined : readAll}
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

function countWords({ total, value: entries, period, isComplete }: Register): string {
  const words = total === 1 ? '1 entry' : `${total.toLocaleString('en-US')} entries`;
  if (period !== undefined) return `Period total, ${words}`;
  return isComplete ? words : `${entries?.length ?? 0} of ${words}`;
}

const EMPTY = { title: 'No entries yet', hint: 'What is posted to this account stands here.' };

function Description({ row }: { row: RegisterRow }) {
  if (row.standing === undefined) return row.description;
  return (
    <>
      {row.description} <Status look={row.standing === 'Reversed' ? 'void' : 'plain'}>{row.standing}</Status>
    </>
  );
}

interface Totals {
  debits: Cents;
  credits: Cents;
  closing: Cents | null;
}

/** Sums in the foot: for a range from its first page on, for all dates once every page is read. */
function totalsOf(rows: readonly RegisterRow[], { period, isComplete }: Pick<Register, 'period' | 'isComplete'>) {
  if (period !== undefined || !isComplete) return period;
  const side = (name: 'debit' | 'credit') => sum(rows.map((row) => row[name] ?? ZERO));
  return { debits: side('debit'), credits: side('credit'), closing: rows.at(-1)?.balance ?? null };
}

function columnsWith(totals: Totals | undefined): readonly Column<RegisterRow>[] {
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
    { id: 'postingDate', header: 'Post Date', kind: 'date', rank: 0, value: (row) => row.postingDate, sortable: false },
    {
      id: 'description',
      header: 'Description',
      rank: 1,
      value: (row) => row.description,
      render: (row) => <Description row={row} />,
      sortable: false,
    },
    amount('debit', 'Debit', totals?.debits),
    amount('credit', 'Credit', totals?.credits),
    amount('balance', 'Balance', totals?.closing),
  ];
}

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
