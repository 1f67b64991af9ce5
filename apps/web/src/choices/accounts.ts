import { type AccountItem, ledgerCalls } from '@evenkeel/contract/ledger';
import { useRead } from '../api.ts';
import { useLoadAlert } from '../records/reads.ts';
import type { Choice } from './choice.ts';

const asChoices = (accounts: readonly AccountItem[] | undefined): Choice[] =>
  (accounts ?? []).map((one) => ({ id: one.customerAccountID, label: one.displayAccountLabel }));

/** Accounts by label: income accounts for lines and products, and every account that a saved one may name. */
export function useAccountChoices() {
  const revenue = useRead(ledgerCalls.listRevenueAccounts, {});
  const every = useRead(ledgerCalls.listAccounts, {});
  useLoadAlert(revenue.error, 'Error Loading Revenue Accounts');
  return { revenue: asChoices(revenue.data), accounts: asChoices(every.data) };
}
