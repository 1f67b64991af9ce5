/** Returns rows as comma-separated values (RFC 4180). Pass user text through `harmless` first. */
export function csvText(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/**
 * Characters that start a formula, including full-width ones, after any spaces and invisible characters. Tabs and line
 * breaks are included, because a spreadsheet may remove them from the start of a cell (OWASP, "CSV Injection").
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** Adds an apostrophe before text that a spreadsheet would run as a formula, so that the text remains text. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
