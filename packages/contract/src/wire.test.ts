import { expect, test } from 'vitest';
import * as z from 'zod';
import { Failure } from '@evenkeel/core/failure';
import { cents } from '@evenkeel/core/money';
import { authCalls } from './auth.ts';
import { BillingInvoiceInput, BillingPaymentInput } from './billing.ts';
import { DateField } from './fields.ts';
import { ReportData } from './reports.ts';
import { alias, decode, encode, encodeInSteps } from './wire.ts';

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
])('a sentence of our own is the whole message and its field’s (%#: %j)', (schema, raw, field, message) => {
  const failure = refusal(schema, raw);
  expect([failure.code, failure.message, failure.fields?.[field]]).toEqual(['malformed', message, message]);
});

test('what the schema library says comes with the name of the field', () => {
  expect(refusal(z.object({ count: z.number() }), { count: 'two' }).message).toMatch(/^count: Invalid input/);
  expect(refusal(z.object({ either: z.union([z.number(), z.null()]) }), { either: 'x' }).message).toMatch(/^either: /);
  expect(refusal(z.object({ day: DateField }), []).message).toMatch(/^Request: /);
});

test('of two spellings the own one is read, unless it is null', () => {
  const schema = alias(z.object({ id: z.number().nullish() }), { invoiceid: 'id' });
  expect(decode(schema, { invoiceid: 7 })).toEqual({ id: 7 });
  expect(decode(schema, { INVOICEID: 7, ID: 3, id: 2 })).toEqual({ id: 2 });
  expect(decode(schema, { id: 0, invoiceid: 7 })).toEqual({ id: 0 });
  expect(decode(schema, { id: null, invoiceid: 7 })).toEqual({ id: 7 });
  expect(decode(schema, { invoiceid: 7, id: null })).toEqual({ id: 7 });
});

test('a long reply is encoded in steps as in one, its lines one by one', () => {
  const line = (amount: string) => ({
    lineItems: [{ itemText: amount, isCurrency: true, source: undefined }],
    inner: 1,
  });
  const reportLines = ['12.50', '13.00', '14.00'].map(line);
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
  const steps = encodeInSteps(ReportData, report);
  let taken = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) taken += 1;
  expect(step.value).toEqual(encode(ReportData, report));
  expect(step.value).toMatchObject({ reportSummaries: [{ amount: 39.5 }] });
  expect(JSON.stringify(step.value)).not.toContain('inner');
  expect(taken).toBeGreaterThan(reportLines.length);
});
