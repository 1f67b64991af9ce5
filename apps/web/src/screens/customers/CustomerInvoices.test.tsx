// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answer, fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { CustomerInvoices } from './CustomerInvoices.tsx';

it("invoices and payments on a customer's Invoices tab link to the billing screen", async () => {
  signedIn();
  const row = { historyDate: '2026-05-01', amount: 60, balance: 0, badge: '' };
  const answer: Answer = {
    status: 200,
    body: [
      { ...row, refNumber: '1007', id: 7, kind: 'payment' },
      { ...row, refNumber: '10401', id: 1, kind: 'invoice' },
    ],
  };
  fakeNetwork({ 'GET /customerbillinghistory/5': [answer] });
  showWithData(<CustomerInvoices entityId={5} />);
  expect((await screen.findByRole('link', { name: '10401' })).getAttribute('href')).toBe('/billing');
  fireEvent.click(screen.getByRole('link', { name: 'Payment 1007' }));
  await waitFor(() => expect(window.location.pathname).toBe('/billing'));
  expect(window.history.state).toMatchObject({ usr: { paymentId: 7 } });
});
