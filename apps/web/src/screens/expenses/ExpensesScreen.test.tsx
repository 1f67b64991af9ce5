// @vitest-environment jsdom
import '../../testing/setup.ts';
import { SAME_PRESS_MS } from '../../ui/hooks/once.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, useLocation } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeNetwork, field, fill, item, press, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { useSpendingChoices } from '../../parts/choices/accounts.ts';
import { signOut, updateSession } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { ExpensesScreen } from './ExpensesScreen.tsx';
import { wireBill } from './testing/bill.ts';
import { VendorInvoices } from './VendorInvoices.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const answer = (body: unknown) => [{ status: 200, body }];
const CREDIT = wireBill({ id: 37, invoiceNumber: 'C-1', invoiceAmount: -20, openAmount: -20, badge: 'Credit' });
const PART = wireBill({ openAmount: 50, badge: 'Overdue', daysOverdue: 3 });
const OPEN = (id: number, number: string, amount: number, openAmount = amount) => ({
  invoiceId: id,
  invoiceNumber: number,
  invoiceDate: '2026-05-12',
  dueDate: '2026-06-11',
  invoiceAmount: amount,
  openAmount,
  appliedAmount: 0,
  applyAmount: 0,
  profitCenterId: null,
  locationId: null,
  lineItems: [],
});
const QUARRY = {
  id: 9,
  displayname: 'Quarry Supply',
  emailAddress: '',
  primaryContactPhone: '',
  dba: '',
  namesake: false,
};
const VENDORS = { items: [QUARRY], hasMore: false };
const NETWORK = {
  'GET /expenseinvoice?limit=100': answer([PART, CREDIT]),
  'GET /expenseinvoice': answer([PART, CREDIT]),
  'GET /expenseinvoice/36': answer(PART),
  'GET /expenseinvoice/37': answer(CREDIT),
  'GET /vendor/choices': answer(VENDORS),
  'GET /vendor/choices?id=9': answer(VENDORS),
  'GET /vendorexpensehistory/9': answer([]),
  'GET /vendoropeninvoices/9': answer([OPEN(36, 'A-77', 120, 50), OPEN(37, 'C-1', -20)]),
};

function Place() {
  const { pathname, state } = useLocation();
  return (
    <>
      <Link to="/expenses" state={{ itemId: 36 }}>
        from the search
      </Link>
      <output data-testid="place">{`${pathname} ${JSON.stringify(state)}`}</output>
    </>
  );
}

function showScreen(permissions = ['Manage Expenses', 'View Vendors']) {
  signedIn();
  updateSession({ permissions });
  const network = fakeNetwork(NETWORK);
  showWithData(
    <>
      <ExpensesScreen />
      <Place />
    </>,
  );
  return network;
}

it('bills are listed by number with their amount, unpaid amount, days overdue, and a link to the vendor', async () => {
  showScreen();
  await screen.findByText('A-77');
  const foot = screen.getByText(/^Total Outstanding/).parentElement?.textContent;
  expect(foot).toBe('Total Outstanding 100.00');
  expect(screen.getByRole('button', { name: '30.00' }).closest('tfoot')).toBeTruthy();
  expect(screen.getByText('Overdue 3 days')).toBeTruthy();
  expect(screen.queryByLabelText('Post a payment for bill C-1')).toBeNull();
  await userEvent.click(screen.getAllByText('Quarry Supply')[0] ?? document.body);
  expect(screen.getByTestId('place').textContent).toBe('/vendors/9 {"vendorId":9}');
});

it('a bill without payments is voided from its panel and keeps its lines', async () => {
  const network = showScreen();
  const whole = wireBill();
  const gone = { ...whole, voided: true, openAmount: 0, badge: 'Void', rowVersion: 2 };
  network.answers['GET /expenseinvoice/36'] = [whole, gone].map((body) => ({ status: 200, body }));
  network.answers['PUT /expenseinvoice'] = answer(gone);
  await userEvent.click(await screen.findByText('A-77'));
  await screen.findByText('unpaid, due 6/11/2026');
  await press('Void');
  expect(screen.getByText('Void bill A-77? It keeps its number, and its postings are reversed.')).toBeTruthy();
  await press('Void');
  expect(await screen.findByText('void, nothing owed')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Void' })).toBeNull();
  expect(network.writes[0]?.body).toMatchObject({
    id: 36,
    voided: true,
    rowVersion: 1,
    postToVendorAccount: true,
    lineItems: [{ id: 91, lineItemAmount: 120, accountId: 160 }],
  });
});

it("a bill is shown as void even if the response to voiding it is lost, and the request isn't sent again", async () => {
  const network = showScreen();
  const gone = wireBill({ voided: true, openAmount: 0, badge: 'Void', rowVersion: 2 });
  network.answers['GET /expenseinvoice/36'] = [wireBill(), gone].map((body) => ({ status: 200, body }));
  network.answers['PUT /expenseinvoice'] = ['silence'];
  await userEvent.click(await screen.findByText('A-77'));
  await screen.findByText('unpaid, due 6/11/2026');
  await press('Void');
  await press('Void');
  expect(await screen.findByText('void, nothing owed')).toBeTruthy();
  expect(screen.queryByText(/connection was lost/)).toBeNull();
  expect(network.writes).toHaveLength(1);
});

it('Total Outstanding reconciles to the amount owed to vendors, with an amount for each difference', async () => {
  signedIn();
  const sums = { invoiceAmount: 3998.98, openAmount: 3748.98, draftAmount: 0 };
  const ties = { unappliedAmount: -250, journalAmount: 0, laterAmount: 0, owedAmount: 3498.98 };
  const page = { items: [PART, CREDIT], next: null, total: 2, sums: { ...sums, ...ties } };
  const items = { items: [], count: 0, total: 0, openAmount: -250, age: null };
  const { writes } = fakeNetwork({
    'GET /expenseinvoice?limit=100': answer(page),
    'PUT /GeneralLedger/OpenItems': answer(items),
  });
  showWithData(<ExpensesScreen />);
  await screen.findByText('A-77');
  expect(screen.getByText(/^Total Outstanding/).textContent).toBe('Total Outstanding 100.00');
  await userEvent.click(screen.getByRole('button', { name: 'Owed 3,498.98' }));
  const parts = await screen.findByRole('dialog', { name: 'Owed 3,498.98' });
  expect(parts.textContent).toBe(
    'Owed to vendorsUnpaid bills3,748.98Unapplied payments(250.00)Owed3,498.98Equals accounts payable in the ledger' +
      'Paid on these documents70.00',
  );
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: '(250.00)' }));
    await import('../../parts/ledger/FigureDrawer.tsx');
  });
  expect(await screen.findByRole('dialog', { name: 'Unapplied payments' })).toBeTruthy();
  const asked = writes.filter(({ path }) => path === '/GeneralLedger/OpenItems').map(({ body }) => body);
  expect(asked).toMatchObject([{ side: 'payable', kind: 'payment' }]);
});

it('a filtered list has its own totals without a reconciliation', async () => {
  signedIn();
  const sums = { unappliedAmount: -250, owedAmount: -220 };
  fakeNetwork({
    'GET /expenseinvoice?limit=100': answer({ items: [PART, CREDIT], next: null, total: 2, sums }),
  });
  showWithData(<ExpensesScreen />);
  await screen.findByText('A-77');
  fireEvent.change(screen.getByLabelText('Search Invoices...'), { target: { value: 'C-1' } });
  await waitFor(() => expect(screen.queryByText('A-77')).toBeNull());
  const foot = screen.getByText(/^Total Outstanding/).parentElement?.textContent;
  expect(foot).toBe('Total Outstanding (20.00)');
  expect(screen.queryByText(/^Owed/)).toBeNull();
});

it("an itemId in the navigation state opens its bill only once, and a viewer can't change the bill", async () => {
  showScreen(['View Expenses']);
  await userEvent.click(screen.getByText('from the search'));
  expect(await screen.findByText('Bill A-77')).toBeTruthy();
  expect(await screen.findByText('Gravel')).toBeTruthy();
  await waitFor(() => expect(screen.getByTestId('place').textContent).toBe('/expenses null'));
  for (const name of ['Add Expense', 'Open Expense Invoice', /Delete/]) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
});

const RECEIPT = { types: ['Files'], files: [new File(['Gravel, 2 tons'], 'receipt.txt')] };

it('a file that is dropped on the screen opens a new bill with it, and the next bill has no file', async () => {
  showScreen();
  const place = await screen.findByText('A-77');
  fireEvent.dragEnter(place, { dataTransfer: RECEIPT });
  expect(screen.getByText('Drop Files Here')).toBeTruthy();
  fireEvent.drop(place, { dataTransfer: RECEIPT });
  expect(await screen.findByText("This file can't be previewed")).toBeTruthy();
  const dialog = screen.getByRole('dialog', { name: 'Expense Entry' });
  expect(within(dialog).getByRole('tab', { name: /^Attachments/ }).textContent).toBe('Attachments(1)');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  await press('Discard changes');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Add Expense');
  expect(await screen.findByText('No receipt attached')).toBeTruthy();
});

it('files that a viewer drops on the screen are ignored, and no form opens', async () => {
  showScreen(['View Expenses']);
  const place = await screen.findByText('A-77');
  fireEvent.dragEnter(place, { dataTransfer: RECEIPT });
  expect(screen.queryByText('Drop Files Here')).toBeNull();
  fireEvent.drop(place, { dataTransfer: RECEIPT });
  expect(screen.queryByRole('dialog')).toBeNull();
});

const saveButton = () => screen.getByText('Save/Send').closest('button');

it('Save/Send is disabled until a change is made, and a duplicate number shows one warning before saving', async () => {
  const network = showScreen();
  const number = { invoiceNumber: 'A-80', invoiceDate: '2026-04-01' };
  const other = { id: 12, ...number, invoiceAmount: 75, openAmount: 0, voided: false };
  // A void bill isn't a duplicate.
  const before = [{ ...other, id: 11, voided: true, invoiceDate: '2026-03-01' }, other];
  network.answers['GET /vendorinvoice/GetVendorInvoices/9?invoiceNumber=A-80'] = answer(before);
  network.answers['PUT /expenseinvoice'] = answer(wireBill({ invoiceNumber: 'A-80', rowVersion: 2 }));
  await userEvent.click(await screen.findByText('A-77'));
  await userEvent.click(await screen.findByRole('button', { name: 'Open Expense Invoice' }));
  await screen.findByRole('dialog');
  expect(saveButton()?.disabled).toBe(true);
  fill(field('Invoice Number'), 'A-80');
  expect(saveButton()?.disabled).toBe(false);
  fill(field('Invoice Number'), 'A-77');
  expect(saveButton()?.disabled).toBe(true);
  fill(field('Invoice Number'), 'A-80');
  await press('Save/Send');
  expect(await screen.findByText(/already has bill A-80, dated 4\/1\/2026, for \$75\.00/)).toBeTruthy();
  // The second click of a double-click must not confirm the warning.
  await press('Save/Send');
  expect(network.writes).toEqual([]);
  await new Promise((done) => setTimeout(done, SAME_PRESS_MS + 50));
  await press('Save/Send');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({ id: 36, invoiceNumber: 'A-80', rowVersion: 1 });
});

it('bill lines offer expense accounts and sales tax, but no bank or system accounts', async () => {
  const accounts = [
    item(101, 'Checking', 'Bank'),
    item(123, 'Sales Tax Payable', 'Sales Tax Payable'),
    item(137, 'Retained Earnings', 'Retained Earnings'),
    item(139, 'Accounts Payable', 'Accounts Payable'),
    item(153, 'Car & Truck', 'Expense'),
  ];
  signedIn();
  fakeNetwork({ 'GET /customeraccounts?inactive=true': answer(accounts) });
  const Offered = () => <output>{useSpendingChoices().options.map(({ label }) => `${label}; `)}</output>;
  showWithData(<Offered />);
  expect(await screen.findByText('Car & Truck; Sales Tax Payable;')).toBeTruthy();
});

it.each([
  ['fills in the first line', 153, 'Car & Truck'],
  ['is not filled in if it is inactive', 154, ''],
])("the vendor's usual account %s, and an untouched line is not saved", async (_, usualAccountId, shown) => {
  const network = showScreen();
  const inactive = { ...item(154, 'Old Expense', 'Expense'), active: false };
  const choices = answer({ items: [{ ...QUARRY, usualAccountId }], hasMore: false });
  Object.assign(network.answers, {
    'GET /customeraccounts?inactive=true': answer([item(153, 'Car & Truck', 'Expense'), inactive]),
    'GET /vendor/choices': choices,
    'GET /vendor/choices?id=9': choices,
  });
  await press('Add Expense');
  await screen.findByRole('dialog', { name: 'Expense Entry' });
  await userEvent.click(screen.getByRole('combobox', { name: 'Vendor' }));
  await userEvent.click(await screen.findByRole('option', { name: /Quarry Supply/ }));
  const account = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Account/ }).value;
  await waitFor(() => expect(account()).toBe(shown));
  await press('Save/Send');
  expect(await screen.findByText(/At least one line item/)).toBeTruthy();
  expect(network.writes).toEqual([]);
});

it("a new bill that can't be saved shows an error and stays open unchanged", async () => {
  const network = showScreen();
  const accounts = answer([item(153, 'Car & Truck', 'Expense')]);
  Object.assign(network.answers, {
    'GET /customeraccounts?inactive=true': accounts,
    'GET /vendorinvoice/GetVendorInvoices/9?invoiceNumber=N-1': answer([]),
    'POST /expenseinvoice': [{ status: 503, body: { code: 'unavailable', message: 'No disk' } }],
  });
  await press('Add Expense');
  await screen.findByRole('dialog');
  await userEvent.click(screen.getByRole('combobox', { name: 'Vendor' }));
  await userEvent.click(await screen.findByRole('option', { name: /Quarry Supply/ }));
  fill(field('Invoice Number'), 'N-1');
  await userEvent.click(screen.getByRole('combobox', { name: /^Account/ }));
  await userEvent.click(await screen.findByRole('option', { name: /Car & Truck/ }));
  fill(screen.getByLabelText(/^Description/), 'Fuel');
  fill(screen.getByLabelText(/^Amount/), '40');
  await press('Save/Send');
  const told = () => alerts.state().past.map(({ text }) => text);
  await waitFor(() => expect(told()).toContain('Failure Saving Invoice'));
  expect((field('Invoice Number') as HTMLInputElement).value).toBe('N-1');
});

it('if a lost connection prevents the number check, the bill is sent anyway and the failure is reported', async () => {
  const network = showScreen();
  network.answers['GET /vendorinvoice/GetVendorInvoices/9?invoiceNumber=A-80'] = ['silence'];
  network.answers['PUT /expenseinvoice'] = ['silence'];
  await userEvent.click(await screen.findByText('A-77'));
  await userEvent.click(await screen.findByRole('button', { name: 'Open Expense Invoice' }));
  await screen.findByRole('dialog');
  fill(field('Invoice Number'), 'A-80');
  await press('Save/Send');
  expect((await screen.findAllByText(/The connection was lost/)).length).toBeGreaterThan(0);
});

it('Pay Invoice pays the open balance with a 30.00 payment and 20.00 of the vendor’s credit', async () => {
  const network = showScreen();
  network.answers['POST /expensepayment'] = [
    { status: 422, body: { code: 'refused', message: 'Seen', requestId: 'r' } },
  ];
  await userEvent.click(await screen.findByLabelText('Post a payment for bill A-77'));
  await screen.findByText('C-1');
  const dialog = screen.getByRole('dialog', { name: 'Add Expense Payment' });
  expect(field('Amount').getAttribute('value')).toBe('50.00');
  expect(within(dialog).queryByLabelText('Payment Type')).toBeNull();
  fill(field('Check Number'), '5108');
  fill(field('Amount'), '30');
  fill(field('Apply amount for bill C-1'), '20');
  fill(field('Apply amount for bill A-77'), '50');
  await press(/^Post Payment/);
  await screen.findByText('Seen');
  expect(network.writes[0]?.body).toMatchObject({
    vendorId: 9,
    paymentAmount: 30,
    paymentCheckNo: '5108',
    bankAccountId: 1,
    paymentApplications: [
      { invoiceId: 36, amount: 50 },
      { invoiceId: 37, amount: -20 },
    ],
  });
});

it('the vendor’s tab lists the bills with their total and has a link to each bill', async () => {
  signedIn();
  updateSession({ permissions: ['View Expenses'] });
  const row = {
    id: 36,
    invoiceNumber: 'A-77',
    invoiceDate: '2026-05-12',
    invoiceAmount: 120,
    openAmount: 50,
    voided: false,
  };
  fakeNetwork({ 'GET /vendorinvoice/GetVendorInvoices/9': answer([row, { ...row, id: 37, invoiceAmount: -20 }]) });
  showWithData(<VendorInvoices entityId={9} />);
  await screen.findAllByText('A-77');
  expect(screen.getByText('Total').closest('tr')?.textContent).toBe('Total100.00');
});

it('a vendor credit is labeled as a credit and is applied from its panel with a payment of 0.00', async () => {
  const network = showScreen();
  network.answers['POST /expensepayment'] = answer({});
  await userEvent.click(await screen.findByRole('link', { name: 'C-1' }));
  const panel = within(await screen.findByRole('complementary', { name: 'Vendor Credit C-1' }));
  expect(panel.getByText('remaining to apply')).toBeTruthy();
  expect(panel.queryByText('Due Date')).toBeNull();
  await userEvent.click(panel.getByRole('button', { name: 'Apply' }));
  await screen.findByRole('dialog', { name: /Apply Vendor Credit C-1/ });
  expect(field('Apply amount for bill A-77')).toHaveProperty('value', '20.00');
  await press('Apply 20.00');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({
    vendorId: 9,
    paymentAmount: 0,
    bankAccountId: null,
    paymentAccountId: null,
    paymentApplications: [
      { invoiceId: 36, amount: 20 },
      { invoiceId: 37, amount: -20 },
    ],
  });
});
