import { bankingCalls } from '@evenkeel/contract/banking';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { openingCalls } from '@evenkeel/contract/opening';
import { settingsCalls } from '@evenkeel/contract/settings';
import { OPENING_BALANCE_EQUITY } from '@evenkeel/core/books/accounts';
import { addDays } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { importFile, ofx } from '../../features/banking/testing/statement-files.ts';
import { todayIn } from '../../platform/clock.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
const today = todayIn('America/New_York');
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
});

const steps = async (token = company.administrator.token) =>
  (await t.call(dashboardCalls.getDashboard, { token, query: {} })).dashboard?.firstSteps ?? [];
/** Returns the steps by name, and the names of the completed steps. */
const done = async (token?: string) => (await steps(token)).filter((step) => step.done).map(({ key }) => key);
const names = async (token?: string) => (await steps(token)).map(({ key }) => key);
const dismiss = (dismissed: boolean, token = company.administrator.token) =>
  t.call(dashboardCalls.dismissFirstSteps, { token, body: { dismissed } });
const inCompany = (statement: ReturnType<typeof sql>) => t.inCompany(company.companyId, (tx) => tx.rows(statement));

const ALL = ['companyInfo', 'salesTax', 'moveIn', 'openingBalances', 'bank', 'invoice', 'colleagues'];

test('a new company has 7 first steps, and each is marked as complete when it is done in the books', async () => {
  const { administrator, companyId } = company;
  const { token } = administrator;
  // A test company has four users.
  expect([await names(), await done()]).toEqual([ALL, ['colleagues']]);

  const [address] = (await t.call(settingsCalls.getCompany, { token })).addresses;
  const params = { id: companyId };
  const addresses = [{ ...address, addressType: 1, address1: '12 Mill Road', city: 'Akron', stateId: 36 }];
  await t.call(settingsCalls.updateCompany, { token, params, body: { addresses } });
  expect(await done()).toEqual(['colleagues']);
  const bytes = await sharp({ create: { width: 24, height: 24, channels: 3, background: '#0b5d7a' } })
    .png()
    .toBuffer();
  const { documentId } = await upload(t, token, { name: 'logo.png', bytes });
  await t.call(settingsCalls.updateCompany, { token, params, body: { logo: { documentId } } });
  expect(await done()).toEqual(['companyInfo', 'colleagues']);

  const factory = factoryFor(t, company);
  await factory.tax();
  await factory.invoice({ customerId: await factory.customer(), arBillingStatus: 1 });
  const [bank] = await t.call(bankingCalls.listBankingAccounts, { token, query: {} });
  const named = { params: { id: bank?.bankingAccountID ?? 0 }, body: { accountNumber: '4471' } };
  await t.call(bankingCalls.updateBankingAccount, { token, ...named });
  const line = { description: 'Opening balance', amount: 900, postingDate: '2025-12-31' };
  const generalLedgerEntries = [
    { ...line, accountID: 101, debit: true },
    { ...line, accountID: OPENING_BALANCE_EQUITY, debit: false },
  ];
  const { transactionID } = await t.call(ledgerCalls.postTransaction, { token, body: { generalLedgerEntries } });
  expect(await done()).toEqual(ALL);

  // A reversed entry does not complete a step, even if the reversal is in another month.
  await t.call(ledgerCalls.reverseTransaction, {
    token,
    params: { transactionId: transactionID },
    body: { postingDate: '2026-02-01' },
  });
  expect(await done()).toEqual(ALL.filter((key) => key !== 'moveIn' && key !== 'openingBalances'));

  // Imported books complete both steps.
  await inCompany(sql`
    insert into move_in (company_id, system, status, created_by, created_by_name)
    values (${companyId}, 'Wave', 'imported', 1, 'Nora')`);
  expect(await done()).toEqual(ALL);
});

test('posted opening balances complete their own step, but not the step for the first invoice', async () => {
  const { token } = company.administrator;
  const entityId = await factoryFor(t, company).customer();
  const open = { entityId, number: '1038', date: '2025-11-14', unpaidAmount: 90, lineItems: [{ accountId: 140 }] };
  const lists = { invoices: [open], bills: [], customerCredits: [], vendorCredits: [] };
  const accounts = [{ accountId: 137, amount: -90 }];
  await t.call(openingCalls.postOpeningBalances, { token, body: { date: '2025-12-31', accounts, ...lists } });
  expect(await done()).toEqual(['moveIn', 'openingBalances', 'colleagues']);
});

test('a bookkeeper has 3 steps, a read-only user has none, and a step contains the ID of its record', async () => {
  const { bookkeeper, reader, companyId } = company;
  expect(await names(bookkeeper.token)).toEqual(['openingBalances', 'bank', 'invoice']);
  expect(await names(reader.token)).toEqual([]);
  const [scenario] = await t.call(settingsCalls.listSalesTax, { token: company.administrator.token });
  const ids = (await steps()).map(({ key, id }) => [key, id]);
  expect(ids.slice(0, 3)).toEqual([
    ['companyInfo', companyId],
    ['salesTax', scenario?.id],
    ['moveIn', null],
  ]);
});

test('dismissing the steps affects only one user, saves 1 row even from two tabs, and can be undone', async () => {
  const { bookkeeper } = company;
  await Promise.all([dismiss(true), dismiss(true)]);
  expect([await names(), await countRows(t, company.companyId, 'first_steps_dismissal')]).toEqual([[], 1]);
  expect(await names(bookkeeper.token)).toHaveLength(3);
  expect(await dismiss(false)).toEqual({ dismissed: false });
  await dismiss(false);
  expect(await names()).toEqual(ALL);
});

test('the demo company has no first steps', async () => {
  await inCompany(sql`update company set demo = true where company_id = ${company.companyId}`);
  expect(await names()).toEqual([]);
});

const waiting = async (token = company.administrator.token) =>
  (await t.call(dashboardCalls.getDashboard, { token, query: {} })).dashboard;

test('the number of bank transactions to review matches the cash card and requires View Banking', async () => {
  const bankAccountId = await checkingOf(t, company.companyId);
  const says = [
    { date: addDays(today, -1), amount: 8000, text: 'ACME' },
    { date: today, amount: -450, text: 'BLUE CUP' },
  ];
  await importFile(t, company.bookkeeper.token, { bankAccountId, bytes: ofx(says, { closing: 7550 }) });
  const seen = await waiting(company.reader.token);
  expect(seen?.waiting).toEqual([{ key: 'bankLines', count: seen?.cards.cashPositions?.reviewCount }]);
  await inCompany(sql`update banking_account set active = false where company_id = ${company.companyId}`);
  const after = await waiting(company.reader.token);
  expect([after?.waiting, after?.cards.cashPositions?.reviewCount]).toEqual([[], 0]);
});

test('emails and jobs that failed in the past week are shown to administrators by kind', async () => {
  const given = (kind: string, key: string, days: number, error: string | null) =>
    inCompany(sql`
      insert into job (company_id, kind, key, payload, done_at, last_error)
      values (${company.companyId}, ${kind}, ${key}, '{}', now() - make_interval(days => ${days}), ${error})`);
  await given('letter', 'a', 1, '550 no such user');
  await given('letter', 'b', 6, '550 no such user');
  await given('letter', 'c', 8, 'long ago');
  await given('sweep', 'd', 0, 'disk');
  await given('sweep', 'e', 0, null);
  expect((await waiting())?.waiting).toEqual([
    { key: 'emails', count: 2 },
    { key: 'jobs', count: 1 },
  ]);
  expect((await waiting(company.superuser.token))?.waiting).toEqual([]);
});
