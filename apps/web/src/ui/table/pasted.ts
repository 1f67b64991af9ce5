/** Parses tables that are copied from a spreadsheet or separated by commas. */

/** Returns whether copied text has several cells. A single cell is pasted into its field as usual. */
export const isTable = (text: string): boolean => text.includes('\t');

/** A cell in a copied table. It is in quotes if it contains a line break, separator, or quote. */
const CELL = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/g;
/** A cell in a table separated by commas. */
const COMMA_CELL = /(?: *"((?:[^"]|"")*)" *(?=[,\r\n]|$)|([^,\r\n]*))(,|\r\n|\r|\n|$)/g;

/**
 * Returns the cells of a copied table without empty rows. With `takesCommas`, commas separate cells if there are no
 * tabs. `keepsEmpty` keeps empty rows between others, for a table that is pasted row by row.
 */
export function cellsOf(text: string, { takesCommas = false, keepsEmpty = false } = {}): string[][] {
  const isTabbed = isTable(text) || !takesCommas;
  const rows: string[][] = [[]];
  for (const [all, quoted, plain = '', end] of text.matchAll(isTabbed ? CELL : COMMA_CELL)) {
    if (all === '') break;
    const cell = quoted === undefined ? plain : quoted.replaceAll('""', '"');
    rows.at(-1)?.push(cell.replace(/\s+/g, ' ').trim());
    if (end !== '\t' && end !== ',') rows.push([]);
  }
  const isFilled = (row: readonly string[]) => row.some((cell) => cell !== '');
  return keepsEmpty ? rows.slice(0, rows.findLastIndex(isFilled) + 1) : rows.filter(isFilled);
}

/** Record IDs by name. Null for a name that several records have. */
export type Names = ReadonlyMap<string, number | null>;

/** Maps the names of records, in lowercase, to their IDs. */
export function byName(named: readonly (readonly [id: number, names: readonly string[]])[]): Names {
  const found = new Map<string, number | null>();
  for (const [id, names] of named) {
    for (const name of new Set(names.map(plainName))) {
      if (name !== '') found.set(name, found.has(name) && found.get(name) !== id ? null : id);
    }
  }
  return found;
}

/** Normalizes a name by ignoring dashes, spaces, and case: `1000 – Checking` equals `1000 checking`. */
export const plainName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s–—-]+/g, ' ')
    .trim();

/** Looks up a name. Adds an error to `told` if the name isn't found. */
export function idOf(
  names: Names,
  { text, word, told }: { text: string; word: string; told: string[] },
): number | null {
  const id = text === '' ? undefined : names.get(plainName(text));
  if (id === null) told.push(`More than one ${word} is named “${text}”.`);
  if (id === undefined && text !== '') told.push(`No ${word} is named “${text}”.`);
  return id ?? null;
}
