import './show.css';
import { Fragment, type ReactNode } from 'react';

export interface Fact {
  label: string;
  value: ReactNode;
}

/** Labels at the left, values at the right: the summary of a record. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="ek-facts">
      {facts.map((fact) => (
        <Fragment key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

export interface TotalLine extends Fact {
  /** The last line, larger, under a rule. */
  sum?: boolean;
}

/** Subtotal, taxes, total. */
export function Totals({ lines }: { lines: readonly TotalLine[] }) {
  return (
    <dl className="ek-totals">
      {lines.map((line) => (
        <Fragment key={line.label}>
          <dt data-sum={line.sum === true ? '' : undefined}>{line.label}</dt>
          <dd data-sum={line.sum === true ? '' : undefined}>{line.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
