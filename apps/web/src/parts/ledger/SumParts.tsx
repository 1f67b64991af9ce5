import { type Cents, formatAmount } from '@evenkeel/core/money';
import { Fragment } from 'react';
import { ExplainButton } from './ExplainButton.tsx';

/** An amount with its label. If the amount has a name, selecting it opens its transactions. */
export interface SumPart {
  label: string;
  amount: Cents;
  name?: string;
}

export interface SumPartsProps {
  parts: readonly SumPart[];
  /** False if a filter hides part of the list. The amounts are then plain text. */
  isWhole: boolean;
}

/** The totals of a list, in one row next to the row count. */
export function SumParts({ parts, isWhole }: SumPartsProps) {
  return parts.map(({ label, amount, name }, at) => (
    <Fragment key={label}>
      {at > 0 && ' · '}
      <span className="ek-t-sum">
        {label}{' '}
        {name === undefined ? (
          formatAmount(amount)
        ) : (
          <ExplainButton name={name} isAllowed={isWhole}>
            {formatAmount(amount)}
          </ExplainButton>
        )}
      </span>
    </Fragment>
  ));
}
