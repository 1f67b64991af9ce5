import { expect, test } from 'vitest';
import * as z from 'zod';
import { Failure } from '@evenkeel/core/failure';
import { authCalls } from './auth.ts';
import { BillingInvoiceInput, BillingPaymentInput } from './billing.ts';
import { DateField } from './fields.ts';
import { alias, decode } from './wire.ts';

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
