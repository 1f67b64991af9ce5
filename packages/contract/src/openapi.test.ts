import { expect, test } from 'vitest';
import * as z from 'zod';
import { endpoints } from './all.ts';
import { authCalls } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { DateField, IdText, maybe, Usd } from './fields.ts';
import { openApi, wireSchema } from './openapi.ts';

const example = endpoint({
  method: 'POST',
  path: '/customer/{id}/payment',
  needs: ['Manage Billing', 'Manage Customers'],
  summary: 'Takes a payment',
  params: z.object({ id: IdText }),
  body: z.object({ amount: Usd, date: maybe(DateField) }),
  reply: z.object({ amount: Usd }),
});

test('in requests and responses, money is a number in dollars and a date is a string', () => {
  const amount = { type: 'number', minimum: -100_000_000_000, maximum: 100_000_000_000 };
  expect(wireSchema(example.body)).toMatchObject({ properties: { amount, date: {} }, required: ['amount'] });
  expect(wireSchema(example.reply)).toMatchObject({ properties: { amount }, required: ['amount'] });
});

test('an operation declares its path parameters, its body, the headers for a write, and all errors', () => {
  const { paths } = openApi([example]);
  const operation = paths['/api/customer/{id}/payment']?.['post'];
  expect(operation).toMatchObject({
    summary: 'Takes a payment',
    operationId: 'postCustomerIdPayment',
    security: [{ bearer: [] }],
    'x-needs': ['Manage Billing', 'Manage Customers'],
    parameters: [
      { name: 'id', in: 'path', required: true },
      { name: 'Idempotency-Key', in: 'header', required: false },
      { name: 'Evenkeel-Rehearse', in: 'header', required: false },
    ],
  });
  expect(Object.keys(operation?.responses ?? {})).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '415',
    '422',
    '429',
    '503',
  ]);
});

test('signing out takes no Idempotency-Key and no body', () => {
  const operation = openApi([authCalls.logout]).paths['/api/logout']?.['post'];
  expect(operation?.parameters?.map((parameter) => parameter.name)).toEqual(['only']);
  expect(Object.keys(operation?.responses ?? {})).not.toContain('415');
});

test('the document for the whole contract is JSON, and operation names are unique', () => {
  const document = JSON.parse(JSON.stringify(openApi(endpoints))) as ReturnType<typeof openApi>;
  const names = Object.values(document.paths).flatMap((path) => Object.values(path).map((each) => each.operationId));
  expect(names.length).toBe(endpoints.length);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
