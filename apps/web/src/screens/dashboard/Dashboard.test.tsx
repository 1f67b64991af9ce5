// @vitest-environment jsdom
import '../../testing/setup.ts';
import { type CardKey, CARDS, cardKeys, wholeLayout } from '@evenkeel/core/cards';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, fakeNetwork, type FakeNetwork, showWithData } from '../billing/testing/answers.tsx';
import { signIn, signOut, updateSession } from '../../client/session.ts';
import { useHasOthers, useOpens } from '../../app/shell/menu.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { Dashboard } from './Dashboard.tsx';
import { remember } from './useLayout.ts';

const day = '2026-05-20';
const asOf = { periodType: null, from: null, to: day, basis: 1 };
const inMay = { periodType: 0, from: '2026-05-01', to: day, basis: 1 };
const aging = (currentAmount: number, thirtyAmount: number) => ({
  currentAmount,
  thirtyAmount,
  sixtyAmount: 0,
  ninetyAmount: 0,
  totalAmount: currentAmount + thirtyAmount,
  averageDaysOutstanding: 27,
  ...asOf,
});
const expenses = {
  categories: [
    { categoryName: 'Subcontractors', total: 60 },
    { categoryName: 'Rent', total: 40 },
  ],
  total: 100,
};
const figures = {
  incomingMoney: aging(100, 20.5),
  outgoingMoney: aging(0, 0),
  revenue: {
    revenueAmount: 500,
    targetAmounts: [],
    target: { periodType: 0, amount: 400, computed: true },
    months: [{ month: '2026-05-01', amount: 500 }],
    ...inMay,
  },
  cashPositions: {
    items: [{ accountId: 101, label: 'Checking', amount: 70 }],
    total: 70,
    cardsOwed: { items: [], total: 0 },
    ...asOf,
  },
  expenseBreakdown: { ...expenses, ...inMay },
  revenueVsExpense: { revenue: 500, otherIncome: 0, totalExpense: 600, netProfitLoss: -100, categories: [], ...inMay },
  profitMargin: { pltype: 0, profitMarginPercent: 50, netProfitLoss: 250, income: 500, ...inMay },
  currentRatio: {
    currentRatio: 0.5,
    quickRatio: 0.25,
    currentAssets: 50,
    quickAssets: 25,
    currentLiabilities: 100,
    ...asOf,
  },
  returnOnAssets: {
    roaPercent: -3.5,
    netIncome: -100,
    averageAssets: 2857.14,
    openingAssets: 2857.14,
    closingAssets: 2857.14,
    ...inMay,
  },
};
const begun = { failed: [], firstSteps: [], waiting: [] };
const answer = (change: object = {}) => ({
  status: 200,
  body: { version: 'v1', dashboard: { layout: wholeLayout([]), cards: figures, ...begun, ...change } },
});
const unchanged = { status: 200, body: { version: 'v1', dashboard: null } };
const failed = (message: string) => ({ status: 500, body: { code: 'error', message, requestId: '1' } });

const Start = () => <Dashboard hasOthers={useHasOthers()} opens={useOpens()} />;

/** Opens the dashboard with a server that stores the layout that it receives. */
function open(more: Parameters<typeof fakeNetwork>[0] = {}): FakeNetwork & { reads: string[] } {
  const network = fakeNetwork({
    'GET /dashboard': [answer()],
    'GET /dashboard?version=v1': [unchanged],
    'PUT /dashboardcards': [{ status: 200, body: [] }],
    'GET /health/line': [{ status: 200, body: { off: 0, first: '', failedJobs: 0, checkedAt: null } }],
    ...more,
  });
  const reads: string[] = [];
  const plain = fetch;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (init.method === 'GET' && address !== '/api/health/line') reads.push(address);
    const reply = await plain(address, init);
    if (init.method === 'PUT' && address === '/api/dashboardcards' && reply.ok) {
      const layout = wholeLayout(JSON.parse(typeof init.body === 'string' ? init.body : '[]'));
      network.answers['GET /dashboard?version=v1'] = [answer({ layout })];
    }
    return reply;
  });
  showWithData(<Start />);
  return Object.assign(network, { reads });
}

beforeEach(() => {
  signIn({
    id: 7,
    token: 't',
    termsAccepted: true,
    initials: 'MV',
    email: 'mv@cedar.example',
    firstName: 'M',
    lastName: 'V',
    displayName: 'M V',
    companyId: 3,
    roleId: 1,
    userRole: 'Administrator',
    permissions: ['View Dashboard', 'View Reports', 'Manage Accounting'],
    setupCompleted: true,
  });
});
afterEach(() => {
  Reflect.deleteProperty(document, 'elementFromPoint');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  signOut();
  alerts.forget();
});

const cardOf = (key: CardKey) => screen.findByRole('region', { name: CARDS[key].title });
const shown = (): CardKey[] =>
  [...document.querySelectorAll<HTMLElement>('[data-card]')]
    .toSorted((a, b) => Number(a.style.order) - Number(b.style.order))
    .flatMap((card) => cardKeys.find((key) => key === card.dataset['card']) ?? []);
const savedLayouts = ({ writes }: FakeNetwork) =>
  writes.flatMap(({ path, body }) => (path === '/dashboardcards' ? [wholeLayout(Object(body))] : []));

describe('dashboard amounts', () => {
  it('shows nine cards with ratings in words and links to their reports', async () => {
    open();
    const money = within(await cardOf('incomingMoney'));
    expect(await money.findByText('27 days outstanding')).toBeTruthy();
    expect(money.getByText('$120.50')).toBeTruthy();
    for (const name of ['Incoming Money', 'Customer Aging Report']) {
      const address = '/reports?report=7_8_2026-05-20_2026-05-20_1_0_0';
      expect(money.getByRole('link', { name }).getAttribute('href')).toBe(address);
    }
    expect(money.getByText('20.50 overdue')).toBeTruthy();
    const bills = within(await cardOf('outgoingMoney')).getByRole('link', { name: 'Unpaid Bills' });
    expect(bills.getAttribute('href')).toBe('/reports?report=17_8_2026-05-20_2026-05-20_1_0_0');
    const revenue = within(await cardOf('revenue'));
    expect(revenue.getByRole('link', { name: 'Revenue' }).getAttribute('href')).toBe(
      '/reports?report=1_8_2026-05-01_2026-05-20_1_0_0',
    );
    expect(revenue.getByText('125.00% reached, $100.00 above')).toBeTruthy();
    expect(within(await cardOf('profitMargin')).getByText('Good, 20% or more')).toBeTruthy();
    expect(within(await cardOf('currentRatio')).getByText('Low, below 1')).toBeTruthy();
    expect(within(await cardOf('returnOnAssets')).getByText('Loss, below 0%')).toBeTruthy();
    expect(within(await cardOf('returnOnAssets')).getByText('−3.50%')).toBeTruthy();
    expect(within(await cardOf('revenueVsExpense')).getByText('Net loss')).toBeTruthy();
    const cash = within(await cardOf('cashPositions'));
    expect(cash.getByRole('link', { name: 'Checking' }).getAttribute('href')).toBe('/accounting?account=101');
    expect(shown()).toHaveLength(9);
  });

  it('shows the bank balance next to the book balance and links to 12 bank transactions for review', async () => {
    const items = [{ accountId: 101, label: 'Checking', amount: 70, bankBalance: 64.5, bankDate: '2026-05-19' }];
    const cashPositions = { ...figures.cashPositions, items, reviewCount: 12 };
    open({ 'GET /dashboard': [answer({ cards: { ...figures, cashPositions } })] });
    const cash = within(await cardOf('cashPositions'));
    expect(cash.getByTitle('Bank balance on 5/19/2026').textContent).toBe('Bank 64.50');
    const review = cash.getByRole('link', { name: '12 bank transactions to review' });
    expect(review.getAttribute('href')).toBe('/banking?tab=review');
  });

  it("rates a month's return on assets as an annual rate, as the tooltip says", async () => {
    const returnOf = (roaPercent: number) => ({
      ...figures,
      returnOnAssets: { ...figures.returnOnAssets, roaPercent },
    });
    open({ 'GET /dashboard': [answer({ cards: returnOf(1.2) })] });
    const good = await cardOf('returnOnAssets');
    // 1.20 % in 20 days of May is 21.9 % a year.
    expect(await within(good).findByText('Good, 20% a year or more')).toBeTruthy();
    expect(within(good).getByText('1.20%')).toBeTruthy();
    expect(good.querySelector('.db-meter')?.textContent).toBe('0%20% a year50%');
    await userEvent.hover(within(good).getByRole('button', { name: 'About Return on Assets' }));
    expect(await within(good).findByText(/the result is annualized/)).toBeTruthy();
    cleanup();
    open({ 'GET /dashboard': [answer({ cards: returnOf(1) })] });
    expect(await within(await cardOf('returnOnAssets')).findByText('Low, below 20% a year')).toBeTruthy();
  });

  it('shows the negative amounts of a company with losses', async () => {
    const cards = {
      ...figures,
      profitMargin: { ...figures.profitMargin, profitMarginPercent: null, netProfitLoss: -1900, income: -1900 },
      returnOnAssets: { ...figures.returnOnAssets, roaPercent: null, netIncome: -6900, averageAssets: -4250.55 },
      currentRatio: { ...figures.currentRatio, currentRatio: -12.5, quickRatio: -12.5, currentLiabilities: -4 },
    };
    open({ 'GET /dashboard': [answer({ cards })] });
    expect(await within(await cardOf('profitMargin')).findByText('Income is below zero')).toBeTruthy();
    const assets = await cardOf('returnOnAssets');
    expect(within(assets).getByText('Assets are below zero')).toBeTruthy();
    expect(assets.querySelector('.db-foot')?.textContent).toBe('$6,900.00 lost on ($4,250.55) of assets');
    expect(within(await cardOf('currentRatio')).getByText('Liabilities below 0')).toBeTruthy();
  });

  it("shows aging amounts in two rows if four amounts don't fit in one", async () => {
    const much = { ...aging(9_999_999.99, 9_999_999.99), ninetyAmount: 9_999_999.99, totalAmount: 29_999_999.97 };
    open({ 'GET /dashboard': [answer({ cards: { ...figures, incomingMoney: much } })] });
    await within(await cardOf('incomingMoney')).findByText('$29,999,999.97');
    const ages = async (key: CardKey) => (await cardOf(key)).querySelector('.db-ages')?.hasAttribute('data-wide');
    expect([await ages('incomingMoney'), await ages('outgoingMoney')]).toEqual([true, false]);
  });

  it('truncates a category to 12 characters only visually', async () => {
    open();
    const card = within(await cardOf('expenseBreakdown'));
    expect((await card.findByText('Subcontracto…')).getAttribute('aria-hidden')).toBe('true');
    expect(card.getByText('Subcontractors')).toBeTruthy();
    expect(card.getByText('Rent', { selector: '[aria-hidden]' })).toBeTruthy();
  });

  it('shows a billing user only one card and no report links', async () => {
    signIn({ ...JSON.parse(localStorage.getItem('user') ?? '{}'), permissions: ['View Dashboard', 'View Billing'] });
    open({ 'GET /dashboard': [answer({ cards: { incomingMoney: figures.incomingMoney } })] });
    expect(await within(await cardOf('incomingMoney')).findByText('$120.50')).toBeTruthy();
    expect(shown()).toEqual(['incomingMoney']);
    expect(screen.queryByRole('link')).toBeNull();
  });

  /** Selects a button whose content loads first. */
  const fetching = (button: HTMLElement) =>
    act(async () => {
      fireEvent.click(button);
      await import('./CardDrawer.tsx');
    });
  const source = (from: string | null) => {
    return { accountIds: [140, 143], from, to: day, basis: 1, profitCenterId: null, locationId: null };
  };
  const entry = {
    transactionID: 9,
    postingDate: '2026-05-06',
    description: 'Invoice 10001',
    debitAmount: null,
    creditAmount: 500,
    balance: null,
    accountID: 140,
    displayAccountLabel: 'Sales',
    profitcenterid: null,
    locationid: null,
    entityId: 4,
    entityName: 'Oak Hollow',
    basis: 0,
    sourceType: 'invoice',
    sourceId: 31,
    reverses: null,
    reversedBy: null,
    reconciliationId: null,
    glid: 1,
  };

  it('an amount opens its entries with a total, an entry opens its document, and Back closes them', async () => {
    signIn({
      ...JSON.parse(localStorage.getItem('user') ?? '{}'),
      permissions: ['View Dashboard', 'View Reports', 'View Billing'],
    });
    const parts = [{ name: 'revenue', label: 'Revenue', amount: 500, credit: true, source: source('2026-05-01') }];
    const { writes } = open({
      'PUT /accountingcard': [{ status: 200, body: { ...figures.revenue, parts } }],
      'PUT /GeneralLedger/FigureEntries': [{ status: 200, body: { items: [entry], next: null, amount: -500 } }],
    });
    await fetching(await within(await cardOf('revenue')).findByRole('button', { name: '$500.00' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Revenue' }));
    expect(await drawer.findByText('$500.00')).toBeTruthy();
    expect(drawer.getByText('5/1/2026 – 5/20/2026, cash basis')).toBeTruthy();
    expect(drawer.getByRole('link', { name: 'Invoice 10001' }).getAttribute('href')).toBe('/billing?invoice=31');
    expect(drawer.getByRole('row', { name: 'Total 500.00' })).toBeTruthy();
    expect(writes.find(({ path }) => path === '/GeneralLedger/FigureEntries')?.body).toEqual({
      accountIds: [140, 143],
      from: '2026-05-01',
      to: day,
      basis: 1,
    });
    await userEvent.click(drawer.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('a ratio opens its parts, which open their entries', async () => {
    const of = (name: string, label: string, amount: number, credit = false) => {
      return { name, label, amount, credit, source: source(null) };
    };
    const parts = [
      of('assets', 'Current assets', 50),
      of('quick', 'Quick assets', 25),
      of('liabilities', 'Current liabilities', 100, true),
    ];
    open({
      'PUT /accountingcard/currentratio': [{ status: 200, body: { ...figures.currentRatio, parts } }],
      'PUT /GeneralLedger/FigureEntries': [{ status: 200, body: { items: [entry], next: null, amount: 50 } }],
    });
    await fetching(await within(await cardOf('currentRatio')).findByRole('button', { name: '0.50' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Current Ratio' }));
    expect(drawer.queryByText('Quick assets')).toBeNull();
    await userEvent.click(await drawer.findByRole('button', { name: /^Current assets ?\$50.00$/ }));
    expect(await screen.findByText('as of 5/20/2026, cash basis')).toBeTruthy();
  });

  it('an amount owed opens the invoices of its aging column', async () => {
    const item = {
      sourceType: 'invoice',
      sourceId: 31,
      number: '10001',
      entityName: 'Oak Hollow',
      dated: '2026-04-01',
    };
    const items = [{ ...item, dueDate: '2026-05-01', daysPastDue: 19, days: 49, total: 99, openAmount: 20.5 }];
    const sums = { items, count: 1, total: 99, openAmount: 20.5, age: null };
    const { writes } = open({
      'PUT /billingreport': [{ status: 200, body: figures.incomingMoney }],
      'PUT /GeneralLedger/OpenItems': [{ status: 200, body: sums }],
    });
    await fetching(await within(await cardOf('incomingMoney')).findByRole('button', { name: '20.50' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Incoming Money, 1 to 30 days past due' }));
    expect(await drawer.findByText('$20.50')).toBeTruthy();
    expect(drawer.getByText('19 days overdue')).toBeTruthy();
    const asked = writes.find(({ path }) => path === '/GeneralLedger/OpenItems');
    expect(asked?.body).toMatchObject({ side: 'receivable', date: day, bucket: 1 });
  });

  it("the total owed opens the customers by age, then one customer's documents and statement", async () => {
    signIn({
      ...JSON.parse(localStorage.getItem('user') ?? '{}'),
      permissions: ['View Dashboard', 'View Reports', 'View Customers'],
    });
    const ages = { currentAmount: 0, thirtyAmount: 20.5, sixtyAmount: 0, ninetyAmount: 0 };
    const owing = [{ entityId: 4, entityName: 'Oak Hollow', ...ages, openAmount: 20.5, daysPastDue: 19 }];
    const journal = { entityId: null, entityName: 'Journal entries', ...ages, openAmount: 20.5, daysPastDue: null };
    const one = { items: [], count: 0, total: 0, openAmount: 0, age: null };
    const { writes } = open({
      'PUT /billingreport': [{ status: 200, body: figures.incomingMoney }],
      'PUT /GeneralLedger/Owing': [{ status: 200, body: { items: [...owing, journal], count: 2, openAmount: 41 } }],
      'PUT /GeneralLedger/OpenItems': [{ status: 200, body: one }],
    });
    await fetching(await within(await cardOf('incomingMoney')).findByRole('button', { name: '$120.50' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Incoming Money' }));
    const [, row] = await drawer.findAllByRole('row');
    expect(row?.textContent).toMatch(/^Oak Hollow19 days overdue20.50.*20.50.*Statement$/);
    expect(drawer.getByRole('link', { name: 'Oak Hollow' }).getAttribute('href')).toBe('/customers/4');
    expect(drawer.getAllByRole('button', { name: /^Statement for / })).toHaveLength(1);
    await userEvent.click(drawer.getByRole('button', { name: '20.50' }));
    expect(await screen.findByRole('dialog', { name: 'Incoming Money, of one customer' })).toBeTruthy();
    const asked = writes.find(({ path }) => path === '/GeneralLedger/OpenItems');
    expect(asked?.body).toEqual({ side: 'receivable', date: day, entityId: 4, after: 0 });
  });

  it('an average age opens the documents with their days, and an overdue amount opens its documents', async () => {
    const item = { sourceType: 'invoice', sourceId: 31, number: '10001', entityName: 'Oak Hollow' };
    const dated = { dated: '2026-04-23', dueDate: '2026-05-01', daysPastDue: 19, days: 27 };
    const items = [{ ...item, ...dated, total: 99, openAmount: 20.5 }];
    const age = { days: 27, weight: 20.5, dollarDays: 553.5 };
    const { writes } = open({
      'PUT /billingreport': [{ status: 200, body: figures.incomingMoney }],
      'PUT /GeneralLedger/OpenItems': [{ status: 200, body: { items, count: 1, total: 99, openAmount: 20.5, age } }],
    });
    const card = within(await cardOf('incomingMoney'));
    await fetching(await card.findByRole('button', { name: '27 days outstanding' }));
    const days = within(await screen.findByRole('dialog', { name: 'Incoming Money, days outstanding' }));
    expect(await days.findByText('27 days')).toBeTruthy();
    expect(days.getByText(/add up to 553.50, divided by the total open balance of \$20.50/)).toBeTruthy();
    expect(days.getByText('27 days ago')).toBeTruthy();
    await userEvent.click(days.getByRole('button', { name: 'Close' }));
    await userEvent.click(card.getByRole('button', { name: '20.50 overdue' }));
    const late = within(await screen.findByRole('dialog', { name: 'Incoming Money, overdue' }));
    expect(await late.findByText('$20.50')).toBeTruthy();
    const asked = writes.filter(({ path }) => path === '/GeneralLedger/OpenItems').map(({ body }) => body);
    expect(asked).toMatchObject([{ date: day }, { date: day, overdue: true }]);
  });

  it('selecting an amount on another card replaces the open details', async () => {
    open({
      'PUT /accountingcard': [{ status: 200, body: figures.revenue }],
      'PUT /accountingcard/expensebreakdown': [{ status: 200, body: figures.expenseBreakdown }],
    });
    const share = within(await cardOf('expenseBreakdown')).getByRole('button', { name: '60%' });
    await fetching(within(await cardOf('revenue')).getByRole('button', { name: '125.00% reached, $100.00 above' }));
    await screen.findByRole('dialog', { name: 'Revenue and target' });
    fireEvent.click(share);
    expect(await screen.findByRole('dialog', { name: 'Share for Subcontractors' })).toBeTruthy();
  });

  it('a revenue target opens its periods, its progress opens both amounts, and a share opens its parts', async () => {
    const lastYear = { ...source('2025-05-01'), to: '2025-05-31' };
    const earlier = [{ name: 'earlier-0', label: '5/1/2025 – 5/31/2025', amount: 400, credit: true, source: lastYear }];
    const parts = [{ name: 'revenue', label: 'Revenue', amount: 500, credit: true, source: source('2026-05-01') }];
    const behind = source('2026-05-01');
    const categories = expenses.categories.map((one) => ({ ...one, source: behind }));
    const all = [{ name: 'total', label: 'Expenses', amount: 100, credit: false, source: behind }];
    const { writes } = open({
      'PUT /accountingcard': [{ status: 200, body: { ...figures.revenue, parts, earlier } }],
      'PUT /accountingcard/expensebreakdown': [
        { status: 200, body: { ...figures.expenseBreakdown, categories, parts: all } },
      ],
      'PUT /GeneralLedger/FigureEntries': [{ status: 200, body: { items: [entry], next: null, amount: -400 } }],
    });
    const card = within(await cardOf('revenue'));
    await fetching(await card.findByRole('button', { name: '125.00% reached, $100.00 above' }));
    const both = within(await screen.findByRole('dialog', { name: 'Revenue and target' }));
    expect(await both.findByRole('button', { name: /^Revenue ?\$500.00$/ })).toBeTruthy();
    await userEvent.click(both.getByRole('button', { name: /^Expected ?\$400.00$/ }));
    const made = within(await screen.findByRole('dialog', { name: 'Expected revenue' }));
    expect(made.getByText('revenue for the same period a year earlier')).toBeTruthy();
    await userEvent.click(made.getByRole('button', { name: /^5\/1\/2025 – 5\/31\/2025/ }));
    const entries = within(await screen.findByRole('dialog', { name: 'Revenue 5/1/2025 – 5/31/2025' }));
    expect(await entries.findByText('$400.00')).toBeTruthy();
    const asked = writes.find(({ path }) => path === '/GeneralLedger/FigureEntries');
    expect(asked?.body).toMatchObject({ from: '2025-05-01', to: '2025-05-31' });
    await userEvent.click(entries.getByRole('button', { name: 'Close' }));
    await userEvent.click(within(await cardOf('expenseBreakdown')).getByRole('button', { name: '60%' }));
    const share = within(await screen.findByRole('dialog', { name: 'Share for Subcontractors' }));
    expect(await share.findByText('60.00%')).toBeTruthy();
    expect(share.getByRole('button', { name: /^Subcontractors ?\$60.00$/ })).toBeTruthy();
    expect(share.getByRole('button', { name: /^Expenses ?\$100.00$/ })).toBeTruthy();
  });

  it('reloads every minute and renders nothing again if nothing changed', async () => {
    vi.useFakeTimers();
    const { reads } = open();
    await act(() => vi.advanceTimersByTimeAsync(500));
    const money = document.querySelector('[data-card="incomingMoney"]');
    expect(money?.textContent).toContain('$120.50');
    const changes: MutationRecord[] = [];
    const watch = new MutationObserver((records) => changes.push(...records));
    watch.observe(document.querySelector('.db-cards') ?? document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    await act(() => vi.advanceTimersByTimeAsync(59_000));
    expect(reads).toEqual(['/api/dashboard']);
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(reads).toEqual(['/api/dashboard', '/api/dashboard?version=v1']);
    expect(changes).toEqual([]);
    watch.disconnect();
  });

  it('shows an error only on a card that failed, and Retry loads it', async () => {
    const { revenue, ...cards } = figures;
    const one = { key: 'revenue', code: 'internal', message: 'No disk' };
    let heal: (() => void) | undefined;
    const { answers, reads, writes } = open({ 'GET /dashboard': [answer({ cards, failed: [one] })] });
    const card = within(await cardOf('revenue'));
    expect(await card.findByText('Error! No disk')).toBeTruthy();
    expect(screen.getAllByText(/^Error!/)).toHaveLength(1);
    expect(within(await cardOf('incomingMoney')).getByText('$120.50')).toBeTruthy();
    expect(document.querySelectorAll('[aria-busy="true"]')).toHaveLength(0);
    // If nothing changed, the error stays.
    const waiting = new Promise<void>((resolve) => (heal = resolve));
    const plain = fetch;
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      await waiting;
      return plain(address, init);
    });
    await userEvent.click(card.getByRole('button', { name: 'Retry' }));
    expect((await cardOf('revenue')).getAttribute('aria-busy')).toBe('true');
    expect(document.querySelectorAll('[aria-busy="true"]')).toHaveLength(1);
    heal?.();
    await waitFor(async () => expect((await cardOf('revenue')).getAttribute('aria-busy')).toBe('false'));
    expect(card.getByText('Error! No disk')).toBeTruthy();
    answers['GET /dashboard?version=v1'] = [answer({ cards: { ...cards, revenue } })];
    await userEvent.click(card.getByRole('button', { name: 'Retry' }));
    expect(await card.findByText('$500.00')).toBeTruthy();
    expect(reads).toHaveLength(3);
    expect(writes).toEqual([]);
  });

  it('loads a failed card separately when another period is selected', async () => {
    const { expenseBreakdown, ...cards } = figures;
    const one = { key: 'expenseBreakdown', code: 'internal', message: 'No disk' };
    const inYear = { ...expenseBreakdown, periodType: 1, from: '2026-01-01' };
    open({
      'GET /dashboard': [answer({ cards, failed: [one] })],
      'PUT /accountingcard/expensebreakdown': [{ status: 200, body: inYear }],
      'PUT /dashboardcards': [failed('No disk')],
    });
    const card = within(await cardOf('expenseBreakdown'));
    await card.findByText('Error! No disk');
    fireEvent.change(card.getByRole('combobox'), { target: { value: '1' } });
    expect(await card.findByText('Subcontracto…')).toBeTruthy();
    expect(card.queryByText('Error! No disk')).toBeNull();
  });

  it('reloads the amounts when the connection is restored', async () => {
    const { reads } = open({ 'GET /dashboard': [failed('No disk'), answer()] });
    const money = within(await cardOf('incomingMoney'));
    await money.findByText('Error! No disk');
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await money.findByText('$120.50')).toBeTruthy();
    expect(reads).toHaveLength(2);
  });

  it("shows an error and Retry on each card if the dashboard can't be loaded", async () => {
    open({ 'GET /dashboard': [failed('No disk'), answer()] });
    const money = within(await cardOf('incomingMoney'));
    expect(await money.findByText('Error! No disk')).toBeTruthy();
    expect(screen.getAllByText('Error! No disk')).toHaveLength(9);
    await userEvent.click(money.getByRole('button', { name: 'Retry' }));
    expect(await money.findByText('$120.50')).toBeTruthy();
    expect(screen.queryByText('Error! No disk')).toBeNull();
  });
});

describe('the dashboard layout', () => {
  it('the layout is rendered from this device before the server responds', async () => {
    remember({
      layout: wholeLayout([{ key: 'revenue', visible: true, order: 1, settings: [] }]),
      firstSteps: [],
      waiting: [],
    });
    open({ 'GET /dashboard': [failed('No disk')] });
    expect(shown()[0]).toBe('revenue');
    expect(screen.getByRole('status').textContent).toBe('Loading...');
    expect(await screen.findAllByText('Error! No disk')).toHaveLength(9);
  });

  it('hides a closed card, restores it with its checkbox or Reset cards, and saves each change', async () => {
    const network = open();
    await cardOf('revenue');
    await userEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    expect(shown()).not.toContain('revenue');
    await waitFor(() => expect(savedLayouts(network).at(-1)?.[2]).toMatchObject({ key: 'revenue', visible: false }));
    await userEvent.click(screen.getByRole('button', { name: 'Cards' }));
    const list = within(await screen.findByRole('dialog', { name: 'Cards' }));
    expect(list.getAllByRole('checkbox')).toHaveLength(9);
    await userEvent.click(list.getByRole('checkbox', { name: 'Cash Positions' }));
    expect(shown()).not.toContain('cashPositions');
    await userEvent.click(list.getByRole('button', { name: 'Move Outgoing Money up' }));
    expect(shown()[0]).toBe('outgoingMoney');
    await userEvent.click(list.getByRole('button', { name: 'Reset cards' }));
    expect(shown()).toEqual(cardKeys);
    await waitFor(() => expect(savedLayouts(network).at(-1)).toEqual(wholeLayout([])));
  });

  it('reorders cards with the arrow keys on a grip, which keeps the focus and announces the position', async () => {
    const network = open();
    await cardOf('revenue');
    const grip = () => screen.getByRole('button', { name: 'Move Revenue' });
    grip().focus();
    await userEvent.keyboard('{ArrowLeft}');
    await waitFor(() => expect(shown().slice(0, 3)).toEqual(['incomingMoney', 'revenue', 'outgoingMoney']));
    expect(document.activeElement).toBe(grip());
    expect(screen.getByText('Revenue is now 2 of 9')).toBeTruthy();
    await userEvent.keyboard('{End}');
    await waitFor(() => expect(shown().at(-1)).toBe('revenue'));
    await waitFor(() => {
      const last = savedLayouts(network).at(-1);
      expect(last?.at(-1)).toMatchObject({ key: 'revenue', order: 9 });
    });
  });

  it('applies changes from another tab immediately and adds its own changes to them', async () => {
    const network = open();
    await cardOf('revenue');
    const closed = (keys: CardKey[]) => wholeLayout([]).map((card) => ({ ...card, visible: !keys.includes(card.key) }));
    act(() => {
      remember({ layout: closed(['revenue']), firstSteps: [], waiting: [] });
      window.dispatchEvent(new StorageEvent('storage', { key: '3.7:dashboardCards' }));
    });
    expect(shown()).not.toContain('revenue');
    await userEvent.click(screen.getByRole('button', { name: 'Close Cash Positions' }));
    await waitFor(() => expect(savedLayouts(network).at(-1)).toEqual(closed(['revenue', 'cashPositions'])));
  });

  it("a layout that can't be saved stays on the screen and shows an error", async () => {
    open({ 'PUT /dashboardcards': [failed('No disk')] });
    await cardOf('revenue');
    await userEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    await waitFor(() => expect(alerts.state().shown.map(({ text }) => text)).toHaveLength(1));
    expect(shown()).not.toContain('revenue');
  });

  it('a rejected layout is reverted with one error and not sent again', async () => {
    vi.useFakeTimers();
    const refused = { status: 422, body: { code: 'rule', message: 'No such card', requestId: '1' } };
    const network = open({ 'PUT /dashboardcards': [refused] });
    await act(() => vi.advanceTimersByTimeAsync(500));
    fireEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    expect(shown()).not.toContain('revenue');
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(shown()).toContain('revenue');
    const told = 'Your cards could not be saved, so nothing changed: No such card';
    expect(alerts.state().past.map(({ text }) => text)).toEqual([told]);
    expect(localStorage.getItem('3.7:dashboardCards')).not.toContain('"visible":false');
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect(savedLayouts(network)).toHaveLength(1);
    expect(alerts.state().past).toHaveLength(1);
  });

  it('a layout lost without a connection is saved as soon as the connection is restored', async () => {
    const network = open({ 'PUT /dashboardcards': ['silence', { status: 200, body: [] }] });
    await cardOf('revenue');
    await userEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    await waitFor(() => expect(alerts.state().shown.map(({ text }) => text)).toHaveLength(1));
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(savedLayouts(network)).toHaveLength(2));
    expect(shown()).not.toContain('revenue');
  });

  it('a layout that could not be saved is saved with the next refresh, with one error message', async () => {
    vi.useFakeTimers();
    const network = open({ 'PUT /dashboardcards': [failed('No disk'), failed('No disk'), { status: 200, body: [] }] });
    await act(() => vi.advanceTimersByTimeAsync(500));
    fireEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(savedLayouts(network)).toHaveLength(1);
    expect(alerts.state().past).toHaveLength(1);
    for (const tries of [2, 3, 3]) {
      await act(() => vi.advanceTimersByTimeAsync(60_000));
      expect(savedLayouts(network)).toHaveLength(tries);
    }
    expect(savedLayouts(network).at(-1)?.[2]).toMatchObject({ key: 'revenue', visible: false });
    expect(shown()).not.toContain('revenue');
    expect(alerts.state().past).toHaveLength(1);
  });
});

/** Sends a pointer event, at the current time or at the given one. */
function pointer(type: string, { pointerId = 1, at = performance.now(), ...more }: PointerEventInit & { at?: number }) {
  const event = new PointerEvent(type, { bubbles: true, button: 0, isPrimary: pointerId === 1, pointerId, ...more });
  Object.defineProperty(event, 'timeStamp', { value: at });
  return event;
}
/** Moves the pointer over a card, which jsdom can't find by position. */
function over(key: CardKey | undefined, more: Parameters<typeof pointer>[1] = {}): void {
  const card = key === undefined ? null : document.querySelector(`[data-card="${key}"]`);
  document.elementFromPoint = () => card;
  act(() => void window.dispatchEvent(pointer('pointermove', { clientX: 5, clientY: 5, ...more })));
}
const headOf = (key: CardKey) => document.querySelector(`[data-card="${key}"] .db-head`) ?? document.body;
const pressOn = (key: CardKey, more: Parameters<typeof pointer>[1] = {}) => {
  act(() => void headOf(key).dispatchEvent(pointer('pointerdown', more)));
};
const release = (more: Parameters<typeof pointer>[1] = {}) =>
  act(() => void window.dispatchEvent(pointer('pointerup', more)));

describe('dragging a card', () => {
  beforeEach(async () => {
    vi.useFakeTimers();
    open();
    await act(() => vi.advanceTimersByTimeAsync(500));
  });

  it('a drag starts only after the press was held for 200 ms', async () => {
    pressOn('revenue');
    await act(() => vi.advanceTimersByTimeAsync(199));
    over('incomingMoney');
    expect(shown()[0]).toBe('incomingMoney');
    release();
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });

  it('a drag reorders cards without moving elements in the DOM, and ends with the press', async () => {
    pressOn('revenue');
    await act(() => vi.advanceTimersByTimeAsync(200));
    const elements = [...document.querySelectorAll('[data-card]')];
    over('incomingMoney');
    expect(shown().slice(0, 3)).toEqual(['revenue', 'incomingMoney', 'outgoingMoney']);
    expect([...document.querySelectorAll('[data-card]')]).toEqual(elements);
    over('revenue');
    over('outgoingMoney');
    expect(shown().slice(0, 3)).toEqual(['incomingMoney', 'outgoingMoney', 'revenue']);
    release();
    over('returnOnAssets');
    expect(shown().slice(0, 3)).toEqual(['incomingMoney', 'outgoingMoney', 'revenue']);
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });

  it('Escape cancels a drag and restores the order', async () => {
    pressOn('revenue');
    await act(() => vi.advanceTimersByTimeAsync(200));
    over('returnOnAssets');
    expect(shown().at(-1)).toBe('revenue');
    fireEvent.keyDown(window, { key: 'Escape' });
    expect(shown()).toEqual(cardKeys);
  });

  it('a drag measures the hold by event times, even if the page was busy', async () => {
    pressOn('revenue', { pointerType: 'touch', at: 1000 });
    over('incomingMoney', { pointerType: 'touch', clientY: 40, at: 1201 });
    expect(shown()[0]).toBe('revenue');
    release();
  });

  it("a drag doesn't start if the finger moves first, which scrolls instead", async () => {
    pressOn('revenue', { pointerType: 'touch', at: 1000 });
    over('incomingMoney', { pointerType: 'touch', clientY: 40, at: 1199 });
    await act(() => vi.advanceTimersByTimeAsync(500));
    over('outgoingMoney', { pointerType: 'touch', clientY: 90, at: 1600 });
    expect(shown()).toEqual(cardKeys);
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });

  it('a drag follows only the finger that started it', async () => {
    pressOn('revenue', { pointerType: 'touch' });
    await act(() => vi.advanceTimersByTimeAsync(200));
    over('incomingMoney', { pointerType: 'touch', pointerId: 2 });
    expect(shown()[0]).toBe('incomingMoney');
    release({ pointerType: 'touch', pointerId: 2 });
    over('outgoingMoney', { pointerType: 'touch' });
    expect(shown()[1]).toBe('revenue');
    release({ pointerType: 'touch' });
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });

  it("a drag doesn't start on a button", async () => {
    fireEvent.pointerDown(screen.getByRole('button', { name: 'Close Revenue' }), { button: 0, isPrimary: true });
    await act(() => vi.advanceTimersByTimeAsync(300));
    expect(document.querySelector('[data-dragged]')).toBeNull();
  });
});

describe('the period of a card', () => {
  const inYear = { periodType: 1, from: '2026-01-01', to: day, basis: 1 };

  it('a new period is loaded by the card’s own call 200 ms after the last change, and saved', async () => {
    vi.useFakeTimers();
    const network = open({
      'PUT /accountingcard/expensebreakdown': [{ status: 200, body: { categories: [], total: 0, ...inYear } }],
    });
    await act(() => vi.advanceTimersByTimeAsync(500));
    const select = screen.getByRole('combobox', { name: 'Period for Expense Breakdown' });
    expect(select).toHaveProperty('value', '0');
    const asked = () => network.writes.filter(({ path }) => path === '/accountingcard/expensebreakdown');
    fireEvent.change(select, { target: { value: '3' } });
    await act(() => vi.advanceTimersByTimeAsync(150));
    fireEvent.change(select, { target: { value: '1' } });
    await act(() => vi.advanceTimersByTimeAsync(199));
    expect(asked()).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(300));
    expect(asked().map(({ body }) => Object(body).reportParams)).toEqual([
      [
        { paramType: 1, paramName: 'reportdate', paramvalue: expect.stringMatching(/^\d{1,2}\/\d{1,2}\/\d{4}$/) },
        { paramType: 3, paramName: 'periodType', paramvalue: 1 },
        { paramType: 3, paramName: 'pltype', paramvalue: 0 },
      ],
    ]);
    await act(() => vi.advanceTimersByTimeAsync(300));
    expect(screen.getByText('No expenses in this period')).toBeTruthy();
    const settings = [{ settingName: 'periodType', settingValue: '1' }];
    expect(savedLayouts(network).at(-1)?.[4]).toMatchObject({ key: 'expenseBreakdown', settings });
  });

  it('a period with custom dates is loaded with those dates and saved', async () => {
    const own = {
      ...figures.expenseBreakdown,
      periodType: 8,
      from: '2025-02-01',
      to: '2025-03-05',
      total: 0,
      categories: [],
    };
    const { writes } = open({ 'PUT /accountingcard/expensebreakdown': [{ status: 200, body: own }] });
    const card = within(await cardOf('expenseBreakdown'));
    const select = await card.findByRole('combobox', { name: 'Period for Expense Breakdown' });
    await act(async () => {
      fireEvent.change(select, { target: { value: '8' } });
      await import('./CustomPeriod.tsx');
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Period for Expense Breakdown' }));
    const [start, end] = [
      dialog.getByRole('textbox', { name: 'Start Date' }),
      dialog.getByRole('textbox', { name: 'End Date' }),
    ];
    fireEvent.change(start, { target: { value: '3/6/2025' } });
    fireEvent.change(end, { target: { value: '3/5/2025' } });
    await userEvent.click(dialog.getByRole('button', { name: 'Show' }));
    expect(await dialog.findByText('The end date must be on or after the start date')).toBeTruthy();
    fireEvent.change(start, { target: { value: '2/1/2025' } });
    await userEvent.click(dialog.getByRole('button', { name: 'Show' }));
    expect(await card.findByText('No expenses in this period')).toBeTruthy();
    expect(card.getByText('2/1/25 – 3/5/25')).toBeTruthy();
    const asked = writes.find(({ path }) => path === '/accountingcard/expensebreakdown');
    expect(Object(asked?.body).reportParams.slice(0, 2)).toEqual([
      { paramType: 1, paramName: 'startdate', paramvalue: '2/1/2025' },
      { paramType: 1, paramName: 'reportdate', paramvalue: '3/5/2025' },
    ]);
    const settings = [
      { settingName: 'periodType', settingValue: '8' },
      { settingName: 'startDate', settingValue: '2025-02-01' },
      { settingName: 'endDate', settingValue: '2025-03-05' },
    ];
    expect(writes.find(({ path }) => path === '/dashboardcards')?.body).toContainEqual({
      key: 'expenseBreakdown',
      visible: true,
      order: 5,
      settings,
    });
  });

  it('a period that fails to load shows an error and Retry only on its card', async () => {
    const net = { pltype: 1, profitMarginPercent: 12.5, netProfitLoss: 62.5, income: 500, ...inMay };
    open({ 'PUT /accountingcard/profitmargin': [failed('No disk'), { status: 200, body: net }] });
    const card = within(await cardOf('profitMargin'));
    await userEvent.click(await card.findByRole('button', { name: 'Net' }));
    expect(await card.findByText('Error! No disk')).toBeTruthy();
    expect(screen.getAllByText(/^Error!/)).toHaveLength(1);
    await userEvent.click(card.getByRole('button', { name: 'Retry' }));
    expect(await card.findByText('12.50%')).toBeTruthy();
    expect(card.getByText('Low, below 20%')).toBeTruthy();
    expect(card.getByRole('button', { name: '$62.50' }).parentElement?.textContent).toBe('Net profit $62.50');
  });
});

it('a revenue target is set on the card', async () => {
  const network = open({ 'PUT /accountingcard/targets': [{ status: 200, body: [{ periodType: 0, amount: 700 }] }] });
  const card = within(await cardOf('revenue'));
  await userEvent.click(await card.findByRole('button', { name: 'Set target' }));
  const box = within(await screen.findByRole('dialog', { name: 'Set target' }));
  await userEvent.click(box.getByRole('button', { name: 'Save' }));
  expect(box.getByText('Please enter an amount')).toBeTruthy();
  const field = box.getByLabelText('Revenue target for a month');
  await userEvent.type(field, '-5');
  await userEvent.click(box.getByRole('button', { name: 'Save' }));
  expect(box.getByText('The target must be more than zero')).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, '700');
  await userEvent.click(box.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(network.writes.map(({ path }) => path)).toContain('/accountingcard/targets'));
  expect(network.writes.at(-1)?.body).toEqual([{ periodType: 0, amount: 700 }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const button = card.getByRole('button', { name: 'Set target' });
  await waitFor(() => expect(document.activeElement).toBe(button));
  await userEvent.click(button);
  expect(await screen.findByRole('dialog', { name: 'Set target' })).toBeTruthy();
  await userEvent.click(button);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('closing the card list returns the focus, and the list can be opened again', async () => {
  open();
  await cardOf('revenue');
  for (const _ of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Cards' }));
    expect(await screen.findByRole('dialog', { name: 'Cards' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cards'));
  }
});

it('closing a card is announced, and the focus moves to the next card', async () => {
  open();
  await cardOf('revenue');
  await userEvent.click(screen.getByRole('button', { name: 'Close Revenue' }));
  expect(screen.getByText('Revenue is closed')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close Cash Positions' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close Return on Assets' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close Current Ratio/Quick Ratio' }));
});

it('Reset cards is announced from the page, from the list, and when all cards are closed', async () => {
  open();
  await cardOf('revenue');
  const said = 'All cards are back in their default order';
  await userEvent.click(screen.getByRole('button', { name: 'Reset cards' }));
  expect(screen.getByText(said).getAttribute('aria-live')).toBe('polite');
  for (const key of cardKeys) await userEvent.click(screen.getByRole('button', { name: `Close ${CARDS[key].title}` }));
  expect(screen.getByText(/ is closed$/).getAttribute('aria-live')).toBe('polite');
  await userEvent.click(screen.getAllByRole('button', { name: 'Reset cards' }).at(-1) ?? document.body);
  expect(screen.getByText(said)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cards' }));
  const list = within(await screen.findByRole('dialog', { name: 'Cards' }));
  await userEvent.click(list.getByRole('button', { name: 'Move Outgoing Money up' }));
  expect(screen.getByText('Outgoing Money is now 1 of 9')).toBeTruthy();
  await userEvent.click(list.getByRole('button', { name: 'Reset cards' }));
  expect(screen.getByText(said)).toBeTruthy();
});

it.each([
  [['View Dashboard'], "Your role doesn't include any amounts on this page."],
  [
    ['View Dashboard', 'View Customers'],
    "Your role doesn't include any amounts on this page. Use the menu to open other pages.",
  ],
])('a user with only %j sees: %s', async (permissions, words) => {
  signIn({ ...JSON.parse(localStorage.getItem('user') ?? '{}'), permissions });
  open({ 'GET /dashboard': [answer({ cards: {} })] });
  expect(await screen.findByText(words)).toBeTruthy();
});

it('Escape closes the target box while it is saving, and the box stays closed', async () => {
  let heal: ((answer: Answer) => void) | undefined;
  const waiting = new Promise<Answer>((resolve) => (heal = resolve));
  open({ 'PUT /accountingcard/targets': [waiting] });
  const card = within(await cardOf('revenue'));
  await userEvent.click(await card.findByRole('button', { name: 'Set target' }));
  const box = within(await screen.findByRole('dialog', { name: 'Set target' }));
  await userEvent.type(box.getByLabelText('Revenue target for a month'), '700');
  await userEvent.click(box.getByRole('button', { name: 'Save' }));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  heal?.({ status: 200, body: [{ periodType: 0, amount: 700 }] });
  await waitFor(() => expect(alerts.state().past[0]?.text).toBe('Target saved'));
  expect(screen.queryByRole('dialog')).toBeNull();
  const button = card.getByRole('button', { name: 'Set target' });
  await waitFor(() => expect(document.activeElement).toBe(button));
});

const step = (key: string, done = false, id: number | null = null) => ({ key, done, id });
const STEPS = [
  step('companyInfo', true, 3),
  step('salesTax', false, 8),
  step('openingBalances'),
  step('invoice'),
  step('colleagues'),
];
/** Makes the user an administrator who can open the screen of every step. */
const asAdministrator = () => updateSession({ permissions: ['View Dashboard', 'Manage Billing', 'Manage Accounting'] });
const leads = () =>
  within(screen.getByRole('region', { name: 'Next Steps' }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

it('first steps appear above the cards and link to their forms, except those without permission', async () => {
  asAdministrator();
  open({ 'GET /dashboard': [answer({ firstSteps: STEPS })] });
  await screen.findByText('1 of 5 done');
  expect(leads()).toEqual([
    ['Address and logo', '/settings?company=3'],
    ['Sales tax', '/settings?salestax=8'],
    ['Opening balances', '/accounting?journal=o0'],
    ['First invoice', '/billing?edit=0'],
    ['Colleagues', '/users?user=0'],
  ]);
  cleanup();
  updateSession({ permissions: ['View Dashboard', 'Manage Billing'], userRole: 'Clerk' });
  open({ 'GET /dashboard': [answer({ firstSteps: STEPS })] });
  await screen.findByText('0 of 1 done');
  expect(leads()).toEqual([['First invoice', '/billing?edit=0']]);
});

it('a company with all steps done sees no list, even if a step without permission is left', async () => {
  updateSession({ permissions: ['View Dashboard', 'Manage Billing'], userRole: 'Clerk' });
  open({ 'GET /dashboard': [answer({ firstSteps: [step('invoice', true), step('colleagues')] })] });
  await cardOf('incomingMoney');
  expect(screen.queryByText('Next Steps')).toBeNull();
});

it('first steps known to this device appear before the server responds, so that no card moves', async () => {
  asAdministrator();
  const firstSteps = [{ key: 'invoice' as const, done: false, id: null }];
  remember({ layout: wholeLayout([]), firstSteps, waiting: [] });
  open({ 'GET /dashboard': [answer({ firstSteps: [step('invoice')] })] });
  expect(screen.getByText('Loading...')).toBeTruthy();
  expect(leads()).toEqual([['First invoice', '/billing?edit=0']]);
  expect(await within(await cardOf('incomingMoney')).findByText('$120.50')).toBeTruthy();
});

it('pending work comes first with a link to its screen and stays when first steps are dismissed', async () => {
  asAdministrator();
  updateSession({ permissions: ['View Dashboard', 'Manage Billing', 'View Banking', 'Manage Accounting'] });
  const waiting = [
    { key: 'bankLines', count: 12 },
    { key: 'emails', count: 1 },
  ];
  open({
    'GET /dashboard': [answer({ firstSteps: [step('invoice')], waiting })],
    'PUT /dashboard/firststeps': [{ status: 200, body: { dismissed: true } }],
  });
  await screen.findByText('0 of 1 done');
  const both = [
    ['12 bank transactions to review', '/banking?tab=review'],
    ['1 email not delivered', '/users'],
  ];
  expect(leads()).toEqual([...both, ['First invoice', '/billing?edit=0']]);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss first steps' }));
  expect(leads()).toEqual(both);
  expect(screen.queryByRole('button', { name: 'Dismiss first steps' })).toBeNull();
});

it('Dismiss hides the first steps immediately, Undo restores them, and a failed save shows an error', async () => {
  asAdministrator();
  const network = open({
    'GET /dashboard': [answer({ firstSteps: STEPS })],
    'PUT /dashboard/firststeps': [{ status: 200, body: { dismissed: true } }, failed('The disk is full')],
  });
  const dismiss = async () => userEvent.click(await screen.findByRole('button', { name: 'Dismiss first steps' }));
  await dismiss();
  expect(screen.queryByText('Next Steps')).toBeNull();
  await waitFor(() => expect(alerts.state().shown.map(({ text }) => text)).toContain('First steps dismissed'));
  const undo = alerts.state().shown.find(({ text }) => text === 'First steps dismissed')?.action;
  network.answers['PUT /dashboard/firststeps'] = [{ status: 200, body: { dismissed: false } }];
  act(() => undo?.run());
  expect(await screen.findByText('Next Steps')).toBeTruthy();
  network.answers['PUT /dashboard/firststeps'] = [failed('The disk is full')];
  await dismiss();
  expect(await screen.findByText('Next Steps')).toBeTruthy();
  expect(network.writes.map(({ body }) => Object(body).dismissed)).toEqual([true, false, true]);
});
