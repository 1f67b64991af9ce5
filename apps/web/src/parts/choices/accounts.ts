import { type AccountItem, ledgerCalls } from '@evenkeel/contract/ledger';
import {
  OPENING_BALANCE_EQUITY,
  refusedOnLine,
  RETAINED_EARNINGS,
  SALES_TAX_PAYABLE,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from '@evenkeel/core/accounts';
import { useMemo } from 'react';
import { useRead } from '../../client/api.ts';
import { useLoadAlert } from '../../records/reads.ts';
import type { Choice } from './choice.ts';

/** With those that were removed: what was saved with one keeps its words. */
const ALL = { query: { inactive: 'true' } } as const;

const asChoices = (accounts: readonly AccountItem[] | undefined): Choice[] =>
  (accounts ?? []).map(({ customerAccountID: id, displayAccountLabel: label, active }) => {
    return { id, label, isRetired: !active };
  });

/** What the program keeps for itself, besides money and control accounts. */
const SYSTEM: readonly number[] = [
  SALES_TAX_PAYABLE,
  OPENING_BALANCE_EQUITY,
  RETAINED_EARNINGS,
  UNAPPLIED_CASH_INCOME,
  UNAPPLIED_CASH_EXPENSE,
];

/** What is bought most often stands first. */
const SPENDING = ['Expense', 'Cost of Goods Sold', 'Other Expense'];
const rankOf = ({ displayAccountType }: AccountItem): number => (SPENDING.indexOf(displayAccountType) + 4) % 4;

/**
 * Accounts that a line of a bill may name (core's refusedOnLine), by type, expenses first; and every account that a
 * saved one may name. As a picker takes them.
 */
export function useSpendingChoices() {
  const read = useRead(ledgerCalls.listAccounts, ALL);
  useLoadAlert(read.error, 'Error Loading Accounts', read.refetch);
  const { data: accounts, isPending: isLoading } = read;
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
  const revenue = useRead(ledgerCalls.listRevenueAccounts, { query: {} });
  const every = useRead(ledgerCalls.listAccounts, ALL);
  useLoadAlert(revenue.error, 'Error Loading Revenue Accounts', revenue.refetch);
  useLoadAlert(every.error, 'Error Loading Accounts', every.refetch);
  return useMemo(
    () => ({ revenue: asChoices(revenue.data), accounts: asChoices(every.data), isLoadingAccounts: revenue.isPending }),
    [revenue.data, revenue.isPending, every.data],
  );
}
