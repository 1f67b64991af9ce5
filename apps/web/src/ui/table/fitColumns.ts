import { cents, formatAmount } from '@evenkeel/core/money';
import { type Column, type ColumnKind, columnWidth } from './columns.ts';
import type { Sums } from './rows.ts';

/** A column with its width, in px or as declared. Columns without a width share the remaining space. */
export interface FittedColumn<Row> {
  column: Column<Row>;
  width: string | undefined;
}

/** Widths in px: cell padding, page edge, digit, separator, heading letter, and sort icon. */
const PAD = 24;
const EDGE = 24;
const DIGIT = 8.6;
const MARK = 4.4;
const HEAD_LETTER = 6.6;
const SORT_MARK = 20;
/** The minimum width in px of a text column, which leaves 160 px for long names. */
const LEAST_TEXT = 160 + PAD;
const LEAST: Partial<Record<ColumnKind, number>> = { date: 108, status: 136, number: 76 };

/** The default order in which column kinds are hidden. Kinds with a higher rank are hidden first. */
const RANKS: Record<ColumnKind, number> = { amount: 0, action: 2, number: 3, text: 4, status: 5, date: 6 };
const QUIET = 9;

function rankOf<Row>(column: Column<Row>, index: number, first: number): number {
  if (column.rank !== undefined) return column.rank;
  if (index === first) return 0;
  return column.quiet === true ? QUIET : RANKS[column.kind ?? 'text'];
}

function figureWidth(text: string): number {
  const marks = text.replace(/[^.,()]/g, '').length;
  return (text.length - marks) * DIGIT + marks * MARK;
}

/** Returns the width in px of a column's widest amount, including its total. */
function amountWidth<Row>({ id, value, total }: Column<Row>, rows: readonly Row[], sums: Sums | undefined): number {
  let widest = 0;
  let all = 0;
  for (const row of rows) {
    const amount = Number(value?.(row) ?? 0);
    all += amount;
    if (Math.abs(amount) > Math.abs(widest)) widest = amount;
  }
  // Totals that came with the rows may cover more rows than are loaded.
  const whole = total === 'sum' ? (sums?.[id] ?? all) : (total ?? 0);
  return figureWidth(formatAmount(cents(-Math.max(Math.abs(widest), Math.abs(whole)))));
}

function leastWidth<Row>(column: Column<Row>, rows: readonly Row[], sums: Sums | undefined): number {
  const kind = column.kind ?? 'text';
  const head = kind === 'action' ? 0 : column.header.length * HEAD_LETTER + SORT_MARK;
  if (kind === 'amount') return Math.ceil(Math.max(head, amountWidth(column, rows, sums)) + (column.pad ?? PAD));
  if (column.least !== undefined) return column.least;
  const own = LEAST[kind];
  // The heading of a date or number is often wider than the value.
  if (own !== undefined) return Math.max(own, Math.ceil(head + PAD));
  return Math.min(LEAST_TEXT, pixels(columnWidth(column)) ?? LEAST_TEXT);
}

/**
 * Returns a width in px. A percentage is relative to `room`. Returns undefined for a percentage if `room` is 0 px or
 * not given.
 */
function pixels(width: string | undefined, room = 0): number | undefined {
  if (width?.endsWith('px') === true) return Number(width.slice(0, -2));
  return width?.endsWith('%') === true && room > 0 ? Number(width.slice(0, -1)) * 0.01 * room : undefined;
}

/**
 * Returns the columns that fit, in order. The amounts and the first text column are always kept, and other columns are
 * kept by rank. If they don't all fit at full width, the first columns get their full width, and the first column
 * without a width in px takes the rest. If `room` is 0 px, the width is not yet known, and all columns are returned.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: number,
  sums?: Sums,
): FittedColumn<Row>[] {
  const first = columns.findIndex((column) => (column.kind ?? 'text') === 'text');
  let kept = columns.map((column, index) => {
    const least = leastWidth(column, rows, sums);
    const wanted = Math.max(least, pixels(columnWidth(column), room) ?? least);
    return { column, least, wanted, rank: rankOf(column, index, first) };
  });
  const sumOf = (key: 'least' | 'wanted') => kept.reduce((all, one) => all + one[key], EDGE);
  while (room > 0 && sumOf('least') > room) {
    const most = Math.max(...kept.map((one) => one.rank));
    if (most === 0) break;
    const out = kept.findLast((one) => one.rank === most);
    kept = kept.filter((one) => one !== out);
  }
  const isTight = room > 0 && sumOf('wanted') > room;
  let spare = room - sumOf('least');
  const rest = kept.findIndex(({ column }) => pixels(columnWidth(column)) === undefined);
  return kept.map(({ column, least, wanted }, index) => {
    const declared = columnWidth(column);
    // The first and last cells also include the page's edge.
    const needed = least + (index === 0 || index === kept.length - 1 ? EDGE / 2 : 0);
    if (isTight) {
      if (index === rest) return { column, width: undefined };
      const isFull = wanted - least <= spare;
      if (isFull) spare -= wanted - least;
      return { column, width: `${isFull ? Math.max(wanted, needed) : needed}px` };
    }
    const isDeclared = pixels(declared, room) !== undefined;
    return { column, width: isDeclared ? `${Math.max(wanted, needed)}px` : declared };
  });
}
