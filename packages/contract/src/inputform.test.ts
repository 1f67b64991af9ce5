import { expect, test } from 'vitest';
import { endpoints } from './all.ts';
import { canRehearse } from './endpoint.ts';
import { expenseCalls } from './expenses.ts';
import { identityOf, inputFields, spelled } from './inputform.ts';
import { opensToKeys } from './keys.ts';
import { operationId } from './request.ts';

const bill = {
  params: {},
  body: {
    ID: 0,
    VendorID: 7,
    invoiceDate: '6/12/2026',
    postToVendorAccount: true,
    invoiceNumber: '4471',
    dueDate: null,
    unknown: 'ignored',
    lineItems: [
      { id: -1, description: 'Mulch', accountId: 153, lineItemAmount: 1148 },
      { id: -2, description: 'Gravel', accountId: 153, lineItemAmount: 2, creditLine: true },
    ],
  },
};

test('an input in any spelling gets the spelling of the contract, and unknown fields are dropped', () => {
  expect(spelled(expenseCalls.createExpense, bill)).toEqual({
    body: {
      id: 0,
      vendorId: 7,
      invoiceDate: '6/12/2026',
      postToVendorAccount: true,
      invoiceNumber: '4471',
      dueDate: null,
      lineItems: bill.body.lineItems,
    },
  });
});

test('each value has a field with the type and the place of its schema, and lines share their fields', () => {
  const fields = inputFields(expenseCalls.createExpense, spelled(expenseCalls.createExpense, bill));
  expect(fields.map(({ path, kind }) => [path, kind])).toEqual([
    ['body.id', 'fixed'],
    ['body.vendorId', 'id'],
    ['body.invoiceNumber', 'text'],
    ['body.invoiceDate', 'date'],
    ['body.postToVendorAccount', 'flag'],
    ['body.lineItems.#.id', 'id'],
    ['body.lineItems.#.description', 'text'],
    ['body.lineItems.#.lineItemAmount', 'money'],
    ['body.lineItems.#.accountId', 'id'],
    ['body.lineItems.#.creditLine', 'flag'],
  ]);
  expect(fields.find(({ path }) => path === 'body.invoiceNumber')?.maxLength).toBe(50);
});

test('the path, the query, and the ID and version of a record are fixed in every operation of agents', () => {
  const proposable = endpoints.filter((each) => opensToKeys(each) && canRehearse(each));
  const saves = proposable.filter(({ method, body, params }) => {
    return method === 'PUT' && params === undefined && body !== undefined && 'shape' in body;
  });
  const nameless: string[] = [];
  for (const endpoint of saves) {
    const keys = Object.keys((endpoint.body as unknown as { shape: object }).shape);
    // Opening balances are one record in each company.
    if (!keys.includes('rowVersion') || endpoint.path === '/openingbalances') continue;
    const fields = inputFields(endpoint, { params: { id: 7 }, body: Object.fromEntries(keys.map((key) => [key, 1])) });
    const fixed = fields.filter(({ kind }) => kind === 'fixed').map(({ path }) => path);
    expect(fixed).toEqual(expect.arrayContaining(['params.id', 'body.rowVersion']));
    if (!fixed.some((path) => /^body\.\w*id$/i.test(path))) nameless.push(operationId(endpoint));
  }
  expect(nameless).toEqual([]);
  expect(saves.length).toBeGreaterThan(10);
  for (const endpoint of proposable.filter(({ names }) => names !== undefined)) {
    const fields = inputFields(endpoint, { body: { [endpoint.names ?? '']: 5 } });
    expect(fields.map(({ kind }) => kind)).toEqual(['fixed']);
  }
});

test('inputs for another record have another identity, and other fields do not count', () => {
  const identity = (body: object, params = {}) => identityOf(expenseCalls.updateExpense, { params, body });
  expect(identity({ id: 7, rowVersion: 2, invoiceNumber: 'A' })).toBe(
    identity({ rowVersion: 2, invoiceNumber: 'B', id: 7 }),
  );
  expect(identity({ id: 7, rowVersion: 2 })).not.toBe(identity({ id: 8, rowVersion: 2 }));
  expect(identity({ id: 7, rowVersion: 2 })).not.toBe(identity({ id: 7, rowVersion: 3 }));
  expect(identity({ id: 7 }, { id: 1 })).not.toBe(identity({ id: 7 }, { id: 2 }));
});
