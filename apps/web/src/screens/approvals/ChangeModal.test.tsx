// @vitest-environment jsdom
import '../../testing/setup.ts';
import type { InputField } from '@evenkeel/contract/agents';
import { AREAS } from '@evenkeel/contract/areas';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { updateSession } from '../../client/session.ts';
import { Alerts } from '../../ui/alerts/Alerts.tsx';
import {
  type Answer,
  fakeNetwork,
  type FakeNetwork,
  field,
  fill,
  press,
  showWithData,
  signedIn,
} from '../billing/testing/answers.tsx';
import { ApprovalsScreen } from './ApprovalsScreen.tsx';
import { approvalOf, openedOf } from './testing/proposals.ts';

const input = {
  body: {
    id: 0,
    customerId: 5,
    invoiceDate: '6/12/2026',
    taxable: true,
    lineItems: [
      { id: -1, description: 'Mowing', accountId: 140, itemPrice: 100, quantity: 2, invoiceId: 36 },
      { id: -2, description: 'Mulch', accountId: 141, itemPrice: 50.5, quantity: 1 },
    ],
  },
};
const KINDS: Readonly<Record<string, InputField['kind']>> = {
  'body.id': 'fixed',
  'body.customerId': 'id',
  'body.invoiceDate': 'date',
  'body.taxable': 'flag',
  'body.lineItems.#.id': 'id',
  'body.lineItems.#.description': 'text',
  'body.lineItems.#.accountId': 'id',
  'body.lineItems.#.itemPrice': 'money',
  'body.lineItems.#.quantity': 'number',
  'body.lineItems.#.invoiceId': 'id',
};
const fields = Object.entries(KINDS).map(([path, kind]) => ({ path, kind, places: 4, maxLength: null, choices: [] }));
const formOf = (rowVersion: number, given: object = input) => ({ rowVersion, input: given, fields });

const OPEN = 'POST /approvals/1/open';
const CHANGE = 'POST /approvals/1/change';
const waits = openedOf(1, { input, form: formOf(0) });
const saved = (change: object = {}) =>
  openedOf(1, {
    approval: {
      ...approvalOf(1, 'Bill 4471'),
      amount: 90,
      changedBy: 'Tom Reyes',
      changedAt: '2026-06-12T19:00:00.000Z',
    },
    input: { body: { ...input.body, lineItems: [{ ...input.body.lineItems[0], itemPrice: 90 }] } },
    sent: input,
    form: formOf(1),
    seen: 'digest 1',
    ...change,
  });
const reply = (body: unknown, status = 200): Answer => ({ status, body });
const wrong = (code: string, status: number, more: object = {}): Answer =>
  reply({ code, message: 'Not possible', requestId: '1', ...more }, status);

let network: FakeNetwork;
const changes = () => network.writes.filter(({ path }) => path === '/approvals/1/change');

afterEach(() => vi.restoreAllMocks());
beforeEach(() => {
  signedIn();
  updateSession({ permissions: AREAS.map((area) => `Manage ${area}` as const) });
  network = fakeNetwork({
    'GET /approvals?status=waiting': [reply([approvalOf(1, 'Bill 4471')])],
    'GET /approvals/count': [reply({ waiting: 1, approved: 0, rejected: 0, hasAgents: true })],
    [OPEN]: [reply(waits), reply(saved())],
    [CHANGE]: [reply(saved())],
  });
});

async function openForm(by: 'key' | 'button' = 'key') {
  showWithData(
    <>
      <ApprovalsScreen />
      <Alerts />
    </>,
    '/approvals',
  );
  await screen.findByRole('button', { name: 'Approve $1,148.00' });
  if (by === 'key') await userEvent.keyboard('e');
  // The bar with the keys has the other button.
  else await userEvent.click(screen.getAllByRole('button', { name: 'Edit' }).at(-1) ?? document.body);
  await screen.findByRole('dialog', { name: 'Edit Proposal' });
}
const line = (number: number) => within(screen.getByRole('region', { name: `Line Item ${number}` }));
const inLine = (number: number, label: string) => line(number).getByLabelText(label, { selector: 'input' });

test('e opens a form with a field for each value, and no one has to type an ID', async () => {
  await openForm();
  expect(field('Customer')).toHaveProperty('value', 'Fairlawn Heights HOA');
  expect(field('Invoice Date')).toHaveProperty('value', '6/12/2026');
  expect(inLine(1, 'Account')).toHaveProperty('value', 'Sales');
  expect(inLine(2, 'Item Price')).toHaveProperty('value', '50.50');
  // An invoice can't be selected here, and a line's own ID says nothing.
  expect(inLine(1, 'Invoice')).toHaveProperty('readOnly', true);
});

test('Edit opens the form, and a save sends the whole input with its version once', async () => {
  await openForm('button');
  fill(inLine(1, 'Item Price'), '90');
  await userEvent.click(line(2).getByRole('button', { name: 'Remove Line Item 2' }));
  await userEvent.dblClick(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changed by Tom Reyes,', { exact: false });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [first] = input.body.lineItems;
  const lineItems = [{ ...first, itemPrice: 90 }];
  expect(changes().map(({ body }) => body)).toEqual([{ input: { body: { ...input.body, lineItems } }, rowVersion: 0 }]);
  // The values of the agent stay next to the new ones.
  const table = within(screen.getByRole('table', { name: 'Fields' }));
  expect(table.getByText('90').tagName).toBe('MARK');
  expect(table.getByText('100')).toBeTruthy();
  await screen.findByRole('button', { name: 'Approve $90.00' });
});

test('a customer or an account is selected in a picker, and a cleared date is sent as no date', async () => {
  await openForm();
  await userEvent.click(field('Customer'));
  await userEvent.click(await screen.findByRole('option', { name: /Oak Hollow/ }));
  await userEvent.click(inLine(2, 'Account'));
  await userEvent.click(await screen.findByRole('option', { name: /Sales/ }));
  fill(field('Invoice Date'), '');
  await press('Save');
  await waitFor(() => expect(changes()).toHaveLength(1));
  expect(changes()[0]?.body).toMatchObject({
    input: { body: { customerId: 6, invoiceDate: null, lineItems: [{ accountId: 140 }, { accountId: 140 }] } },
  });
});

test('messages of the server appear at their fields, and the form stays open', async () => {
  const messages = {
    'lineItems.1.itemPrice': 'The item price in line item 2 is too large',
    dueDate: 'Enter a due date',
  };
  network.answers[CHANGE] = [wrong('malformed', 400, { fields: messages }), reply(saved())];
  await openForm();
  fill(inLine(2, 'Item Price'), '70');
  await press('Save');
  await waitFor(() => expect(inLine(2, 'Item Price').getAttribute('aria-invalid')).toBe('true'));
  expect(line(2).getByText(messages['lineItems.1.itemPrice'])).toBeTruthy();
  // The agent sent no due date, so the message is above the fields.
  expect(screen.getByText('Enter a due date')).toBeTruthy();
  expect(inLine(2, 'Item Price')).toHaveProperty('value', '70.00');
});

test('after a lost response, the form is sent again with the same key', async () => {
  network.answers[CHANGE] = ['silence', reply(saved())];
  await openForm();
  fill(inLine(1, 'Item Price'), '90');
  await press('Save');
  await screen.findAllByText(/connection was lost/);
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [first, second] = changes();
  expect(first?.key).toMatch(/^[\da-f]{32}$/);
  expect(second?.key).toBe(first?.key);
});

test('if someone else has edited the proposal, the user chooses between the two inputs', async () => {
  const theirs = formOf(1, { body: { ...input.body, invoiceDate: '2026-06-30' } });
  network.answers[CHANGE] = [wrong('stale', 409, { current: theirs }), reply(saved())];
  await openForm();
  fill(inLine(1, 'Item Price'), '90');
  await press('Save');
  await userEvent.click(await screen.findByRole('button', { name: 'Keep My Changes' }));
  await waitFor(() => expect(changes()).toHaveLength(2));
  expect(changes()[1]?.body).toMatchObject({ rowVersion: 1, input: { body: { invoiceDate: '6/12/2026' } } });
});

test('Escape asks before unsaved edits are discarded, and leaves the proposal as it is', async () => {
  await openForm();
  fill(inLine(1, 'Item Price'), '90');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Approve $1,148.00' })).toBeTruthy();
  expect(changes()).toEqual([]);
});

test('a proposal without a field to edit offers no Edit, and e does nothing', async () => {
  network.answers[OPEN] = [reply(openedOf(1))];
  showWithData(<ApprovalsScreen />, '/approvals');
  await screen.findByRole('button', { name: 'Approve $1,148.00' });
  await userEvent.keyboard('e');
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Enter right after an edit does not approve effects that no one has seen', async () => {
  let now = 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  await openForm();
  now += 1000;
  fill(inLine(1, 'Item Price'), '90');
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByRole('button', { name: 'Approve $90.00' });
  (document.activeElement as HTMLElement | null)?.blur();
  await userEvent.keyboard('{Enter}');
  expect(network.writes.filter(({ path }) => path.endsWith('/approve'))).toEqual([]);
});
