/** Tables copied from a spreadsheet, or written with commas. */

/** True for a text of several cells; a single one is typed into its field as usual. */
export const isTable = (text: string): boolean => text.includes('\t');

/** A cell of a copied table: in quotes when it holds a line break, a separator or a quote. */
const CELL = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/g;
/** A cell where commas stand between them. */
const COMMA_CELL = /(?: *"((?:[^"]|"")*)" *(?=[,\r\n]|$)|([^,\r\n]*))(,|\r\n|\r|\n|$)/g;

/** The cells of a copied table, without rows that are empty. Commas tell cells apart where there is no tab. */
export function cellsOf(text: string, { takesCommas = false } = {}): string[][] {
  const isTabbed = isTable(text) || !takesCommas;
  const rows: string[][] = [[]];
  for (const [all, quoted, plain = '', end] of text.matchAll(isTabbed ? CELL : COMMA_CELL)) {
    if (all === '') break;
    const cell = quoted === undefined ? plain : quoted.replaceAll('""', '"');
    rows.at(-1)?.push(cell.replace(/\s+/g, ' ').trim());
    if (end !== '\t' && end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.some((cell) => cell !== ''));
}

/** Ids by name; null for a name that several have. */
export type Names = ReadonlyMap<string, number | null>;

/** Every name under which one is known, in small letters, with its id. */
export function byName(named: readonly (readonly [id: number, names: readonly string[]])[]): Names {
  const found = new Map<string, number | null>();
  for (const [id, names] of named) {
    for (const name of new Set(names.map(plainName))) {
      if (name !== '') found.set(name, found.has(name) && found.get(name) !== id ? null : id);
    }
  }
  return found;
}

/** Dashes, spaces and capitals say nothing: `1000 – Checking` is `1000 checking`. */
export const plainName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s–—-]+/g, ' ')
    .trim();

/** Looks a name up; what is wrong with it is added to `told`. */
export function idOf(
  names: Names,
  { text, word, told }: { text: string; word: string; told: string[] },
): number | null {
  const id = text === '' ? undefined : names.get(plainName(text));
  if (id === null) told.push(`More than one ${word} is named “${text}”.`);
  if (id === undefined && text !== '') told.push(`No ${word} is named “${text}”.`);
  return id ?? null;
}
