import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { bankingCalls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reconciliationCalls as calls } from '@evenkeel/contract/reconciliation';
import { settingsCalls } from '@evenkeel/contract/settings';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { upload } from '../../testing/files.ts';
import { TEXTBOOKS } from '../../testing/textbooks.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { BANK_CHARGES, expectSound, INTEREST_INCOME, type Reconciler, reconcilerOf } from './testing/reconciling.ts';

let t: TestApp;
let company: WorldCompany;
let books: Reconciler;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  books = reconcilerOf(t, company);
});

const SALES = 140;
const COSTS = 160;

/** Posts entries: positive amounts are money in, negative amounts are money out. Returns the glids. */
async function entries(date: string, amounts: readonly number[]): Promise<number[]> {
  const glids: number[] = [];
  for (const amount of amounts) {
    const accounts: [number, number] = amount > 0 ? [101, SALES] : [COSTS, 101];
    glids.push((await books.entry(date, accounts, Math.abs(amount))).glid);
  }
  return glids;
}

const balance = async () => (await t.call(bankingCalls.reconciledAccounts, { token: books.token }))[0];

describe('a textbook bank statement reconciles to the cent', () => {
  test.each(TEXTBOOKS)('a statement of $statement reconciles to $adjusted in the books: $source', async (book) => {
    const known = await entries('2026-01-05', [book.opening, ...book.cleared]);
    await entries('2026-01-30', book.outstanding);
    expect(await balance()).toMatchObject({ currentBalance: Math.round(book.books * 100) });
    const proved = [...known, ...(await entries('2026-01-31', book.notices))];
    const made = await books.reconcile({
      entries: proved,
      statementDate: '2026-01-31',
      statementBalance: book.statement,
      bankCharge: book.charge,
      bankChargeAccountID: BANK_CHARGES,
      interest: book.interest,
      interestAccountID: INTEREST_INCOME,
    });
    expect(made).toMatchObject({ statementBalance: Math.round(book.statement * 100), isDeletable: true });
    expect(await balance()).toMatchObject({
      currentBalance: Math.round(book.adjusted * 100),
      lastReconciledDate: '2026-01-31',
      lastReconciledBalance: Math.round(book.statement * 100),
    });
    const open = await books.open();
    expect([...open.incomingEntries, ...open.outgoingEntries]).toHaveLength(book.outstanding.length);
    await expectSound(t, company);
  });
});

describe('the cleared filter of a register', () => {
  it('a register filter returns only cleared or only uncleared entries, in pages, with account balances', async () => {
    const [first = 0, , third = 0] = await entries('2026-05-10', [1000, -300, 50]);
    await books.reconcile({ entries: [first, third], statementDate: '2026-05-31', statementBalance: 1050 });
    await entries('2026-06-01', [20, 7]);
    const { token } = books;
    const params = { customerAccountId: 101 };
    const rows = async (query: object) => {
      const answer = await t.call(ledgerCalls.accountEntries, { token, params, query });
      return Array.isArray(answer) ? answer : answer.items;
    };
    const shown = async (query: object) => (await rows(query)).map(({ glid, balance: after }) => [glid, after]);
    expect(await shown({ cleared: 'true' })).toEqual([
      [first, 100_000],
      [third, 75_000],
    ]);
    expect((await rows({ cleared: 'false' })).map(({ balance: after }) => after)).toEqual([70_000, 77_000, 77_700]);
    expect(await rows({ cleared: 'false', to: '2026-05-31' })).toHaveLength(1);
    expect(await rows({ cleared: 'false', q: '7.00' })).toHaveLength(1);
    const page = await t.call(ledgerCalls.accountEntries, {
      token,
      params,
      query: { cleared: 'false', limit: 2, desc: 'true' },
    });
    if (Array.isArray(page)) throw new Error('a list came where a page was requested');
    expect([page.total, page.items.map(({ balance: after }) => after)]).toEqual([3, [77_700, 77_000]]);
    const rest = { cleared: 'false', limit: 2, desc: 'true', after: page.next } as const;
    expect((await rows(rest)).map(({ balance: after }) => after)).toEqual([70_000]);
    const refused = await t.refused(ledgerCalls.accountEntries, {
      token,
      params,
      query: { cleared: 'true', entityid: 3 },
    });
    expect(refused).toMatchObject({ status: 400, fields: { cleared: expect.stringContaining("can't be combined") } });
  });
});

describe('entries to reconcile', () => {
  it('entries to reconcile exclude an entry reversed on the same day', async () => {
    const [kept = 0] = await entries('2026-05-10', [1000, -300]);
    const { transactionID } = await books.entry('2026-05-11', [101, SALES], 77);
    const params = { transactionId: transactionID };
    await t.call(ledgerCalls.reverseTransaction, { token: books.token, params, body: { postingDate: '2026-05-11' } });
    const open = await books.open();
    expect(open.incomingEntries.map(({ glid, debitAmount }) => [glid, debitAmount])).toEqual([[kept, 100_000]]);
    expect(open.outgoingEntries.map(({ creditAmount }) => creditAmount)).toEqual([30_000]);
    expect(open).toMatchObject({ mostRecentReconDate: null, lastBalance: 0 });
  });

  it('an entry and its reversal on another day can be cleared by different statements', async () => {
    const { glid, transactionID } = await books.entry('2026-05-11', [101, SALES], 77);
    const params = { transactionId: transactionID };
    const back = { token: books.token, params, body: { postingDate: '2026-06-02' } };
    const reversal = await t.call(ledgerCalls.reverseTransaction, back);
    const open = await books.open();
    expect([open.incomingEntries.length, open.outgoingEntries.length]).toEqual([1, 1]);
    await books.reconcile({ entries: [glid], statementBalance: 77 });
    const line = reversal.generalLedgerEntries.find(({ accountID }) => accountID === 101);
    await books.reconcile({ entries: [line?.glid ?? 0], statementDate: '2026-06-30', statementBalance: 0 });
    await expectSound(t, company);
  });

  it('entries to reconcile include those on the statement date, and other accounts return 404', async () => {
    await entries('2026-05-31', [10]);
    await entries('2026-06-01', [20]);
    expect((await books.open(101, { statementDate: '2026-05-31' })).incomingEntries).toHaveLength(1);
    expect((await books.open()).incomingEntries).toHaveLength(2);
    const unknown = { token: books.token, params: { glAccountId: SALES }, query: {} };
    expect((await t.refused(calls.unreconciledEntries, unknown)).status).toBe(404);
  });
});

describe('a reconciliation', () => {
  it('a reconciliation posts the charge and interest on the statement date and marks them cleared', async () => {
    const glids = await entries('2026-05-10', [1000, -300]);
    const made = await books.reconcile({
      entries: glids,
      statementBalance: 691.25,
      bankCharge: 10,
      bankChargeAccountID: BANK_CHARGES,
      interest: 1.25,
      interestAccountID: INTEREST_INCOME,
    });
    expect(made).toMatchObject({ entryCount: 2, bankCharge: 1000, interest: 125, mostRecentReconDate: null });
    expect([made.incomingEntries.length, made.outgoingEntries.length]).toEqual([1, 1]);
    expect(made.incomingEntries[0]).toMatchObject({ reconciliationId: made.reconciliationID });
    expect(await books.open()).toMatchObject({
      incomingEntries: [],
      outgoingEntries: [],
      mostRecentReconDate: '2026-05-31',
      lastBalance: 69_125,
    });
    expect(await balance()).toMatchObject({ currentBalance: 69_125, lastReconciledBalance: 69_125 });
    expect(await books.get(made.reconciliationID)).toEqual(made);
    expect((await books.list())[0]).toMatchObject({ reconciliationID: made.reconciliationID, savedBy: 'Bob Person' });
    await expectSound(t, company);
  });

  it('a reconciliation accepts entries or plain glids for either side, and counts each entry once', async () => {
    const [one = 0, two = 0] = await entries('2026-05-10', [1000, -300]);
    const body = {
      bankAccountID: await books.bank(),
      accountID: 101,
      incomingEntries: [{ glid: one, debitAmount: 1 }, two],
      outgoingEntries: [one],
      statementDate: '5/31/2026',
      statementBalance: 700,
      reconAmount: 12,
    };
    expect(await t.call(calls.createReconciliation, { token: books.token, body })).toMatchObject({ entryCount: 2 });
  });

  it("an account's first reconciliation can have no entries and a statement balance of 0.00", async () => {
    expect(await books.reconcile({ statementBalance: 0 })).toMatchObject({ entryCount: 0, lastBalance: 0 });
    await expectSound(t, company);
  });

  it('a reconciliation continues from the previous balance and can end below zero', async () => {
    await books.reconcile({ entries: await entries('2026-05-10', [100]), statementBalance: 100 });
    const late = await entries('2026-05-12', [-250]);
    const next = await books.reconcile({ entries: late, statementDate: '2026-06-30', statementBalance: -150 });
    expect(next).toMatchObject({ lastBalance: 10_000, mostRecentReconDate: '2026-05-31', statementBalance: -15_000 });
    expect((await books.list()).map(({ isDeletable }) => isDeletable)).toEqual([true, false]);
  });

  it('a reconciliation for a card with 310.00 owed ends at -310.00', async () => {
    const body = { name: 'Card', accountNumber: '4471', glAccountID: 122 };
    const card = await t.call(bankingCalls.createBankingAccount, { token: books.token, body });
    const { glid } = await books.entry('2026-05-10', [COSTS, 122], 310, 122);
    const open = await books.open(122);
    expect(open).toMatchObject({ incomingEntries: [], outgoingEntries: [{ creditAmount: 31_000 }] });
    const made = await books.reconcile({
      bankAccountID: card.bankingAccountID,
      entries: [glid],
      statementBalance: -310,
    });
    expect(made).toMatchObject({ statementBalance: -31_000 });
  });

  const refusals: readonly [string, object, string, RegExp][] = [
    ['out of balance by 0.01', { statementBalance: 100.01 }, 'statementBalance', /100.00 differs .* 100.01 by 0.01$/],
    ['with a charge but no account', { statementBalance: 90, bankCharge: 10 }, 'bankChargeAccountID', /Please Select/],
    ['with interest but no account', { statementBalance: 101, interest: 1 }, 'interestAccountID', /Please Select an/],
    ['with a negative charge', { statementBalance: 110, bankCharge: -10 }, 'bankCharge', /cannot be negative/],
    [
      'without a bank account',
      { statementBalance: 100, bankAccountID: 0 },
      'bankAccountID',
      /Please Select a Bank Account/,
    ],
    [
      'for another GL account',
      { statementBalance: 100, accountID: 102 },
      'accountID',
      /doesn't belong to the bank account/,
    ],
    [
      'with a charge on receivables',
      { statementBalance: 90, bankCharge: 10, bankChargeAccountID: 138 },
      'bankChargeAccountID',
      /Please select another account/,
    ],
    [
      'with a charge on the bank account itself',
      { statementBalance: 90, bankCharge: 10, bankChargeAccountID: 101 },
      'bankChargeAccountID',
      /Please select another account/,
    ],
  ];
  it.each(refusals)(
    'a reconciliation %s is rejected with an error for the field, and nothing is saved',
    async (_, given, field, words) => {
      const glids = await entries('2026-05-10', [100]);
      const refusal = await books.refused({ entries: glids, statementBalance: 100, ...given });
      expect(refusal).toMatchObject({ status: 422, fields: { [field]: expect.stringMatching(words) } });
      expect(await books.list()).toEqual([]);
      expect((await books.open()).incomingEntries).toHaveLength(1);
    },
  );

  it('a reconciliation must be dated after the last one', async () => {
    await books.reconcile({ statementBalance: 0 });
    for (const statementDate of ['2026-05-31', '2026-05-30']) {
      const refusal = await books.refused({ statementDate, statementBalance: 0 });
      expect(refusal.fields).toEqual({
        statementDate: 'The statement date must be after the last statement date, 5/31/2026',
      });
    }
  });

  it('a reconciliation with an entry from another account or a missing entry is rejected', async () => {
    const elsewhere = await books.entry('2026-05-10', [102, SALES], 100, 102);
    for (const glid of [elsewhere.glid, 999_999]) {
      const refusal = await books.refused({ entries: [glid], statementBalance: 100 });
      expect(refusal).toMatchObject({ status: 422, message: "A selected entry doesn't belong to Checking" });
    }
  });

  it('a reconciliation with an entry that is already reconciled or was reversed is rejected (409)', async () => {
    const [taken = 0, other = 0] = await entries('2026-05-10', [100, 50]);
    await books.reconcile({ entries: [taken], statementBalance: 100 });
    const again = { entries: [taken, other], statementDate: '2026-06-30', statementBalance: 250 };
    expect(await books.refused(again)).toMatchObject({
      status: 409,
      message:
        'Bob Person already reconciled a selected entry with the Checking statement dated 5/31/2026. ' +
        'Review the entries again.',
    });
    const twice = { entries: [taken], statementBalance: 100 };
    expect(await books.refused(twice)).toMatchObject({ status: 409, message: /^Bob Person already reconciled/ });
    const { glid, transactionID: transactionId } = await books.entry('2026-06-11', [101, SALES], 77);
    const back = { token: books.token, params: { transactionId }, body: { postingDate: '2026-06-11' } };
    await t.call(ledgerCalls.reverseTransaction, back);
    const gone = await books.refused({ entries: [glid], statementDate: '2026-06-30', statementBalance: 177 });
    expect(gone).toMatchObject({ status: 409, message: /^Someone else changed a selected entry/ });
  });
});

describe('a deleted reconciliation', () => {
  it('a deleted reconciliation unclears its entries, reverses its charge, and can be created again', async () => {
    const glids = await entries('2026-05-10', [1000, -300]);
    const statement = { entries: glids, statementBalance: 690, bankCharge: 10, bankChargeAccountID: BANK_CHARGES };
    const { reconciliationID } = await books.reconcile(statement);
    await books.remove(reconciliationID);
    expect(await balance()).toMatchObject({
      currentBalance: 70_000,
      lastReconciledDate: null,
      lastReconciledBalance: 0,
    });
    const open = await books.open();
    expect([...open.incomingEntries, ...open.outgoingEntries].map(({ glid }) => glid)).toEqual(glids);
    await expectSound(t, company);
    expect(await books.reconcile(statement)).toMatchObject({ entryCount: 2 });
    await expectSound(t, company);
    const gone = { token: books.token, params: { id: reconciliationID } };
    expect((await t.refused(calls.getReconciliation, gone)).status).toBe(404);
  });

  it('only the newest reconciliation can be deleted: "Reconciliations must be deleted sequentially."', async () => {
    const first = await books.reconcile({ statementBalance: 0 });
    const second = await books.reconcile({ statementDate: '2026-06-30', statementBalance: 0 });
    const answer = await books.tryToRemove(first.reconciliationID);
    expect(answer).toMatchObject({
      status: 409,
      body: { message: 'Reconciliations must be deleted sequentially.' },
    });
    await books.remove(second.reconciliationID);
    await books.remove(first.reconciliationID);
    expect(await books.list()).toEqual([]);
  });

  it('a deleted reconciliation becomes the reconciliation in progress with its files and amounts', async () => {
    const { documentId } = await upload(t, books.token, { name: 'may.pdf' });
    const glids = await entries('2026-05-10', [1000]);
    const charged = { statementBalance: 990, bankCharge: 10, bankChargeAccountID: BANK_CHARGES };
    const made = await books.reconcile({ entries: glids, ...charged, documentLinks: [{ documentId }] });
    expect(made.documentLinks).toMatchObject([{ documentId, documentName: 'may.pdf' }]);
    await books.remove(made.reconciliationID);
    const progress = await books.progress();
    expect(progress).toMatchObject({
      statementDate: '2026-05-31',
      statementBalance: 99_000,
      bankCharge: 1000,
      bankChargeAccountID: BANK_CHARGES,
      entries: glids,
      documentLinks: [{ documentId }],
      isOwn: true,
    });
    const file = await t.call(attachmentCalls.getDocument, { token: books.token, params: { documentId } });
    expect(file.bytes.length).toBeGreaterThan(0);
    const again = await books.reconcile({ entries: glids, ...charged, documentLinks: [{ documentId }] });
    expect(again.documentLinks).toMatchObject([{ documentId }]);
    expect(await books.progress()).toMatchObject({ rowVersion: 0, documentLinks: [] });
    await expectSound(t, company);
  });

  it("deleting a reconciliation with a charge in closed books requires an administrator's reason", async () => {
    const closing = { settingName: 'closingDate', settingValue: '2026-05-31' };
    const charged = { statementBalance: -10, bankCharge: 10, bankChargeAccountID: BANK_CHARGES };
    const made = await books.reconcile(charged);
    const { token } = company.administrator;
    await t.call(settingsCalls.saveSettings, { token, body: closing });
    expect(await books.tryToRemove(made.reconciliationID)).toMatchObject({ status: 422, body: { code: 'closed' } });
    const query = { closingOverrideReason: 'The bank corrected its statement' };
    await t.call(calls.deleteReconciliation, { token, params: { id: made.reconciliationID }, query });
    expect(await books.refused(charged)).toMatchObject({ status: 422, code: 'closed' });
    expect(await books.reconcile({ statementBalance: 0 })).toMatchObject({ bankCharge: 0 });
    await expectSound(t, company);
  });
});
