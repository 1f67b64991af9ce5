import { accountTypeInfo, isAccountType } from '@evenkeel/core/books/accounts';
import { refusedInDeposit } from '@evenkeel/core/banking/transfers';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { useMemo } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';

const ALL = ask(ledgerCalls.listAccounts, { query: { inactive: 'true' } });

/**
 * The accounts that money of a bank may be booked to, by type; and all that a saved line may name. `bankGlAccountId` is
 * the bank's own account, which no line names; 0 for none.
 */
export function usePostingAccounts(bankGlAccountId: number) {
  const { value: accounts, isLoading } = useRead(ALL, inAlert('Error Loading Accounts'));
  return useMemo(() => {
    const every = (accounts ?? []).map((one) => {
      const { customerAccountID: id, displayAccountLabel: label, displayAccountType: group, active } = one;
      return { id, label, group, isRetired: !active };
    });
    const isOffered = ({ id, group, isRetired }: (typeof every)[number]) =>
      !isRetired && isAccountType(group) && refusedInDeposit(id, accountTypeInfo(group), bankGlAccountId) === undefined;
    return { options: every.filter(isOffered), every, isLoading };
  }, [accounts, isLoading, bankGlAccountId]);
}
