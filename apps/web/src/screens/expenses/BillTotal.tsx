import type { Cents } from '@evenkeel/core/money';
import { Amount } from '../../ui/show/Amount.tsx';
import { Totals } from '../../ui/show/Facts.tsx';

/** The total of a bill's lines; a bill has no tax of its own. */
export function BillTotal({ value }: { value: Cents }) {
  return <Totals lines={[{ label: 'Total', value: <Amount value={value} sign />, sum: true }]} />;
}
