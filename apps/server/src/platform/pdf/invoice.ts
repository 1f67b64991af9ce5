import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, formatUsd } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import {
  addressed,
  FULL,
  headCell,
  INK,
  letterHead,
  type Letterhead,
  letterOf,
  LINE,
  MARGIN,
  money,
  MUTED,
  none,
  pageLine,
  RIGHT,
  short,
  small,
  SOFT,
  stacked,
  textsIn,
} from './letter.ts';
import { drawPdf } from './pdf.ts';
import { plain, Typesetter } from './typeset.ts';

/** A printed line: the name in bold, the description below it, and the parts of a package. */
export interface PaperLine {
  serviceDate: IsoDate | null;
  /** The product's or package's name. If empty, only the description is printed. */
  name: string;
  description: string;
  /** The quantity as a decimal string such as "1.333". If null, no quantity is printed, as for a discount. */
  quantity: string | null;
  /** The unit price in cents. If null, no price is printed. */
  price: Cents | null;
  amount: Cents;
  taxable: boolean;
  parts?: readonly { text: string; amount: Cents }[];
}

/** Everything on a printed document. Text is printed unchanged, and amounts are in cents. */
export interface InvoicePaper {
  /** The title, such as "Credit Memo", and the word in labels such as "Credit Date". */
  name: string;
  shortName: string;
  /**
   * Whether the customer is asked to pay by `dueDate`, is asked to respond by `dueDate` and owes nothing, or has the
   * amount as a credit with `balanceDue` remaining.
   */
  asks: 'payment' | 'answer' | 'nothing';
  company: Letterhead;
  /** The customer's name, followed by the address lines (attention, street, and city). */
  billTo: readonly string[];
  invoiceNumber: string;
  invoiceDate: IsoDate;
  dueDate: IsoDate | null;
  /** 'Draft' or 'Void', printed next to the number. No amount is owed, so the document doesn't request a payment. */
  status?: string;
  /** The document's details, other than its number and dates. */
  facts?: readonly { label: string; value: string }[];
  /** A note below the lines. */
  note?: { label: string; text: string };
  lines: readonly PaperLine[];
  subtotal: Cents;
  /** A row for each tax item, such as "Ohio 5.75% of 1,795.50". */
  taxes: readonly { label: string; amount: Cents }[];
  total: Cents;
  /** The amount paid or credited, in positive cents. */
  paid: Cents;
  balanceDue: Cents;
  /** Notes, such as payment methods. Each note is a paragraph. */
  notes?: readonly string[];
  /** The text to the left of the page number. */
  footer?: string;
}

/**
 * Returns the invoice as a PDF in letter size. Nothing is cut off, and each page has the table heading and its page
 * number.
 */
export async function invoicePdf(paper: InvoicePaper): Promise<Uint8Array> {
  return drawPdf(definition({ ...paper, type: await Typesetter.for(textsIn(paper)) }));
}

/** A document, and the typesetter for its text. */
interface Sheet extends InvoicePaper {
  type: Typesetter;
}

function definition(paper: Sheet): TDocumentDefinitions {
  const title = `${paper.name} ${plain(paper.invoiceNumber)}`;
  return letterOf({
    title,
    running: title,
    to: paper.billTo[0] ?? '',
    company: paper.company,
    type: paper.type,
    bottom: 104,
    foot: (of) => foot(paper, of),
    content: [head(paper), addresses(paper), lineTable(paper), closing(paper)],
  });
}

function head({ company, name, status, type }: Sheet): Content {
  return letterHead(company, status === undefined ? name : `${name} (${status})`, type);
}

function addresses({ billTo, invoiceNumber, invoiceDate, dueDate, type, ...paper }: Sheet): Content {
  const facts = [
    { label: `${paper.name} Number`, value: plain(invoiceNumber) },
    { label: `${paper.shortName} Date`, value: formatDate(invoiceDate) },
    ...(paper.facts ?? []).map(({ label, value }) => ({ label, value: plain(value) })),
    ...(dueDate === null ? [] : [{ label: dueLabel(paper), value: formatDate(dueDate), isBold: true }]),
  ];
  const due = isDemand(paper)
    ? { label: leftWord(paper), text: formatUsd(paper.balanceDue) }
    : { label: 'Total', text: formatUsd(paper.total) };
  return addressed({ label: paper.asks === 'answer' ? 'For' : 'Bill to', to: billTo, facts, due }, type);
}

const dueLabel = ({ asks }: Pick<InvoicePaper, 'asks'>): string => (asks === 'answer' ? 'Expires' : 'Due Date');

const leftWord = ({ asks }: Pick<InvoicePaper, 'asks'>): string =>
  asks === 'nothing' ? 'Remaining credit' : 'Amount due';

const isDemand = ({ status, asks }: Pick<InvoicePaper, 'status' | 'asks'>): boolean =>
  status === undefined && asks !== 'answer';

/** A row in the table. The parts of a package are printed directly below their line, without a rule in between. */
interface Row {
  cells: TableCell[];
  isPart: boolean;
}

function lineTable(paper: Sheet): Content {
  const isTaxed = paper.taxes.length > 0;
  const rows = [headRow(), ...paper.lines.flatMap((line) => lineRows(line, isTaxed, paper.type))];
  // A row that is taller than a page must be broken. Otherwise, the rest of it would be cut off.
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

/**
 * Returns the widths of the quantity, price, and amount columns in points. The columns have the designed widths, or are
 * wider if a number needs more space.
 */
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

function headRow(): Row {
  const amounts = ['Quantity', 'Price', 'Amount'].map((text) => headCell(text, 'right'));
  return { cells: [headCell('Date', 'left'), headCell('Description', 'left'), ...amounts], isPart: false };
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

/** Returns the name and description. An asterisk marks untaxed lines on a taxed invoice. */
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
  if (notes.length > 0) left.push(small('How to pay'), ...stacked(paper.type, notes));
  const { label, text } = paper.note ?? { label: '', text: '' };
  if (text !== '') left.push(small(label), ...stacked(paper.type, [text]));
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

/** Lists the characters that could not be printed, by their Unicode numbers. */
function unprintable(missing: readonly string[]): string {
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return (
    "The available fonts don't have these characters, so they are shown as \ufffd: " +
    `${missing.slice(0, MOST_NAMED).join(', ')}${more}.`
  );
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
    { label: 'Total', text: formatAmount(paper.total), amount: paper.total, bold: !isDemand(paper) },
    ...(isDemand(paper) ? owed(paper) : []),
  ];
  const totalRow = 1 + paper.taxes.length;
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

function owed({ paid, balanceDue, asks }: InvoicePaper): TotalRow[] {
  return [
    {
      label: asks === 'nothing' ? 'Applied' : 'Payments',
      text: paid === 0 ? NOTHING : formatAmount(paid),
      amount: paid,
    },
    { label: leftWord({ asks }), text: formatUsd(balanceDue), amount: balanceDue, bold: true },
  ];
}

function totalCells({ label, text, amount, bold = false }: TotalRow, type: Typesetter): TableCell[] {
  const size = bold ? { bold, fontSize: 12 } : {};
  return [
    { text: type.set(label), ...size },
    { ...money(amount, text), alignment: 'right', noWrap: true, ...size },
  ];
}

/** Returns the page number and, on the last page of an unpaid invoice, the payment slip. */
function foot(paper: Sheet, at: { page: number; pages: number }): Content {
  const isOpen = paper.balanceDue > 0 && isDemand(paper) && paper.asks === 'payment';
  const slip = at.page === at.pages && isOpen ? [slipOf(paper)] : [];
  return {
    margin: [MARGIN, slip.length > 0 ? 20 : 72, MARGIN, 0],
    stack: [...slip, pageLine(paper.footer ?? '', at, paper.type)],
  };
}

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
          { width: 'auto', text: `${paper.name} ${plain(paper.invoiceNumber)}`, noWrap: true },
          { width: '*', text: paper.type.set(short(paper.billTo[0] ?? '', 30), { longest: 9 }) },
          { width: 'auto', text: due, noWrap: true },
          { width: 'auto', text: formatUsd(paper.balanceDue), noWrap: true },
          { width: 120, stack: [small('Amount enclosed'), enclosedRule()] },
        ],
      },
    ],
  };
}

/** The content is created for each document, because the library writes positions into it. */
function enclosedRule(): Content {
  return { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 120, y2: 0, lineWidth: 0.75, lineColor: INK }] };
}
