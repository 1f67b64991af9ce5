import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankingCalls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reconciliationCalls as calls } from '@evenkeel/contract/reconciliation';
import { startTestApp, type TestApp } from '../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const auth = () => ({ token: t.world.company.bookkeeper.token });

async function post(postingDate: string, accounts: [debit: number, credit: number], amount: number) {
  const generalLedgerEntries = accounts.map((accountID, index) => {
    return { accountID, debit: index === 0, amount, description: 'Test', postingDate };
  });
  return t.call(ledgerCalls.postTransaction, { ...auth(), body: { transactionID: 0, generalLedgerEntries } });
}

describe('reconciling', () => {
  it('works', async () => {
    await post('2026-05-10', [101, 140], 1000);
    await post('2026-05-20', [160, 101], 300);
    const [checking] = await t.call(bankingCalls.listBankingAccounts, { ...auth(), query: {} });
    const open = await t.call(calls.unreconciledEntries, { ...auth(), params: { glAccountId: 101 }, query: {} });
    expect(open.incomingEntries).toHaveLength(1);
    const body = {
      ...open,
      incomingEntries: open.incomingEntries.map(({ glid }) => ({ glid })),
      outgoingEntries: open.outgoingEntries.map(({ glid }) => glid),
      accountID: 101,
      bankAccountID: checking?.bankingAccountID,
      statementDate: '2026-05-31',
      statementBalance: 691,
      bankCharge: 10,
      bankChargeAccountID: 151,
      interest: 1,
      interestAccountID: 176,
    };
    const made = await t.call(calls.createReconciliation, { ...auth(), body });
    console.log(made);
    const report = await t.call(calls.reconciliationReport, { ...auth(), params: { id: made.reconciliationID } });
    console.log(JSON.stringify(report, undefined, 1).slice(0, 3000));
    await t.call(calls.deleteReconciliation, { ...auth(), params: { id: made.reconciliationID }, query: {} });
    console.log(
      await t.call(calls.getReconciliationProgress, {
        ...auth(),
        params: { bankAccountId: checking?.bankingAccountID ?? 0 },
      }),
    );
  });
});
