import { masterAccounts } from '@evenkeel/core/books/accounts';
import { parseDate } from '@evenkeel/core/dates';
import type { IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { decimal, fromPlain, round } from '@evenkeel/core/money';
import type { Cents } from '@evenkeel/core/money';

/** A statement in a `.books` file: a line without indentation, and the indented lines below it. */
export interface Statement {
  at: number;
  text: string;
  children: { at: number; text: string }[];
}

/** Returns the error for a line in the file. */
export function faultAt(at: number, message: string): Failure {
  return new Failure('malformed', `line ${at}: ${message}`);
}

/** Splits the text into statements, without blank lines and comments (which start with `;`). */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = withoutComment(raw);
    if (line.trim() === '') return;
    const at = index + 1;
    if (!/^\s/.test(line)) {
      statements.push({ at, text: line.trim(), children: [] });
      return;
    }
    const parent = statements.at(-1);
    if (parent === undefined) throw faultAt(at, 'an indented line needs a line above it');
    parent.children.push({ at, text: line.trim() });
  });
  return statements;
}

function withoutComment(line: string): string {
  return line.replace(/^((?:[^;"]|"[^"]*")*);.*$/, '$1');
}

/** Reads the words of one line from left to right. Every error has the line number. */
export class Words {
  readonly at: number;
  private readonly words: string[];

  constructor(at: number, text: string) {
    this.at = at;
    this.words = text.match(/"[^"]*"|\S+/g) ?? [];
  }

  peek(): string | undefined {
    return this.words[0];
  }

  /** Takes the next word, or the next quoted text without its quotes. */
  take(what: string): string {
    const word = this.words.shift();
    if (word === undefined) throw faultAt(this.at, `${what} is missing`);
    return word.startsWith('"') ? word.slice(1, -1) : word;
  }

  /** Takes the next word if it equals the given word. */
  has(word: string): boolean {
    if (this.words[0] !== word) return false;
    this.words.shift();
    return true;
  }

  need(word: string): void {
    if (!this.has(word)) throw faultAt(this.at, `'${word}' is missing before '${this.words[0] ?? 'the end'}'`);
  }

  date(): IsoDate {
    const word = this.take('a date');
    const date = parseDate(word);
    if (date === undefined) throw faultAt(this.at, `'${word}' is not a date`);
    return date;
  }

  /** Takes decimal text such as "9.99". */
  number(what: string): string {
    const word = this.take(what);
    if (!isNumber(word)) throw faultAt(this.at, `${what} '${word}' is not a number`);
    return word;
  }

  amount(): Cents {
    return amountOf(this.take('an amount'), this.at);
  }

  account(): number {
    return accountOf(this.take('an account number'), this.at);
  }

  end(): void {
    if (this.words.length > 0) throw faultAt(this.at, `'${this.words.join(' ')}' is not understood`);
  }
}

function isNumber(word: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(word);
}

/** Converts "1,234.50" to 123450 cents. At most 2 decimal places. */
export function amountOf(word: string, at: number): Cents {
  const plain = word.replaceAll(',', '');
  if (!isNumber(plain) || !decimal(plain).eq(round(decimal(plain), 2))) {
    throw faultAt(at, `'${word}' is not an amount`);
  }
  return fromPlain(plain);
}

/**
 * Returns the ID of the account in "1200" or "1200 Accounts Receivable". Throws if the name belongs to another account.
 */
export function accountOf(text: string, at: number): number {
  const [number = '', name = ''] = text.split(/\s+(.*)/);
  const account = masterAccounts.find((each) => each.accountNumber === number);
  if (account === undefined) throw faultAt(at, `there is no account '${number}'`);
  if (name !== '' && name !== account.accountName) {
    throw faultAt(at, `account ${number} is '${account.accountName}', not '${name}'`);
  }
  return account.id;
}

/** Splits a table row into cells. */
export function cellsOf(text: string): string[] {
  return text.split('|').map((cell) => cell.trim());
}
