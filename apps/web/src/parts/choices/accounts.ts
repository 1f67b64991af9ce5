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

/** With those that were removed: what was saved with one keeps its words. */
const ALL = ask(ledgerCalls.listAccounts, { query: { inactive: 'true' } });
const TOLD = inAlert('Error Loading Accounts');

const asChoices = (accounts: readonly AccountItem[] | undefined): Choice[] =>
  (accounts ?? []).map(({ customerAccountID: id, displayAccountLabel: label, active }) => {
    return { id, label, isRetired: !active };
  });

/** Accounts that the program keeps for itself, besides money and control accounts. */
const SYSTEM: readonly number[] = [
  SALES_TAX_PAYABLE,
  OPENING_BALANCE_EQUITY,
  RETAINED_EARNINGS,
  UNAPPLIED_CASH_INCOME,
  UNAPPLIED_CASH_EXPENSE,
];

/** Types that are bought most often come first. */
const SPENDING = ['Expense', 'Cost of Goods Sold', 'Other Expense'];
const rankOf = ({ displayAccountType }: AccountItem): number => (SPENDING.indexOf(displayAccountType) + 4) % 4;

/**
 * Accounts that a line of a bill may name (core's refusedOnLine), by type, expenses first; and every account that a
 * saved one may name. As a picker takes them.
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

/** Accounts by label: income accounts for lines and products, and every account that a saved one may name. */
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
