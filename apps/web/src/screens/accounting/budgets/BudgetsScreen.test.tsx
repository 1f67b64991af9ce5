// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { budgetMonths } from '@evenkeel/core/books/budgets';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeQueryClient } from '../../../client/api.ts';
import { signIn, signOut } from '../../../client/session.ts';
import { show } from '../../../testing/show.tsx';
import { BudgetsScreen } from './BudgetsScreen.tsx';

const user = userEvent.setup({ delay: null });
const realFetch = globalThis.fetch;
const NONE: (number | null)[] = Array.from({ length: 12 }, () => null);
const ZEROS = NONE.map(() => 0);

interface Cell {
  accountId: number;
  month: string;
  was: number | null;
  amount: number | null;
}

/** The server's amounts by account, and the requests that it received. */
let amounts: Record<number, (number | null)[]> = {};
let sent: Cell[][] = [];

const MONTHS = budgetMonths(2026, 1);

function budget() {
  const row = (accountId: number, label: string, section: string, lastYear: number[]) => {
    return { accountId, label, section, amounts: amounts[accountId], actuals: ZEROS, lastYear, isTotal: false };
  };
  return {
    year: 2026,
    name: '2026',
    profitCenterId: null,
    months: MONTHS,
    years: [],
    rows: [
      row(
        1,
        'Sales',
        'Income',
        ZEROS.map((_, at) => (at === 0 ? 200 : 100)),
      ),
      row(2, 'Rent', 'Expenses', ZEROS),
    ],
  };
}

const answer = (status: number, body: unknown) => Promise.resolve(Response.json(body, { status }));

beforeEach(() => {
  localStorage.clear();
  amounts = { 1: [...NONE], 2: [50, ...NONE.slice(1)] };
  sent = [];
  globalThis.fetch = (input, init) => {
    const path = input instanceof Request ? input.url : input.toString();
    if (path.endsWith('/customersettings')) return answer(200, { customerSettingItems: [] });
    if (init?.method !== 'PUT' || typeof init.body !== 'string') return answer(200, budget());
    const { cells } = JSON.parse(init.body) as { cells: Cell[] };
    sent.push(cells);
    const at = (cell: Cell) => MONTHS.findIndex((month) => month === cell.month);
    if (cells.some((cell) => (amounts[cell.accountId]?.[at(cell)] ?? null) !== cell.was)) {
      return answer(409, { code: 'stale', message: 'Someone else saved changes.', requestId: 'x', current: budget() });
    }
    for (const cell of cells) {
      const own = amounts[cell.accountId];
      if (own !== undefined) own[at(cell)] = cell.amount;
    }
    return answer(200, budget());
  };
  signIn({
    id: 1,
    token: 'token',
    termsAccepted: true,
    initials: 'FH',
    email: 'fay@example.com',
    firstName: 'Fay',
    lastName: 'Hart',
    displayName: 'Fay Hart',
    companyId: 1,
    roleId: 1,
    userRole: 'Superuser',
    permissions: ['View Accounting', 'Manage Accounting'],
    setupCompleted: true,
  });
});
afterEach(() => {
  globalThis.fetch = realFetch;
  signOut();
});

async function open() {
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <BudgetsScreen />
    </QueryClientProvider>,
    '/budgets',
  );
  return screen.findByRole('grid', { name: '2026 Budget' });
}

const cell = (row: number, column: number): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`);
  if (found === null) throw new Error(`no cell ${row} ${column}`);
  return found;
};
const textsOf = (row: number) => Array.from({ length: 13 }, (_, column) => cell(row, column).textContent);
const save = () => user.keyboard('{Control>}s{/Control}');

it('typing, Enter, and formulas fill the grid, and Ctrl+S saves only the changed months', async () => {
  await open();
  await user.click(cell(0, 0));
  await user.keyboard('1200{Enter}');
  expect(document.activeElement).toBe(cell(1, 0));
  await user.keyboard('{ArrowUp}{ArrowRight}=1000*1.5{Tab}');
  expect(document.activeElement).toBe(cell(0, 2));
  expect([textsOf(0)[0], textsOf(0)[1], textsOf(0)[12]]).toEqual(['1,200', '1,500', '2,700']);
  expect(cell(0, 0).dataset['unsaved']).toBe('');
  expect(screen.getByText('2 unsaved months')).toBeTruthy();
  await save();
  await waitFor(() => expect(screen.queryByText('2 unsaved months')).toBeNull());
  expect(sent).toEqual([
    [
      { accountId: 1, month: '2026-01-01', was: null, amount: 1200 },
      { accountId: 1, month: '2026-02-01', was: null, amount: 1500 },
    ],
  ]);
  expect([textsOf(0)[0], cell(0, 0).dataset['unsaved']]).toEqual(['1,200', undefined]);
});

it('a range is selected with Shift and filled, cleared, and restored with the keyboard', async () => {
  await open();
  await user.click(cell(1, 0));
  await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Control>}d{/Control}');
  expect(textsOf(1).slice(0, 4)).toEqual(['50', '50', '50', '']);
  expect(screen.getByText('Rent, Jan – Mar: 150 · actual last year 0')).toBeTruthy();
  await user.keyboard('{Delete}');
  expect(textsOf(1).slice(0, 3)).toEqual(['', '', '']);
  await user.keyboard('{Control>}z{/Control}');
  expect(textsOf(1).slice(0, 3)).toEqual(['50', '50', '50']);
});

it('typing in the year column spreads the amount in the same proportions as last year', async () => {
  await open();
  await user.click(cell(0, 12));
  await user.keyboard('1300{Enter}');
  expect(textsOf(0)).toEqual(['200', ...ZEROS.slice(1).map(() => '100'), '1,300']);
});

it('rows from a spreadsheet are pasted at the selected cell, and unreadable rows are reported', async () => {
  const grid = await open();
  await user.click(cell(0, 1));
  fireEvent.paste(grid, { clipboardData: { getData: () => '10\t20\nabc\t40\n' } });
  expect([textsOf(0).slice(0, 4), textsOf(1).slice(0, 4)]).toEqual([
    ['', '10', '20', ''],
    ['50', '', '40', ''],
  ]);
  expect(screen.getByText('“abc” for Rent is not an amount.')).toBeTruthy();
});

it('text that is not an amount stays in the cell until it is corrected or canceled', async () => {
  await open();
  await user.click(cell(0, 0));
  await user.keyboard('=1+{Enter}');
  const field = within(cell(0, 0)).getByLabelText('Sales, Jan');
  expect([field.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field]);
  await user.keyboard('{Escape}');
  expect([cell(0, 0).textContent, document.activeElement]).toEqual(['', cell(0, 0)]);
});

it('a month that another user has changed is not overwritten until the user saves again', async () => {
  await open();
  await user.click(cell(1, 0));
  await user.keyboard('70{Enter}');
  amounts[2] = [60, ...NONE.slice(1)];
  await save();
  await screen.findByText('Rent, Jan 2026: 60');
  expect(textsOf(1)[0]).toBe('70');
  expect(amounts[2]?.[0]).toBe(60);
  await save();
  await waitFor(() => expect(amounts[2]?.[0]).toBe(70));
  expect(screen.queryByText('Rent, Jan 2026: 60')).toBeNull();
});

it("the user can accept the other user's amounts", async () => {
  await open();
  await user.click(cell(1, 0));
  await user.keyboard('70{Enter}');
  amounts[2] = [60, ...NONE.slice(1)];
  await save();
  await user.click(await screen.findByText('Use Their Amounts'));
  await waitFor(() => expect(textsOf(1)[0]).toBe('60'));
  expect(screen.queryByText(/unsaved/)).toBeNull();
});

it('unsaved months are still there after the screen is reopened', async () => {
  await open();
  await user.click(cell(0, 0));
  await user.keyboard('5{Enter}');
  document.body.replaceChildren();
  await open();
  expect(textsOf(0)[0]).toBe('5');
});
