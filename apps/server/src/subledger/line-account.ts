import { ACCOUNT_INACTIVE, refusedOnLine } from '@evenkeel/core/accounts';
import type { Side } from '@evenkeel/core/side';
import type { References } from './references.sql.ts';

/** Why a line may not name this account; undefined where it may, also what it named before and is inactive by now. */
export function lineAccountFault(
  account: References['accounts'][number] | undefined,
  { name }: Side,
  before: number | null | undefined,
): string | undefined {
  if (account === undefined) return 'Please Select an Account';
  if (account.id === before) return undefined;
  return account.active ? refusedOnLine(account, name) : ACCOUNT_INACTIVE;
}
