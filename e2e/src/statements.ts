import { statementCalls } from '@evenkeel/contract/statements';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Api } from './api.ts';

/** A line of a bank's file; the amount is written as the bank does: `-64.18` went out. */
export interface FileLine {
  date: IsoDate;
  text: string;
  amount: string;
}

/** A bank's file with a row a line. */
export function statementFile(lines: readonly FileLine[]): string {
  const rows = lines.map(({ date, text, amount }) => `${date},"${text}",${amount}`);
  return ['Date,Description,Amount', ...rows].join('\n');
}

/** Imports a file for a bank account; answers the id of the statement. */
export async function addStatement(api: Api, bankAccountId: number, lines: readonly FileLine[]): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob([statementFile(lines)], { type: 'text/csv' }), 'checking.csv');
  const headers = { authorization: `Bearer ${api.token ?? ''}` };
  const answer = await fetch(`${api.url}/api/document`, { method: 'POST', headers, body });
  const { documentId } = (await answer.json()) as { documentId: number };
  return (await api.call(statementCalls.saveStatement, { body: { documentId, bankAccountId } })).id;
}
