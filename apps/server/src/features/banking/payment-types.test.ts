import { afterAll, beforeAll, expect, it } from 'vitest';
import { bankingCalls as calls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const auth = () => ({ token: t.world.company.administrator.token });
const names = async (inactive = 'false') =>
  (await t.call(calls.listPaymentTypes, { ...auth(), query: { inactive } as never })).map((each) => each.displayName);
const SIX = ['Cash', 'Check', 'Credit Card', 'ACH', 'Wire', 'Other'];

it("a company adds Venmo once, after the six initial payment types, and other companies don't see it", async () => {
  const made = await t.call(calls.createPaymentType, { ...auth(), body: { displayName: 'Venmo' } });
  expect(made).toMatchObject({ displayName: 'Venmo', active: true });
  expect(await names()).toEqual([...SIX, 'Venmo']);
  for (const displayName of ['VENMO', 'cash']) {
    const refusal = await t.refused(calls.createPaymentType, { ...auth(), body: { displayName } });
    expect(refusal).toMatchObject({
      status: 409,
      fields: { displayName: 'A payment type with this name already exists' },
    });
  }
  const { token } = t.world.other.administrator;
  const theirs = await t.call(calls.listPaymentTypes, { token, query: {} });
  expect(theirs.map((each) => each.displayName)).toEqual(SIX);
  expect((await t.call(calls.createPaymentType, { token, body: { displayName: 'Venmo' } })).displayName).toBe('Venmo');
});

it('deleting a payment type makes it inactive if a payment uses it, and removes it otherwise', async () => {
  const used = await t.call(calls.createPaymentType, { ...auth(), body: { displayName: 'Zelle' } });
  const unused = await t.call(calls.createPaymentType, { ...auth(), body: { displayName: 'Cheque' } });
  const make = factoryFor(t, t.world.company);
  const customerId = await make.customer();
  const payment = await make.payment({ customerId, paymentAmount: 10, paymentTypeId: used.id });
  for (const { id } of [used, unused]) await t.call(calls.deletePaymentType, { ...auth(), params: { id } });
  expect(await names('true')).toContain('Zelle');
  expect(await names('true')).not.toContain('Cheque');
  expect(await names()).not.toContain('Zelle');
  const { id, bankAccountId, paymentDate } = payment;
  const body = { id, customerId, bankAccountId, paymentDate, paymentAmount: 12, paymentTypeId: used.id };
  const edited = await t.call(billingCalls.updatePayment, { token: make.token, body });
  expect([edited.paymentAmount, edited.paymentTypeId]).toEqual([1200, used.id]);
  const refusal = await t.refused(billingCalls.createPayment, { token: make.token, body: { ...body, id: 0 } });
  expect(refusal.fields?.['paymentTypeId']).toContain('is inactive. Make it active, or select another one');
  const back = { active: true, displayName: 'Zelle Pay' };
  await t.call(calls.updatePaymentType, { ...auth(), params: { id: used.id }, body: back });
  expect(await names()).toContain('Zelle Pay');
});
