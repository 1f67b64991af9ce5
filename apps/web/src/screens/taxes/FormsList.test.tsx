// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut, updateSession } from '../../client/session.ts';
import { fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { TaxesScreen } from './TaxesScreen.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const answer = (body: unknown) => [{ status: 200, body }];
const row = (vendorId: number, vendorName: string, more: object) => ({
  vendorId,
  vendorName,
  form: 'nec',
  taxIdEnd: '0918',
  boxes: [{ box: 'nec1', amount: 2400, threshold: 2000 }],
  paid: 2400,
  byCard: 0,
  noBox: 0,
  reportable: 2400,
  withheld: 0,
  status: 'ready',
  missing: [],
  filed: null,
  hasEmail: true,
  consent: { state: 'none', date: null, requests: 0 },
  copy: null,
  ...more,
});
const YEAR = {
  year: 2026,
  years: [2026, 2025],
  rows: [
    row(8, 'Dvorak Grading', {}),
    row(9, 'Quarry Supply', { status: 'missing', missing: ['taxId'], taxIdEnd: '' }),
  ],
  figures: { due: 2, ready: 1, missing: 1, filed: 0, below: 0 },
  dueDate: '2027-02-01',
  miscDueDate: '2027-03-31',
  threshold: { amount: 2000, source: 'IRC 6041(a)', isStated: true },
  withholdingPercent: '24',
  payerMissing: [],
  boxAccounts: 1,
  irisFiles: 1,
};
const tax = (vendorId: number) => ({
  vendorId,
  vendorName: 'Quarry Supply',
  is1099: true,
  classification: 'llc',
  taxIdKind: null,
  taxIdEnd: '',
  w9Date: null,
  w9Requested: null,
  rowVersion: 1,
});

/** Presses Tab until the focused element has this text or label. */
async function tabTo(name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await userEvent.tab();
    const { activeElement } = document;
    if ((activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '').includes(name)) return;
  }
  throw new Error(`Tab doesn't reach ${name}`);
}

it('the keyboard can select the 1099 tab, open and close a vendor, and open the filing dialog', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Accounting', 'Manage Vendors'] });
  const network = fakeNetwork({
    'GET /taxdue': answer({
      agencies: [],
      liability: { unfiled: 0, unpaid: 0, credits: 0, uncollected: 0, other: 0, balance: 0, difference: 0 },
    }),
    'GET /form1099': answer(YEAR),
    'GET /vendor/9/tax': answer(tax(9)),
    'GET /vendor/9/form1099?year=2026': answer({ payments: [], more: 0 }),
    'POST /form1099': answer([]),
  });
  showWithData(<TaxesScreen />, '/taxes');
  await tabTo('Sales Tax');
  await userEvent.keyboard('{ArrowRight}');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('1099 Forms'));
  const table = await screen.findByRole('table', { name: '1099 Forms' });
  await within(table).findByText('Dvorak Grading');

  await tabTo('Dvorak Grading');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  const panel = await screen.findByRole('complementary');
  expect(await within(panel).findByText('Missing information')).toBeTruthy();
  expect(window.location.search).toContain('nec=9');
  await tabTo('Enter');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());

  await userEvent.tab({ shift: true });
  for (let presses = 0; presses < 30 && document.activeElement?.textContent !== 'Mark 1 Form as Filed'; presses += 1)
    await userEvent.tab({ shift: true });
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog');
  expect(dialog.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(network.writes).toEqual([]);
});

it('a double press asks vendors with an address for consent once, and another sends the copies', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Accounting', 'Manage Vendors'] });
  const filed = { id: 41, version: 1, filedDate: '2099-01-28' };
  const consent = { state: 'consented', date: '2099-01-02', requests: 1 };
  const rows = [
    row(8, 'Dvorak Grading', {}),
    row(9, 'Quarry Supply', { hasEmail: false }),
    row(10, 'Harlan Excavating', { status: 'filed', filed, consent }),
  ];
  const network = fakeNetwork({
    'GET /form1099': answer({ ...YEAR, year: 2098, years: [2098], rows }),
    'POST /form1099consent': answer([]),
    'POST /form1099copies': answer([]),
  });
  showWithData(<TaxesScreen />, '/taxes?tab=forms&copies=1');
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('Consented on 1/2/2099');
  expect(within(dialog).getByText('No email address')).toBeTruthy();
  await userEvent.dblClick(within(dialog).getByRole('button', { name: 'Request Consent from 1 Vendor' }));
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]).toMatchObject({
    path: '/form1099consent',
    body: { vendors: [{ vendorId: 8, requests: 0 }] },
  });
  expect(network.writes[0]?.key).toBeTruthy();
  // A press within 0.8 seconds would belong to the first one.
  await new Promise((done) => setTimeout(done, 900));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send 1 Copy' }));
  await waitFor(() => expect(network.writes).toHaveLength(2));
  expect(network.writes[1]).toMatchObject({ path: '/form1099copies', body: { forms: [{ id: 41, sent: 0 }] } });
});
