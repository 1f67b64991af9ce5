import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { masterAccounts } from '@evenkeel/core/books/accounts';
import { installation } from '../../platform/db/tx.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { createCompany } from './company.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const administrator = {
  email: 'new@company.example',
  firstName: 'New',
  lastName: 'Owner',
  passwordHash: 'none',
  isVerified: true,
  termsVersion: null,
};

const memberships = async (): Promise<number> => {
  const [row] = await installation(t.pool, sql<{ count: number }>`select count(*)::int as count from membership`);
  return row?.count ?? 0;
};

test.each([
  ['a blank name', { displayname: '' }, 'Please enter a Company name'],
  ['an unknown time zone', { timeZone: 'Atlantis/Center' }, "The time zone Atlantis/Center doesn't exist"],
  [
    'an address that already has an account',
    { administrator: { ...administrator, email: 'Ada@harbor-supply.example' } },
    'A user with this email address already exists',
  ],
])('a company with %s is rejected, and nothing is saved', async (_, change, message) => {
  const before = await memberships();
  await expect(createCompany(t.pool, { displayname: 'X', administrator, ...change })).rejects.toThrow(message);
  expect(await memberships()).toBe(before);
});

test('a new company has the full default chart, receivables in 138, payables in 139, and no entries', async () => {
  const { companyId, email } = await createCompany(t.pool, { displayname: 'Chart Co', administrator });
  expect(email).toBe('new@company.example');
  const counts = await Promise.all(
    ['account', 'setting', 'role', 'payment_type', 'banking_account', 'ledger_head', 'journal_line'].map((table) =>
      countRows(t, companyId, table),
    ),
  );
  expect(counts).toEqual([masterAccounts.length, 11, 4, 6, 1, 1, 0]);
  const types = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ id: number; type: string; category: string }>`
      select a.id, a.account_type as type, c.category_name as category
      from account a join account_category c on c.company_id = a.company_id and c.id = a.category_id
      where a.company_id = ${companyId} and a.id in (101, 138, 139) order by a.id`),
  );
  expect(types).toEqual([
    { id: 101, type: 'Bank', category: 'Current Assets' },
    { id: 138, type: 'Accounts Receivable', category: 'Current Assets' },
    { id: 139, type: 'Accounts Payable', category: 'Current Liabilities' },
  ]);
});

test('a new company has Checking on 101, a sales tax scenario on 123, and no sales tax items', async () => {
  const { companyId } = t.world.company;
  const row = await t.inCompany(companyId, (tx) =>
    tx.row(sql<{ bank: string; gl: number; tax: number; items: number }>`
      select b.name as bank, b.gl_account_id as gl, s.gl_account_id as tax,
        (select count(*)::int from sales_tax_item i where i.company_id = ${companyId}) as items
      from banking_account b, sales_tax_scenario s
      where b.company_id = ${companyId} and s.company_id = ${companyId}`),
  );
  expect(row).toEqual({ bank: 'Checking', gl: 101, tax: 123, items: 0 });
});
