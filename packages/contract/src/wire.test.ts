import { expect, test } from 'vitest';
import * as z from 'zod';
import { Failure } from '@evenkeel/core/failure';
import { cents } from '@evenkeel/core/money';
import { authCalls } from './auth.ts';
import { BillingInvoiceInput, BillingPaymentInput } from './billing.ts';
import { DateField, Id, text } from './fields.ts';
import { ReportData } from './reports.ts';
import { alias, decode, encode, jsonPieces } from './wire.ts';

function refusal(schema: z.ZodType, raw: unknown): Failure {
  try {
    decode(schema, raw);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('was accepted');
}

const invoice = { invoiceDate: '2026-03-10', customerId: 7, lineItems: [] };

test.each([
  [authCalls.login.body, { email: '', password: 'x' }, 'email', 'Email is required'],
  [authCalls.login.body, { email: 'pat', password: 'x' }, 'email', 'Email is invalid'],
  [authCalls.login.body, { email: 'pat@example.com' }, 'password', 'Password is required'],
  [authCalls.updateUserTerms.body, { termsAccepted: false }, 'termsAccepted', 'Accept Terms & Conditions is required'],
  [authCalls.createUser.body, { roleId: '' }, 'roleId', 'Please Select a User Role'],
  [BillingInvoiceInput, { ...invoice, customerId: null }, 'customerId', 'Please Select a Customer'],
  [BillingInvoiceInput, { ...invoice, arBillingStatus: 6 }, 'arBillingStatus', 'Please Select a Billing Status'],
  [BillingInvoiceInput, { ...invoice, invoiceDate: '2/30/2026' }, 'invoiceDate', 'Please enter a valid date'],
  [BillingPaymentInput, { paymentDate: '2026-03-10', paymentAmount: 1 }, 'customerId', 'Please Select a Customer'],
])(
  'a message that is a complete sentence is used for the request and for its field (%#: %j)',
  (schema, raw, field, message) => {
    const failure = refusal(schema, raw);
    expect([failure.code, failure.message, failure.fields?.[field]]).toEqual(['malformed', message, message]);
  },
);

test('an error without its own message is reported in a sentence with the field name', () => {
  const line = z.object({ quantity: z.number(), glAccountID: Id });
  const schema = z.object({ lineItems: z.array(line).min(1), documentId: Id, kind: z.enum(['a', 'b']), text: text(3) });
  const good = { lineItems: [{ quantity: 1, glAccountID: 1 }], documentId: 1, kind: 'a', text: 'abc' };
  const told = (change: object): string => refusal(schema, { ...good, ...change }).message;
  expect(told({ documentId: undefined })).toBe('The document ID is missing');
  expect(told({ documentId: 'seven' })).toBe('The document ID must be a number');
  expect(told({ documentId: 1.5 })).toBe('The document ID must be a whole number');
  expect(told({ documentId: -1 })).toBe('The document ID must be at least 0');
  expect(told({ kind: 'c' })).toBe('The kind must be one of a, b');
  expect(told({ text: 'abcd' })).toBe('The text must have at most 3 characters');
  expect(told({ lineItems: [] })).toBe('The line items must have at least 1 item');
  expect(told({ lineItems: [good.lineItems[0], { quantity: 'two', glAccountID: 1 }] })).toBe(
    'The quantity in line item 2 must be a number',
  );
  expect(told({ lineItems: [{ quantity: 1 }] })).toBe('The GL account ID in line item 1 is missing');
  expect(told({ lineItems: ['x'] })).toBe('Line item 1 must be an object');
  expect(refusal(schema, []).message).toBe('The request must be an object');
  expect(refusal(z.object({ value: z.union([Id, z.null()]) }), { value: 'x' }).message).toBe(
    'The value has the wrong type',
  );
});

test.each([
  ['2026-01-31', '2026-01-31'],
  ['2026-01-31T00:00:00.000Z', '2026-01-31'],
  ['2026-01-31T23:59', '2026-01-31'],
  ['2026-01-31T23:59:59-05:00', '2026-01-31'],
  ['2026-01-31 00:00:00', '2026-01-31'],
  ['2026-01-31 00:00:00.123456+00', '2026-01-31'],
  ['1/31/2026', '2026-01-31'],
  ['1/31/2026 00:00:00', '2026-01-31'],
])('a date is read from %s', (raw, date) => {
  expect(decode(DateField, raw)).toBe(date);
});

test.each(['2026-02-30T00:00:00Z', '2026-01-31T', '2026-01-31Tnoon', 'T00:00:00Z', '', '2026-01-31'.repeat(9)])(
  '%s is rejected as a date, with a message',
  (raw) => {
    expect(refusal(z.object({ day: DateField }), { day: raw }).message).toBe('Please enter a valid date');
  },
);

test('the main spelling of a field takes precedence unless its value is null', () => {
  const schema = alias(z.object({ id: z.number().nullish() }), { invoiceid: 'id' });
  expect(decode(schema, { invoiceid: 7 })).toEqual({ id: 7 });
  expect(decode(schema, { INVOICEID: 7, ID: 3, id: 2 })).toEqual({ id: 2 });
  expect(decode(schema, { id: 0, invoiceid: 7 })).toEqual({ id: 0 });
  expect(decode(schema, { id: null, invoiceid: 7 })).toEqual({ id: 7 });
  expect(decode(schema, { invoiceid: 7, id: null })).toEqual({ id: 7 });
});

test('encoding a long response in pieces gives the same text as encoding it in one step', () => {
  const line = (amount: string) => ({
    lineItems: [{ itemText: amount, isCurrency: true, source: undefined }],
    inner: 1,
  });
  const reportLines = Array.from({ length: 20 }, (_, index) => line(`${index}.50`));
  const block = { blockTitle: 'Checking', displayHeader: true, displayFooter: false, total: cents(3950), reportLines };
  const shown = { title: 'Bank', totalTitle: '', total: cents(3950), hasColumnHeaders: false, columnHeaders: [] };
  const section = {
    ...shown,
    displayHeader: true,
    displayFooter: true,
    hasColumnSummary: false,
    columnSummaryLines: [],
    reportBlocks: [block],
  };
  const report = {
    title: 'General Ledger',
    reportHeaderItems: [{ headerText: 'December' }],
    reportSections: [section],
    reportSummaries: [{ description: 'All', amount: cents(3950) }],
  };
  const pieces = [...jsonPieces(report, ReportData)];
  expect(pieces.join('')).toBe(JSON.stringify(encode(ReportData, report)));
  expect(JSON.parse(pieces.join(''))).toMatchObject({ reportSummaries: [{ amount: 39.5 }] });
  expect(pieces.join('')).not.toContain('inner');
  expect(pieces.filter((piece) => piece.includes('lineItems')).length).toBe(2);
});
