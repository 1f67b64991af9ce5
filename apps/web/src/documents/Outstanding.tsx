import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { type ReactNode, Suspense } from 'react';
import { ExplainButton } from '../ledger/ExplainButton.tsx';
import { useOpenFigure } from '../records/place.ts';
import { lazyPart } from '../ui/lazy/lazyPart.tsx';
import type { Column } from '../ui/table/columns.ts';
import type { Sums } from '../ui/table/rows.ts';
import type { DocumentSide } from './side.ts';

const FigureDrawer = lazyPart(async () => (await import('../ledger/FigureDrawer.tsx')).FigureDrawer);

/** The sums in the foot of a list of open invoices or bills, as the address and its columns name them. */
const FIGURES = { invoiceAmount: 'Total Outstanding', openAmount: 'Unpaid' } as const;
type Figure = keyof typeof FIGURES;

interface SumProps<Row> {
  of: Figure;
  rows: readonly Row[];
  sums: Sums | undefined;
  /** False where a filter leaves a part of the list: then it is only text. */
  isWhole: boolean;
}

/** One of the two sums of a list; it opens what it adds up. */
export function Outstanding<Row extends Partial<Record<Figure, Cents>>>({ of, rows, sums, isWhole }: SumProps<Row>) {
  return (
    <ExplainButton name={of} isAllowed={isWhole}>
      {formatAmount(sums === undefined ? sum(rows.map((row) => row[of] ?? cents(0))) : cents(sums[of] ?? 0))}
    </ExplainButton>
  );
}

/** The columns with totals that open what they add up, as long as the list is whole. */
export function withOutstanding<Row>(columns: readonly Column<Row>[], isWhole: boolean): readonly Column<Row>[] {
  const wrapTotal = (id: string) => (total: ReactNode) => (
    <ExplainButton name={id} isAllowed={isWhole}>
      {total}
    </ExplainButton>
  );
  return columns.map((column) => (column.id in FIGURES ? { ...column, wrapTotal: wrapTotal(column.id) } : column));
}

/** What one of the sums adds up, beside the list while the address names it. */
export function OutstandingDrawer({ side }: { side: DocumentSide }) {
  const { name, close } = useOpenFigure();
  const { name: which, words } = side.core;
  if (name !== 'invoiceAmount' && name !== 'openAmount') return null;
  const isUnpaid = name === 'openAmount';
  return (
    <Suspense>
      <FigureDrawer
        title={FIGURES[name]}
        note={isUnpaid ? `${words.document}s that are open now` : `${words.document}s in this list`}
        what={{
          kind: 'open',
          ask: { side: which, documentsOnly: true, ...(!isUnpaid && { drafts: true }) },
          of: isUnpaid ? 'openAmount' : 'total',
        }}
        onClose={close}
      />
    </Suspense>
  );
}
