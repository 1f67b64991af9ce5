import type { Sending } from '@evenkeel/contract/sending';
import { isoDate } from '@evenkeel/core/dates';
import { expect, test } from 'vitest';
import { aroundLink, sendFaults, sendFormOf, sendInput, TIMES, withLink, withPlaceholder } from './sendForm.ts';
import { troubles } from './watch.ts';

const sending: Sending = {
  kind: 'invoice',
  id: 7,
  customerId: 3,
  title: 'Invoice 10436',
  to: ['ruth@fairlawn.example'],
  cc: [],
  subject: 'Invoice {number}',
  text: 'Hello {contact first name},\n{link}',
  values: [
    { name: 'number', value: '10436' },
    { name: 'contact first name', value: '' },
  ],
  fromName: 'Cedar & Stone',
  replyTo: 'maya@cedar.example',
  fileName: 'Invoice 10436.pdf',
  sent: 2,
  linkLabel: 'View Invoice',
  refusal: '',
  history: [],
  link: { isLive: false, madeAt: null, endsAt: null, viewedAt: [] },
};

test('the send form shows the finished text, but sends it only if the user has changed it', () => {
  const form = { ...sendFormOf(sending), to: 'ruth@fairlawn.example; joel@ridge.example', cc: '' };
  expect(form).toMatchObject({ subject: 'Invoice 10436', text: 'Hello,\n{link}' });
  const unchanged = { invoiceId: 7, to: ['ruth@fairlawn.example', 'joel@ridge.example'], cc: [], sent: 2 };
  expect(sendInput(form, { invoiceId: 7 }, sending)).toEqual(unchanged);
  expect(sendInput({ ...form, text: 'Hi Ruth' }, { invoiceId: 7 }, sending)).toEqual({ ...unchanged, text: 'Hi Ruth' });
  const file = {
    documentId: 31,
    documentName: 'After.png',
    uploadDate: '',
    contentType: 'image/png',
    size: 9,
    deleted: false,
  };
  expect(sendInput({ ...form, documentLinks: [{ ...file, id: -1 }] }, { invoiceId: 7 }, sending)).toEqual({
    ...unchanged,
    documentLinks: [{ id: -1, documentId: 31, documentName: 'After.png', deleted: false }],
  });
  expect(sendFaults('invoice', { ...form, to: 'ruth', text: '{vendor}' })).toEqual({
    to: 'ruth is not a valid email address',
    text: '{vendor} is not a valid placeholder. Select one from the list.',
  });
});

test('an email that is sent later has a date and a time of day', () => {
  const later = { ...sendFormOf(sending), isLater: true, sendTime: 13 * 60 + 30 };
  expect(sendFaults('invoice', later)).toEqual({ sendOn: 'Please enter a date' });
  const set = { ...later, sendOn: isoDate('2026-12-01') };
  expect(sendFaults('invoice', set)).toEqual({});
  expect(sendInput(set, { invoiceId: 7 }, sending)).toMatchObject({ sendOn: '2026-12-01', sendTime: '13:30' });
  expect(sendInput({ ...set, isLater: false }, { invoiceId: 7 }, sending)).not.toHaveProperty('sendOn');
  expect([0, 19, 24, 27].map((index) => TIMES[index]?.label)).toEqual(['12:00 AM', '9:30 AM', '12:00 PM', '1:30 PM']);
});

test('the link is on its own line between the two parts of a message', () => {
  expect(aroundLink('Hello,\n{link}\n\nThanks')).toEqual({ before: 'Hello,', after: '\nThanks' });
  expect(withLink('Hello,', '\nThanks')).toBe('Hello,\n{link}\n\nThanks');
  expect(aroundLink('Hello')).toEqual({ before: 'Hello', after: undefined });
});

test('a placeholder replaces the selected text, or is added at the end', () => {
  expect(withPlaceholder('Pay now', 'amount due', { start: 4, end: 7 })).toBe('Pay {amount due}');
  expect(withPlaceholder('Pay ', 'amount due')).toBe('Pay {amount due}');
});

test('the sender is informed only about copies that were not delivered', () => {
  const copy = { isCopy: false, attempts: 1, settledAt: null };
  const recipients = [
    { ...copy, address: 'a@b.example', state: 'sent' as const, answer: '250 OK' },
    { ...copy, address: 'c@d.example', state: 'refused' as const, answer: '550 user unknown' },
    { ...copy, address: 'e@f.example', state: 'unsure' as const, answer: 'no answer' },
  ];
  expect(troubles('Invoice 1', { recipients })).toEqual([
    'Invoice 1 was not delivered to c@d.example: 550 user unknown',
    'Invoice 1 may not have been delivered to e@f.example: no answer',
  ]);
});
