import { describe, expect, test } from 'vitest';
import { accountTypeInfo, masterAccount } from './accounts.ts';
import type { AccountTypeInfo } from './accounts.ts';
import { isoDate } from '../dates.ts';
import { Failure } from '../failure.ts';
import { cents } from '../money.ts';
import { postJournal } from './posting.ts';
import type { JournalLine } from './posting.ts';

function accountType(id: number): AccountTypeInfo {
  const account = masterAccount(id);
  if (account === undefined) throw new Error(`no account ${id}`);
  return accountTypeInfo(account.accountTypeLabel, account.contra);
}

function line(accountId: number, amount: number, more: Partial<JournalLine> = {}): JournalLine {
  const plain = { description: 'Line', profitCenterId: null, locationId: null, entityId: null };
  return { accountId, debit: amount > 0, amount: cents(Math.abs(amount)), ...plain, ...more };
}

function post(lines: JournalLine[], basis: 0 | 1 | 2 = 0) {
  return postJournal({ postingDate: isoDate('2026-01-31'), basis, lines, accountType });
}

function brief(lines: JournalLine[], basis: 0 | 1 | 2 = 0): [number, number, string][] {
  return post(lines, basis).entries.map((each) => [each.accountId, each.amount, each.basis]);
}

function failure(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error('was not rejected');
}

describe('rejected journal entries', () => {
  test('a journal entry with one line is rejected', () => {
    expect(failure(() => post([line(167, 1000)])).message).toBe('Entry must have a minimum of 2 line item entries.');
  });

  test('a journal entry with two lines is rejected if the last line has no account', () => {
    const message = failure(() => post([line(167, 1000), line(0, 0)])).message;
    expect(message).toBe('Entry must have a minimum of 2 line item entries.');
  });

  test('an unbalanced journal entry is rejected with both totals in US dollars', () => {
    expect(failure(() => post([line(167, 120050), line(101, -120000)])).message).toBe(
      'Debit and Credit must balance to $0.00 before posting. Debit: $1,200.50 Credit: $1,200.00',
    );
  });

  test('a journal entry with a total of 0.00 is rejected', () => {
    expect(failure(() => post([line(167, 0), line(101, 0)])).message).toBe('Entries must be greater than $0.00.');
  });

  test('a negative amount is rejected even if the totals agree', () => {
    const lines = [line(167, 1000), { ...line(101, -1000), amount: cents(-1000), debit: true }];
    const { message, fields } = failure(() => post(lines));
    expect(message).toBe('Entries must be greater than $0.00.');
    expect(fields).toEqual({ 'generalLedgerEntries.1.amount': 'Entries must be greater than $0.00.' });
  });

  test('missing descriptions and accounts are reported on their fields', () => {
    const lines = [line(0, 1000), line(101, -1000, { description: '  ' }), line(167, 1)];
    expect(failure(() => post(lines)).fields).toEqual({
      'generalLedgerEntries.0.accountID': 'Please Select an Account',
      'generalLedgerEntries.1.description': 'Please enter a description',
    });
  });

  test.each([101, 104, 122])(
    'a journal entry on only one basis is rejected if a line uses bank, cash, or card account %i',
    (accountId) => {
      for (const basis of [1, 2] as const) {
        const { message } = failure(() => post([line(167, 1000), line(accountId, -1000)], basis));
        expect(message).toContain('must be posted on both bases');
      }
    },
  );

  test('a journal entry on only the cash basis is rejected if a line uses receivables', () => {
    expect(failure(() => post([line(138, 1000), line(140, -1000)], 2)).message).toContain(
      "can't be posted only on the cash basis",
    );
  });
});

describe('posted journal entries', () => {
  test('a journal entry with one debit and two credits is posted on both bases as entered', () => {
    expect(brief([line(167, 1200), line(172, 300), line(101, -1500)])).toEqual([
      [167, 1200, 'B'],
      [172, 300, 'B'],
      [101, -1500, 'B'],
    ]);
  });

  test('a trailing line without an account and lines of 0.00 are not posted', () => {
    expect(brief([line(167, 1200), line(172, 0), line(101, -1200), line(0, 0)])).toHaveLength(2);
  });

  test('a journal entry can be posted on only one basis', () => {
    expect(brief([line(155, 500), line(119, -500)], 1).map(([, , basis]) => basis)).toEqual(['A', 'A']);
    expect(brief([line(157, 500), line(108, -500)], 2).map(([, , basis]) => basis)).toEqual(['C', 'C']);
  });

  test('a journal entry keeps its dimensions and its customer or vendor', () => {
    const more = { profitCenterId: 5, locationId: 6, entityId: 7 };
    const [first] = post([line(167, 1200, more), line(101, -1200)]).entries;
    expect(first).toMatchObject(more);
  });

  test('writing off receivables without a payment posts on the accrual basis only', () => {
    expect(brief([line(173, 5000), line(138, -5000)])).toEqual([
      [173, 5000, 'A'],
      [138, -5000, 'A'],
    ]);
  });

  test('money received on receivables posts to unapplied cash income on the cash basis', () => {
    expect(brief([line(101, 5000), line(138, -5000)])).toEqual([
      [101, 5000, 'B'],
      [138, -5000, 'A'],
      [145, -5000, 'C'],
    ]);
  });

  test('money paid on payables posts to unapplied bill payment expense on the cash basis', () => {
    expect(brief([line(139, 5000), line(101, -5000)])).toEqual([
      [139, 5000, 'A'],
      [175, 5000, 'C'],
      [101, -5000, 'B'],
    ]);
  });

  test('opening balances post to opening balance equity instead of receivables and payables on the cash basis', () => {
    expect(brief([line(101, 1000), line(138, 250), line(139, -80), line(136, -1170)])).toEqual([
      [101, 1000, 'B'],
      [138, 250, 'A'],
      [136, 250, 'C'],
      [139, -80, 'A'],
      [136, -80, 'C'],
      [136, -1170, 'B'],
    ]);
  });

  test('the allowance for doubtful accounts is posted on both bases because it is not a control account', () => {
    expect(brief([line(173, 2000), line(105, -2000)]).map(([, , basis]) => basis)).toEqual(['B', 'B']);
  });
});
