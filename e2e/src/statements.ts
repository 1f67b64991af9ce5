import { statementCalls } from '@evenkeel/contract/statements';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Api } from './api.ts';

/** A line in a bank's file, with the amount in the bank's format: `-64.18` is money out. */
export interface FileLine {
  date: IsoDate;
  text: string;
  amount: string;
}

/** Returns a bank's file with one row for each line. */
export function statementFile(lines: readonly FileLine[]): string {
  const rows = lines.map(({ date, text, amount }) => `${date},"${text}",${amount}`);
  return ['Date,Description,Amount', ...rows].join('\n');
}

/** Imports a file for a bank account. Returns the ID of the statement. */
export async function addStatement(api: Api, bankAccountId: number, lines: readonly FileLine[]): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob([statementFile(lines)], { type: 'text/csv' }), 'checking.csv');
  const headers = { authorization: `Bearer ${api.token ?? ''}` };
  const answer = await fetch(`${api.url}/api/document`, { method: 'POST', headers, body });
  const { documentId } = (await answer.json()) as { documentId: number };
  return (await api.call(statementCalls.saveStatement, { body: { documentId, bankAccountId } })).id;
}
