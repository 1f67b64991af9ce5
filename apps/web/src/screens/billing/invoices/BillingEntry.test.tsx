// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Profiler } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { setWidth } from '../../../testing/setup.ts';
import { BillingEntry } from './BillingEntry.tsx';
import {
  type Answer,
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
  vi.useRealTimers();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const NOTHING = () => undefined;
const NEW_DRAFT = '3.7:draft:billing:0~t';
const OLD_DRAFT = '3.7:draft:billing:36';
const refusal = (status: number, body: Record<string, unknown>): Answer => ({
  status,
  body: { requestId: 'r', ...body },
});
const draftOf = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null')?.value;

async function choose(name: string, option: string) {
  await userEvent.click(field(name));
  await userEvent.click(await screen.findByText(option, { selector: '[role="option"] *' }));
}

async function openNew() {
  const told = { closed: 0, saved: '' };
  showWithData(
    <BillingEntry
      invoiceId={0}
      onClose={() => (told.closed += 1)}
      onSaved={(invoice) => {
        told.closed += 1;
        told.saved = invoice.invoiceNumber;
      }}
      onDeleted={NOTHING}
      onPay={NOTHING}
    />,
  );
  await waitFor(() => field('Customer'));
  return told;
}

async function typeLine() {
  await choose('Customer', 'Fairlawn Heights HOA');
  await choose('Product/Package/Discount', 'Shade tree');
  fill(field('Quantity'), '2');
}

const save = () => press('Save');

it('saving an empty form sends nothing, reports the missing values, and focuses the customer', async () => {
  signedIn();
  const network = fakeNetwork();
  await openNew();
  await save();
  expect(screen.getByText('Please Select a Customer')).toBeTruthy();
  expect(screen.getByText('Add at least one line item to the invoice')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(field('Customer')));
  expect(network.writes).toEqual([]);
});

it('committing a free-form line without an account shows a message and keeps the line open', async () => {
  signedIn();
  const network = fakeNetwork();
  await openNew();
  fill(field('Description'), 'Storm debris');
  fill(field('Price'), '145');
  await press('Commit');
  expect(screen.getAllByText('Please Select an Account').length).toBeGreaterThan(0);
  await save();
  expect(field('Description')).toHaveProperty('value', 'Storm debris');
  expect(network.writes).toEqual([]);
});

it('the service date of the line that opens with the form follows the invoice date', async () => {
  signedIn();
  const network = fakeNetwork({ 'POST /billinginvoice': ['silence'] });
  await openNew();
  fill(field('Invoice Date'), '5/15/2026');
  fireEvent.blur(field('Invoice Date'));
  await typeLine();
  await save();
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({
    invoiceDate: '2026-05-15',
    lineItems: [{ serviceDate: '2026-05-15' }],
  });
});

it('a product fills in the line and locks its price, and 2 taxable units at 285.00 total $608.48', async () => {
  signedIn();
  fakeNetwork();
  await openNew();
  await typeLine();
  expect(field('Price')).toHaveProperty('disabled', true);
  expect(field('Price')).toHaveProperty('value', '285.00');
  expect(screen.getByText('State tax 5.75%').nextSibling?.textContent).toBe('32.78');
  expect(screen.getByText('County tax 1.00%').nextSibling?.textContent).toBe('5.70');
  expect(screen.getByText('Total').nextSibling?.textContent).toBe('$608.48');
});

it("each key press in a line's description renders the form once", async () => {
  signedIn();
  fakeNetwork();
  // The time of the draft is shown in minutes, so the form would also render when the minute changes.
  vi.useFakeTimers({ now: new Date('2026-06-12T15:00:00Z'), toFake: ['Date'] });
  let renders = 0;
  showWithData(
    <Profiler id="form" onRender={() => (renders += 1)}>
      <BillingEntry invoiceId={0} onClose={NOTHING} onSaved={NOTHING} onDeleted={NOTHING} onPay={NOTHING} />
    </Profiler>,
  );
  await waitFor(() => field('Customer'));
  await userEvent.type(field('Description'), 'Storm');
  await waitFor(() => expect(draftOf(NEW_DRAFT)?.working?.description).toBe('Storm'));
  renders = 0;
  await userEvent.keyboard(' debris');
  await waitFor(() => expect(draftOf(NEW_DRAFT)?.working?.description).toBe('Storm debris'));
  expect(renders).toBe(' debris'.length);
});

it('a user without customer permission sees whether the customer is exempt or has a special tax scenario', async () => {
  signedIn();
  fakeNetwork();
  await openNew();
  await typeLine();
  await choose('Customer', 'Exempt School');
  await waitFor(() => expect(screen.queryByText('State tax 5.75%')).toBeNull());
  expect(screen.getByText('Total').nextSibling?.textContent).toBe('$570.00');
  await choose('Customer', 'Oak Hollow');
  expect(screen.getByText('City tax 2.00%').nextSibling?.textContent).toBe('11.40');
  expect(screen.getByText('Total').nextSibling?.textContent).toBe('$581.40');
});

const switchOn = (name: string) => ({
  'GET /customersettings': [
    {
      status: 200,
      body: { customerSettingItems: [{ id: 2, rowVersion: 1, settingName: name, settingValue: 'true' }] },
    },
  ],
});

/**
 * Returns the responses that list the company's profit centers, whose IDs start at 4. The values say whether each
 * profit center is active.
 */
const centers = (active: Record<string, boolean>) => ({
  'GET /profitcenters?inactive=true': [
    {
      status: 200,
      body: Object.entries(active).map(([profitcentername, isActive], at) => {
        return { profitcenterid: 4 + at, profitcentername, active: isActive, rowVersion: 1 };
      }),
    },
  ],
});

it('if Use Profit Centers is on but no profit centers exist, the invoice is saved without one', async () => {
  signedIn();
  const network = fakeNetwork({
    ...switchOn('useProfitCenters'),
    'GET /profitcenters?inactive=true': [{ status: 200, body: [] }],
    'POST /billinginvoice': [{ status: 200, body: wireInvoice() }],
  });
  const told = await openNew();
  await typeLine();
  expect(screen.queryByRole('columnheader', { name: 'Profit Center' })).toBeNull();
  await save();
  await waitFor(() => expect(told.closed).toBe(1));
  expect(network.writes[0]?.body).toMatchObject({ lineItems: [{ productId: 24, profitCenterId: null }] });
});

it('if Use Profit Centers is on and a profit center exists, the line offers and requires it', async () => {
  signedIn();
  const network = fakeNetwork({
    ...switchOn('useProfitCenters'),
    ...centers({ North: true }),
    'POST /billinginvoice': [{ status: 200, body: wireInvoice() }],
  });
  const told = await openNew();
  await screen.findByText('Profit Center');
  await typeLine();
  await press('Commit');
  expect(screen.getAllByText('Please Select a Profit Center').length).toBeGreaterThan(0);
  expect(network.writes).toEqual([]);
  await choose('Profit Center', 'North');
  await save();
  await waitFor(() => expect(told.closed).toBe(1));
  expect(network.writes[0]?.body).toMatchObject({ lineItems: [{ profitCenterId: 4 }] });
});

it("an inactive profit center stays on its line and can be cleared, and other lines don't offer it", async () => {
  signedIn();
  const { lineItems, ...invoice } = wireInvoice();
  const saved = { ...invoice, lineItems: lineItems.map((line) => ({ ...line, profitCenterId: 5 })) };
  const network = fakeNetwork({
    ...switchOn('useProfitCenters'),
    ...centers({ North: false, South: false }),
    'GET /billinginvoice/36': [{ status: 200, body: saved }],
    'PUT /billinginvoice': [{ status: 200, body: saved }],
  });
  showWithData(<BillingEntry invoiceId={36} onClose={NOTHING} onSaved={NOTHING} onDeleted={NOTHING} onPay={NOTHING} />);
  await userEvent.click(await screen.findByText('South'));
  await waitFor(() => expect(field('Profit Center')).toHaveProperty('value', 'South'));
  await userEvent.click(field('Profit Center'));
  const list = () => screen.getByLabelText('Profit Center', { selector: '[role="listbox"]' });
  const offered = () => [...list().querySelectorAll('[role="option"]')].map((option) => option.textContent);
  expect(offered()).toEqual(['None', 'South']);
  await userEvent.click(within(list()).getByText('None'));
  await userEvent.click(field('Profit Center'));
  expect(offered()).toEqual(['None']);
  await save();
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({ lineItems: [{ profitCenterId: null }] });
});

it('after a lost connection, the next attempt sends the same key and body and then deletes the draft', async () => {
  signedIn();
  const saved = { status: 200, body: wireInvoice({ invoiceNumber: '10437' }) };
  const network = fakeNetwork({ 'POST /billinginvoice': ['silence', saved] });
  const told = await openNew();
  await typeLine();
  await save();
  await screen.findByText(/The connection was lost. Your changes are still here/);
  expect(told).toEqual({ closed: 0, saved: '' });
  expect(draftOf(NEW_DRAFT).customerId).toBe(5);
  expect(screen.getByText(/^Draft saved on this device \d+:\d\d [AP]M$/)).toBeTruthy();
  await save();
  await waitFor(() => expect(told).toEqual({ closed: 1, saved: '10437' }));
  const [first, second] = network.writes;
  expect(network.writes).toHaveLength(2);
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toEqual(first);
  expect(localStorage.getItem(NEW_DRAFT)).toBeNull();
});

it('after a lost connection and a reload, the same key is sent, and Discard changes deletes the draft', async () => {
  signedIn();
  const network = fakeNetwork({ 'POST /billinginvoice': ['silence'] });
  await openNew();
  await typeLine();
  await save();
  await screen.findByText(/The connection was lost/);
  cleanup();
  await openNew();
  await save();
  await waitFor(() => expect(network.writes).toHaveLength(2));
  expect(network.writes[1]?.key).toBe(network.writes[0]?.key);
  await userEvent.click(screen.getByLabelText('Close'));
  await press('Discard changes');
  expect(Object.keys(localStorage).filter((key) => key.includes(':draft:'))).toEqual([]);
});

it('a draft from an earlier visit is restored with its unfinished line', async () => {
  signedIn();
  fakeNetwork();
  await openNew();
  await typeLine();
  await waitFor(() => expect(draftOf(NEW_DRAFT).working?.quantity).toBe(2));
  cleanup();
  await openNew();
  expect(await screen.findByText('Shade tree, two inch caliper')).toBeTruthy();
  await waitFor(() => {
    expect(field('Customer')).toHaveProperty('value', 'Fairlawn Heights HOA');
  });
});

it('Ctrl+Enter in an empty line added by Tab saves the lines before it', async () => {
  signedIn();
  const network = fakeNetwork({ 'POST /billinginvoice': [{ status: 200, body: wireInvoice() }] });
  await openNew();
  await typeLine();
  field('Taxable').focus();
  await userEvent.keyboard('{Tab}');
  await waitFor(() => expect(field('Description')).toHaveProperty('value', ''));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({ lineItems: [{ productId: 24, quantity: 2, itemPrice: 285 }] });
});

const openOld = () => {
  const paid: number[] = [];
  const ends = { onClose: NOTHING, onSaved: NOTHING, onDeleted: NOTHING };
  showWithData(<BillingEntry {...ends} invoiceId={36} onPay={(one) => paid.push(one.openAmount)} />);
  return paid;
};

async function changeDescription() {
  await userEvent.click(await screen.findByText('Mowing'));
  fill(field('Description'), 'Mowing twice');
}

it("in a closed period, an administrator can give a reason for the next attempt, but a bookkeeper can't", async () => {
  const closed = refusal(422, { code: 'closed', message: 'The books are closed through 5/31/2026' });
  const answers = () => ({
    'GET /billinginvoice/36': [{ status: 200, body: wireInvoice() }],
    'PUT /billinginvoice': [closed, { status: 200, body: wireInvoice({ rowVersion: 2 }) }],
  });
  signedIn('Bookkeeper');
  fakeNetwork(answers());
  openOld();
  await changeDescription();
  await save();
  await screen.findByText('The books are closed through 5/31/2026');
  expect(screen.queryByRole('textbox', { name: /Reason/ })).toBeNull();
  cleanup();
  localStorage.clear();
  signedIn();
  const network = fakeNetwork(answers());
  openOld();
  await changeDescription();
  await save();
  await userEvent.type(await screen.findByRole('textbox', { name: /Reason/ }), 'Agreed');
  await save();
  await waitFor(() => expect(network.writes).toHaveLength(2));
  expect(network.writes[1]?.body).toMatchObject({ closingOverrideReason: 'Agreed', rowVersion: 1 });
});

it('Keep My Changes saves over version 4, but keeps the due date that only the other user changed', async () => {
  signedIn();
  const current = wireInvoice({ rowVersion: 4, dueDate: '2026-07-01' });
  const network = fakeNetwork({
    'GET /billinginvoice/36': [{ status: 200, body: wireInvoice() }],
    'PUT /billinginvoice': [refusal(409, { code: 'stale', message: 'Someone else …', current }), 'silence'],
  });
  openOld();
  await changeDescription();
  await save();
  await userEvent.click(await screen.findByRole('button', { name: 'Keep My Changes' }));
  await waitFor(() => expect(network.writes).toHaveLength(2));
  expect(network.writes[1]?.body).toMatchObject({
    rowVersion: 4,
    dueDate: '2026-07-01',
    lineItems: [{ id: 361, description: 'Mowing twice' }],
  });
  expect(draftOf(OLD_DRAFT).rowVersion).toBe(4);
});

it('Pay Invoice appears only if the invoice can be paid', async () => {
  signedIn();
  fakeNetwork({ 'GET /billinginvoice/36': [{ status: 200, body: wireInvoice({ readyToPay: false }) }] });
  openOld();
  expect(await screen.findByText('Mowing')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Pay Invoice' })).toBeNull();
  cleanup();
  fakeNetwork({ 'GET /billinginvoice/36': [{ status: 200, body: wireInvoice() }] });
  const paid = openOld();
  await userEvent.click(await screen.findByRole('button', { name: 'Pay Invoice' }));
  expect(paid).toEqual([20000]);
});

it('Delete asks for confirmation, Cancel Delete sends nothing, and a rejected deletion shows the reason', async () => {
  signedIn();
  const network = fakeNetwork({
    'GET /billinginvoice/36': [{ status: 200, body: wireInvoice() }],
    'DELETE /billinginvoice/36': [refusal(409, { code: 'conflict', message: 'Delete its payments first' })],
  });
  openOld();
  await screen.findByRole('button', { name: /^More: .*Delete/ });
  await press('Delete');
  await press('Cancel Delete');
  expect(network.writes).toEqual([]);
  await press('Delete');
  await press('Confirm Delete');
  expect(await within(screen.getByRole('dialog')).findByText('Delete its payments first')).toBeTruthy();
  expect(network.writes).toHaveLength(1);
});

it('at 390 px, lines are cards that open in a form, and the footer shows the total', async () => {
  setWidth(390);
  signedIn();
  fakeNetwork({ 'GET /billinginvoice/36': [{ status: 200, body: wireInvoice() }] });
  openOld();
  await userEvent.click(await screen.findByRole('button', { name: /Mowing/ }));
  const sheet = screen.getByRole('dialog', { name: 'Line item' });
  fill(within(sheet).getByLabelText('Quantity'), '3');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Commit' }));
  expect(screen.getAllByText('$300.00')).toHaveLength(2);
});

it('the billing status appears before the list of statuses loads', async () => {
  fakeNetwork({ 'GET /billingstatuses': [new Promise(() => undefined)] });
  signedIn();
  await openNew();
  expect(field('Billing Status')).toHaveProperty('value', 'Open');
});

it('an invoice with a discount shows and sends it, and other invoices have no discount fields', async () => {
  signedIn();
  fakeNetwork({ 'GET /billinginvoice/36': [{ status: 200, body: wireInvoice() }] });
  openOld();
  await screen.findByText('Mowing');
  expect(screen.queryByLabelText('Discount (%)')).toBeNull();
  cleanup();
  const discount = { discountPercent: 2, discountUntil: '2026-06-20' };
  const network = fakeNetwork({
    'GET /billinginvoice/36': [{ status: 200, body: wireInvoice(discount) }],
    'PUT /billinginvoice': ['silence'],
  });
  openOld();
  fill(await screen.findByLabelText('Discount (%)', { selector: 'input' }), '3');
  expect(field('Discount Until').getAttribute('value')).toBe('6/20/2026');
  await save();
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({ discountPercent: 3, discountUntil: '2026-06-20' });
});

it('the last invoice from an estimate includes the cents left over from the other invoices', async () => {
  signedIn();
  const saved = wireInvoice({ estimateId: 60, invoiceAmount: 199.99, openAmount: 199.99 });
  const [own] = saved.lineItems;
  const lineItems = [{ ...own, sourceLineId: 7, lineItemAmount: 199.99, quantity: 1, itemPrice: 200, taxable: false }];
  const lines = [{ id: 7, quantity: 2, amount: 399.99, discountType: null, taken: { quantity: 1, amount: 200 } }];
  const parts = { lines, taxItems: [], taken: { count: 1, hasOtherLines: false, taxItems: [] } };
  fakeNetwork({
    'GET /billinginvoice/36': [{ status: 200, body: { ...saved, lineItems } }],
    'GET /billingestimate/60/invoiced?without=36': [{ status: 200, body: { estimateId: 60, parts } }],
  });
  const nothing = { onClose: NOTHING, onSaved: NOTHING, onDeleted: NOTHING, onPay: NOTHING };
  showWithData(<BillingEntry invoiceId={36} {...nothing} />);
  await waitFor(() => expect(document.body.textContent).toMatch(/Invoice Total\$199\.99/));
});
