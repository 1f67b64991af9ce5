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

/** The sums of a list of open invoices or bills that lead to what they add up, as the address names them. */
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

/** The part of a row that a sum of a list needs. */
interface Row {
  invoiceAmount: Cents;
  openAmount: Cents;
  /** The status of an invoice: 1 is a draft, 5 is void. */
  arBillingStatus?: number;
  /** A bill that is void. */
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
  /** The rows that are left, or of a long list what these come to. */
  rows: readonly Row[];
  sums: Sums | undefined;
  /** The sums of the whole list from the server, whatever is searched. */
  whole: Sums | undefined;
  /** False where a filter leaves a part of the list: then the sums are only text, and tie with nothing. */
  isWhole: boolean;
  /** Something is searched: not even a part of the list is whole. */
  isSearched: boolean;
}

/**
 * The sums of a list, and from there the amount owed: for bills 'Total Outstanding' adds the amounts and 'Unpaid' the
 * open ones; for invoices the amounts are unpaid, paid or drafts. Each difference between the unpaid sum and the amount
 * owed is shown where it is not zero.
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

/** From all that is overdue to what an ageing has as late; nothing where they are the same. */
function lateParts({ otherLateAmount = 0, lateAmount = 0 }: Sums = {}): SumPart[] {
  if (otherLateAmount === 0) return [];
  return [
    { label: 'Credits and later payments', amount: cents(otherLateAmount) },
    { label: 'Past due', amount: cents(lateAmount) },
  ];
}

/** The sums as the note of a table. */
export function sumsNote(list: Pick<ListSumsProps, 'side' | 'whole' | 'isWhole' | 'isSearched'>) {
  return (rows: readonly Row[], sums: Sums | undefined) => <ListSums {...list} rows={rows} sums={sums} />;
}

/** The part of a list of all invoices that was not sold, of a long one by the server; undefined if there is none. */
export function unsoldIn(rows: readonly Row[], sums: Sums | undefined): ReactNode {
  const parts = [
    { label: 'Drafts', amount: cents(sums?.['draftAmount'] ?? amountOf(rows, DRAFT)) },
    { label: 'Void', amount: cents(sums?.['voidAmount'] ?? amountOf(rows, VOID)) },
  ].filter(({ amount }) => amount !== 0);
  return parts.length === 0 ? undefined : <SumParts parts={parts} isWhole={false} />;
}

/** The columns with totals that open what they add up, as long as the list is whole. */
export function withOutstanding<One>(columns: readonly Column<One>[], isWhole: boolean): readonly Column<One>[] {
  const wrapTotal = (id: string) => (total: ReactNode) => (
    <ExplainButton name={id} isAllowed={isWhole}>
      {total}
    </ExplainButton>
  );
  return columns.map((column) => (isFigure(column.id) ? { ...column, wrapTotal: wrapTotal(column.id) } : column));
}

const isFigure = (name: string | undefined): name is Figure => FIGURES.some((figure) => figure === name);

/** The rows of one of the sums, beside the list while the address names it. */
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
    creditAmount: { note: 'unused on credit memos', what: open({ kind: 'credit' }) },
    unappliedAmount: { note: 'unapplied on payments', what: open({ kind: 'payment' }) },
    journalAmount: { note: `on ${words.control}, for any date`, what: open({ kind: 'journal' }) },
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
