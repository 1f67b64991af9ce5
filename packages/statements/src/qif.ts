import { type RawLine, type RawStatement, settled } from './settle.ts';
import {
  bankText,
  checkCount,
  type Placed,
  quoted,
  type ReadFile,
  type StatementMapping,
  unreadable,
} from './statement.ts';

/** The list types that contain transactions for a bank account, a card, or cash. */
const KINDS = /^!type:\s*(bank|ccard|cash|oth [al])/i;

/**
 * The fields of a record by their letter. Only the first field with a given letter is used, because later fields belong
 * to splits.
 */
type Fields = Map<string, Placed>;

class QifReader {
  readonly statements: RawStatement[] = [];
  #kind: 'lines' | 'account' | 'other' = 'lines';
  #name: string | undefined;
  #now: RawStatement | undefined;
  #count = 0;
  readonly #byName = new Map<string, RawStatement>();

  head(line: string): void {
    const isLines = KINDS.test(line);
    if (/^!(option|clear):/i.test(line)) return;
    this.#kind = isLines ? 'lines' : /^!account/i.test(line) ? 'account' : 'other';
    if (isLines) this.#now = this.#account();
  }

  record(fields: Fields): void {
    if (fields.size === 0 || this.#kind === 'other') return;
    if (this.#kind === 'account') {
      this.#name = fields.get('N')?.text;
      return;
    }
    this.#now ??= this.#account();
    const line = lineOf(fields);
    this.#count += 1;
    checkCount(this.#count, line);
    // In Quicken, an account starts with its balance, posted against the account itself.
    const isOpening = /^opening balance$/i.test(line.text) && /^\[.*\]$/.test(fields.get('L')?.text ?? '');
    if (isOpening && this.#now.lines.length === 0 && !this.#now.opening) this.#now.opening = line.amount;
    else this.#now.lines.push(line);
  }

  #account(): RawStatement {
    const name = this.#name;
    const known = this.#byName.get(name ?? '');
    if (known) return known;
    const statement: RawStatement = { format: 'QIF', lines: [], ...(name === undefined ? {} : { accountName: name }) };
    if (name !== undefined && /^[\dX*x -]{4,}$/.test(name)) statement.accountNumber = name;
    this.statements.push(statement);
    this.#byName.set(name ?? '', statement);
    return statement;
  }
}

function lineOf(fields: Fields): RawLine {
  const first = [...fields.values()][0];
  const row = first?.row ?? 1;
  const [date, amount] = [fields.get('D'), fields.get('T') ?? fields.get('U')];
  if (date === undefined) throw unreadable({ row }, 'The transaction has no date (D)');
  if (amount === undefined) throw unreadable({ row }, 'The transaction has no amount (T)');
  const line: RawLine = { row, date, amount, text: bankText(fields.get('P')?.text, fields.get('M')?.text) };
  const number = fields.get('N')?.text ?? '';
  if (/^\d+$/.test(number)) line.checkNumber = number;
  return line;
}

/** Reads QIF text, which contains a list for each account. The records in a list end at `^`. */
export function readQif(text: string, given?: StatementMapping): ReadFile {
  const reader = new QifReader();
  let fields: Fields = new Map();
  const end = (): void => {
    reader.record(fields);
    fields = new Map();
  };
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    const letter = line.charAt(0).toUpperCase();
    const cell = { text: line.slice(1).trim(), row: index + 1, column: 2 };
    if (letter === '!') {
      end();
      reader.head(line);
    } else if (letter === '^') end();
    else if (/[A-Z$%]/.test(letter)) {
      if (cell.text !== '' && !fields.has(letter)) fields.set(letter, cell);
    } else if (letter !== '' && !/\d/.test(letter)) {
      throw unreadable({ row: index + 1, column: 1 }, `${quoted(line)} doesn't start with a QIF code`);
    }
  });
  end();
  if (reader.statements.length > 0) return settled(reader.statements, given);
  throw unreadable({ row: 1 }, 'The file has no bank, card, or cash transactions');
}
