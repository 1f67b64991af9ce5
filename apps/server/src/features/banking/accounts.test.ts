import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankingCalls as calls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { addDays, addMonths, type IsoDate } from '@evenkeel/core/dates';
import { todayIn } from '../../platform/clock.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const companyId = () => t.world.company.companyId;
const auth = () => ({ token: t.world.company.bookkeeper.token });

/** Posts a journal entry in dollars: a debit to the first account and a credit to the second. */
async function post(postingDate: IsoDate, accounts: [debit: number, credit: number], amount: number) {
  const generalLedgerEntries = accounts.map((accountID, index) => {
    return { accountID, debit: index === 0, amount, description: 'Test', postingDate };
  });
  await t.call(ledgerCalls.postTransaction, { ...auth(), body: { transactionID: 0, generalLedgerEntries } });
}

describe('bank accounts', () => {
  it('a new company has Checking on account 101, with a balance of 0.00 and no reconciliation', async () => {
    const [checking, ...more] = await t.call(calls.listBankingAccounts, {
      token: t.world.other.bookkeeper.token,
      query: {},
    });
    expect(more).toEqual([]);
    expect(checking).toMatchObject({
      name: 'Checking',
      glAccountID: 101,
      creditCards: false,
      allowPayments: true,
      currentBalance: 0,
      lastReconciledDate: null,
      lastReconciledBalance: 0,
    });
  });

  it("a bank account's balance is 1,250.25 as of today and excludes tomorrow's 99.00", async () => {
    const today = todayIn('America/New_York');
    await post(addMonths(today, -3), [101, 140], 1000);
    await post(today, [101, 140], 250.25);
    await post(addDays(today, 1), [101, 140], 99);
    const [checking] = await t.call(calls.listBankingAccounts, { ...auth(), query: {} });
    expect(checking?.currentBalance).toBe(125_025);
    const params = { id: checking?.bankingAccountID ?? 0 };
    expect(await t.call(calls.getBankingAccount, { ...auth(), params })).toEqual(checking);
  });

  it('a credit card with 310.00 owed has a balance of -310.00', async () => {
    const row = await t.inCompany(companyId(), (tx) =>
      tx.row(sql<{ id: number }>`
        insert into banking_account (company_id, name, account_number, gl_account_id)
        values (${companyId()}, 'Card', '4471', 122) returning id`),
    );
    await post(todayIn('America/New_York'), [151, 122], 310);
    const card = await t.call(calls.getBankingAccount, { ...auth(), params: { id: row?.id ?? 0 } });
    expect(card).toMatchObject({ creditCards: true, currentBalance: -31_000, accountNumber: '4471' });
    const theirs = { token: t.world.other.bookkeeper.token, params: { id: row?.id ?? 0 } };
    expect((await t.refused(calls.getBankingAccount, theirs)).status).toBe(404);
  });

  it('users without View Banking see the names of bank accounts but no numbers or balances', async () => {
    const { token } = t.world.company.stranger;
    const accounts = await t.call(calls.listBankingAccounts, { token, query: {} });
    expect(accounts.map((account) => account.name)).toEqual(['Card', 'Checking']);
    for (const account of accounts) {
      expect(account.accountNumber).toBe('');
      expect(account).not.toHaveProperty('currentBalance');
      expect(account).not.toHaveProperty('lastReconciledBalance');
    }
    const params = { id: accounts[0]?.bankingAccountID ?? 0 };
    expect((await t.refused(calls.getBankingAccount, { token, params })).status).toBe(403);
  });

  it("the available GL accounts are the unused money accounts and the bank account's current account", async () => {
    const ids = async (inUse: number) =>
      (await t.call(calls.availableGlAccounts, { ...auth(), params: { accountIdInUse: inUse } })).map(
        (account) => account.customerAccountID,
      );
    const free = await ids(0);
    const params = { accountIdInUse: 0 };
    const [first] = await t.call(calls.availableGlAccounts, { ...auth(), params });
    const picked = await t.call(ledgerCalls.listAccounts, { ...auth(), query: {} });
    expect(picked.find((one) => one.customerAccountID === first?.customerAccountID)).toEqual(first);
    expect(free).toContain(102);
    expect(free).not.toContain(101);
    expect(free).not.toContain(122);
    expect(free).not.toContain(138);
    expect(await ids(101)).toEqual([...free, 101].toSorted((a, b) => a - b));
    expect(await ids(138)).toEqual(free);
  });

  it('the payment types are Cash, Check, Credit Card, ACH, Wire, and Other', async () => {
    const types = await t.call(calls.listPaymentTypes, { ...auth(), query: {} });
    expect(types.map((type) => type.displayName)).toEqual(['Cash', 'Check', 'Credit Card', 'ACH', 'Wire', 'Other']);
  });
});
