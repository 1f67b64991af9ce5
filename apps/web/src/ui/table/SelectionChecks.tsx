import { counted, type Words } from '../show/words.ts';
import type { RowsResult } from './useRows.ts';

/** The checkbox in a row. The row itself has the focus and handles keys and clicks. */
export function RowCheck({ isSelected, name }: { isSelected: boolean; name: string | undefined }) {
  return (
    <input
      type="checkbox"
      className="ek-check"
      aria-label={`Select ${name ?? 'row'}`}
      tabIndex={-1}
      checked={isSelected}
      disabled={name === undefined}
      readOnly
    />
  );
}

export interface HeadCheckProps<Row> {
  result: RowsResult<Row>;
  /** The number of displayed rows that are selected. */
  selected: number;
  words: Words;
  onToggle: () => void;
}

/** Selects all loaded rows. The label says whether these are all rows in the list. */
export function HeadCheck<Row>({ result, selected, words, onToggle }: HeadCheckProps<Row>) {
  const { length } = result.shown;
  const all =
    length < result.count
      ? `Select the ${length.toLocaleString('en-US')} of ${counted(result.count, words)} that are loaded`
      : `Select all ${counted(length, words)}`;
  return (
    <input
      type="checkbox"
      className="ek-check"
      aria-label={all}
      title={all}
      disabled={length === 0}
      checked={length > 0 && selected === length}
      ref={(box) => {
        if (box !== null) box.indeterminate = selected > 0 && selected < length;
      }}
      onChange={onToggle}
    />
  );
}
