import { movingCalls } from '@evenkeel/contract/moving';
import { testCompany } from '../../packages/imports/src/testing/company.ts';
import { accountList, dialects } from '../../packages/imports/src/testing/dialects.ts';
import type { Style } from '../../packages/imports/src/testing/files.ts';
import type { Api } from './api.ts';

const STYLE: Style = {
  isWorkbook: true,
  encoding: 'utf-8',
  newline: '\n',
  parentheses: false,
  thousands: false,
  dates: 'mdy',
};

/** A file in the format that Playwright uploads. */
export interface NamedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Returns the Journal and the Account List of a random company, as QuickBooks Online has exported them since 2026. */
export function quickbooksFiles(transactions: number): NamedFile[] {
  const company = testCompany(7, transactions);
  const journal = dialects.find(({ name }) => name === 'QuickBooks Online Journal since 2026');
  if (journal === undefined) throw new Error('there is no Journal writer');
  return [...journal.write(company, STYLE), accountList(company, STYLE)].map(({ name, bytes }) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(bytes),
  }));
}

const STEP_MS = 100;

/** Starts an import with files and all answers, and runs its preview. Returns its ID. */
export async function addMoveIn(api: Api): Promise<number> {
  const { id } = await api.call(movingCalls.createMove, { body: { system: 'QuickBooks Online' } });
  const params = { id };
  for (const { name, buffer } of quickbooksFiles(40)) {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(buffer)]), name);
    const headers = { authorization: `Bearer ${api.token ?? ''}` };
    await fetch(`${api.url}/api/movein/${id}/file`, { method: 'POST', headers, body });
  }
  const ended = async () => {
    for (;;) {
      const { status } = await api.call(movingCalls.getMoveProgress, { params });
      if (!status.endsWith('ing')) return api.call(movingCalls.getMove, { params });
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  };
  const { rowVersion, accounts } = await ended();
  const choices = accounts.flatMap(({ key, name, confirmed, suggestion: { accountId, create } }) => {
    if (confirmed) return [];
    return accountId === null ? { key, create: create ?? { number: '', name, type: 'Expense' } } : { key, accountId };
  });
  await api.call(movingCalls.updateMove, { params, body: { rowVersion, history: { from: null }, accounts: choices } });
  await api.call(movingCalls.previewMove, { params });
  await ended();
  return id;
}
