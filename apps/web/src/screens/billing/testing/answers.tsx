import { REHEARSE_HEADER } from '@evenkeel/contract/wire';
import { Entity } from '@evenkeel/contract/entities';
import { emptyFields } from '../../../records/formFields.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { vi } from 'vitest';
import { makeQueryClient } from '../../../client/api.ts';
import { signIn } from '../../../client/session.ts';
import { show } from '../../../testing/show.tsx';
import { choose } from '../../../testing/choose.ts';
import { soldItem } from '../../../testing/sold.ts';

/** A sent request: method, path with query, idempotency key, and body. */
export interface Sent {
  method: string;
  path: string;
  key: string | null;
  body: unknown;
}

/** A response with a status and a body, or 'silence' for a lost connection. */
export type Answer = { status: number; body: unknown } | 'silence';

/**
 * The responses by "METHOD path". Each response is used once, except the last one, which is repeated. A promise delays
 * the response.
 */
export type Answers = Record<string, (Answer | Promise<Answer>)[]>;

export interface FakeNetwork {
  /** All write requests, in order. */
  writes: Sent[];
  answers: Answers;
}

const ok = (body: unknown): Answer[] => [{ status: 200, body }];

/** Returns an account in the format of the account lists. */
export const item = (id: number, label: string, displayAccountType = 'Income') => ({
  customerAccountID: id,
  customerAccountId: id,
  name: label,
  displayAccountName: label,
  displayAccountNumber: '',
  displayAccountLabel: label,
  displayAccountType,
  glAccountDescription: '',
  active: true,
});

const bank = {
  bankingAccountID: 1,
  accountNumber: '',
  routingNumber: '',
  entityID: 1,
  name: 'Checking',
  glAccountID: 101,
  allowPayments: true,
  allowDeposits: true,
  creditCards: false,
  documentLinks: [],
  lastReconciledDate: null,
  isNumberLost: false,
  hasEntries: true,
  active: true,
  rowVersion: 1,
};

const taxItem = (id: number, label: string, percentage: number) => {
  return { id, label, salesTaxType: 0, percentage, deleted: false, displayLabel: label, displayValue: '' };
};

const product = {
  ...soldItem(24, { name: 'Shade tree', description: 'Shade tree, two inch caliper' }),
  // The amount in dollars, as in the API.
  calculatedTotal: 285,
};

const customer = (id: number, displayname: string, tax: object = {}) => ({
  id,
  displayname,
  emailAddress: '',
  primaryContactPhone: '',
  dba: '',
  salesTaxScenarioId: null,
  taxExempt: false,
  namesake: false,
  ...tax,
});

const scenario = (id: number, salesTaxItems: object[]) => {
  const items = salesTaxItems.map((item) => ({ rates: [], ...item }));
  const rules = { glAccountId: 120, filingFrequency: 3, taxRounding: 'item' };
  return { id, name: '', ...rules, rowVersion: 1, salesTaxItems: items };
};

/**
 * Returns the responses that describe a small company, which the tested dialogs read. The company's taxes are 5.75% and
 * 1%. Customer 5 has these taxes, customer 6 has a scenario of 2%, and customer 8 is exempt.
 */
function company(): Record<string, Answer[]> {
  const customers = [
    customer(5, 'Fairlawn Heights HOA'),
    customer(6, 'Oak Hollow', { salesTaxScenarioId: 2 }),
    customer(8, 'Exempt School', { taxExempt: true }),
  ];
  const one = (id: number) => ({ items: customers.filter((each) => each.id === id), hasMore: false });
  return {
    'GET /customer/choices': ok({ items: customers, hasMore: false }),
    'GET /customer/choices?id=5': ok(one(5)),
    'GET /customer/choices?id=6': ok(one(6)),
    'GET /customer/choices?id=8': ok(one(8)),
    'GET /salestax': ok([
      scenario(1, [taxItem(1, 'State tax', 5.75), taxItem(2, 'County tax', 1)]),
      scenario(2, [taxItem(3, 'City tax', 2)]),
    ]),
    'GET /billingstatuses': ok([
      { id: 1, displayName: 'Draft', displayOrder: 1 },
      { id: 2, displayName: 'Open', displayOrder: 2 },
    ]),
    'GET /customersettings': ok({ customerSettingItems: [] }),
    'GET /reportstars': ok([]),
    'GET /productsandpackages': ok([product]),
    'GET /customeraccounts/revenueaccounts': ok([item(140, 'Sales'), item(141, 'Service Income')]),
    'GET /customeraccounts': ok([item(140, 'Sales'), item(141, 'Service Income')]),
    'GET /customeraccounts?inactive=true': ok([item(140, 'Sales'), item(141, 'Service Income')]),
    'GET /customeraccounts/paymentaccounts?inactive=true': ok([item(105, 'Undeposited Funds')]),
    'GET /bankingaccount': ok([bank]),
    'GET /paymenttypes?inactive=true': ok([
      { id: 1, displayName: 'Cash', active: true, rowVersion: 1 },
      { id: 2, displayName: 'Check', active: true, rowVersion: 1 },
    ]),
    'GET /billingpayments/defaults': ok({ payment: null, refund: null, checks: [] }),
    'GET /expensepayments/defaults': ok({ payment: null, refund: null, checks: [] }),
    'GET /customerbillinghistory/5': ok([]),
    'GET /workitems': ok([]),
    'GET /billinginvoice': ok([]),
  };
}

const REHEARSALS_OFF = { code: 'not_found', message: 'Rehearsal not found' };

/** Replaces only the network. All code that calls fetch is real. */
export function fakeNetwork(extra: Answers = {}): FakeNetwork {
  const network: FakeNetwork = { writes: [], answers: { ...company(), ...extra } };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = address.replace(/^\/api/, '');
    const method = init.method ?? 'GET';
    // A rehearsal writes nothing. Forms work even if the rehearsal fails.
    if (new Headers(init.headers).has(REHEARSE_HEADER)) return Response.json(REHEARSALS_OFF, { status: 404 });
    if (method !== 'GET') {
      const key = new Headers(init.headers).get('idempotency-key');
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
      network.writes.push({ method, path, key, body });
    }
    // A list that fits on one page is returned completely.
    const whole = `${method} ${path.replace(/\?limit=\d+.*/, '')}`;
    const list = network.answers[`${method} ${path}`] ?? network.answers[whole];
    const answer = await (list !== undefined && list.length > 1 ? list.shift() : list?.[0]);
    if (answer === 'silence') throw new TypeError('Failed to fetch');
    if (answer === undefined)
      return Response.json({ code: 'not_found', message: `${path} not found` }, { status: 404 });
    return Response.json(answer.body, { status: answer.status });
  });
  return network;
}

/** Signs in on this device as a user with billing and accounting permissions but without View Customers. */
export function signedIn(userRole = 'Administrator'): void {
  signIn({
    id: 7,
    token: 't',
    termsAccepted: true,
    initials: 'MV',
    email: 'mv@cedar.example',
    firstName: 'M',
    lastName: 'V',
    displayName: 'M V',
    companyId: 3,
    roleId: 1,
    userRole,
    permissions: ['Manage Billing', 'Manage Accounting'],
    setupCompleted: true,
  });
}

export function showWithData(element: ReactElement, path?: string) {
  return show(<QueryClientProvider client={makeQueryClient()}>{element}</QueryClientProvider>, path);
}

/** Returns an invoice in the API's format: 10436 for customer 5, with one line of 2 × 100.00 and no tax. */
export function wireInvoice(change: Record<string, unknown> = {}) {
  return {
    id: 36,
    invoiceid: 36,
    invoiceNumber: '10436',
    invoiceDate: '2026-05-26',
    dueDate: '2026-06-25',
    customerId: 5,
    customerDisplayName: 'Fairlawn Heights HOA',
    arBillingStatus: 2,
    lineItems: [wireLine],
    taxItems: [],
    salesTaxAmount: 0,
    invoiceAmount: 200,
    salesTaxScenario: null,
    entryDate: '2026-05-26',
    openAmount: 200,
    readyToPay: true,
    badge: 'Open',
    daysOverdue: 0,
    rowVersion: 1,
    ...change,
  };
}

/** Returns a work item in the API's format: 5.5 crew hours at 86.00 for customer 5. */
export function wireItem(change: Record<string, unknown> = {}) {
  const { lineItemAmount: _, lineItemTax: __, taxItems: ___, deleted: ____, workItemId: _____, ...line } = wireLine;
  return {
    ...line,
    id: 71,
    customerId: 5,
    customerDisplayName: 'Fairlawn Heights HOA',
    displayName: 'Storm cleanup, crew hour',
    description: 'Storm cleanup, crew hour',
    workitemDate: '2026-06-11',
    dueDate: null,
    serviceDate: '2026-06-10',
    itemPrice: 86,
    itemAmount: 86,
    quantity: 5.5,
    totalAmount: 473,
    entryDate: '2026-06-11',
    invoiceId: null,
    invoiceNumber: null,
    rowVersion: 1,
    ...change,
  };
}

const wireLine = {
  id: 361,
  workItemId: null,
  productId: null,
  packageId: null,
  discountId: null,
  isProduct: false,
  isPackage: false,
  isDiscount: false,
  isProductLine: false,
  productName: null,
  itemPrice: 100,
  itemAmount: 100,
  quantity: 2,
  description: 'Mowing',
  serviceDate: '2026-05-26',
  taxable: false,
  accountId: 141,
  profitCenterId: null,
  locationId: null,
  lineItemAmount: 200,
  lineItemTax: 0,
  taxItems: [],
  packageParts: null,
  discountTerms: null,
  deleted: false,
};

/** Returns the field with a given label. In such a large form, a search by role would take seconds. */
export function field(label: string): HTMLElement {
  return screen.getByLabelText(label, { selector: 'input' });
}

/** Replaces the value of a field. */
export function fill(input: HTMLElement, text: string): void {
  fireEvent.focus(input);
  fireEvent.change(input, { target: { value: text } });
  fireEvent.blur(input);
}

/** Selects the button with a given name, or the action of that name in a ⋯ menu. */
export async function press(name: string | RegExp): Promise<void> {
  const button = screen.queryByText(name, { selector: 'button, button *' });
  await (button === null && typeof name === 'string'
    ? choose(name)
    : userEvent.click(button ?? screen.getByText(name)));
}

/** Returns a customer in the API's format, with only its name filled in. */
export function wireCustomer(id: number, displayname: string) {
  return { ...emptyFields(Entity), id, displayname, name: displayname, currentbalance: 0, rowVersion: 1 };
}
