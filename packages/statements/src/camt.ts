import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { type Cents, negate } from '@evenkeel/core/money';
import { SaxesParser } from 'saxes';
import { withoutEntities } from './entities.ts';
import { amountOf } from './figures.ts';
import { pendingNote } from './pending.ts';
import {
  bankText,
  checkCount,
  quoted,
  type ReadFile,
  type ReadStatement,
  type StatementLine,
  unreadable,
} from './statement.ts';

/** An element with its own text. Element names have no prefix. */
interface Element {
  name: string;
  row: number;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** Returns the first element at the end of a path of element names. */
function at(from: Element | undefined, ...path: string[]): Element | undefined {
  let now = from;
  for (const name of path) now = now?.children.find((child) => child.name === name);
  return now;
}

const all = (from: Element | undefined, name: string): Element[] =>
  from?.children.filter((child) => child.name === name) ?? [];

const words = (from: Element | undefined, ...path: string[]): string =>
  withoutEntities(at(from, ...path)?.text ?? '').trim();

/** Returns the text at the first of these paths where there is text. */
const firstOf = (from: Element | undefined, ...paths: string[][]): string =>
  paths.map((path) => words(from, ...path)).find((text) => text !== '') ?? '';

/** Reads ISO 20022 camt.053 bank statements, versions 2 to 8, one part of a statement at a time. */
class CamtReader {
  readonly statements: ReadStatement[] = [];
  #now: ReadStatement = { format: 'CAMT', lines: [] };
  /** The number of entries that are not posted yet. */
  pending = 0;
  #count = 0;

  begin(): void {
    this.#now = { format: 'CAMT', lines: [] };
    this.statements.push(this.#now);
  }

  part(part: Element): void {
    if (part.name === 'Ntry') this.#entry(part, this.#now);
    else if (part.name === 'Bal') this.#balance(part);
    else if (part.name === 'Acct') this.#account(part);
    else if (part.name === 'FrToDt') {
      const [from, to] = ['FrDtTm', 'ToDtTm'].map((name) => dayAt(part, name));
      if (from) this.#now.from = from;
      if (to) this.#now.to = to;
    }
  }

  #account(account: Element): void {
    const number = firstOf(account, ['Id', 'IBAN'], ['Id', 'Othr', 'Id']);
    const bank = at(account, 'Svcr', 'FinInstnId');
    const routing = firstOf(bank, ['ClrSysMmbId', 'MmbId'], ['BICFI'], ['BIC']);
    const currency = words(account, 'Ccy');
    if (number !== '') this.#now.accountNumber = number;
    if (routing !== '') this.#now.routingNumber = routing;
    if (currency !== '') this.#now.currency = currency;
  }

  #balance(balance: Element): void {
    const kind = firstOf(balance, ['Tp', 'CdOrPrtry', 'Cd'], ['Tp', 'CdOrPrtry', 'Prtry']);
    if (!['OPBD', 'PRCD', 'CLBD'].includes(kind)) return;
    const amount = signed(balance);
    const currency = at(balance, 'Amt')?.attributes['Ccy'];
    if (currency !== undefined) this.#now.currency ??= currency;
    if (kind === 'CLBD') this.#now.closing = amount;
    else if (kind === 'OPBD' || this.#now.opening === undefined) this.#now.opening = amount;
  }

  #entry(entry: Element, read: ReadStatement): void {
    const { row } = entry;
    const status = firstOf(entry, ['Sts', 'Cd'], ['Sts', 'Prtry'], ['Sts']);
    // Pending and informational entries are not included in any balance.
    if (status !== '' && status !== 'BOOK') {
      if (status === 'PDNG') this.pending += 1;
      return;
    }
    const currency = at(entry, 'Amt')?.attributes['Ccy'];
    if (currency !== undefined && read.currency !== undefined && currency !== read.currency) {
      throw unreadable({ row }, `The amount is in ${quoted(currency)}, but the account is in ${quoted(read.currency)}`);
    }
    const date = dayAt(entry, 'BookgDt') ?? dayAt(entry, 'ValDt');
    if (date === undefined) throw unreadable({ row }, 'The entry has no date (BookgDt)');
    const line: StatementLine = { row, date, amount: signed(entry), text: textOf(entry) };
    const id = firstOf(entry, ['AcctSvcrRef'], ['NtryDtls', 'TxDtls', 'Refs', 'AcctSvcrRef']);
    const check = firstOf(entry, ['NtryDtls', 'TxDtls', 'Refs', 'ChqNb']);
    if (id !== '' && !/^(NONREF|NOTPROVIDED|0+)$/i.test(id)) line.bankId = bankText(id);
    if (check !== '') line.checkNumber = check;
    this.#count += 1;
    checkCount(this.#count, line);
    read.lines.push(line);
  }
}

/** Returns a date, or the date of a timestamp as written, with or without an element around it. */
function dayAt(from: Element, ...path: string[]): IsoDate | undefined {
  const text = firstOf(from, [...path, 'Dt'], [...path, 'DtTm'], path).slice(0, 10);
  return isIsoDate(text) ? text : undefined;
}

/**
 * Returns an amount with the sign from its credit or debit indicator. For a reversal, the indicator already shows the
 * direction of the reversal itself.
 */
function signed(element: Element): Cents {
  const { row } = element;
  const amount = amountOf({ text: words(element, 'Amt'), row }, '.');
  const side = words(element, 'CdtDbtInd');
  if (side !== 'CRDT' && side !== 'DBIT')
    throw unreadable({ row }, `${quoted(side)} is not a valid debit or credit indicator (CdtDbtInd)`);
  return side === 'DBIT' ? negate(amount) : amount;
}

/** The maximum number of text parts to read. Longer text is truncated anyway. */
const MOST_PARTS = 1000;

/** Returns the payer or payee, the purpose, and the bank's additional text. */
function textOf(entry: Element): string {
  const isIn = words(entry, 'CdtDbtInd') === 'CRDT';
  const other = isIn ? 'Dbtr' : 'Cdtr';
  const parts = all(entry, 'NtryDtls')
    .flatMap((details) => all(details, 'TxDtls'))
    .flatMap((one) => [
      firstOf(one, ['RltdPties', other, 'Nm'], ['RltdPties', other, 'Pty', 'Nm'], ['RltdPties', `Ultmt${other}`, 'Nm']),
      ...all(at(one, 'RmtInf'), 'Ustrd').map((line) => words(line)),
      ...all(at(one, 'RmtInf'), 'Strd').map((line) =>
        firstOf(line, ['CdtrRefInf', 'Ref'], ['CdtrRefInf', 'CdtrRef'], ['AddtlRmtInf']),
      ),
      ...all(one, 'AddtlTxInf').map((line) => words(line)),
    ]);
  return bankText(...parts.slice(0, MOST_PARTS), words(entry, 'AddtlNtryInf'));
}

/** The maximum depth and number of elements, which no bank's files exceed. */
const MOST_DEPTH = 60;
const MOST_INSIDE = 100_000;

/** Passes each finished part of a statement to the reader. Returns the names of the outermost elements. */
function parse(text: string, reader: CamtReader): string[] {
  const open: Element[] = [];
  const roots: string[] = [];
  const parser = new SaxesParser();
  let inside = 0;
  const place = (): { row: number; column: number } => ({ row: parser.line, column: parser.column + 1 });
  parser.on('error', ({ message }) => {
    throw unreadable(place(), `The XML is invalid: ${bankText(message.replace(/^[\d:]+ /, '').replace(/\.$/, ''))}`);
  });
  parser.on('doctype', () => {
    throw unreadable(place(), "A bank statement can't declare entities (DOCTYPE)");
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name: name.slice(name.indexOf(':') + 1), row: parser.line, attributes, text: '', children: [] };
    if (open.length < 2) roots.push(element.name);
    inside = open.length > 3 ? inside + 1 : 0;
    if (open.length > MOST_DEPTH) throw unreadable(place(), `The XML is nested more than ${MOST_DEPTH} levels deep`);
    if (inside > MOST_INSIDE) throw unreadable(place(), 'An entry has more than 100,000 elements');
    if (element.name === 'Stmt' && open.length === 2) reader.begin();
    open.push(element);
  });
  const add = (part: string): void => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element && open.length === 3 && open[1]?.name === 'BkToCstmrStmt') reader.part(element);
    else if (element && open.length > 3) open.at(-1)?.children.push(element);
  });
  parser.write(text).close();
  return roots;
}

/** Reads the XML of camt.053 bank statements. */
export function readCamt(text: string): ReadFile {
  const reader = new CamtReader();
  const [, kind] = parse(text, reader);
  if (reader.statements.length === 0) {
    const isReport = kind === 'BkToCstmrAcctRpt' || kind === 'BkToCstmrDbtCdtNtfctn';
    const other = isReport ? 'an interim report or a notification, not a bank statement' : 'not a bank statement';
    throw unreadable({ row: 1 }, `The file is ${other} (camt.053)`);
  }
  const notes = reader.pending > 0 ? { notes: [pendingNote(reader.pending)] } : {};
  return { statements: reader.statements, questions: [], ...notes };
}
