import type { BankLine, Candidate } from '@evenkeel/contract/statements';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { describe, expect, test } from 'vitest';
import { aCandidate, aLine } from './testing.ts';
import {
  actName,
  amountOf,
  badgeOf,
  headOf,
  keyAct,
  lineWord,
  nextOpen,
  shownLines,
  stepped,
  takenWords,
  titleOf,
  actionDescription,
} from './work.ts';

const names = { account: (id: number) => `${id} – Fuel`, bank: (id: number) => (id === 1 ? 'Checking' : 'Savings') };

const invoice = (amount: number, openAmount = amount) => ({
  invoiceId: 5,
  kind: 'invoice',
  number: '10427',
  date: isoDate('2026-06-01'),
  openAmount: cents(openAmount),
  amount: cents(amount),
});
const pays: Candidate = aCandidate({
  kind: 'document',
  action: 'pay',
  entityName: 'Ironworks Brewing Co.',
  documents: [invoice(275_460)],
});
const entry = aCandidate({});

describe('suggestions for a bank transaction of 2,754.60', () => {
  const line = aLine({ amount: cents(275_460), candidate: pays });

  test('a suggested payment for an invoice has the right button and describes the posting', () => {
    expect(headOf(line, names)).toEqual({ title: 'Invoice 10427 · Ironworks Brewing Co.', reason: 'Same amount' });
    expect(lineWord(line, pays)).toBe('Pay Invoice');
    expect(actionDescription(pays, line, names)).toBe(
      'Posts 2,754.60 to Checking on 6/12/2026 and pays the invoice in full.',
    );
    const part = { ...pays, documents: [invoice(275_460, 300_000)] };
    expect(actionDescription(part, line, names)).toMatch(/pays the invoice in part/);
  });

  test('for a negative amount, a payment for one or two bills is suggested', () => {
    const out = { ...line, amount: cents(-275_460) };
    expect(lineWord(out, pays)).toBe('Pay Bill');
    const two = { ...pays, kind: 'documents' as const, documents: [invoice(200_000), invoice(75_460)] };
    expect([lineWord(out, two), titleOf(two, out, names)]).toEqual(['Pay Bills', '2 bills · Ironworks Brewing Co.']);
    expect(amountOf(two, out)).toBe(-275_460);
  });

  test('the user must choose between 2 possible matches, and none is selected', () => {
    const equal = { ...line, choices: 2 };
    expect([lineWord(equal, undefined), badgeOf(equal)?.text]).toEqual(['Choose', '2 matches']);
    expect(headOf(equal, names).title).toBe('2 possible matches for 2,754.60');
  });

  test('Add is suggested if no match exists', () => {
    const bare = { ...line, candidate: null, choices: 0 };
    expect([lineWord(bare, undefined), badgeOf(bare)?.text]).toEqual(['Add', 'New']);
  });
});

test('a match posts nothing, a transfer matches both bank transactions, and a rule names its account', () => {
  const line = aLine({ amount: cents(-6418) });
  expect(actionDescription(entry, line, names)).toBe('Matches an entry in your books. Nothing is posted.');
  const transfer = aCandidate({ kind: 'transfer', action: 'transfer', bankAccountId: 2, entries: [] });
  expect(titleOf(transfer, line, names)).toBe('Transfer to Savings');
  expect(actionDescription(transfer, line, names)).toMatch(/^Posts a transfer of 64.18 .* both bank transactions/);
  const part = { description: '', profitcenterid: null, locationid: null, entityId: null };
  const lines = [{ accountID: 151, amount: cents(-6418), ...part }];
  const rule = aCandidate({ kind: 'rule', action: 'add', entries: [], lines });
  expect([titleOf(rule, line, names), amountOf(rule, line)]).toEqual(['151 – Fuel', -6418]);
  const amounts = [cents(-6000), cents(-418)];
  const split = { ...rule, entityName: 'Shell', lines: amounts.map((amount) => ({ accountID: 151, amount, ...part })) };
  expect(titleOf(split, line, names)).toBe('151 – Fuel 60.00, 151 – Fuel 4.18 · Shell');
  expect(actionDescription(split, line, names)).toBe(
    'Posts 60.00 to 151 – Fuel, 4.18 to 151 – Fuel for Shell in Checking on 6/12/2026.',
  );
});

test("a button's accessible name starts with the visible label and describes the action", () => {
  const line = aLine({ amount: cents(275_460), text: 'ACH 77', candidate: pays });
  const named = (picked: Candidate | undefined, on = line) => [lineWord(on, picked), actName(on, picked, names)];
  expect(named(entry)).toEqual(['Match', 'Match journal entry 9 · Mulch']);
  expect(named(pays)).toEqual(['Pay Invoice', 'Pay Invoice 10427 · Ironworks Brewing Co.']);
  const two = { ...pays, kind: 'documents' as const, documents: [invoice(200_000), invoice(75_460)] };
  expect(named(two)).toEqual(['Pay Invoices', 'Pay Invoices: 2 invoices · Ironworks Brewing Co.']);
  const part = { description: '', profitcenterid: null, locationid: null, entityId: null, accountID: 151 };
  const rule = aCandidate({ kind: 'rule', action: 'add', entries: [], lines: [{ ...part, amount: line.amount }] });
  expect(named(rule)).toEqual(['Add', 'Add to 151 – Fuel']);
  const transfer = aCandidate({ kind: 'transfer', action: 'transfer', bankAccountId: 2, entries: [] });
  expect(named(transfer)).toEqual(['Transfer', 'Transfer from Savings']);
  expect(named(undefined)).toEqual(['Choose', 'Choose what to do with ACH 77']);
  expect(named(undefined, { ...line, candidate: null })).toEqual(['Add', 'Add ACH 77']);
});

test('uppercase and lowercase letters both run actions, and 1 to 9 select a match', () => {
  expect(['m', 'X', 'Enter', '/', 'q'].map((key) => keyAct(key)?.act)).toEqual([
    'find',
    'exclude',
    'accept',
    'search',
    undefined,
  ]);
  expect([keyAct('1'), keyAct('9'), keyAct('0')]).toEqual([{ act: 'take', at: 0 }, { act: 'take', at: 8 }, undefined]);
});

test('after an action, the next bank transaction opens, or the previous one after the last of 3', () => {
  expect([1, 2, 3].map((id) => nextOpen([1, 2, 3], id))).toEqual([2, 3, 2]);
  expect(nextOpen([1], 1)).toBeUndefined();
  expect([stepped([1, 2], undefined, 1), stepped([1, 2], 2, 1), stepped([1, 2], 2, -1)]).toEqual([1, 2, 1]);
});

describe('the list of bank transactions', () => {
  const line = (id: number, more: Partial<BankLine> = {}) => aLine({ id, ...more });
  const idsOf = (lines: readonly BankLine[]) => lines.map(({ id }) => id);

  test('a handled bank transaction is hidden until a newer version is loaded after an undo', () => {
    const done = new Map([[2, 5]]);
    expect(idsOf(shownLines([line(1), line(2, { rowVersion: 4 })], done, []))).toEqual([1]);
    expect(idsOf(shownLines([line(1), line(2, { rowVersion: 6 })], done, []))).toEqual([1, 2]);
  });

  test('a bank transaction that another user handled keeps its place and is shown only once', () => {
    const taken = line(2, { state: 'matched' });
    expect(idsOf(shownLines([line(1), line(3)], new Map(), [taken]))).toEqual([1, 2, 3]);
    expect(idsOf(shownLines([line(1), line(2)], new Map(), [taken]))).toEqual([1, 2]);
  });
});

test('the list says who handled a bank transaction and how', () => {
  const act = {
    action: 'match' as const,
    reason: '',
    by: 'Pat Jones',
    at: '',
    automatic: false,
    ruleId: null,
    documentLinks: [],
    entries: [],
    lineIds: [],
  };
  expect(takenWords({ state: 'matched', act })).toBe('Pat Jones has already handled this bank transaction: matched');
  expect(takenWords({ state: 'review', act: null })).toBe('Someone else changed this bank transaction in the meantime');
});
