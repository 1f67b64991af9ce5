import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, formatUsd } from '@evenkeel/core/money';
import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { drawPdf } from './pdf.ts';
import { type Picture, pictureContent } from './picture.ts';
import { LINE_HEIGHT, plain, Typesetter } from './typeset.ts';

/** One printed line: its name in bold, what is said about it below, and the parts of a package. */
export interface PaperLine {
  serviceDate: IsoDate | null;
  /** The product's or package's name; '' prints the description alone. */
  name: string;
  description: string;
  /** Plain decimal text such as "1.333"; null prints nothing (a discount). */
  quantity: string | null;
  /** Unit price, cents; null prints nothing. */
  price: Cents | null;
  amount: Cents;
  taxable: boolean;
  parts?: readonly { text: string; amount: Cents }[];
}

/** Everything that stands on a printed invoice; texts are printed as they are, amounts are cents. */
export interface InvoicePaper {
  /** The logo above the name, then the lines below it (address; phone and e-mail). */
  company: { name: string; lines: readonly string[]; logo?: Picture };
  /** Customer's name, then attention, street, place. */
  billTo: readonly string[];
  invoiceNumber: string;
  invoiceDate: IsoDate;
  dueDate: IsoDate | null;
  /** Printed beside the number when the paper is no demand: 'Draft', 'Void'. */
  status?: string;
  lines: readonly PaperLine[];
  subtotal: Cents;
  /** One row per tax item, such as "Ohio 5.75% of 1,795.50". */
  taxes: readonly { label: string; amount: Cents }[];
  total: Cents;
  /** What was paid or credited, positive cents. */
  paid: Cents;
  balanceDue: Cents;
  /** How to pay and the like, one paragraph each. */
  notes?: readonly string[];
  /** Left of the page number. */
  footer?: string;
}

const INK = '#0f1720';
const MUTED = '#56646f';
const SOFT = '#35424c';
const LINE = '#d9dfe4';
const MARGIN = 48;

/** The invoice as a letter-size PDF: nothing is cut, each page has the table's head and its number of the total. */
export async function invoicePdf(paper: InvoicePaper): Promise<Uint8Array> {
  const { logo: _, ...company } = paper.company;
  return drawPdf(definition({ ...paper, type: await Typesetter.for(textsIn({ ...paper, company })) }));
}

/** A paper with the type that its texts are set in. */
interface Sheet extends InvoicePaper {
  type: Typesetter;
}

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function definition(paper: Sheet): TDocumentDefinitions {
  const title = `Invoice ${plain(paper.invoiceNumber)}`;
  return {
    pageSize: 'LETTER',
    pageMargins: [MARGIN, MARGIN, MARGIN, 104],
    info: { title, author: plain(paper.company.name), creator: 'Evenkeel', producer: 'Evenkeel' },
    defaultStyle: { font: 'Roboto', fontSize: 9.5, lineHeight: LINE_HEIGHT, color: INK },
    header: (page) => (page === 1 ? null : continued(title, paper)),
    footer: (page, pages) => foot(paper, { page, pages }),
    content: [head(paper), addresses(paper), lineTable(paper), closing(paper)],
  };
}

const small = (text: string): Content => ({ text, color: MUTED, fontSize: 8.5, margin: [0, 0, 0, 2] });
const lines = ({ type }: Sheet, texts: readonly string[], color = INK): Content[] =>
  texts.map((text) => ({ text: type.set(text), color }));

function head(paper: Sheet): Content {
  const { company, status, type } = paper;
  const title = status === undefined ? 'Invoice' : `Invoice (${status})`;
  return {
    columns: [
      {
        width: '*',
        stack: [
          ...(company.logo === undefined ? [] : [logoOf(company.logo)]),
          { text: type.set(company.name), bold: true, fontSize: 12 },
          ...lines(paper, company.lines, SOFT),
        ],
      },
      { width: 'auto', text: title, bold: true, fontSize: 20, lineHeight: 1, margin: [16, 0, 0, 0] },
    ],
  };
}

/** Points. */
const LOGO = { width: 180, height: 56 };

function logoOf(logo: Picture): Content {
  return { stack: [pictureContent(logo, LOGO)], margin: [0, 0, 0, 8] };
}

function addresses(paper: Sheet): Content {
  const facts: [string, string, boolean][] = [
    ['Invoice Number', plain(paper.invoiceNumber), false],
    ['Invoice Date', formatDate(paper.invoiceDate), false],
  ];
  if (paper.dueDate !== null) facts.push(['Due Date', formatDate(paper.dueDate), true]);
  const rows = facts.map(([label, value, bold]): TableCell[] => [
    { text: label, color: MUTED, noWrap: true },
    { text: value, bold, noWrap: true },
  ]);
  return {
    margin: [0, 28, 0, 28],
    columnGap: 16,
    columns: [
      { width: '*', stack: [small('Bill to'), ...lines(paper, paper.billTo)] },
      { width: 'auto', table: { widths: ['auto', 'auto'], body: rows }, layout: factLayout },
      {
        width: '*',
        alignment: 'right',
        stack: [small('Amount due'), { text: formatUsd(paper.balanceDue), bold: true, fontSize: 16, lineHeight: 1 }],
      },
    ],
  };
}

const none = (): number => 0;
const factLayout = {
  hLineWidth: none,
  vLineWidth: none,
  paddingTop: none,
  paddingBottom: none,
  paddingLeft: none,
  paddingRight: (): number => 10,
};

/** The closing parenthesis of a negative amount hangs outside, so that digits stay in line. */
function money(amount: Cents, text = formatAmount(amount)): { text: string; margin: [number, number, number, number] } {
  return { text, margin: [0, 0, amount < 0 ? -3.3 : 0, 0] };
}

/** A row of the table; the parts of a package follow their line without a rule between. */
interface Row {
  cells: TableCell[];
  isPart: boolean;
}

function lineTable(paper: Sheet): Content {
  const isTaxed = paper.taxes.length > 0;
  const rows = [headRow(), ...paper.lines.flatMap((line) => lineRows(line, isTaxed, paper.type))];
  // A row taller than a page has to break, or the rest of it would be cut off.
  const isShort = paper.lines.every((line) => line.name.length + line.description.length <= LONGEST_UNBROKEN);
  const isPart = (row: number): boolean => rows[row]?.isPart === true;
  return {
    table: {
      headerRows: 1,
      keepWithHeaderRows: isShort ? 1 : 0,
      dontBreakRows: isShort,
      widths: [58, '*', ...amountWidths(paper)],
      body: rows.map((row) => row.cells),
    },
    layout: {
      hLineWidth: (row: number) => (row === 0 || isPart(row) ? 0 : 0.75),
      hLineColor: (row: number) => (row === 1 ? INK : LINE),
      vLineWidth: none,
      paddingLeft: (column: number) => (column === 0 ? 0 : 10),
      paddingRight: none,
      paddingTop: (row: number) => (isPart(row) ? 0 : 6),
      paddingBottom: (row: number) => (isPart(row + 1) ? 2 : 6),
    },
  };
}

const LONGEST_UNBROKEN = 400;
const DIGIT = 5.5;

/** Widths of quantity, price and amount in points: as drawn, and wider when a figure needs it. */
function amountWidths({ lines: all }: InvoicePaper): number[] {
  const prices = all.flatMap((line) => [line.price ?? 0, ...(line.parts ?? []).map((part) => part.amount)]);
  const wide = (texts: readonly string[], least: number): number =>
    Math.max(least, ...texts.map((text) => Math.ceil(text.length * DIGIT)));
  return [
    wide(
      all.map((line) => line.quantity ?? ''),
      46,
    ),
    wide(
      prices.map((price) => formatAmount(cents(price))),
      58,
    ),
    wide(
      all.map((line) => formatAmount(line.amount)),
      62,
    ),
  ];
}

const HEAD = { color: MUTED, fontSize: 8.5 } as const;

const RIGHT = { alignment: 'right', noWrap: true } as const;

function headRow(): Row {
  const cell = (text: string, alignment: 'left' | 'right'): TableCell => ({ text, ...HEAD, alignment, noWrap: true });
  const amounts = ['Quantity', 'Price', 'Amount'].map((text) => cell(text, 'right'));
  return { cells: [cell('Date', 'left'), cell('Description', 'left'), ...amounts], isPart: false };
}

function lineRows(line: PaperLine, isTaxed: boolean, type: Typesetter): Row[] {
  const cells: TableCell[] = [
    { text: line.serviceDate === null ? '' : formatDate(line.serviceDate), noWrap: true },
    { stack: description(line, isTaxed, type) },
    { text: line.quantity === null ? '' : plain(line.quantity), ...RIGHT },
    { ...(line.price === null ? { text: '' } : money(line.price)), ...RIGHT },
    { ...money(line.amount), ...RIGHT },
  ];
  return [{ cells, isPart: false }, ...(line.parts ?? []).map((part) => partRow(part, type))];
}

function partRow(part: { text: string; amount: Cents }, type: Typesetter): Row {
  const size = { fontSize: 8.5, color: SOFT };
  const name: TableCell = { text: type.set(part.text), ...size, margin: [10, 0, 0, 0] };
  return { cells: ['', name, '', { ...money(part.amount), ...RIGHT, ...size }, ''], isPart: true };
}

/** Name and description; a star marks what is not taxed on a taxed invoice. */
function description({ name, description: said, taxable }: PaperLine, isTaxed: boolean, type: Typesetter): Content[] {
  const star = isTaxed && !taxable ? ' *' : '';
  if (name === '') return [{ text: type.set(`${said}${star}`) }];
  const first = { text: type.set(`${name}${star}`), bold: true };
  return said === '' || said === name ? [first] : [first, { text: type.set(said), color: SOFT }];
}

function closing(paper: Sheet): Content {
  const hasUntaxed = paper.taxes.length > 0 && paper.lines.some((line) => !line.taxable);
  const notes = paper.notes ?? [];
  const left: Content[] = [];
  if (notes.length > 0) left.push(small('How to pay'), ...lines(paper, notes));
  if (hasUntaxed) left.push({ text: '* Not subject to sales tax.', color: SOFT });
  if (paper.type.missing.length > 0) left.push({ text: unprintable(paper.type.missing), color: SOFT });
  return {
    margin: [0, 12, 0, 0],
    columnGap: 32,
    columns: [
      { width: '*', stack: left },
      { width: 252, ...totals(paper) },
    ],
  };
}

const MOST_NAMED = 12;

/** Says what the page could not print, by the numbers that the letters have in Unicode. */
function unprintable(missing: readonly string[]): string {
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return `Shown as \ufffd, because no font here has them: ${missing.slice(0, MOST_NAMED).join(', ')}${more}.`;
}

interface TotalRow {
  label: string;
  text: string;
  amount: Cents;
  bold?: boolean;
}

function totals(paper: Sheet) {
  const rows: TotalRow[] = [
    { label: 'Subtotal', text: formatAmount(paper.subtotal), amount: paper.subtotal },
    ...paper.taxes.map(({ label, amount }) => ({ label, text: formatAmount(amount), amount })),
    { label: 'Total', text: formatAmount(paper.total), amount: paper.total },
    { label: 'Payments', text: paper.paid === 0 ? '–' : formatAmount(paper.paid), amount: paper.paid },
    { label: 'Amount due', text: formatUsd(paper.balanceDue), amount: paper.balanceDue, bold: true },
  ];
  const totalRow = rows.length - 3;
  const dueRow = rows.length - 1;
  return {
    unbreakable: true,
    table: { widths: ['*', 'auto'], dontBreakRows: true, body: rows.map((row) => totalCells(row, paper.type)) },
    layout: {
      hLineWidth: (row: number) => (row === totalRow || row === dueRow ? 0.75 : 0),
      hLineColor: (row: number) => (row === dueRow ? INK : LINE),
      vLineWidth: none,
      paddingLeft: none,
      paddingRight: none,
      paddingTop: (row: number) => (row === totalRow || row === dueRow ? 6 : 2),
      paddingBottom: (row: number) => (row === totalRow - 1 || row === dueRow - 1 ? 6 : 2),
    },
  };
}

function totalCells({ label, text, amount, bold = false }: TotalRow, type: Typesetter): TableCell[] {
  const size = bold ? { bold, fontSize: 12 } : {};
  return [
    { text: type.set(label), ...size },
    { ...money(amount, text), alignment: 'right', noWrap: true, ...size },
  ];
}

/** One line of a person's text, at most `most` letters. */
function short(text: string, most: number): string {
  const letters = [...plain(text).replaceAll('\n', ' ')];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
}

/** At the head of each further page: which paper this is. */
function continued(title: string, { billTo, type }: Sheet): Content {
  const text = [title, short(billTo[0] ?? '', 50)].join(' · ');
  return { text: type.set(text), color: MUTED, fontSize: 8.5, margin: [MARGIN, 26, MARGIN, 0], noWrap: true };
}

/** The page number, and on the last page of an unpaid invoice the slip to send with a check. */
function foot(paper: Sheet, at: { page: number; pages: number }): Content {
  const isOpen = paper.balanceDue > 0 && paper.status === undefined;
  const slip = at.page === at.pages && isOpen ? [slipOf(paper)] : [];
  return {
    margin: [MARGIN, slip.length > 0 ? 20 : 72, MARGIN, 0],
    stack: [
      ...slip,
      {
        color: MUTED,
        fontSize: 8.5,
        columns: [
          { width: '*', text: paper.type.set(short(paper.footer ?? '', 90)) },
          { width: 'auto', text: `${at.page}/${at.pages}` },
        ],
      },
    ],
  };
}

const FULL = 612 - 2 * MARGIN;

function slipOf(paper: Sheet): Content {
  const rule = { x1: 0, y1: 0, x2: FULL, y2: 0, lineWidth: 0.75, lineColor: MUTED, dash: { length: 2 } };
  const due = paper.dueDate === null ? '' : `Due ${formatDate(paper.dueDate)}`;
  return {
    margin: [0, 0, 0, 14],
    stack: [
      { canvas: [{ ...rule, type: 'line' }] },
      {
        margin: [0, 9, 0, 0],
        columnGap: 14,
        columns: [
          { width: 'auto', text: `Invoice ${plain(paper.invoiceNumber)}`, noWrap: true },
          { width: '*', text: paper.type.set(short(paper.billTo[0] ?? '', 30), 9) },
          { width: 'auto', text: due, noWrap: true },
          { width: 'auto', text: formatUsd(paper.balanceDue), noWrap: true },
          { width: 120, stack: [small('Amount enclosed'), enclosedRule()] },
        ],
      },
    ],
  };
}

/** Made anew for each paper: the library writes positions into what it draws. */
function enclosedRule(): Content {
  return { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 120, y2: 0, lineWidth: 0.75, lineColor: INK }] };
}
