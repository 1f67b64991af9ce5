// @vitest-environment jsdom
import '../testing/setup.ts';
import { entityCalls } from '@evenkeel/contract/entities';
import { cents } from '@evenkeel/core/money';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Ask, makeQueryClient } from '../client/api.ts';
import { show } from '../testing/show.tsx';
import { typeAtOnce } from '../testing/typing.ts';
import type { Column } from '../ui/table/columns.ts';
import { ListScreen } from './ListScreen.tsx';
import type { PageAsk, PageReply } from './reads.ts';
import { useList } from './records.ts';

interface Row {
  id: number;
  name: string;
  balance: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', value: (row) => row.name },
  { id: 'balance', header: 'Balance', kind: 'amount', value: (row) => row.balance, total: 'sum' },
];
const idOf = (row: Row) => String(row.id);
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Row ${String(index + 1).padStart(5, '0')}`,
    balance: cents(100),
  }));

let asked: PageAsk[] = [];
beforeEach(() => {
  asked = [];
  // Without a height, no row of a long list would be visible.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
});
afterEach(() => vi.restoreAllMocks());

/** A server with these rows. If the call has no pages, the server returns all rows. */
function serverOf(rows: readonly Row[], hasPages = true) {
  const answer = (page: PageAsk): PageReply<Row> => {
    const found = rows.filter(({ name }) => name.toLowerCase().includes((page.q ?? '').toLowerCase()));
    const sorted = page.desc === 'true' ? found.toReversed() : found;
    if (page.limit === undefined || !hasPages) return sorted;
    const skip = page.skip ?? 0;
    return { items: sorted.slice(skip, skip + page.limit), total: found.length, sums: { balance: found.length * 100 } };
  };
  return (_: boolean, page: PageAsk): Ask<PageReply<Row>> => {
    const read = async () => (asked.push(page), answer(page));
    return { endpoint: entityCalls.listCustomers, input: { query: page }, read, once: read };
  };
}

function Screen({ list }: { list: ReturnType<typeof serverOf> }) {
  const read = useList({ list, words: { loadAll: 'Error Loading Rows' } });
  const words = { one: 'row', many: 'rows' };
  return (
    <>
      <ListScreen<Row>
        {...{ read, words, columns: COLUMNS, rowId: idOf, title: 'Rows', sort: 'name', search: 'Search Rows...' }}
        hint=""
        onOpen={() => undefined}
      />
      <output>{useLocation().search}</output>
    </>
  );
}

function open(list: ReturnType<typeof serverOf>, path = '/') {
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Screen list={list} />
    </QueryClientProvider>,
    path,
  );
}

const foot = () => document.querySelector('tfoot')?.textContent;
const names = () =>
  [...document.querySelectorAll('tbody tr[data-item] td:first-child')].map((cell) => cell.textContent);

it('a list of 501 rows loads its first page, and the footer shows the count and total of all rows', async () => {
  open(serverOf(rowsOf(501)));
  await screen.findByText('Row 00001');
  expect(foot()).toBe('501 rows501.00');
  expect(asked).toEqual([{ limit: 100 }]);
  expect(document.querySelectorAll('tbody tr[data-item]').length).toBeLessThan(80);
});

it('a long list loads rows when the user scrolls to them and shows gray placeholders until then', async () => {
  open(serverOf(rowsOf(50_000)));
  await screen.findByText('Row 00001');
  const box = document.querySelector<HTMLElement>('.ek-tw');
  if (box === null) throw new Error('no table');
  box.scrollTop = 36 * 49_000;
  fireEvent.scroll(box);
  await waitFor(() => expect(document.querySelectorAll('tr[aria-busy]').length).toBeGreaterThan(5));
  await screen.findByText('Row 49001');
  expect(asked.map(({ skip }) => skip)).toEqual([undefined, 48_900, 49_000]);
});

it('a long list is searched and sorted on the server, and the URL keeps the search and sort order', async () => {
  open(serverOf(rowsOf(501)));
  await screen.findByText('Row 00001');
  await userEvent.click(screen.getByRole('button', { name: 'Name' }));
  await screen.findByText('Row 00501');
  expect(names()[0]).toBe('Row 00501');
  expect(document.querySelector('output')?.textContent).toBe('?sort=-name');
  typeAtOnce(screen.getByRole('textbox', { name: 'Search Rows...' }), '0044');
  await waitFor(() => expect(foot()).toBe('11 rows11.00'));
  expect(names()).toHaveLength(11);
  const sorted = { limit: 100, sort: 'name', desc: 'true' };
  expect(asked.slice(1)).toEqual([sorted, { ...sorted, q: '0044' }]);
  typeAtOnce(screen.getByRole('textbox', { name: 'Search Rows...' }), 'x');
  await screen.findByText('No results');
});

it('lists of up to 500 rows are loaded completely, and then searched and sorted without requests', async () => {
  open(serverOf(rowsOf(500)), '/?sort=-name');
  await screen.findByText('Row 00500');
  expect(asked).toEqual([{ limit: 100 }, {}]);
  typeAtOnce(screen.getByRole('textbox', { name: 'Search Rows...' }), '0044');
  await waitFor(() => expect(foot()).toBe('11 rows11.00'));
  expect(names()[0]).toBe('Row 00449');
  expect(asked).toHaveLength(2);
});

it("a list ignores a sort by a column that it doesn't have and uses the default order", async () => {
  open(serverOf(rowsOf(3).toReversed()), '/?sort=-dueDate');
  await screen.findByText('Row 00001');
  expect(names()).toEqual(['Row 00001', 'Row 00002', 'Row 00003']);
});

it('a call without pagination is sent only once, however long its list is', async () => {
  open(serverOf(rowsOf(600), false));
  await screen.findByText('Row 00001');
  expect(foot()).toBe('600 rows600.00');
  expect(asked).toHaveLength(1);
});
