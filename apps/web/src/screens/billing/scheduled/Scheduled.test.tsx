// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut, updateSession } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { BillingScreen } from '../BillingScreen.tsx';
import { fakeNetwork, field, fill, press, showWithData, signedIn, wireInvoice } from '../testing/answers.tsx';

beforeEach(() => {
  localStorage.clear();
  signedIn();
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const answer = (body: unknown) => [{ status: 200, body }];
const schedule = { unit: 'month', every: 1, start: '2026-01-31', weekday: 6, monthDay: 'last', end: { kind: 'never' } };
const row = (change: object = {}) => ({
  id: 9,
  name: 'Oak Hollow',
  entityId: 6,
  entityDisplayName: 'Oak Hollow',
  schedule,
  makes: 'posted',
  fixesPrices: false,
  state: 'active',
  failure: '',
  nextDate: '2026-06-30',
  nextN: 5,
  amount: 200,
  made: 1,
  held: 0,
  due: 0,
  rowVersion: 3,
  ...change,
});
const whole = (change: object = {}) => ({
  ...row(),
  document: wireInvoice({ id: 0, customerId: 6, customerDisplayName: 'Oak Hollow', dueDate: null }),
  next: [
    { n: 5, date: '2026-06-30', isSkipped: false },
    { n: 6, date: '2026-07-31', isSkipped: true },
    { n: 7, date: '2026-08-31', isSkipped: false },
  ],
  amountNow: 210,
  problem: '',
  sendProblem: '',
  occurrences: [
    { n: 4, date: '2026-05-31', state: 'made', reason: '', madeOn: '2026-05-31', sourceId: 36, number: '10436' },
  ],
  ...change,
});
const NETWORK = {
  'GET /scheduledinvoice': answer([row(), row({ id: 10, name: 'Exempt School', state: 'held', held: 1 })]),
  'GET /scheduledinvoice/9': answer(whole()),
};

it('the tab lists schedules by name, with the rule, next date, state, and amount', async () => {
  fakeNetwork(NETWORK);
  showWithData(<BillingScreen />, '/billing?tab=scheduled');
  await screen.findByText('Oak Hollow');
  const table = screen.getByRole('table', { name: 'Scheduled' });
  const rows = within(table).getAllByRole('row');
  expect(rows[2]?.textContent).toBe('Oak Hollowmonth on the last day6/30/2026PostedActive200.00');
  expect(rows[1]?.textContent).toContain('1 on hold');
  expect(screen.getByText('Add Schedule')).toBeTruthy();
});

it('the panel lists upcoming and created documents, and a date can be skipped or run now', async () => {
  const problem = "Oak Hollow doesn't have an email address";
  const one = whole({ makes: 'sent', sendProblem: problem });
  const network = fakeNetwork({
    ...NETWORK,
    'GET /scheduledinvoice/9': answer({ ...one, occurrences: [{ ...one.occurrences[0], reason: problem }] }),
    'PUT /scheduledinvoice/9': answer(whole()),
  });
  showWithData(<BillingScreen />, '/billing?scheduled=9');
  expect(await screen.findByText('2 × 210.00 = 420.00')).toBeTruthy();
  expect(screen.getByText(`Created, but not sent: ${problem}`)).toBeTruthy();
  expect(screen.getByText(`Not sent: ${problem}`)).toBeTruthy();
  expect(screen.getByText('10436', { selector: 'a' }).getAttribute('href')).toContain('invoice=36');
  fireEvent.click(screen.getByLabelText('Skip 6/30/2026'));
  await waitFor(() => expect(network.writes.map(({ body }) => body)).toEqual([{ action: 'skip', n: 5 }]));
  await waitFor(() => expect(screen.getByText('Run Now').closest('button')?.disabled).toBe(false));
  await press('Run Now');
  await waitFor(() => expect(network.writes).toHaveLength(2));
  expect(network.writes[1]?.body).toEqual({ action: 'run', n: 5 });
});

it('a date on hold shows the reason, and can be skipped, tried again, or created today', async () => {
  const reason = 'The books are closed through 3/31/2026';
  const held = { n: 2, date: '2026-03-31', state: 'held', reason, madeOn: null, sourceId: null, number: '' };
  const network = fakeNetwork({
    ...NETWORK,
    'GET /scheduledinvoice/9': answer(whole({ state: 'held', held: 1, occurrences: [held] })),
    'PUT /scheduledinvoice/9': answer(whole()),
  });
  showWithData(<BillingScreen />, '/billing?scheduled=9');
  expect(
    await screen.findByText(`The document for 3/31/2026 is on hold. ${reason}. The date was not skipped.`),
  ).toBeTruthy();
  await press('Try Again');
  await waitFor(() => expect(network.writes.map(({ body }) => body)).toEqual([{ action: 'make', n: 2 }]));
});

it('a new schedule consists of an invoice and a rule, and is sent only once', async () => {
  const network = fakeNetwork({ ...NETWORK, 'POST /scheduledinvoice': answer(whole()) });
  showWithData(<BillingScreen />, '/billing?template=0');
  await waitFor(() => field('Customer'));
  await press('Save');
  expect(screen.getByText('Please Select a Customer')).toBeTruthy();
  await userEvent.click(field('Customer'));
  await userEvent.click(await screen.findByText('Oak Hollow', { selector: '[role="option"] *' }));
  const year = new Date().getFullYear() + 1;
  const february = new Date(Date.UTC(year, 2, 0)).getUTCDate();
  fill(field('Starts'), `1/31/${year}`);
  await userEvent.click(field('Makes'));
  await userEvent.click(await screen.findByText('posted and sent', { selector: '[role="option"] *' }));
  fireEvent.click(screen.getByText(`2/${february}/${year}`).closest('button') ?? document.body);
  fill(field('Description'), 'Retainer');
  await userEvent.click(field('Account'));
  await userEvent.click(await screen.findByText('Service Income', { selector: '[role="option"] *' }));
  fill(field('Price'), '480');
  expect(screen.getByText(/^Creates an invoice/).textContent).toMatch(
    /^Creates an invoice for 480\.00 on day 31 of every month, due 30 days later, and emails it to the customer\.$/,
  );
  await press('Save');
  await waitFor(() => expect(network.writes).toHaveLength(1));
  expect(network.writes[0]?.body).toMatchObject({
    makes: 'sent',
    skips: [`${year}-02-${february}`],
    schedule: { unit: 'month', every: 1, start: `${year}-01-31`, monthDay: 31, end: { kind: 'never' } },
    document: {
      customerId: 6,
      invoiceDate: `${year}-01-31`,
      lineItems: [{ itemPrice: 480, serviceDate: `${year}-01-31` }],
    },
  });
});

it("a user with only view permission can't make changes", async () => {
  updateSession({ permissions: ['View Billing'] });
  fakeNetwork(NETWORK);
  showWithData(<BillingScreen />, '/billing?scheduled=9');
  expect(await screen.findByText('2 × 210.00 = 420.00')).toBeTruthy();
  for (const words of ['Add Schedule', 'Pause', 'Run Now', 'Skip', 'Edit'])
    expect(screen.queryByText(words)).toBeNull();
});
