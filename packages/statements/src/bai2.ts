import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatUsd, negate, sum } from '@evenkeel/core/money';
import { sixDigits } from './days.ts';
import {
  bankText,
  checkCount,
  type Placed,
  quoted,
  type ReadFile,
  type ReadStatement,
  type StatementLine,
  unreadable,
} from './statement.ts';

/** A record with its continuation records (88). The text after the fields of a detail record keeps its commas. */
interface Entry {
  code: string;
  row: number;
  fields: string[];
}

interface Account {
  statement: ReadStatement;
  amounts: Cents[];
}

/**
 * The fields of a detail record before its text: code, amount, funds type, and the bank's and customer's reference
 * numbers.
 */
const BEFORE_TEXT = 5;

/**
 * Returns the records in a file. Record 88 continues the previous record, whether or not the previous record ends with
 * a slash.
 */
function recordsOf(text: string): Entry[] {
  const records: { code: string; row: number; parts: string[]; commas: number }[] = [];
  // Records of a fixed length are on one line, padded with spaces.
  const isFixed = /^\s*01,[^/\n]*\/ *02,/.test(text);
  const lines = isFixed ? text.replace(/\/ *(?=(01|02|03|16|49|88|98|99),)/g, '/\n') : text;
  lines.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    const code = line.slice(0, 2);
    const body = line.slice(3).replace(/\/$/, '');
    const before = records.at(-1);
    if (line === '') return;
    if (!/^(\d\d([,/]|$)|88\D)/.test(line))
      throw unreadable({ row: index + 1, column: 1 }, `${quoted(line)} is not a record`);
    const commas = body.split(',').length - 1;
    if (code !== '88') records.push({ code, row: index + 1, parts: [body], commas });
    else if (before) {
      const isText = before.code === '16' && before.commas + 1 > BEFORE_TEXT;
      before.parts.push(isText ? ' ' : ',', body);
      before.commas += commas + (isText ? 0 : 1);
    } else throw unreadable({ row: index + 1, column: 1 }, "The continuation record doesn't follow a record");
  });
  return records.map(({ code, row, parts }) => ({ code, row, fields: parts.join('').split(',') }));
}

/**
 * Returns true for money in and false for money out. Returns undefined for codes that move no money (890) or don't
 * specify the direction.
 */
function isIncoming(code: number): boolean | undefined {
  if ((code >= 100 && code < 400) || (code >= 920 && code < 960) || code === 720) return true;
  return (code >= 400 && code < 700) || (code >= 960 && code < 1000) || code === 760 ? false : undefined;
}

class Bai2Reader {
  readonly statements: ReadStatement[] = [];
  #day: IsoDate | undefined;
  #currency = '';
  #account: Account | undefined;
  #count = 0;

  record(record: Entry): void {
    const { code, fields } = record;
    if (code === '02') this.#group(record);
    else if (code === '03') this.#open(record);
    else if (code === '16') this.#detail(record);
    else if (code === '49') this.#close(record);
    else if (code === '98') this.#currency = '';
    else if (code !== '01' && code !== '99')
      throw unreadable(record, `${quoted(`${code},${fields[0]}`)} is not a record`);
  }

  #group(record: Entry): void {
    const day = sixDigits(record.fields[3]?.trim() ?? '');
    if (day === undefined) throw unreadable(record, `${quoted(record.fields[3] ?? '')} is not a date`);
    this.#day = day;
    this.#currency = record.fields[5]?.trim() ?? '';
  }

  #open(record: Entry): void {
    const [number = '', currency = '', ...summaries] = record.fields.map((field) => field.trim());
    const statement: ReadStatement = { format: 'BAI2', accountNumber: number, lines: [] };
    statement.currency = currency || this.#currency || 'USD';
    if (this.#day) Object.assign(statement, { from: this.#day, to: this.#day });
    this.#account = { statement, amounts: [] };
    this.statements.push(statement);
    for (let at = 0; at < summaries.length;) {
      const code = summaries[at] ?? '';
      const written = summaries[at + 1] ?? '';
      if (code !== '' && written !== '') this.#summary(record, code, written);
      at += 3 + fundsLength(summaries, at + 3);
    }
  }

  #summary(record: Entry, code: string, written: string): void {
    const amount = centsOf(record, written);
    if (!this.#account) return;
    this.#account.amounts.push(amount);
    if (code === '010') this.#account.statement.opening = amount;
    if (code === '015') this.#account.statement.closing = amount;
  }

  #detail(record: Entry): void {
    const [code = '', written = '', ...rest] = record.fields;
    if (!this.#account || !this.#day) throw unreadable(record, "The transaction doesn't belong to an account (03)");
    const amount = centsOf(record, written.trim() || '0');
    this.#account.amounts.push(amount);
    const isIn = isIncoming(Number(code));
    if (isIn === undefined && amount !== 0 && code.trim() !== '890') {
      throw unreadable(record, `The code ${quoted(code)} does not indicate whether money came in or went out`);
    }
    if (isIn === undefined) return;
    const [bank = '', customer = '', ...text] = rest.slice(fundsLength(rest, 0));
    const line: StatementLine = {
      row: record.row,
      date: this.#day,
      amount: isIn ? amount : negate(amount),
      text: bankText(text.join(','), customer.replace(/^0+$/, ''), bank.replace(/^0+$/, '')),
    };
    const check = customer.trim() || bank.trim();
    if ((code === '475' || code === '474') && /^\d*[1-9]\d*$/.test(check)) line.checkNumber = check;
    this.#count += 1;
    checkCount(this.#count, record);
    this.#account.statement.lines.push(line);
  }

  /**
   * The control total proves that no record for the account is missing. Some banks include the amounts' signs in this
   * total, and others ignore them.
   */
  #close(record: Entry): void {
    const { amounts = [] } = this.#account ?? {};
    this.#account = undefined;
    const written = record.fields[0]?.trim() ?? '';
    if (written === '') return;
    const control = centsOf(record, written);
    const difference = cents(control - sum(amounts));
    const unsigned = sum(amounts.map((amount) => cents(Math.abs(amount))));
    if (difference === 0 || Math.abs(control) === unsigned) return;
    throw unreadable(record, `The account's control total differs from its records by ${formatUsd(difference)}`);
  }
}

/** Returns the number of fields after the funds type: days and amounts, or a day and a time. */
function fundsLength(fields: readonly string[], from: number): number {
  const kind = (fields[from] ?? '').trim().toUpperCase();
  if (kind === 'S') return 4;
  if (kind === 'V') return 3;
  return kind === 'D' ? 2 + 2 * Number(fields[from + 1] ?? 0) : 1;
}

/** Converts a number without a decimal point to cents. For example, 12345 is 123.45. */
function centsOf(place: Omit<Placed, 'text'>, written: string): Cents {
  const text = written.trim();
  const value = Number(text);
  if (!/^[-+]?\d{1,17}$/.test(text) || !Number.isSafeInteger(value)) {
    throw unreadable(place, `${quoted(text)} is not an amount`);
  }
  return cents(value);
}

/**
 * Reads a BAI2 file: groups for one day (02) with accounts (03) and their details (16), up to the file trailer (99).
 */
export function readBai2(text: string): ReadFile {
  const records = recordsOf(text);
  const last = records.at(-1);
  if (last?.code !== '99') throw unreadable(last ?? { row: 1 }, 'The file ends before its last record (99)');
  const reader = new Bai2Reader();
  for (const record of records) reader.record(record);
  return { statements: reader.statements, questions: [] };
}
