import { addDays, isoDate } from '@evenkeel/core/dates';
import { decimal, round } from '@evenkeel/core/money';
import { checkRow, PackedRows, Rows, type Table } from './table.ts';
import { type Handlers, readXml } from './xml.ts';
import { type ImportFile, unzip } from './zip.ts';

/** The numbers of the built-in formats that show a date. */
const isDateId = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/**
 * Returns whether a format code shows a date, which is the case if the code has a year or a day outside quoted text and
 * conditions.
 */
const isDateCode = (code: string): boolean => /[yd]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''));

/** Workbook data that all sheets share. */
class Workbook {
  readonly #file: string;
  readonly #entries: Map<string, Uint8Array>;
  readonly #strings: string[] = [];
  /** The indexes of the styles that show a number as a date. */
  readonly #dateStyles = new Set<number>();
  #is1904 = false;
  readonly sheets: { name: string; path: string }[] = [];

  constructor(file: string, entries: Map<string, Uint8Array>) {
    this.#file = file;
    this.#entries = entries;
    this.#readWorkbook();
    this.#readStrings();
    this.#readStyles();
  }

  #xml(path: string, handlers: Handlers): void {
    const bytes = this.#entries.get(path);
    // Each part is read only once, so that its memory can be freed for the rows.
    this.#entries.delete(path);
    if (bytes !== undefined) readXml(this.#file, bytes, handlers);
  }

  #readWorkbook(): void {
    const targets = new Map<string, string>();
    this.#xml('xl/_rels/workbook.xml.rels', {
      open: (name, { Id = '', Target = '' }) => {
        if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
      },
    });
    this.#xml('xl/workbook.xml', {
      open: (name, attributes) => {
        if (name === 'workbookPr') this.#is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
        if (name !== 'sheet' || /hidden/i.test(attributes['state'] ?? '')) return;
        const path = targets.get(attributes['r:id'] ?? '') ?? '';
        if (this.#entries.has(path)) this.sheets.push({ name: attributes['name'] ?? '', path });
      },
    });
  }

  #readStrings(): void {
    let text = '';
    let isPhonetic = false;
    this.#xml('xl/sharedStrings.xml', {
      open: (name) => {
        if (name === 'si') text = '';
        if (name === 'rPh') isPhonetic = true;
      },
      close: (name, own) => {
        if (name === 't' && !isPhonetic) text += own;
        if (name === 'rPh') isPhonetic = false;
        if (name === 'si') this.#strings.push(text);
      },
    });
  }

  #readStyles(): void {
    const codes = new Map<number, string>();
    let isInCells = false;
    let index = 0;
    this.#xml('xl/styles.xml', {
      open: (name, attributes) => {
        const id = Number(attributes['numFmtId'] ?? 0);
        if (name === 'numFmt') codes.set(id, attributes['formatCode'] ?? '');
        if (name === 'cellXfs') isInCells = true;
        if (name !== 'xf' || !isInCells) return;
        if (codes.has(id) ? isDateCode(codes.get(id) ?? '') : isDateId(id)) this.#dateStyles.add(index);
        index += 1;
      },
      close: (name) => {
        if (name === 'cellXfs') isInCells = false;
      },
    });
  }

  /** Returns the rows in a sheet. For a formula, the cell contains the stored result. */
  rowsOf(path: string, file: string): Rows {
    const rows = new PackedRows();
    let cells: string[] = [];
    let [row, column] = [0, 0];
    let [type, style] = ['', 0];
    let [value, inline] = ['', ''];
    let isFormula = false;
    this.#xml(path, {
      open: (name, attributes) => {
        if (name === 'row') {
          row = Number(attributes['r'] ?? row + 1);
          [cells, column] = [[], -1];
        } else if (name === 'f') isFormula = true;
        else if (name === 'c') {
          isFormula = false;
          column = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r']);
          [type, style] = [attributes['t'] ?? 'n', Number(attributes['s'] ?? 0)];
          [value, inline] = ['', ''];
        }
      },
      close: (name, text) => {
        if (name === 'v') value = text;
        else if (name === 't') inline += text;
        else if (name === 'c') {
          const own = this.#cell({ type, style, value: type === 'inlineStr' ? inline : value });
          // Some programs store 0 as a formula's result until a spreadsheet program calculates it.
          const cell = isFormula && own === '0' ? '' : own;
          if (cell === '') return;
          checkRow({ file, row }, column < 0 || column > 16_384 ? Array.from<string>({ length: 17_000 }) : [cell]);
          while (cells.length < column) cells.push('');
          cells[column] = cell;
        } else if (name === 'row' && cells.length > 0) {
          checkRow({ file, row }, cells);
          rows.push({ row, cells });
        }
      },
    });
    return new Rows(rows);
  }

  #cell({ type, style, value }: { type: string; style: number; value: string }): string {
    if (value === '') return '';
    if (type === 's') return (this.#strings[Number(value)] ?? '').trim();
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.slice(0, 10);
    if (type !== 'n') return value.trim();
    return this.#dateStyles.has(style) ? this.#date(Number(value)) : plainNumber(value);
  }

  #date(serial: number): string {
    const days = Math.floor(serial) + (this.#is1904 ? 1462 : 0);
    if (!(days > 0 && days < 109_000)) return String(serial);
    // Excel counts February 29, 1900, a day that didn't exist.
    return addDays(isoDate('1900-01-01'), days - (days > 59 ? 2 : 1));
  }
}

/** Returns the column index of a reference such as "AB12", counted from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}

const MAX_NOISE = decimal('0.000001');

/** Returns a number as text. Calculations leave noise, such as 12.600000000000001, that is not part of the amount. */
function plainNumber(value: string): string {
  if (/^-?\d{1,15}(\.\d\d?)?$/.test(value)) return value;
  if (!/^-?\d+(\.\d+)?([eE][-+]?\d{1,3})?$/.test(value)) return value;
  const exact = decimal(value);
  const whole = round(exact, 2);
  const plain = whole.minus(exact).abs().lt(MAX_NOISE) ? whole : exact;
  return plain.eq(0) ? '0' : String(plain);
}

const WANTED = /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/;

/** Returns the visible sheets with rows in an Excel workbook. */
export function sheetsOf(file: ImportFile): Table[] {
  const entries = unzip(file, (entry) => WANTED.test(entry));
  const book = new Workbook(file.name, entries);
  const single = book.sheets.length === 1;
  return book.sheets
    .map(({ name, path }) => {
      const title = single ? file.name : `${file.name}, sheet ${name}`;
      return { file: title, rows: book.rowsOf(path, title) };
    })
    .filter(({ rows }) => rows.length > 0);
}
