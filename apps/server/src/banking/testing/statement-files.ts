import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, toPlain } from '@evenkeel/core/money';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import type { TestApp } from '../../testing/app.ts';
import { upload } from '../../testing/files.ts';

/** A line of a bank as a file of ours writes it; money in is positive, cents. */
export interface BankSays {
  date: IsoDate;
  amount: number;
  text: string;
  /** FITID; left out: none. */
  id?: string;
  check?: string;
}

const field = (name: string, value: string | undefined): string => (value === undefined ? '' : `<${name}>${value}\n`);

/** An OFX 1 file of one account, with the closing balance where it is given. */
export function ofx(
  lines: readonly BankSays[],
  { account = '000111222', closing }: { account?: string; closing?: number } = {},
) {
  const day = (date: IsoDate): string => date.replaceAll('-', '');
  const dates = lines.map(({ date }) => date).toSorted();
  const [from, to] = [dates[0] ?? addDays('2026-01-01' as IsoDate, 0), dates.at(-1) ?? ('2026-01-01' as IsoDate)];
  const all = lines.map(
    ({ date, amount, text, id, check }) => `<STMTTRN>
<TRNTYPE>${amount < 0 ? 'DEBIT' : 'CREDIT'}
<DTPOSTED>${day(date)}120000
<TRNAMT>${toPlain(amount as Cents)}
${field('FITID', id)}${field('CHECKNUM', check)}<NAME>${text}
</STMTTRN>`,
  );
  const ledger =
    closing === undefined ? '' : `<LEDGERBAL>\n<BALAMT>${toPlain(closing as Cents)}\n<DTASOF>${day(to)}\n</LEDGERBAL>`;
  return `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<BANKMSGSRSV1>
<STMTTRNRS>
<STMTRS>
<CURDEF>USD
<BANKACCTFROM>
<BANKID>021000021
<ACCTID>${account}
<ACCTTYPE>CHECKING
</BANKACCTFROM>
<BANKTRANLIST>
<DTSTART>${day(from)}
<DTEND>${day(to)}
${all.join('\n')}
</BANKTRANLIST>
${ledger}
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>
`;
}

/** A CSV file with the header of a bank. */
export function csv(lines: readonly BankSays[]): string {
  const rows = lines.map(({ date, amount, text }) => {
    const [year, month, day] = date.split('-');
    return `${month}/${day}/${year},"${text}",${toPlain(amount as Cents)}`;
  });
  return ['Date,Description,Amount', ...rows, ''].join('\n');
}

/** Imports a file over HTTP; its account number is confirmed. */
export async function importFile(
  t: TestApp,
  token: string,
  { bankAccountId, bytes, name = 'statement.ofx' }: { bankAccountId: number; bytes: string | Buffer; name?: string },
) {
  const { documentId } = await upload(t, token, { name, bytes });
  const body = { documentId, bankAccountId, accountNumberConfirmed: true };
  return t.call(calls.saveStatement, { token, body });
}
