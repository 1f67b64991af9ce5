import { daysBetween, isoDate, parseDate } from '@evenkeel/core/dates';
import { type Cents, toPlain } from '@evenkeel/core/money';
import { columnCount, type PageCell, type PageRow } from '@evenkeel/core/reports/page';
import { NOTHING } from '@evenkeel/core/nothing';
import { strToU8, zipSync } from 'fflate';
import type { ReportPaper } from './report.ts';
import { plain } from './typeset.ts';

/**
 * Returns a report as a workbook with one sheet (Office Open XML). Text stays text regardless of its first character,
 * amounts are numbers, and totals are formulas if the lines in their column add up to them. The headings stay visible.
 */
export function reportWorkbook(paper: ReportPaper): Uint8Array {
  const files = {
    ...PARTS,
    'xl/workbook.xml': book(sheetName(paper.title)),
    'xl/worksheets/sheet1.xml': sheet(paper),
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), { level: 6 });
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The cell formats, by their index in FORMATS. */
const STYLE = {
  text: 0,
  amount: 1,
  date: 2,
  boldText: 3,
  boldAmount: 4,
  title: 5,
  head: 6,
  headRight: 7,
  right: 8,
  percent: 9,
  boldPercent: 10,
  longText: 11,
  boldLongText: 12,
};

const format = (fontId: number, number: number, end: string): string =>
  `<xf numFmtId="${number}" fontId="${fontId}" fillId="0" borderId="0" xfId="0" applyFont="1"${end}`;
const RIGHT = ' applyAlignment="1"><alignment horizontal="right"/></xf>';
const WRAPS = ' applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>';

const OVERRIDES = { workbook: 'sheet.main', 'worksheets/sheet1': 'worksheet', styles: 'styles' };

const font = (size: number, bold = ''): string => `<font>${bold}<sz val="${size}"/><name val="Arial"/></font>`;
const FONTS = [font(10), font(10, '<b/>'), font(14, '<b/>')];
const FORMATS = [
  format(0, 49, '/>'),
  format(0, 164, '/>'),
  format(0, 165, '/>'),
  format(1, 49, '/>'),
  format(1, 164, '/>'),
  format(2, 49, '/>'),
  format(1, 49, '/>'),
  format(1, 49, RIGHT),
  format(0, 49, RIGHT),
  format(0, 166, '/>'),
  format(1, 166, '/>'),
  format(0, 49, WRAPS),
  format(1, 49, WRAPS),
];

const relation = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`;
const relations = (...of: string[]): string =>
  `${XML}<Relationships xmlns="${RELATIONS}">${of.join('')}</Relationships>`;

const PARTS = {
  '[Content_Types].xml': [
    `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    ...Object.entries(OVERRIDES).map(
      ([part, type]) => `<Override PartName="/xl/${part}.xml" ContentType="${TYPE}.${type}+xml"/>`,
    ),
    '</Types>',
  ].join(''),
  '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
  'xl/_rels/workbook.xml.rels': relations(
    relation(1, 'worksheet', 'worksheets/sheet1.xml'),
    relation(2, 'styles', 'styles.xml'),
  ),
  'xl/styles.xml': [
    `${XML}<styleSheet ${MAIN}><numFmts count="3">`,
    `<numFmt numFmtId="164" formatCode="#,##0.00_);\\(#,##0.00\\);&quot;${NOTHING}&quot;_)"/>`,
    '<numFmt numFmtId="165" formatCode="mm/dd/yyyy"/>',
    '<numFmt numFmtId="166" formatCode="0.0%_);\\(0.0%\\)"/></numFmts>',
    `<fonts count="${FONTS.length}">${FONTS.join('')}</fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${FORMATS.length}">${FORMATS.join('')}</cellXfs></styleSheet>`,
  ].join(''),
};

function book(name: string): string {
  const sheets = `<sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets>`;
  return `${XML}<workbook ${MAIN} xmlns:r="${DOCUMENT}">${sheets}</workbook>`;
}

/** Removes characters that a sheet name can't contain, and limits the name to 31 characters. */
function sheetName(title: string): string {
  return title.replace(/[[\]:*?/\\]/g, '').slice(0, 31) || 'Report';
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML. Removes characters that XML can't contain (lone surrogates, control characters). */
function escaped(text: string): string {
  return plain(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');
}

/** Converts 0 to "A", and 26 to "AA". */
function columnName(at: number): string {
  const rest = String.fromCodePoint(65 + (at % 26));
  return at < 26 ? rest : columnName(Math.floor(at / 26) - 1) + rest;
}

function sheet({ head, rows }: ReportPaper): string {
  const first = head.length + 2;
  const top = head.map((text, at) =>
    xmlRow(at + 1, [textCell(`A${at + 1}`, text, at === 1 ? STYLE.title : STYLE.text)]),
  );
  const sums = new Sums(rows, first);
  const body = rows.map((row, at) =>
    xmlRow(
      first + at,
      row.cells.map((cell, column) =>
        cellOf(row, cell, { place: `${columnName(column)}${first + at}`, at, column, sums }),
      ),
    ),
  );
  const heads = rows.findIndex(({ look }) => look === 'heads');
  const frozen = heads === 0 ? first : head.length + 1;
  const widths = columnWidths(rows).map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const pane = `ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"`;
  return [
    `${XML}<worksheet ${MAIN}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
    `<sheetViews><sheetView workbookViewId="0"><pane ${pane}/></sheetView></sheetViews>`,
    `<cols>${widths.join('')}</cols><sheetData>${[...top, ...body].join('')}</sheetData>`,
    '<pageSetup orientation="landscape" fitToHeight="0"/></worksheet>',
  ].join('');
}

const xmlRow = (at: number, cells: readonly string[]): string => `<row r="${at}">${cells.join('')}</row>`;

function textCell(place: string, text: string, style: number): string {
  if (text === '') return '';
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** Dates are counted from this day, because workbooks treat 1900 as a leap year. */
const EPOCH = isoDate('1900-01-01');

/** Returns the number for "(12.5%)", or undefined for any other text. */
function percentIn(text: string): string | undefined {
  const [, open, figure, close] = /^(\(?)(\d+\.\d)%(\)?)$/.exec(text) ?? [];
  if (figure === undefined || (open === '(') !== (close === ')')) return undefined;
  const digits = figure.replace('.', '').padStart(4, '0');
  const shifted = `${digits.slice(0, -3)}.${digits.slice(-3)}`;
  return open === '(' ? `-${shifted}` : shifted;
}

interface Place {
  place: string;
  at: number;
  column: number;
  sums: Sums;
}

function cellOf({ look, cells }: PageRow, cell: PageCell, { place, at, column, sums }: Place): string {
  const isBold = look !== 'line';
  if ('text' in cell) {
    if (look === 'heads') return textCell(place, cell.text, cell.isRight === true ? STYLE.headRight : STYLE.head);
    const date = look === 'line' && /^\d{1,2}\/\d{1,2}\/\d{4}$/.test(cell.text) ? parseDate(cell.text) : undefined;
    if (date !== undefined) return `<c r="${place}" s="${STYLE.date}"><v>${daysBetween(EPOCH, date) + 2}</v></c>`;
    const percent = cell.isRight === true ? percentIn(cell.text) : undefined;
    if (percent !== undefined) {
      return `<c r="${place}" s="${isBold ? STYLE.boldPercent : STYLE.percent}"><v>${percent}</v></c>`;
    }
    if (cell.isRight === true) return textCell(place, cell.text, STYLE.right);
    const isLong = cells.length > 1 && lettersOf(cell.text) > WIDEST;
    const [short, long] = isBold ? [STYLE.boldText, STYLE.boldLongText] : [STYLE.text, STYLE.longText];
    return textCell(place, cell.text, isLong ? long : short);
  }
  if (cell.amount === null) return '';
  const formula = look === 'line' ? undefined : sums.formula(at, column, cell.amount);
  const sum = formula === undefined ? '' : `<f>${formula}</f>`;
  return `<c r="${place}" s="${isBold ? STYLE.boldAmount : STYLE.amount}">${sum}<v>${toPlain(cell.amount)}</v></c>`;
}

/**
 * Finds the formulas for totals. A total of other totals refers to them by name. For any other total, this class finds
 * the consecutive lines above it that add up to the amount. SUBTOTAL ignores totals between the lines.
 */
class Sums {
  readonly #rows: readonly PageRow[];
  readonly #first: number;
  /** The row number in the sheet for each row key. */
  readonly #rowOf: ReadonlyMap<string, number>;
  /** The sum of the lines above each row, by column. */
  readonly #above: number[][];
  /** The last total that SUBTOTAL would include, by column. */
  readonly #counted: number[] = [];

  constructor(rows: readonly PageRow[], first: number) {
    this.#rows = rows;
    this.#first = first;
    this.#rowOf = new Map(rows.map(({ key }, at) => [key, first + at]));
    this.#above = Array.from({ length: columnCount(rows) }, (_, column) => {
      let sum = 0;
      return rows.map(({ look, cells }) => {
        const before = sum;
        const cell = cells[column];
        if (look === 'line' && cell !== undefined && 'amount' in cell) sum += cell.amount ?? 0;
        return before;
      });
    });
  }

  /**
   * Returns the formula for a cell. Must be called row by row from the top. Returns undefined if no lines above it add
   * up to the amount, as is the case for "Out of balance".
   */
  formula(at: number, column: number, amount: Cents): string | undefined {
    const row = this.#rows[at];
    const found =
      row?.adds === undefined ? this.#subtotal(at, column, amount) : this.#ofTotals(row.adds, column, amount);
    if (found === undefined || !found.startsWith('SUBTOTAL')) this.#counted[column] = at;
    return found ?? this.#difference(at, column, amount) ?? this.#same(at, column, amount);
  }

  #subtotal(at: number, column: number, amount: Cents): string | undefined {
    const above = this.#above[column] ?? [];
    const counted = this.#counted[column] ?? -1;
    const comesTo = (from: number) => from > counted && (above[at] ?? 0) - (above[from] ?? 0) === amount;
    const start = this.#starts(at).find(comesTo);
    if (start === undefined) return undefined;
    const name = columnName(column);
    return `SUBTOTAL(9,${name}${this.#first + start}:${name}${this.#first + at - 1})`;
  }

  #ofTotals(adds: NonNullable<PageRow['adds']>, column: number, amount: Cents): string | undefined {
    let sum = 0;
    const parts = adds.flatMap(({ key, sign }) => {
      const row = this.#rowOf.get(key);
      if (row === undefined) return [];
      sum += sign * (this.#amountAt(row - this.#first, column) ?? 0);
      return [`${sign === 1 ? '+' : '-'}${columnName(column)}${row}`];
    });
    return parts.length === 0 || sum !== amount ? undefined : parts.join('').replace(/^\+/, '');
  }

  #amountAt(at: number, column: number): number | null {
    const cell = this.#rows[at]?.cells[column];
    return cell !== undefined && 'amount' in cell ? cell.amount : null;
  }

  /**
   * Returns the difference between the two cells to the left, as in a budget, where it shows the effect on net income.
   */
  #difference(at: number, column: number, amount: Cents): string | undefined {
    const [first, second] = [this.#amountAt(at, column - 2), this.#amountAt(at, column - 1)];
    if (first === null || second === null) return undefined;
    const [left, right] = [column - 2, column - 1].map((one) => `${columnName(one)}${this.#first + at}`);
    if (first - second === amount) return `${left}-${right}`;
    return second - first === amount ? `${right}-${left}` : undefined;
  }

  /**
   * Returns a reference to a cell with the same amount. A block's running balance equals its last line, and a report's
   * total may be below a separate table.
   */
  #same(at: number, column: number, amount: Cents): string | undefined {
    const looks = this.#rows[at]?.look === 'blockTotal' ? ['line'] : ['total', 'sectionTotal'];
    for (let above = at - 1; above >= 0; above -= 1) {
      const { look, cells } = this.#rows[above] ?? { look: 'heads', cells: [] };
      if (!looks.includes(look)) continue;
      const found = cells.findLastIndex(
        (cell, place) => 'amount' in cell && cell.amount === amount && (look !== 'line' || place === column),
      );
      if (found > 0) return `${columnName(found)}${this.#first + above}`;
      if (look === 'line') return undefined;
    }
    return undefined;
  }

  /**
   * Returns the rows where a total's lines may begin: the rows in its block, section, or table. Other tables have
   * different columns.
   */
  #starts(at: number): number[] {
    const last = (looks: readonly string[]): number =>
      this.#rows.findLastIndex(({ look }, index) => index < at && looks.includes(look)) + 1;
    const table = last(['heads']);
    const starts = new Set([last(['block', 'section', 'blockTotal', 'sectionTotal']), last(['section']), table]);
    return [...starts].filter((from) => from >= table && from < at);
  }
}

/** The maximum column width, in characters. Longer text wraps. */
const WIDEST = 45;
/** The space around the text, in characters. */
const ROOM = 3;

/** Returns the width of a string in characters. East Asian characters count twice. */
function lettersOf(text: string): number {
  return (
    text.length + (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0)
  );
}

/** Returns the column widths in characters, up to a width that is easy to read. */
function columnWidths(rows: readonly PageRow[]): number[] {
  const widths = Array.from({ length: columnCount(rows) }, () => 10);
  for (const { cells } of rows) {
    cells.forEach((cell, at) => {
      const text = 'text' in cell ? cell.text : cell.amount === null ? '' : toPlain(cell.amount);
      if (cells.length > 1) widths[at] = Math.max(widths[at] ?? 0, Math.min(WIDEST, lettersOf(text)) + ROOM);
    });
  }
  return widths;
}
