// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { fakeNetwork, press, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { ExportCard } from './ExportCard.tsx';
import { FinancialModal } from './FinancialModal.tsx';

const saved = { settingName: 'closingDate', settingValue: '2026-03-31' };
beforeEach(() => signedIn());
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

it('the settings history covers all settings and loads when it is opened', async () => {
  const entry = {
    id: 5,
    at: '2026-05-01T10:00:00.000Z',
    userId: 1,
    person: 'Ada Admin',
    action: 'update',
    kind: 'setting',
    recordId: 9,
    title: 'closingDate',
    amount: null,
    reason: null,
    byKind: 'session',
    byName: '',
    changes: [{ field: 'Closing Date', before: null, after: '3/31/2026' }],
  };
  fakeNetwork({ 'GET /audit?limit=100&desc=true&kind=setting': [{ status: 200, body: [entry] }] });
  showWithData(
    <FinancialModal settings={[{ id: 9, rowVersion: 1, ...saved }]} accounts={[]} onClose={() => undefined} />,
  );
  const fold = screen.getByText('History').closest('details');
  expect(screen.queryByRole('list', { name: 'History' })).toBeNull();
  fold?.setAttribute('open', '');
  fireEvent(fold ?? document.body, new Event('toggle'));
  expect((await screen.findByRole('list', { name: 'History' })).textContent).toMatch(
    /Ada Admin.*Closing Date.*3\/31\/2026/,
  );
});

/** A file that arrives in pieces, controlled by the test. */
function slowFile() {
  let pieces: ReadableStreamDefaultController<Uint8Array> | undefined;
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string, { signal }: RequestInit) => {
    asked.push(address);
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (pieces = controller) });
    signal?.addEventListener('abort', () => pieces?.error(new DOMException('', 'AbortError')));
    return new Response(body);
  });
  return { asked, give: (text: string) => pieces?.enqueue(new TextEncoder().encode(text)), pieces: () => pieces };
}

function savedFiles(): { name: string; blob: Blob }[] {
  const files: { name: string; blob: Blob }[] = [];
  let last: Blob = new Blob();
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => ((last = blob), 'blob:file') }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push({ name: this.download, blob: last });
  });
  return files;
}

it('an export shows its progress, saves the complete file under its name, and can be canceled', async () => {
  const [file, files] = [slowFile(), savedFiles()];
  showWithData(<ExportCard />);
  await userEvent.click(screen.getByText('Beancount'));
  await userEvent.click(screen.getByText('Cash'));
  await userEvent.click(screen.getByLabelText('First Day'));
  await userEvent.paste('5/1/2026');
  await userEvent.click(screen.getByLabelText('Last Day'));
  await userEvent.paste('4/30/2026');
  expect(await screen.findByText('The last day (4/30/2026) is before the first day (5/1/2026)')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('Last Day'));
  await press('Export');
  expect(await screen.findByText('Preparing the file...')).toBeTruthy();
  file.give('; basis: cash\n'.repeat(100));
  expect(await screen.findByText('1.4 kB so far')).toBeTruthy();
  file.give('end');
  file.pieces()?.close();
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['Books cash 2026-05-01.beancount']));
  expect(files[0]?.blob.size).toBe(1403);
  expect(file.asked).toEqual(['/api/booksexport?format=beancount&basis=cash&from=2026-05-01']);
  await press('Export');
  await press('Cancel');
  await waitFor(() => expect(screen.queryByText('Cancel')).toBeNull());
  expect(files).toHaveLength(1);
});

it('an interrupted export saves nothing and shows an error', async () => {
  const [file, files] = [slowFile(), savedFiles()];
  showWithData(<ExportCard />);
  await press('Export');
  file.give('half');
  expect(await screen.findByText('4 bytes so far')).toBeTruthy();
  file.pieces()?.error(new TypeError('network error'));
  await waitFor(() => expect(screen.queryByText('4 bytes so far')).toBeNull());
  expect(files).toEqual([]);
});
