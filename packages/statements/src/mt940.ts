import { daysBetween, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, negate } from '@evenkeel/core/money';
import { dateOf, sixDigits } from './days.ts';
import { amountOf } from './figures.ts';
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

/** A field in a message: `:61:`, and the text up to the next field. */
interface Field extends Placed {
  tag: string;
}

const NAMES = '20|21|25P?|28C?|60[FM]|61|62[FM]|64|65|86|13D?|34F|90[CD]|NS';
const AT_LINE_START = /^(?:\{4:[ ]*)?:(\d{2}[A-Z]?|NS):/gm;
const ANYWHERE = new RegExp(`:(${NAMES}):`, 'g');
/**
 * The parts of field 61: value date, entry date, mark, funds code, amount, type, reference, the bank's reference, and
 * additional text.
 */
const MOVEMENT =
  /^ ?(\d{6})(\d{4})? ?([RE]?[CD])([A-Z]?)(\d[\d.]*,?\d*|,\d+)([A-Z][A-Z\d]{3})?([^\n]*?)(\/\/[^\n]*)?(?:\n([^]*))?$/;

/** Returns the fields in the order of the file. If the file has no line breaks, it is split at the field tags. */
function fieldsOf(text: string): Field[] {
  const isBroken = text.trim().includes('\n');
  const matches = [...text.matchAll(isBroken ? AT_LINE_START : ANYWHERE)];
  let [row, counted] = [1, 0];
  return matches.map((match, index) => {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < match.index; at = text.indexOf('\n', counted)) {
      row += 1;
      counted = at + 1;
    }
    const end = matches[index + 1]?.index ?? text.length;
    const body = text.slice(match.index + match[0].length, end);
    return { tag: match[1] ?? '', text: withoutTrailer(body), row };
  });
}

/**
 * Returns a field's body without the end of its message (`-}` or a line with `-`) and without the header of the next
 * message.
 */
function withoutTrailer(body: string): string {
  return body
    .replace(/\n-(\}[\s\S]*)?\s*$|\n-\n[\s\S]*$|\n\{[15]:[\s\S]*$/, '')
    .replace(/-\}[^\n]*\s*$/, '')
    .trimEnd();
}

class Mt940Reader {
  readonly statements: ReadStatement[] = [];
  #now: ReadStatement | undefined;
  #line: StatementLine | undefined;
  #count = 0;

  field(field: Field): void {
    const { tag, text } = field;
    if (tag === '61') {
      this.#movement(field);
      return;
    }
    if (tag === '86') {
      if (this.#line) this.#line.text = bankText(details(text), this.#line.text);
      this.#line = undefined;
      return;
    }
    this.#line = undefined;
    if (tag === '20' || (tag === '25' && this.#now?.accountNumber !== undefined)) this.#now = undefined;
    if (tag.startsWith('25')) this.#statement().accountNumber = accountOf(text);
    else if (tag.startsWith('60')) this.#balance(field, 'opening');
    else if (tag.startsWith('62')) this.#balance(field, 'closing');
  }

  #statement(): ReadStatement {
    if (this.#now) return this.#now;
    this.#now = { format: 'MT940', lines: [] };
    this.statements.push(this.#now);
    return this.#now;
  }

  #balance(field: Field, name: 'opening' | 'closing'): void {
    const [, mark = '', day = '', currency = '', amount = ''] =
      /^([CD])(\d{6})([A-Z]{3}|)([\d.,]+)/.exec(field.text) ?? [];
    const date = sixDigits(day);
    if (date === undefined) throw unreadable(field, `${quoted(field.text)} is not a balance`);
    const now = this.#statement();
    if (currency !== '') now.currency = currency;
    now[name] = amountIn(field, mark === 'D', amount);
    if (name === 'opening') now.from = date;
    else now.to = date;
  }

  #movement(field: Field): void {
    const match = MOVEMENT.exec(field.text);
    if (match === null) throw unreadable(field, `${quoted(field.text)} is not a transaction`);
    const [, value = '', entry = '', mark = '', , amount = '', type = '', reference = '', , further] = match;
    const isOut = mark === 'D' || mark === 'RC' || mark === 'ED';
    const words = reference.trim();
    const line: StatementLine = {
      row: field.row,
      date: dayOf(field, value, entry),
      amount: amountIn(field, isOut, amount),
      text: bankText(further, /^(NONREF|NOREF|0*)$/i.test(words) ? '' : words),
    };
    if (type.endsWith('CHK') && /^\d+$/.test(words)) line.checkNumber = words;
    this.#count += 1;
    checkCount(this.#count, field);
    const now = this.#statement();
    now.lines.push(line);
    this.#line = line;
  }
}

/** MT940 requires a decimal comma, but some banks write a period. */
function amountIn(place: Placed, isOut: boolean, text: string): Cents {
  const amount = amountOf({ ...place, text }, text.includes(',') ? ',' : '.');
  return isOut ? negate(amount) : amount;
}

/**
 * Returns the entry date (MMDD) in the year that is closest to the value date. If the entry date is invalid, returns
 * the value date.
 */
function dayOf(field: Field, value: string, entry: string): IsoDate {
  const valued = sixDigits(value);
  const year = Number(value.slice(0, 2));
  const [month, day] = [entry.slice(0, 2), entry.slice(2)];
  // Some banks give interest a value date of February 30. In this case, the entry date is used.
  if (valued === undefined) {
    const entered = entry === '' ? undefined : dateOf(value.slice(0, 2), month, day);
    if (entered === undefined) throw unreadable(field, `${quoted(value)} is not a date`);
    return entered;
  }
  const days = [year - 1, year, year + 1].map((near) => dateOf(String((near + 100) % 100), month, day));
  const [nearest] = days
    .filter((one) => one !== undefined)
    .toSorted((a, b) => Math.abs(daysBetween(valued, a)) - Math.abs(daysBetween(valued, b)));
  return nearest ?? valued;
}

/** Returns the account from field 25, which may have a bank code before it and a currency after it. */
const accountOf = (text: string): string => {
  const first = (text.trim().split('\n')[0] ?? '').replace(/[/ ]?[A-Z]{3}$/, '');
  return bankText(first.replace(/^.*\//, '')) || bankText(text);
};

/** Joins lines. A line of 65 characters may end inside a word, and a shorter line ends at a word boundary. */
function unwrapped(text: string): string {
  const lines = text.split('\n');
  return lines.map((line, index) => `${index === 0 || lines[index - 1]?.length === 65 ? '' : ' '}${line}`).join('');
}

/**
 * Returns the text from field 86, with names first if it has numbered parts (?32 name, ?20 to ?29 and ?60 to ?63
 * purpose).
 */
function details(text: string): string {
  if (!/^\d{3}\?/.test(text) && !/\?(00|20|32)/.test(text)) return unwrapped(text);
  const parts = [...text.replaceAll('\n', '').matchAll(/\?(\d{2})([^?]*)/g)];
  const of = (names: RegExp, between: string): string =>
    parts.flatMap(([, name = '', words = '']) => (names.test(name) ? [words] : [])).join(between);
  const purpose = of(/^(2\d|6[0-3])$/, '').replace(/(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE)\+/g, ' $1+');
  return bankText(of(/^3[23]$/, ''), purpose, of(/^00$/, ' '));
}

/** Reads the messages in an MT940 file, one for each day, page, or account. */
export function readMt940(text: string): ReadFile {
  const reader = new Mt940Reader();
  for (const field of fieldsOf(text)) reader.field(field);
  const ended = reader.statements.at(-1);
  if (ended && ended.opening !== undefined && ended.closing === undefined) {
    throw unreadable({ row: text.trimEnd().split('\n').length }, 'The file ends before its closing balance (:62F:)');
  }
  return { statements: reader.statements, questions: [] };
}
