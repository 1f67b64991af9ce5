import type { IsoDate } from '@evenkeel/core/dates';
import { type Failure, refuse } from '@evenkeel/core/failure';
import type { Cents } from '@evenkeel/core/money';

export type StatementFormat = 'OFX' | 'QFX' | 'QIF' | 'CSV' | 'TSV' | 'CAMT' | 'MT940' | 'BAI2';

/** A bank transaction on a statement. Money in is positive. */
export interface StatementLine {
  date: IsoDate;
  amount: Cents;
  /** The bank's text, payee, and memo with decoded entities and single spaces. */
  text: string;
  /** The bank's ID for the transaction (FITID), if its format has one. */
  bankId?: string;
  checkNumber?: string;
  /** The bankId of an earlier transaction that this transaction replaces. */
  corrects?: string;
  /** The line in the file where the transaction starts, counted from 1. */
  row: number;
}

/** Everything in a file about one account, in file order. */
export interface ReadStatement {
  format: StatementFormat;
  accountNumber?: string;
  /** The name of an account that has no number in the file (QIF). */
  accountName?: string;
  routingNumber?: string;
  currency?: string;
  /**
   * The statement's own period. If the statement has no period, these are the dates of its first and last transactions.
   */
  from?: IsoDate;
  to?: IsoDate;
  opening?: Cents;
  closing?: Cents;
  lines: StatementLine[];
}

export type DateOrder = 'mdy' | 'dmy' | 'ymd';
export type DecimalMark = '.' | ',';

/**
 * The settings for reading a table. Columns are numbered from 0, and −1 means that the table has no such column.
 * Missing fields are guessed. `dateOrder`, `decimal`, and `turned` also apply to OFX and QIF.
 */
export interface StatementMapping {
  separator?: string;
  /** Whether the first row that is not skipped contains column names. */
  header?: boolean;
  /** The number of rows before the table. */
  skip?: number;
  dateColumn?: number;
  amountColumn?: number;
  debitColumn?: number;
  creditColumn?: number;
  /** The column that says "DR" or "CR" for each amount. */
  directionColumn?: number;
  /**
   * The words in the direction column for money out and money in, if no known pair contains them. A missing word is
   * empty.
   */
  outWord?: string;
  inWord?: string;
  textColumns?: number[];
  checkColumn?: number;
  bankIdColumn?: number;
  balanceColumn?: number;
  dateOrder?: DateOrder;
  decimal?: DecimalMark;
  /** Whether all signs are reversed because the file shows money out as positive amounts. */
  turned?: boolean;
}

/**
 * A question that the file leaves open. The file was read with the first choice. The user's choice is sent in the
 * mapping.
 */
export interface StatementQuestion {
  name: keyof StatementMapping;
  choices: { value: string; label: string }[];
}

/** An answered question, so that the user can see and change the answer. */
export interface StatementAnswer extends StatementQuestion {
  /** The choice that was used to read the file. */
  value: string;
  /** Whether the file proves the answer. Otherwise, the mapping contains the answer. */
  isProved: boolean;
}

export interface ReadFile {
  /** One statement for each account in the file. */
  statements: ReadStatement[];
  /** The mapping, either guessed from the file or given. */
  mapping?: StatementMapping;
  /** The names of a table's columns, or `Column 1` and so on if the columns have no names. */
  columns?: string[];
  /** The first rows of a table, as they are in the file. */
  sample?: string[][];
  /** The number of the line in the file where each row of `sample` starts, and of the line with the column names. */
  sampleRows?: number[];
  headerRow?: number;
  questions: StatementQuestion[];
  /** The questions that the file or the mapping answers. */
  answers?: StatementAnswer[];
  /** The key of a table's layout, under which an account's mapping is saved. */
  headerKey?: string;
  /** Notes about skipped rows. */
  notes?: string[];
}

/** The kind of account that a file belongs to. A card's table may show purchases and the amount owed as positive. */
export type AccountKind = 'bank' | 'card';

export interface ReadOptions {
  mapping?: StatementMapping;
  /** The kind of account. If the kind is omitted, a minus sign is not enough to prove that money went out. */
  accountKind?: AccountKind;
  /** The name of the file for error messages. The name has no other effect. */
  fileName?: string;
}

/** A position in the file: its text, line, and column, with lines and columns counted from 1. */
export interface Placed {
  text: string;
  row: number;
  column?: number | undefined;
}

/** The maximum size of a file in bytes and in bank transactions. */
export const MOST_BYTES = 25 * 1024 * 1024;
export const MOST_LINES = 100_000;

/** Returns the error (422) for a position in the file. */
export function unreadable({ row, column }: Omit<Placed, 'text'>, sentence: string): Failure {
  return refuse(`Line ${row}${column === undefined ? '' : `, column ${column}`}: ${sentence}`);
}

/** Shortens text from the file to one line for use in a message. */
export function quoted(text: string): string {
  const one = bankText(text.slice(0, LONGEST_TEXT));
  return `'${one.length > 40 ? `${one.slice(0, 39)}…` : one}'`;
}

/** The maximum length of a transaction's text. A batch entry with a thousand payees is truncated. */
const LONGEST_TEXT = 1000;

/** Joins the bank's text with single spaces and removes characters that a database cannot store. */
export function bankText(...parts: readonly (string | undefined)[]): string {
  const words = new Set<string>();
  let length = 0;
  for (const part of parts) {
    if (length > LONGEST_TEXT) break;
    // oxlint-disable-next-line no-control-regex
    const word = (part ?? '').replace(/[\s\u0000-\u001f\u007f-\u009f\u200b\ufeff]+/g, ' ').trim();
    if (word === '' || words.has(word)) continue;
    words.add(word);
    length += word.length + 1;
  }
  return [...words].join(' ').slice(0, LONGEST_TEXT).toWellFormed();
}

/** Counts the lines in text in one pass from start to end. */
export class LineCounter {
  #line = 1;
  #at: number;
  #start = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.indexOf('\n');
  }

  /** Returns the line that contains an offset, which must not be before the previous offset. */
  lineOf(offset: number): number {
    while (this.#at !== -1 && this.#at < offset) {
      this.#line += 1;
      this.#start = this.#at + 1;
      this.#at = this.#text.indexOf('\n', this.#at + 1);
    }
    return this.#line;
  }

  /** The offset at which the last requested line starts. */
  get lineStart(): number {
    return this.#start;
  }
}

/** Throws for the first line over the maximum. */
export function checkCount(count: number, place: Omit<Placed, 'text'>): void {
  if (count > MOST_LINES) throw unreadable(place, 'The statement has more than 100,000 transactions');
}

/** Joins the parts of a pattern that is too long for one line. */
export function patternOf(flags: string, ...parts: readonly string[]): RegExp {
  return new RegExp(parts.join(''), flags);
}
