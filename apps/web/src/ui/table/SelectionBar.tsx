import { cents, sum } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Amount } from '../show/Amount.tsx';
import { counted, type Words } from '../show/words.ts';
import type { Column } from './columns.ts';
import type { RowsResult } from './useRows.ts';

export interface SelectionBarProps<Row> {
  selected: readonly Row[];
  /** The number of selected rows among the displayed rows. */
  shown: number;
  result: RowsResult<Row>;
  columns: readonly Column<Row>[];
  sums?: readonly string[];
  words: Words;
  actions?: (rows: readonly Row[], clear: () => void) => ReactNode;
  isReading: boolean;
  onAll: () => void;
  onClear: () => void;
}

/** The number of selected rows, their totals, and their actions. The bar is below the list, so that no row moves. */
export function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { selected, result, isReading, onClear } = props;
  const isOn = selected.length > 0;
  const hidden = selected.length - props.shown;
  // Also offers `Select all 600` if the list can load the remaining rows.
  const isOffered = result.isPart && result.shown.length < result.count && props.shown === result.shown.length;
  return (
    <div className="ek-sel" data-on={isOn ? '' : undefined}>
      <span role="status" className={isOn ? 'ek-sel-count ek-num' : 'ek-vh'}>
        {isReading ? 'Reading…' : isOn && `${selected.length.toLocaleString('en-US')} selected`}
        {isOn && hidden > 0 && `, ${hidden.toLocaleString('en-US')} not shown`}
      </span>
      {isOn && (
        <>
          <Sums {...props} />
          {isOffered && (
            <button type="button" className="ek-link" disabled={isReading} onClick={props.onAll}>
              Select all {counted(result.count, props.words)}
            </button>
          )}
          <div className="ek-sel-actions">
            {props.actions?.(selected, onClear)}
            <Button variant="default" onClick={onClear}>
              Clear
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

function Sums<Row>({ columns, sums, selected }: SelectionBarProps<Row>) {
  const summed = columns.filter((column) => sums?.includes(column.id) === true);
  return summed.map((column) => (
    <span key={column.id} className="ek-sel-sum">
      {column.header} <Amount value={sum(selected.map((row) => cents(Number(column.value?.(row) ?? 0))))} />
    </span>
  ));
}
