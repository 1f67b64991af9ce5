import { accountLabel, masterAccounts } from '../books/accounts.ts';
import type { ReportAccount } from '../reports/balances.ts';

/** The master chart in the format that reports use. */
export const reportAccounts: readonly ReportAccount[] = masterAccounts.map((account) => {
  const named = { number: account.accountNumber, name: account.accountName };
  const { id, accountTypeLabel: type, contra, category } = account;
  return { id, ...named, type, contra, category, label: accountLabel(named, true) };
});
