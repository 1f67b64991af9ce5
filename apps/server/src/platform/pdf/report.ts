import { formatAmount, formatUsd } from '@evenkeel/core/money';
import { columnCount, type PageCell, type PageRow } from '@evenkeel/core/reports/page';
import { NOTHING } from '@evenkeel/core/nothing';
import type { Content, CustomTableLayout, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { drawPdf, firstPages, type Start } from './pdf.ts';
import { type Picture, pictureContent } from './picture.ts';
import { LINE_HEIGHT, plain, Typesetter } from './typeset.ts';

/** A report to draw or to write to a workbook: its headings (starting with the company and title) and its rows. */
export interface ReportPaper {
  title: string;
  head: readonly string[];
  /** The logo above the heading, if customers receive the report. */
  logo?: Picture;
  rows: readonly PageRow[];
}

const INK = '#0f1720';
const MUTED = '#56646f';
const LINE = '#d9dfe4';
/** The margins of the page in points. The content has an additional margin of EDGE. */
const MARGIN = 4;
const EDGE = 18;
const FOOT = 26;
const WIDTH = 792 - 2 * MARGIN - 2 * EDGE;
const SIZE = 8.5;
const DIGIT = 4.9;
const GAP = 8;
/** The maximum size of the logo in points. */
const LOGO = { width: 160, height: 40 };
/** The minimum width of the text column, so that long names don't wrap too often. */
const LEAST_LABEL = 170;

/**
 * Returns one or more reports as a PDF in landscape letter size. Each report begins on a new page. Nothing is cut off,
 * and each page has the column headings and its page number. If not all columns fit, further tables repeat the first
 * column and contain the remaining columns.
 */
export async function reportPdf(...papers: readonly [ReportPaper, ...ReportPaper[]]): Promise<Uint8Array> {
  const texts = papers.flatMap(({ head, rows }) => [
    ...head,
    ...rows.flatMap(({ cells }) => cells.flatMap((cell) => ('text' in cell ? [cell.text] : []))),
  ]);
  return drawPdf(definition(papers, await Typesetter.for([...new Set(texts)])));
}

function definition(papers: readonly [ReportPaper, ...ReportPaper[]], type: Typesetter): TDocumentDefinitions {
  const [{ head, title: name }] = papers;
  const [company = '', title = name] = head;
  const starts = papers.map((paper) => headingOf(paper, type));
  const onPage = (page: number) => papers[firstPages(starts).findLastIndex((start) => start <= page)]?.head ?? head;
  return {
    pageSize: 'LETTER',
    pageOrientation: 'landscape',
    pageMargins: [MARGIN, MARGIN, MARGIN, FOOT],
    info: { title: plain(title), author: plain(company), creator: 'Evenkeel', producer: 'Evenkeel' },
    defaultStyle: { font: 'Roboto', fontSize: SIZE, lineHeight: LINE_HEIGHT, color: INK },
    footer: (page, pages) => ({
      margin: [MARGIN + EDGE, 6, MARGIN + EDGE, 0],
      color: MUTED,
      columns: [
        { width: '*', text: type.set(onPage(page).join(' · ').slice(0, 160)), noWrap: true },
        { width: 'auto', text: `${page}/${pages}` },
      ],
    }),
    content: papers.map((paper, at) => ({
      stack: [starts[at] ?? [], ...tables(paper.rows).flatMap((rows) => tableParts(rows, type))],
      ...(at === 0 ? {} : { pageBreak: 'before' as const }),
    })),
  };
}

/** The logo (if any), company, and title of a report on the left, and its dates and filters on the right. */
function headingOf({ head, title: name, logo }: ReportPaper, type: Typesetter): Start {
  const [company = '', title = name, ...facts] = head;
  return {
    margin: [EDGE, EDGE, EDGE, 10],
    columns: [
      {
        width: '*',
        stack: [
          ...(logo === undefined ? [] : [pictureContent(logo, LOGO)]),
          { text: type.set(company), bold: true },
          { text: type.set(title), bold: true, fontSize: 16, lineHeight: 1.1 },
        ],
      },
      { width: 'auto', stack: facts.map((fact) => ({ text: type.set(fact), color: MUTED, alignment: 'right' })) },
    ],
  };
}

/** Each row of headings starts a new table with its own columns. */
function tables(rows: readonly PageRow[]): PageRow[][] {
  const parts: PageRow[][] = [[]];
  for (const row of rows) {
    if (row.look === 'heads' && (parts.at(-1) ?? []).length > 0) parts.push([]);
    parts.at(-1)?.push(row);
  }
  return parts;
}

/**
 * Returns a table with the columns that fit, followed by further tables that repeat the first column and contain the
 * remaining columns.
 */
function tableParts(rows: readonly PageRow[], type: Typesetter): Content[] {
  const widths = widthsOf(rows);
  const groups: number[][] = [];
  let room = 0;
  widths.forEach((width, column) => {
    if (column === 0) return;
    if (groups.length === 0 || width > room) {
      groups.push([]);
      room = WIDTH - Math.max(rows[0]?.look === 'heads' && hasWords(rows) ? 0 : LEAST_LABEL, widths[0] ?? 0);
    }
    groups.at(-1)?.push(column);
    room -= width;
  });
  return groups.map((columns, at) => table(rows, { columns, widths, type, isMore: at > 0 }));
}

const isAmount = (cell: PageCell | undefined): boolean =>
  cell !== undefined && ('amount' in cell || cell.isRight === true);

function shown(cell: PageCell | undefined, row: PageRow): string {
  if (cell === undefined) return '';
  if ('text' in cell) return cell.text;
  if (cell.amount === null) return '';
  if (cell.amount === 0) return NOTHING;
  return row.look === 'summary' || row.isTied === true ? formatUsd(cell.amount) : formatAmount(cell.amount);
}

/** Returns whether columns other than the first contain text. */
function hasWords(rows: readonly PageRow[]): boolean {
  return rows.some(({ look, cells }) => look === 'line' && cells.some((cell, at) => at > 0 && !isAmount(cell)));
}

/** The text lengths, in characters, at which text wraps. The less space there is, the shorter these lengths must be. */
const WRAPS_AT = [34, 28, 22, 18, 14];

/**
 * Returns the width of each column in points. Text wraps if necessary, so that all columns of a row fit next to each
 * other.
 */
function widthsOf(rows: readonly PageRow[]): number[] {
  const tries = hasWords(rows) ? WRAPS_AT : WRAPS_AT.slice(0, 1);
  const widths = tries.map((wrapsAt) => widthsAt(rows, wrapsAt));
  const fits = widths.find((each) => each.reduce((all, width) => all + width, 0) <= WIDTH);
  return fits ?? widths[0] ?? [];
}

/** Returns widths that fit complete amounts, with text wrapped at a given length. */
function widthsAt(rows: readonly PageRow[], wrapsAt: number): number[] {
  const widths = Array.from({ length: columnCount(rows) }, () => 46);
  for (const row of rows) {
    row.cells.forEach((cell, column) => {
      // Titles and the labels of totals extend across the next columns.
      if (row.cells.length === 1 || (column === 0 && row.look !== 'line')) return;
      const letters = shown(cell, row).length;
      const need = (isAmount(cell) ? letters : Math.min(letters, wrapsAt)) * DIGIT + GAP;
      widths[column] = Math.max(widths[column] ?? 0, need);
    });
  }
  return widths;
}

interface Part {
  /** All columns except the first one. */
  columns: readonly number[];
  widths: readonly number[];
  type: Typesetter;
  isMore: boolean;
}

function table(rows: readonly PageRow[], { columns, widths, type, isMore }: Part): Content {
  const hasHeads = rows[0]?.look === 'heads';
  // The remaining space is given to the text column that needs it most.
  const words = [0, ...columns].filter((column) => !rows.some((row) => isAmount(row.cells[column])));
  const widest = words.reduce((best, column) => ((widths[column] ?? 0) > (widths[best] ?? 0) ? column : best), 0);
  const grid = [0, ...columns].map((column) => (column === widest ? '*' : (widths[column] ?? 46)));
  const groups = keptTogether(rows);
  const others = columns.reduce((sum, column) => sum + (widths[column] ?? 46) + GAP, 0);
  const place = { columns, type, room: widest === 0 ? WIDTH - others : (widths[0] ?? 46) };
  return {
    margin: [EDGE, 0, EDGE, 14],
    ...(isMore ? { pageBreak: 'before' as const } : {}),
    table: {
      headerRows: hasHeads ? 1 : 0,
      dontBreakRows: true,
      widths: grid,
      body: groups.map(([first, ...more]) => {
        if (more.length === 0) return cellsOf(first, place);
        const body = [first, ...more].map((row) => cellsOf(row, place));
        const together = { table: { widths: grid, body }, layout: layoutOf([first, ...more]), colSpan: grid.length };
        return [together, ...columns.map(() => '')];
      }),
    },
    layout: {
      ...layoutOf(groups.map(([first]) => first)),
      // Rows that are kept together have their own padding.
      paddingTop: (at: number) => (groups[at]?.length === 1 ? paddingAbove(groups[at][0]) : 0),
      paddingBottom: (at: number) => (groups[at]?.length === 1 ? PADDING : 0),
    },
  };
}

/**
 * Groups the rows. Each row is a separate group, except that a title is grouped with the row below it, so that it is
 * never alone at the bottom of a page.
 */
function keptTogether(rows: readonly PageRow[]): [PageRow, ...PageRow[]][] {
  const groups: [PageRow, ...PageRow[]][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.every(({ look }) => TITLES.includes(look)) === true) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

const TITLES: readonly string[] = ['section', 'block'];
const PADDING = 1.5;
const paddingAbove = ({ look }: PageRow): number => (look === 'section' ? 6 : PADDING);

function layoutOf(rows: readonly PageRow[]): CustomTableLayout {
  const hasHeads = rows[0]?.look === 'heads';
  const rule = (row: PageRow | undefined): number => (row !== undefined && RULED.includes(row.look) ? 0.75 : 0);
  return {
    hLineWidth: (at) => (hasHeads && at === 1 ? 0.75 : rule(rows[at])),
    hLineColor: (at) => (rows[at]?.look === 'blockTotal' ? LINE : INK),
    vLineWidth: () => 0,
    paddingLeft: (column) => (column === 0 ? 0 : GAP),
    paddingRight: () => 0,
    paddingTop: (at) => (rows[at] === undefined ? PADDING : paddingAbove(rows[at])),
    paddingBottom: () => PADDING,
  };
}

const RULED: readonly string[] = ['blockTotal', 'sectionTotal', 'total', 'summary'];

interface Place {
  columns: readonly number[];
  type: Typesetter;
  /** The width of the first column in points. */
  room: number;
}

function cellsOf(row: PageRow, { columns, type, room }: Place): TableCell[] {
  const isBold = row.look !== 'line' && row.look !== 'heads';
  const style = row.look === 'heads' ? { color: MUTED } : isBold ? { bold: true } : {};
  const [first] = row.cells;
  const words = first !== undefined && 'text' in first ? first.text : '';
  // The labels of totals extend across the empty cells next to them.
  const span = row.look === 'line' || row.look === 'heads' ? 1 : 1 + emptyAfter(row, columns);
  const indent = (row.depth ?? 0) * 10;
  const label: TableCell = {
    text: type.set(words, { longest: 40, room: (room - indent) / SIZE }),
    ...style,
    colSpan: span,
    margin: [indent, 0, 0, 0],
  };
  const rest = columns.map((column): TableCell => {
    const cell = row.cells[column];
    const text = shown(cell, row);
    if (text === '') return '';
    if (!isAmount(cell)) return { text: type.set(text), ...style };
    // The closing parenthesis of a negative amount is outside the column, so that the digits align.
    const right = text.endsWith(')') ? -2.9 : 0;
    return { text, ...style, alignment: 'right', noWrap: true, margin: [0, 0, right, 0] };
  });
  return [label, ...rest];
}

function emptyAfter(row: PageRow, columns: readonly number[]): number {
  const filled = columns.findIndex((column) => shown(row.cells[column], row) !== '');
  return filled === -1 ? columns.length : filled;
}
