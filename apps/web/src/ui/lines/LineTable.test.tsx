// @vitest-environment jsdom
import '../../testing/setup.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { CheckField } from '../fields/CheckField.tsx';
import { QuantityField } from '../fields/QuantityField.tsx';
import { TextField } from '../fields/TextField.tsx';
import { AppModal } from '../overlay/AppModal.tsx';
import { setWidth } from '../../testing/setup.ts';
import { show } from '../../testing/show.tsx';
import type { LineColumn, LineTableHandle } from './lineColumns.ts';
import { LineTable } from './LineTable.tsx';

interface Line {
  id: number;
  description: string;
  quantity: number | null;
}

const COLUMNS: readonly LineColumn<Line>[] = [
  {
    id: 'description',
    header: 'Description',
    show: (line) => line.description,
    edit: ({ line, set, field }) => (
      <TextField {...field} value={line.description} onChange={(description) => set({ description })} />
    ),
  },
  {
    id: 'quantity',
    header: 'Quantity',
    right: true,
    show: (line) => line.quantity,
    edit: ({ line, set, field }) => (
      <QuantityField {...field} value={line.quantity} onChange={(quantity) => set({ quantity })} />
    ),
    total: (lines) => lines.reduce((all, line) => all + (line.quantity ?? 0), 0),
  },
];

const cardOf = (line: Line) => ({ title: line.description, amount: line.quantity });

const FIRST: readonly Line[] = [
  { id: 1, description: 'Mowing', quantity: 4 },
  { id: 2, description: 'Mulch', quantity: 8 },
];

const UNREAD: string[] = [];
const nothing = () => undefined;

interface FormProps {
  saved?: string[];
  closed?: () => void;
  startNew?: boolean;
  startsUnfocused?: boolean;
  first?: readonly Line[];
  onCard?: (id: number) => void;
  columns?: readonly LineColumn<Line>[];
}

function Form(props: FormProps) {
  const { saved = UNREAD, closed = nothing, startNew = false, first = FIRST, columns = COLUMNS, onCard } = props;
  const [lines, setLines] = useState(first);
  const table = useRef<LineTableHandle>(null);
  const [cardOfForm] = useState(() => (line: Line) => {
    onCard?.(line.id);
    return cardOf(line);
  });
  const save = () => saved.push(lines.map((line) => line.description).join(', '));
  const commit = (line: Line) =>
    setLines((all) =>
      all.some((one) => one.id === line.id) ? all.map((one) => (one.id === line.id ? line : one)) : [...all, line],
    );
  return (
    <AppModal
      opened
      onClose={closed}
      title="Billing Entry"
      settle={() => table.current?.settle() ?? true}
      footer={{ primary: { label: 'Save', onClick: save } }}
    >
      <LineTable<Line>
        ref={table}
        label="Line items"
        columns={columns}
        lines={lines}
        lineId={(line) => String(line.id)}
        blank={(all) => ({ id: -1 - all.length, description: '', quantity: 1 })}
        validate={(line) => (line.description === '' ? { description: 'A description entry is required' } : {})}
        onCommit={commit}
        onRemove={(line) => setLines((all) => all.filter((one) => one !== line && one.id !== line.id))}
        addLabel="Add Billing Line Item"
        startNew={startNew}
        startsUnfocused={props.startsUnfocused === true}
        card={cardOfForm}
      />
    </AppModal>
  );
}

const committed = () => [...document.querySelectorAll('tr.ek-line')].map((row) => row.textContent);

it("a line without a description isn't committed and shows the message below the field", async () => {
  show(<Form />);
  await userEvent.click(screen.getByRole('button', { name: 'Add Billing Line Item' }));
  const field = screen.getByRole('textbox', { name: 'Description' });
  expect(document.activeElement).toBe(field);
  await userEvent.click(screen.getByRole('button', { name: 'Commit' }));
  expect(committed()).toEqual(['Mowing4', 'Mulch8']);
  expect(screen.getByText('A description entry is required')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const described = field.getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described.split(' ')[0] ?? '')?.textContent).toBe('A description entry is required');
  await userEvent.type(field, 'E');
  expect(screen.queryByText('A description entry is required')).toBeNull();
});

it.each([
  ['Commit', async () => userEvent.click(screen.getByRole('button', { name: 'Commit' }))],
  ['Ctrl+Enter', (field: HTMLElement) => userEvent.type(field, '{Control>}{Enter}{/Control}')],
  ['Tab in the last cell', (field: HTMLElement) => userEvent.type(field, '{Tab}')],
  ['selecting another line', async () => userEvent.click(screen.getByText('Mowing'))],
  ['adding a line', async () => userEvent.click(screen.getByRole('button', { name: 'Add Billing Line Item' }))],
])("an unreadable value in a line isn't committed as empty by %s", async (_, leave) => {
  const saved: string[] = [];
  show(<Form saved={saved} />);
  await userEvent.click(screen.getByText('Mulch'));
  const field = screen.getByRole('textbox', { name: 'Quantity' });
  await userEvent.clear(field);
  await userEvent.type(field, '1.23456');
  await leave(field);
  expect(screen.getByRole('textbox', { name: 'Quantity' })).toHaveProperty('value', '1.23456');
  expect(committed()).toEqual(['Mowing4']);
  expect(saved).toEqual([]);
});

it("an unreadable value stays when the window width crosses 1224 px, and doesn't appear in the next line", async () => {
  show(<Form />);
  await userEvent.click(screen.getByText('Mulch'));
  const quantity = () => screen.getByRole('textbox', { name: 'Quantity' });
  await userEvent.clear(quantity());
  await userEvent.type(quantity(), '1.23456');
  act(() => setWidth(1100));
  await waitFor(() => expect(quantity()).toHaveProperty('value', '1.23456'));
  act(() => setWidth(1300));
  await waitFor(() => expect(quantity()).toHaveProperty('value', '1.23456'));
  await userEvent.click(screen.getByText('Cancel'));
  await userEvent.click(screen.getByText('Mulch'));
  expect(quantity()).toHaveProperty('value', '8');
});

it("Escape leaves the line unchanged and doesn't close the modal", async () => {
  let closed = 0;
  show(<Form closed={() => (closed += 1)} />);
  await userEvent.click(screen.getByText('Mowing'));
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), ' and edging{Escape}');
  expect(committed()).toEqual(['Mowing4', 'Mulch8']);
  expect(closed).toBe(0);
});

it('Tab in the last field of the last line commits it and starts a new line at its first field', async () => {
  show(<Form startNew />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), 'Edging');
  await userEvent.tab();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Quantity');
  await userEvent.keyboard('3');
  await userEvent.tab();
  expect(committed()).toEqual(['Mowing4', 'Mulch8', 'Edging3']);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Description');
  expect(document.activeElement).toHaveProperty('value', '');
  expect(document.querySelector('tfoot')?.textContent).toBe('15');
});

it('Ctrl+Enter in a line commits it and saves the form', async () => {
  const saved: string[] = [];
  show(<Form saved={saved} />);
  await userEvent.click(screen.getByText('Mulch'));
  const field = screen.getByRole('textbox', { name: 'Description' });
  await userEvent.clear(field);
  await userEvent.type(field, 'Hardwood mulch{Control>}{Enter}{/Control}');
  expect(saved).toEqual(['Mowing, Hardwood mulch']);
});

it('the Save button commits the unfinished line and saves the form', async () => {
  const saved: string[] = [];
  show(<Form saved={saved} startNew />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), 'Edging');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved).toEqual(['Mowing, Mulch, Edging']);
});

it('neither Ctrl+Enter nor the Save button saves a line with an error', async () => {
  const saved: string[] = [];
  show(<Form saved={saved} startNew />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), '{Control>}{Enter}{/Control}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved).toEqual([]);
  expect(screen.getByText('A description entry is required')).toBeTruthy();
});

it('Remove deletes the line, and Enter on a line opens it', async () => {
  show(<Form />);
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
  document.querySelector<HTMLElement>('tr.ek-line')?.focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(committed()).toEqual(['Mulch8']);
});

it('below 1224 px, lines are cards, and a sheet is used to enter one line at a time', async () => {
  setWidth(767);
  show(<Form />);
  expect(screen.queryByRole('table')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Mowing/ }));
  const sheet = await screen.findByRole('dialog', { name: 'Line item' });
  const field = within(sheet).getByLabelText('Description');
  await userEvent.clear(field);
  await userEvent.click(within(sheet).getByRole('button', { name: 'Commit' }));
  expect(within(sheet).getByText('A description entry is required')).toBeTruthy();
  await userEvent.type(field, 'Trimming');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Commit' }));
  expect(screen.queryByRole('dialog', { name: 'Line item' })).toBeNull();
  expect(screen.getByRole('button', { name: /^Trimming/ })).toBeTruthy();
});

const focusText = () => document.activeElement?.textContent;

it.each([
  ['Escape', '{Escape}'],
  ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ['Commit', () => userEvent.click(screen.getByRole('button', { name: 'Commit' }))],
] as const)('leaving a line with %s focuses its row, and Enter opens it again', async (_, leave) => {
  show(<Form />);
  await userEvent.click(screen.getByText('Mowing'));
  await (typeof leave === 'string' ? userEvent.keyboard(leave) : leave());
  expect(focusText()).toBe('Mowing4');
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toHaveProperty('value', 'Mowing');
});

it('Escape in a new line focuses the Add button, and Remove focuses the next row', async () => {
  show(<Form startNew />);
  screen.getByRole('textbox', { name: 'Description' }).focus();
  await userEvent.keyboard('{Escape}');
  expect(focusText()).toBe('Add Billing Line Item');
  await userEvent.click(screen.getByText('Mowing'));
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(focusText()).toBe('Mulch8');
  await userEvent.keyboard('{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(focusText()).toBe('Add Billing Line Item');
});

it('a field above the table keeps the focus when the table starts with a line', async () => {
  const focused: unknown[] = [];
  const note = ({ target }: FocusEvent) => focused.push(target);
  document.addEventListener('focusin', note);
  show(<Form startNew startsUnfocused />);
  const description = screen.getByRole('textbox', { name: 'Description' });
  await waitFor(() => expect(focused.length).toBeGreaterThan(0));
  document.removeEventListener('focusin', note);
  expect(focused).not.toContain(description);
  await userEvent.type(description, 'Edging');
  await userEvent.click(screen.getByRole('button', { name: 'Commit' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add Billing Line Item' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Description' }));
});

it('saving the form leaves the focus on its button', async () => {
  show(<Form startNew />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), 'Edging');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(focusText()).toBe('Save');
});

// Promise (browser): Keyboard focus is never lost in a line table, and Tab moves from an unfinished line to its first
// invalid field.
it('Tab in the last cell of an unfinished line moves to the first invalid field', async () => {
  show(<Form startNew />);
  const quantity = screen.getByRole('textbox', { name: 'Quantity' });
  await userEvent.clear(quantity);
  await userEvent.type(quantity, '7');
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Description' }));
  expect(screen.getByText('A description entry is required')).toBeTruthy();
});

it("Tab moves on to Cancel from an empty new line, so that the focus isn't trapped", async () => {
  show(<Form startNew />);
  await userEvent.click(screen.getByRole('textbox', { name: 'Quantity' }));
  await userEvent.tab();
  expect(focusText()).toBe('Cancel');
});

it('committing an unfinished line moves to the first invalid field', async () => {
  show(<Form startNew />);
  await userEvent.click(screen.getByRole('button', { name: 'Commit' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Description' }));
});

it('if the last column is disabled, Tab in the last editable field adds a line', async () => {
  const taxable: LineColumn<Line> = {
    id: 'taxable',
    header: 'Taxable',
    show: () => null,
    edit: ({ field }) => <CheckField {...field} value={false} disabled onChange={nothing} />,
  };
  show(<Form startNew columns={[...COLUMNS, taxable]} />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), 'Edging');
  await userEvent.tab();
  await userEvent.tab();
  expect(committed()).toEqual(['Mowing4', 'Mulch8', 'Edging1']);
  expect(document.activeElement).toHaveProperty('value', '');
});

/** The lines of a long invoice, and how often each one was rendered. */
function manyLines() {
  const drawn = new Map<number, number>();
  const [description, ...others] = COLUMNS;
  if (description === undefined) throw new Error('there is no column');
  const counting: LineColumn<Line> = {
    ...description,
    show: (line) => {
      drawn.set(line.id, (drawn.get(line.id) ?? 0) + 1);
      return line.description;
    },
  };
  const first = Array.from({ length: 300 }, (_, index) => {
    return { id: index + 1, description: `Work ${index + 1}`, quantity: 1 };
  });
  return { drawn, first, columns: [counting, ...others] };
}

it.each([1300, 600])('typing in one of 300 lines renders no other line, at %i px', async (width) => {
  setWidth(width);
  const { drawn, first, columns } = manyLines();
  const cards = new Map<number, number>();
  show(<Form first={first} columns={columns} onCard={(id) => cards.set(id, (cards.get(id) ?? 0) + 1)} />);
  await userEvent.click(screen.getByText('Work 2'));
  const before = new Map([...drawn, ...cards]);
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), ' in the yard');
  expect(new Map([...drawn, ...cards])).toEqual(before);
});

// Promise (browser): Long line tables and reports render only the visible rows. [< 60 of 300 rows]
it('only the visible lines and the edited line of a 300-line table are in the document', async () => {
  const { first } = manyLines();
  show(<Form first={first} />);
  const rows = document.querySelectorAll('tr.ek-line').length;
  expect(rows).toBeGreaterThan(10);
  expect(rows).toBeLessThan(60);
  expect(screen.getByRole('table', { name: 'Line items' }).getAttribute('aria-rowcount')).toBe('302');
  await userEvent.click(screen.getByText('Work 2'));
  expect(screen.getByRole('textbox', { name: 'Description' })).toHaveProperty('value', 'Work 2');
});
