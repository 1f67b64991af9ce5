import { type Cents, cents, sum } from '@evenkeel/core/money';
import { type ReactNode, Suspense } from 'react';
import { ExplainButton } from '../../ledger/ExplainButton.tsx';
import type { Explained } from '../../ledger/explained.ts';
import { SumParts, type SumPart } from '../../ledger/SumParts.tsx';
import { useOpenFigure } from '../../../records/place.ts';
import { lazyPart } from '../../../ui/lazy/lazyPart.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import type { Sums } from '../../../ui/table/rows.ts';
import type { DocumentSide } from '../side.ts';

const FigureDrawer = lazyPart(async () => (await import('../../ledger/FigureDrawer.tsx')).FigureDrawer);

/** The totals, by URL name, that open their transactions from a list of open invoices or bills. */
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

/** The row fields that a list total needs. */
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

interface Part extends SumPart {
  name?: Figure;
}

interface ListSumsProps {
  side: DocumentSide;
  /** The filtered rows. For a long list, `sums` contains their totals. */
  rows: readonly Row[];
  sums: Sums | undefined;
  /** The server's totals for the whole list, regardless of the search. */
  whole: Sums | undefined;
  /** False if a filter hides part of the list. The totals are then plain text without a reconciliation. */
  isWhole: boolean;
  /** Whether a search is active, which may hide any row. */
  isSearched: boolean;
}

/**
 * The totals of a list, reconciled to the amount owed. For bills, 'Total Outstanding' adds up the amounts and 'Unpaid'
 * the open balances. For invoices, the amounts are split into unpaid, paid, and drafts. Shows each nonzero difference
 * between the unpaid total and the amount owed.
 */
function ListSums({ side, rows, sums, whole, isWhole, isSearched }: ListSumsProps) {
  const of = sums ?? sumsOf(rows);
  const part = (name: Figure, from: Sums): Part => {
    return { name, label: titleOf(name, side), amount: cents(from[name] ?? 0) };
  };
  const words = (label: string, amount = 0): Part => ({ label, amount: cents(amount) });
  const { invoiceAmount = 0, openAmount = 0, draftAmount = 0 } = of;
  const ties = (isWhole ? whole : undefined) ?? {};
  const between = [
    part('creditAmount', ties),
    part('unappliedAmount', ties),
    part('journalAmount', ties),
    words('Dated after today', ties['laterAmount']),
  ].filter(({ amount }) => amount !== 0);
  const own =
    side.core.name === 'payable'
      ? [part('invoiceAmount', of), part('openAmount', of)]
      : [
          part('openAmount', of),
          ...[words('Paid', invoiceAmount - openAmount - draftAmount), words('Drafts', draftAmount)].filter(
            ({ amount }) => amount !== 0,
          ),
        ];
  const owed = between.length > 0 ? [part('owedAmount', ties)] : [];
  const parts = [...own, ...between, ...owed, ...(isSearched ? [] : lateParts(whole))];
  return <SumParts parts={parts} isWhole={isWhole} />;
}

/**
 * Returns the reconciliation from overdue documents to the aging report's past due amount. Returns an empty list if
 * both are equal.
 */
function lateParts({ otherLateAmount = 0, lateAmount = 0 }: Sums = {}): SumPart[] {
  if (otherLateAmount === 0) return [];
  return [
    { label: 'Credits and later payments', amount: cents(otherLateAmount) },
    { label: 'Past due', amount: cents(lateAmount) },
  ];
}

/** Returns the totals as a table note. */
export function sumsNote(list: Pick<ListSumsProps, 'side' | 'whole' | 'isWhole' | 'isSearched'>) {
  return (rows: readonly Row[], sums: Sums | undefined) => <ListSums {...list} rows={rows} sums={sums} />;
}

/**
 * Returns the drafts and void invoices in a list of all invoices, using the server's totals for a long list. Returns
 * undefined if there are none.
 */
export function unsoldIn(rows: readonly Row[], sums: Sums | undefined): ReactNode {
  const parts = [
    { label: 'Drafts', amount: cents(sums?.['draftAmount'] ?? amountOf(rows, DRAFT)) },
    { label: 'Void', amount: cents(sums?.['voidAmount'] ?? amountOf(rows, VOID)) },
  ].filter(({ amount }) => amount !== 0);
  return parts.length === 0 ? undefined : <SumParts parts={parts} isWhole={false} />;
}

/** Returns the columns with totals that open their transactions, as long as the whole list is shown. */
export function withOutstanding<One>(columns: readonly Column<One>[], isWhole: boolean): readonly Column<One>[] {
  const wrapTotal = (id: string) => (total: ReactNode) => (
    <ExplainButton name={id} isAllowed={isWhole}>
      {total}
    </ExplainButton>
  );
  return columns.map((column) => (isFigure(column.id) ? { ...column, wrapTotal: wrapTotal(column.id) } : column));
}

const isFigure = (name: string | undefined): name is Figure => FIGURES.some((figure) => figure === name);

/** The drawer next to the list that shows the transactions of the total named in the URL. */
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
