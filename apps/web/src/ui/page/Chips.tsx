import { type Cents, formatAmount } from '@evenkeel/core/money';
import { useRef } from 'react';
import { useHidden } from '../hooks/hidden.ts';
import { useOverflow } from '../hooks/overflow.ts';

export interface Chip<Value extends string> {
  value: Value;
  label: string;
  /** The number of rows and, if useful, their total. Omitted while unknown. */
  part?: { count: number; amount?: Cents } | undefined;
}

export interface ChipsProps<Value extends string> {
  /** The accessible name of the chips, for example `Filter the list`. */
  label: string;
  chips: readonly Chip<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/**
 * Returns the label, count, and amount of a chip for its tooltip, because the chip may have no space for the amount.
 */
function titleOf({ label, part }: Chip<string>): string | undefined {
  if (part?.amount === undefined) return undefined;
  return `${label}: ${part.count.toLocaleString('en-US')}, ${formatAmount(part.amount)}`;
}

/**
 * The filters of a list in one row, each with its number of rows and total. If space is limited, the totals of the
 * chips that are not pressed are hidden first, then all totals. Then the row scrolls.
 */
export function Chips<Value extends string>({ label, chips, value, onChange }: ChipsProps<Value>) {
  const row = useRef<HTMLDivElement>(null);
  const words = chips.map((chip) => `${chip.label} ${titleOf(chip) ?? ''}`).join();
  const steps = useOverflow(row, `${value} ${words}`);
  const { hasMore, onScroll } = useHidden(row, `${steps} ${words}`);
  return (
    <div
      ref={row}
      role="group"
      aria-label={label}
      className="ek-chips"
      data-more={hasMore ? '' : undefined}
      onScroll={onScroll}
    >
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          className="ek-chip"
          aria-pressed={chip.value === value}
          title={titleOf(chip)}
          onClick={() => onChange(chip.value)}
        >
          {chip.label}
          {chip.part !== undefined && (
            <>
              {' '}
              <span className="ek-chip-count ek-num">{chip.part.count.toLocaleString('en-US')}</span>{' '}
              {chip.part.amount !== undefined && (steps === 0 || (steps === 1 && chip.value === value)) && (
                <span className="ek-chip-amount ek-num">{formatAmount(chip.part.amount)}</span>
              )}
            </>
          )}
        </button>
      ))}
    </div>
  );
}
