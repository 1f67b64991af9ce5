import { expect, it } from 'vitest';
import { askedCustomer } from './openCustomer.ts';

it('an address that names no customer opens none', () => {
  expect(askedCustomer({}, null).id).toBeUndefined();
  expect(askedCustomer({ customerId: 'abc' }, { customerId: -4 }).id).toBeUndefined();
  expect(askedCustomer({ customerId: '0' }, undefined).id).toBeUndefined();
});

it('/customers/12 opens customer 12 with Back, /customers/12/true without', () => {
  expect(askedCustomer({ customerId: '12' }, null)).toEqual({ id: 12, isFromSearch: false, isFromHere: false });
  expect(askedCustomer({ customerId: '12', fromsearch: 'true' }, null).isFromSearch).toBe(true);
  expect(askedCustomer({ customerId: '12', fromsearch: 'false' }, null).isFromSearch).toBe(false);
});

it('the navigation state names a customer and where it came from', () => {
  expect(askedCustomer({}, { customerId: 7 })).toEqual({ id: 7, isFromSearch: false, isFromHere: false });
  expect(askedCustomer({}, { customerId: 7, fromsearch: true }).isFromSearch).toBe(true);
  expect(askedCustomer({ customerId: '7' }, { fromList: true }).isFromHere).toBe(true);
});
