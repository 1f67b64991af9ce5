import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { billingCalls } from '@evenkeel/contract/billing';
import { type EntityRow, entityCalls } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let [viewer, biller]: Person[] = [];
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  viewer = await personWho('View Billing');
  biller = await personWho('Manage Billing');
});
afterAll(() => t.close());

async function personWho(permission: string): Promise<Person> {
  const { token } = company.administrator;
  await t.call(authCalls.createRole, { token, body: { id: 0, roleName: permission, roleProperties: [permission] } });
  return t.signIn(company, permission);
}

async function listed(person: Person | undefined, query = {}): Promise<readonly EntityRow[]> {
  const reply = await t.call(entityCalls.listCustomers, { token: person?.token ?? '', query });
  return 'items' in reply ? reply.items : reply;
}

it('a user with only View Billing can read an invoice PDF', async () => {
  const factory = factoryFor(t, company);
  const { id } = await factory.invoice({ customerId: await factory.customer() });
  const bytes = await t.call(billingCalls.viewInvoice, { token: viewer?.token ?? '', params: { id } });
  expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe('%PDF-');
  const stranger = await t.refused(billingCalls.viewInvoice, { token: company.stranger.token, params: { id } });
  expect(stranger.status).toBe(403);
});

describe('the customer list', () => {
  it('the customer list shows the tax exemption and scenario to a billing user without View Customers', async () => {
    const { token } = company.administrator;
    const scenario = { label: 'Kent', glAccountId: 123, filingFrequency: 0 };
    const item = { id: 0, label: 'City', salesTaxType: 1, percentage: 2 };
    const { id: salesTaxScenarioId } = await t.call(settingsCalls.createSalesTax, {
      token,
      body: { ...scenario, salesTaxItems: [item] },
    });
    const create = async (name: string, more: object) => {
      const body = { name, emailAddress: 'office@kent.example', ...more };
      return (await t.call(entityCalls.createCustomer, { token, body })).id;
    };
    const exempt = await create('Church', { taxExempt: true });
    const own = await create('Kent Mill', { salesTaxScenarioId });
    const refusal = await t.refused(entityCalls.getCustomer, { token: biller?.token ?? '', params: { id: exempt } });
    expect(refusal.status).toBe(403);
    for (const rows of [await listed(biller), await listed(biller, { limit: '50' })]) {
      expect(rows.find((row) => row.id === exempt)).toMatchObject({ taxExempt: true, salesTaxScenarioId: null });
      expect(rows.find((row) => row.id === own)).toMatchObject({ taxExempt: false, salesTaxScenarioId });
      expect(rows.some((row) => 'currentbalance' in row)).toBe(false);
    }
  });

  it('users in other roles see only names and contact details in the customer list', async () => {
    const [row] = await listed(company.stranger);
    expect(Object.keys(row ?? {}).toSorted()).toEqual([
      'dba',
      'displayname',
      'emailAddress',
      'id',
      'primaryContactPhone',
    ]);
  });
});
