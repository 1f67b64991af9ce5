// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { PaymentDialog, type PaymentDialogProps } from '../../../parts/documents/payment/PaymentDialog.tsx';
import { BILLING } from '../records.ts';
import { fakeNetwork, field, fill, press, showWithData, signedIn, wireInvoice } from '../testing/answers.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const open = (invoiceId: number, openAmount: number, appliedAmount = 0) => ({
  invoiceId,
  invoiceNumber: `1040${invoiceId}`,
  invoiceDate: `2026-05-0${invoiceId}`,
  dueDate: null,
  invoiceAmount: openAmount + appliedAmount,
  openAmount,
  appliedAmount,
  applyAmount: appliedAmount,
  profitCenterId: null,
  locationId: null,
  lineItems: [{ description: 'Mowing', lineItemAmount: openAmount, profitCenterId: null, locationId: null }],
});

const payment = (change: Record<string, unknown> = {}) => ({
  id: 9,
  customerId: 5,
  customerDisplayName: 'Fairlawn Heights HOA',
  paymentDate: '2026-06-12',
  paymentAmount: 60,
  unappliedAmount: 0,
  paymentTypeId: 2,
  paymentRefNo: '',
  paymentRefNumber: '',
  paymentCheckNo: '5108',
  paymentDescription: '',
  paymentNumber: '1009',
  bankAccountId: 1,
  paymentAccountId: null,
  accountId: 101,
  entryDate: '2026-06-12',
  documentLinks: [],
  paymentApplications: [
    { invoiceId: 1, profitCenterId: null, locationId: null, amount: 60, invoiceDescription: 'Invoice 10401' },
  ],
  paymentRefunds: [],
  refundedBy: [],
  rowVersion: 1,
  ...change,
});
const posted = { ...payment(), affectedInvoices: [], transactionID: 77 };
const answer = (body: unknown) => [{ status: 200, body }];

const OF_5 = { kind: 'entity', id: 5 } as const;
const NETWORK = {
  'GET /billinginvoice/3': answer(wireInvoice({ id: 3, invoiceid: 3, openAmount: 40 })),
  'GET /customeropeninvoices/5': answer([open(1, 60), open(2, 100), open(3, 40)]),
};

const NO_HISTORY = { 'GET /customerbillinghistory/6': answer([]) };

function openDialog(props: Partial<PaymentDialogProps> = {}) {
  const told: { closed: number; posted: number | undefined } = { closed: 0, posted: undefined };
  showWithData(
    <PaymentDialog
      side={BILLING}
      pay={{ kind: 'entity', id: 0 }}
      onClose={() => (told.closed += 1)}
      onPosted={(paymentId) => {
        told.closed += 1;
        told.posted = paymentId;
      }}
      onOther={() => undefined}
      {...props}
    />,
  );
  return told;
}

const apply = (number: string) => field(`Apply amount for invoice ${number}`);
const amount = () => field('Amount');
const post = () => press(/^Post Payment/);
const sums = () => screen.getByText(/^Applied/, { selector: 'p' }).textContent;

/** Returns the text of each cell in a row, or the value of the cell's field. */
const cellsOf = (row: Element | null) =>
  [...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.querySelector('input')?.value ?? cell.textContent.trim());

async function chooseType(text: string) {
  await userEvent.click(field('Payment Type'));
  await userEvent.click(await screen.findByRole('option', { name: text }));
}

it('posting an empty form shows four messages and sends nothing', async () => {
  signedIn();
  const network = fakeNetwork(NETWORK);
  openDialog();
  await waitFor(amount);
  await post();
  expect(screen.getByText('Please Select a Customer')).toBeTruthy();
  expect(screen.getByText('Please Select a Payment Type')).toBeTruthy();
  expect(screen.getByText('Please enter an amount')).toBeTruthy();
  expect(network.writes).toEqual([]);
});

it('110.00 pays invoices of 60.00 and 50.00, and 999 for a third invoice is capped at the 40.00 due', async () => {
  signedIn();
  const network = fakeNetwork(NETWORK);
  openDialog({ pay: OF_5 });
  await screen.findByText('10401');
  fill(amount(), '110');
  expect([apply('10401'), apply('10402'), apply('10403')].map((one) => one.getAttribute('value'))).toEqual([
    '60.00',
    '50.00',
    '',
  ]);
  expect(sums()).toBe('Applied 110.00 of 110.00, unapplied 0.00');
  await userEvent.type(apply('10403'), '999{Tab}');
  expect(apply('10403').getAttribute('value')).toBe('40.00');
  expect(sums()).toBe('Applied 150.00 of 110.00, 40.00 too much');
  await chooseType('Cash');
  await post();
  expect(screen.getByText('Must be at least $150.00, the amount already applied')).toBeTruthy();
  expect(network.writes).toEqual([]);
  await press('Fill in List Order');
  expect(screen.queryByText('Must be at least $150.00, the amount already applied')).toBeNull();
  await press('Clear');
  expect(sums()).toBe('Applied 0.00 of 110.00, unapplied 110.00');
});

it('changing the customer keeps the amount and applies it to that customer’s invoices', async () => {
  signedIn();
  fakeNetwork({ ...NETWORK, 'GET /customeropeninvoices/6': answer([open(4, 20)]), ...NO_HISTORY });
  openDialog();
  fill(await waitFor(amount), '110');
  await userEvent.click(field('Customer'));
  await userEvent.click(await screen.findByText('Oak Hollow', { selector: '[role="option"] *' }));
  await screen.findByText('10404');
  expect(apply('10404').getAttribute('value')).toBe('20.00');
  expect(sums()).toBe('Applied 20.00 of 110.00, unapplied 90.00');
});

it('a check is posted with its number, and is sent again with the same key after a lost connection', async () => {
  signedIn();
  const network = fakeNetwork({ ...NETWORK, 'POST /billingpayment': ['silence', ...answer(posted)] });
  const told = openDialog({ pay: OF_5 });
  await screen.findByText('10401');
  expect(screen.queryByRole('textbox', { name: 'Check Number' })).toBeNull();
  fill(amount(), '60');
  await chooseType('Check');
  fill(field('Check Number'), '5108');
  await post();
  await screen.findByText(/The connection was lost/);
  expect(localStorage.getItem('3.7:draft:billingpayment:e5:0~t')).toContain('5108');
  await post();
  await waitFor(() => expect(told).toEqual({ closed: 1, posted: 9 }));
  const [first, second] = network.writes;
  expect(second).toEqual(first);
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(first?.body).toMatchObject({
    paymentAmount: 60,
    paymentCheckNo: '5108',
    bankAccountId: 1,
    paymentAccountId: null,
    paymentApplications: [{ invoiceId: 1, amount: 60 }],
  });
  expect(localStorage.getItem('3.7:draft:billingpayment:e5:0~t')).toBeNull();
});

it('Pay Invoice for 10403 applies 40.00 to that invoice, and Back To Invoice returns to it', async () => {
  signedIn();
  fakeNetwork(NETWORK);
  let back = 0;
  openDialog({ pay: { kind: 'invoice', id: 3 }, onBackToInvoice: () => (back += 1) });
  await screen.findByText('10401');
  expect(amount().getAttribute('value')).toBe('40.00');
  expect([apply('10401'), apply('10403')].map((one) => one.getAttribute('value'))).toEqual(['', '40.00']);
  await press('Back To Invoice');
  expect(back).toBe(1);
});

it('the selected invoice comes first, and an entered amount pays it before older ones', async () => {
  signedIn();
  const network = fakeNetwork({ ...NETWORK, 'POST /billingpayment': answer(posted) });
  openDialog({ pay: { kind: 'invoice', id: 3 } });
  await screen.findByText('10401');
  expect(screen.getAllByText(/^1040\d$/).map((one) => one.textContent)).toEqual(['10403', '10401', '10402']);
  fill(amount(), '50');
  expect([apply('10403'), apply('10401')].map((one) => one.getAttribute('value'))).toEqual(['40.00', '10.00']);
  await chooseType('Cash');
  await post();
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({
    paymentAmount: 50,
    paymentApplications: [
      { invoiceId: 3, amount: 40 },
      { invoiceId: 1, amount: 10 },
    ],
  });
});

it('editing a payment shows its 60.00 as unpaid again, and saving sends a PUT request', async () => {
  signedIn();
  const network = fakeNetwork({
    'GET /billingpayment/9': answer(payment()),
    'GET /customeropeninvoices/5/9': answer([open(1, 0, 60), open(2, 100)]),
    'PUT /billingpayment': answer(posted),
  });
  const told = openDialog({ pay: { kind: 'payment', id: 9 } });
  const row = (await screen.findByText('10401')).closest('tr');
  expect(cellsOf(row)).toEqual(['10401', '', '60.00', '–0.00', '60.00', '0.00']);
  fill(apply('10401'), '25');
  await post();
  await waitFor(() => expect(told.closed).toBe(1));
  expect(network.writes).toMatchObject([
    { method: 'PUT', body: { id: 9, rowVersion: 1, paymentApplications: [{ invoiceId: 1, amount: 25 }] } },
  ]);
});

it('in every row, the amount less earlier payments and this payment equals the amount left unpaid', async () => {
  signedIn();
  fakeNetwork({
    ...NETWORK,
    'GET /customeropeninvoices/5': answer([{ ...open(1, 693), invoiceAmount: 1383 }, open(2, 100)]),
  });
  openDialog({ pay: OF_5 });
  const row = (await screen.findByText('10401')).closest('tr');
  fill(amount(), '700');
  expect(cellsOf(row)).toEqual(['10401', '', '1,383.00', '690.00', '693.00', '0.00']);
  expect(cellsOf(row?.closest('table')?.querySelector('tfoot tr') ?? null)).toEqual([
    '2 invoices',
    '1,483.00',
    '690.00',
    '700.00',
    '93.00',
  ]);
  expect(screen.getByRole('button', { name: 'Post Payment 700.00' })).toBeTruthy();
});

it("the form starts with the type and account of the user's last payment, and says so until they change", async () => {
  signedIn();
  const last = { paymentTypeId: 1, bankAccountId: null, paymentAccountId: 105 };
  const network = fakeNetwork({
    ...NETWORK,
    'GET /billingpayments/defaults': answer({ payment: last, refund: null, checks: [] }),
    'POST /billingpayment': answer(posted),
  });
  openDialog({ pay: OF_5 });
  await screen.findByText('10401');
  expect(await screen.findByText('Same type and account as in your last payment')).toBeTruthy();
  fill(amount(), '60');
  await chooseType('Check');
  expect(screen.queryByText('Same type and account as in your last payment')).toBeNull();
  await chooseType('Cash');
  await post();
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({ paymentTypeId: 1, bankAccountId: null, paymentAccountId: 105 });
});

it("the last payment's type and account aren't filled in if they are no longer available", async () => {
  signedIn();
  const last = { paymentTypeId: 9, bankAccountId: 77, paymentAccountId: null };
  fakeNetwork({ ...NETWORK, 'GET /billingpayments/defaults': answer({ payment: last, refund: null, checks: [] }) });
  openDialog({ pay: OF_5 });
  await screen.findByText('10401');
  await post();
  expect(screen.getByText('Please Select a Payment Type')).toBeTruthy();
  expect(screen.queryByText(/as in your last payment/)).toBeNull();
});

it('a refund by check gets the next check number of its account', async () => {
  signedIn();
  const last = { paymentTypeId: 2, bankAccountId: 1, paymentAccountId: null };
  const checks = [{ bankAccountId: 1, nextNumber: '1043', isLatest: false }];
  const network = fakeNetwork({
    ...NETWORK,
    ...CREDITS,
    'GET /billingpayments/defaults': answer({ payment: null, refund: last, checks }),
    'POST /billingpayment': answer({ ...posted, paymentAmount: -84 }),
  });
  openDialog({ pay: { kind: 'refund', id: 5 } });
  await screen.findByText('CM-101');
  expect(screen.getByText('Same type and account as in your last refund')).toBeTruthy();
  expect(field('Check Number').getAttribute('value')).toBe('1043');
  await press('Refund 84.00');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({ paymentTypeId: 2, paymentCheckNo: '1043', paymentAmount: -84 });
});

it('Application Detail shows the lines, allows the same edits, and sends the description', async () => {
  signedIn();
  const network = fakeNetwork({ ...NETWORK, 'POST /billingpayment': answer(posted) });
  openDialog({ pay: OF_5 });
  await screen.findByText('10401');
  expect(screen.queryByText('Mowing')).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Application Detail' }));
  expect(screen.getAllByText('Mowing')).toHaveLength(3);
  fill(amount(), '60');
  fill(apply('10401'), '25');
  fill(field('Description'), 'Spring work');
  await userEvent.click(screen.getByRole('radio', { name: 'Application Summary' }));
  expect(apply('10401').getAttribute('value')).toBe('25.00');
  await chooseType('Cash');
  await post();
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({
    paymentDescription: 'Spring work',
    paymentApplications: [{ invoiceId: 1, amount: 25 }],
  });
});

it('the unapplied amount of an earlier payment is suggested', async () => {
  signedIn();
  fakeNetwork({
    ...NETWORK,
    'GET /customerbillinghistory/5': answer([
      {
        refNumber: '1007',
        historyDate: '2026-05-01',
        amount: -100,
        balance: -41.75,
        id: 7,
        kind: 'payment',
        badge: '',
      },
    ]),
  });
  openDialog({ pay: OF_5 });
  expect(await screen.findByText('Payment 1007 for this customer has a credit of $41.75.')).toBeTruthy();
});

const row = (kind: string, id: number, amount: number, balance: number) => ({
  kind,
  id,
  refNumber: String(1000 + id),
  historyDate: '2026-06-01',
  badge: '',
  amount,
  balance,
});
const CREDITS = {
  'GET /customeropeninvoices/5': answer([open(1, 60), { ...open(7, -54), invoiceNumber: 'CM-101' }]),
  'GET /customerbillinghistory/5': answer([
    row('payment', 9, 80, 30),
    row('payment', 8, 50, 0),
    row('invoice', 1, 60, 60),
  ]),
};
const refunded = (credit: string) => field(`Refund amount for ${credit}`);

it("by default, a refund covers all credit memos and unapplied payments, and can't exceed their total", async () => {
  signedIn();
  const network = fakeNetwork({
    ...NETWORK,
    ...CREDITS,
    'POST /billingpayment': answer({ ...posted, paymentAmount: -60 }),
  });
  const told = openDialog({ pay: { kind: 'refund', id: 5 } });
  await screen.findByText('CM-101');
  expect([refunded('CM-101'), refunded('Payment 1009')].map((one) => one.getAttribute('value'))).toEqual([
    '54.00',
    '30.00',
  ]);
  expect(screen.queryByText('Payment 1008')).toBeNull();
  expect(document.activeElement).toBe(field('Refund Date'));
  await press('Refund 84.00');
  expect(screen.getByText('Please Select a Payment Type')).toBeTruthy();
  fill(refunded('Payment 1009'), '999');
  expect(refunded('Payment 1009').getAttribute('value')).toBe('30.00');
  fill(refunded('CM-101'), '30');
  await chooseType('Cash');
  await press('Refund 60.00');
  await waitFor(() => expect(told.posted).toBe(9));
  expect(network.writes[0]?.body).toMatchObject({
    customerId: 5,
    paymentAmount: -60,
    paymentApplications: [{ invoiceId: 7, amount: -30 }],
    paymentRefunds: [{ paymentId: 9, amount: 30 }],
  });
});

it('a posted refund opens with its own amounts, which come from only one payment', async () => {
  signedIn();
  const saved = payment({
    paymentAmount: -20,
    paymentNumber: '1010',
    paymentApplications: [],
    paymentRefunds: [{ paymentId: 8, paymentNumber: '1008', amount: 20 }],
  });
  fakeNetwork({
    ...NETWORK,
    'GET /billingpayment/9': answer(saved),
    'GET /customeropeninvoices/5/9': answer([]),
    'GET /customerbillinghistory/5': answer([row('payment', 8, 50, 5), row('payment', 9, -20, 0)]),
  });
  openDialog({ pay: { kind: 'payment', id: 9 } });
  await screen.findByText('Payment 1008');
  expect(screen.getByRole('dialog', { name: 'Refund 1010' })).toBeTruthy();
  expect(refunded('Payment 1008').getAttribute('value')).toBe('20.00');
  fill(refunded('Payment 1008'), '25');
  expect(screen.getByRole('button', { name: 'Refund 25.00' })).toBeTruthy();
});

it('Take Discounts applies 98.00 with a discount of 2.00, and an expired discount can be entered by hand', async () => {
  signedIn();
  const discount = { amount: 2, until: '2026-06-20', taken: 0 };
  const late = { amount: 1, until: '2026-06-01', taken: 0 };
  const network = fakeNetwork({
    ...NETWORK,
    'GET /customeropeninvoices/5': answer([
      open(1, 60),
      { ...open(2, 100), discount },
      { ...open(3, 40), discount: late },
    ]),
    'POST /billingpayment': answer(posted),
  });
  openDialog({ pay: OF_5 });
  await screen.findByText('10401');
  fill(field('Payment Date'), '06/12/2026');
  fill(amount(), '200');
  await press('Take Discounts');
  const values = (name: (number: string) => HTMLElement) =>
    ['10402', '10403'].map((one) => name(one).getAttribute('value'));
  const discountOf = (number: string) => field(`Discount on invoice ${number}`);
  expect([values(apply), values(discountOf)]).toEqual([
    ['98.00', '40.00'],
    ['2.00', ''],
  ]);
  expect(amount().getAttribute('value')).toBe('198.00');
  expect(sums()).toBe('Applied 198.00 of 198.00, discounts 2.00, unapplied 0.00');
  expect(screen.queryByLabelText('Discount on invoice 10401')).toBeNull();
  await userEvent.type(discountOf('10403'), '1{Tab}');
  expect(values(apply)).toEqual(['98.00', '39.00']);
  await chooseType('Cash');
  await post();
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({
    paymentAmount: 198,
    paymentApplications: [
      { invoiceId: 1, amount: 60 },
      { invoiceId: 2, amount: 98, discountAmount: 2 },
      { invoiceId: 3, amount: 39, discountAmount: 1 },
    ],
  });
});
