import { type CardKey, CARDS, cardKeys, wholeLayout } from '@evenkeel/core/cards';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { useHasOthers, useOpens } from '../../../app/shell/menu.ts';
import { signIn, signOut } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { fakeNetwork, type FakeNetwork, showWithData } from '../../billing/testing/answers.tsx';
import { Dashboard } from '../Dashboard.tsx';

export const day = '2026-05-20';
const asOf = { periodType: null, from: null, to: day, basis: 1 };
export const inMay = { periodType: 0, from: '2026-05-01', to: day, basis: 1 };
export const aging = (currentAmount: number, thirtyAmount: number) => ({
  currentAmount,
  thirtyAmount,
  sixtyAmount: 0,
  ninetyAmount: 0,
  totalAmount: currentAmount + thirtyAmount,
  averageDaysOutstanding: 27,
  ...asOf,
});
export const expenses = {
  categories: [
    { categoryName: 'Subcontractors', total: 60 },
    { categoryName: 'Rent', total: 40 },
  ],
  total: 100,
};
export const figures = {
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
export const answer = (change: object = {}) => ({
  status: 200,
  body: { version: 'v1', dashboard: { layout: wholeLayout([]), cards: figures, ...begun, ...change } },
});
const unchanged = { status: 200, body: { version: 'v1', dashboard: null } };
export const failed = (message: string) => ({ status: 500, body: { code: 'error', message, requestId: '1' } });

const Start = () => <Dashboard hasOthers={useHasOthers()} opens={useOpens()} />;

/** Opens the start page with a server that stores the layout that it receives. */
export function open(more: Parameters<typeof fakeNetwork>[0] = {}): FakeNetwork & { reads: string[] } {
  const network = fakeNetwork({
    'GET /dashboard': [answer()],
    'GET /dashboard?version=v1': [unchanged],
    'PUT /dashboardcards': [{ status: 200, body: [] }],
    'GET /health/line': [{ status: 200, body: { off: 0, first: '', failedJobs: 0, checkedAt: null } }],
    'GET /closingdate/line': [{ status: 200, body: { closingDate: null, through: '2026-05-20', openCount: 0 } }],
    ...more,
  });
  const reads: string[] = [];
  const plain = fetch;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (init.method === 'GET' && !address.endsWith('/line')) reads.push(address);
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

/** Signs in before each test of the file, and restores the page after it. */
export function eachTest(): void {
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
}

export const cardOf = (key: CardKey) => screen.findByRole('region', { name: CARDS[key].title });
export const shown = (): CardKey[] =>
  [...document.querySelectorAll<HTMLElement>('[data-card]')]
    .toSorted((a, b) => Number(a.style.order) - Number(b.style.order))
    .flatMap((card) => cardKeys.find((key) => key === card.dataset['card']) ?? []);
export const savedLayouts = ({ writes }: FakeNetwork) =>
  writes.flatMap(({ path, body }) => (path === '/dashboardcards' ? [wholeLayout(Object(body))] : []));
