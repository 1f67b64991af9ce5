import { eightDigits } from './days.ts';
import { withoutEntities } from './entities.ts';
import { pendingNote } from './pending.ts';
import { type RawLine, type RawStatement, settled } from './settle.ts';
import {
  bankText,
  checkCount,
  LineCounter,
  type Placed,
  quoted,
  type ReadFile,
  type StatementMapping,
  unreadable,
} from './statement.ts';

/**
 * The values in the current transaction. Only the first value with a given name is used, so that the payee's account is
 * ignored.
 */
interface Transaction {
  row: number;
  values: Map<string, Placed>;
}

const STATEMENTS = ['STMTRS', 'CCSTMTRS'];
/** Tags that end a transaction even if its end tag is missing. */
const SECTIONS = [
  'BANKACCTFROM',
  'CCACCTFROM',
  'BANKTRANLIST',
  'BANKTRANLISTP',
  'STMTTRNP',
  'LEDGERBAL',
  'AVAILBAL',
  'BALLIST',
];
const CURRENCIES = ['CURRENCY', 'ORIGCURRENCY'];
const TAG = /<(\/?)([A-Za-z][\w.]*)(?:\s[^<>]*)?\/?>/g;

/** Reads bank and card statements in OFX 1 (SGML), OFX 2 (XML), and QFX, even if end tags are missing. */
class OfxReader {
  readonly statements: RawStatement[] = [];
  readonly #format: 'OFX' | 'QFX';
  #now: RawStatement | undefined;
  #isInvestment = false;
  #section = '';
  #currency = '';
  #transaction: Transaction | undefined;
  #count = 0;
  /** This statement's transactions by bank ID, and the IDs that later transactions reversed. */
  #byId = new Map<string, RawLine>();
  readonly #corrected = new Set<RawLine>();

  constructor(format: 'OFX' | 'QFX') {
    this.#format = format;
  }

  /** The number of transactions that are not posted yet (STMTTRNP). */
  pending = 0;

  open(tag: string, row: number): void {
    if (tag === 'STMTTRNP') this.pending += 1;
    if (CURRENCIES.includes(tag)) this.#currency = tag;
    if (tag === 'INVSTMTRS') this.#begin(undefined);
    else if (STATEMENTS.includes(tag)) this.#begin({ format: this.#format, lines: [] });
    else if (SECTIONS.includes(tag)) {
      this.#finish();
      this.#section = tag;
    } else if (tag === 'STMTTRN') {
      this.#finish();
      this.#section = tag;
      if (!this.#now && !this.#isInvestment) this.#begin({ format: this.#format, lines: [] });
      this.#transaction = { row, values: new Map() };
    }
  }

  close(tag: string): void {
    if (tag === 'STMTTRN' || tag === 'BANKTRANLIST' || STATEMENTS.includes(tag)) this.#finish();
    if (tag === 'INVSTMTRS') this.#isInvestment = false;
    if (STATEMENTS.includes(tag)) this.#now = undefined;
    if (tag === this.#section) this.#section = '';
    if (tag === this.#currency) this.#currency = '';
  }

  value(tag: string, cell: Placed): void {
    const values = this.#transaction?.values;
    if (values) {
      const name = tag === 'CURSYM' ? `${this.#currency}.${tag}` : tag;
      if (!values.has(name)) values.set(name, cell);
    } else if (this.#now) this.#fact(this.#now, tag, cell);
  }

  end(): void {
    this.#finish();
    if (this.#corrected.size === 0) return;
    for (const statement of this.statements) {
      statement.lines = statement.lines.filter((line) => !this.#corrected.has(line));
    }
  }

  #begin(statement: RawStatement | undefined): void {
    this.#finish();
    this.#now = statement;
    this.#isInvestment = statement === undefined;
    this.#section = '';
    this.#byId = new Map();
    if (statement) this.statements.push(statement);
  }

  #fact(now: RawStatement, tag: string, cell: Placed): void {
    const text = withoutEntities(cell.text);
    const isAccount = this.#section === 'BANKACCTFROM' || this.#section === 'CCACCTFROM';
    const day = eightDigits(text);
    if (tag === 'CURDEF') now.currency = text.toUpperCase();
    else if (isAccount && tag === 'ACCTID') now.accountNumber = text;
    else if (isAccount && tag === 'BANKID') now.routingNumber = text;
    else if (this.#section === 'LEDGERBAL' && tag === 'BALAMT') now.closing = cell;
    else if (this.#section === 'BANKTRANLIST' && tag === 'DTSTART' && day) now.from = day;
    else if (this.#section === 'BANKTRANLIST' && tag === 'DTEND' && day) now.to = day;
  }

  #finish(): void {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    this.#currency = '';
    if (!transaction || !this.#now) return;
    this.#count += 1;
    checkCount(this.#count, transaction);
    const { lines, currency } = this.#now;
    const action = transaction.values.get('CORRECTACTION')?.text.toUpperCase();
    const corrected = transaction.values.get('CORRECTFITID')?.text;
    const line = lineOf(transaction, currency);
    if (corrected !== undefined) {
      // The bank reverses an earlier transaction. If that transaction is in this file, it is removed at the end of the
      // statement.
      const own = this.#byId.get(corrected);
      if (own !== undefined) this.#corrected.add(own);
      this.#byId.delete(corrected);
      if (action === 'DELETE') return;
      line.corrects = corrected;
    }
    lines.push(line);
    if (line.bankId !== undefined && !this.#byId.has(line.bankId)) this.#byId.set(line.bankId, line);
  }
}

function lineOf({ row, values }: Transaction, currency: string | undefined): RawLine {
  const words = (name: string): string => withoutEntities(values.get(name)?.text ?? '').trim();
  const place = { row };
  const own = words('CURRENCY.CURSYM').toUpperCase();
  if (own !== '' && currency !== undefined && own !== currency) {
    throw unreadable(place, `The amount is in ${quoted(own)}, but the statement is in ${quoted(currency)}`);
  }
  const amount = values.get('TRNAMT');
  if (amount === undefined) throw unreadable(place, 'The transaction has no amount (TRNAMT)');
  const line: RawLine = { row, date: dayOf(values, place), amount, text: bankText(words('NAME'), words('MEMO')) };
  const [id, check] = [bankText(words('FITID')), bankText(words('CHECKNUM'))];
  if (id !== '') line.bankId = id;
  if (check !== '' && !/^0+$/.test(check)) line.checkNumber = check;
  return line;
}

/** Returns the first eight digits of the posting date as written. Some banks provide only the user's date. */
function dayOf(values: Transaction['values'], place: { row: number }): Placed {
  const posted = values.get('DTPOSTED') ?? values.get('DTUSER');
  if (posted === undefined) throw unreadable(place, 'The transaction has no date (DTPOSTED)');
  const day = eightDigits(posted.text);
  if (day === undefined) throw unreadable(posted, `${quoted(posted.text)} is not a date`);
  return { ...posted, text: day };
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * Converts CDATA to plain text. A section without an end is left unchanged, and the text is searched for the end only
 * once.
 */
function withoutCdata(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(CDATA); at !== -1; at = text.indexOf(CDATA, from)) {
    const end = text.indexOf(']]>', at);
    if (end === -1) break;
    parts.push(text.slice(from, at), escaped(text.slice(at + CDATA.length, end)));
    from = end + 3;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

const CDATA = '<![CDATA[';

/** Reads text with one or more OFX documents. */
export function readOfx(whole: string, given?: StatementMapping): ReadFile {
  const text = withoutCdata(whole);
  const reader = new OfxReader(/<INTU\.BID>/i.test(text) ? 'QFX' : 'OFX');
  const counter = new LineCounter(text);
  let [tag, from, row, lineStart] = ['', 0, 1, 0];
  for (const match of text.matchAll(TAG)) {
    if (tag !== '') {
      const value = text.slice(from, match.index).trim();
      if (value !== '') reader.value(tag, { text: value, row, column: from - lineStart + 1 });
    }
    row = counter.lineOf(match.index);
    const name = (match[2] ?? '').toUpperCase();
    from = match.index + match[0].length;
    lineStart = counter.lineStart;
    tag = match[1] === '/' ? '' : name;
    if (tag === '') reader.close(name);
    else reader.open(name, row);
  }
  const last = text.slice(from).trim();
  if (tag !== '' && last !== '') reader.value(tag, { text: last, row, column: from - lineStart + 1 });
  reader.end();
  checkWhole(text, reader.statements);
  const file = settled(reader.statements, given);
  return reader.pending > 0 ? { ...file, notes: [pendingNote(reader.pending)] } : file;
}

/** Throws for a truncated file or a file without a bank or card statement. */
function checkWhole(text: string, statements: readonly RawStatement[]): void {
  const end = { row: text.trimEnd().split('\n').length };
  if (/<\/STMTTRN>/i.test(text) && !/<\/OFX>/i.test(text)) {
    throw unreadable(end, 'The file is incomplete: </OFX> is missing');
  }
  if (statements.length === 0) throw unreadable(end, "The file doesn't contain a bank or card statement");
}
