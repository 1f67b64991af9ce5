// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { signOut } from '../../client/session.ts';
import { anyServer } from '../../testing/server.ts';
import { show } from '../../testing/show.tsx';
import { type Answers, fakeNetwork, fill, press, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { ChargesCard } from './ChargesCard.tsx';
import { ExportCard, ProofCard } from './ExportCard.tsx';
import { MoneyPart, type MoneyPartProps } from './MoneyPart.tsx';
import { Pane } from './Pane.tsx';
import { RemindersCard } from './RemindersCard.tsx';
import { SettingsScreen } from './SettingsScreen.tsx';

const saved = { settingName: 'closingDate', settingValue: '2026-03-31' };
const terms = (settingValue: string, rowVersion = 1) => ({
  id: 10,
  settingName: 'termsDays',
  settingValue,
  rowVersion,
});

function Money({ settings, isEdited = false }: Pick<MoneyPartProps, 'settings'> & { isEdited?: boolean }) {
  const nothing = () => undefined;
  return <MoneyPart {...{ settings, isEdited }} accounts={[]} onEdit={nothing} onClose={nothing} />;
}

const bar = () => screen.queryByRole('region', { name: 'Unsaved Changes' });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
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
    canUndo: false,
    changes: [{ field: 'Closing Date', before: null, after: '3/31/2026' }],
  };
  fakeNetwork({ 'GET /audit?limit=100&desc=true&kind=setting': [{ status: 200, body: [entry] }] });
  showWithData(<Money settings={[{ id: 9, rowVersion: 1, ...saved }]} isEdited />);
  const fold = screen.getByText('History').closest('details');
  expect(screen.queryByRole('list', { name: 'History' })).toBeNull();
  fold?.setAttribute('open', '');
  fireEvent(fold ?? document.body, new Event('toggle'));
  expect((await screen.findByRole('list', { name: 'History' })).textContent).toMatch(
    /Ada Admin.*Closing Date.*3\/31\/2026/,
  );
});

it('the financial settings are read-only until Edit opens their form', async () => {
  const onEdit = vi.fn<() => void>();
  const useLocations = { id: 11, settingName: 'useLocations', settingValue: 'true', rowVersion: 1 };
  const settings = [terms('30'), useLocations, { id: 9, rowVersion: 1, ...saved }];
  showWithData(<MoneyPart {...{ settings, onEdit }} accounts={[]} isEdited={false} onClose={onEdit} />);
  const part = screen.getByRole('region', { name: 'Money' });
  const value = (label: string) => within(part).getByText(label).nextElementSibling?.textContent;
  expect(['Payment Terms (Days)', 'Use Locations', 'Fiscal Year Start Month', 'Closed Through'].map(value)).toEqual([
    '30',
    'Yes',
    'January',
    '3/31/2026',
  ]);
  expect(within(part).getByRole('link', { name: 'Month End' }).getAttribute('href')).toBe('/monthend');
  expect(within(part).queryByRole('textbox')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Edit Financial Info' }));
  expect(onEdit).toHaveBeenCalledOnce();
});

it('a save sends only the change, and keeps a setting that another user changed in the meantime', async () => {
  const body = [{ ...terms('45'), changed: false }];
  const network = fakeNetwork({ 'POST /customersettings': [{ status: 200, body }] });
  const client = makeQueryClient();
  const page = (...settings: MoneyPartProps['settings']) => (
    <QueryClientProvider client={client}>
      <Money settings={settings} isEdited />
    </QueryClientProvider>
  );
  const { rerender } = show(page(terms('30')));
  fill(field('Payment Terms (Days)'), '45');
  rerender(page(terms('30'), { id: 7, settingName: 'fyStartMonth', settingValue: '7', rowVersion: 2 }));
  expect(field('Fiscal Year Start Month').value).toBe('July');
  await press('Save');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes.map(({ body: sent }) => sent)).toEqual([
    [{ settingName: 'termsDays', settingValue: '45', changed: true, rowVersion: 1 }],
  ]);
});

it('a tab with an outdated setting can overwrite the new value only after loading it', async () => {
  const current = { customerSettingItems: [terms('60', 2)] };
  const stale = { code: 'stale', message: 'Someone else saved changes', requestId: '1', current };
  const network = fakeNetwork({
    'POST /customersettings': [
      { status: 409, body: stale },
      { status: 200, body: [terms('45', 3)] },
    ],
  });
  const client = makeQueryClient();
  const page = (...settings: MoneyPartProps['settings']) => (
    <QueryClientProvider client={client}>
      <Money settings={settings} isEdited />
    </QueryClientProvider>
  );
  const { rerender } = show(page(terms('30')));
  fill(field('Payment Terms (Days)'), '45');
  await press('Save');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  rerender(page(terms('60', 2)));
  await press('Save');
  await waitFor(() => expect(network.writes).toHaveLength(2));
  expect(network.writes.map(({ body: sent }) => sent)).toMatchObject([[{ rowVersion: 1 }], [{ rowVersion: 2 }]]);
});

it('an invalid setting is not saved and shows its message at its field', async () => {
  const network = fakeNetwork();
  showWithData(<Money settings={[terms('30')]} isEdited />);
  fill(field('Payment Terms (Days)'), 'x');
  await press('Save');
  expect(await screen.findByText('Please enter a number of days from 0 to 999')).toBeTruthy();
  expect(network.writes).toEqual([]);
});

it('settings open at the section of the record in the URL and stay there when the record closes', async () => {
  anyServer();
  showWithData(<SettingsScreen />, '/settings?paymenttype=1');
  const menu = await screen.findByRole('navigation', { name: 'Settings' });
  const current = () => menu.querySelector('[aria-current="page"]')?.textContent;
  expect(current()).toBe('Lists');
  await screen.findByLabelText('Name');
  await userEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(current()).toBe('Lists');
  expect(window.location.search).toBe('?tab=lists');
});

const REMINDERS = { isOn: false, steps: [], leftOut: [], next: [], tomorrow: '2026-05-02', rowVersion: 1 };
const CHARGES = {
  kind: 'rate',
  annualRate: 12,
  amount: 0,
  graceDays: 10,
  minimum: 0,
  accountId: 1,
  chargesCharges: false,
  leftOut: [],
  rowVersion: 1,
};
const reminderPart = (more: Answers = {}) => {
  const network = fakeNetwork({
    'GET /reminders': [{ status: 200, body: REMINDERS }],
    'GET /financechargesettings': [{ status: 200, body: CHARGES }],
    ...more,
  });
  const part = (
    <Pane label="Reminders and Charges">
      <RemindersCard />
      <ChargesCard />
    </Pane>
  );
  showWithData(part, '/settings?tab=reminders#charges');
  return network;
};

it('the save bar saves both forms of a section, and a form without changes is not sent', async () => {
  const reminders = { status: 200, body: { ...REMINDERS, isOn: true, rowVersion: 2 } };
  const charges = { status: 200, body: { ...CHARGES, graceDays: 5, rowVersion: 2 } };
  const network = reminderPart({
    'GET /reminders': [{ status: 200, body: REMINDERS }, reminders],
    'GET /financechargesettings': [{ status: 200, body: CHARGES }, charges],
    'PUT /reminders': [reminders],
    'PUT /financechargesettings': [charges],
  });
  await userEvent.click(await screen.findByRole('switch', { name: 'Send Reminders' }));
  fill(await screen.findByLabelText('Grace Period (Days)'), '5');
  expect(bar()?.textContent).toContain('2 changes: Send Reminders, Grace Period (Days)');
  fill(field('Grace Period (Days)'), '10');
  expect(bar()?.textContent).toContain('1 change: Send Reminders');
  fill(field('Grace Period (Days)'), '5');
  await press('Save');
  await waitFor(() => expect(bar()).toBeNull());
  expect(network.writes.map(({ path, body }) => [path, body])).toMatchObject([
    ['/reminders', { isOn: true, rowVersion: 1 }],
    ['/financechargesettings', { graceDays: 5, rowVersion: 1 }],
  ]);
});

it("after a conflict, the section offers both versions, and the other user's changes can be loaded", async () => {
  const current = { ...CHARGES, graceDays: 20, rowVersion: 2 };
  const stale = { code: 'stale', message: 'Someone else saved changes', requestId: '1', current };
  reminderPart({ 'PUT /financechargesettings': [{ status: 409, body: stale }] });
  fill(await screen.findByLabelText('Grace Period (Days)'), '5');
  await press('Save');
  await press(await screen.findByText('Load Their Changes').then(() => 'Load Their Changes'));
  expect(field('Grace Period (Days)').value).toBe('20');
});

it('opening the URL of a section moves the focus to that section', async () => {
  reminderPart();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Finance Charges' })));
});

it('the search finds a setting by its name and opens its section', async () => {
  anyServer();
  showWithData(<SettingsScreen />, '/settings');
  fill(await screen.findByLabelText('Search Settings...'), 'fiscal');
  await userEvent.click(await screen.findByRole('button', { name: 'Fiscal Year Start Month' }));
  expect(await screen.findByRole('region', { name: 'Money' })).toBeTruthy();
  expect(document.activeElement).not.toBe(document.body);
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
  await userEvent.click(screen.getByLabelText('Start Date'));
  await userEvent.paste('5/1/2026');
  await userEvent.click(screen.getByLabelText('End Date'));
  await userEvent.paste('4/30/2026');
  expect(await screen.findByText('The end date (4/30/2026) is before the start date (5/1/2026)')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('End Date'));
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

it('a proof export shows the public key and saves the file with the date in its name', async () => {
  signedIn();
  const files = savedFiles();
  vi.stubGlobal('fetch', async (address: string) =>
    address === '/api/booksproof/key' ? Response.json({ publicKey: 'ab12' }) : new Response('proof'),
  );
  showWithData(<ProofCard />);
  expect(await screen.findByText('ab12')).toBeTruthy();
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/verify.html', '/verify.mjs']);
  await press('Export Proof');
  await waitFor(() =>
    expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/^Proof \d{4}-\d\d-\d\d\.txt$/)]),
  );
});
