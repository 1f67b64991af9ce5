// @vitest-environment jsdom
import '../../testing/setup.ts';
import { cents } from '@evenkeel/core/money';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Alerts } from '../alerts/Alerts.tsx';
import { setWidth } from '../../testing/setup.ts';
import { show } from '../../testing/show.tsx';
import { SAME_PRESS_MS } from '../hooks/once.ts';
import type { Column } from './columns.ts';
import { DataTable, type DataTableProps } from './DataTable.tsx';

interface Row {
  number: string;
  customer: string;
  date: string;
  amount: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'number', header: 'Invoice Number', value: (row) => row.number },
  { id: 'customer', header: 'Customer', value: (row) => row.customer },
  { id: 'date', header: 'Invoice Date', kind: 'date', value: (row) => row.date },
  { id: 'amount', header: 'Amount', kind: 'amount', value: (row) => row.amount, total: 'sum' },
];

const ROWS: readonly Row[] = [
  { number: '10', customer: 'Oak Hollow', date: '2026-03-02', amount: 250000 },
  { number: '9', customer: 'Dvorak', date: '2026-05-01', amount: -12500 },
  { number: '11', customer: 'Acme', date: '2025-12-31', amount: 100 },
];

const byNumber = (row: Row) => row.number;

function list(props: Partial<DataTableProps<Row>> = {}) {
  return (
    <DataTable<Row>
      label="Open Invoices"
      columns={COLUMNS}
      rows={ROWS}
      rowId={byNumber}
      defaultSort={{ id: 'number' }}
      empty={{ title: 'No open invoices', hint: 'Bill a customer.', action: <button>Add Billing</button> }}
      {...props}
    />
  );
}

const numbers = () => [...document.querySelectorAll('tbody tr[data-item]')].map((row) => row.children[0]?.textContent);

it('a failure shows Error! with its message, and Retry loads the list again', async () => {
  let asked = 0;
  show(list({ rows: undefined, error: 'Error Loading Billing Invoices', onRetry: () => (asked += 1) }));
  expect(screen.getByRole('alert').textContent).toContain('Error! Error Loading Billing Invoices');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(asked).toBe(1);
});

it('loading shows 4 gray rows and Loading...', () => {
  show(list({ rows: undefined }));
  expect(screen.getByRole('status').textContent).toBe('Loading...');
  expect(document.querySelectorAll('tbody tr')).toHaveLength(4);
  expect(screen.getByRole('table', { name: 'Open Invoices' }).getAttribute('aria-busy')).toBe('true');
});

it('the row of a record takes the focus when its panel closes', () => {
  const page = (selectedId?: string) => (
    <>
      {list({ selectedId })}
      {selectedId !== undefined && <button type="button">Close</button>}
    </>
  );
  const { rerender } = show(page('10'));
  screen.getByRole('button', { name: 'Close' }).focus();
  rerender(page());
  expect(document.activeElement?.textContent).toMatch(/^10/);
});

it('at tablet width, an empty list has the same columns before and after it is shown at phone width', () => {
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockImplementation(function (this: Element) {
    return this.isConnected ? 380 : 0;
  });
  const observers: (() => void)[] = [];
  class Observer {
    constructor(tell: () => void) {
      observers.push(tell);
    }
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', Observer);
  const heads = () => screen.queryAllByRole('columnheader').map(({ textContent }) => textContent);
  const resize = (px: number) =>
    act(() => {
      setWidth(px);
      for (const tell of observers) tell();
    });
  show(list({ rows: [], phoneRow: () => ({ title: '', amount: '', detail: '' }) }));
  const before = heads();
  // The browser also reports the size of a removed table: 0 px.
  for (const px of [390, 390, 834]) resize(px);
  expect(heads()).toEqual(before);
});

it('an empty list shows the next step, and a filter without matches shows a message', () => {
  const { rerender } = show(list({ rows: [] }));
  expect(screen.getByText('No open invoices')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add Billing' })).toBeTruthy();
  rerender(list({ filter: 'zebra' }));
  expect(screen.getByText('No rows match “zebra”.')).toBeTruthy();
});

it('numbers are sorted numerically, 9 before 10 before 11, and the direction is shown', async () => {
  show(list());
  expect(numbers()).toEqual(['9', '10', '11']);
  const head = screen.getByRole('columnheader', { name: 'Invoice Number' });
  expect(head.getAttribute('aria-sort')).toBe('ascending');
  await userEvent.click(screen.getByRole('button', { name: 'Invoice Number' }));
  expect(numbers()).toEqual(['11', '10', '9']);
  expect(head.getAttribute('aria-sort')).toBe('descending');
  await userEvent.click(screen.getByRole('button', { name: 'Invoice Date' }));
  expect(numbers()).toEqual(['11', '10', '9']);
  await userEvent.click(screen.getByRole('button', { name: 'Amount' }));
  expect(numbers()).toEqual(['9', '11', '10']);
});

it('the filter covers all columns as displayed and changes the total: 2,500.00 less 125.00 is 2,375.00', () => {
  const { rerender } = show(list({ filter: 'o', count: (n) => `${n} invoices` }));
  const foot = () => document.querySelector('tfoot')?.textContent;
  expect(foot()).toBe('2 invoices2,375.00');
  rerender(list({ filter: '05/01/2026 dvo' }));
  expect(numbers()).toEqual(['9']);
  expect(foot()).toBe('(125.00)');
  rerender(list({ filter: '2,500' }));
  expect(numbers()).toEqual(['10']);
});

it.each([
  ['2500', ['10']],
  ['$2,500.00', ['10']],
  ['2,500.00', ['10']],
  ['-125', ['9']],
  ['−125.00', ['9']],
  ['($125.00)', ['9']],
  ['3/2/2026', ['10']],
  ['03/02/2026', ['10']],
  ['2026-03-02', ['10']],
  ['2026-05', ['9']],
  ['5/1', ['9']],
  ['2/31/2025', []],
  ['1/2 inch', ['10']],
  ['#10', ['10']],
  ['Invoice #10,', ['10']],
])('the filter finds amounts and dates in the formats that people use: %s', (filter, found) => {
  const half = { number: '10', customer: 'Pipe 1/2 inch', date: '2026-03-02', amount: 250000 };
  show(list({ rows: [half, ...ROWS.slice(1)], filter }));
  expect(numbers()).toEqual(found);
});

it('arrow keys, Home, and End move the focused row, Enter opens it, and Escape leaves the table', async () => {
  const opened: string[] = [];
  let left = 0;
  show(list({ onOpen: (row) => opened.push(row.number), onEscape: () => (left += 1) }));
  const first = document.querySelector<HTMLElement>('tbody tr[data-item]');
  first?.focus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await userEvent.keyboard('{End}{ArrowDown}{Enter}{Home}{Enter}{Escape}');
  expect(opened).toEqual(['10', '11', '9']);
  expect(left).toBe(1);
});

it('Tab reaches only one row, and the open row is marked', () => {
  show(list({ selectedId: '10' }));
  const rows = [...document.querySelectorAll<HTMLElement>('tbody tr[data-item]')];
  expect(rows.filter((row) => row.tabIndex === 0)).toHaveLength(1);
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual([null, 'true', null]);
});

it("a click on a button in a row doesn't open the row", async () => {
  const opened: string[] = [];
  const pay: Column<Row> = {
    id: 'pay',
    header: 'Post Payment',
    kind: 'action',
    render: (row) => <button type="button">Pay {row.number}</button>,
  };
  show(list({ columns: [pay, ...COLUMNS], onOpen: (row) => opened.push(row.number) }));
  await userEvent.click(screen.getByRole('button', { name: 'Pay 10' }));
  expect(opened).toEqual([]);
  await userEvent.click(screen.getByText('Acme'));
  expect(opened).toEqual(['11']);
});

it('fewer than 80 of 50,000 rows of 0.01 are rendered, and all are totaled as 500.00', async () => {
  const many = Array.from({ length: 50_000 }, (_, index) => ({
    number: String(index + 1),
    customer: 'Acme',
    date: '2026-01-01',
    amount: cents(1),
  }));
  show(list({ rows: many, count: (n) => `${n} invoices` }));
  expect(document.querySelectorAll('tbody tr[data-item]').length).toBeLessThan(80);
  expect(document.querySelector('tfoot')?.textContent).toBe('50000 invoices500.00');
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('50001');
});

it('groups have headings in the order of their first row, and the arrow keys skip the headings', async () => {
  const groupOf = (row: Row) => (row.amount < 0 ? 'Credits' : 'Invoices');
  show(list({ groupOf }));
  const lines = [...document.querySelectorAll('tbody tr')].map((row) => row.children[0]?.textContent);
  expect(lines).toEqual(['Credits', '9', 'Invoices', '10', '11']);
  document.querySelector<HTMLElement>('tbody tr[data-item]')?.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('Oak Hollow');
});

it('at 390 px, each row has two lines, with the total below the list', async () => {
  setWidth(390);
  const opened: string[] = [];
  show(
    list({
      onOpen: (row) => opened.push(row.number),
      count: (n) => `${n} invoices`,
      phoneRow: (row) => ({ title: row.customer, amount: row.amount, detail: row.number }),
    }),
  );
  expect(screen.queryByRole('table')).toBeNull();
  expect(document.querySelector('.ek-list-end')?.textContent).toBe('3 invoices, 2,376.00');
  const items = within(screen.getByRole('list', { name: 'Open Invoices' })).getAllByRole('button');
  expect(items.map((item) => item.textContent)).toEqual(['Dvorak-125009', 'Oak Hollow25000010', 'Acme10011']);
  items[0]?.focus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(opened).toEqual(['10']);
});

/** Returns a list of 600 rows, of which the first 3 are loaded. */
function longRows() {
  const all = Array.from({ length: 600 }, (_, at): Row => {
    return { number: `N${at}`, customer: 'Oak Hollow', date: '2026-03-02', amount: 100 };
  });
  const rows = {
    total: all.length,
    sums: { amount: 60_000 },
    parts: [{ at: 0, rows: all.slice(0, 3) }],
    show: () => undefined,
    all: async (onRead: (read: number) => void) => {
      onRead(500);
      return all;
    },
  };
  return { all, rows };
}

/** Returns the page's content at the time when the browser is asked to print. */
async function onPaper(): Promise<string[][]> {
  // Within this time, another print would count as a double-click.
  await new Promise((done) => setTimeout(done, SAME_PRESS_MS));
  const papers: string[][] = [];
  vi.spyOn(window, 'print').mockImplementation(() => {
    window.dispatchEvent(new Event('beforeprint'));
    papers.push(numbers().map((text) => text ?? ''));
    window.dispatchEvent(new Event('afterprint'));
  });
  return papers;
}

/** Selects Print List in the menu of a list that isn't on a page. */
async function printList(): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'List actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Print List' }));
}

it.each([
  ['the menu', printList],
  ['Ctrl+P', () => userEvent.keyboard('{Control>}p{/Control}')],
])('printing with %s loads a long list completely, prints all rows, and then restores the list', async (_, press) => {
  const { all, rows } = longRows();
  const papers = await onPaper();
  show(list({ rows, count: (n) => `${n} invoices` }));
  await press();
  await waitFor(() => expect(papers).toHaveLength(1));
  expect(papers[0]).toEqual(all.map(({ number }) => number));
  await waitFor(() => expect(numbers().length).toBeLessThan(100));
  expect(screen.getByText('600 invoices')).toBeTruthy();
});

it('printing loads all rows of a list that loads while scrolling', async () => {
  const papers = await onPaper();
  const readAll = async () => [...ROWS, { number: '12', customer: 'Elm', date: '2026-06-01', amount: 5 }];
  show(list({ readAll, count: (n) => `${n} of 4` }));
  await printList();
  await waitFor(() => expect(papers).toEqual([['10', '9', '11', '12']]));
});

it("a list that is too long to print isn't loaded, and a message asks for a narrower search", async () => {
  const papers = await onPaper();
  const { rows } = longRows();
  show(
    <>
      {list({ rows: { ...rows, total: 20_001 }, count: (n) => `${n} invoices` })}
      <Alerts />
    </>,
  );
  await printList();
  expect(await screen.findByText(/More than 20,000 rows/)).toBeTruthy();
  expect(papers).toEqual([]);
});

it('on a phone, Export CSV and Print List are in a menu', async () => {
  setWidth(390);
  const papers = await onPaper();
  show(list({ phoneRow: (row) => ({ title: row.number }) }));
  await userEvent.click(screen.getByRole('button', { name: 'List actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Export CSV' })).toBeTruthy();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Print List' }));
  await waitFor(() => expect(papers).toHaveLength(1));
});

/** Simulates a table 300 px high with rows of 36 px. Returns the scrolling element. */
function laidOut(): () => HTMLElement | null {
  const scroller = () => document.querySelector<HTMLElement>('.ek-tw');
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const at = this.getAttribute('data-item');
    const top = at === null ? 0 : 34 + Number(at) * 36 - (scroller()?.scrollTop ?? 0);
    return new DOMRect(0, top, 800, at === null ? 300 : 36);
  });
  return scroller;
}

it('the row of a saved record scrolls into view, wherever it is in the list', async () => {
  const scroller = laidOut();
  const rows = Array.from({ length: 60 }, (_, at) => ({
    number: String(100 + at),
    customer: 'A',
    date: '',
    amount: 1,
  }));
  const { rerender } = show(list({ rows }));
  expect(scroller()?.scrollTop).toBe(0);
  // The row is selected before the list contains it.
  rerender(list({ rows, selectedId: '160' }));
  expect(scroller()?.scrollTop).toBe(0);
  rerender(list({ rows: [...rows, { number: '160', customer: 'A', date: '', amount: 1 }], selectedId: '160' }));
  const row = document.querySelector('[aria-current="true"]');
  expect(row?.textContent).toContain('160');
  // The row is above the footer, which is 40 px high.
  expect(row?.getBoundingClientRect().bottom).toBe(260);
  // Rows that are already visible are not scrolled.
  const before = scroller()?.scrollTop;
  rerender(list({ rows, selectedId: '158' }));
  expect(scroller()?.scrollTop).toBe(before);
});
