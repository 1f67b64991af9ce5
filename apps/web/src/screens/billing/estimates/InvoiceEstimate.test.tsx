// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ACCEPTED } from '@evenkeel/core/documents/estimate';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { fakeNetwork, field, fill, press, showWithData, signedIn, wireInvoice } from '../testing/answers.tsx';
import { InvoiceEstimate } from './InvoiceEstimate.tsx';

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
  taxable: false,
  invoicedQuantity: 0,
  ...change,
});
const estimate = {
  ...wireInvoice(),
  id: 60,
  invoiceNumber: 'E-101',
  arBillingStatus: ACCEPTED,
  badge: 'Accepted',
  openAmount: 0,
  note: '',
  answeredBy: '',
  answerNote: '',
  answeredAt: null,
  taxItems: [],
  lineItems: [
    line(1, { description: 'Mowing', itemPrice: 40, quantity: 10, lineItemAmount: 400, invoicedQuantity: 4 }),
    line(2, { description: 'Rake', itemPrice: 25, quantity: 1, lineItemAmount: 25 }),
  ],
};
const invoiced = {
  estimateId: 60,
  parts: {
    lines: [
      { id: 1, quantity: 10, amount: 400, discountType: null, taken: { quantity: 4, amount: 160 } },
      { id: 2, quantity: 1, amount: 25, discountType: null, taken: { quantity: 0, amount: 0 } },
    ],
    taxItems: [],
    taken: { count: 1, hasOtherLines: false, taxItems: [] },
  },
};
const answer = (body: unknown) => [{ status: 200, body }];

it('uninvoiced quantities are preselected, and a request without a response is resent with its key', async () => {
  signedIn();
  const network = fakeNetwork({
    'GET /billingestimate/60': answer(estimate),
    'GET /billingestimate/60/invoiced': answer(invoiced),
    'POST /billingestimate/60/invoices': ['silence', ...answer(wireInvoice({ id: 70 }))],
  });
  const saved: number[] = [];
  showWithData(<InvoiceEstimate estimateId={60} onClose={() => undefined} onSaved={({ id }) => saved.push(id)} />);
  expect(await screen.findByRole('textbox', { name: 'Quantity of Mowing' })).toHaveProperty('value', '6');
  fill(field('Quantity of Mowing'), '7');
  await press('Create Invoice');
  expect(screen.getAllByText('Only 6 of 10 are available to invoice').length).toBeGreaterThan(0);
  fill(field('Quantity of Mowing'), '2');
  await userEvent.click(screen.getByRole('checkbox', { name: /Rake/ }));
  await press('Create Invoice');
  await screen.findByText(/The connection was lost/);
  await press('Create Invoice');
  await vi.waitFor(() => expect(saved).toEqual([70]));
  const [first, second] = network.writes;
  expect([network.writes.length, second?.key]).toEqual([2, first?.key]);
  expect(second?.body).toMatchObject({ isDraft: false, lines: [{ estimateLineId: 1, quantity: 2 }] });
});

it('a percentage of the estimate sets every quantity, limited to the uninvoiced part', async () => {
  signedIn();
  fakeNetwork({
    'GET /billingestimate/60': answer(estimate),
    'GET /billingestimate/60/invoiced': answer(invoiced),
  });
  showWithData(<InvoiceEstimate estimateId={60} onClose={() => undefined} onSaved={() => undefined} />);
  await screen.findByRole('textbox', { name: 'Quantity of Mowing' });
  const quantities = () => ['Mowing', 'Rake'].map((name) => field(`Quantity of ${name}`).getAttribute('value'));
  fill(field('Percent of Estimate'), '30');
  expect(quantities()).toEqual(['3', '0.3']);
  fill(field('Percent of Estimate'), '80');
  expect(quantities()).toEqual(['6', '0.8']);
});
