import './show.css';
import { type Cents, formatAmount, formatUsd, formatWhole } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';

export interface AmountProps {
  /** The amount in cents. Null and undefined show nothing. */
  value: Cents | null | undefined;
  /** Whether to show the dollar sign. Use it only for totals and card amounts. */
  sign?: boolean;
  /** The text for zero: `0.00` (default), a dash (reports), or nothing (Debit and Credit columns). */
  zero?: 'figure' | 'dash' | 'blank';
  /** Whether to round to whole dollars, in a table without space for cents. */
  isWhole?: boolean;
}

/**
 * An amount in tabular digits. Negative amounts are in parentheses, and the closing parenthesis extends beyond the
 * column.
 */
export function Amount({ value, sign = false, zero = 'figure', isWhole = false }: AmountProps) {
  if (value === null || value === undefined) return null;
  if (value === 0 && zero === 'blank') return null;
  if (value === 0 && zero === 'dash') {
    return (
      <span className="ek-amount">
        <span aria-hidden="true">{NOTHING}</span>
        <span className="ek-vh">0.00</span>
      </span>
    );
  }
  const text = isWhole ? formatWhole(value) : sign ? formatUsd(value) : formatAmount(value);
  if (!text.endsWith(')')) return <span className="ek-amount">{text}</span>;
  return (
    <span className="ek-amount">
      {text.slice(0, -1)}
      <span className="ek-hang">)</span>
    </span>
  );
}
