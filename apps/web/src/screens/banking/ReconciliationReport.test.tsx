// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { anyServer } from '../../testing/server.ts';
import { showWithData, signedIn } from '../billing/testing/answers.tsx';
import { ReconciliationReport } from './ReconciliationReport.tsx';

beforeEach(() => signedIn());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  signOut();
});

it('a reconciliation can be exported as a PDF or CSV file and printed, like other reports', async () => {
  const server = anyServer();
  const files: string[] = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push(this.download);
  });
  showWithData(<ReconciliationReport id={1} Report={() => <article>Report</article>} onClose={() => undefined} />);
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    await userEvent.click(await screen.findByRole('menuitem', { name }));
  };
  await screen.findByText('Reconciliation ID 1');
  await choose('CSV');
  await choose('PDF');
  await waitFor(() => expect(files).toEqual(['1.csv', 'Reconciliation 1.pdf']));
  await choose('Print');
  await waitFor(() => expect(server.asked.get('GET /api/reconciliation/1/report/pdf')).toBe(2));
});
