import type { ChartAccount } from '@evenkeel/contract/ledger';
import type { AccountTypeInfo } from '@evenkeel/core/books/accounts';
import { refuse } from '@evenkeel/core/failure';
import { typeOf } from './accountType.ts';

const ROOTS = { Asset: 'Assets', Liability: 'Liabilities', Equity: 'Equity' } as const;
const ORDER = [
  'Assets',
  'Liabilities',
  'Equity',
  'Income',
  'Cost of Goods Sold',
  'Expenses',
  'Other Income',
  'Other Expenses',
];

/**
 * Returns the heading for an account. Balance sheet accounts are grouped by root, and income and expenses by section.
 */
export function groupOf(account: Pick<ChartAccount, 'displayAccountType' | 'masterAccountID'>): string {
  const info = typeOf(account);
  if (info === undefined) return account.displayAccountType;
  if (info.root === 'Income' || info.root === 'Expense') return info.section;
  return ROOTS[info.root];
}

const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

/** Returns the accounts in financial statement order: by group, number, and name. */
export function inChartOrder<Account extends ChartAccount>(accounts: readonly Account[]): Account[] {
  const rank = (account: Account) => {
    const index = ORDER.indexOf(groupOf(account));
    return index === -1 ? ORDER.length : index;
  };
  return accounts.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      Number(a.displayAccountNumber === '') - Number(b.displayAccountNumber === '') ||
      collator.compare(a.displayAccountNumber, b.displayAccountNumber) ||
      collator.compare(a.displayAccountName, b.displayAccountName),
  );
}

/**
 * Returns a function that returns the type of an account, for the posting rules. The returned function throws for an
 * account that is no longer in the chart.
 */
export function accountTypes(accounts: readonly ChartAccount[]): (id: number) => AccountTypeInfo {
  const byId = new Map(accounts.map((account) => [account.customerAccountID, typeOf(account)]));
  return (id) => {
    const info = byId.get(id);
    if (info === undefined) throw refuse('Please Select an Account');
    return info;
  };
}
