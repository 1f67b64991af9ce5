import type { ChartAccount } from '@evenkeel/contract/ledger';
import { expect, it } from 'vitest';
import { groupOf, inChartOrder } from './chart.ts';

function account(id: number, displayAccountType: string, number: string, name: string): ChartAccount {
  return {
    customerAccountID: id,
    customerAccountId: id,
    name,
    displayAccountName: name,
    displayAccountLabel: name,
    displayAccountNumber: number,
    displayAccountType,
    glAccountDescription: '',
    description: '',
    masterAccountID: id,
    accountCategoryId: 0,
    categoryName: '',
    active: true,
    system: false,
    rowVersion: 1,
  };
}

it('accounts are sorted by section as on statements, then by number, with unnumbered ones last', () => {
  const accounts = [
    account(1, 'Other Expense', '8000', 'Loss'),
    account(2, 'Cost of Goods Sold', '5000', 'Materials'),
    account(3, 'Bank', '', 'Another bank'),
    account(4, 'Bank', '1010', 'Savings'),
    account(5, 'Bank', '1000', 'Checking'),
    account(6, 'Accounts Payable', '2000', 'Payables'),
    account(7, 'Equity', '3000', 'Capital'),
    account(8, 'Income', '4000', 'Sales'),
  ];
  expect(inChartOrder(accounts).map((each) => each.customerAccountID)).toEqual([5, 4, 3, 6, 7, 8, 2, 1]);
  expect(inChartOrder(accounts).map(groupOf)).toEqual([
    'Assets',
    'Assets',
    'Assets',
    'Liabilities',
    'Equity',
    'Income',
    'Cost of Goods Sold',
    'Other Expenses',
  ]);
});
