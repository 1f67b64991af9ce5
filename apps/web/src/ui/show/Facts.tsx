import './show.css';
import { Fragment, type ReactNode } from 'react';
import { keyed } from './keyed.ts';

export interface Fact {
  label: string;
  value: ReactNode;
}

/** The summary of a record, with labels on the left and values on the right. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="ek-facts">
      {keyed(facts, ({ label }) => label).map(({ key, item: fact }) => (
        <Fragment key={key}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

export interface TotalLine extends Fact {
  /** Whether this is the last line, which is larger and has a rule above it. */
  sum?: boolean;
}

/** Lines of amounts: subtotal, taxes, and total. */
export function Totals({ lines }: { lines: readonly TotalLine[] }) {
  return (
    <dl className="ek-totals">
      {keyed(lines, ({ label }) => label).map(({ key, item: line }) => (
        <Fragment key={key}>
          <dt data-sum={line.sum === true ? '' : undefined}>{line.label}</dt>
          <dd data-sum={line.sum === true ? '' : undefined}>{line.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
