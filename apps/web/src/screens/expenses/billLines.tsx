import type { useSpendingChoices } from '../../parts/choices/accounts.ts';
import type { Dimensions } from '../../parts/choices/dimensions.ts';
import { checkColumn, DESCRIPTION, moneyColumn, postingColumns } from '../../parts/documents/entry/lineColumns.tsx';
import type { LineColumn, TwoRows } from '../../ui/lines/lineColumns.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { type BillLine, billLineTotal } from './billForm.ts';

const AMOUNT = moneyColumn<BillLine>({
  id: 'amount',
  header: 'Amount',
  width: 140,
  show: (line) => <Amount value={billLineTotal(line)} />,
  of: (line) => line.amount,
  patch: (amount) => ({ amount }),
});

const CREDIT = checkColumn<BillLine>({
  id: 'creditLine',
  header: 'Credit Item',
  width: 96,
  of: (line) => line.creditLine,
  patch: (creditLine) => ({ creditLine }),
});

/** Returns the bill's line item form as columns. The location belongs to the whole bill. */
export function billColumns(
  dimensions: Dimensions,
  accounts: ReturnType<typeof useSpendingChoices>,
): readonly LineColumn<BillLine>[] {
  const posting = postingColumns({ ...dimensions, locations: undefined }, { ...accounts, width: 260 });
  return [...posting, DESCRIPTION, AMOUNT, CREDIT];
}

/**
 * Returns the two-row layout: account, profit center, and amounts above, and the description below. A single row
 * doesn't fit next to an attachment.
 */
export function billTwoRows(columns: readonly LineColumn<BillLine>[]): TwoRows<BillLine> {
  const above = columns.filter((column) => column !== DESCRIPTION);
  const placed = ({ id, width }: LineColumn<BillLine>) =>
    id === 'accountId' || width === undefined ? { id } : { id, width };
  return {
    columns: above,
    above: above.map(placed),
    below: [{ id: DESCRIPTION.id }],
    beneath: (line) => [line.description],
  };
}

/** Returns the two lines of text on a line item's card below 1224 px. */
export const billCard = (line: BillLine) => ({
  title: line.description,
  amount: <Amount value={billLineTotal(line)} />,
  detail: line.creditLine ? 'Credit item' : '',
});
