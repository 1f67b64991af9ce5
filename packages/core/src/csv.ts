/** Rows as comma-separated values (RFC 4180); texts of people go through `harmless` first. */
export function csvText(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/**
 * Characters that begin a formula, full-width ones too, behind any spaces and invisible characters; a tab or a line
 * break, which a spreadsheet may drop from the front of a cell (OWASP, "CSV Injection").
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula, so that it stays a text. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
