import { isoDate } from '@evenkeel/core/dates';
import { cents, ZERO } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import { dueOf, totalsOf } from './page.ts';

test('the totals on a private page omit taxes of 0.00', () => {
  const taxes = [
    { label: 'Ohio', amount: cents(575) },
    { label: 'Ashby County', amount: ZERO },
  ];
  const [subtotal, total] = [cents(10_000), cents(10_575)];
  const html = totalsOf({ subtotal, taxes, total, paid: ZERO, balanceDue: total, asks: 'payment', paidWith: [] });
  expect(html).toContain('<dt>Ohio</dt><dd>5.75</dd>');
  expect(html).not.toContain('Ashby County');
});

test('a subtotal that equals the total is omitted', () => {
  const total = cents(10_000);
  const html = totalsOf({
    subtotal: total,
    taxes: [],
    total,
    paid: ZERO,
    balanceDue: total,
    asks: 'payment',
    paidWith: [],
  });
  expect(html).not.toContain('Subtotal');
});

test('the amount due is followed by the ways to pay, in the order in which the customer needs them', () => {
  const [total, paid] = [cents(138_300), cents(69_000)];
  const paper = {
    name: 'Invoice',
    shortName: 'Invoice',
    asks: 'payment' as const,
    company: { name: 'Fernhollow Landscaping', lines: [] },
    billTo: ['Greta Goodspeed'],
    invoiceNumber: '10563',
    invoiceDate: isoDate('2026-10-17'),
    dueDate: isoDate('2026-11-01'),
    lines: [],
    subtotal: total,
    taxes: [],
    total,
    paid,
    balanceDue: cents(69_300),
  };
  const shown = {
    paper,
    path: '/d/1',
    madeOn: isoDate('2026-10-17'),
    endsOn: null,
    terms: '',
    howToPay: 'Mail a check',
    paidWith: [],
    payLink: 'https://pay.example/10563',
    today: isoDate('2026-11-26'),
  };
  const partsOf = (html: string) =>
    [...html.matchAll(/Was due|Pay \$693\.00|button plain|Download PDF|How to pay/g)].map(String);
  expect(partsOf(dueOf(shown))).toEqual(['Was due', 'Pay $693.00', 'button plain', 'Download PDF', 'How to pay']);
  expect(partsOf(dueOf({ ...shown, payLink: undefined }))).toEqual(['Was due', 'How to pay', 'Download PDF']);
  expect(dueOf({ ...shown, today: isoDate('2026-11-01') })).toContain('by <strong>November 1, 2026</strong>');
});

test('payments are listed with their dates and types, and the rest of the paid amount is shown as credits', () => {
  const [total, paid, due] = [cents(138_300), cents(70_000), cents(68_300)];
  const sums = { subtotal: total, taxes: [], total, paid, balanceDue: due, asks: 'payment' as const };
  const card = { date: isoDate('2026-11-09'), type: 'Credit Card', amount: cents(69_000) };
  const rowsOf = (html: string) => [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, ...row]) => row);
  expect(rowsOf(totalsOf({ ...sums, paidWith: [card] }))).toEqual([
    ['Total', '1,383.00'],
    ['Paid 11/9/2026, credit card', '(690.00)'],
    ['Other credits', '(10.00)'],
    ['Amount due', '$683.00'],
  ]);
  expect(rowsOf(totalsOf({ ...sums, paidWith: [] }))[1]).toEqual(['Credits', '(700.00)']);
});
