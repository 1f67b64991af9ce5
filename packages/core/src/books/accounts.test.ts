import { describe, expect, test } from 'vitest';
import {
  accountLabel,
  accountTypeInfo,
  AP,
  AR,
  CHECKING,
  isControlAccount,
  isMoneyAccount,
  isProfitAndLoss,
  masterAccount,
  masterAccounts,
  refusedOnLine,
  RETAINED_EARNINGS,
  SALES,
  SALES_TAX_PAYABLE,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from './accounts.ts';

function infoOf(id: number) {
  const account = masterAccount(id);
  if (account === undefined) throw new Error(`no account ${id}`);
  return accountTypeInfo(account.accountTypeLabel, account.contra);
}

describe('the master chart', () => {
  test('the master chart has 82 accounts with unique IDs and numbers', () => {
    expect(masterAccounts).toHaveLength(82);
    expect(new Set(masterAccounts.map((each) => each.id)).size).toBe(82);
    expect(new Set(masterAccounts.map((each) => each.accountNumber)).size).toBe(82);
  });

  test.each([
    [AR, '1200', 'Accounts Receivable'],
    [AP, '2000', 'Accounts Payable'],
    [RETAINED_EARNINGS, '3900', 'Retained Earnings'],
    [UNAPPLIED_CASH_INCOME, '4980', 'Unapplied Cash Payment Income'],
    [UNAPPLIED_CASH_EXPENSE, '6980', 'Unapplied Cash Bill Payment Expense'],
  ])('account %i in the master chart is %s %s', (id, accountNumber, accountName) => {
    expect(masterAccount(id)).toMatchObject({ accountNumber, accountName, system: true });
  });

  test('the master chart has accounts 138 (receivable) and 139 (payable), but no account 99', () => {
    expect([AR, AP]).toEqual([138, 139]);
    expect(masterAccount(99)).toBe(undefined);
  });
});

describe('account types', () => {
  test('an unknown account type is rejected', () => {
    expect(() => accountTypeInfo('Savings')).toThrow("unknown account type 'Savings'");
  });

  test.each([
    ['Bank', false, 'Debit', 'Current Assets'],
    ['Accounts Receivable', true, 'Credit', 'Current Assets'],
    ['Accumulated Depreciation', false, 'Credit', 'Fixed Assets'],
    ['Credit Card', false, 'Credit', 'Current Liabilities'],
    ['Long-Term Liability', false, 'Credit', 'Long-term Liabilities'],
    ['Equity', true, 'Debit', 'Equity'],
    ['Income', true, 'Debit', 'Income'],
    ['Cost of Goods Sold', false, 'Debit', 'Cost of Goods Sold'],
  ])('%s (contra: %s) has a normal %s balance and belongs to %s', (type, contra, normal, section) => {
    expect(accountTypeInfo(type, contra)).toMatchObject({ normal, section });
  });

  test('only receivables and payables that are not contra accounts are control accounts', () => {
    const control = masterAccounts.filter((each) => isControlAccount(infoOf(each.id)));
    expect(control.map((each) => each.id)).toEqual([AR, AP]);
  });

  test('only checking, savings, petty cash, undeposited funds, and credit card accounts have statements', () => {
    const money = masterAccounts.filter((each) => isMoneyAccount(infoOf(each.id)));
    expect(money.map((each) => each.accountNumber)).toEqual(['1000', '1010', '1020', '1050', '2100']);
  });

  test('only a bill line may use sales tax payable, and every excluded account has a reason', () => {
    const said = (id: number, side: 'receivable' | 'payable') =>
      refusedOnLine({ ...infoOf(id), system: masterAccount(id)?.system === true }, side);
    expect([said(SALES_TAX_PAYABLE, 'payable'), said(SALES, 'payable')]).toEqual([undefined, undefined]);
    expect(said(SALES_TAX_PAYABLE, 'receivable')).toContain('Only Evenkeel can post to this account');
    for (const side of ['receivable', 'payable'] as const) {
      expect(said(CHECKING, side)).toContain(
        'Use payments and journal entries to post to bank, cash, and card accounts',
      );
      expect([said(AR, side), said(AP, side)]).toEqual(
        Array(2).fill(expect.stringContaining('post to this account automatically')),
      );
      expect(said(RETAINED_EARNINGS, side)).toContain('Only Evenkeel can post to this account');
    }
  });

  test('income and expense accounts are numbered 4000 and above', () => {
    const restarting = masterAccounts.filter((each) => isProfitAndLoss(infoOf(each.id)));
    expect(restarting.every((each) => each.accountNumber >= '4000')).toBe(true);
    expect(restarting).toHaveLength(masterAccounts.filter((each) => each.accountNumber >= '4000').length);
  });
});

test('an account label includes the number only if the company uses numbers and the account has a number', () => {
  const account = { number: '1200', name: 'Accounts Receivable' };
  expect(accountLabel(account, true)).toBe('1200 - Accounts Receivable');
  expect(accountLabel(account, false)).toBe('Accounts Receivable');
  expect(accountLabel({ number: '', name: 'Till' }, true)).toBe('Till');
});
