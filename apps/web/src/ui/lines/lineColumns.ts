import type { Cents } from '@evenkeel/core/money';
import type { ReactNode } from 'react';
import type { FieldProps } from '../fields/field.tsx';

/** The input of a column's editor: hand `field` to the field and change the line by `set`. */
export interface LineEdit<Line> {
  line: Line;
  set: (patch: Partial<Line>) => void;
  field: Pick<FieldProps, 'label' | 'inRow' | 'error' | 'autoFocus'>;
}

export interface LineColumn<Line> {
  id: string;
  header: string;
  right?: boolean;
  /** It names the line. */
  isName?: boolean;
  /** px that it takes; a column without one shares what is left. Amounts grow with their digits. */
  width?: number;
  /** The committed text; `amount` is what the table's `amountOf` says of the line. */
  show: (line: Line, amount: Cents | undefined) => ReactNode;
  /** Absent: worked out, not typed. */
  edit?: (edit: LineEdit<Line>) => ReactNode;
  /** In the total row. */
  total?: (lines: readonly Line[]) => ReactNode;
  /** Takes half the width in the sheet below 1224 px. */
  half?: boolean;
}

/** A field in a row of the line in work; without a width it takes what is left. */
export interface PlacedField {
  id: string;
  width?: number;
}

/** Lines of two rows, for tables whose single row would leave too little for the description. */
export interface TwoRows<Line> {
  /** Heads and cells of a committed line's first row. */
  columns: readonly LineColumn<Line>[];
  /** Columns by their ids in the two rows of the line in work. */
  above: readonly PlacedField[];
  below: readonly PlacedField[];
  /** Small, beneath a committed line; parts that are empty are left out. */
  beneath: (line: Line) => readonly string[];
}

/** px under which a description says too little: lines then take two rows. */
const LEAST_TEXT = 220;

/** True when columns of these px would leave too little for a description; a room of 0 px is not known yet. */
export function isTooNarrow(widths: readonly number[], room: number): boolean {
  return room > 0 && widths.reduce((all, width) => all + width, LEAST_TEXT) > room;
}

/** Sentences by column id; empty when the line may be committed. Those of no column stand beside Commit. */
export type LineErrors = Readonly<Record<string, string>>;

/** The sentences that belong to no column. */
export function wholeLineErrors<Line>(columns: readonly LineColumn<Line>[], errors: LineErrors): string[] {
  return Object.entries(errors).flatMap(([id, message]) => (columns.some((one) => one.id === id) ? [] : [message]));
}

/** The two lines of a card below 1224 px. */
export interface LineCardWords {
  title: ReactNode;
  amount?: ReactNode;
  detail?: ReactNode;
}

/** A line is drawn anew when it, its amount or one of the functions changes: give the same ones from key to key. */
export interface LineTableProps<Line> {
  label: string;
  columns: readonly LineColumn<Line>[];
  twoRows?: TwoRows<Line> | undefined;
  lines: readonly Line[];
  lineId: (line: Line) => string;
  /** The amount of a line that depends on other lines: a percentage off them. */
  amountOf?: ((line: Line) => Cents | undefined) | undefined;
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
  card: (line: Line, amount: Cents | undefined) => LineCardWords;
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
