import type { useSpendingChoices } from '../../parts/choices/accounts.ts';
import type { Dimensions } from '../../parts/choices/dimensions.ts';
import { checkColumn, DESCRIPTION, moneyColumn, postingColumns } from '../../parts/documents/lineColumns.tsx';
import type { LineColumn } from '../../ui/lines/lineColumns.ts';
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

/** The expense line item form as columns; the location is the whole bill's. */
export function billColumns(
  dimensions: Dimensions,
  accounts: ReturnType<typeof useSpendingChoices>,
): readonly LineColumn<BillLine>[] {
  const posting = postingColumns({ ...dimensions, locations: undefined }, { ...accounts, width: 260 });
  return [...posting, DESCRIPTION, AMOUNT, CREDIT];
}

/** The two lines of a line item's card below 1224 px. */
export const billCard = (line: BillLine) => ({
  title: line.description,
  amount: <Amount value={billLineTotal(line)} />,
  detail: line.creditLine ? 'Credit item' : '',
});
