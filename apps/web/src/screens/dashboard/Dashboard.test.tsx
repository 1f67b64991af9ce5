// @vitest-environment jsdom
import '../../testing/setup.ts';
import { type CardKey } from '@evenkeel/core/cards';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { type Answer } from '../billing/testing/answers.tsx';
import { signIn } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import {
  aging,
  answer,
  cardOf,
  day,
  eachTest,
  expenses,
  failed,
  figures,
  inMay,
  open,
  savedLayouts,
  shown,
} from './testing/board.tsx';

eachTest();

describe('dashboard amounts', () => {
  it('the dashboard shows nine cards with ratings in words and links to their reports', async () => {
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

  it('the bank balance appears next to the book balance and links to 12 bank transactions to review', async () => {
    const items = [{ accountId: 101, label: 'Checking', amount: 70, bankBalance: 64.5, bankDate: '2026-05-19' }];
    const cashPositions = { ...figures.cashPositions, items, reviewCount: 12 };
    open({ 'GET /dashboard': [answer({ cards: { ...figures, cashPositions } })] });
    const cash = within(await cardOf('cashPositions'));
    expect(cash.getByTitle('Bank balance as of 5/19/2026').textContent).toBe('Bank 64.50');
    const review = cash.getByRole('link', { name: '12 bank transactions to review' });
    expect(review.getAttribute('href')).toBe('/banking?tab=review');
  });

  it.each([
    ['2026-04-30', 3, 'Closed through 4/30/2026; 3 things to do before closing through today', '?through=2026-05-20'],
    [null, 1, 'No month is closed; 1 thing to do before closing through today', '?through=2026-05-20'],
    ['2026-04-30', 0, 'Closed through 4/30/2026; nothing to do before closing through today', '?through=2026-05-20'],
    ['2026-05-31', 0, 'Closed through 5/31/2026', ''],
  ])(
    'with a closing date of %s and %i open items, the closing status links to Month End',
    async (closingDate, openCount, name, query) => {
      const line = { closingDate, through: '2026-05-20', openCount };
      open({ 'GET /closingdate/line': [{ status: 200, body: line }] });
      expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(`/monthend${query}`);
    },
  );

  it.each([
    [-0.01, 'Loss, below 0%'],
    [19.99, 'Low, below 20%'],
    [20, 'Good, 20% or more'],
  ])('a return on assets of %f percent is rated %s', async (roaPercent, rating) => {
    const returnOnAssets = { ...figures.returnOnAssets, roaPercent };
    open({ 'GET /dashboard': [answer({ cards: { ...figures, returnOnAssets } })] });
    expect(await within(await cardOf('returnOnAssets')).findByText(rating)).toBeTruthy();
  });

  it('the dashboard shows the negative amounts of a company with losses', async () => {
    const cards = {
      ...figures,
      profitMargin: { ...figures.profitMargin, profitMarginPercent: null, netProfitLoss: -1900, income: -1900 },
      returnOnAssets: { ...figures.returnOnAssets, roaPercent: null, netIncome: -6900, averageAssets: -4250.55 },
      currentRatio: { ...figures.currentRatio, currentRatio: -12.5, quickRatio: -12.5, currentLiabilities: -4 },
    };
    open({ 'GET /dashboard': [answer({ cards })] });
    expect(await within(await cardOf('profitMargin')).findByText('Income is negative')).toBeTruthy();
    const assets = await cardOf('returnOnAssets');
    expect(within(assets).getByText('Assets are negative')).toBeTruthy();
    expect(assets.querySelector('.db-foot')?.textContent).toBe('$6,900.00 lost on ($4,250.55) of assets');
    expect(within(await cardOf('currentRatio')).getByText('Negative liabilities')).toBeTruthy();
  });

  it("aging amounts are shown in two rows if four amounts don't fit in one", async () => {
    const much = { ...aging(9_999_999.99, 9_999_999.99), ninetyAmount: 9_999_999.99, totalAmount: 29_999_999.97 };
    open({ 'GET /dashboard': [answer({ cards: { ...figures, incomingMoney: much } })] });
    await within(await cardOf('incomingMoney')).findByText('$29,999,999.97');
    const ages = async (key: CardKey) => (await cardOf(key)).querySelector('.db-ages')?.hasAttribute('data-wide');
    expect([await ages('incomingMoney'), await ages('outgoingMoney')]).toEqual([true, false]);
  });

  it('a category name is truncated to 12 characters, but screen readers get the full name', async () => {
    open();
    const card = within(await cardOf('expenseBreakdown'));
    expect((await card.findByText('Subcontracto…')).getAttribute('aria-hidden')).toBe('true');
    expect(card.getByText('Subcontractors')).toBeTruthy();
    expect(card.getByText('Rent', { selector: '[aria-hidden]' })).toBeTruthy();
  });

  it('a billing user sees only one card and no report links', async () => {
    signIn({ ...JSON.parse(localStorage.getItem('user') ?? '{}'), permissions: ['View Dashboard', 'View Billing'] });
    open({ 'GET /dashboard': [answer({ cards: { incomingMoney: figures.incomingMoney } })] });
    expect(await within(await cardOf('incomingMoney')).findByText('$120.50')).toBeTruthy();
    expect(shown()).toEqual(['incomingMoney']);
    expect(screen.queryByRole('link')).toBeNull();
  });

  /** Selects a button whose content has to load first. */
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

  it('an amount opens its entries and their total, an entry opens its document, and Back closes both', async () => {
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

  it('a ratio opens the amounts that it is calculated from, and each amount opens its entries', async () => {
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

  it('an amount owed opens the invoices in its aging column', async () => {
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

  it('the total owed opens an aging list of customers that leads to their documents and statements', async () => {
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
    expect(await screen.findByRole('dialog', { name: 'Incoming Money for one customer' })).toBeTruthy();
    const asked = writes.find(({ path }) => path === '/GeneralLedger/OpenItems');
    expect(asked?.body).toEqual({ side: 'receivable', date: day, entityId: 4, after: 0 });
  });

  it('an average age opens the documents with their ages, and an overdue amount opens its documents', async () => {
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

  it('clicking progress or a share opens both its amounts, and expected revenue opens its periods', async () => {
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

  it("the dashboard reloads every minute and doesn't render again if nothing has changed", async () => {
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

  it('an error appears only on the card that failed, and Retry loads the card again', async () => {
    const { revenue, ...cards } = figures;
    const one = { key: 'revenue', code: 'internal', message: 'No disk' };
    let heal: (() => void) | undefined;
    const { answers, reads, writes } = open({ 'GET /dashboard': [answer({ cards, failed: [one] })] });
    const card = within(await cardOf('revenue'));
    expect(await card.findByText('Error! No disk')).toBeTruthy();
    expect(screen.getAllByText(/^Error!/)).toHaveLength(1);
    expect(within(await cardOf('incomingMoney')).getByText('$120.50')).toBeTruthy();
    expect(document.querySelectorAll('[aria-busy="true"]')).toHaveLength(0);
    // If the response is unchanged, the error stays.
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

  it('a failed card is loaded separately when another period is selected', async () => {
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

  it('the amounts are reloaded when the connection is restored', async () => {
    const { reads } = open({ 'GET /dashboard': [failed('No disk'), answer()] });
    const money = within(await cardOf('incomingMoney'));
    await money.findByText('Error! No disk');
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await money.findByText('$120.50')).toBeTruthy();
    expect(reads).toHaveLength(2);
  });

  it("each card shows an error and Retry if the dashboard can't be loaded", async () => {
    open({ 'GET /dashboard': [failed('No disk'), answer()] });
    const money = within(await cardOf('incomingMoney'));
    expect(await money.findByText('Error! No disk')).toBeTruthy();
    expect(screen.getAllByText('Error! No disk')).toHaveLength(9);
    await userEvent.click(money.getByRole('button', { name: 'Retry' }));
    expect(await money.findByText('$120.50')).toBeTruthy();
    expect(screen.queryByText('Error! No disk')).toBeNull();
  });
});

describe('card periods', () => {
  const inYear = { periodType: 1, from: '2026-01-01', to: day, basis: 1 };

  it('a new period is loaded by the card’s own call 200 ms after the last change, and is saved', async () => {
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

it('the revenue target can be set on the card', async () => {
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

it.each([
  [['View Dashboard'], "Your role doesn't give you access to any amounts on this page."],
  [
    ['View Dashboard', 'View Customers'],
    "Your role doesn't give you access to any amounts on this page. Use the menu to open other pages.",
  ],
])('a user with only %j sees: %s', async (permissions, words) => {
  signIn({ ...JSON.parse(localStorage.getItem('user') ?? '{}'), permissions });
  open({ 'GET /dashboard': [answer({ cards: {} })] });
  expect(await screen.findByText(words)).toBeTruthy();
});

it('Escape closes the target box while the target is being saved, and the box stays closed', async () => {
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
