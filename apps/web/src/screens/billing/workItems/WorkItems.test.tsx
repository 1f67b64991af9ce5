// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut, updateSession } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { BillingScreen } from '../BillingScreen.tsx';
import { forgetRun } from './processing.ts';
import { fakeNetwork, field, fill, press, showWithData, signedIn, wireInvoice, wireItem } from '../testing/answers.tsx';

beforeEach(() => {
  localStorage.clear();
  signedIn();
});
afterEach(() => {
  forgetRun();
  vi.unstubAllGlobals();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const answer = (body: unknown) => [{ status: 200, body }];
const ITEMS = [
  wireItem(),
  wireItem({
    id: 72,
    customerId: 6,
    customerDisplayName: 'Oak Hollow',
    displayName: 'Core aeration',
    totalAmount: 412,
  }),
];
const candidate = (id: number, customerDisplayName: string, change: object = {}) => ({
  id,
  included: true,
  customerEmail: 'office@oak.example',
  onHold: false,
  customerDisplayName,
  workItemCount: 1,
  invoiceAmount: 473,
  arBillingStatus: 2,
  invoiceDate: '2026-06-12',
  dueDate: '2026-07-12',
  workItemIds: [id * 10],
  ...change,
});
const NETWORK = {
  'GET /workitems': answer({ items: ITEMS, next: null, total: 2 }),
  'GET /workitems/71': answer(ITEMS[0]),
  'GET /workiteminvoice': answer([
    candidate(5, 'Fairlawn Heights HOA'),
    candidate(6, 'Oak Hollow'),
    candidate(8, 'Whitaker Residence', { included: false, onHold: true }),
  ]),
};

it('the tab shows the number of work items, and the list shows price × quantity and a total', async () => {
  fakeNetwork(NETWORK);
  showWithData(<BillingScreen />, '/billing');
  await userEvent.click(await screen.findByText('(2)', { selector: '[role="tab"] *' }));
  const table = await screen.findByRole('table', { name: 'Work Items' });
  expect(await within(table).findByText('Core aeration')).toBeTruthy();
  const heads = within(table).getAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    'Customer',
    'Work Item',
    'Sale/Service Date',
    'Price',
    'Quantity',
    'Amount',
  ]);
  expect(table.textContent).toContain('for 2 customers, before tax');
  expect(table.textContent).toContain('885.00');
  expect(screen.getByText('Add Work Item')).toBeTruthy();
  expect(screen.queryByText('Add Billing')).toBeNull();
});

it('a new work item has a customer, a description, and a price, and is sent only once', async () => {
  const network = fakeNetwork({ ...NETWORK, 'POST /workitems': answer(wireItem()) });
  showWithData(<BillingScreen />, '/billing?tab=work&workitem=0');
  await screen.findByRole('button', { name: 'Save' });
  await press('Save');
  expect(screen.getByText('Please Select a Customer')).toBeTruthy();
  expect(screen.getByText('Please Select an Account')).toBeTruthy();
  expect(network.writes).toEqual([]);
  await userEvent.click(field('Customer'));
  await userEvent.click(await screen.findByText('Oak Hollow', { selector: '[role="option"] *' }));
  fill(field('Description'), 'Storm cleanup');
  await userEvent.click(field('Account'));
  await userEvent.click(await screen.findByText('Service Income', { selector: '[role="option"] *' }));
  fill(field('Price'), '86');
  fill(field('Quantity'), '5.5');
  expect(screen.getByText('473.00', { selector: '.ek-sheet-value *, .ek-sheet-value' })).toBeTruthy();
  await press('Save');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({ id: 0, customerId: 6, itemPrice: 86, quantity: 5.5, accountId: 141 });
  await waitFor(() => expect(screen.queryByText('Work Item Entry')).toBeNull());
});

it('a billed work item is read-only and links to its invoice', async () => {
  fakeNetwork({ ...NETWORK, 'GET /workitems/71': answer(wireItem({ invoiceId: 36, invoiceNumber: '10436' })) });
  showWithData(<BillingScreen />, '/billing?workitem=71');
  expect((await screen.findByText('10436', { selector: 'a' })).getAttribute('href')).toBe('/billing?invoice=36');
  expect(screen.queryByText('Save')).toBeNull();
  expect(screen.queryByText('Delete')).toBeNull();
});

it('Delete asks for confirmation and then removes the work item', async () => {
  const network = fakeNetwork({ ...NETWORK, 'DELETE /workitems/71': answer({ ok: true }) });
  showWithData(<BillingScreen />, '/billing?workitem=71');
  await screen.findByRole('button', { name: /^More: .*Delete/ });
  await press('Delete');
  expect(screen.getByText('Cancel Delete')).toBeTruthy();
  expect(network.writes).toEqual([]);
  await press('Confirm Delete');
  await waitFor(() => expect(network.writes.map(({ method }) => method)).toEqual(['DELETE']));
});

it('two of three customers are billed row by row, one on hold is excluded, and the invoice is sent', async () => {
  const refused = { code: 'rule', message: 'Invoice total cannot be negative', requestId: '1' };
  const made = wireInvoice({ id: 37, invoiceNumber: '10437', invoiceAmount: 468 });
  const network = fakeNetwork({
    ...NETWORK,
    'POST /workiteminvoice': [
      { status: 200, body: made },
      { status: 422, body: refused },
    ],
  });
  showWithData(<BillingScreen />, '/billing?tab=work');
  await screen.findByText('Process Work Items');
  await press('Process Work Items');
  expect(await screen.findByText('2 of 3 customers, 2 work items, tax included')).toBeTruthy();
  expect(screen.getByText('On Hold')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Include Oak Hollow'));
  expect(screen.getByText('Bill 1 Customer')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Include Oak Hollow'));
  await press('Bill 2 Customers');
  expect(await screen.findByText('Invoice total cannot be negative')).toBeTruthy();
  expect(screen.getByText('10437', { selector: 'a' }).getAttribute('href')).toContain('invoice=37');
  expect(screen.getByText('1 billed · 1 refused')).toBeTruthy();
  const results = within(screen.getByRole('table', { name: 'Results' }));
  expect(results.getAllByRole('row').map(({ children }) => children[2]?.textContent)).toEqual([
    'Invoice Amount',
    '468.00',
    '–',
  ]);
  expect(network.writes.map(({ body }) => (body as { id: number }).id)).toEqual([5, 6]);
  fireEvent.click(screen.getByLabelText('Close'));
  await waitFor(() => expect(screen.queryByText('1 billed · 1 refused')).toBeNull());
  await press('Process Work Items');
  expect(await screen.findByText('1 billed · 1 refused')).toBeTruthy();
  // Only the created invoice is sent. Closing the result of sending also dismisses the results of the run.
  network.answers['POST /sending'] = answer([
    { invoiceId: 37, paymentId: null, estimateId: null, creditId: null, customerId: null, ok: true },
  ]);
  await press('Send These 1');
  expect(await screen.findByText('1 of 1 invoice sent to the mail server.')).toBeTruthy();
  expect(network.writes.at(-1)).toMatchObject({ path: '/sending', body: [{ invoiceId: 37 }] });
});

it("a billed customer with no email address has a link to add one and isn't counted on Send", async () => {
  fakeNetwork({
    ...NETWORK,
    'GET /workiteminvoice': answer([candidate(5, 'Fairlawn Heights HOA', { customerEmail: '' }), candidate(6, 'Oak')]),
    'POST /workiteminvoice': [
      { status: 200, body: wireInvoice({ id: 37 }) },
      { status: 200, body: wireInvoice({ id: 38 }) },
    ],
  });
  showWithData(<BillingScreen />, '/billing?process=1');
  await screen.findByText('Bill 2 Customers');
  await press('Bill 2 Customers');
  expect(await screen.findByText('Send These 1')).toBeTruthy();
  const results = within(screen.getByRole('table', { name: 'Results' }));
  expect(results.getAllByRole('row').map(({ children }) => children[1]?.textContent)).toEqual([
    'Email',
    'Add Email',
    'office@oak.example',
  ]);
  const link = results.getByRole('link', { name: 'Add Email for Fairlawn Heights HOA' });
  expect(link.getAttribute('href')).toBe('/customers?customer=5&edit=5');
});

it('before billing, the list is reloaded, and work items that another user has billed are skipped', async () => {
  const network = fakeNetwork({ ...NETWORK, 'POST /workiteminvoice': answer(wireInvoice()) });
  showWithData(<BillingScreen />, '/billing?process=1');
  await screen.findByText('Bill 2 Customers');
  network.answers['GET /workiteminvoice'] = answer([candidate(6, 'Oak Hollow')]);
  await press('Bill 2 Customers');
  expect(await screen.findByText(/^Work items changed after you opened this window/)).toBeTruthy();
  expect(screen.queryByText('Fairlawn Heights HOA')).toBeNull();
  expect(network.writes).toEqual([]);
  await press('Bill 1 Customer');
  await waitFor(() => expect(network.writes.map(({ body }) => (body as { id: number }).id)).toEqual([6]));
});

it('the work items are reloaded when the dialog is reopened', async () => {
  const network = fakeNetwork(NETWORK);
  showWithData(<BillingScreen />, '/billing?process=1');
  await screen.findByText('Bill 2 Customers');
  await press('Cancel');
  network.answers['GET /workiteminvoice'] = answer([]);
  await press('Process Work Items');
  expect(await screen.findByText('No work items to bill')).toBeTruthy();
});

it('pasted rows are checked and saved in one request, and rejected rows remain and show the reason', async () => {
  const refused = { code: 'rule', message: 'Please Select a Profit Center', requestId: '1' };
  const network = fakeNetwork({
    ...NETWORK,
    'POST /workitems/many': answer([{ record: wireItem() }, { error: refused }]),
  });
  showWithData(<BillingScreen />, '/billing?tab=work');
  await press('Paste Work Items');
  const rows = ['Oak Hollow\tShade tree\t2', 'Nobody\tShade tree', 'Exempt School\tShade tree\t1\t200'];
  fireEvent.change(await screen.findByLabelText('Rows'), { target: { value: rows.join('\n') } });
  expect(await screen.findByText('3 rows, 1 with errors')).toBeTruthy();
  expect(screen.getByText('No customer is named “Nobody”.')).toBeTruthy();
  await press('Save 2 Work Items');
  expect(await screen.findByText('Please Select a Profit Center')).toBeTruthy();
  expect(network.writes).toHaveLength(1);
  expect(network.writes[0]?.body).toMatchObject([
    { customerId: 6, productId: 24, quantity: 2, itemPrice: 285 },
    { customerId: 8, quantity: 1, itemPrice: 200 },
  ]);
  expect(screen.getByText('2 rows, 1 with errors')).toBeTruthy();
  network.answers['POST /workitems/many'] = answer([{ record: wireItem() }]);
  fireEvent.change(screen.getByLabelText('Rows'), { target: { value: 'Exempt School\tShade tree\t1\t210' } });
  await press('Save 1 Work Item');
  await waitFor(() => expect(screen.queryByText('Paste Work Items')).toBeNull());
  expect(network.writes[1]?.key).not.toBe(network.writes[0]?.key);
});

it("the list shows an item's product next to its description", async () => {
  const sold = wireItem({ id: 73, productName: 'Shade tree', displayName: 'Maple by the gate' });
  fakeNetwork({ ...NETWORK, 'GET /workitems': answer([sold]) });
  showWithData(<BillingScreen />, '/billing?tab=work');
  expect((await screen.findByText('Maple by the gate')).closest('td')?.textContent).toBe(
    'Maple by the gate · Shade tree',
  );
});

it('if the list of customers to bill fails to load, an error appears, and Retry loads it', async () => {
  const network = fakeNetwork({
    ...NETWORK,
    'GET /workiteminvoice': [{ status: 500, body: { code: 'error', message: 'No disk' } }],
  });
  showWithData(<BillingScreen />, '/billing?process=1');
  expect(await screen.findByText('Error! Error loading invoice data, please try again.')).toBeTruthy();
  network.answers['GET /workiteminvoice'] = NETWORK['GET /workiteminvoice'];
  await press('Retry');
  expect(await screen.findByText('Bill 2 Customers')).toBeTruthy();
});

it("a user with only view permission sees the list and its items, but can't change them", async () => {
  updateSession({ permissions: ['View Billing'] });
  fakeNetwork(NETWORK);
  showWithData(<BillingScreen />, '/billing?tab=work&workitem=71&process=1');
  expect(await screen.findByText('Work Item Entry')).toBeTruthy();
  for (const words of ['Process Work Items', 'Add Work Item', 'Save', 'Delete']) {
    expect(screen.queryByText(words)).toBeNull();
  }
});
