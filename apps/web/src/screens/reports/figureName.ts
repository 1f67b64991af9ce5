import { type ChosenFigure, figureAt, type PageRow, wordsOf } from './reportRows.ts';

/**
 * A figure's name in the address: its column and the words of its row, as in `1 Total Income`; of the third row with
 * these words `1.3 Balance forward`. Unlike a place in the report it stays right when lines are added above it.
 * Undefined of a key that no row has.
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

/** The figure of that name; undefined where the report has none any more. */
export function figureNamed(rows: readonly PageRow[], name: string): ChosenFigure | undefined {
  const [, column, nth = '1'] = /^(\d{1,3})(?:\.(\d{1,6}))? /.exec(name) ?? [];
  if (column === undefined) return undefined;
  const words = wordsOfName(name);
  const places = rows.flatMap((row, index) => (wordsOf(row) === words ? [index] : []));
  const at = places[Number(nth) - 1];
  return at === undefined ? undefined : figureAt(rows, at, Number(column));
}

/** The words of a named figure's row. */
export function wordsOfName(name: string): string {
  return name.replace(/^\S+ /, '');
}
