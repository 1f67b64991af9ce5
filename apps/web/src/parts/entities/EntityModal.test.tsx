// @vitest-environment jsdom
import '../../testing/setup.ts';
import { EntityChoices } from '@evenkeel/contract/entities';
import { PartyRecord } from '@evenkeel/contract/party';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { signIn, signOut, updateSession } from '../../client/session.ts';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import { sampleOf } from '../../testing/sample.ts';
import { SAME_PRESS_MS } from '../../ui/hooks/once.ts';
import { show } from '../../testing/show.tsx';
import { CUSTOMERS } from '../../screens/customers/customers.ts';
import { Customers } from '../../app/Customers.tsx';
import { Vendors } from '../../app/Vendors.tsx';
import { COMPANY_INFO } from '../../screens/settings/companyForm.ts';
import { VENDORS } from '../../screens/vendors/vendors.ts';
import { emptyFields } from '../../records/formFields.ts';
import { wireCustomer } from '../../screens/billing/testing/answers.tsx';
import { EntityModal } from './EntityModal.tsx';
import type { EntityKind } from './kind.ts';

/** The API's response to a POST, and the request bodies that arrived. */
let answer: { status: number; body: unknown } | 'silence';
let posted: unknown[];
const realFetch = globalThis.fetch;

beforeEach(() => {
  posted = [];
  answer = 'silence';
  signIn({
    id: 1,
    token: 'token',
    termsAccepted: true,
    initials: 'FH',
    email: 'fay@example.com',
    firstName: 'Fay',
    lastName: 'Hart',
    displayName: 'Fay Hart',
    companyId: 1,
    roleId: 1,
    userRole: 'Superuser',
    permissions: ['Manage Customers', 'Manage Vendors'],
    setupCompleted: true,
  });
  globalThis.fetch = (_, init) => {
    if (init?.method !== 'POST') return Promise.resolve(new Response('[]', { status: 200 }));
    posted.push(init.body);
    if (answer === 'silence') return Promise.reject(new TypeError('network'));
    return Promise.resolve(new Response(JSON.stringify(answer.body), { status: answer.status }));
  };
});

afterEach(() => {
  globalThis.fetch = realFetch;
  signOut();
});

const nothing = () => undefined;

function open(kind: EntityKind = CUSTOMERS, id = 0) {
  return show(
    <QueryClientProvider client={makeQueryClient()}>
      <EntityModal kind={kind} id={id} onClose={nothing} onSaved={nothing} onDeleted={nothing} />
    </QueryClientProvider>,
  );
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

async function fill(label = 'Customer') {
  await userEvent.click(screen.getByLabelText(`${label} Name`));
  await userEvent.paste('Harbor Bakery');
  await userEvent.click(screen.getByLabelText('Email'));
  await userEvent.paste('pay@harbor.example');
}

it('an empty customer form lists the missing fields and sends nothing', async () => {
  open();
  await save();
  expect(screen.getByText('Please enter a Customer name')).toBeTruthy();
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy();
  expect(posted).toEqual([]);
  await userEvent.type(screen.getByLabelText('Customer Name'), 'H');
  expect(screen.queryByText('Please enter a Customer name')).toBeNull();
});

it("using another customer's display name shows a warning, and saving again confirms the name", async () => {
  const { fetch: plain } = globalThis;
  const other = { id: 7, displayname: 'harbor bakery', name: 'Harbor Bakery', namesake: false, emailAddress: '' };
  const choice = sampleOf(EntityChoices) as { items: object[] };
  const items = choice.items.map((each) => ({ ...each, ...other }));
  globalThis.fetch = (address, init) =>
    typeof address === 'string' && address.startsWith('/api/customer/choices?q=Harbor')
      ? Promise.resolve(Response.json({ items, hasMore: false }))
      : plain(address, init);
  open();
  await fill();
  await save();
  // The second click of a double-click must not confirm the warning.
  await save();
  expect(
    await screen.findByText('A customer named harbor bakery already exists. Save again to keep both.'),
  ).toBeTruthy();
  expect(posted).toEqual([]);
  await new Promise((done) => setTimeout(done, SAME_PRESS_MS + 50));
  await save();
  await waitFor(() => expect(posted).toHaveLength(1));
});

it('a server message about a field appears at that field and opens its tab', async () => {
  answer = {
    status: 422,
    body: { code: 'rule', message: 'taken', fields: { taxPermitNo: 'taken' }, requestId: '1' },
  };
  open();
  await fill();
  await save();
  const field = await screen.findByLabelText('Tax Permit Number');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('tab', { name: 'Account (to correct)' })).toBeTruthy();
});

it('after a lost connection, the form keeps its draft and says that it is safe to try again', async () => {
  open();
  await fill();
  await save();
  await waitFor(() => expect(screen.getByText(/The connection was lost\./)).toBeTruthy());
  expect(posted).toHaveLength(1);
  expect(screen.getByLabelText<HTMLInputElement>('Customer Name').value).toBe('Harbor Bakery');
  expect(readLocal('draft:customer:0~t')).toContain('Harbor Bakery');
});

it('a draft that was saved before the form got a new field is restored', async () => {
  const { unmount } = open();
  await fill();
  await waitFor(() => expect(readLocal('draft:customer:0~t')).toContain('pay@harbor.example'));
  unmount();
  const { value, ...kept } = JSON.parse(readLocal('draft:customer:0~t') ?? '') as { value: Record<string, unknown> };
  delete value['taxPermitNo'];
  writeLocal('draft:customer:0~t', JSON.stringify({ ...kept, value }));
  open();
  expect(screen.getByLabelText<HTMLInputElement>('Customer Name').value).toBe('Harbor Bakery');
  await userEvent.click(screen.getByRole('tab', { name: 'Account' }));
  expect(screen.getByLabelText<HTMLInputElement>('Tax Permit Number').value).toBe('');
});

it('an individual has no Contacts tab and needs a first and last name', async () => {
  open();
  expect(screen.getByRole('tab', { name: 'Contacts' })).toBeTruthy();
  await userEvent.click(screen.getByLabelText('Individual'));
  expect(screen.queryByRole('tab', { name: 'Contacts' })).toBeNull();
  await save();
  expect(screen.getByText('Please enter a First name')).toBeTruthy();
  expect(screen.getByText('Please enter a Last name')).toBeTruthy();
});

it('the arrow keys wrap around the tabs, so the tab to the left of Details is the last tab', async () => {
  open();
  await userEvent.click(screen.getByRole('tab', { name: 'Details' }));
  await userEvent.keyboard('{ArrowLeft}');
  await waitFor(() => expect(screen.getByRole('tab', { name: 'Attachments', selected: true })).toBeTruthy());
});

it('an unreadable value keeps its tab open and prevents saving', async () => {
  open();
  await fill();
  await userEvent.click(screen.getByRole('tab', { name: 'Account' }));
  await userEvent.type(screen.getByLabelText('Payment Terms (Days)'), '1234567890123');
  await userEvent.click(screen.getByRole('tab', { name: 'Details' }));
  const terms = screen.getByLabelText('Payment Terms (Days)');
  expect(terms).toHaveProperty('value', '1234567890123');
  expect(document.activeElement).toBe(terms);
  expect(screen.getByText('Please enter a whole number')).toBeTruthy();
  await save();
  expect(posted).toEqual([]);
});

const tabs = () => screen.getAllByRole('tab').map((tab) => tab.textContent);

it('a vendor uses the customer modal with its own labels and draft, but without sales tax', async () => {
  open(VENDORS);
  expect(screen.getByRole('dialog', { name: 'New Vendor' })).toBeTruthy();
  expect(tabs()).toEqual(['Details', 'Addresses', 'Contacts', 'Account', 'Info', 'Attachments']);
  await userEvent.click(screen.getByLabelText('Vendor Name'));
  await userEvent.paste('Greenline Supply');
  await userEvent.click(screen.getByRole('tab', { name: 'Account' }));
  expect(screen.getByLabelText('Payment Terms (Days)')).toBeTruthy();
  expect(screen.queryByLabelText('Tax Exempt')).toBeNull();
  await waitFor(() => expect(readLocal('draft:vendor:0~t')).toContain('Greenline Supply'));
});

const OF_RECORD = { emailAddress: 'office@cedar.example', currentbalance: 0, rowVersion: 4 };

it.each([
  ['Customer', Customers],
  ['Vendor', Vendors],
])('a new %s stays open after it is saved, and Close shows its panel', async (label, Screen) => {
  const whole = { ...wireCustomer(12, 'Harbor Bakery'), ...OF_RECORD };
  globalThis.fetch = (url, init) => {
    const path = url instanceof Request ? url.url : String(url);
    const isOne = init?.method === 'POST' || path.endsWith(`/${label.toLowerCase()}/12`);
    return Promise.resolve(new Response(JSON.stringify(isOne ? whole : [])));
  };
  updateSession({ permissions: ['Manage Customers', 'Manage Vendors'] });
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Screen />
    </QueryClientProvider>,
  );
  await userEvent.click((await screen.findAllByRole('button', { name: `Add ${label}` }))[0] ?? document.body);
  await fill(label);
  await save();
  const dialog = await screen.findByRole('dialog', { name: 'Harbor Bakery' });
  expect(within(dialog).getByRole('button', { name: 'Edit' })).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: `Open ${label}` })).toBeTruthy();
});

it('a new customer starts with the name from the search', async () => {
  globalThis.fetch = () => Promise.resolve(new Response('[]'));
  updateSession({ permissions: ['Manage Customers'] });
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Customers />
    </QueryClientProvider>,
    '/customers',
  );
  window.history.pushState({ usr: { name: 'Harbor Bakery' }, key: 'asked', idx: 1 }, '', '/customers?edit=0');
  await act(async () => void window.dispatchEvent(new PopStateEvent('popstate')));
  expect(await screen.findByLabelText(/^Customer Name/)).toHaveProperty('value', 'Harbor Bakery');
});

const company = {
  ...emptyFields(PartyRecord),
  ...OF_RECORD,
  id: 1,
  displayname: 'Cedar & Stone',
  name: 'Cedar & Stone LLC',
  timeZone: 'America/New_York',
  phone: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  zipCode: '',
  countryId: 341,
  setupCompleted: true,
  logo: null,
};

it('a company opens in edit mode and has no Contacts or Account tab and no Delete button', async () => {
  answer = { status: 200, body: null };
  globalThis.fetch = (url) => {
    const path = url instanceof Request ? url.url : String(url);
    return Promise.resolve(new Response(JSON.stringify(path.endsWith('/company') ? company : [])));
  };
  updateSession({ userRole: 'Administrator', permissions: ['Manage Accounting'] });
  open(COMPANY_INFO, 1);
  expect((await screen.findByLabelText<HTMLInputElement>('Company Name')).value).toBe('Cedar & Stone LLC');
  expect(screen.getByLabelText<HTMLInputElement>('Display Name').value).toBe('Cedar & Stone');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Time Zone' }).value).toBe('America/New York');
  expect(tabs()).toEqual(['Details', 'Addresses', 'Info']);
  expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

const PNG = '\u0089PNG\r\n\u001a\n';
const pictureFile = (name: string, text = PNG) =>
  new File([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], name, { type: 'image/png' });

/** Accepts every upload as the document with ID 90. */
class FakeUpload extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 200;
  readonly responseText = JSON.stringify({ documentId: 90, documentName: 'x', size: 8, contentType: 'image/png' });
  open(): void {}
  abort(): void {}
  setRequestHeader(): void {}
  send(): void {
    setTimeout(() => this.dispatchEvent(new Event('load')));
  }
}

/** Opens the company, which has a logo. Returns the logo values that are sent when the company is saved. */
async function openCompany(): Promise<unknown[]> {
  const sent: unknown[] = [];
  const link = { uploadDate: '2026-05-01', filePath: '/api/document/40', contentType: 'image/png', size: 8 };
  const logo = { id: 4, documentId: 40, documentName: 'old.png', deleted: false, ...link };
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = nothing;
  globalThis.fetch = (url, init) => {
    if (init?.method === 'PUT') sent.push(JSON.parse(typeof init.body === 'string' ? init.body : ''));
    const path = url instanceof Request ? url.url : String(url);
    if (path.includes('/document/')) return Promise.resolve(new Response(PNG));
    return Promise.resolve(new Response(path.includes('/company') ? JSON.stringify({ ...company, logo }) : '[]'));
  };
  updateSession({ userRole: 'Administrator', permissions: ['Manage Accounting'] });
  open(COMPANY_INFO, 1);
  await screen.findByRole('img', { name: 'Logo, old.png' });
  return sent;
}
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const pickLogo = (file: File) => userEvent.upload(screen.getByLabelText('Replace Logo', { selector: 'input' }), file);

it("a picked or dropped file replaces the company's logo, and Undo restores the old logo", async () => {
  const sent = await openCompany();
  await pickLogo(pictureFile('new.png'));
  await screen.findByRole('img', { name: 'Logo, new.png' });
  await click('Undo');
  await screen.findByRole('img', { name: 'Logo, old.png' });
  const dataTransfer = { types: ['Files'], files: [pictureFile('dropped.png')] };
  fireEvent.drop(screen.getByRole('img', { name: 'Logo, old.png' }), { dataTransfer });
  await screen.findByRole('img', { name: 'Logo, dropped.png' });
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ logo: { documentId: 90, documentName: 'dropped.png' } });
});

it('a save removes the logo, and later saves omit an unchanged logo', async () => {
  const sent = await openCompany();
  await userEvent.type(screen.getByLabelText('DBA'), 'C');
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).not.toHaveProperty('logo');
  // After a save, the modal shows the record as read-only until the user selects Edit.
  await click('Edit');
  await click('Remove Logo');
  expect(screen.getByText('The logo is removed when you save.')).toBeTruthy();
  await save();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ logo: null });
});

it('rejects an SVG as a logo, regardless of its name, and keeps the old one', async () => {
  await openCompany();
  await pickLogo(pictureFile('logo.png', '<svg xmlns="http://www.w3.org/2000/svg"/>'));
  expect(await screen.findByText('The logo must be a PNG or JPEG image')).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Logo, old.png' })).toBeTruthy();
});
