// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { HealthScreen } from './HealthScreen.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const SOUND = {
  says: '',
  figure: null,
  milliseconds: 4,
  faultCount: 0,
  message: null,
  transactionId: null,
  record: null,
};
const check = (name: string, found: object) => {
  return { name, title: name, checkedAt: '2026-05-01T02:00:00.000Z', ...SOUND, ...found };
};

it('a failed check links to the transaction and the record that it names', async () => {
  signedIn();
  const [entry, record] = [
    { transactionId: 3, message: 'it does not balance' },
    { kind: 'expense', id: 8 },
  ];
  const checks = [
    check('balance', { faultCount: 1, ...entry }),
    check('documents', { faultCount: 3, message: 'bill B-1 is $80.00', record }),
    check('audit log', {
      faultCount: 1,
      message: 'row 9 is not as it was written',
      record: { kind: 'audit log', id: 9 },
    }),
    check('head', { faultCount: 1, message: 'there is no ledger head' }),
    check('chain', {}),
  ];
  const body = {
    checkedAt: '2026-05-01T02:00:00.000Z',
    off: 4,
    first: 'balance',
    failedJobs: 0,
    checks,
    run: null,
    jobs: {
      waiting: 1,
      retried: [{ kind: 'mail', at: '2026-05-01T03:00:00.000Z', attempts: 2, error: 'greylisted' }],
      failed: [{ kind: 'letter', at: '2026-05-01T02:00:00.000Z', attempts: 12, error: 'no server' }],
    },
    backup: null,
    version: '0.2.0',
    storage: { databaseBytes: 1, fileBytes: 1, freeBytes: null },
  };
  const refused = {
    id: 4,
    kind: 'invoice',
    invoiceId: 36,
    estimateId: null,
    creditId: null,
    paymentId: null,
    customerId: 5,
    customerDisplayName: 'Oak Hollow',
    number: '10436',
    sentBy: 'M V',
    sentAt: '2026-05-01T02:00:00.000Z',
    recipients: [
      {
        address: 'ap@oak.example',
        isCopy: false,
        state: 'refused',
        answer: 'no such box',
        attempts: 1,
        settledAt: null,
      },
    ],
  };
  const statement = { ...refused, id: 5, kind: 'statement', invoiceId: null, number: '' };
  const formCopy = { ...statement, id: 1099, kind: 'formCopy' };
  fakeNetwork({
    'GET /health': [{ status: 200, body }],
    'GET /refusedmail': [{ status: 200, body: [refused, statement, formCopy] }],
  });
  showWithData(<HealthScreen />, '/health');
  const rows = within(await screen.findByRole('list', { name: 'Checks' })).getAllByRole('listitem');
  const links = rows.map((row) =>
    [...row.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]),
  );
  expect(links).toEqual([
    [['Entry 3', '/accounting?entry=3']],
    [['Open Bill', '/expenses?invoice=8']],
    [['Open Change', '/audit?change=9']],
    [],
    [],
  ]);
  expect(rows[1]?.textContent).toContain('bill B-1 is $80.00, and 2 more Open Bill');
  const mails = await screen.findByRole('list', { name: 'Undelivered Emails' });
  const ways = within(mails).getAllByRole('link');
  expect(ways.map((link) => link.getAttribute('href'))).toEqual([
    '/billing?invoice=36&panel=sending',
    '/customers?customer=5',
    '/vendors?vendor=5',
  ]);
  expect(mails.textContent).toContain('was not delivered to ap@oak.example: no such box');
  // The job's label is readable text.
  expect(screen.getByText('Email to a user')).toBeTruthy();
  expect(screen.getByText(/Failed 2 times. Next attempt/).textContent).toContain('greylisted');
});
