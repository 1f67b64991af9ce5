/** Rows as comma-separated values (RFC 4180); texts of people go through `harmless` first. */
export function csvText(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would take for a formula gets an apostrophe in front, which makes it a text again. */
export function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
