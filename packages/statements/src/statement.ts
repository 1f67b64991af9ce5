import type { IsoDate } from '@evenkeel/core/dates';
import { type Failure, refuse } from '@evenkeel/core/failure';
import type { Cents } from '@evenkeel/core/money';

export type StatementFormat = 'OFX' | 'QFX' | 'QIF' | 'CSV' | 'TSV' | 'CAMT' | 'MT940' | 'BAI2';

/** One line of a bank's statement. Money in is positive. */
export interface StatementLine {
  date: IsoDate;
  amount: Cents;
  /** The bank's own words, payee and memo; entities are decoded, white space is made one. */
  text: string;
  /** The bank's identifier of the line (FITID), where its format has one. */
  bankId?: string;
  checkNumber?: string;
  /** The bankId of an earlier line that this one replaces. */
  corrects?: string;
  /** Line of the file that it begins at, from 1. */
  row: number;
}

/** All that a file says of one account, lines in the file's order. */
export interface ReadStatement {
  format: StatementFormat;
  accountNumber?: string;
  /** The name of an account that has no number in the file (QIF). */
  accountName?: string;
  routingNumber?: string;
  currency?: string;
  /** The statement's own period, else its first and last day with a line. */
  from?: IsoDate;
  to?: IsoDate;
  opening?: Cents;
  closing?: Cents;
  lines: StatementLine[];
}

export type DateOrder = 'mdy' | 'dmy' | 'ymd';
export type DecimalMark = '.' | ',';

/**
 * The reading of a table. Columns count from 0, −1 says that there is none; a field that is left out is guessed.
 * `dateOrder`, `decimal` and `turned` hold for OFX and QIF too.
 */
export interface StatementMapping {
  separator?: string;
  /** The first row behind the skipped ones names the columns. */
  header?: boolean;
  /** Rows before the table. */
  skip?: number;
  dateColumn?: number;
  amountColumn?: number;
  debitColumn?: number;
  creditColumn?: number;
  /** Says "DR" or "CR" of each amount. */
  directionColumn?: number;
  /** The direction column's words for money out and money in, if no known pair has them. Empty if a word is missing. */
  outWord?: string;
  inWord?: string;
  textColumns?: number[];
  checkColumn?: number;
  bankIdColumn?: number;
  balanceColumn?: number;
  dateOrder?: DateOrder;
  decimal?: DecimalMark;
  /** Every sign is turned: the file writes money out as positive. */
  turned?: boolean;
}

/** A choice that the file leaves open. The first is the one that was read with; the person's goes into the mapping. */
export interface StatementQuestion {
  name: keyof StatementMapping;
  choices: { value: string; label: string }[];
}

export interface ReadFile {
  /** One for each account in the file. */
  statements: ReadStatement[];
  /** Guessed or given. */
  mapping?: StatementMapping;
  /** The names of the columns of a table, `Column 1` and so on where it names none. */
  columns?: string[];
  /** The first rows of a table as they stand. */
  sample?: string[][];
  questions: StatementQuestion[];
  /** Names the layout of a table; a mapping is remembered by account and this. */
  headerKey?: string;
  /** Sentences about what was left out. */
  notes?: string[];
}

/** The kind of account that a file belongs to. A card's table may write purchases, and what is owed, as positive. */
export type AccountKind = 'bank' | 'card';

export interface ReadOptions {
  mapping?: StatementMapping;
  /** Unknown if left out: then a minus alone does not prove that money went out. */
  accountKind?: AccountKind;
  /** Stands in the sentence of a refusal, decides nothing. */
  fileName?: string;
}

/** A piece of the file: its text, its line and its column, all from 1. */
export interface Placed {
  text: string;
  row: number;
  column?: number | undefined;
}

/** The most that a file may hold: bytes, and lines of statements. */
export const MOST_BYTES = 25 * 1024 * 1024;
export const MOST_LINES = 100_000;

/** The refusal (422) of one place of the file. */
export function unreadable({ row, column }: Omit<Placed, 'text'>, sentence: string): Failure {
  return refuse(`Line ${row}${column === undefined ? '' : `, column ${column}`}: ${sentence}`);
}

/** A text of the file inside a sentence: short, and in one line. */
export function quoted(text: string): string {
  const one = bankText(text.slice(0, LONGEST_TEXT));
  return `'${one.length > 40 ? `${one.slice(0, 39)}…` : one}'`;
}

/** Longer texts of a line (a collective booking with a thousand payees) are cut here. */
const LONGEST_TEXT = 1000;

/** Words of the bank as one text: white space is made one, and what no database keeps is left out. */
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

/** Counts lines of a text from the start to the end, in one pass. */
export class LineCounter {
  #line = 1;
  #at: number;
  #start = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.indexOf('\n');
  }

  /** The line of an offset, which is never before the one asked for last. */
  lineOf(offset: number): number {
    while (this.#at !== -1 && this.#at < offset) {
      this.#line += 1;
      this.#start = this.#at + 1;
      this.#at = this.#text.indexOf('\n', this.#at + 1);
    }
    return this.#line;
  }

  /** The offset at which the line begins that was asked for last. */
  get lineStart(): number {
    return this.#start;
  }
}

/** Refuses the line that is one too many. */
export function checkCount(count: number, place: Omit<Placed, 'text'>): void {
  if (count > MOST_LINES) throw unreadable(place, 'The statement has more than 100,000 transactions');
}

/** A pattern that is longer than a line: the parts one behind the other. */
export function patternOf(flags: string, ...parts: readonly string[]): RegExp {
  return new RegExp(parts.join(''), flags);
}
