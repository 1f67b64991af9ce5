import type { GlEntry, PostedTransaction } from '@evenkeel/contract/ledger';
import { type AccountTypeInfo, accountTypeInfo, masterAccount } from '@evenkeel/core/books/accounts';
import { isoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { describe, expect, it } from 'vitest';
import {
  addLine,
  balanced,
  chooseSide,
  currentLine,
  firstBadLine,
  type FormLine,
  formOfTransaction,
  type JournalForm,
  linesToSend,
  nextLine,
  patchLine,
  postingRefusal,
  problemsOfLine,
  readForm,
  released,
  removeLine,
  requestOf,
  startForm,
  startOpening,
  totalsOf,
} from './journalForm.ts';

const TODAY = isoDate('2026-06-12');
const NO_RULES = { useProfitCenters: false, useLocations: false };
const RENT = 167;
const CHECKING = 101;

function accountType(id: number): AccountTypeInfo {
  const account = masterAccount(id);
  if (account === undefined) throw new Error(`no account ${id}`);
  return accountTypeInfo(account.accountTypeLabel, account.contra);
}

/** Returns the form after these lines have been entered, each with a side. */
function typed(...lines: [accountId: number, debit: boolean, amount: number][]): JournalForm {
  return lines.reduce((form, [accountId, debit, amount]) => {
    const filled = patchLine(form, { accountId, description: 'Rent', amount: cents(amount) });
    return chooseSide(filled, debit, NO_RULES).form;
  }, startForm(TODAY));
}

const refusal = (form: JournalForm, rules = NO_RULES) => postingRefusal(form, rules, accountType);

describe('choice of debit or credit', () => {
  it('choosing a side for an empty line reports the missing values and adds no line', () => {
    const start = startForm(TODAY);
    const { form, problems, isFresh } = chooseSide(start, true, { useProfitCenters: true, useLocations: true });
    expect(form).toBe(start);
    expect(isFresh).toBe(false);
    expect(problems).toEqual({
      accountId: 'Please Select an Account',
      profitCenterId: 'Please Select a Profit Center',
      locationId: 'Please Select a Location',
      description: 'Please enter a description',
      amount: 'Entries must be greater than $0.00.',
    });
  });

  it('after a line of 1,200.00, the next line has no account and suggests 1,200.00', () => {
    const filled = patchLine(startForm(TODAY), { accountId: RENT, description: 'Rent', amount: cents(120_000) });
    const { form, isFresh } = chooseSide(filled, true, NO_RULES);
    expect(isFresh).toBe(true);
    expect(form.lines).toHaveLength(2);
    expect(currentLine(form)).toMatchObject({ accountId: null, description: '', debit: null, amount: 120_000 });
  });

  it('no amount is suggested when the debits and credits are both 1,500.00', () => {
    const form = typed([RENT, true, 150_000], [CHECKING, false, 150_000]);
    expect(currentLine(form).amount).toBeNull();
  });

  it('choosing a side for a line that already has a side changes only the side', () => {
    const form = typed([RENT, true, 5000]);
    const { form: changed, isFresh } = chooseSide({ ...form, at: 1 }, false, NO_RULES);
    expect(isFresh).toBe(false);
    expect(changed.lines.map((line) => line.debit)).toEqual([false, null]);
  });
});

it("debits of 86.30 and credits of 61.30 differ by 25.00, and a line without a side doesn't count", () => {
  const form = typed([RENT, true, 8630], [CHECKING, false, 6130]);
  expect(totalsOf(form.lines)).toEqual({ debit: 8630, credit: 6130, out: 2500, heavier: 'debit' });
});

describe('validation of an entry', () => {
  it('rejects an entry with a single line', () => {
    expect(refusal(typed([RENT, true, 1000]))?.message).toBe('Entry must have a minimum of 2 line item entries.');
  });

  it('rejects an entry that is out of balance, and shows both totals', () => {
    expect(refusal(typed([RENT, true, 863_000], [CHECKING, false, 613_000]))?.message).toBe(
      'Debit and Credit must balance to $0.00 before posting. Debit: $8,630.00 Credit: $6,130.00',
    );
  });

  it('rejects an entry with a total of 0.00', () => {
    const form = typed([RENT, true, 100], [CHECKING, false, 100]);
    const lines = form.lines.map((line): FormLine => ({ ...line, amount: cents(0) }));
    expect(refusal({ ...form, lines })?.message).toBe('Entries must be greater than $0.00.');
  });

  it('rejects a missing date, and a last line with an account but no side', () => {
    const form = typed([RENT, true, 100], [CHECKING, false, 100]);
    expect(refusal({ ...form, postingDate: null })?.fields).toEqual({ postingDate: 'Please enter a posting date' });
    const open = refusal(patchLine(form, { accountId: RENT }));
    expect(open?.fields).toEqual({ 'generalLedgerEntries.2.debit': 'Please select Debit or Credit' });
    expect(firstBadLine(open?.fields ?? {})).toBe(2);
    expect(problemsOfLine(open?.fields ?? {}, 2)).toEqual({ debit: 'Please select Debit or Credit' });
  });

  it('rejects a missing profit center if the company has profit centers', () => {
    const form = typed([RENT, true, 100], [CHECKING, false, 100]);
    const found = refusal(form, { useProfitCenters: true, useLocations: false });
    expect(found?.message).toBe('Please Select a Profit Center');
    expect(Object.keys(found?.fields ?? {})).toEqual([
      'generalLedgerEntries.0.profitcenterid',
      'generalLedgerEntries.1.profitcenterid',
    ]);
  });
});

it('an entry of 1,200.00 against Checking can be posted, and a new line without an account is not sent', () => {
  const form = typed([RENT, true, 120_000], [CHECKING, false, 120_000]);
  expect(refusal(form)).toBeUndefined();
  expect(linesToSend(form)).toHaveLength(2);
  const request = requestOf(form, { transactionID: 0, rowVersion: undefined }, false);
  expect(request.generalLedgerEntries.map((line) => [line.accountID, line.debit, line.amount])).toEqual([
    [RENT, true, 120_000],
    [CHECKING, false, 120_000],
  ]);
  expect('transactionID' in request || 'draft' in request).toBe(false);
  expect(requestOf(form, { transactionID: 7, rowVersion: 2 }, true)).toMatchObject({
    transactionID: 7,
    rowVersion: 2,
    draft: true,
  });
});

it('lines without a description get the memo, and a line with a side is always sent', () => {
  const form = { ...typed([RENT, true, 100], [CHECKING, false, 100]), memo: 'June' };
  const lines = form.lines.map((line, index) => (index === 1 ? { ...line, description: ' ' } : line));
  expect(linesToSend({ ...form, lines }).map((line) => line.description)).toEqual(['Rent', 'June']);
  const open = patchLine({ ...form, lines }, { debit: true, amount: cents(5) });
  expect(linesToSend(open)).toHaveLength(3);
  expect(refusal(open)?.fields).toEqual({ 'generalLedgerEntries.2.accountID': 'Please Select an Account' });
});

it('if the current line is removed, the new line at the end becomes the current line', () => {
  const form = removeLine({ ...typed([RENT, true, 100], [CHECKING, false, 100]), at: 1 }, 1);
  expect(form.lines.map((line) => line.key)).toEqual([2, 3]);
  expect(form.at).toBe(3);
  expect(nextLine(form)).toEqual(form);
});

function entry(accountID: number, debit: number | null, credit: number | null): GlEntry {
  const money = (amount: number | null): Cents | null => (amount === null ? null : cents(amount));
  return {
    glid: 1,
    transactionID: 9,
    postingDate: TODAY,
    description: 'Rent',
    balance: null,
    accountID,
    debitAmount: money(debit),
    creditAmount: money(credit),
    displayAccountLabel: '',
    profitcenterid: 4,
    locationid: null,
    entityId: null,
    entityName: '',
    basis: 0,
    sourceType: 'journal',
    sourceId: 9,
    reverses: null,
    reversedBy: null,
    reconciliationId: null,
  };
}

it("a copy has the entry's lines, sides, and profit centers, plus a new date and a new line", () => {
  const posted: PostedTransaction = {
    transactionID: 9,
    entityID: 0,
    draft: false,
    postingDate: TODAY,
    description: 'Rent',
    sourceType: 'journal',
    sourceId: 9,
    rowVersion: 1,
    generalLedgerEntries: [entry(RENT, 5000, null), entry(CHECKING, null, 5000)],
  };
  const form = formOfTransaction(posted, isoDate('2026-07-01'));
  expect(form.postingDate).toBe('2026-07-01');
  expect(form.lines.map((line) => [line.accountId, line.debit, line.amount, line.profitCenterId])).toEqual([
    [RENT, true, 5000, 4],
    [CHECKING, false, 5000, 4],
    [null, null, null, null],
  ]);
  expect(currentLine(form).accountId).toBeNull();
});

describe('opening balance entries', () => {
  const opening = startOpening(isoDate('2025-12-31'));
  const change = (form: JournalForm, patch: Partial<FormLine>) => balanced(patchLine(form, patch));
  const rowsOf = ({ lines }: JournalForm) => lines.map(({ accountId, debit, amount }) => [accountId, debit, amount]);

  it('opening balances start with an empty line and a last line for account 136 without a side', () => {
    expect(rowsOf(balanced(opening))).toEqual([
      [null, null, null],
      [136, null, null],
    ]);
    expect(refusal(opening)).toBeDefined();
  });

  it('900.00 in the bank and a loan of 250.00 leave 650.00 in account 136, which stays the last line', () => {
    const bank = change(opening, { accountId: CHECKING, debit: true, amount: cents(90_000) });
    expect(rowsOf(bank)[1]).toEqual([136, false, 90_000]);
    const loan = change(addLine(bank), { accountId: RENT, debit: false, amount: cents(25_000) });
    expect(rowsOf(loan)).toEqual([
      [CHECKING, true, 90_000],
      [RENT, false, 25_000],
      [136, false, 65_000],
    ]);
    expect(refusal(loan)).toBeUndefined();
    expect(linesToSend(loan).map(({ description }) => description)).toEqual(Array(3).fill('Opening balances'));
    // Pressing Enter twice adds only one empty line. The balancing line is rendered again only if it changes.
    expect(addLine(balanced(addLine(loan))).lines).toHaveLength(4);
    expect(balanced(addLine(loan)).lines.at(-1)).toBe(loan.lines.at(-1));
  });

  it('removing or editing the balancing line stops the balancing, and a stored draft keeps the line', () => {
    const bank = change(opening, { accountId: CHECKING, debit: true, amount: cents(90_000) });
    const [, last] = bank.lines;
    expect(balanced(removeLine(bank, last?.key ?? 0)).balancing).toBeUndefined();
    const own = change({ ...released(bank), at: last?.key ?? 0 }, { amount: cents(100) });
    expect(rowsOf(own)[1]).toEqual([136, false, 100]);
    expect(readForm(JSON.parse(JSON.stringify(bank)))).toEqual(bank);
  });
});

describe('stored draft of an entry', () => {
  it('a stored form is restored unchanged', () => {
    const first = typed([RENT, true, 100]);
    const form = { ...first, memo: 'June', lines: first.lines.map((line) => ({ ...line, told: 'No account …' })) };
    expect(readForm(JSON.parse(JSON.stringify(form)))).toEqual(form);
  });

  it.each([
    ['no value', null],
    ['no lines', { postingDate: null, at: 1 }],
    ['a line without a key', { postingDate: null, at: 1, lines: [{}] }],
    ['an amount stored as text', { at: 1, lines: [{ ...currentLine(startForm(TODAY)), amount: '5' }] }],
    ['an invalid index for the current line', { at: 7, lines: [currentLine(startForm(TODAY))] }],
  ])('a stored form that has %s is discarded', (_what, stored) => {
    expect(readForm(stored)).toBeUndefined();
  });
});
