// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { BillingEntry } from '../../screens/billing/invoices/BillingEntry.tsx';
import { type Answer, fakeNetwork, field, showWithData, signedIn } from '../../screens/billing/testing/answers.tsx';
import { signOut } from '../../client/session.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

/** Holds back a response for the small company. Returns a function that releases it. */
function heldBack(network: ReturnType<typeof fakeNetwork>, call: string): () => void {
  const [answer = 'silence'] = network.answers[call] ?? [];
  let letGo: (answer: Answer) => void = () => undefined;
  network.answers[call] = [new Promise<Answer>((done) => (letGo = done))];
  return () => void Promise.resolve(answer).then(letGo);
}

const NOTHING = () => undefined;
const openNew = () =>
  showWithData(<BillingEntry invoiceId={0} onClose={NOTHING} onSaved={NOTHING} onDeleted={NOTHING} onPay={NOTHING} />);

it('a product and an account that are typed before their lists load are selected when the lists arrive', async () => {
  signedIn();
  const network = fakeNetwork();
  const products = heldBack(network, 'GET /productsandpackages');
  const accounts = heldBack(network, 'GET /customeraccounts/revenueaccounts');
  openNew();
  await waitFor(() => field('Customer'));
  for (const [name, typed] of [
    ['Product/Package/Discount', 'shade'],
    ['Account', 'serv'],
  ] as const) {
    await userEvent.click(field(name));
    fireEvent.change(field(name), { target: { value: typed } });
    expect(within(screen.getByRole('listbox', { name })).getByText('Searching …')).toBeTruthy();
    await userEvent.tab();
  }
  products();
  await waitFor(() => expect(field('Product/Package/Discount')).toHaveProperty('value', 'Shade tree'));
  accounts();
  await waitFor(() => expect(field('Account')).toHaveProperty('value', 'Service Income'));
});
