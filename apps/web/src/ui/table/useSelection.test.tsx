// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { setWidth } from '../../testing/setup.ts';
import { show } from '../../testing/show.tsx';
import type { Column } from './columns.ts';
import { DataTable } from './DataTable.tsx';
import type { LongList, Rows } from './rows.ts';
import { useSelection } from './useSelection.tsx';

interface Row {
  number: string;
  amount: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'number', header: 'Number', value: (row) => row.number },
  { id: 'amount', header: 'Amount', kind: 'amount', value: (row) => row.amount },
];
const SUMS = ['amount'];
const WORDS = { one: 'invoice', many: 'invoices' };
const byNumber = (row: Row) => row.number;
/** Returns rows with the amounts 10.00, 20.00, 30.00, and so on. */
const rowsTo = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ number: `N${at + 1}`, amount: (at + 1) * 1000 }));
const FIVE = rowsTo(5);

interface ListProps {
  rows?: Rows<Row>;
  filter?: string;
  isPart?: boolean;
  onOpen?: (row: Row) => void;
  onEscape?: () => void;
}

function List({ rows = FIVE, filter = '', isPart = false, ...props }: ListProps) {
  const actions = (all: readonly Row[], clear: () => void) => (
    <button type="button" onClick={clear}>
      Pay {all.map(byNumber).join(' ')}
    </button>
  );
  const shared = { rows, filter, columns: COLUMNS, rowId: byNumber };
  const selection = useSelection<Row>({ ...shared, isPart, words: WORDS, sums: SUMS, actions });
  return (
    <DataTable<Row>
      {...shared}
      {...props}
      label="Invoices"
      defaultSort={{ id: 'number' }}
      selection={selection}
      empty={{ title: 'None', hint: '' }}
      phoneRow={(row) => ({ title: row.number })}
    />
  );
}

const selected = () =>
  [...document.querySelectorAll('tr[aria-selected="true"]')].map((row) => row.children[1]?.textContent);
const check = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const bar = () => document.querySelector('.ek-sel')?.textContent;

it('a click selects a row, and Shift+click selects all rows from there in display order', async () => {
  const user = userEvent.setup();
  show(<List />);
  await user.click(check('Select N4'));
  expect(selected()).toEqual(['N4']);
  await user.keyboard('{Shift>}');
  await user.click(check('Select N2'));
  await user.keyboard('{/Shift}');
  expect(selected()).toEqual(['N2', 'N3', 'N4']);
  expect(bar()).toBe('3 selectedAmount 90.00Pay N2 N3 N4Clear');
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('3 selected');
});

it('a click on a row opens it, and a click with Shift or Ctrl selects it', async () => {
  const user = userEvent.setup();
  const opened: string[] = [];
  show(<List onOpen={(row) => opened.push(row.number)} />);
  await user.click(screen.getByText('N1'));
  await user.click(check('Select N2'));
  await user.keyboard('{Control>}');
  await user.click(screen.getByText('N4'));
  await user.keyboard('{/Control}');
  expect(opened).toEqual(['N1']);
  expect(selected()).toEqual(['N2', 'N4']);
});

it('Space selects the focused row, Ctrl+A selects all rows, and Escape first clears the selection', async () => {
  let left = 0;
  show(<List onEscape={() => (left += 1)} />);
  document.querySelector<HTMLElement>('tbody tr')?.focus();
  await userEvent.keyboard(' {ArrowDown}{ArrowDown} ');
  expect(selected()).toEqual(['N1', 'N3']);
  await userEvent.keyboard('{Shift>}{ArrowDown} {/Shift}');
  expect(selected()).toEqual(['N1', 'N3', 'N4']);
  await userEvent.keyboard('{Control>}a{/Control}');
  expect(selected()).toHaveLength(5);
  await userEvent.keyboard('{Escape}');
  expect([selected(), left]).toEqual([[], 0]);
  await userEvent.keyboard('{Escape}');
  expect(left).toBe(1);
});

it('the header checkbox is on, off, or mixed, names its rows, and is the only checkbox that Tab reaches', async () => {
  show(<List filter="N" />);
  const head = check('Select all 5 invoices');
  await userEvent.click(check('Select N2'));
  expect([head.checked, head.indeterminate]).toEqual([false, true]);
  await userEvent.click(head);
  expect([head.checked, head.indeterminate, selected().length]).toEqual([true, false, 5]);
  await userEvent.click(head);
  expect([head.checked, head.indeterminate, selected().length]).toEqual([false, false, 0]);
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.filter((box) => box.tabIndex === 0)).toEqual([head]);
});

it('the selection survives sorting, filtering, and reloading, but not the deletion of a row', async () => {
  const { rerender } = show(<List />);
  await userEvent.click(check('Select N2'));
  await userEvent.click(check('Select N4'));
  await userEvent.click(screen.getByRole('button', { name: 'Number' }));
  expect(selected()).toEqual(['N4', 'N2']);
  rerender(<List filter="N2" />);
  expect(bar()).toContain('2 selected, 1 not shown');
  rerender(<List rows={FIVE.map((row) => ({ ...row, amount: row.amount + 1 }))} />);
  expect(bar()).toContain('60.02');
  rerender(<List rows={FIVE.filter(({ number }) => number !== 'N4')} />);
  expect(bar()).toContain('1 selectedAmount 20.00');
  rerender(<List />);
  expect(selected()).toEqual(['N2']);
});

/** Returns a long list with the first `loaded` rows and the last row loaded. */
function longRows(total: number, loaded: number): LongList<Row> {
  const all = rowsTo(total);
  const parts = [
    { at: 0, rows: all.slice(0, loaded) },
    { at: total - 1, rows: all.slice(-1) },
  ];
  return { total, sums: {}, parts, show: () => undefined, all: async () => all };
}

it('in a long list, the header selects only the loaded rows, and the bar offers to select all 600', async () => {
  show(<List rows={longRows(600, 3)} />);
  await userEvent.click(check('Select the 4 of 600 invoices that are loaded'));
  expect(bar()).toContain('4 selected');
  await userEvent.click(screen.getByRole('button', { name: 'Select all 600 invoices' }));
  await waitFor(() => expect(bar()).toContain('600 selected, 596 not shownAmount 1,803,000.00'));
});

it('a range loads its missing rows, and a row that is no longer loaded stays selected', async () => {
  const rows = longRows(20, 3);
  const { rerender } = show(<List rows={rows} />);
  document.querySelector<HTMLElement>('tbody tr')?.focus();
  await userEvent.keyboard('{ArrowDown} {End}');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('N20'));
  await userEvent.keyboard('{Shift>} {/Shift}');
  await waitFor(() => expect(bar()).toContain('19 selected'));
  rerender(<List rows={longRows(20, 2)} />);
  expect(bar()).toContain('19 selected');
});

it('starting a range at a row that is no longer loaded loads the list', async () => {
  const { rerender } = show(<List rows={longRows(20, 3)} />);
  await userEvent.click(check('Select N3'));
  rerender(<List rows={longRows(20, 2)} />);
  const user = userEvent.setup();
  await user.keyboard('{Shift>}');
  await user.click(check('Select N20'));
  await waitFor(() => expect(bar()).toContain('18 selected'));
});

it("a dialog around the list doesn't receive the Escape that clears the selection", async () => {
  const heard: string[] = [];
  show(
    <div role="dialog" aria-label="Around" tabIndex={-1} onKeyDown={(event) => heard.push(event.key)}>
      <List />
    </div>,
  );
  await userEvent.click(check('Select N2'));
  await userEvent.keyboard('{Escape}');
  expect([heard, selected()]).toEqual([[], []]);
});

it('on a phone, Select shows checkboxes, and Done hides them', async () => {
  setWidth(390);
  const opened: string[] = [];
  show(<List onOpen={(row) => opened.push(row.number)} />);
  await userEvent.click(screen.getByRole('button', { name: 'N1' }));
  await userEvent.click(screen.getByRole('button', { name: 'List actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Select' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'N2' }));
  expect(screen.getByRole('checkbox', { name: 'N2' }).getAttribute('aria-checked')).toBe('true');
  expect(opened).toEqual(['N1']);
  expect(bar()).toContain('1 selectedAmount 20.00');
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryAllByRole('checkbox')).toEqual([]);
  setWidth(1440);
});

function KeptList({ start }: { start: readonly string[] }) {
  const [ids, onChange] = useState(start);
  const shared = { rows: FIVE, columns: COLUMNS, rowId: byNumber };
  const selection = useSelection<Row>({ ...shared, words: WORDS, sums: SUMS, kept: { ids, onChange } });
  return (
    <>
      <output>{ids.join(' ')}</output>
      <DataTable<Row> {...shared} label="Invoices" selection={selection} empty={{ title: 'None', hint: '' }} />
    </>
  );
}

it("a form's selection includes a row that isn't loaded yet, survives Escape, and is cleared by Clear", async () => {
  const user = userEvent.setup();
  show(<KeptList start={['N2', 'N9']} />);
  const kept = () => document.querySelector('output')?.textContent;
  expect(selected()).toEqual(['N2']);
  await user.click(screen.getByRole('checkbox', { name: 'Select N4' }));
  expect([kept(), selected()]).toEqual(['N2 N9 N4', ['N2', 'N4']]);
  expect(screen.getByText('2 selected')).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(kept()).toBe('N2 N9 N4');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  expect(kept()).toBe('');
});
