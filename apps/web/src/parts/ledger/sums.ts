import type { Cents } from '@evenkeel/core/money';

/** An amount with its label. If the amount has a name, the user can select it to see its transactions. */
export interface SumPart {
  label: string;
  amount: Cents;
  name?: string;
}

/** A total that a list's footer shows, with the amounts that it consists of. */
export interface ListSum {
  /** The label in the footer. */
  label: string;
  /** The title of the popover. */
  title: string;
  parts: readonly SumPart[];
  /** The sum of the amounts. */
  total: SumPart;
  /** A sentence that says what the total equals. */
  proof?: string;
  /** Amounts that are not part of the total. */
  others?: readonly SumPart[];
}
