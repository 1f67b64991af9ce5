import { type Cents, formatAmount } from '@evenkeel/core/money';
import { Fragment } from 'react';
import { ExplainButton } from './ExplainButton.tsx';

/** A sum with what it is of; one with a name leads to what it adds up. */
export interface SumPart {
  label: string;
  amount: Cents;
  name?: string;
}

export interface SumPartsProps {
  parts: readonly SumPart[];
  /** False where a filter leaves a part of the list: its sums are then only text. */
  isWhole: boolean;
}

/** Sums of a list side by side, beside its count. */
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
