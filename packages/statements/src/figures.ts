import { type Cents, cents, negate } from '@evenkeel/core/money';
import { type DecimalMark, type Placed, quoted, type StatementQuestion, unreadable } from './statement.ts';

/** An amount as written in the file: its sign, and its digits with periods and commas. */
interface Figure {
  isNegative: boolean;
  body: string;
  /** The direction from letters next to the amount, such as DR and CR. */
  side?: 'in' | 'out';
}

const SIGN = '([-+−–]?)';
const CURRENCY = '(?:\\p{L}{0,3}\\p{Sc}|[A-Z]{3}|[Kk]r\\.?|zł|Kč|Ft|Rs\\.?|Fr\\.?|R|лв\\.?|руб\\.?|)';
const MARK = '[Dd][Rr]|[Cc][Rr]';
const FIGURE = new RegExp(
  `^(?:(${MARK}) )?(\\(?) ?${SIGN} ?${CURRENCY} ?${SIGN} ?(\\d[\\d.,'’ ]*|[.,]\\d+)` +
    ` ?${CURRENCY} ?${SIGN} ?(\\)?) ?(${MARK}|[DdCcSsHh]|)\\.?$`,
  'u',
);
const GROUPED = /^\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d*)?$/;
/** The maximum length of an amount. */
const LONGEST = 40;

/**
 * Parses an amount's sign in any supported form: a sign before or after the amount, parentheses, DR, or CR. Returns
 * undefined for text that is not an amount.
 */
export function figureOf(text: string): Figure | undefined {
  if (text.length > LONGEST || !/\d/.test(text)) return undefined;
  // Most amounts are plain and need no further parsing.
  if (/^-?\d+(\.\d+)?$/.test(text)) {
    const isNegative = text.startsWith('-');
    return { isNegative, body: isNegative ? text.slice(1) : text };
  }
  // A leading apostrophe in a spreadsheet turns an amount into text.
  const match = FIGURE.exec(
    text
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/^['’](?=\S)/, ''),
  );
  if (match === null) return undefined;
  const [, before = '', open = '', ...rest] = match;
  const [first = '', second = '', digits = '', last = '', close = '', behind = ''] = rest;
  const side = before === '' ? behind : before;
  if (before !== '' && behind !== '') return undefined;
  const signs = [first, second, last].filter((sign) => sign !== '');
  if (open.length !== close.length || signs.length > 1 || (open !== '' && signs.length > 0)) return undefined;
  const body = digits.trim();
  if (/[ '’]/.test(body) && !GROUPED.test(body)) return undefined;
  const isMinus = open !== '' || (signs[0] !== undefined && signs[0] !== '+');
  if (isMinus && /^[ch]/i.test(side)) return undefined;
  const isOut = /^[ds]/i.test(side);
  const figure: Figure = { isNegative: isMinus || isOut, body: body.replace(/[ '’]/g, '') };
  if (side !== '') figure.side = isOut ? 'out' : 'in';
  return figure;
}

/**
 * Returns the decimal mark that an amount shows, `either` if the mark is ambiguous ("1,234"), or undefined if the text
 * is not an amount.
 */
export function markOf(body: string): DecimalMark | 'either' | 'none' | undefined {
  if (/^\d+[.,]\d\d?$/.test(body)) return body.includes('.') ? '.' : ',';
  const marks = body.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return 'none';
  const isOneKind = marks.every((mark) => mark === last);
  const isLast = last === '.' ? '.' : ',';
  if (isOneKind && marks.length === 1) {
    const [before = '', after = ''] = body.split(last);
    return after.length === 3 && /^[1-9]\d{0,2}$/.test(before) ? 'either' : isLast;
  }
  const whole = isOneKind ? body : body.slice(0, body.lastIndexOf(last));
  const [first = '', ...groups] = whole.split(/[.,]/);
  const isGrouped =
    /^\d{1,3}$/.test(first) && groups.at(-1)?.length === 3 && groups.every((group) => /^\d{2,3}$/.test(group));
  if (!isGrouped || (!isOneKind && whole.includes(last))) return undefined;
  return isOneKind ? (last === '.' ? ',' : '.') : isLast;
}

/** Returns whether a cell contains only an amount. */
export function isFigure(text: string): boolean {
  const figure = figureOf(text);
  return figure !== undefined && markOf(figure.body) !== undefined;
}

/** The decimal mark that was decided, and the question that is left open, if any. */
export interface DecidedMark {
  decimal: DecimalMark;
  /** Whether an amount in the file proves which decimal mark the file uses. */
  isProved: boolean;
  question?: StatementQuestion;
}

/**
 * Decides the decimal mark for all amounts together. Throws if two amounts contradict each other, and returns a
 * question if all amounts are like "1,234". The first choice treats the mark before three digits as a thousands
 * separator.
 */
export function decideMark(cells: Iterable<Placed>): DecidedMark {
  let decided: { mark: DecimalMark; cell: Placed } | undefined;
  let open: { body: string } | undefined;
  for (const cell of cells) {
    const figure = figureOf(cell.text);
    const mark = figure && markOf(figure.body);
    if (mark === 'either') open ??= figure;
    if (mark === undefined || mark === 'either' || mark === 'none') continue;
    decided ??= { mark, cell };
    if (decided.mark === mark) continue;
    const { text, row } = decided.cell;
    throw unreadable(
      cell,
      `${quoted(cell.text)} uses a different decimal separator than ${quoted(text)} on line ${row}`,
    );
  }
  if (decided || !open) return { decimal: decided?.mark ?? '.', isProved: decided !== undefined };
  return askMark(open.body);
}

function askMark(body: string): DecidedMark {
  const decimal = body.includes(',') ? '.' : ',';
  const digits = body.replace(/[.,]/, '');
  const choices = [
    { value: decimal, label: `${body} is ${digits.slice(0, -3)},${digits.slice(-3)}.00` },
    { value: decimal === '.' ? ',' : '.', label: `${body} is ${digits.slice(0, -3)}.${digits.slice(-3)}` },
  ];
  return { decimal, isProved: false, question: { name: 'decimal', choices } };
}

/**
 * Returns the amount in a cell in cents. Throws if the cell is not an amount, has the wrong decimal mark, or has
 * fractions of a cent.
 */
export function amountOf(cell: Placed, decimal: DecimalMark): Cents {
  const figure = figureOf(cell.text);
  const mark = figure && markOf(figure.body);
  if (figure === undefined || mark === undefined) throw unreadable(cell, `${quoted(cell.text)} is not an amount`);
  if (mark !== 'either' && mark !== 'none' && mark !== decimal) {
    throw unreadable(cell, `${quoted(cell.text)} doesn't use the decimal separator '${decimal}'`);
  }
  const [whole = '', fraction = ''] = figure.body.replaceAll(decimal === '.' ? ',' : '.', '').split(decimal);
  const parts = fraction.replace(/0+$/, '');
  if (parts.length > 2) throw unreadable(cell, `${quoted(cell.text)} has more than 2 decimal places`);
  const value = Number(whole + parts.padEnd(2, '0'));
  if (!Number.isSafeInteger(value)) throw unreadable(cell, `${quoted(cell.text)} is out of range`);
  return figure.isNegative ? negate(cents(value)) : cents(value);
}
