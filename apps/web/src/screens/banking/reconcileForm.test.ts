import type { GlEntry } from '@evenkeel/contract/ledger';
import type { ReconciliationProgress, UnreconciledEntries } from '@evenkeel/contract/reconciliation';
import { isoDate } from '@evenkeel/core/dates';
import { cents, ZERO } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import {
  figuresOf,
  progressInput,
  reconcileFaults,
  type ReconcileForm,
  reconcileFormOf,
  reconciliationInput,
  withEntries,
} from './reconcileForm.ts';

const entry = (glid: number, day: string, amount: number): GlEntry => ({
  glid,
  transactionID: glid,
  postingDate: isoDate(day),
  description: `Entry ${glid}`,
  debitAmount: amount > 0 ? cents(amount) : null,
  creditAmount: amount < 0 ? cents(-amount) : null,
  balance: null,
  accountID: 101,
  displayAccountLabel: 'Checking',
  profitcenterid: null,
  locationid: null,
  entityId: null,
  entityName: '',
  basis: 0,
  sourceType: 'journal',
  sourceId: glid,
  reverses: null,
  reversedBy: null,
  reconciliationId: null,
});

const read: UnreconciledEntries = {
  incomingEntries: [entry(1, '2026-05-03', 50_000), entry(2, '2026-06-02', 20_000)],
  outgoingEntries: [entry(3, '2026-05-09', -12_500), entry(4, '2026-05-30', -1_234)],
  mostRecentReconDate: isoDate('2026-04-30'),
  bankAccountID: 1,
  lastBalance: cents(100_000),
};

const nothing: ReconciliationProgress = {
  bankAccountID: 1,
  statementDate: null,
  statementBalance: null,
  bankCharge: ZERO,
  bankChargeAccountID: null,
  interest: ZERO,
  interestAccountID: null,
  entries: [],
  documentLinks: [],
  openedBy: '',
  isOwn: false,
  savedAt: null,
  rowVersion: 0,
};
const at = { lastDate: isoDate('2026-04-30'), today: isoDate('2026-06-12') };

/**
 * The statement for 5/31 with 500.00 in, 125.00 out, a charge of 15.00, and interest of 2.31. Its balance is 1,362.31.
 */
const form: ReconcileForm = {
  ...reconcileFormOf(nothing, at),
  statementBalance: cents(136_231),
  bankCharge: cents(1_500),
  interest: cents(231),
  entries: [1, 3],
};

test('a new reconciliation defaults to the end of the next month and to accounts 151 and 176', () => {
  expect(reconcileFormOf(nothing, at)).toMatchObject({
    statementDate: '2026-05-31',
    bankChargeAccountID: 151,
    interestAccountID: 176,
  });
  expect(reconcileFormOf(nothing, { ...at, today: isoDate('2026-05-30') }).statementDate).toBeNull();
  expect(reconcileFormOf(nothing, { ...at, lastDate: null }).statementDate).toBeNull();
  const kept = { ...nothing, rowVersion: 2, openedBy: 'Rita Reader' };
  expect(reconcileFormOf(kept, at)).toMatchObject({ statementDate: null, bankChargeAccountID: 151 });
});

test('1,000.00 + 500.00 − 125.00 − 15.00 + 2.31 equals 1,362.31, and without the 125.00 the total is too high', () => {
  expect(figuresOf(form, read)).toMatchObject({ reconciled: 136_231, difference: 0 });
  expect(figuresOf({ ...form, entries: [1] }, read).difference).toBe(12_500);
  expect(figuresOf({ ...form, statementBalance: null }, read).difference).toBeUndefined();
});

test("entries after the statement date are not listed and don't count, even if they are cleared", () => {
  const figures = figuresOf({ ...form, entries: [1, 2, 3] }, read);
  expect(figures.receivables.entries.map(({ glid }) => glid)).toEqual([1]);
  expect(figures.difference).toBe(0);
  const body = reconciliationInput({ ...form, entries: [1, 2, 3] }, { figures, accountID: 101, bankAccountID: 1 });
  expect([body.incomingEntries, body.outgoingEntries, body.reconAmount]).toEqual([[1], [3], 136_231]);
});

test('clearing entries on one side leaves the other side unchanged and adds each entry only once', () => {
  expect(withEntries(form, [4, 1], [3]).entries).toEqual([1, 4]);
  expect(progressInput(withEntries(form, [4])).entries).toEqual([1, 3, 4]);
});

test('a reconciliation requires a balance, both accounts, and a date after the last statement', () => {
  const empty = {
    ...form,
    statementDate: null,
    statementBalance: null,
    bankChargeAccountID: null,
    interestAccountID: null,
  };
  expect(Object.keys(reconcileFaults(empty, at.lastDate)).toSorted()).toEqual([
    'bankChargeAccountID',
    'interestAccountID',
    'statementBalance',
    'statementDate',
  ]);
  expect(reconcileFaults(form, at.lastDate)).toEqual({});
  const early = reconcileFaults({ ...form, statementDate: isoDate('2026-04-30') }, at.lastDate);
  expect(early['statementDate']).toMatch(/4\/30\/2026/);
});
