import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { type ReactNode, Suspense } from 'react';
import { ExplainButton } from '../../ledger/ExplainButton.tsx';
import type { Explained } from '../../ledger/explained.ts';
import { SumButton } from '../../ledger/SumButton.tsx';
import type { ListSum, SumPart } from '../../ledger/sums.ts';
import { useOpenFigure } from '../../../records/place.ts';
import { lazyPart } from '../../../ui/lazy/lazyPart.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import type { Sums } from '../../../ui/table/rows.ts';
import type { DocumentSide } from '../side.ts';

const FigureDrawer = lazyPart(async () => (await import('../../ledger/FigureDrawer.tsx')).FigureDrawer);

/** In a list of open invoices or bills, the totals whose transactions the user can open, by their names in the URL. */
const FIGURES = [
  'invoiceAmount',
  'openAmount',
  'creditAmount',
  'unappliedAmount',
  'journalAmount',
  'owedAmount',
] as const;
type Figure = (typeof FIGURES)[number];

function titleOf(figure: Figure, { core }: DocumentSide): string {
  switch (figure) {
    case 'invoiceAmount':
      return 'Total Outstanding';
    case 'openAmount':
      return 'Unpaid';
    case 'creditAmount':
      return 'Credit memos';
    case 'unappliedAmount':
      return 'Unapplied payments';
    case 'journalAmount':
      return 'Journal entries';
    case 'owedAmount':
      return core.name === 'payable' ? 'Owed to vendors' : 'Owed by customers';
  }
}

/** The fields of a row that a list total needs. */
interface Row {
  invoiceAmount: Cents;
  openAmount: Cents;
  /** The status of an invoice: 1 for a draft, 5 for void. */
  arBillingStatus?: number;
  /** Whether a bill is void. */
  voided?: boolean;
}
const [DRAFT, VOID] = [1, 5];

const statusOf = ({ arBillingStatus, voided }: Row) => (voided === true ? VOID : arBillingStatus);

const amountOf = (rows: readonly Row[], status: number): Cents =>
  sum(rows.filter((row) => statusOf(row) === status).map((row) => row.invoiceAmount));

function sumsOf(rows: readonly Row[]): Sums {
  return {
    invoiceAmount: sum(rows.map((row) => row.invoiceAmount)),
    openAmount: sum(rows.map((row) => row.openAmount)),
    draftAmount: amountOf(rows, DRAFT),
  };
}

interface ListSumsInput {
  side: DocumentSide;
  /** The rows after filtering. For a long list, `sums` contains the totals of all rows that match the filter. */
  rows: readonly Row[];
  sums: Sums | undefined;
  /** The server's totals for the whole list, regardless of the search. */
  whole: Sums | undefined;
  /** False if a filter hides part of the list, so that its totals can't be reconciled to the amount owed. */
  isWhole: boolean;
  /** Whether there is a search, which may hide some of the rows. */
  isSearched: boolean;
}

const partOf = (label: string, amount = 0): SumPart => ({ label, amount: cents(amount) });
const isNotZero = ({ amount }: SumPart): boolean => amount !== 0;

/**
 * Returns the total in the footer of a list of open documents: the amount owed, and the amounts that explain how it
 * differs from the open balances. For bills, the footer shows Total Outstanding, which is the total of their amounts.
 */
function listSum(input: ListSumsInput): ListSum | undefined {
  const { side, rows, sums, whole, isWhole } = input;
  const of = sums ?? sumsOf(rows);
  if (!isWhole) return input.isSearched ? undefined : lateSum(whole);
  if (whole?.['owedAmount'] === undefined) return undefined;
  const figure = (name: Figure): SumPart => ({ name, ...partOf(titleOf(name, side), whole[name]) });
  const { invoiceAmount = 0, openAmount = 0, draftAmount = 0 } = of;
  const { words, document } = side.core;
  const between = (['creditAmount', 'unappliedAmount', 'journalAmount'] as const).map(figure);
  return {
    label: 'Owed',
    title: titleOf('owedAmount', side),
    parts: [
      { ...figure('openAmount'), label: `Unpaid ${document.words.many}` },
      ...[...between, partOf('Dated after today', whole['laterAmount'])].filter(isNotZero),
    ],
    total: { ...figure('owedAmount'), label: 'Owed' },
    proof: `Equals ${words.control} in the ledger`,
    others: [
      partOf('Paid on these documents', invoiceAmount - openAmount - draftAmount),
      partOf('Drafts (not posted, not included)', draftAmount),
    ].filter(isNotZero),
  };
}

/**
 * Explains the difference between the overdue documents and the past due amount in the aging report. Returns undefined
 * if both are equal.
 */
function lateSum({ openAmount = 0, otherLateAmount = 0, lateAmount = 0 }: Sums = {}): ListSum | undefined {
  if (otherLateAmount === 0) return undefined;
  return {
    label: 'Past due',
    title: 'Past due',
    parts: [partOf('Overdue', openAmount), partOf('Credits and later payments', otherLateAmount)],
    total: partOf('Past due', lateAmount),
    proof: 'Equals the past due amount in the aging report',
  };
}

/** Returns the note in the footer of a list of open documents. */
export function sumsNote(list: Pick<ListSumsInput, 'side' | 'whole' | 'isWhole' | 'isSearched'>) {
  return (rows: readonly Row[], sums: Sums | undefined) => {
    const sum = listSum({ ...list, rows, sums });
    const { invoiceAmount = 0 } = sums ?? sumsOf(rows);
    return (
      <>
        {list.side.core.name === 'payable' && (
          <span className="ek-t-sum">
            Total Outstanding{' '}
            <ExplainButton name="invoiceAmount" isAllowed={list.isWhole}>
              {formatAmount(cents(invoiceAmount))}
            </ExplainButton>
          </span>
        )}
        {sum !== undefined && <SumButton sum={sum} />}
      </>
    );
  };
}

/**
 * Returns the drafts and void documents in a list of all documents, using the server's totals for a long list. Returns
 * undefined if there are none.
 */
export function unsoldIn(rows: readonly Row[], sums: Sums | undefined): ReactNode {
  const of = sums ?? sumsOf(rows);
  const [drafts, voids] = [of['draftAmount'] ?? 0, sums?.['voidAmount'] ?? amountOf(rows, VOID)];
  const all = of['invoiceAmount'] ?? 0;
  const minus = [partOf('Drafts', -drafts), partOf('Void', -voids)].filter(isNotZero);
  if (minus.length === 0) return undefined;
  const total = partOf('Posted', all - drafts - voids);
  return <SumButton sum={{ label: 'Posted', title: 'Posted', parts: [partOf('Amount', all), ...minus], total }} />;
}

/** Returns the columns whose totals can be opened to see their transactions, if the whole list is shown. */
export function withOutstanding<One>(columns: readonly Column<One>[], isWhole: boolean): readonly Column<One>[] {
  const wrapTotal = (id: string) => (total: ReactNode) => (
    <ExplainButton name={id} isAllowed={isWhole}>
      {total}
    </ExplainButton>
  );
  return columns.map((column) => (isFigure(column.id) ? { ...column, wrapTotal: wrapTotal(column.id) } : column));
}

const isFigure = (name: string | undefined): name is Figure => FIGURES.some((figure) => figure === name);

/** The drawer next to the list that shows the transactions in the total named in the URL. */
export function OutstandingDrawer({ side }: { side: DocumentSide }) {
  const { name, close } = useOpenFigure();
  const date = useToday();
  if (!isFigure(name)) return null;
  const { name: which, words } = side.core;
  const open = (ask: object, of: 'openAmount' | 'total' = 'openAmount'): Explained => {
    return { kind: 'open', ask: { side: which, ...ask }, of };
  };
  const figures: Record<Figure, { note: string; what: Explained }> = {
    invoiceAmount: {
      note: `${words.document}s in this list`,
      what: open({ documentsOnly: true, drafts: true }, 'total'),
    },
    openAmount: { note: `${words.document}s that are open now`, what: open({ documentsOnly: true }) },
    creditAmount: { note: 'remaining on credit memos', what: open({ kind: 'credit' }) },
    unappliedAmount: { note: 'unapplied on payments', what: open({ kind: 'payment' }) },
    journalAmount: { note: `posted to ${words.control}, on any date`, what: open({ kind: 'journal' }) },
    owedAmount: {
      note: 'today, the same as in reports and on the dashboard',
      what: { kind: 'owing', ask: { side: which, date } },
    },
  };
  return (
    <Suspense>
      <FigureDrawer title={titleOf(name, side)} {...figures[name]} onClose={close} />
    </Suspense>
  );
}
