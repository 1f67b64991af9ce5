import { Dice } from '@evenkeel/core/dice';
import { strToU8, zipSync } from 'fflate';
import Papa from 'papaparse';
import type { ImportFile } from '../zip.ts';

/** A cell in a sheet: text, an amount in cents, or a date. */
export type TestCell = string | number | { date: string };

const isDate = (cell: TestCell): cell is { date: string } => typeof cell === 'object';

/** The style of a file: its format, encoding, line endings, and the notation of amounts and dates. */
export interface Style {
  isWorkbook: boolean;
  encoding: 'utf-8' | 'utf-8 with mark' | 'windows-1252' | 'utf-16';
  newline: '\n' | '\r\n';
  /** Whether negative amounts are in parentheses. */
  parentheses: boolean;
  thousands: boolean;
  dates: 'mdy' | 'dmy' | 'iso' | 'named';
}

/** Returns a random style. */
export function styleOf(seed: number): Style {
  const dice = new Dice(seed);
  return {
    isWorkbook: dice.chance(40),
    encoding: dice.pick(['utf-8', 'utf-8 with mark', 'windows-1252', 'utf-16']),
    newline: dice.pick(['\n', '\r\n']),
    parentheses: dice.chance(40),
    thousands: dice.chance(60),
    dates: dice.pick(['mdy', 'mdy', 'dmy']),
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a date in the style of a program. */
export function dateText(date: string, style: Pick<Style, 'dates'>): string {
  const [year = '', month = '', day = ''] = date.split('-');
  if (style.dates === 'iso') return date;
  if (style.dates === 'named') return `${day} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
  return style.dates === 'mdy' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`;
}

/** Formats an amount in cents in the style of a program. */
export function moneyText(amount: number, style: Pick<Style, 'parentheses' | 'thousands'>): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  const whole = digits.slice(0, -2);
  const text = `${style.thousands ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole}.${digits.slice(-2)}`;
  if (amount >= 0) return text;
  return style.parentheses ? `(${text})` : `-${text}`;
}

const plainAmount = { parentheses: false, thousands: false };

/** Returns rows as comma-separated or tab-separated text. */
export function textTable(rows: readonly (readonly TestCell[])[], style: Style, delimiter = ','): string {
  const cells = rows.map((row) =>
    row.map((cell) =>
      isDate(cell) ? dateText(cell.date, style) : typeof cell === 'number' ? moneyText(cell, style) : cell,
    ),
  );
  return `${Papa.unparse(cells, { delimiter, newline: style.newline })}${style.newline}`;
}

const CP1252 = new Map<string, number>([
  ['’', 0x92],
  ['‘', 0x91],
  ['“', 0x93],
  ['”', 0x94],
  ['–', 0x96],
  ['€', 0x80],
  ['·', 0xb7],
]);

/** Encodes text. */
export function encoded(text: string, encoding: Style['encoding']): Uint8Array {
  if (encoding === 'utf-16') return new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));
  if (encoding === 'windows-1252') {
    return Uint8Array.from([...text].map((letter) => CP1252.get(letter) ?? letter.charCodeAt(0)));
  }
  return strToU8(encoding === 'utf-8' ? text : `\uFEFF${text}`);
}

/** Returns a table as a CSV file or as a workbook. */
export function fileOf(name: string, rows: readonly (readonly TestCell[])[], style: Style): ImportFile {
  if (style.isWorkbook) return { name: `${name}.xlsx`, bytes: workbook({ [name]: rows }) };
  return { name: `${name}.csv`, bytes: encoded(textTable(rows, style), style.encoding) };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\r\n', '\n');

function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

const serialOf = (date: string): number =>
  Math.round((Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000);

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const xml = (root: string): Uint8Array => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${root}`);

/**
 * Returns an Excel workbook. Amounts in cents are numbers, some of them the results of formulas, and dates are real
 * dates.
 */
export function workbook(sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>): Uint8Array {
  const strings = new Map<string, number>();
  const shared = (text: string): number => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const cellXml = (cell: TestCell, reference: string): string => {
    if (isDate(cell)) return `<c r="${reference}" s="1"><v>${serialOf(cell.date)}</v></c>`;
    if (typeof cell === 'number') {
      // A sum of doubles is often slightly wrong in its last digits.
      const noise = cell % 7 === 0 ? '000000004' : '';
      const formula = cell % 3 === 0 ? '<f>SUM(A1:A2)</f>' : '';
      return `<c r="${reference}" s="2">${formula}<v>${moneyText(cell, plainAmount)}${noise}</v></c>`;
    }
    if (cell.length % 5 === 4) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
    return `<c r="${reference}" t="s"><v>${shared(cell)}</v></c>`;
  };
  const names = Object.keys(sheets);
  const files: Record<string, Uint8Array> = {};
  for (const [index, name] of names.entries()) {
    const rows = (sheets[name] ?? []).map((row, at) => {
      const cells = row.map((cell, column) => (cell === '' ? '' : cellXml(cell, `${columnName(column)}${at + 1}`)));
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    });
    files[`xl/worksheets/sheet${index + 1}.xml`] = xml(
      `<worksheet xmlns="${NAMESPACE}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    );
  }
  const list = [...strings.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('');
  files['xl/sharedStrings.xml'] = xml(`<sst>${list}</sst>`);
  files['xl/styles.xml'] = xml(
    '<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="mm\\/dd\\/yyyy"/></numFmts>' +
      '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="4"/></cellXfs></styleSheet>',
  );
  const tags = names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  files['xl/workbook.xml'] = xml(`<workbook xmlns:r="r"><sheets>${tags.join('')}</sheets></workbook>`);
  const links = names.map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`);
  files['xl/_rels/workbook.xml.rels'] = xml(`<Relationships>${links.join('')}</Relationships>`);
  return zipSync(files);
}
