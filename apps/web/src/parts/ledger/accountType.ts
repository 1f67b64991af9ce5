import type { ChartAccount } from '@evenkeel/contract/ledger';
import { type AccountTypeInfo, accountTypeInfo, isAccountType, masterAccount } from '@evenkeel/core/accounts';

/** How the account behaves; contra as its base in the master chart says. Undefined for a type that is not known. */
export function typeOf(
  account: Pick<ChartAccount, 'displayAccountType' | 'masterAccountID'>,
): AccountTypeInfo | undefined {
  if (!isAccountType(account.displayAccountType)) return undefined;
  return accountTypeInfo(account.displayAccountType, masterAccount(account.masterAccountID)?.contra ?? false);
}
