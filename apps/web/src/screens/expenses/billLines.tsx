import { IconCheck } from '@tabler/icons-react';
import { postingColumns, DESCRIPTION } from '../../parts/documents/lineColumns.tsx';
import type { Choice } from '../../parts/choices/choice.ts';
import type { Dimensions } from '../../parts/choices/dimensions.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import type { LineColumn } from '../../ui/lines/lineColumns.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { type BillLine, billLineTotal } from './billForm.ts';

const AMOUNT: LineColumn<BillLine> = {
  id: 'amount',
  header: 'Amount',
  right: true,
  width: 140,
  half: true,
  show: (line) => <Amount value={billLineTotal(line)} />,
  edit: ({ line, set, field }) => <MoneyField {...field} value={line.amount} onChange={(amount) => set({ amount })} />,
};

const CREDIT: LineColumn<BillLine> = {
  id: 'creditLine',
  header: 'Credit Item',
  width: 96,
  half: true,
  show: (line) => line.creditLine && <IconCheck {...ICON_SMALL} aria-hidden={false} aria-label="Credit Item" />,
  edit: ({ line, set, field }) => (
    <CheckField {...field} value={line.creditLine} onChange={(creditLine) => set({ creditLine })} />
  ),
};

/** The expense line item form as columns; the location is the whole bill's. */
export function billColumns(
  dimensions: Dimensions,
  accounts: { options: readonly Choice[]; every: readonly Choice[]; isLoading?: boolean },
): readonly LineColumn<BillLine>[] {
  const posting = postingColumns({ ...dimensions, locations: undefined }, { ...accounts, width: 260 });
  return [...posting, DESCRIPTION, AMOUNT, CREDIT];
}

/** The two lines of a line item's card below 1224 px. */
export function billCard(line: BillLine) {
  return {
    title: line.description,
    amount: <Amount value={billLineTotal(line)} />,
    detail: line.creditLine ? 'Credit item' : '',
  };
}
