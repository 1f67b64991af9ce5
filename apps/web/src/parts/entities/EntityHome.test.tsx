// @vitest-environment jsdom
import '../../testing/setup.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Permission } from '@evenkeel/contract/areas';
import { Customers } from '../../app/Customers.tsx';
import { Vendors } from '../../app/Vendors.tsx';
import { signOut, updateSession } from '../../client/session.ts';
import {
  type Answers,
  fakeNetwork,
  field,
  item,
  press,
  showWithData,
  signedIn,
  wireCustomer,
} from '../../screens/billing/testing/answers.tsx';
import { DocumentLink } from '@evenkeel/contract/attachments';
import { emptyFields } from '../../records/formFields.ts';
import { setWidth } from '../../testing/setup.ts';
import { alerts } from '../../ui/alerts/store.ts';

const ok = (body: unknown) => [{ status: 200, body }];
const row = (kind: string, id: number, change: object = {}) => ({
  kind,
  id,
  number: String(1000 + id),
  date: '2026-06-02',
  dueDate: null,
  amount: 98,
  openAmount: 0,
  balance: 98,
  badge: kind === 'invoice' ? 'Paid' : '',
  daysOverdue: 0,
  checkNumber: '',
  paymentType: '',
  reference: '',
  description: 'Mowing',
  appliedTo: [],
  appliedCount: 0,
  ...change,
});
const STANDING = {
  balance: 60,
  openAmount: 65,
  openCount: 2,
  overdueAmount: 45,
  overdueCount: 1,
  daysOverdue: 10,
  creditAmount: 5,
  journalAmount: 12,
  since: '2024-03-05',
  billedThisYear: 190,
  averageDaysLate: 9,
};
const PAYMENT = row('payment', 9, { amount: -30, checkNumber: '4471', appliedTo: ['1042'], appliedCount: 1 });
const FIRST = [row('journal', 4, { balance: null }), PAYMENT, row('invoice', 42)];
const ANSWERS: Answers = {
  'GET /customer': ok([{ id: 5, displayname: 'Fairlawn', dba: '', emailAddress: '', primaryContactPhone: '' }]),
  'GET /customer/5': ok(wireCustomer(5, 'Fairlawn')),
  'GET /customerstanding/5': ok(STANDING),
  'GET /customeractivity/5': ok({ items: FIRST, next: 'behind', total: 4 }),
  'GET /customeractivity/5?limit=30&after=behind': ok({ items: [row('invoice', 41)], next: null, total: 4 }),
  'GET /customeropeninvoices/5': ok([]),
};

const ALL: Permission[] = ['View Customers', 'Manage Billing', 'View Accounting'];
function open(permissions: Permission[] = ALL, address = '/customers?customer=5') {
  updateSession({ permissions });
  const network = fakeNetwork(ANSWERS);
  showWithData(<Customers />, address);
  return network;
}

/** Dialogs are loaded when they are first opened. */
const SLOW = { timeout: 10_000 };

beforeEach(() => signedIn());
afterEach(() => {
  cleanup();
  setWidth(1440);
  vi.unstubAllGlobals();
  signOut();
  alerts.forget();
  localStorage.clear();
});

const panel = () => screen.findByRole('complementary', { name: 'Fairlawn' });
const links = (within_: HTMLElement) =>
  within(within_)
    .getAllByRole('link')
    .map((link) => `${link.textContent} ${link.getAttribute('href')}`);

it('a customer page shows the notes before the contact details', async () => {
  updateSession({ permissions: ALL });
  const customer = { ...wireCustomer(5, 'Fairlawn'), notes: 'Side gate is locked.\nCall before 8 AM.' };
  fakeNetwork({ ...ANSWERS, 'GET /customer/5': ok(customer) });
  showWithData(<Customers />, '/customers?customer=5');
  const notes = await within(await panel()).findByRole('region', { name: 'Notes' });
  expect(notes.textContent).toBe('NotesSide gate is locked.\nCall before 8 AM.');
  expect(notes.nextElementSibling?.tagName).toBe('DL');
});

it('a customer page shows the balance, overdue amount, and credit, and its rows link to documents', async () => {
  open();
  const home = await panel();
  const activity = await within(home).findByRole('table', { name: 'Activity' });
  expect(links(activity)).toEqual([
    'Journal entry 1004 /accounting?entry=4',
    'Payment 1009 · check 4471 /billing?payment=9',
    'Invoice 1042 /billing?invoice=42',
  ]);
  const text = (name: string) => within(home).getByRole('group', { name }).textContent;
  expect(['Balance', 'Overdue', 'Credit'].map(text)).toEqual([
    'Balance$60.002 open invoicesStatement',
    'Overdue$45.001 invoice, 10 days',
    'Credit$5.00Unapplied',
  ]);
  expect(within(home).getByText('Journal entries (not in the balance)').nextElementSibling?.textContent).toBe('12.00');
  expect(within(home).getByText('Pays on average').nextElementSibling?.textContent).toBe('9 days after the due date');
  expect(within(home).getByText(/, customer since March 2024$/)).toBeTruthy();
  await press('Show more');
  await waitFor(() => expect(links(activity)).toHaveLength(4));
  expect(links(activity).at(-1)).toBe('Invoice 1041 /billing?invoice=41');
});

it('a user who can only view customers sees names without links and has no create actions', async () => {
  open(['View Customers']);
  const home = await panel();
  expect(await within(home).findByText('Invoice 1042')).toBeTruthy();
  expect(within(home).queryAllByRole('link')).toEqual([]);
  expect(screen.queryByText(/New Invoice|Take Payment|Statement/)).toBeNull();
});

it.each([
  ['Take Payment', 'pay=e5'],
  ['New Invoice', 'new=5'],
])('%s opens on top of the list and the customer page: ?%s', async (name, query) => {
  open();
  await panel();
  await press(name);
  await waitFor(() => expect(window.location.href).toMatch(new RegExp(`/customers\\?customer=5&${query}$`)));
});

it('New Estimate opens a form for the customer', async () => {
  open();
  await within(await panel()).findByText('Invoice 1042');
  await press('New Estimate');
  await waitFor(() => expect(window.location.href).toMatch(/\/billing\?tab=estimates&editestimate=0$/));
  expect(window.history.state).toMatchObject({ usr: { entityId: 5 } });
});

it('the Attachments button opens the Attachments tab of the form, and the customer page lists the files', async () => {
  updateSession({ permissions: [...ALL, 'Manage Customers'] });
  const file = {
    ...emptyFields(DocumentLink),
    id: 3,
    documentId: 8,
    documentName: 'contract.pdf',
    contentType: 'application/pdf',
    uploadDate: '2026-06-01',
    size: 10,
  };
  const customer = { ...wireCustomer(5, 'Fairlawn'), documentLinks: [file] };
  fakeNetwork({ ...ANSWERS, 'GET /customer/5': ok(customer), 'GET /entityproperties/0': ok([]) });
  showWithData(<Customers />, '/customers?customer=5');
  expect(await within(await panel()).findByRole('button', { name: 'contract.pdf' })).toBeTruthy();
  await press('Attachments (1)');
  const form = await screen.findByRole('dialog', { name: 'Fairlawn' }, SLOW);
  expect(within(form).getByRole('tab', { name: /^Attachments/, selected: true })).toBeTruthy();
  expect(within(form).getByRole('button', { name: 'Delete contract.pdf' })).toBeTruthy();
  await userEvent.click(within(form).getByRole('button', { name: 'Close' }));
  // The URL changes before the dialog closes.
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), SLOW);
  expect(window.location.search).toBe('?customer=5');
  await userEvent.click(screen.getByRole('button', { name: 'Open Customer' }));
  await screen.findByRole('dialog', { name: 'Fairlawn' }, SLOW);
  expect(screen.getByRole('tab', { name: 'Details', selected: true })).toBeTruthy();
});

it('the payment dialog opens on top of the list, and closing it leaves the customer page unchanged', async () => {
  open(ALL, '/customers?customer=5&pay=e5');
  await screen.findByText('Post Payment', undefined, SLOW);
  const dialog = screen.getByRole('dialog', { name: 'Add Billing Payment' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(window.location.href).toMatch(/\/customers\?customer=5$/);
  expect(await panel()).toBeTruthy();
});

it('a new invoice that is opened from customer 5 is for that customer', async () => {
  open(ALL, '/customers?customer=5&new=5');
  await screen.findByRole('dialog', { name: 'Billing Entry' }, SLOW);
  await waitFor(() => expect(field('Customer')).toHaveProperty('value', 'Fairlawn Heights HOA'), SLOW);
});

it('on a phone, the footer of a customer page has two buttons, and the details have their own tab', async () => {
  setWidth(390);
  open();
  const home = await panel();
  expect(await within(home).findByRole('list', { name: 'Activity' })).toBeTruthy();
  expect(within(home).getByText('Take Payment')).toBeTruthy();
  expect(within(home).getByText('New Invoice')).toBeTruthy();
  expect(within(home).getByText('1 of 5')).toBeTruthy();
});

it('Make Inactive on the page makes the customer inactive, and an inactive customer can be made active', async () => {
  const customer = wireCustomer(5, 'Fairlawn');
  const network = open([...ALL, 'Manage Customers']);
  network.answers['PUT /customer/5'] = ok({ ...customer, deleted: true });
  await within(await panel()).findByText('Invoice 1042');
  await press('Make Inactive');
  await waitFor(() => expect(network.writes).toMatchObject([{ path: '/customer/5', body: { deleted: true } }]));
  cleanup();
  network.answers['GET /customer/5'] = ok({ ...customer, deleted: true });
  network.answers['PUT /customer/5'] = ok(customer);
  showWithData(<Customers />, '/customers?customer=5');
  await userEvent.click(await within(await panel()).findByRole('button', { name: 'Make Active' }));
  await waitFor(() => expect(network.writes.at(-1)).toMatchObject({ path: '/customer/5', body: { deleted: false } }));
});

it('if activity fails to load, an error appears in its place, and Retry loads the activity again', async () => {
  const network = open();
  network.answers['GET /customeractivity/5'] = [
    { status: 500, body: { code: 'error', message: 'No disk', requestId: '1' } },
    ...(ANSWERS['GET /customeractivity/5'] ?? []),
  ];
  const home = await panel();
  expect(await within(home).findByText('Error! No disk')).toBeTruthy();
  await press('Retry');
  expect(await within(home).findByText('Invoice 1042')).toBeTruthy();
});

it('a vendor page shows the usual account, and dashes instead of 0.00 in the balances', async () => {
  updateSession({ permissions: ['View Vendors', 'View Expenses'] });
  const standing = { ...STANDING, balance: 0, openCount: 0, overdueAmount: 0, overdueCount: 0, creditAmount: 0 };
  const quarry = { id: 9, displayname: 'Quarry', dba: '', emailAddress: '', primaryContactPhone: '', namesake: false };
  fakeNetwork({
    'GET /vendor': ok([{ ...quarry, currentbalance: 0 }]),
    'GET /vendor/9': ok(wireCustomer(9, 'Quarry')),
    'GET /vendor/choices?id=9': ok({ items: [{ ...quarry, usualAccountId: 153 }], hasMore: false }),
    'GET /customeraccounts?inactive=true': ok([item(153, '5010 - Materials')]),
    'GET /vendorstanding/9': ok(standing),
    'GET /vendoractivity/9': ok({ items: [], next: null, total: 0 }),
  });
  showWithData(<Vendors />, '/vendors?vendor=9');
  const home = await screen.findByRole('complementary', { name: 'Quarry' });
  expect((await within(home).findByText('5010 - Materials')).previousElementSibling?.textContent).toBe('Usual Account');
  expect(within(home).getByRole('group', { name: 'Balance' }).textContent).toBe('Balance–0.00Nothing open');
  const list = screen.getByRole('table', { name: 'Vendors' });
  expect(within(list).getAllByRole('cell', { name: '0.00' })[0]?.textContent).toBe('–0.00');
});

it("a vendor page lists the vendor's payments, with their unapplied amounts, on a separate tab", async () => {
  updateSession({ permissions: ['View Vendors', 'View Expenses'] });
  const paid = {
    refNumber: '227',
    historyDate: '2026-06-02',
    amount: 250,
    balance: 0,
    id: 7,
    kind: 'payment',
    badge: '',
  };
  fakeNetwork({
    'GET /vendor': ok([{ id: 9, displayname: 'Quarry', dba: '', emailAddress: '', primaryContactPhone: '' }]),
    'GET /vendor/9': ok(wireCustomer(9, 'Quarry')),
    'GET /vendor/choices?id=9': ok({ items: [], hasMore: false }),
    'GET /vendorstanding/9': ok(STANDING),
    'GET /vendorexpensehistory/9': ok([
      { ...paid, refNumber: '228', id: 8, amount: 90, balance: 15 },
      paid,
      { ...paid, kind: 'invoice', refNumber: 'TN-1', id: 2 },
    ]),
  });
  showWithData(<Vendors />, '/vendors?vendor=9&tab=payments');
  const home = await screen.findByRole('complementary', { name: 'Quarry' });
  await within(home).findByText('228');
  const rows = within(home)
    .getAllByRole('row')
    .map((line) => line.textContent);
  expect(rows).toEqual([
    'NumberPayment DateAmountUnapplied',
    '2286/2/202690.0015.00',
    '2276/2/2026250.00–0.00',
    'Unapplied15.00',
  ]);
  expect(links(home)).toEqual(['228 /expenses?payment=8', '227 /expenses?payment=7']);
});
