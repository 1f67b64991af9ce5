import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { taxRuleCalls as calls } from '@evenkeel/contract/taxrules';
import { includedLaw } from '@evenkeel/core/taxes/law.data';
import { startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const auth = () => ({ token: t.world.company.administrator.token });
const discount = (change: Record<string, unknown> = {}) => ({
  state: 'TX',
  from: '2026-07-01',
  value: { topic: 'discount' as const, percent: 1 },
  source: 'Letter from the Comptroller of 05/04/2026',
  ...change,
});
const list = () => t.call(calls.listTaxRules, auth());
const ownOf = async () => (await list()).filter(({ isOwn }) => isOwn);

describe('tax rules', () => {
  it('the included tax rules are listed with their sources', async () => {
    const rules = await list();
    expect(rules).toHaveLength(includedLaw.length);
    expect(rules.find(({ state, topic }) => state === 'WA' && topic === 'rounding')).toMatchObject({
      id: 0,
      isOwn: false,
      value: { rounding: 'combined', percent: null },
      source: 'RCW 82.08.054',
    });
  });

  it("a company's rule can be created, changed, and deleted, and ends the day before the next one starts", async () => {
    const made = await t.call(calls.createTaxRule, { ...auth(), body: discount() });
    expect(made).toMatchObject({ state: 'TX', isOwn: true, to: null, changedBy: 'Ada Admin' });
    expect(Number(made.value?.percent)).toBe(1);
    const later = await t.call(calls.createTaxRule, { ...auth(), body: discount({ from: '2027-01-01' }) });
    expect((await ownOf()).map(({ from, to }) => [from, to])).toEqual([
      ['2027-01-01', null],
      ['2026-07-01', '2026-12-31'],
    ]);
    const params = { id: made.id };
    const body = discount({ value: { topic: 'discount', percent: 2, most: 100 }, rowVersion: made.rowVersion });
    const saved = await t.call(calls.updateTaxRule, { ...auth(), params, body });
    expect(saved).toMatchObject({ value: { most: 10_000 }, rowVersion: made.rowVersion + 1 });
    expect(await t.refused(calls.updateTaxRule, { ...auth(), params, body })).toMatchObject({ code: 'stale' });
    await t.call(calls.deleteTaxRule, { ...auth(), params });
    await t.call(calls.deleteTaxRule, { ...auth(), params: { id: later.id } });
    expect(await ownOf()).toEqual([]);
    expect((await t.refused(calls.deleteTaxRule, { ...auth(), params })).status).toBe(404);
  });

  it('a second tax rule with the same start date, and a rule without a source, are rejected', async () => {
    const { id } = await t.call(calls.createTaxRule, { ...auth(), body: discount({ state: 'NY', forFrequency: 2 }) });
    const twice = await t.refused(calls.createTaxRule, { ...auth(), body: discount({ state: 'NY', forFrequency: 2 }) });
    expect(twice).toMatchObject({ status: 409, message: /already have a rule/ });
    const refusal = await t.refused(calls.createTaxRule, {
      ...auth(),
      body: discount({ source: ' ', value: { topic: 'due', day: 40 } }),
    });
    expect(refusal).toMatchObject({
      status: 422,
      fields: { source: expect.any(String), 'value.day': 'Please enter a day from 1 to 31' },
    });
    await t.call(calls.deleteTaxRule, { ...auth(), params: { id } });
  });

  it("a company's own 1099 threshold applies only to its box, starting with its first year", async () => {
    const own = (change: Record<string, unknown> = {}) => ({
      ...auth(),
      body: {
        state: 'US',
        forForm: 'nec1' as const,
        from: '2027-01-01',
        value: { topic: 'threshold' as const, threshold: 2100 },
        source: 'Rev. Proc. 2026-40',
        ...change,
      },
    });
    const made = await t.call(calls.createTaxRule, own());
    expect(made).toMatchObject({ state: 'US', forForm: 'nec1', isOwn: true, to: null, value: { threshold: 210_000 } });
    const other = await t.call(calls.createTaxRule, own({ forForm: 'misc1' }));
    expect((await ownOf()).map(({ forForm, to }) => [forForm, to])).toEqual([
      ['misc1', null],
      ['nec1', null],
    ]);
    expect(await t.refused(calls.createTaxRule, own())).toMatchObject({ status: 409, message: /already have a rule/ });
    expect(await t.refused(calls.createTaxRule, own({ forForm: null, from: '2028-07-01' }))).toMatchObject({
      status: 422,
      fields: { forForm: 'Please select a box', from: expect.stringContaining('January 1') },
    });
    for (const { id } of [made, other]) await t.call(calls.deleteTaxRule, { ...auth(), params: { id } });
  });

  it("another company can't read or change a company's tax rules", async () => {
    const { id } = await t.call(calls.createTaxRule, { ...auth(), body: discount({ state: 'FL' }) });
    const token = t.world.other.administrator.token;
    expect((await t.call(calls.listTaxRules, { token })).some(({ isOwn }) => isOwn)).toBe(false);
    const asked = { token, params: { id } };
    expect((await t.refused(calls.updateTaxRule, { ...asked, body: discount() })).status).toBe(404);
    expect((await t.refused(calls.deleteTaxRule, asked)).status).toBe(404);
    expect(await ownOf()).toHaveLength(1);
  });
});
