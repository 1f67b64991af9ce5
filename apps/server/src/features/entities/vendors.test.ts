import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entityCalls as calls } from '@evenkeel/contract/entities';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { makeInactive } from '../../testing/factories.ts';

/**
 * These tests cover only the behavior of vendors that differs from that of customers. customers.test.ts covers the
 * shared behavior.
 */

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const auth = () => ({ token: t.world.company.administrator.token });
const companyId = () => t.world.company.companyId;
const create = (name: string, more: Record<string, unknown> = {}) =>
  t.call(calls.createVendor, { ...auth(), body: { name, emailAddress: 'orders@supply.example', ...more } });

async function paged(query: Record<string, string>, token = auth().token) {
  const page = await t.call(calls.listVendors, { token, query: query as never });
  if (!('items' in page)) throw new Error('a bare list');
  return page;
}

async function listed(query: Record<string, string> = {}, token = auth().token) {
  return (await paged({ limit: '500', ...query }, token)).items;
}

/** Inserts an open bill and a payment with an unapplied amount, in the same way as the expenses code does. */
async function owe(vendorId: number, { side = 'payable', open = 0, credit = 0 }) {
  await t.inCompany(companyId(), async (tx) => {
    await tx.rows(sql`
      insert into document (company_id, kind, side, document_number, document_date, entity_id, status,
        control_account_id, sales_tax_cents, total_cents, open_cents, entry_date)
      values (${companyId()}, 'expense', ${side}, ${`${side}-${vendorId}`}, '2026-05-01', ${vendorId},
        2, 139, 0, ${open}, ${open}, '2026-05-01')`);
    await tx.rows(sql`
      insert into payment (company_id, side, payment_number, entity_id, payment_date, amount_cents, unapplied_cents,
        payment_account_id, gl_account_id, control_account_id, entry_date)
      values (${companyId()}, ${side}, ${`${side}-${vendorId}`}, ${vendorId}, '2026-05-02', ${credit}, ${credit}, 104,
        104, 139, '2026-05-02')`);
  });
}

describe('a vendor', () => {
  it('vendors and customers are separate records, and the endpoints for one kind do not affect the other', async () => {
    const vendor = await create('Greenline Supply', { dba: 'Greenline' });
    const customer = await t.call(calls.createCustomer, {
      ...auth(),
      body: { name: 'Fairlawn', emailAddress: 'office@fairlawn.example' },
    });
    const refusals = [
      await t.refused(calls.getCustomer, { ...auth(), params: { id: vendor.id } }),
      await t.refused(calls.deleteCustomer, { ...auth(), params: { id: vendor.id } }),
      await t.refused(calls.getVendor, { ...auth(), params: { id: customer.id } }),
      await t.refused(calls.updateVendor, { ...auth(), params: { id: customer.id }, body: { name: 'x' } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await listed()).map((row) => row.displayname)).toEqual(['Greenline Supply']);
    expect((await listed({ q: 'greenLINE' }))[0]).toMatchObject({ dba: 'Greenline', currentbalance: 0 });
  });

  it('a vendor without a name is rejected with a message about vendors', async () => {
    const refusal = await t.refused(calls.createVendor, { ...auth(), body: { emailAddress: 'a@b.example' } });
    expect(refusal).toMatchObject({ status: 422, fields: { name: 'Please enter a Vendor name' } });
  });

  it('a vendor with 310.00 in bills less 60.25 in credit is owed 249.75', async () => {
    const { id } = await create('Owed');
    await owe(id, { open: 31_000, credit: 6_025 });
    await owe(id, { side: 'receivable', open: 99_900 });
    expect((await t.call(calls.getVendor, { ...auth(), params: { id } })).currentbalance).toBe(24_975);
    expect((await listed({ q: 'owed' }))[0]?.currentbalance).toBe(24_975);
    expect((await listed({ q: 'owed' }, t.world.company.stranger.token))[0]).not.toHaveProperty('currentbalance');
    expect((await listed({ sort: 'currentbalance', desc: 'true' }))[0]?.displayname).toBe('Owed');
  });

  it('a vendor with a bill is made inactive instead of deleted, and can be made active again', async () => {
    const { id, rowVersion } = await create('Retired Tools');
    await owe(id, { open: 500 });
    expect((await t.refused(calls.deleteVendor, { ...auth(), params: { id } })).status).toBe(409);
    await makeInactive(t, t.world.company.companyId, id);
    expect(await listed({ q: 'retired' })).toEqual([]);
    expect(await listed({ q: 'retired', inactive: 'true' })).toMatchObject([{ id, deleted: true }]);
    const body = { deleted: false, rowVersion: rowVersion + 1 };
    expect(await t.call(calls.updateVendor, { ...auth(), params: { id }, body })).toMatchObject({
      name: 'Retired Tools',
      deleted: false,
      currentbalance: 500,
    });
    expect(await listed({ q: 'retired' })).toMatchObject([{ id }]);
  });

  it('each vendor appears once in pages of 2 sorted by DBA', async () => {
    for (const dba of ['b', 'A', '', 'c']) await create(`Dba ${dba}`, { dba: `pg ${dba}` });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', q: 'pg', sort: 'dba', ...(after === null ? {} : { after }) };
      const page: Awaited<ReturnType<typeof paged>> = await paged(query);
      seen.push(...page.items.map((row) => row.dba));
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(['pg', 'pg A', 'pg b', 'pg c']);
  });
});

describe('vendor terms', () => {
  it('vendor terms can be saved, cleared with null, or omitted, but terms of 1000 and −1 are rejected', async () => {
    const { id, termsDays } = await create('Terms', { termsDays: 45 });
    expect(termsDays).toBe(45);
    const save = (body: Record<string, unknown>) => t.call(calls.updateVendor, { ...auth(), params: { id }, body });
    expect((await save({ dba: 'T' })).termsDays).toBe(45);
    expect((await save({ termsDays: null })).termsDays).toBeNull();
    for (const wrong of [1000, -1]) {
      const refusal = await t.refused(calls.updateVendor, { ...auth(), params: { id }, body: { termsDays: wrong } });
      expect(refusal).toMatchObject({
        status: 422,
        fields: { termsDays: 'Please enter a number of days from 0 to 999' },
      });
    }
  });
});
