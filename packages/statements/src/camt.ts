import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { type Cents, negate } from '@evenkeel/core/money';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { withoutEntities } from './entities.ts';
import { amountOf } from './figures.ts';
import {
  bankText,
  checkCount,
  LineCounter,
  quoted,
  type ReadFile,
  type ReadStatement,
  type StatementLine,
  unreadable,
} from './statement.ts';

/** Elements of which there may be several, wherever they stand. */
const SEVERAL = new Set(['Stmt', 'Bal', 'Ntry', 'NtryDtls', 'TxDtls', 'Ustrd', 'AddtlTxInf', 'Strd', 'AdrLine']);
const POSITION = XMLParser.getMetaDataSymbol();
const ATTRIBUTE = '@';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  removeNSPrefix: true,
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  captureMetaData: true,
  isArray: (name) => SEVERAL.has(name),
});

type Element = Record<PropertyKey, unknown>;

const isElement = (value: unknown): value is Element => typeof value === 'object' && value !== null;

/** The element or the text at the end of a path of names; undefined where one of them is missing. */
function at(from: unknown, ...path: string[]): unknown {
  let now = from;
  for (const name of path) now = isElement(now) ? now[name] : undefined;
  return now;
}

function all(from: unknown, name: string): unknown[] {
  const found = at(from, name);
  return Array.isArray(found) ? found : found === undefined ? [] : [found];
}

/** The text of an element, with or without attributes. */
function words(from: unknown, ...path: string[]): string {
  const found = at(from, ...path);
  const text = isElement(found) ? found['#text'] : found;
  return typeof text === 'string' ? withoutEntities(text).trim() : '';
}

/** The first path that leads to a text. */
const firstOf = (from: unknown, ...paths: string[][]): string =>
  paths.map((path) => words(from, ...path)).find((text) => text !== '') ?? '';

/** Bank statements camt.053 of ISO 20022, versions 2 to 8. */
class CamtReader {
  readonly #counter: LineCounter;
  #count = 0;

  constructor(text: string) {
    this.#counter = new LineCounter(text);
  }

  statement(source: unknown): ReadStatement {
    const row = this.#rowOf(source);
    const read: ReadStatement = { format: 'CAMT', lines: [] };
    const number = firstOf(source, ['Acct', 'Id', 'IBAN'], ['Acct', 'Id', 'Othr', 'Id']);
    const routing = firstOf(
      source,
      ['Acct', 'Svcr', 'FinInstnId', 'ClrSysMmbId', 'MmbId'],
      ['Acct', 'Svcr', 'FinInstnId', 'BICFI'],
      ['Acct', 'Svcr', 'FinInstnId', 'BIC'],
    );
    if (number !== '') read.accountNumber = number;
    if (routing !== '') read.routingNumber = routing;
    const currency = firstOf(source, ['Acct', 'Ccy'], ['Bal', '0', 'Amt', `${ATTRIBUTE}Ccy`]);
    if (currency !== '') read.currency = currency;
    const [from, to] = ['FrDtTm', 'ToDtTm'].map((name) => dayAt(source, 'FrToDt', name));
    if (from) read.from = from;
    if (to) read.to = to;
    this.#balances(source, read, row);
    for (const entry of all(source, 'Ntry')) this.#entry(entry, read);
    return read;
  }

  /** Elements are asked in the order of the file. */
  #rowOf(element: unknown): number {
    const place = isElement(element) ? element[POSITION.valueOf()] : undefined;
    const start = at(place, 'startIndex');
    return this.#counter.lineOf(typeof start === 'number' ? start : 0);
  }

  #balances(source: unknown, read: ReadStatement, row: number): void {
    for (const balance of all(source, 'Bal')) {
      const kind = firstOf(balance, ['Tp', 'CdOrPrtry', 'Cd'], ['Tp', 'CdOrPrtry', 'Prtry']);
      const amount = ['OPBD', 'PRCD', 'CLBD'].includes(kind) ? signed(balance, row) : undefined;
      if (amount === undefined) continue;
      if (kind === 'CLBD') read.closing = amount;
      else if (kind === 'OPBD' || read.opening === undefined) read.opening = amount;
    }
  }

  #entry(entry: unknown, read: ReadStatement): void {
    const row = this.#rowOf(entry);
    const status = firstOf(entry, ['Sts', 'Cd'], ['Sts', 'Prtry'], ['Sts']);
    // Pending and informative entries are in no balance.
    if (status !== '' && status !== 'BOOK') return;
    const currency = words(entry, 'Amt', `${ATTRIBUTE}Ccy`);
    if (currency !== '' && read.currency !== undefined && currency !== read.currency) {
      throw unreadable({ row }, `The amount is in ${quoted(currency)}, the account in ${quoted(read.currency)}`);
    }
    const date = dayAt(entry, 'BookgDt') ?? dayAt(entry, 'ValDt');
    if (date === undefined) throw unreadable({ row }, 'The entry has no date (BookgDt)');
    const line: StatementLine = { row, date, amount: signed(entry, row), text: textOf(entry) };
    const id = firstOf(entry, ['AcctSvcrRef'], ['NtryDtls', '0', 'TxDtls', '0', 'Refs', 'AcctSvcrRef']);
    const check = firstOf(entry, ['NtryDtls', '0', 'TxDtls', '0', 'Refs', 'ChqNb']);
    if (id !== '' && !/^(NONREF|NOTPROVIDED|0+)$/i.test(id)) line.bankId = bankText(id);
    if (check !== '') line.checkNumber = check;
    this.#count += 1;
    checkCount(this.#count, line);
    read.lines.push(line);
  }
}

/** A date, or the date of a moment as it is written; with or without the element around it. */
function dayAt(from: unknown, ...path: string[]): IsoDate | undefined {
  const text = firstOf(from, [...path, 'Dt'], [...path, 'DtTm'], path).slice(0, 10);
  return isIsoDate(text) ? text : undefined;
}

/** An amount with the side beside it. A reversal's side is already that of its own money. */
function signed(element: unknown, row: number): Cents {
  const amount = amountOf({ text: words(element, 'Amt'), row }, '.');
  const side = words(element, 'CdtDbtInd');
  if (side !== 'CRDT' && side !== 'DBIT') throw unreadable({ row }, `${quoted(side)} is no side (CdtDbtInd)`);
  return side === 'DBIT' ? negate(amount) : amount;
}

/** Who paid or was paid, the purpose, and what the bank adds. */
function textOf(entry: unknown): string {
  const isIn = words(entry, 'CdtDbtInd') === 'CRDT';
  const other = isIn ? 'Dbtr' : 'Cdtr';
  const parts = all(entry, 'NtryDtls')
    .flatMap((details) => all(details, 'TxDtls'))
    .flatMap((one) => [
      firstOf(one, ['RltdPties', other, 'Nm'], ['RltdPties', other, 'Pty', 'Nm'], ['RltdPties', `Ultmt${other}`, 'Nm']),
      ...all(at(one, 'RmtInf'), 'Ustrd').map((line) => words({ line }, 'line')),
      ...all(at(one, 'RmtInf'), 'Strd').map((line) =>
        firstOf(line, ['CdtrRefInf', 'Ref'], ['CdtrRefInf', 'CdtrRef'], ['AddtlRmtInf']),
      ),
      ...all(one, 'AddtlTxInf').map((line) => words({ line }, 'line')),
    ]);
  return bankText(...parts, words(entry, 'AddtlNtryInf'));
}

/** Reads the XML of bank statements camt.053. */
export function readCamt(text: string): ReadFile {
  const declared = /<!(DOCTYPE|ENTITY)/i.exec(text);
  if (declared) {
    const row = text.slice(0, declared.index).split('\n').length;
    throw unreadable({ row }, 'A bank statement declares no entities (DOCTYPE)');
  }
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    const { line, col, msg } = valid.err;
    throw unreadable({ row: line, column: col }, `The XML is broken: ${bankText(msg).replace(/\.$/, '')}`);
  }
  const document = at(parser.parse(text), 'Document');
  const statements = all(at(document, 'BkToCstmrStmt'), 'Stmt');
  if (statements.length === 0) {
    const isReport = at(document, 'BkToCstmrAcctRpt') ?? at(document, 'BkToCstmrDbtCdtNtfctn');
    const other = isReport === undefined ? 'no bank statement' : 'an interim report or a notice, no bank statement';
    throw unreadable({ row: 1 }, `The file is ${other} (camt.053)`);
  }
  const reader = new CamtReader(text);
  return { statements: statements.map((one) => reader.statement(one)), questions: [] };
}
