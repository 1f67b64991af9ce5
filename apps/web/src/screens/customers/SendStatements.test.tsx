// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { fakeNetwork, press, showWithData, signedIn, wireCustomer } from '../billing/testing/answers.tsx';
import { useStatements } from './SendStatements.tsx';

beforeEach(() => {
  localStorage.clear();
  signedIn();
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const customer = (id: number, name: string, currentbalance: number) => ({ ...wireCustomer(id, name), currentbalance });
const Dialog = () => useStatements().dialog;

it('statements are sent to the selected customers with a balance, and each result is shown', async () => {
  const others = { invoiceId: null, estimateId: null, creditId: null, paymentId: null };
  const result = (customerId: number, ok: boolean) => ({ ...others, customerId, ok });
  const error = { code: 'conflict', message: 'Statement for Ash was already sent', requestId: '1' };
  const network = fakeNetwork({
    'GET /customer': [
      {
        status: 200,
        body: [customer(5, 'Ash', 10), customer(6, 'Birch', 0), customer(7, 'Cedar', 20), customer(8, 'Dogwood', 30)],
      },
    ],
    'POST /sending': [{ status: 200, body: [{ ...result(5, false), error }, result(8, true)] }],
  });
  showWithData(<Dialog />, '/customers?statements=1');
  expect(await screen.findByText('Send 3 Statements')).toBeTruthy();
  expect(screen.queryByText('Birch')).toBeNull();
  fireEvent.click(screen.getByLabelText('Cedar'));
  await press('Send');
  expect(await screen.findByText('1 of 2 Statements sent to the mail server.')).toBeTruthy();
  expect(screen.getByText(error.message)).toBeTruthy();
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject([{ customerId: 5 }, { customerId: 8 }]);
});

it('for 1,000 customers, only visible rows are rendered, and a PDF contains up to 500 statements', async () => {
  const many = Array.from({ length: 1000 }, (_, at) => customer(at + 1, `Customer ${at + 1}`, 10));
  const network = fakeNetwork({
    'GET /customer': [{ status: 200, body: many }],
    'POST /customerstatements': ['silence'],
  });
  showWithData(<Dialog />, '/customers?statements=1');
  expect(await screen.findByText('Send 1,000 Statements')).toBeTruthy();
  expect(screen.getAllByRole('checkbox').length).toBeLessThan(100);
  await press('PDF 501–1000');
  fireEvent.click(screen.getByLabelText('All 1,000'));
  fireEvent.click(screen.getByLabelText('Customer 2'));
  await press('PDF');
  await waitFor(() => expect(network.writes).toHaveLength(2));
  const asked = network.writes.map(({ body }) => (body as { customerIds: number[] }).customerIds);
  expect([asked[0]?.length, asked[0]?.[0], asked[1]]).toEqual([500, 501, [2]]);
});
