import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bankingCalls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reconciliationCalls as calls } from '@evenkeel/contract/reconciliation';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { upload } from '../../testing/files.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';
import { expectSound, type Reconciler, reconcilerOf } from './testing/reconciling.ts';

let t: TestApp;
let company: WorldCompany;
let books: Reconciler;
let bankAccountId: number;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  books = reconcilerOf(t, company);
  bankAccountId = await books.bank();
});

const BEGUN = { statementDate: '2026-05-31', statementBalance: -10.5, bankCharge: 10, bankChargeAccountID: 151 };
const save = (body: object, { token }: Pick<Person, 'token'> = books) =>
  t.call(calls.saveReconciliationProgress, { token, params: { bankAccountId }, body });
const trySave = (body: object, { token }: Pick<Person, 'token'> = books) =>
  t.request({ ...requestOf(calls.saveReconciliationProgress, { params: { bankAccountId }, body }), token });

describe('a reconciliation in progress', () => {
  it('a reconciliation in progress returns its last saved state and the user who has it open', async () => {
    expect(await books.progress()).toMatchObject({ rowVersion: 0, openedBy: '', savedAt: null, entries: [] });
    const { glid } = await books.entry('2026-05-10', [101, 140], 100);
    const saved = await save({ ...BEGUN, entries: [glid], rowVersion: 0 });
    expect(saved).toMatchObject({
      statementDate: '2026-05-31',
      statementBalance: -1050,
      bankCharge: 1000,
      entries: [glid],
      openedBy: 'Bob Person',
      isOwn: true,
      rowVersion: 1,
    });
    expect(await books.progress()).toEqual(saved);
    const blank = await save({ entries: [], rowVersion: 1 });
    expect(blank).toMatchObject({ statementDate: null, statementBalance: null, bankCharge: 0, rowVersion: 2 });
    await expectSound(t, company);
  });

  it("another user can take over a reconciliation, after which the first user's save is rejected", async () => {
    await save({ ...BEGUN, entries: [], rowVersion: 0 });
    const { superuser } = company;
    const seen = await t.call(calls.getReconciliationProgress, { token: superuser.token, params: { bankAccountId } });
    expect(seen).toMatchObject({ openedBy: 'Bob Person', isOwn: false, rowVersion: 1 });
    expect(await save({ ...BEGUN, entries: [], rowVersion: seen.rowVersion }, superuser)).toMatchObject({
      isOwn: true,
    });
    expect(await trySave({ ...BEGUN, entries: [], rowVersion: 1 })).toMatchObject({
      status: 409,
      body: { code: 'stale', current: { openedBy: 'Sue Person', rowVersion: 2 } },
    });
  });

  it('if two users start a reconciliation at the same time, one succeeds and the other is rejected', async () => {
    const both = [company.bookkeeper, company.superuser].map((who) =>
      trySave({ ...BEGUN, entries: [], rowVersion: 0 }, who),
    );
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await books.progress()).toMatchObject({ rowVersion: 1 });
  });

  it('a draft that is saved while the account is reconciled is rejected or deleted by the reconciliation', async () => {
    await save({ ...BEGUN, entries: [], rowVersion: 0 });
    const [saved, made] = await Promise.all([
      trySave({ ...BEGUN, entries: [], rowVersion: 1 }),
      books.tryTo({ statementBalance: 0 }),
    ]);
    expect(made.status).toBe(200);
    expect([200, 409]).toContain(saved.status);
    expect(await books.progress()).toMatchObject({ rowVersion: 0 });
  });

  it('a reconciliation in progress excludes entries that were reconciled or reversed', async () => {
    const [kept, taken, back] = [
      await books.entry('2026-05-10', [101, 140], 1),
      await books.entry('2026-05-10', [101, 140], 2),
      await books.entry('2026-05-10', [101, 140], 3),
    ];
    await save({ ...BEGUN, entries: [kept.glid, taken.glid, back.glid, kept.glid], rowVersion: 0 });
    const params = { transactionId: back.transactionID };
    await t.call(ledgerCalls.reverseTransaction, { token: books.token, params, body: { postingDate: '2026-05-10' } });
    expect(await books.progress()).toMatchObject({ entries: [kept.glid, taken.glid] });
    await books.reconcile({ entries: [taken.glid], statementDate: '2026-04-30', statementBalance: 2 });
    await save({ ...BEGUN, entries: [kept.glid, taken.glid], rowVersion: 0 });
    expect(await books.progress()).toMatchObject({ entries: [kept.glid] });
  });

  it('a reconciliation in progress keeps its files and is deleted only with its current version', async () => {
    const { documentId } = await upload(t, books.token, {});
    const begun = await save({ ...BEGUN, entries: [], documentLinks: [{ documentId }], rowVersion: 0 });
    expect(begun.documentLinks).toMatchObject([{ documentId }]);
    const remove = (rowVersion: number) =>
      t.request({
        ...requestOf(calls.deleteReconciliationProgress, { params: { bankAccountId }, query: { rowVersion } }),
        token: books.token,
      });
    expect((await remove(7)).status).toBe(409);
    const made = await books.reconcile({ statementBalance: 0, documentLinks: [{ documentId }] });
    expect(made.documentLinks).toMatchObject([{ documentId }]);
    expect(await books.progress()).toMatchObject({ rowVersion: 0, documentLinks: [] });
    await save({ ...BEGUN, entries: [], rowVersion: 0 });
    expect((await remove(1)).status).toBe(200);
    expect(await books.progress()).toMatchObject({ rowVersion: 0 });
  });

  it('a reconciliation in progress is deleted with its bank account and hidden from other companies', async () => {
    const body = { name: 'Savings', accountNumber: '1', glAccountID: 102 };
    const { bankingAccountID } = await t.call(bankingCalls.createBankingAccount, { token: books.token, body });
    const at = { token: books.token, params: { bankAccountId: bankingAccountID } };
    await t.call(calls.saveReconciliationProgress, { ...at, body: { entries: [], rowVersion: 0 } });
    const other = { token: t.world.other.bookkeeper.token, params: at.params };
    expect((await t.refused(calls.getReconciliationProgress, other)).status).toBe(404);
    await t.call(bankingCalls.deleteBankingAccount, { token: books.token, params: { id: bankingAccountID } });
    expect((await t.refused(calls.getReconciliationProgress, at)).status).toBe(404);
  });
});
