import type { Cents } from '@evenkeel/core/money';
import { displayPercentage, taxItemLabel } from '@evenkeel/core/documents/salestax';
import type { TaxRate, TaxTotal } from '@evenkeel/core/documents/tax';
import { NOTHING } from '@evenkeel/core/nothing';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Totals } from '../../../ui/show/Facts.tsx';

export interface DocumentTotalsProps {
  /** The tax items. Omitted for a document that has no separate tax. */
  subtotal?: Cents;
  taxItems?: readonly TaxTotal[] | undefined;
  /** The total. Undefined if it isn't known yet, in which case the footer shows a dash. */
  total: Cents | undefined;
  /** The label. Defaults to "Total". */
  label?: string;
}

/** Returns the label for a tax in the totals: the tax's own label, or its type and rate, such as "State tax 5.75%". */
export function taxName(rate: Pick<TaxRate, 'label' | 'salesTaxType' | 'percentage'>): string {
  const label = taxItemLabel(rate);
  return `${rate.label === '' ? `${label} tax` : label} ${displayPercentage(rate.percentage)}`;
}

const NO_TAX: readonly TaxTotal[] = [];

/** The subtotal and each tax item, if there are any, followed by the total. */
export function DocumentTotals({ subtotal, taxItems = NO_TAX, total, label = 'Total' }: DocumentTotalsProps) {
  return (
    <Totals
      lines={[
        ...(subtotal === undefined ? [] : [{ label: 'Subtotal', value: <Amount value={subtotal} /> }]),
        ...taxItems.map((item) => ({ label: taxName(item), value: <Amount value={item.total} /> })),
        { label, value: total === undefined ? NOTHING : <Amount value={total} sign />, sum: true },
      ]}
    />
  );
}
