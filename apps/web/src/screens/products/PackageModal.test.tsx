// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answer, fakeNetwork, press, showWithData } from '../billing/testing/answers.tsx';
import { signIn, signOut } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { PackageModal } from './PackageModal.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const file = (id: number, documentName: string) => {
  const kept = { uploadDate: '2026-05-01', contentType: 'application/pdf', size: 9, deleted: false };
  return { id, documentId: id * 10, documentName, filePath: `/api/document/${id * 10}`, ...kept };
};
const lawn = {
  productID: 24,
  name: 'Lawn',
  salesPrice: 100,
  taxable: true,
  GLAccountID: 140,
  profitCenterID: null,
  productServiceType: 1,
  productCategoryID: null,
  active: true,
};
const deal = {
  packageID: 7,
  entityID: 3,
  name: 'Spring deal',
  description: 'Lawn, twice',
  packageDealDiscountType: 0,
  goalPrice: 0,
  packageTotalPrice: 200,
  packageLineItems: [
    {
      packageLineItemID: 71,
      productID: 24,
      discountID: null,
      isAProductLine: true,
      quantity: 2,
      totalLineItemValue: 200,
      product: lawn,
      discount: null,
    },
  ],
  smartDiscount: null,
  documentLinks: [file(4, 'flyer.pdf'), file(5, 'prices.pdf')],
  deleted: false,
  rowVersion: 3,
};
const answer = (body: unknown, status = 200): Answer[] => [{ status, body }];

/** Accepts every upload. The fake network handles the other requests. */
class FakeUpload extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 200;
  readonly responseText = JSON.stringify({ ...file(9, 'new.pdf'), documentId: 90 });
  open(): void {}
  abort(): void {}
  setRequestHeader(): void {}
  send(): void {
    setTimeout(() => this.dispatchEvent(new Event('load')));
  }
}

async function open(change: object = {}, saved: Answer[] = answer(deal)) {
  const permissions = ['View Products', 'Manage Products'];
  const person = { id: 7, token: 't', termsAccepted: true, companyId: 3, roleId: 1, userRole: 'Seller', permissions };
  const names = { initials: 'MV', email: 'mv@cedar.example', firstName: 'M', lastName: 'V', displayName: 'M V' };
  signIn({ ...person, ...names, setupCompleted: true });
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  const network = fakeNetwork({
    'GET /package/7': answer({ ...deal, ...change }),
    'GET /package': answer([]),
    'PUT /package/UpdatePackage': saved,
  });
  const told = { closed: 0 };
  showWithData(<PackageModal id={7} onClose={() => (told.closed += 1)} />);
  await screen.findByRole('tab', { name: 'Info' });
  return { network, told };
}

const tab = () => screen.getByRole('tab', { name: /^Attachments/ });
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('saving uploads a new file first, and then sends the new file, the removed file, and the lines', async () => {
  const { network, told } = await open();
  expect(screen.getByRole('table', { name: 'Package items' })).toBeTruthy();
  expect(tab().textContent).toBe('Attachments(2)');
  await userEvent.click(tab());
  expect(screen.queryByRole('table', { name: 'Package items' })).toBeNull();
  await click('Delete flyer.pdf');
  const picked = new File(['%PDF-1.7'], 'new.pdf');
  picked.slice = () => Object.assign(new Blob(), { arrayBuffer: async () => new ArrayBuffer(8) });
  await userEvent.upload(screen.getByLabelText('Attach Files', { selector: 'input' }), picked);
  await waitFor(() => expect(tab().textContent).toBe('Attachments(2)'));
  await screen.findByText('new.pdf');
  await press('Save');
  await waitFor(() => expect(told.closed).toBe(1));
  expect(network.writes.map(({ body }) => body)).toMatchObject([
    {
      packageID: 7,
      rowVersion: 3,
      packageLineItems: [{ packageLineItemID: 71, productID: 24, quantity: 2 }],
      documentLinks: [
        { id: 4, documentId: 40, documentName: 'flyer.pdf', deleted: true },
        { id: -1, documentId: 90, documentName: 'new.pdf', deleted: false },
      ],
    },
  ]);
});

it("a product without a price is free and doesn't reduce the total", async () => {
  const [line] = deal.packageLineItems;
  const free = { ...line, packageLineItemID: 72, productID: 25, quantity: 3, totalLineItemValue: 0 };
  const seed = { ...lawn, productID: 25, name: 'Seed', salesPrice: 0 };
  await open({ packageLineItems: [line, { ...free, product: seed }] });
  const rows = within(screen.getByRole('table', { name: 'Package items' })).getAllByRole('row');
  const cells = rows.map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent).slice(0, 4));
  expect(cells).toContainEqual(['Lawn', '100.00', '2', '200.00']);
  expect(cells).toContainEqual(['Seed', '0.00', '3', 'No charge']);
});

it('a message about a file is shown once on its tab, and a message about the package opens Info', async () => {
  const message = 'The file is no longer attached to this record';
  const refusal = { code: 'invalid', message, fields: { 'documentLinks.0.documentId': message }, requestId: 'r' };
  await open({}, answer(refusal, 422));
  await press('Save');
  expect(await screen.findByRole('tab', { name: /^Attachments/, selected: true })).toBeTruthy();
  expect(screen.getAllByText(message)).toHaveLength(1);
  await userEvent.click(screen.getByRole('tab', { name: 'Info' }));
  await userEvent.clear(screen.getByLabelText('Name'));
  await userEvent.click(tab());
  await press('Save');
  expect(await screen.findByRole('tab', { name: 'Info', selected: true })).toBeTruthy();
  expect(screen.getByText('Please enter a name')).toBeTruthy();
});

it('an inactive package shows its files but no controls for changing them', async () => {
  await open({ deleted: true });
  await userEvent.click(tab());
  expect(screen.getByRole('button', { name: 'Download flyer.pdf' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete flyer.pdf' })).toBeNull();
  expect(screen.queryByLabelText('Attach Files', { selector: 'input' })).toBeNull();
});
