import { type ChosenFigure, figureAt, type PageRow, wordsOf } from './reportRows.ts';

/**
 * Returns an amount's name in the URL. The name consists of the amount's column and the text of its row. Examples are
 * `1 Total Income`, and `1.3 Balance forward` for the third row with that text. Unlike a row number, the name stays
 * valid if lines are added above the row. Undefined for a key without a row.
 */
export function nameOfFigure(rows: readonly PageRow[], { key }: Pick<ChosenFigure, 'key'>): string | undefined {
  const end = key.lastIndexOf('/');
  const at = rows.findIndex((row) => row.key === key.slice(0, end));
  const row = rows[at];
  if (row === undefined) return undefined;
  const words = wordsOf(row);
  const before = rows.slice(0, at).filter((each) => wordsOf(each) === words).length;
  return `${key.slice(end + 1)}${before === 0 ? '' : `.${before + 1}`} ${words}`;
}

/** Returns the amount with the given name, or undefined if the report no longer has it. */
export function figureNamed(rows: readonly PageRow[], name: string): ChosenFigure | undefined {
  const [, column, nth = '1'] = /^(\d{1,3})(?:\.(\d{1,6}))? /.exec(name) ?? [];
  if (column === undefined) return undefined;
  const words = wordsOfName(name);
  const places = rows.flatMap((row, index) => (wordsOf(row) === words ? [index] : []));
  const at = places[Number(nth) - 1];
  return at === undefined ? undefined : figureAt(rows, at, Number(column));
}

/** Returns the row text in an amount's name. */
export function wordsOfName(name: string): string {
  return name.replace(/^\S+ /, '');
}
