import type { GlEntry } from '@evenkeel/contract/ledger';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import { matchedEntries, restOf, unmatchedOf } from './bankSide.ts';
import { figuresOf, type ReconcileForm } from './reconcileForm.ts';
import { aCandidate, aLine } from './review/testing.ts';

const entry = (glid: number, amount: number) =>
  ({
    glid,
    postingDate: isoDate('2026-05-28'),
    debitAmount: amount > 0 ? cents(amount) : null,
    creditAmount: amount < 0 ? cents(-amount) : null,
  }) as GlEntry;

const read = {
  incomingEntries: [entry(1, 11_269)],
  outgoingEntries: [entry(2, -2250), entry(3, -700)],
  bankAccountID: 1,
};

/** Marks entries 1 and 2 as cleared, with this statement balance and an opening balance of 0.00. */
function working(statementBalance: number, bankCharge = 0) {
  const form: ReconcileForm = {
    statementDate: isoDate('2026-05-31'),
    statementBalance: cents(statementBalance),
    bankCharge: cents(bankCharge),
    bankChargeAccountID: 151,
    interest: null,
    interestAccountID: 176,
    entries: [1, 2],
    documentLinks: [],
    rowVersion: 0,
  };
  return { form, figures: figuresOf(form, { ...read, mostRecentReconDate: null, lastBalance: cents(0) }) };
}
const lineOf = (id: number, amount: number, day = '2026-05-28') =>
  aLine({ id, date: isoDate(day), amount: cents(amount) });
const matched = new Set([1]);
const DIFFERENCE = cents(-4500);

test('a transfer matches 2 entries, but only the one in the account that is being reconciled counts', () => {
  const [own] = aCandidate({}).entries;
  if (own === undefined) throw new Error('no entry');
  const act = {
    action: 'transfer' as const,
    reason: '',
    by: '',
    at: '',
    automatic: false,
    ruleId: null,
    documentLinks: [],
    lineIds: [],
  };
  const line = aLine({ state: 'transferred', act: { ...act, entries: [own, { ...own, glid: 10, bankAccountId: 2 }] } });
  expect([...matchedEntries([line], 1)]).toEqual([9]);
});

test('22.50 paid out in the books and 22.50 received at the bank explain the difference of (45.00)', () => {
  const { form, figures } = working(11_269 + 2250);
  expect(figures.difference).toBe(DIFFERENCE);
  const lines = [lineOf(7, 2250), lineOf(8, 999, '2026-06-01')];
  const unmatched = unmatchedOf({ lines, matched }, figures, form.statementDate);
  expect([unmatched.bank.map(({ id }) => id), unmatched.books.map(({ glid }) => glid)]).toEqual([[7], [2]]);
  expect([unmatched.ofBooks, unmatched.ofBank, unmatched.apart]).toEqual([-2250, 2250, -4500]);
  expect(restOf(unmatched, form, DIFFERENCE)).toBe(0);
});

test('an entered charge of 15.00 explains its bank transaction, and 22.50 remains unexplained', () => {
  const { form, figures } = working(11_269 + 2250 - 1500, 1500);
  expect(figures.difference).toBe(DIFFERENCE);
  const side = { lines: [lineOf(7, 2250), lineOf(8, -1500)], matched };
  expect(restOf(unmatchedOf(side, figures, form.statementDate), form, DIFFERENCE)).toBe(0);
  const halved = { lines: [lineOf(8, -1500)], matched };
  expect(restOf(unmatchedOf(halved, figures, form.statementDate), form, DIFFERENCE)).toBe(-2250);
});
