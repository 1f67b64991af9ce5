import { csvText } from '@evenkeel/core/csv';
import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, sum, toPlain } from '@evenkeel/core/money';
import type { StatementLine } from '../read.ts';

/** A bank transaction in the format that the writers use. */
export type PlainLine = Pick<StatementLine, 'date' | 'amount' | 'text'> & { bankId: string };

/** A statement that each of the writers writes in its own format. */
export interface PlainStatement {
  accountNumber: string;
  opening: Cents;
  lines: PlainLine[];
}

const closingOf = ({ opening, lines }: PlainStatement): Cents => sum([opening, ...lines.map(({ amount }) => amount)]);
const digits = (date: IsoDate): string => date.replaceAll('-', '');
const us = (date: IsoDate): string => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
const unsigned = (amount: Cents): string => toPlain(cents(Math.abs(amount)));
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function ofxBody({ accountNumber, lines, ...rest }: PlainStatement, end: (tag: string) => string): string {
  const leaf = (tag: string, value: string): string => `<${tag}>${value}${end(tag)}\n`;
  const group = (tag: string, ...inner: string[]): string => `<${tag}>\n${inner.join('')}</${tag}>\n`;
  const transactions = lines.map(({ date, amount, text, bankId }) =>
    group(
      'STMTTRN',
      leaf('TRNTYPE', amount < 0 ? 'DEBIT' : 'CREDIT'),
      leaf('DTPOSTED', `${digits(date)}000000[-8:PST]`),
      leaf('TRNAMT', toPlain(amount)),
      leaf('FITID', bankId),
      leaf('NAME', escaped(text)),
    ),
  );
  const account = group('BANKACCTFROM', leaf('BANKID', '121000358'), leaf('ACCTID', accountNumber));
  const closing = toPlain(closingOf({ accountNumber, lines, ...rest }));
  const balance = group('LEDGERBAL', leaf('BALAMT', closing), leaf('DTASOF', '20241231'));
  const list = group('BANKTRANLIST', ...transactions);
  const statement = group('STMTRS', leaf('CURDEF', 'USD'), account, list, balance);
  return group('OFX', group('BANKMSGSRSV1', group('STMTTRNRS', statement)));
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

const ofx1 = (statement: PlainStatement): string =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n${ofxBody(statement, () => '')}`;

const ofx2 = (statement: PlainStatement): string =>
  `${XML}<?OFX OFXHEADER="200" VERSION="211"?>\n${ofxBody(statement, (tag) => `</${tag}>`)}`;

const qif = ({ lines }: PlainStatement): string =>
  `!Type:Bank\n${lines.map(({ date, amount, text }) => `D${us(date)}\nT${toPlain(amount)}\nP${text}\n^\n`).join('')}`;

function rows({ lines }: PlainStatement): string[][] {
  return [
    ['Date', 'Description', 'Transaction ID', 'Debit', 'Credit'],
    ...lines.map(({ date, amount, text, bankId }) => {
      const columns = amount < 0 ? [unsigned(amount), ''] : ['', unsigned(amount)];
      return [us(date), text, bankId, ...columns];
    }),
  ];
}

const tabs = (statement: PlainStatement): string =>
  rows(statement)
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t'))
    .join('\r\n');

/** Writes camt.053, versions 2 to 8, with or without a namespace prefix. */
export function writeCamt({ accountNumber, opening, lines }: PlainStatement, version = 8, prefix = ''): string {
  const element = (name: string, inner: string, attributes = ''): string =>
    `<${prefix}${name}${attributes}>${inner}</${prefix}${name}>`;
  const money = (amount: Cents): string =>
    element('Amt', unsigned(amount), ' Ccy="USD"') + element('CdtDbtInd', amount < 0 ? 'DBIT' : 'CRDT');
  const balance = (kind: string, amount: Cents): string =>
    element('Bal', element('Tp', element('CdOrPrtry', element('Cd', kind))) + money(amount));
  const entries = lines.map(({ date, amount, text, bankId }) => {
    const status = version >= 8 ? element('Sts', element('Cd', 'BOOK')) : element('Sts', 'BOOK');
    const day = element('BookgDt', element('Dt', date)) + element('ValDt', element('Dt', date));
    const details = element('TxDtls', element('RmtInf', element('Ustrd', escaped(text))));
    const rest = element('AcctSvcrRef', bankId) + element('NtryDtls', details);
    return element('Ntry', `\n${money(amount)}${status}${day}${rest}\n`);
  });
  const closing = closingOf({ accountNumber, opening, lines });
  const statement = element(
    'Stmt',
    `${element('Id', '1')}${element('Acct', element('Id', element('Othr', element('Id', accountNumber))))}\n` +
      `${balance('OPBD', opening)}\n${balance('CLBD', closing)}\n${entries.join('\n')}\n`,
  );
  const name = `xmlns:${prefix}`.replace(/:+$/, '');
  const space = ` ${name}="urn:iso:std:iso:20022:tech:xsd:camt.053.001.0${version}"`;
  return `${XML}${element('Document', element('BkToCstmrStmt', `\n${statement}\n`), space)}\n`;
}

function mt940({ accountNumber, opening, lines }: PlainStatement): string {
  const comma = (amount: Cents): string => unsigned(amount).replace('.', ',');
  const balance = (tag: string, amount: Cents): string =>
    `:${tag}:${amount < 0 ? 'D' : 'C'}241231USD${comma(amount)}\r\n`;
  const movements = lines.map(({ date, amount, text }) => {
    const day = digits(date).slice(2);
    const words = text.replace(/.{65}(?=.)/g, '$&\r\n');
    return `:61:${day}${day.slice(2)}${amount < 0 ? 'D' : 'C'}${comma(amount)}NMSCNONREF\r\n:86:${words}\r\n`;
  });
  const closing = closingOf({ accountNumber, opening, lines });
  const head = `:20:REF\r\n:25:${accountNumber}\r\n:28C:1/1\r\n`;
  return `${head}${balance('60F', opening)}${movements.join('')}${balance('62F', closing)}-\r\n`;
}

/** Writes BAI2, which has one date per group. Each run of transactions with the same date becomes a group. */
function bai2({ accountNumber, opening, lines }: PlainStatement): string {
  const groups: { date: IsoDate; lines: PlainLine[] }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.date === line.date) last.lines.push(line);
    else groups.push({ date: line.date, lines: [line] });
  }
  let balance = opening;
  const text = groups.map(({ date, lines: own }) => {
    const before = balance;
    balance = sum([before, ...own.map(({ amount }) => amount)]);
    const details = own.map(({ amount, text: words }) => {
      const cut = Math.ceil(words.length / 2);
      const code = amount < 0 ? 475 : 165;
      // Text is split only between words, because a reader joins continuations with a space.
      const at = words.indexOf(' ', cut);
      const parts = at === -1 ? [words] : [words.slice(0, at), words.slice(at + 1)];
      return `16,${code},${Math.abs(amount)},Z,,,${parts.join('\n88,')}\n`;
    });
    const control = sum([before, balance, ...own.map(({ amount }) => cents(Math.abs(amount)))]);
    const group = `02,A,B,1,${digits(date).slice(2)},,USD,2/\n`;
    const head = `${group}03,${accountNumber},USD,010,${before},,,015,${balance},,/\n`;
    return `${head}${details.join('')}49,${control},3/\n98,${control},1,5/\n`;
  });
  return `01,B,A,241231,0800,1,80,,2/\n${text.join('')}99,0,1,9/\n`;
}

/** The writer for each format. */
export const writers = {
  OFX: ofx1,
  'OFX 2': ofx2,
  QFX: (statement: PlainStatement): string => ofx1(statement).replace('<OFX>', '<OFX>\n<INTU.BID>3000\n'),
  QIF: qif,
  CSV: (statement: PlainStatement): string => csvText(rows(statement)),
  TSV: tabs,
  CAMT: (statement: PlainStatement): string => writeCamt(statement),
  MT940: mt940,
  BAI2: bai2,
} as const;

const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function windows1252(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => {
    const high = HIGH.indexOf(letter);
    return high === -1 ? letter.charCodeAt(0) : 0x80 + high;
  });
}

function utf16(text: string, isBigEndian: boolean): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) bytes.setUint16(at * 2, text.charCodeAt(at), !isBigEndian);
  return new Uint8Array(bytes.buffer);
}

/** All encodings that a bank may use. */
export const encodings = {
  'UTF-8': (text: string): Uint8Array => new TextEncoder().encode(text),
  'UTF-8 with a mark': (text: string): Uint8Array => new TextEncoder().encode(`\ufeff${text}`),
  'Windows-1252': windows1252,
  'UTF-16 little endian': (text: string): Uint8Array => utf16(`\ufeff${text}`, false),
  'UTF-16 big endian': (text: string): Uint8Array => utf16(`\ufeff${text}`, true),
  'UTF-16 without a mark': (text: string): Uint8Array => utf16(text, false),
} as const;
