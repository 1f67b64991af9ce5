import type { Cents } from '@evenkeel/core/money';
import type { LineColumn, LineErrors } from './lineColumns.ts';

export interface LineFieldsProps<Line> {
  columns: readonly LineColumn<Line>[];
  line: Line;
  set: (patch: Partial<Line>) => void;
  errors: LineErrors;
  amountOf?: ((line: Line) => Cents | undefined) | undefined;
  /** The number of form columns, out of 12, by line column ID. Defaults to half of the columns or all of them. */
  spans?: Readonly<Record<string, 2 | 3 | 4 | 6 | 8>>;
  readOnly?: boolean;
}

/** The columns of a line as form fields. Calculated values are shown as text. */
export function LineFields<Line extends object>({ columns, spans, ...rest }: LineFieldsProps<Line>) {
  return columns.map((column) => {
    const half = column.half === true;
    const span = spans?.[column.id] ?? (half ? 6 : undefined);
    const classes = [...(span === undefined ? [] : [`ek-c${span}`]), ...(half ? ['ek-half'] : [])];
    return (
      <div key={column.id} className={classes.join(' ') || undefined}>
        <LineField column={column} {...rest} />
      </div>
    );
  });
}

interface LineFieldProps<Line> extends Omit<LineFieldsProps<Line>, 'columns' | 'spans'> {
  column: LineColumn<Line>;
}

function LineField<Line extends object>({ column, line, set, errors, amountOf, readOnly }: LineFieldProps<Line>) {
  if (column.edit !== undefined && readOnly !== true) {
    const field = { label: column.header, inRow: false, error: errors[column.id], autoFocus: false };
    return column.edit({ line, set, field });
  }
  return (
    <>
      <div className="mantine-InputWrapper-label">{column.header}</div>
      <div className="ek-sheet-value ek-num ek-medium">{column.show(line, amountOf?.(line))}</div>
    </>
  );
}
