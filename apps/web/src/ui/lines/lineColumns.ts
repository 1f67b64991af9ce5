import type { Cents } from '@evenkeel/core/money';
import type { ReactNode } from 'react';
import type { FieldProps } from '../fields/field.tsx';

/** The props of a column's editor: pass `field` to the field, and change the line with `set`. */
export interface LineEdit<Line> {
  line: Line;
  set: (patch: Partial<Line>) => void;
  field: Pick<FieldProps, 'label' | 'inRow' | 'error' | 'autoFocus'>;
}

export interface LineColumn<Line> {
  id: string;
  header: string;
  right?: boolean;
  /** Whether the column contains the line's name. */
  isName?: boolean;
  /** The width in px. Columns without a width share the remaining space. Amount columns grow with their digits. */
  width?: number;
  /** Returns the committed text. `amount` is the result of the table's `amountOf` for the line. */
  show: (line: Line, amount: Cents | undefined) => ReactNode;
  /** Returns the editor. Omitted for a calculated value. */
  edit?: (edit: LineEdit<Line>) => ReactNode;
  /** Returns the content of the total row. */
  total?: (lines: readonly Line[]) => ReactNode;
  /** Whether the field takes half the width in the sheet below 1224 px. */
  half?: boolean;
}

/** A field in a row of the edited line. If it has no width, it takes the remaining space. */
export interface PlacedField {
  id: string;
  width?: number;
}

/** The two-row layout of lines, for tables whose single row would leave too little space for the description. */
export interface TwoRows<Line> {
  /** The headings, and the cells of a committed line's first row. */
  columns: readonly LineColumn<Line>[];
  /** The columns, by ID, in the two rows of the edited line. */
  above: readonly PlacedField[];
  below: readonly PlacedField[];
  /** Returns small text below a committed line. Empty parts are omitted. */
  beneath: (line: Line) => readonly string[];
}

/** The minimum width of a description in px. Below this width, lines use two rows. */
const LEAST_TEXT = 220;

/**
 * Returns whether columns of these widths in px leave too little space for a description. A `room` of 0 px means that
 * the space is not yet known.
 */
export function isTooNarrow(widths: readonly number[], room: number): boolean {
  return room > 0 && widths.reduce((all, width) => all + width, LEAST_TEXT) > room;
}

/**
 * Error messages by column ID. Empty if the line can be committed. Messages that don't belong to a column appear next
 * to Commit.
 */
export type LineErrors = Readonly<Record<string, string>>;

/** Returns the messages that don't belong to a column. */
export function wholeLineErrors<Line>(columns: readonly LineColumn<Line>[], errors: LineErrors): string[] {
  return Object.entries(errors).flatMap(([id, message]) => (columns.some((one) => one.id === id) ? [] : [message]));
}

/** The two lines of text on a card below 1224 px. */
export interface LineCardWords {
  title: ReactNode;
  amount?: ReactNode;
  detail?: ReactNode;
}

/**
 * A line renders again when the line itself, its amount, or a function in the props changes, so pass stable functions.
 */
export interface LineTableProps<Line> {
  label: string;
  columns: readonly LineColumn<Line>[];
  twoRows?: TwoRows<Line> | undefined;
  lines: readonly Line[];
  lineId: (line: Line) => string;
  /** Returns the amount of a line that depends on other lines, such as a percentage discount. */
  amountOf?: ((line: Line) => Cents | undefined) | undefined;
  /**
   * Returns a new line. `lines` contains the existing lines, for example to number the new line or to repeat the
   * account.
   */
  blank: (lines: readonly Line[]) => Line;
  validate: (line: Line) => LineErrors;
  /** Called with a committed line. A line in `lines` is replaced, and any other line is added. */
  onCommit: (line: Line) => void;
  onRemove?: ((line: Line) => void) | undefined;
  /** The label of the Add button, for example `Add Billing Line Item`. */
  addLabel: string;
  /** Returns the content below a committed line, for example the parts of a package. */
  below?: ((line: Line) => ReactNode) | undefined;
  card: (line: Line, amount: Cents | undefined) => LineCardWords;
  /** Whether the table starts with a new line, for example on a new invoice. */
  startNew?: boolean;
  /** Whether a field above the table takes the focus, so that the table's first new line doesn't. */
  startsUnfocused?: boolean;
  /** The values of a new line that the user has not edited, for example the vendor's usual account. */
  starts?: Partial<Line> | undefined;
  readOnly?: boolean;
  /**
   * Called with the line that is being edited, so that the form can save the line in its draft or ask before closing.
   */
  onWork?: ((line: Line | undefined) => void) | undefined;
  ref?: React.Ref<LineTableHandle>;
}

export interface LineTableHandle {
  /**
   * Commits the edited line. If the line has errors, shows them and returns false. Returns true if no line is being
   * edited.
   */
  settle: () => boolean;
}
