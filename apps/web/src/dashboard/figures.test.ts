import type { BankingAccount } from '@evenkeel/contract/banking';
import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import type { ChartAccount } from '@evenkeel/contract/ledger';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { cashOfBanking, cashOfChart, openFigures, overdueShare } from './figures.ts';

function invoice(id: number, open: number, more: Partial<BillingInvoiceRow> = {}): BillingInvoiceRow {
  return {
    id,
    invoiceid: id,
    invoiceNumber: String(10000 + id),
    invoiceDate: isoDate('2026-05-01'),
    dueDate: isoDate('2026-05-31'),
    customerId: 1,
    customerDisplayName: 'Fairlawn Heights HOA',
    arBillingStatus: 2,
    salesTaxAmount: cents(0),
    invoiceAmount: cents(open),
    openAmount: cents(open),
    readyToPay: true,
    badge: 'Open',
    daysOverdue: 0,
    rowVersion: 1,
    ...more,
  };
}

const late = (id: number, open: number, daysOverdue: number) => invoice(id, open, { badge: 'Overdue', daysOverdue });

it('a draft of 655.00 is owed by nobody: 100.00 unpaid, 1 draft', () => {
  const figures = openFigures([invoice(1, 10000), invoice(2, 65500, { badge: 'Draft' })], 6);
  expect(figures).toMatchObject({ unpaid: 10000, count: 1, drafts: 1, overdue: 0, overdueCount: 0, attention: [] });
});

it('of 100.00, 40.00 and 60.00 the last two are 12 and 30 days late: 100.00 overdue, the later one first', () => {
  const figures = openFigures([invoice(1, 10000), late(2, 4000, 12), late(3, 6000, 30)], 6);
  expect(figures).toMatchObject({ unpaid: 20000, overdue: 10000, overdueCount: 2 });
  expect(figures.attention.map((row) => row.id)).toEqual([3, 2]);
  expect(overdueShare(figures)).toBe(50);
});

it('names at most as many as asked for and counts them all', () => {
  const figures = openFigures([late(1, 100, 1), late(2, 100, 2), late(3, 100, 3)], 2);
  expect(figures.attention.map((row) => row.id)).toEqual([3, 2]);
  expect(figures.overdueCount).toBe(3);
});

it('nothing unpaid has no overdue part', () => {
  expect(overdueShare({ unpaid: cents(0), overdue: cents(0) })).toBe(0);
});

function account(id: number, type: string, balance: number): ChartAccount {
  return {
    customerAccountID: id,
    customerAccountId: id,
    name: `Account ${id}`,
    displayAccountName: `Account ${id}`,
    displayAccountNumber: '',
    displayAccountLabel: `Account ${id}`,
    displayAccountType: type,
    glAccountDescription: '',
    description: '',
    masterAccountID: id,
    accountCategoryId: 1,
    categoryName: 'Current Assets',
    active: true,
    system: false,
    balance: cents(balance),
    rowVersion: 1,
  };
}

it('cash is the bank and cash accounts of the chart, an overdraft included, an empty till left out', () => {
  const cash = cashOfChart([
    account(101, 'Bank', 4831642),
    account(102, 'Bank', -100),
    account(103, 'Cash', 0),
    account(104, 'Cash', 327500),
    account(138, 'Accounts Receivable', 99999),
  ]);
  expect(cash.lines.map((line) => line.id)).toEqual([101, 102, 104]);
  expect(cash.total).toBe(5159042);
});

it('of banking accounts a credit card is no cash', () => {
  const one: BankingAccount = {
    bankingAccountID: 1,
    accountNumber: '',
    routingNumber: '',
    entityID: 1,
    name: 'Checking',
    glAccountID: 101,
    allowPayments: true,
    allowDeposits: true,
    creditCards: false,
    documentLinks: [],
    currentBalance: cents(2500),
    lastReconciledDate: null,
    rowVersion: 1,
  };
  const cash = cashOfBanking([one, { ...one, bankingAccountID: 2, creditCards: true, currentBalance: cents(-900) }]);
  expect(cash).toEqual({ lines: [{ id: 1, label: 'Checking', amount: 2500 }], total: 2500 });
});
