import type { Cents } from '@evenkeel/core/money';
import type { TaxTotal } from '@evenkeel/core/tax';
import { Amount } from '../ui/show/Amount.tsx';
import { Totals } from '../ui/show/Facts.tsx';
import { taxName } from './taxRates.ts';

export interface InvoiceTotalsProps {
  subtotal: Cents;
  taxItems: readonly TaxTotal[];
  /** Undefined while it is not known: a dash. */
  total: Cents | undefined;
}

/** Subtotal, each tax item, total. */
export function InvoiceTotals({ subtotal, taxItems, total }: InvoiceTotalsProps) {
  const taxes = taxItems.map((item) => ({ label: taxName(item), value: <Amount value={item.total} /> }));
  const sum = total === undefined ? '–' : <Amount value={total} sign />;
  return (
    <Totals
      lines={[
        { label: 'Subtotal', value: <Amount value={subtotal} /> },
        ...taxes,
        { label: 'Total', value: sum, sum: true },
      ]}
    />
  );
}
