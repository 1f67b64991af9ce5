// @vitest-environment jsdom
import { setWidth } from '../../testing/setup.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Answer,
  type Answers,
  fakeNetwork,
  field,
  fill,
  press,
  type Sent,
  showWithData,
  signedIn,
} from '../billing/testing/answers.tsx';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import { ReportsScreen } from './ReportsScreen.tsx';

const ok = (body: unknown): Answer => ({ status: 200, body });
const SETTINGS = ok({
  customerSettingItems: [
    { id: 1, rowVersion: 1, settingName: 'reportingAccountingBasis', settingValue: '1' },
    { id: 2, rowVersion: 1, settingName: 'useProfitCenters', settingValue: 'true' },
  ],
});
const CENTERS = ok([{ profitcenterid: 4, profitcentername: 'North', active: true, rowVersion: 1 }]);

const PLACE = {
  address1: '',
  address2: '',
  city: '',
  state: '',
  county: '',
  country: '',
  postalCode: '',
  active: true,
  rowVersion: 1,
};

/** A response that is held back until the test releases it. */
function late(answer: Answer) {
  let come = (): void => undefined;
  const promise = new Promise<Answer>((resolve) => (come = () => resolve(answer)));
  return { promise, come: () => come() };
}

/** A server for a company on the cash basis with profit centers. The most recently used profit center is North. */
function server(answers: Answers): Sent[] {
  writeLocal('reportingReportPCID', '4');
  const report = { title: 'Profit & Loss', reportHeaderItems: [], reportSections: [], reportSummaries: [] };
  return fakeNetwork({ 'GET /profitcenters?inactive=true': [CENTERS], 'POST /reports/1': [ok(report)], ...answers })
    .writes;
}

/** Returns the parameters of each report run. */
const asked = (writes: Sent[]) =>
  writes.map(({ body }) => {
    const { reportParams } = body as { reportParams: { paramName: string; paramvalue: unknown }[] };
    const of = (name: string) => reportParams.find(({ paramName }) => paramName === name)?.paramvalue;
    return { basis: of('basis'), center: of('profitcenterid'), from: of('startdate'), to: of('reportdate') };
  });

const isByCash = () => screen.getByLabelText<HTMLInputElement>('Cash').checked;

beforeEach(() => signedIn());

it.each([1440, 390])(
  'if a report is selected before the settings load, it runs once the settings and filters have loaded: %s px',
  async (px) => {
    setWidth(px);
    const [settings, centers] = [late(SETTINGS), late(CENTERS)];
    const writes = server({
      'GET /customersettings': [settings.promise],
      'GET /profitcenters?inactive=true': [centers.promise],
    });
    showWithData(<ReportsScreen />);
    await press('Profit & Loss Statement');
    expect(screen.getByText('Loading data...')).toBeTruthy();
    settings.come();
    await waitFor(() => expect(isByCash()).toBe(true));
    expect(writes).toEqual([]);
    centers.come();
    await waitFor(() => expect(asked(writes)).toMatchObject([{ basis: 1, center: 4 }]));
  },
);

it('if two reports are selected before the settings load, both are opened', async () => {
  const settings = late(SETTINGS);
  const writes = server({ 'GET /customersettings': [settings.promise] });
  showWithData(<ReportsScreen />, '/reports?report=1_1_2026-01-01_2026-12-31_0_4_0');
  await press('Run');
  fireEvent.click(screen.getByLabelText('Cash'));
  await press('Run');
  settings.come();
  await waitFor(() => expect(document.querySelectorAll('[role="tab"]')).toHaveLength(3));
  await waitFor(() => expect(asked(writes).length).toBeGreaterThan(1));
});

it('if the settings fail to load, an error appears, and retrying runs the selected report', async () => {
  const failed = late({ status: 503, body: { code: 'unavailable', message: 'Away' } });
  const writes = server({ 'GET /customersettings': [failed.promise, SETTINGS] });
  showWithData(<ReportsScreen />);
  await press('Profit & Loss Statement');
  failed.come();
  await screen.findByText('Retry');
  await press('Retry');
  await waitFor(() => expect(asked(writes)).toMatchObject([{ basis: 1, center: 4 }]));
});

it('on a phone, if a field is changed before the settings load, the displayed report runs again', async () => {
  setWidth(390);
  const settings = late(SETTINGS);
  const writes = server({ 'GET /customersettings': [settings.promise] });
  showWithData(<ReportsScreen />, '/reports?report=1_1_2026-01-01_2026-12-31_0_4_0');
  await waitFor(() => expect(writes.length).toBe(1));
  fireEvent.click(screen.getByLabelText('Cash'));
  settings.come();
  await waitFor(() =>
    expect(asked(writes)).toMatchObject([
      { basis: 0, center: 4 },
      { basis: 1, center: 4 },
    ]),
  );
});

it('on a phone, a date that is entered while the report is running again is applied too', async () => {
  setWidth(390);
  const writes = server({ 'GET /customersettings': [SETTINGS] });
  showWithData(<ReportsScreen />, '/reports?report=1_8_2026-01-01_2026-12-31_0_4_0');
  await waitFor(() => expect(writes.length).toBe(1));
  await waitFor(() => expect(document.querySelector('.rp-filter')).toBeTruthy());
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const type = (label: string, text: string) => fill(field(label), text);
  type('Start Date', '2/1/2026');
  act(() => {
    vi.advanceTimersByTime(600);
    type('Report Date', '2/28/2026');
  });
  act(() => void vi.advanceTimersByTime(600));
  vi.useRealTimers();
  await waitFor(() => expect(asked(writes).at(-1)).toMatchObject({ from: '2026-02-01', to: '2026-02-28' }));
});

it.each([1440, 390])(
  'a statement without a customer asks for one and runs for the selected customer: %s px',
  async (px) => {
    setWidth(px);
    const report = { title: 'Statement', reportHeaderItems: [], reportSections: [], reportSummaries: [] };
    const writes = server({ 'GET /customersettings': [SETTINGS], 'POST /reports/105': [ok(report)] });
    showWithData(<ReportsScreen />, '/reports?report=105_8_2026-01-01_2026-05-31_1_0_0&active=0');
    await screen.findByRole('heading', { name: 'Choose a customer' });
    expect(screen.queryByText('Error loading data...')).toBeNull();
    const pane = within(screen.getByRole('tabpanel'));
    await userEvent.click(pane.getByRole('combobox', { name: 'Customer' }));
    await userEvent.click(await screen.findByRole('option', { name: /Oak Hollow/ }));
    await waitFor(() => expect(writes.map(({ path }) => path)).toEqual(['/reports/105']));
    const customer = { paramType: 0, paramName: 'customerid', paramvalue: 6 };
    const start = { paramType: 1, paramName: 'startdate', paramvalue: '2026-01-01' };
    expect(writes[0]?.body).toMatchObject({ reportParams: expect.arrayContaining([customer, start]) });
  },
);

const SHEET = '0_8_2026-01-01_2026-06-12_0_0_0';
const LAST_YEAR = '1_1_2025-01-01_2025-12-31_0_0_0';
const CUSTOM_RANGE = '1_8_2026-02-01_2026-02-28_1_0_0';

/** Returns a report with a line that opens entries, a line that opens a transaction, and a total. */
const LINES = [
  ['Checking', '40.00', { accountIds: [101] }],
  ['Invoice 7', '2.00', { accountIds: [], transactionId: 12 }],
] as const;

function reportOf(title: string, lines: readonly (readonly [string, string, object])[] = LINES) {
  const line = (label: string, amount: string, behind: object) => ({
    lineItems: [
      { itemText: label, isCurrency: false },
      { itemText: amount, isCurrency: true },
    ],
    source: { from: null, to: '2026-06-12', basis: 0, profitCenterId: null, locationId: null, ...behind },
  });
  const plain = { hasColumnHeaders: false, columnHeaders: [], hasColumnSummary: false, columnSummaryLines: [] };
  const shown = { displayHeader: true, displayFooter: true };
  const reportLines = lines.map((one) => line(...one));
  const blocks = [{ blockTitle: 'Bank', ...shown, total: 42, reportLines }];
  const sections = [{ title: 'Assets', totalTitle: '', total: 42, ...plain, ...shown, reportBlocks: blocks }];
  return ok({ title, reportHeaderItems: [], reportSections: sections, reportSummaries: [] });
}

const address = () => window.location.pathname + decodeURIComponent(window.location.search.replaceAll('+', ' '));
const back = () => act(() => window.history.back());
const panel = () => document.querySelector('aside');
const tabs = () => [...document.querySelectorAll('[role="tab"]')];
const figure = (text: string) => screen.findByText(text, { selector: '.rp-figure *, .rp-figure' });
const period = () => screen.getByRole('button', { name: /^Period / });
const dates = () => period().textContent.split(' – ');

it('the entries in a report as known at an earlier time are those of that time', async () => {
  const knownAt = '2026-05-15T09:00';
  const through = 7;
  const detail = { reportId: 103, only: { by: 'customer', id: 6 }, knownAt };
  const lines = [
    ['Current', '40.00', { accountIds: [], through, detail }],
    ['Total', '60.00', { accountIds: [138], through, entityId: 6, journals: 'without' }],
  ] as const;
  const writes = server({
    'GET /customersettings': [SETTINGS],
    'POST /reports/7': [reportOf('Customer Aging Report', lines)],
    'POST /reports/103': [reportOf('Customer Aging Detail')],
    'PUT /GeneralLedger/PostedItems': [ok({ items: [], count: 0, amount: 0 })],
  });
  showWithData(<ReportsScreen />, `/reports?report=7_8_2026-01-01_2026-06-12_0_0_0____${knownAt}`);
  await userEvent.click(await figure('40.00'));
  await screen.findByRole('table', { name: 'Customer Aging Detail' });
  const known = { paramType: 3, paramName: 'knownat', paramvalue: knownAt };
  expect(writes.at(-1)).toMatchObject({
    path: '/reports/103',
    body: { reportParams: expect.arrayContaining([known]) },
  });
  await userEvent.click(await figure('60.00'));
  await screen.findByText('No transactions make up this amount.');
  expect(writes.at(-1)?.body).toMatchObject({ accountIds: [138], through, entityId: 6, journals: 'without' });
});

function serverOfReports(): Sent[] {
  const answers = { 'POST /reports/0': [reportOf('Balance Sheet')], 'POST /reports/1': [reportOf('Profit & Loss')] };
  return server({ 'GET /customersettings': [SETTINGS], ...answers });
}

it('Back closes the transaction and then the entries panel, and leaves the report open', async () => {
  serverOfReports();
  showWithData(<ReportsScreen />, `/reports?report=${SHEET}`);
  fireEvent.click(await figure('40.00'));
  await waitFor(() => expect(panel()?.textContent).toContain('Entries in this amount'));
  expect(address()).toBe(`/reports?report=${SHEET}&figure=1 Checking`);
  fireEvent.click(await figure('2.00'));
  await screen.findByRole('dialog');
  expect(address()).toBe(`/reports?report=${SHEET}&figure=1 Checking&entry=12`);
  back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(panel()).not.toBeNull();
  back();
  await waitFor(() => expect(panel()).toBeNull());
  expect(address()).toBe(`/reports?report=${SHEET}`);
  expect(tabs()).toHaveLength(1);
});

it('a reload shows the report and its panel, or says that the amount is no longer in the report', async () => {
  serverOfReports();
  const { unmount } = showWithData(<ReportsScreen />, `/reports?report=${SHEET}&figure=1+Total+Bank`);
  // The panel keeps its space while the report loads.
  expect(panel()?.textContent).toContain('Total BankLoading...');
  await waitFor(() => expect(panel()?.textContent).toContain('Lines in this amount'));
  unmount();
  showWithData(<ReportsScreen />, `/reports?report=${SHEET}&figure=1+Cash`);
  await waitFor(() => expect(panel()?.textContent).toContain('This amount is no longer in the report.'));
});

it('opening another amount replaces the panel, and selecting another tab closes it', async () => {
  serverOfReports();
  showWithData(<ReportsScreen />, `/reports?report=${SHEET}&report=${CUSTOM_RANGE}`);
  fireEvent.click(await figure('40.00'));
  await waitFor(() => expect(panel()).not.toBeNull());
  fireEvent.click((await screen.findAllByText('42.00', { selector: '.rp-figure *, .rp-figure' }))[0] ?? document.body);
  await waitFor(() => expect(panel()?.textContent).toContain('Lines in this amount'));
  expect(address()).toContain('figure=1 Total Bank');
  fireEvent.click(tabs()[1] ?? document.body);
  await waitFor(() => expect(panel()).toBeNull());
  expect(address()).toBe(`/reports?report=${SHEET}&report=${CUSTOM_RANGE}&active=1`);
});

it('closing two tabs in one tick closes two reports, and a second click on a tab closes no other report', async () => {
  serverOfReports();
  showWithData(<ReportsScreen />, `/reports?report=${SHEET}&report=${CUSTOM_RANGE}&report=${LAST_YEAR}`);
  const close = (name: RegExp) => screen.getByLabelText(name, { selector: 'button' });
  const [sheet, custom] = [close(/^Close Balance Sheet/), close(/^Close Profit & Loss.* 2\/1\/2026/)];
  act(() => {
    fireEvent.click(custom);
    fireEvent.click(custom);
    fireEvent.click(sheet);
  });
  await waitFor(() => expect(address()).toBe(`/reports?report=${LAST_YEAR}`));
});

it('the toolbar shows the dates and basis of the displayed tab, not settings for another run', async () => {
  serverOfReports();
  showWithData(<ReportsScreen />, `/reports?report=${CUSTOM_RANGE}&report=${SHEET}`);
  await waitFor(() => expect(isByCash()).toBe(true));
  expect(dates()).toEqual(['2/1/2026', '2/28/2026']);
  fireEvent.click(screen.getByLabelText('Accrual'));
  await press('Run');
  await waitFor(() => expect(tabs()).toHaveLength(3));
  fireEvent.click(tabs()[0] ?? document.body);
  await waitFor(() => expect(isByCash()).toBe(true));
  expect(dates()).toEqual(['2/1/2026', '2/28/2026']);
});

it('a report for last year keeps its dates in the toolbar after a reload, as custom dates', async () => {
  serverOfReports();
  showWithData(<ReportsScreen />, `/reports?report=${LAST_YEAR}`);
  expect(dates()).toEqual(['1/1/2025', '12/31/2025']);
  fireEvent.click(period());
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Custom Dates').checked).toBe(true));
  expect(dates()).toEqual(['1/1/2025', '12/31/2025']);
});

describe('report list', () => {
  const stars = (name: string) => screen.getAllByLabelText<HTMLButtonElement>(`Favorite: ${name}`);
  const favorites = () => screen.queryByRole('region', { name: 'Favorites' })?.textContent;
  const starOf = (reportId: number) => ok([{ reportId, starred: true }]);

  it('the report list starts with its groups open, describes the reports, and finds and runs one of them', async () => {
    const writes = server({ 'GET /customersettings': [SETTINGS] });
    showWithData(<ReportsScreen />);
    const groups = [...document.querySelectorAll('.rp-groups details')];
    expect(groups[0]?.querySelector('summary')?.textContent).toBe('General Financial');
    expect(groups.filter((group) => !group.hasAttribute('open'))).toEqual([]);
    const run = screen.getByRole('button', { name: 'Profit & Loss Statement' });
    expect(document.getElementById(run.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Income and expenses over a period',
    );
    fill(screen.getByLabelText('Find a report...'), 'income period');
    await waitFor(() => expect(document.querySelectorAll('.rp-report')).toHaveLength(1));
    await press('Profit & Loss Statement');
    await waitFor(() => expect(asked(writes)).toHaveLength(1));
  });

  it('the report list is an accordion on a phone, with the first group open', () => {
    setWidth(390);
    server({});
    showWithData(<ReportsScreen />);
    const open = [...document.querySelectorAll('details')].map((group) => group.open);
    expect(open).toEqual(open.map((_, at) => at === 0));
    expect(open.length).toBeGreaterThan(2);
  });

  it('a starred report moves to the top immediately, and the star is reverted if the server rejects it', async () => {
    const refusal = late({ status: 503, body: { code: 'unavailable', message: 'Away' } });
    const writes = server({ 'GET /reportstars': [starOf(7)], 'PUT /reportstars/0': [refusal.promise] });
    showWithData(<ReportsScreen />);
    await waitFor(() => expect(favorites()).toContain('Customer Aging Report'));
    fireEvent.click(stars('Balance Sheet')[0] ?? document.body);
    await waitFor(() => expect(favorites()).toMatch(/Balance Sheet.*Customer Aging Report/));
    expect(writes.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PUT', '/reportstars/0', { starred: true }],
    ]);
    refusal.come();
    await waitFor(() => expect(favorites()).not.toContain('Balance Sheet'));
    expect(favorites()).toContain('Customer Aging Report');
  });

  it('two stars clicked in one tick are both sent, and the focus moves from a vanished star to its row', async () => {
    const [first, both] = [ok([]), ok([0, 7].map((reportId) => ({ reportId, starred: true })))];
    const writes = server({
      'GET /reportstars': [first, both, starOf(7)],
      'PUT /reportstars/0': [ok({ reportId: 0, starred: true }), ok({ reportId: 0, starred: false })],
      'PUT /reportstars/7': [starOf(7)],
    });
    showWithData(<ReportsScreen />);
    await waitFor(() => expect(stars('Balance Sheet')).toHaveLength(1));
    act(() => {
      fireEvent.click(stars('Balance Sheet')[0] ?? document.body);
      fireEvent.click(stars('Customer Aging Report')[0] ?? document.body);
    });
    await waitFor(() => expect(favorites()).toMatch(/Balance Sheet.*Customer Aging Report/));
    await waitFor(() => expect(writes.map(({ path }) => path)).toEqual(['/reportstars/0', '/reportstars/7']));
    const [leaving, staying] = stars('Balance Sheet');
    fireEvent.click(leaving ?? document.body);
    expect(document.activeElement).toBe(staying);
    await waitFor(() => expect(favorites()).not.toContain('Balance Sheet'));
    expect(staying?.getAttribute('aria-pressed')).toBe('false');
  });

  it('the URL opens the report list on top of open reports and keeps the dates selected there', async () => {
    serverOfReports();
    showWithData(<ReportsScreen />, `/reports?report=${SHEET}`);
    await figure('40.00');
    fireEvent.click(screen.getByLabelText('All Reports'));
    await waitFor(() => expect(address()).toBe(`/reports?report=${SHEET}&active=board`));
    expect(document.activeElement?.textContent).toBe('All Reports');
    expect(tabs().map((tab) => tab.getAttribute('aria-selected'))).toEqual(['false']);
    await waitFor(() => expect(isByCash()).toBe(true));
    fireEvent.click(period());
    fill(field('Start Date'), '2/1/2026');
    fill(field('Report Date'), '2/28/2026');
    expect(address()).toBe(`/reports?report=${SHEET}&active=board&when=8_2026-02-01_2026-02-28`);
    await press('Profit & Loss Statement');
    await waitFor(() =>
      expect(address()).toBe(`/reports?active=1&report=${SHEET}&report=1_8_2026-02-01_2026-02-28_1_4_0`),
    );
  });
});

describe('period of a report run', () => {
  it('the period comes from the URL or from the last preset, but never from the last custom dates', async () => {
    server({ 'GET /customersettings': [SETTINGS] });
    const { unmount } = showWithData(<ReportsScreen />, '/reports?when=8_2026-02-01_2026-02-28');
    expect(dates()).toEqual(['2/1/2026', '2/28/2026']);
    await userEvent.click(period());
    expect(screen.getByLabelText<HTMLInputElement>('Custom Dates').checked).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Last Quarter' }));
    expect(address()).toBe('/reports?when=5');
    expect(screen.queryByLabelText('Report Date')).toBeNull();
    await userEvent.click(period());
    fill(field('Report Date'), '2/14/2026');
    expect(address()).toMatch(/^\/reports\?when=8_.*_2026-02-14$/);
    unmount();
    showWithData(<ReportsScreen />, '/reports');
    expect(period().title).toBe('Last Quarter');
    expect(readLocal('reportingReportPeriod')).toBe('5');
  });

  it('a report runs with the location that was last selected on this device', async () => {
    const useLocations = { id: 3, rowVersion: 1, settingName: 'useLocations', settingValue: 'true' };
    const here = { ...PLACE, locationId: 7, locationName: 'Depot' };
    const writes = server({
      'GET /customersettings': [ok({ customerSettingItems: [useLocations] })],
      'GET /locations?inactive=true': [ok([here, { ...here, locationId: 8, locationName: 'Yard' }])],
    });
    writeLocal('reportingReportLocationID', '7');
    const located = () =>
      writes.map(({ body }) => {
        const { reportParams } = body as { reportParams: { paramName: string; paramvalue: unknown }[] };
        return reportParams.find(({ paramName }) => paramName === 'locationid')?.paramvalue;
      });
    showWithData(<ReportsScreen />);
    await press('Profit & Loss Statement');
    await waitFor(() => expect(located()).toEqual([7]));
    await userEvent.click(screen.getByRole('combobox', { name: 'Location' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Yard' }));
    await waitFor(() => expect(readLocal('reportingReportLocationID')).toBe('8'));
  });

  it('an as-of report has one date, and an aging report can use either the due date or the invoice date', async () => {
    const report = { title: 'Aging', reportHeaderItems: [], reportSections: [], reportSummaries: [] };
    const writes = server({ 'GET /customersettings': [SETTINGS], 'POST /reports/7': [ok(report)] });
    showWithData(<ReportsScreen />, '/reports?report=7_8_2026-01-01_2026-06-12_0_0_0');
    await waitFor(() => expect(writes).toHaveLength(1));
    expect(dates()).toEqual(['6/12/2026']);
    await userEvent.click(period());
    expect(screen.getByLabelText('Report Date')).toBeTruthy();
    expect(screen.queryByLabelText('Start Date')).toBeNull();
    fireEvent.click(screen.getByLabelText('Invoice date'));
    await press('Run');
    await waitFor(() => expect(address()).toContain('___invoicedate'));
    const ageby = { paramType: 3, paramName: 'ageby', paramvalue: 'invoicedate' };
    await waitFor(() => expect(writes.at(-1)?.body).toMatchObject({ reportParams: expect.arrayContaining([ageby]) }));
  });
});
