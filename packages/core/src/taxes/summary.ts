import { type Cents, cents, negate, sum } from '../money.ts';
import type { Adjustment, AdjustmentKind } from './returns.ts';

/** A filed return as rows, for the screen and for printing. */

export const adjustmentNames: readonly { id: AdjustmentKind; label: string }[] = [
  { id: 'discount', label: 'Timely-filing discount' },
  { id: 'penalty', label: 'Penalty' },
  { id: 'interest', label: 'Interest' },
  { id: 'rounding', label: 'Rounding' },
  { id: 'badDebt', label: 'Bad-debt credit' },
  { id: 'other', label: 'Other' },
];

/** Returns the name of a kind of adjustment. */
export const adjustmentName = (kind: AdjustmentKind): string =>
  adjustmentNames.find(({ id }) => id === kind)?.label ?? '';

/** The amounts on a filed return, in cents. */
export interface FiledFigures {
  /** 1 for the first return of the period, and one higher for each amendment. */
  version: number;
  gross: Cents;
  nonTaxable: Cents;
  taxable: Cents;
  tax: Cents;
  sinceTaxable: Cents;
  sinceTax: Cents;
  adjustments: readonly Pick<Adjustment, 'kind' | 'amount'>[];
  carriedIn: Cents;
  prepaid: Cents;
  netDue: Cents;
  carriedOver: Cents;
  /** The differences in documents that have changed since filing. */
  changes: readonly { gross: Cents; taxable: Cents; tax: Cents }[];
}

export interface ReturnRow {
  key: string;
  label: string;
  filed: Cents;
  /** The change since filing. Undefined if the row can't change. */
  since?: Cents;
}

/** Returns the rows of a filed return. An amendment has only the changes since the earlier returns. */
export function returnRows(filed: FiledFigures): ReturnRow[] {
  const changed = (amountOf: (row: FiledFigures['changes'][number]) => number): Cents =>
    sum(filed.changes.map((row) => cents(amountOf(row))));
  const optional = (rows: readonly ReturnRow[]) => rows.filter((row) => row.filed !== 0);
  const tax = changed((row) => row.tax);
  const sales: ReturnRow[] = [
    { key: 'gross', label: 'Gross sales', filed: filed.gross, since: changed((row) => row.gross) },
    {
      key: 'nonTaxable',
      label: 'Non-taxable and exempt',
      filed: negate(filed.nonTaxable),
      since: changed((row) => row.taxable - row.gross),
    },
    { key: 'taxable', label: 'Taxable sales', filed: filed.taxable, since: changed((row) => row.taxable) },
    { key: 'tax', label: 'Tax', filed: filed.tax, since: tax },
    ...optional([{ key: 'since', label: 'Changes in earlier periods', filed: filed.sinceTax }]),
  ];
  const amended: ReturnRow[] = [
    { key: 'taxable', label: 'Change in taxable sales', filed: filed.sinceTaxable },
    { key: 'tax', label: 'Change in tax', filed: filed.sinceTax },
  ];
  return [
    ...(filed.version > 1 ? amended : sales),
    ...filed.adjustments.map(({ kind, amount }, at) => ({
      key: `adjustment ${at}`,
      label: adjustmentName(kind),
      filed: amount,
    })),
    ...optional([
      { key: 'carried in', label: 'Credit carried over', filed: filed.carriedIn },
      { key: 'prepaid', label: 'Prepayments', filed: cents(-filed.prepaid) },
    ]),
    { key: 'due', label: 'Net due', filed: filed.netDue, since: tax },
    ...optional([{ key: 'carried over', label: 'Carried over to the next return', filed: filed.carriedOver }]),
  ];
}
