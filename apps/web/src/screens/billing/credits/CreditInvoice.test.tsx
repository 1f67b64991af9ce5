// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut, updateSession } from '../../../client/session.ts';
import { ApplyCredit } from '../../../parts/documents/payment/ApplyCredit.tsx';
import { alerts } from '../../../ui/alerts/store.ts';
import { cents } from '@evenkeel/core/money';
import { BillingScreen } from '../BillingScreen.tsx';
import { CreditInvoice } from './CreditInvoice.tsx';
import { BILLING } from '../records.ts';
import {
  type Answers,
  fakeNetwork,
  field,
  fill,
  press,
  showWithData,
  signedIn,
  wireInvoice,
} from '../testing/answers.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const line = (id: number, change: object) => ({
  ...wireInvoice().lineItems[0],
  id,
  productId: null,
  productName: null,
  isProduct: false,
  isProductLine: false,
  ...change,
});
const invoice = wireInvoice({
  openAmount: 100,
  invoiceAmount: 608,
  lineItems: [
    line(1, { description: 'Hydrangea', itemPrice: 50, quantity: 8, lineItemAmount: 400, taxable: false }),
    line(2, { description: 'Mulch', itemPrice: 52, quantity: 4, lineItemAmount: 208, taxable: false }),
  ],
  taxItems: [],
});
const memo = {
  ...invoice,
  id: 70,
  invoiceNumber: 'CM-101',
  creditedInvoiceId: invoice.id,
  reason: '',
  lineItems: [],
  invoiceAmount: -150,
  openAmount: -50,
  badge: 'Credit',
};
const credited = {
  invoiceId: invoice.id,
  lines: [{ lineId: 1, creditedQuantity: 5 }],
  parts: {
    lines: [
      { id: 1, quantity: 8, amount: 400, discountType: null, taken: { quantity: 5, amount: 250 } },
      { id: 2, quantity: 4, amount: 208, discountType: null, taken: { quantity: 0, amount: 0 } },
    ],
    taxItems: [],
    taken: { count: 1, hasOtherLines: false, taxItems: [] },
  },
};
const answer = (body: unknown) => [{ status: 200, body }];

function dialog(answers: Answers = {}) {
  signedIn();
  const network = fakeNetwork({
    [`GET /billinginvoice/${invoice.id}`]: answer(invoice),
    [`GET /billinginvoice/${invoice.id}/credited`]: answer(credited),
    ...answers,
  });
  const saved: number[] = [];
  showWithData(
    <CreditInvoice
      invoiceId={invoice.id}
      onClose={() => undefined}
      onSaved={({ id }) => saved.push(id)}
      onDeleted={() => undefined}
    />,
  );
  return { network, saved };
}
const quantity = (name: string) => screen.findByRole('textbox', { name: `Quantity of ${name}` });

it('a credit preselects the uncredited quantity as the maximum, and applies at most the unpaid amount', async () => {
  const { network, saved } = dialog({ 'POST /billingcredit': ['silence', ...answer(memo)] });
  expect(await quantity('Hydrangea')).toHaveProperty('value', '3');
  await press('Save and Apply 100.00');
  await screen.findByText(/The connection was lost/);
  await userEvent.click(screen.getByRole('checkbox', { name: /Mulch/ }));
  fill(field('Quantity of Hydrangea'), '4');
  expect(screen.getByRole('button', { name: 'Save and Apply 100.00' })).toBeTruthy();
  await press('Save and Apply 100.00');
  expect(screen.getAllByText('Only 3 of 8 are available to credit').length).toBeGreaterThan(0);
  fill(field('Quantity of Hydrangea'), '3');
  await userEvent.click(screen.getByRole('checkbox', { name: /Mulch/ }));
  await press('Save and Apply 100.00');
  await vi.waitFor(() => expect(saved).toEqual([70]));
  const [first, second] = network.writes;
  expect([network.writes.length, second?.key]).toEqual([2, first?.key]);
  expect(second?.body).toMatchObject({
    customerId: 5,
    creditedInvoiceId: invoice.id,
    arBillingStatus: 2,
    applyAmount: 100,
    lineItems: [
      { creditedLineId: 1, quantity: 3 },
      { creditedLineId: 2, quantity: 4 },
    ],
  });
});

it('a draft credit memo applies no amount', async () => {
  const { network, saved } = dialog({ 'POST /billingcredit': answer(memo) });
  await quantity('Hydrangea');
  await press('Save as Draft');
  await vi.waitFor(() => expect(saved).toEqual([70]));
  expect(network.writes[0]?.body).toMatchObject({ arBillingStatus: 1 });
  expect(network.writes[0]?.body).not.toHaveProperty('applyAmount');
});

it('a credit of 50.00 is applied to the open invoices in list order and sent as a payment of 0.00', async () => {
  signedIn();
  const open = (invoiceId: number, openAmount: number) => ({
    invoiceId,
    invoiceNumber: `${invoiceId}`,
    invoiceDate: '2026-05-01',
    dueDate: null,
    invoiceAmount: openAmount,
    openAmount,
    appliedAmount: 0,
    applyAmount: 0,
    profitCenterId: null,
    locationId: null,
    lineItems: [],
  });
  const network = fakeNetwork({
    'GET /customeropeninvoices/5': answer([open(70, -50), open(71, 20), open(72, 90)]),
    'POST /billingpayment': answer({}),
  });
  const credit = { ...memo, customerId: 5, invoiceAmount: cents(-15000), openAmount: cents(-5000) };
  showWithData(<ApplyCredit side={BILLING} credit={credit} onClose={() => undefined} onApplied={() => undefined} />);
  await screen.findByText('72');
  expect(field('Apply amount for invoice 72')).toHaveProperty('value', '30.00');
  fill(field('Apply amount for invoice 72'), '40');
  await press('Apply 60.00');
  expect(screen.getByText('Only $50.00 of the credit remains')).toBeTruthy();
  fill(field('Apply amount for invoice 72'), '10');
  await press('Apply 30.00');
  await vi.waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({
    customerId: 5,
    paymentAmount: 0,
    bankAccountId: null,
    paymentAccountId: null,
    paymentApplications: [
      { invoiceId: 71, amount: 20 },
      { invoiceId: 72, amount: 10 },
      { invoiceId: 70, amount: -30 },
    ],
  });
});

it('voiding a credit memo for an invoice keeps the lines that it credits', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Billing'] });
  const { workItemId: _, ...own } = line(8, {
    description: 'Hydrangea',
    itemPrice: 50,
    quantity: 3,
    lineItemAmount: 150,
  });
  const unused = { ...memo, openAmount: -150, arBillingStatus: 2, lineItems: [{ ...own, creditedLineId: 1 }] };
  const network = fakeNetwork({
    'GET /billingcredit/70': answer(unused),
    [`GET /billinginvoice/${invoice.id}`]: answer(invoice),
    'PUT /billingcredit': answer({ ...unused, arBillingStatus: 5 }),
  });
  showWithData(<BillingScreen />, '/billing?tab=credits&credit=70');
  await screen.findByText('remaining to apply');
  await press('Void');
  await press('Void');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({
    id: 70,
    arBillingStatus: 5,
    creditedInvoiceId: invoice.id,
    lineItems: [{ id: 8, creditedLineId: 1, quantity: 3 }],
  });
});
