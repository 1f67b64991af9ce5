import { accountTypeInfo, isAccountType } from '@evenkeel/core/books/accounts';
import { refusedInDeposit } from '@evenkeel/core/banking/transfers';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { useMemo } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';

const ALL = ask(ledgerCalls.listAccounts, { query: { inactive: 'true' } });

/**
 * Returns the accounts that a bank transaction or deposit line can post to, grouped by type, and all accounts that a
 * saved line may use. `bankGlAccountId` is the GL account of the bank account itself, which lines can't use. Pass 0 if
 * there is none.
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
