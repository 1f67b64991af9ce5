// @vitest-environment jsdom
import '../../testing/setup.ts';
import { wholeLayout } from '@evenkeel/core/cards';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { updateSession } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { remember } from './useLayout.ts';
import { answer, cardOf, eachTest, failed, open } from './testing/board.tsx';

eachTest();

const step = (key: string, done = false, id: number | null = null) => ({ key, done, id });
const STEPS = [
  step('companyInfo', true, 3),
  step('salesTax', false, 8),
  step('moveIn'),
  step('openingBalances'),
  step('invoice'),
  step('colleagues'),
];
/** Makes the user an administrator who can open the screen of every step. */
const asAdministrator = () => updateSession({ permissions: ['View Dashboard', 'Manage Billing', 'Manage Accounting'] });
const leads = () =>
  within(screen.getByRole('region', { name: 'Next Steps' }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

it('first steps link to their forms, and steps that the user lacks permission for are hidden', async () => {
  asAdministrator();
  open({ 'GET /dashboard': [answer({ firstSteps: STEPS })] });
  await screen.findByText('1 of 6 done');
  expect(leads()).toEqual([
    ['Address and logo', '/settings?company=3'],
    ['Sales tax', '/settings?salestax=8'],
    ['Move in', '/settings?tab=movein'],
    ['Opening balances', '/openingbalances'],
    ['First invoice', '/billing?edit=0'],
    ['Colleagues', '/users?user=0'],
  ]);
  cleanup();
  updateSession({ permissions: ['View Dashboard', 'Manage Billing'], userRole: 'Clerk' });
  open({ 'GET /dashboard': [answer({ firstSteps: STEPS })] });
  await screen.findByText('0 of 1 done');
  expect(leads()).toEqual([['First invoice', '/billing?edit=0']]);
});

it('no list is shown after all visible steps are done, even if a step without permission remains', async () => {
  updateSession({ permissions: ['View Dashboard', 'Manage Billing'], userRole: 'Clerk' });
  open({ 'GET /dashboard': [answer({ firstSteps: [step('invoice', true), step('colleagues')] })] });
  await cardOf('incomingMoney');
  expect(screen.queryByText('Next Steps')).toBeNull();
});

it('first steps known to this device appear before the server responds, so that no card moves', async () => {
  asAdministrator();
  const firstSteps = [{ key: 'invoice' as const, done: false, id: null }];
  remember({ layout: wholeLayout([]), firstSteps, waiting: [] });
  open({ 'GET /dashboard': [answer({ firstSteps: [step('invoice')] })] });
  expect(screen.getByText('Loading...')).toBeTruthy();
  expect(leads()).toEqual([['First invoice', '/billing?edit=0']]);
  expect(await within(await cardOf('incomingMoney')).findByText('$120.50')).toBeTruthy();
});

it('pending work comes first with a link to its screen and stays if the first steps are dismissed', async () => {
  asAdministrator();
  updateSession({ permissions: ['View Dashboard', 'Manage Billing', 'View Banking', 'Manage Accounting'] });
  const waiting = [
    { key: 'bankLines', count: 12 },
    { key: 'emails', count: 1 },
  ];
  open({
    'GET /dashboard': [answer({ firstSteps: [step('invoice')], waiting })],
    'PUT /dashboard/firststeps': [{ status: 200, body: { dismissed: true } }],
  });
  await screen.findByText('0 of 1 done');
  const both = [
    ['12 bank transactions to review', '/banking?tab=review'],
    ['1 email not delivered', '/users'],
  ];
  expect(leads()).toEqual([...both, ['First invoice', '/billing?edit=0']]);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss first steps' }));
  expect(leads()).toEqual(both);
  expect(screen.queryByRole('button', { name: 'Dismiss first steps' })).toBeNull();
});

it('Dismiss hides the first steps immediately, Undo restores them, and a failed save shows an error', async () => {
  asAdministrator();
  const network = open({
    'GET /dashboard': [answer({ firstSteps: STEPS })],
    'PUT /dashboard/firststeps': [{ status: 200, body: { dismissed: true } }, failed('The disk is full')],
  });
  const dismiss = async () => userEvent.click(await screen.findByRole('button', { name: 'Dismiss first steps' }));
  await dismiss();
  expect(screen.queryByText('Next Steps')).toBeNull();
  await waitFor(() => expect(alerts.state().shown.map(({ text }) => text)).toContain('First steps dismissed'));
  const undo = alerts.state().shown.find(({ text }) => text === 'First steps dismissed')?.action;
  network.answers['PUT /dashboard/firststeps'] = [{ status: 200, body: { dismissed: false } }];
  act(() => undo?.run());
  expect(await screen.findByText('Next Steps')).toBeTruthy();
  network.answers['PUT /dashboard/firststeps'] = [failed('The disk is full')];
  await dismiss();
  expect(await screen.findByText('Next Steps')).toBeTruthy();
  expect(network.writes.map(({ body }) => Object(body).dismissed)).toEqual([true, false, true]);
});
