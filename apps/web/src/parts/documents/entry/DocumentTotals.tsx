import type { Cents } from '@evenkeel/core/money';
import { displayPercentage, taxItemLabel } from '@evenkeel/core/documents/salestax';
import type { TaxRate, TaxTotal } from '@evenkeel/core/documents/tax';
import { NOTHING } from '@evenkeel/core/nothing';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Totals } from '../../../ui/show/Facts.tsx';

export interface DocumentTotalsProps {
  /** Absent for a document that has no tax of its own. */
  subtotal?: Cents;
  taxItems?: readonly TaxTotal[] | undefined;
  /** Undefined while it is not known: a dash. */
  total: Cents | undefined;
  /** "Total" unless given. */
  label?: string;
}

/** The name of a tax in the totals: "State tax 5.75%", or by its own label. */
export function taxName(rate: Pick<TaxRate, 'label' | 'salesTaxType' | 'percentage'>): string {
  const label = taxItemLabel(rate);
  return `${rate.label === '' ? `${label} tax` : label} ${displayPercentage(rate.percentage)}`;
}

const NO_TAX: readonly TaxTotal[] = [];

/** Subtotal and each tax item, where there are any, then the total. */
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
