import type { ReactNode } from 'react';
import type { FieldProps } from '../fields/field.tsx';

/** What a column's editor gets: hand `field` to the field and change the line by `set`. */
export interface LineEdit<Line> {
  line: Line;
  set: (patch: Partial<Line>) => void;
  field: Pick<FieldProps, 'label' | 'inRow' | 'error' | 'autoFocus'>;
}

export interface LineColumn<Line> {
  id: string;
  header: string;
  right?: boolean;
  /** A css width of the column. */
  width?: string;
  /** The committed text. */
  show: (line: Line) => ReactNode;
  /** Absent: worked out, not typed. */
  edit?: (edit: LineEdit<Line>) => ReactNode;
  /** In the total row. */
  total?: (lines: readonly Line[]) => ReactNode;
  /** Takes half the width in the sheet below 1224 px. */
  half?: boolean;
}

/** Sentences by column id; empty when the line may be committed. Those of no column stand beside Commit. */
export type LineErrors = Readonly<Record<string, string>>;

/** The sentences that belong to no column. */
export function wholeLineErrors<Line>(columns: readonly LineColumn<Line>[], errors: LineErrors): string[] {
  return Object.entries(errors).flatMap(([id, message]) => (columns.some((one) => one.id === id) ? [] : [message]));
}

export interface LineTableProps<Line> {
  label: string;
  columns: readonly LineColumn<Line>[];
  lines: readonly Line[];
  lineId: (line: Line) => string;
  /** A new line; `lines` are those that are there, e.g. to number it or to repeat its account. */
  blank: (lines: readonly Line[]) => Line;
  validate: (line: Line) => LineErrors;
  /** A line that is in `lines` replaces it, another is added. */
  onCommit: (line: Line) => void;
  onRemove?: ((line: Line) => void) | undefined;
  /** E.g. `Add Billing Line Item`. */
  addLabel: string;
  /** Under a committed line, e.g. the parts of a package. */
  below?: ((line: Line) => ReactNode) | undefined;
  /** The two lines of a card below 1224 px. */
  card: (line: Line) => { title: ReactNode; amount?: ReactNode; detail?: ReactNode };
  /** Opens with a new line in work, e.g. on a new invoice. */
  startNew?: boolean;
  readOnly?: boolean;
  /** Tells when a line is in work, to keep a draft of it or to guard closing. */
  onWork?: ((line: Line | undefined) => void) | undefined;
  ref?: React.Ref<LineTableHandle>;
}

export interface LineTableHandle {
  /** Commits the line in work. False when it has errors: they are then shown. True when nothing is in work. */
  settle: () => boolean;
}
