import type { ChartAccount } from '@evenkeel/contract/ledger';
import { type AccountTypeInfo, accountTypeInfo, isAccountType, masterAccount } from '@evenkeel/core/books/accounts';

/**
 * Returns the behavior of an account type. A contra account behaves like its base type in the master chart. Undefined
 * for an unknown type.
 */
export function typeOf(
  account: Pick<ChartAccount, 'displayAccountType' | 'masterAccountID'>,
): AccountTypeInfo | undefined {
  if (!isAccountType(account.displayAccountType)) return undefined;
  return accountTypeInfo(account.displayAccountType, masterAccount(account.masterAccountID)?.contra ?? false);
}
