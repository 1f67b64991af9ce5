import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, toPlain } from '@evenkeel/core/money';
import type { StatementLine } from './statement.ts';

/** A statement to write to a file. */
export interface WrittenStatement {
  accountNumber: string;
  from: IsoDate;
  to: IsoDate;
  /** If omitted, the file has no balance. */
  closing?: Cents;
  lines: readonly Pick<StatementLine, 'date' | 'amount' | 'text' | 'bankId' | 'checkNumber'>[];
}

const HEADER = ['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', 'ENCODING:USASCII', 'CHARSET:1252', '', ''].join('\n');

const day = (date: IsoDate): string => date.replaceAll('-', '');
const leaf = (tag: string, value: string | undefined): string[] =>
  value === undefined || value === '' ? [] : [`<${tag}>${value}`];
const group = (tag: string, ...inner: string[]): string[] => [`<${tag}>`, ...inner, `</${tag}>`];
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Writes a bank statement as an OFX 1 file. The demo company stores files in this format, and tests import these files.
 */
export function writeOfx({ accountNumber, from, to, closing, lines }: WrittenStatement): string {
  const transactions = lines.flatMap(({ date, amount, text, bankId, checkNumber }) =>
    group(
      'STMTTRN',
      `<TRNTYPE>${amount < 0 ? 'DEBIT' : 'CREDIT'}`,
      `<DTPOSTED>${day(date)}120000`,
      `<TRNAMT>${toPlain(amount)}`,
      ...leaf('FITID', bankId),
      ...leaf('CHECKNUM', checkNumber),
      `<NAME>${escaped(text)}`,
    ),
  );
  const account = group('BANKACCTFROM', '<BANKID>021000021', `<ACCTID>${accountNumber}`, '<ACCTTYPE>CHECKING');
  const list = group('BANKTRANLIST', `<DTSTART>${day(from)}`, `<DTEND>${day(to)}`, ...transactions);
  const balance = closing === undefined ? [] : group('LEDGERBAL', `<BALAMT>${toPlain(closing)}`, `<DTASOF>${day(to)}`);
  const statement = group('STMTRS', '<CURDEF>USD', ...account, ...list, ...balance);
  return `${HEADER}${group('OFX', ...group('BANKMSGSRSV1', ...group('STMTTRNRS', ...statement))).join('\n')}\n`;
}
