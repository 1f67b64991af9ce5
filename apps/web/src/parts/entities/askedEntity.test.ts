import { expect, it } from 'vitest';
import { askedEntity } from './EntityScreen.tsx';

it.each([
  [{ customerId: '12' }, null, { customer: 12, from: undefined }],
  [{ customerId: '12', fromsearch: 'true' }, null, { customer: 12, from: undefined }],
  [{}, { customerId: 12 }, { customer: 12, from: 'screen' }],
  [{}, { customerId: 12, fromsearch: true }, { customer: 12, from: undefined }],
  [{}, { customerId: 12, fromsearch: false }, { customer: 12, from: 'screen' }],
  [{ customerId: 'x' }, null, { customer: 'x', from: undefined }],
  [{ customerId: '0' }, null, { customer: '0', from: undefined }],
  [{}, { customerId: -3 }, undefined],
  [{}, { vendorId: 12 }, undefined],
  [{}, null, undefined],
])('route %j with state %j opens %j', (route, state, asked) => {
  expect(askedEntity('customer', route, state)).toEqual(asked);
});

it('vendors use their own parameter names', () => {
  expect(askedEntity('vendor', {}, { vendorId: 7 })).toEqual({ vendor: 7, from: 'screen' });
});
