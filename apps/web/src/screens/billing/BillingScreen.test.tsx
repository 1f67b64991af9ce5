// @vitest-environment jsdom
import '../../testing/setup.ts';
import { addDays, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, useLocation } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { customers } from '../customers/customers.ts';
import { useSave } from '../../records/records.ts';
import { signOut, updateSession } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { deviceToday } from '../../ui/hooks/today.tsx';
import { BillingScreen } from './BillingScreen.tsx';
import { fakeNetwork, field, press, showWithData, signedIn, wireCustomer, wireInvoice } from './testing/answers.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const answer = (body: unknown) => [{ status: 200, body }];
const LIST = [
  wireInvoice({
    id: 37,
    invoiceNumber: '10437',
    invoiceAmount: 500,
    openAmount: 125.5,
    customerDisplayName: 'Oak Hollow',
  }),
  wireInvoice({ badge: 'Overdue', daysOverdue: 1 }),
  wireInvoice({ id: 9, invoiceNumber: '9999', badge: 'Draft', readyToPay: false }),
];
const NETWORK = {
  'GET /billinginvoice': answer(LIST),
  'GET /billinginvoice/36': answer(wireInvoice()),
  'GET /billinginvoice/37': answer(LIST[0]),
  'PUT /BillingInvoiceHistory': answer([wireInvoice({ badge: 'Paid', openAmount: 0 })]),
};

function Place() {
  const { pathname, state } = useLocation();
  return (
    <>
      <Link to="/billing" state={{ itemId: 36 }}>
        from the search
      </Link>
      <output data-testid="place">{`${pathname} ${JSON.stringify(state)}`}</output>
    </>
  );
}

const showScreen = () =>
  showWithData(
    <>
      <BillingScreen />
      <Place />
    </>,
  );
const place = () => screen.getByTestId('place').textContent;

it('if a list fails to load, Error! appears in its place with the message, an alert, and Retry', async () => {
  signedIn();
  const network = fakeNetwork({
    'GET /billinginvoice': [{ status: 500, body: { code: 'error', message: 'No disk' } }],
  });
  showScreen();
  expect(await screen.findByText('Error! No disk')).toBeTruthy();
  expect(alerts.state().past[0]?.text).toBe('Error Loading Billing Invoices');
  network.answers['GET /billinginvoice'] = answer(LIST);
  await press('Retry');
  expect(await screen.findByText('10437')).toBeTruthy();
});

it('with only View Billing, neither the list nor the panel has actions that change anything', async () => {
  signedIn();
  updateSession({ permissions: ['View Billing'] });
  fakeNetwork(NETWORK);
  showScreen();
  await userEvent.click(await screen.findByText('10436'));
  expect(await screen.findByText('Invoice 10436')).toBeTruthy();
  expect(screen.getByText('Preview Invoice')).toBeTruthy();
  for (const name of ['Add Billing', /Payment/, 'Open Billing Invoice', /Delete/]) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
  expect(document.querySelector('[title="Post Payment"]')).toBeNull();
});

it('the list is sorted by number, and a filter reduces 3 invoices with 525.50 unpaid to one with 125.50', async () => {
  signedIn();
  fakeNetwork(NETWORK);
  showScreen();
  await screen.findByText('10437');
  const numbers = screen.getAllByText(/^\d{4,5}$/).map((each) => each.textContent);
  expect(numbers).toEqual(['9999', '10436', '10437']);
  expect(screen.getByText('3 invoices')).toBeTruthy();
  expect(screen.getByRole('button', { name: '525.50' })).toBeTruthy();
  expect(screen.getByText('Overdue 1 day')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Filter Open Invoices...'), { target: { value: 'oak' } });
  expect(await screen.findByText('1 invoice')).toBeTruthy();
  expect(document.querySelector('tfoot td:last-child')?.textContent).toBe('125.50');
  expect(screen.queryByRole('button', { name: '125.50' })).toBeNull();
});

it('Open Invoices shows the unpaid, paid, and draft totals and the amount that customers owe', async () => {
  signedIn();
  const ties = { openAmount: 525.5, unappliedAmount: -50, journalAmount: 7, laterAmount: -100, owedAmount: 382.5 };
  const rows = [...LIST, { ...LIST[0], id: 90, invoiceNumber: '10440', arBillingStatus: 1, badge: 'Draft' }];
  const drafted = rows.map((row) => (row.id === 90 ? { ...row, invoiceAmount: 33, openAmount: 0 } : row));
  const page = { items: drafted, next: null, total: drafted.length, sums: ties };
  fakeNetwork({ ...NETWORK, 'GET /billinginvoice?limit=100': answer(page), 'GET /billinginvoice': answer(drafted) });
  showScreen();
  await screen.findByText('10440');
  await userEvent.click(screen.getByRole('button', { name: 'Owed 382.50' }));
  expect((await screen.findByRole('dialog', { name: 'Owed 382.50' })).textContent).toBe(
    'Owed by customersUnpaid invoices525.50Unapplied payments(50.00)Journal entries7.00Dated after today(100.00)' +
      'Owed382.50Equals accounts receivable in the ledgerPaid on these documents374.50' +
      'Drafts (not posted, not included)33.00',
  );
});

it('Invoice History shows the totals of drafts and void invoices', async () => {
  signedIn();
  const state = (id: number, arBillingStatus: number, badge: string) => {
    return { ...LIST[0], id, invoiceNumber: `${id}`, arBillingStatus, badge, invoiceAmount: id };
  };
  const rows = [state(5000, 2, 'Open'), state(300, 1, 'Draft'), state(40, 5, 'Void')];
  fakeNetwork({ ...NETWORK, [`PUT /BillingInvoiceHistory`]: answer(rows) });
  showScreen();
  await userEvent.click(await screen.findByText('Invoice History'));
  await screen.findByText('5000');
  await userEvent.click(screen.getByRole('button', { name: 'Posted 5,000.00' }));
  expect((await screen.findByRole('dialog', { name: 'Posted 5,000.00' })).textContent).toBe(
    'PostedAmount5,340.00Drafts(300.00)Void(40.00)Posted5,000.00',
  );
});

it('clicking the Unpaid or Amount total opens its invoices, and only Amount includes drafts', async () => {
  signedIn();
  const item = { sourceType: 'invoice', entityName: 'Oak Hollow', dated: '2026-05-01', daysPastDue: null, days: null };
  const items = [{ ...item, sourceId: 37, number: '10437', dueDate: null, total: 500, openAmount: 125.5 }];
  const sums = { items, count: 1, total: 900, openAmount: 525.5, age: null };
  const { writes } = fakeNetwork({ ...NETWORK, 'PUT /GeneralLedger/OpenItems': answer(sums) });
  showScreen();
  await screen.findByText('10437');
  for (const [figure, title] of [
    ['525.50', 'Unpaid'],
    ['900.00', 'Total Outstanding'],
  ] as const) {
    // The drawer is loaded on the first click.
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: figure }));
      await import('../../parts/ledger/FigureDrawer.tsx');
    });
    const drawer = within(await screen.findByRole('dialog', { name: title }));
    expect(await drawer.findByText(`$${figure}`)).toBeTruthy();
    await userEvent.click(drawer.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  const asked = writes.filter(({ path }) => path === '/GeneralLedger/OpenItems').map(({ body }) => body);
  expect(asked).toMatchObject([
    { side: 'receivable', documentsOnly: true },
    { side: 'receivable', documentsOnly: true, drafts: true },
  ]);
  expect(asked[0]).not.toHaveProperty('drafts');
});

it('the panel of a paid invoice lists its payments with the applied amounts', async () => {
  signedIn();
  const paid = wireInvoice({ badge: 'Paid', openAmount: 0 });
  const payments = [
    { id: 8, paymentNumber: '12', paymentDate: '2026-05-09', amount: 150, isRefund: false, writeOff: null },
    { id: 7, paymentNumber: '11', paymentDate: '2026-05-02', amount: 50, isRefund: false, writeOff: null },
  ];
  fakeNetwork({
    ...NETWORK,
    'GET /billinginvoice/36': answer(paid),
    'GET /billinginvoice/36/payments': answer(payments),
  });
  showScreen();
  await userEvent.click(await screen.findByText('10436'));
  const table = within(await screen.findByRole('table', { name: 'Payments' }));
  expect(table.getByRole('row', { name: 'Payment 12 5/9/2026 150.00' })).toBeTruthy();
  expect(table.getByRole('row', { name: 'Paid so far 200.00' })).toBeTruthy();
  expect(table.getByRole('link', { name: 'Payment 11' }).getAttribute('href')).toContain('payment=7');
});

it.each([
  ['Draft', 1],
  ['Void', 5],
])('the panel for a %s invoice shows that nothing is owed and nothing was paid', async (badge, arBillingStatus) => {
  signedIn();
  const one = wireInvoice({ badge, arBillingStatus, openAmount: 0, readyToPay: false });
  fakeNetwork({ ...NETWORK, 'GET /billinginvoice/36': answer(one) });
  showScreen();
  await userEvent.click(await screen.findByText('10436'));
  expect(await screen.findByText(`${badge.toLowerCase()}, nothing owed`)).toBeTruthy();
  expect(screen.getByText('Paid so far').nextElementSibling?.textContent).toBe('–0.00');
  expect(screen.queryByText('paid in full')).toBeNull();
});

it('a draft has no Post Payment button, and Post Payment for 10437 opens a payment of 125.50', async () => {
  signedIn();
  const nothing = { 'GET /customeropeninvoices/5': answer([]), 'GET /customerbillinghistory/5': answer([]) };
  fakeNetwork({ ...NETWORK, ...nothing });
  showScreen();
  await screen.findByText('10437');
  expect(screen.queryByLabelText('Post a payment for invoice 9999')).toBeNull();
  await userEvent.click(screen.getByLabelText('Post a payment for invoice 10437'));
  const amount = await screen.findByLabelText('Amount', { selector: 'input' });
  expect(amount.getAttribute('value')).toBe('125.50');
  expect(within(screen.getByRole('dialog')).getByText('Back To Invoice')).toBeTruthy();
});

it('navigation state with an itemId opens that invoice next to the list and is cleared', async () => {
  signedIn();
  fakeNetwork(NETWORK);
  showScreen();
  await userEvent.click(screen.getByText('from the search'));
  expect(await screen.findByText('Invoice 10436')).toBeTruthy();
  await waitFor(() => expect(place()).toBe('/billing null'));
});

it('the customer link opens that customer on the Customers screen', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Billing', 'View Customers'] });
  fakeNetwork(NETWORK);
  showScreen();
  await userEvent.click(await screen.findByText('Oak Hollow'));
  expect(place()).toBe('/customers/5 {"customerId":5}');
});

it('the history starts with 30 days, and selecting Prev twice within 200 ms sends one request', async () => {
  signedIn();
  const network = fakeNetwork(NETWORK);
  showScreen();
  await press('Invoice History');
  expect(await screen.findByRole('cell', { name: 'Paid' })).toBeTruthy();
  const today = deviceToday();
  const windowOf = (to: number) => ({ fromDate: addDays(today, to - 30), toDate: addDays(today, to) });
  fireEvent.click(screen.getByText('Prev'));
  fireEvent.click(screen.getByText('Prev'));
  await waitFor(() => expect(network.writes.map((sent) => sent.body)).toEqual([windowOf(0), windowOf(-60)]));
  cleanup();
  showScreen();
  expect(screen.getByText('Prev')).toBeTruthy();
});

it('the history ends today, and Next goes no further, even if the URL has a future date', async () => {
  signedIn();
  fakeNetwork(NETWORK);
  const today = deviceToday();
  const next = () => screen.getByText<HTMLButtonElement>('Next').closest('button');
  const days = () => screen.getAllByRole('status').map((each) => each.textContent);
  const windowTo = (to: IsoDate) => `${formatDate(addDays(to, -30))} – ${formatDate(to)}`;
  showWithData(<BillingScreen />, `/billing?tab=history&to=${addDays(today, -7)}`);
  expect(days()).toContain(windowTo(addDays(today, -7)));
  await userEvent.click(screen.getByText('Next'));
  expect(days()).toContain(windowTo(today));
  expect(next()?.disabled).toBe(true);
  cleanup();
  showWithData(<BillingScreen />, `/billing?tab=history&to=${addDays(today, 90)}`);
  expect(days()).toContain(windowTo(today));
  expect(next()?.disabled).toBe(true);
  await userEvent.click(screen.getByText('Prev'));
  expect(days()).toContain(windowTo(addDays(today, -30)));
  expect(next()?.disabled).toBe(false);
});

it('after Confirm Delete, the invoice disappears from the list and its panel closes', async () => {
  signedIn();
  const network = fakeNetwork({ ...NETWORK, 'DELETE /billinginvoice/36': answer({ ok: true }) });
  showScreen();
  await userEvent.click(await screen.findByText('10436'));
  await screen.findByText('Invoice 10436');
  await press('Delete');
  network.answers['GET /billinginvoice'] = answer(LIST.filter((each) => each.id !== 36));
  await press('Confirm Delete');
  await waitFor(() => expect(screen.queryByText('10436')).toBeNull());
  await waitFor(() => expect(screen.queryByText('Invoice 10436')).toBeNull());
  expect(screen.getByText('2 invoices')).toBeTruthy();
});

/** Renames customer 5, as the customer form does. */
function Rename() {
  const save = useSave(customers);
  return <button onClick={() => void save(5, { name: 'Fairlawn Gardens' })}>Rename</button>;
}

it("a customer's new name appears immediately in the open invoices and in the history", async () => {
  signedIn();
  const network = fakeNetwork({
    'GET /billinginvoice': answer([wireInvoice()]),
    'PUT /BillingInvoiceHistory': answer([wireInvoice()]),
    'PUT /customer/5': answer(wireCustomer(5, 'Fairlawn Gardens')),
  });
  showWithData(
    <>
      <BillingScreen />
      <Rename />
    </>,
  );
  await press('Invoice History');
  expect(await screen.findByText('Fairlawn Heights HOA')).toBeTruthy();
  await press('Open Invoices');
  expect(await screen.findByText('Fairlawn Heights HOA')).toBeTruthy();
  const renamed = answer([wireInvoice({ customerDisplayName: 'Fairlawn Gardens' })]);
  Object.assign(network.answers, { 'GET /billinginvoice': renamed, 'PUT /BillingInvoiceHistory': renamed });
  await press('Rename');
  expect(await screen.findByText('Fairlawn Gardens')).toBeTruthy();
  await press('Invoice History');
  expect(await screen.findByText('Fairlawn Gardens')).toBeTruthy();
  expect(screen.queryByText('Fairlawn Heights HOA')).toBeNull();
});

it.each([
  ['Put On Hold', 2, 4],
  ['Take Off Hold', 4, 2],
])('%s in the panel saves only the new status', async (label, before, after) => {
  signedIn();
  const network = fakeNetwork({
    ...NETWORK,
    'GET /billinginvoice/36': answer(wireInvoice({ arBillingStatus: before })),
    'PUT /billinginvoice': answer(wireInvoice({ arBillingStatus: after })),
  });
  showWithData(<BillingScreen />, '/billing?invoice=36');
  await screen.findByText('Invoice 10436');
  await press(label);
  await waitFor(() => expect(network.writes).toHaveLength(1));
  const { lineItems } = wireInvoice();
  expect(network.writes[0]?.body).toMatchObject({ id: 36, arBillingStatus: after, rowVersion: 1 });
  expect(network.writes[0]?.body).toHaveProperty('lineItems.length', lineItems.length);
});

it('the chips show the overdue, draft, and on-hold amounts and filter the list', async () => {
  signedIn();
  const parts = {
    overdue: { count: 1, amount: 400 },
    draft: { count: 1, amount: 33 },
    hold: { count: 0, amount: 0 },
  };
  const sums = { invoiceAmount: 900, openAmount: 525.5, draftAmount: 33 };
  const whole = { items: LIST, next: null, total: LIST.length, sums, parts };
  const overdue = { items: [LIST[1]], next: null, total: 1, sums: { invoiceAmount: 400, openAmount: 400 } };
  fakeNetwork({
    ...NETWORK,
    'GET /billinginvoice?limit=100': answer(whole),
    'GET /billinginvoice?limit=100&status=overdue': answer(overdue),
  });
  showScreen();
  const chips = within(await screen.findByRole('group', { name: 'List filters' }));
  await chips.findByText('525.50');
  const texts = () => chips.getAllByRole('button').map((chip) => [chip.textContent, chip.ariaPressed]);
  expect(texts()).toEqual([
    ['All 3 525.50', 'true'],
    ['Overdue 1 400.00', 'false'],
    ['Drafts 1 33.00', 'false'],
    ['On Hold 0 0.00', 'false'],
  ]);
  await userEvent.click(chips.getByText('Overdue'));
  expect(await screen.findByText('1 invoice')).toBeTruthy();
  expect(texts().map(([, isOn]) => isOn)).toEqual(['false', 'true', 'false', 'false']);
  // The amounts on the chips cover the whole list.
  expect(chips.getByText('525.50')).toBeTruthy();
  await userEvent.click(chips.getByText('All'));
  expect(await screen.findByText('3 invoices')).toBeTruthy();
});

it('a search in Invoice History finds invoices from all years', async () => {
  signedIn();
  const old = wireInvoice({ id: 5, invoiceNumber: '777', invoiceDate: '2019-04-01', badge: 'Paid', openAmount: 0 });
  fakeNetwork({ ...NETWORK, 'GET /billinginvoice?limit=100&status=all': answer([...LIST, old]) });
  showScreen();
  await userEvent.click(await screen.findByText('Invoice History'));
  fireEvent.change(await screen.findByLabelText('Search all years...'), { target: { value: '777' } });
  expect(await screen.findByText('777')).toBeTruthy();
  expect(screen.queryByText('Prev')).toBeNull();
});

it('an earlier From date extends the date range, and Prev then moves by the new length', async () => {
  signedIn();
  const { writes } = fakeNetwork(NETWORK);
  showScreen();
  await userEvent.click(await screen.findByText('Invoice History'));
  const today = deviceToday();
  const from = addDays(today, -90);
  await userEvent.click(screen.getByTitle('Change the dates'));
  fireEvent.change(await screen.findByLabelText('From'), { target: { value: formatDate(from) } });
  await waitFor(() => expect(writes.at(-1)?.body).toEqual({ fromDate: from, toDate: today }));
  await userEvent.click(screen.getByText('Prev'));
  await waitFor(() => expect(writes.at(-1)?.body).toEqual({ fromDate: addDays(today, -180), toDate: from }));
});

const PAYMENT_ROW = {
  id: 9,
  paymentNumber: '546',
  paymentDate: '2026-05-04',
  entityId: 5,
  entityDisplayName: 'Oak Hollow',
  paymentRefNo: '',
  paymentCheckNo: '4471',
  paymentDescription: '',
  paymentAmount: 100,
  unappliedAmount: 12.5,
  paymentType: 'Check',
  accountName: 'Undeposited Funds',
  state: 'undeposited',
};

it('Payments lists payments with their unapplied amounts, and selecting a payment opens it', async () => {
  signedIn();
  fakeNetwork({ ...NETWORK, 'GET /billingpayment': answer([PAYMENT_ROW]), 'GET /billingpayment/9': answer(undefined) });
  showScreen();
  await userEvent.click(await screen.findByText('Payments'));
  expect(await screen.findByText('4471')).toBeTruthy();
  expect(screen.getByText('1 payment')).toBeTruthy();
  expect(screen.getAllByText('12.50').length).toBeGreaterThan(0);
  expect(screen.getByText('546').getAttribute('href')).toContain('payment=9');
  const cells = screen.getByText('546').closest('tr')?.querySelectorAll('td') ?? [];
  expect([...cells].map((cell) => cell.textContent)).toEqual([
    '5/4/2026',
    '546',
    'Oak Hollow',
    'Check',
    '4471',
    'Undeposited Funds',
    'Not deposited',
    '12.50',
    '100.00',
  ]);
});

const RECEIPT = {
  paymentId: 9,
  lineId: null,
  receiptDate: '2026-05-04',
  payer: 'Oak Hollow',
  memo: '',
  referenceNumber: '4471',
  sourceType: 'payment',
  sourceId: 9,
  number: '546',
  amount: 100,
};

it('Deposit opens a deposit of the selected payments that are in Undeposited Funds', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Billing', 'Manage Banking'] });
  const deposited = { ...PAYMENT_ROW, id: 10, paymentNumber: '547', state: 'deposited' };
  fakeNetwork({
    ...NETWORK,
    'GET /billingpayment': answer([PAYMENT_ROW, deposited]),
    'GET /undeposited': answer([RECEIPT]),
    'GET /bankingaccount': answer([]),
  });
  showWithData(<BillingScreen />, '/billing?tab=payments');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 546' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select 547' }));
  await press('Deposit 1');
  const dialog = await screen.findByRole('dialog', { name: 'New Deposit' });
  const checks = await within(dialog).findAllByRole<HTMLInputElement>('checkbox');
  expect(checks.map(({ checked }) => checked)).toContain(true);
  expect(await within(dialog).findByRole('button', { name: 'Deposit 1' })).toBeTruthy();
});

it('a payment in Undeposited Funds can be deposited from its panel', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Billing', 'Manage Banking'] });
  const payment = {
    ...PAYMENT_ROW,
    customerId: 5,
    customerDisplayName: 'Oak Hollow',
    paymentTypeId: 1,
    paymentRefNumber: '',
    bankAccountId: null,
    paymentAccountId: 105,
    accountId: 105,
    entryDate: '2026-05-04',
    documentLinks: [],
    paymentApplications: [],
    paymentRefunds: [],
    refundedBy: [],
    rowVersion: 1,
  };
  fakeNetwork({
    ...NETWORK,
    'GET /billingpayment': answer([PAYMENT_ROW]),
    'GET /billingpayment/9': answer(payment),
    'GET /undeposited': answer([RECEIPT]),
    'GET /bankingaccount': answer([]),
  });
  showWithData(<BillingScreen />, '/billing?tab=payments&payment=9');
  const panel = await screen.findByRole('complementary', { name: 'Payment 546' });
  await userEvent.click(await within(panel).findByRole('button', { name: 'Deposit' }));
  const dialog = await screen.findByRole('dialog', { name: 'New Deposit' });
  expect(await within(dialog).findByRole('button', { name: 'Deposit 1' })).toBeTruthy();
});

it('each tab has its own Add button, and three tabs also have Process Work Items', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Billing', 'Manage Banking'] });
  fakeNetwork(NETWORK);
  showScreen();
  const head = () => document.querySelector('.ek-page-actions');
  const buttons = () => [...(head()?.querySelectorAll('button') ?? [])].map((each) => each.textContent).filter(Boolean);
  const seen: Record<string, string[]> = {};
  for (const { textContent: tab = '' } of screen.getAllByRole('tab')) {
    await press(tab ?? '');
    seen[tab ?? ''] = buttons();
  }
  expect(seen).toEqual({
    'Open Invoices': ['Process Work Items', 'Add Billing'],
    'Invoice History': ['Process Work Items', 'Add Work Item'],
    Estimates: ['Add Estimate'],
    Payments: ['New Deposit', 'Take Payment'],
    Credits: ['Write Off', 'Add Credit Memo'],
    'Work Items': ['Process Work Items', 'Add Work Item'],
    Scheduled: ['Add Schedule'],
  });
});

it('Take Payment opens a payment for which the user chooses the customer', async () => {
  signedIn();
  fakeNetwork(NETWORK);
  showWithData(<BillingScreen />, '/billing?tab=payments');
  await press('Take Payment');
  await screen.findByRole('dialog', { name: 'Add Billing Payment' });
  await waitFor(() => expect(field('Customer').getAttribute('value')).toBe(''));
});

it('a new estimate that is opened from a customer is for that customer, but the next new estimate is not', async () => {
  signedIn();
  fakeNetwork({ ...NETWORK, 'GET /billingestimate?part=open': answer([]) });
  showWithData(
    <>
      <BillingScreen />
      <Link to="/billing?tab=estimates&editestimate=0" state={{ entityId: 5 }}>
        from the customer
      </Link>
    </>,
  );
  await userEvent.click(screen.getByText('from the customer'));
  const form = await screen.findByRole('dialog', { name: 'Estimate' });
  await waitFor(() => expect(field('Customer')).toHaveProperty('value', 'Fairlawn Heights HOA'));
  await userEvent.click(within(form).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Add Estimate');
  await screen.findByRole('dialog', { name: 'Estimate' });
  expect(field('Customer')).toHaveProperty('value', '');
});

it('next to an open panel, the list keeps the number, customer, due date, and unpaid amount', async () => {
  signedIn();
  fakeNetwork(NETWORK);
  showScreen();
  await userEvent.click(await screen.findByText('10436'));
  await screen.findByText('Invoice 10436');
  const table = screen.getByRole('table', { name: 'Open Invoices' });
  const heads = within(table).getAllByRole('columnheader');
  expect(heads.map((each) => each.textContent)).toEqual([
    '',
    'Invoice Number',
    'Customer',
    'Due Date',
    'Unpaid Amount',
  ]);
  expect(within(table).getByText('1 day')).toBeTruthy();
});

it.each([
  ['Draft', { arBillingStatus: 1, readyToPay: false, openAmount: 0 }, ['Post', 'Post and Send']],
  ['Open', { arBillingStatus: 2 }, ['Take Payment', 'Send']],
  ['Sent', { arBillingStatus: 3 }, ['Send Again', 'Take Payment']],
  ['Overdue', { arBillingStatus: 3, daysOverdue: 4 }, ['Send Reminder', 'Take Payment']],
  ['Paid', { arBillingStatus: 3, openAmount: 0 }, ['Send Again']],
])('the footer of an invoice with the status %s ends with the next action', async (badge, state, expected) => {
  signedIn();
  fakeNetwork({ ...NETWORK, 'GET /billinginvoice/36': answer(wireInvoice({ badge, ...state })) });
  showScreen();
  await userEvent.click(await screen.findByText('10436'));
  const panel = await screen.findByRole('complementary', { name: 'Invoice 10436' });
  const texts = () => [...panel.querySelectorAll('.ek-foot button')].map((each) => each.textContent).filter(Boolean);
  await waitFor(() => expect(texts()).toEqual(expected));
  await userEvent.click(within(panel).getByRole('button', { name: /^More: / }));
  const items = (await screen.findAllByRole('menuitem')).map((each) => each.textContent);
  expect([items[0], items.at(-1)]).toEqual(['Preview Invoice', 'Delete']);
});

it('Post and Send posts a draft and opens its email', async () => {
  signedIn();
  const draft = wireInvoice({ badge: 'Draft', arBillingStatus: 1, readyToPay: false });
  const network = fakeNetwork({
    ...NETWORK,
    'GET /billinginvoice/36': answer(draft),
    'PUT /billinginvoice': answer(wireInvoice({ arBillingStatus: 2 })),
  });
  showScreen();
  await userEvent.click(await screen.findByText('10436'));
  await screen.findByText('Post and Send');
  await press('Post and Send');
  expect(await screen.findByRole('dialog', { name: /^Send/ })).toBeTruthy();
  expect(network.writes[0]?.body).toMatchObject({ id: 36, arBillingStatus: 2 });
});
