import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { cents, toPlain } from '@evenkeel/core/money';
import { writeOfx } from '@evenkeel/statements/writeOfx';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import type { TestApp } from '../../../testing/app.ts';
import { upload } from '../../../testing/files.ts';

/** A bank transaction in a test file. Money in is positive, in cents. */
export interface BankSays {
  date: IsoDate;
  amount: number;
  text: string;
  /** The FITID. If undefined, the file has none. */
  id?: string;
  check?: string;
}

/** Returns an OFX 1 file for one account, with the closing balance if given. */
export function ofx(
  lines: readonly BankSays[],
  { account = '000111222', closing }: { account?: string; closing?: number } = {},
) {
  const dates = lines.map(({ date }) => date).toSorted();
  const [from, to] = [dates[0] ?? isoDate('2026-01-01'), dates.at(-1) ?? isoDate('2026-01-01')];
  return writeOfx({
    accountNumber: account,
    from,
    to,
    ...(closing === undefined ? {} : { closing: cents(closing) }),
    lines: lines.map(({ date, amount, text, id, check }) => ({
      date,
      amount: cents(amount),
      text,
      ...(id === undefined ? {} : { bankId: id }),
      ...(check === undefined ? {} : { checkNumber: check }),
    })),
  });
}

/** Returns a CSV file with a bank's header. */
export function csv(lines: readonly BankSays[]): string {
  const rows = lines.map(({ date, amount, text }) => {
    const [year, month, day] = date.split('-');
    return `${month}/${day}/${year},"${text}",${toPlain(cents(amount))}`;
  });
  return ['Date,Description,Amount', ...rows, ''].join('\n');
}

/** Imports a file over HTTP and confirms its account number. */
export async function importFile(
  t: TestApp,
  token: string,
  { bankAccountId, bytes, name = 'statement.ofx' }: { bankAccountId: number; bytes: string | Buffer; name?: string },
) {
  const { documentId } = await upload(t, token, { name, bytes });
  const body = { documentId, bankAccountId, accountNumberConfirmed: true };
  return t.call(calls.saveStatement, { token, body });
}
