import { type AccountItem, ledgerCalls } from '@evenkeel/contract/ledger';
import {
  OPENING_BALANCE_EQUITY,
  refusedOnLine,
  RETAINED_EARNINGS,
  SALES_TAX_PAYABLE,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from '@evenkeel/core/books/accounts';
import { useMemo } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import type { Choice } from './choice.ts';

/**
 * All accounts, including inactive ones, so that saved records with an inactive account still show the account's name.
 */
const ALL = ask(ledgerCalls.listAccounts, { query: { inactive: 'true' } });
const TOLD = inAlert('Error Loading Accounts');

const asChoices = (accounts: readonly AccountItem[] | undefined): Choice[] =>
  (accounts ?? []).map(({ customerAccountID: id, displayAccountLabel: label, active }) => {
    return { id, label, isRetired: !active };
  });

/** System account types that users can't post to, in addition to bank and control accounts. */
const SYSTEM: readonly number[] = [
  SALES_TAX_PAYABLE,
  OPENING_BALANCE_EQUITY,
  RETAINED_EARNINGS,
  UNAPPLIED_CASH_INCOME,
  UNAPPLIED_CASH_EXPENSE,
];

/** The account types that purchases use most often, which come first in the list. */
const SPENDING = ['Expense', 'Cost of Goods Sold', 'Other Expense'];
const rankOf = ({ displayAccountType }: AccountItem): number => (SPENDING.indexOf(displayAccountType) + 4) % 4;

/**
 * Returns the accounts that a bill line can use (core's refusedOnLine) as picker options, grouped by type, with
 * expenses first. Also returns every account that a saved line may use.
 */
export function useSpendingChoices() {
  const { value: accounts, isLoading } = useRead(ALL, TOLD);
  return useMemo(() => {
    const options = (accounts ?? [])
      .filter(({ customerAccountID: id, displayAccountType: type, active }) => {
        const account = { type, contra: false, system: SYSTEM.includes(id) };
        return active && refusedOnLine(account, 'payable') === undefined;
      })
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .map((one) => ({ id: one.customerAccountID, label: one.displayAccountLabel, group: one.displayAccountType }));
    return { options, every: asChoices(accounts), isLoading };
  }, [accounts, isLoading]);
}

/** Returns the label of an account, or an empty string while the accounts load or if the ID is null. */
export function useAccountLabel(id: number | null): string {
  const { value: accounts } = useRead(ALL, { ...TOLD, enabled: id !== null });
  return accounts?.find(({ customerAccountID }) => customerAccountID === id)?.displayAccountLabel ?? '';
}

/**
 * Returns accounts as options: the income accounts for lines and products, and every account that a saved record may
 * use.
 */
export function useAccountChoices() {
  const revenue = useRead(ask(ledgerCalls.listRevenueAccounts, { query: {} }), {
    ...TOLD,
    alert: 'Error Loading Revenue Accounts',
  });
  const every = useRead(ALL, TOLD);
  return useMemo(
    () => ({
      revenue: asChoices(revenue.value),
      accounts: asChoices(every.value),
      isLoadingAccounts: revenue.isLoading,
    }),
    [revenue.value, revenue.isLoading, every.value],
  );
}
