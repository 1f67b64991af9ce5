import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { bankingCalls as calls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { openBox } from '../../platform/db/box.ts';
import { runDueJobs } from '../../platform/db/jobs.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { upload } from '../../testing/files.ts';
import { testConfig } from '../../testing/settings.ts';
import { addPerson, type WorldCompany } from '../../testing/world.ts';
import { sealPlainNumbers } from './numbers.ts';
import { expectSound, reconcilerOf } from './testing/reconciling.ts';

let t: TestApp;
let company: WorldCompany;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  ({ token } = company.bookkeeper);
});

const SAVINGS = { name: 'Savings', accountNumber: '000123456789', routingNumber: '021000021', glAccountID: 102 };
const create = (body: object = SAVINGS) => t.call(calls.createBankingAccount, { token, body });
const update = (id: number, body: object) => t.call(calls.updateBankingAccount, { token, params: { id }, body });
const refusedUpdate = (id: number, body: object) =>
  t.refused(calls.updateBankingAccount, { token, params: { id }, body });
const names = async (query: { inactive?: 'true' } = {}) =>
  (await t.call(calls.listBankingAccounts, { token, query })).map(({ name }) => name);

/** Returns both columns in which an account number is stored. */
async function stored(id: number): Promise<{ plain: string; sealed: Buffer | null }> {
  return t.inCompany(company.companyId, (tx) =>
    tx.one(sql<{ plain: string; sealed: Buffer | null }>`
      select account_number as plain, account_number_box as sealed from banking_account
      where company_id = ${COMPANY} and id = ${id}`),
  );
}

describe('a bank account', () => {
  it('a bank account uses a free GL account, has a masked number, and can be saved by PUT and POST', async () => {
    const made = await create();
    expect(made).toMatchObject({
      name: 'Savings',
      accountNumber: '••••6789',
      isNumberLost: false,
      routingNumber: '021000021',
      glAccountID: 102,
      allowPayments: true,
      allowDeposits: true,
      creditCards: false,
      currentBalance: 0,
      lastReconciledDate: null,
      hasEntries: false,
      active: true,
      rowVersion: 1,
    });
    const id = made.bankingAccountID;
    const renamed = await update(id, { ...made, name: 'Reserve', allowPayments: false, rowVersion: 1 });
    expect(renamed).toMatchObject({ name: 'Reserve', allowPayments: false, accountNumber: '••••6789', rowVersion: 2 });
    const body = { bankingAccountID: id, name: 'Rainy Day', rowVersion: 2 };
    expect(await create(body)).toMatchObject({ bankingAccountID: id, name: 'Rainy Day', allowPayments: false });
    const read = await t.call(calls.getBankingAccount, { token, params: { id } });
    expect(read).toMatchObject({ name: 'Rainy Day', accountNumber: '••••6789', rowVersion: 3 });
    await expectSound(t, company);
  });

  it('a bank account that is marked as a credit card stays a credit card until it is unmarked', async () => {
    const made = await create({ ...SAVINGS, creditCards: true });
    expect(made).toMatchObject({ creditCards: true });
    const id = made.bankingAccountID;
    expect(await update(id, { name: 'Reserve' })).toMatchObject({ creditCards: true });
    expect(await t.call(calls.getBankingAccount, { token, params: { id } })).toMatchObject({ creditCards: true });
    expect(await update(id, { creditCards: false })).toMatchObject({ creditCards: false });
    expect(await update(id, { glAccountID: 122 })).toMatchObject({ creditCards: true });
    expect(await update(id, { creditCards: false })).toMatchObject({ creditCards: true });
    expect(await update(id, { glAccountID: 102 })).toMatchObject({ creditCards: false });
  });

  it('a bank account can use a card or cash account, and can have any routing number or none', async () => {
    expect(await create({ ...SAVINGS, glAccountID: 122, routingNumber: '' })).toMatchObject({ creditCards: true });
    const cash = { ...SAVINGS, glAccountID: 103, routingNumber: '123456789' };
    expect(await create(cash)).toMatchObject({ routingNumber: '123456789', creditCards: false });
  });

  const refusals: readonly [string, object, object][] = [
    ['without a name', { name: ' ' }, { name: 'Please enter a name' }],
    ['without a number', { accountNumber: '' }, { accountNumber: 'Please enter an Account number.' }],
    ['with letters in its number', { accountNumber: '12-34' }, { accountNumber: 'Please enter an Account number.' }],
    [
      'with letters in its routing number',
      { routingNumber: '12a' },
      { routingNumber: 'Please enter a Routing number.' },
    ],
    ['without a GL account', { glAccountID: 0 }, { glAccountID: 'Please Select an Account' }],
    [
      'on an income account',
      { glAccountID: 140 },
      { glAccountID: 'Please select an account of type Bank, Cash, or Credit Card' },
    ],
    ['on an account that does not exist', { glAccountID: 98_765 }, { glAccountID: 'Please Select an Account' }],
  ];
  it.each(refusals)('a bank account %s is rejected with a message for the field', async (_, given, fields) => {
    const refusal = await t.refused(calls.createBankingAccount, { token, body: { ...SAVINGS, ...given } });
    expect(refusal).toMatchObject({ status: 422, fields });
    const { bankingAccountID } = await create();
    expect(await refusedUpdate(bankingAccountID, given)).toMatchObject({ status: 422, fields });
  });

  it('the second of two bank accounts created for GL account 102 at the same time is rejected (409)', async () => {
    const ask = () => t.request({ ...requestOf(calls.createBankingAccount, { body: SAVINGS }), token });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const told = answers.find(({ status }) => status === 409);
    expect(told?.body).toMatchObject({ message: 'This GL account is already used by another bank account' });
    const taken = await t.refused(calls.createBankingAccount, { token, body: { ...SAVINGS, glAccountID: 101 } });
    expect(taken).toMatchObject({
      status: 409,
      fields: { glAccountID: 'This GL account is already used by another bank account' },
    });
  });

  describe('a bank account created with its GL account', () => {
    const RESERVE = { name: 'Tax Reserve', accountNumber: '7714', kind: 'Savings' };
    const opening = { openingBalance: 2500, openingDate: '2026-05-01' };
    const asAccountant = () => company.administrator.token;
    const createdBy = (who: string, body: object) => t.call(calls.createBankingAccount, { token: who, body });

    it('a new bank account posts its opening balance against Opening Balance Equity in one transaction', async () => {
      const account = await createdBy(asAccountant(), { ...RESERVE, ...opening });
      expect(account).toMatchObject({ name: 'Tax Reserve', currentBalance: 250_000, hasEntries: true });
      const accounts = await t.call(ledgerCalls.listAccounts, { token, query: {} });
      expect(accounts.find(({ customerAccountID }) => customerAccountID === account.glAccountID)).toMatchObject({
        name: 'Tax Reserve',
      });
      await expectSound(t, company);
    });

    it('a new card with money owed has a negative opening balance', async () => {
      const card = {
        ...RESERVE,
        name: 'Second Card',
        kind: 'Credit Card',
        openingBalance: -310,
        openingDate: '2026-05-01',
      };
      expect(await createdBy(asAccountant(), card)).toMatchObject({ creditCards: true, currentBalance: -31_000 });
    });

    it('a new bank account is rejected if its name is taken, it has no date, or the books are closed', async () => {
      const before = await names();
      const refused = (body: object) =>
        t.refused(calls.createBankingAccount, { token: asAccountant(), body: { ...RESERVE, ...body } });
      const taken = 'An account with this name already exists, account names must be unique.';
      expect(await refused({ name: 'checking' })).toMatchObject({ status: 409, fields: { name: taken } });
      expect(await refused({ openingBalance: 5 })).toMatchObject({
        status: 422,
        fields: { openingDate: 'Please enter the date of the opening balance' },
      });
      const closing = { settingName: 'closingDate', settingValue: '2026-06-30' };
      await t.call(settingsCalls.saveSettings, { token: asAccountant(), body: closing });
      expect(await refused(opening)).toMatchObject({ status: 422 });
      expect(await names()).toEqual(before);
    });

    it('a new GL account requires Manage Accounting, and an existing account accepts no opening balance', async () => {
      const { companyId } = company;
      await t.inCompany(companyId, (tx) =>
        tx.rows(sql`
          insert into role (company_id, role_name, permissions) values (${COMPANY}, 'Banker', '{Manage Banking}')`),
      );
      const banker = await addPerson(t.pool, { companyId, slug: 'banker', roleName: 'Banker', firstName: 'Bea' });
      const refusal = await t.refused(calls.createBankingAccount, { token: banker.token, body: RESERVE });
      expect(refusal.status).toBe(403);
      const { bankingAccountID } = await create();
      expect(await refusedUpdate(bankingAccountID, opening)).toMatchObject({ status: 422 });
    });

    it('two simultaneous requests with the same name create one account', async () => {
      const ask = () =>
        t.request({ ...requestOf(calls.createBankingAccount, { body: RESERVE }), token: asAccountant() });
      const answers = await Promise.all([ask(), ask()]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    });
  });

  it('a bank account can move to another GL account only before it has entries', async () => {
    const { bankingAccountID: id } = await create();
    expect(await update(id, { glAccountID: 122 })).toMatchObject({ glAccountID: 122, creditCards: true });
    await update(id, { glAccountID: 102 });
    await reconcilerOf(t, company).entry('2026-05-10', [102, 140], 5, 102);
    expect(await refusedUpdate(id, { glAccountID: 122 })).toMatchObject({
      status: 422,
      fields: { glAccountID: "You can't change the GL account of a bank account that has transactions" },
    });
    expect(await update(id, { name: 'Kept', glAccountID: 102 })).toMatchObject({ name: 'Kept', hasEntries: true });
  });

  it('if two users edit a bank account at the same time, the second user gets 409', async () => {
    const { bankingAccountID: id } = await create();
    await update(id, { name: 'First', rowVersion: 1 });
    expect(await refusedUpdate(id, { name: 'Second', rowVersion: 1 })).toMatchObject({
      status: 409,
      code: 'stale',
      current: { name: 'First', accountNumber: '••••6789' },
    });
  });

  it('a bank account with entries is made inactive instead of deleted, and can be made active again', async () => {
    const gone = await create();
    await t.call(calls.deleteBankingAccount, { token, params: { id: gone.bankingAccountID } });
    const params = { id: gone.bankingAccountID };
    expect((await t.refused(calls.getBankingAccount, { token, params })).status).toBe(404);
    const kept = await create();
    await reconcilerOf(t, company).entry('2026-05-10', [102, 140], 5, 102);
    await t.call(calls.deleteBankingAccount, { token, params: { id: kept.bankingAccountID } });
    expect(await names()).toEqual(['Checking']);
    expect(await names({ inactive: 'true' })).toEqual(['Checking', 'Savings']);
    expect(await t.call(calls.reconciledAccounts, { token })).toHaveLength(1);
    expect(await update(kept.bankingAccountID, { active: true })).toMatchObject({ active: true });
    expect(await names()).toEqual(['Checking', 'Savings']);
  });

  it('a bank account stores files, returns them, and removes them when it is deleted', async () => {
    const { documentId } = await upload(t, token, { name: 'signature-card.pdf' });
    const made = await create({ ...SAVINGS, documentLinks: [{ documentId }] });
    expect(made.documentLinks).toMatchObject([{ documentId, documentName: 'signature-card.pdf' }]);
    const read = await t.call(calls.getBankingAccount, { token, params: { id: made.bankingAccountID } });
    expect(read.documentLinks).toEqual(made.documentLinks);
    const file = { params: { documentId }, token: company.stranger.token };
    expect((await t.refused(attachmentCalls.getDocument, file)).status).toBe(403);
    const [link] = made.documentLinks;
    const without = await update(made.bankingAccountID, { documentLinks: [{ id: link?.id, deleted: true }] });
    expect(without.documentLinks).toEqual([]);
  });
});

describe('an account number', () => {
  it('account number 000123456789 is encrypted in the database and shown as ••••6789 in responses', async () => {
    const { bankingAccountID: id } = await create();
    const { plain, sealed } = await stored(id);
    expect(plain).toBe('');
    expect(sealed?.includes('000123456789')).toBe(false);
    const rows = await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql<{ text: string }>`
        select a::text as text from audit_log a where company_id = ${COMPANY} and subject_type = 'bankingaccount'`),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).toContain('••••6789');
    expect(rows[0]?.text).not.toContain('000123456789');
  });

  it('an account number is kept if it is masked or omitted, and changes if a new one is sent', async () => {
    const { bankingAccountID: id } = await create();
    const before = await stored(id);
    await update(id, { accountNumber: '••••6789' });
    await update(id, { name: 'Other' });
    expect(await stored(id)).toEqual(before);
    expect(await update(id, { accountNumber: '4471' })).toMatchObject({ accountNumber: '4471' });
    expect((await stored(id)).sealed?.equals(before.sealed ?? Buffer.of())).toBe(false);
    expect(await refusedUpdate(id, { accountNumber: '••••6789' })).toMatchObject({ status: 422 });
  });

  it('an account number encrypted with another key must be entered again, but everything else works', async () => {
    const { bankingAccountID: id } = await create();
    const other = openBox(testConfig({ secretKey: Buffer.alloc(32, 1) }));
    const place = { companyId: company.companyId, table: 'banking_account', column: 'account_number_box', rowId: id };
    const sealed = other.seal(place, '000123456789');
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(
        sql`update banking_account set account_number_box = ${sealed} where company_id = ${COMPANY} and id = ${id}`,
      ),
    );
    const params = { id };
    const lost = await t.call(calls.getBankingAccount, { token, params });
    expect(lost).toMatchObject({ accountNumber: '', isNumberLost: true, name: 'Savings', currentBalance: 0 });
    expect(await update(id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', isNumberLost: true });
    expect(await refusedUpdate(id, { accountNumber: '' })).toMatchObject({ status: 422 });
    expect(await update(id, { accountNumber: '000123456789' })).toMatchObject({
      accountNumber: '••••6789',
      isNumberLost: false,
    });
  });

  it('a plain-text account number from an earlier version is masked immediately and encrypted by a job', async () => {
    const id = await t.inCompany(company.companyId, async (tx) => {
      const row = await tx.one(sql<{ id: number }>`
        insert into banking_account (company_id, name, account_number, gl_account_id)
        values (${COMPANY}, 'Old', '000123456789', 102) returning id`);
      await tx.rows(
        sql`insert into job (company_id, kind, key, payload) values (${COMPANY}, 'numbers', 'numbers', '{}')`,
      );
      return row.id;
    });
    expect(await t.call(calls.getBankingAccount, { token, params: { id } })).toMatchObject({
      accountNumber: '••••6789',
    });
    await runDueJobs(t.pool, { numbers: sealPlainNumbers(t.services.box) }, (_, error) => {
      throw error;
    });
    expect(await stored(id)).toMatchObject({ plain: '', sealed: expect.any(Buffer) });
    expect(await t.call(calls.getBankingAccount, { token, params: { id } })).toMatchObject({
      accountNumber: '••••6789',
    });
    await expectSound(t, company);
  });
});
