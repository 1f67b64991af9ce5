import { type BankingAccount, type BankingAccountInput, bankingCalls } from '@evenkeel/contract/banking';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { ask } from '../../client/api.ts';
import { inactiveQuery } from '../../records/reads.ts';
import { records } from '../../records/records.ts';

export const BANKING_TABS = ['accounts', 'review', 'reconciliations'] as const;
export type BankingTab = (typeof BANKING_TABS)[number];

/** Bank, cash, and credit card accounts. */
export const bankAccounts = records<BankingAccount, BankingAccount, BankingAccountInput>({
  words: {
    one: 'bank account',
    many: 'bank accounts',
    loadAll: 'Error Loading Accounts',
    loadOne: 'Error Loading Accounts',
  },
  idOf: (one) => one.bankingAccountID,
  list: (inactive) => ask(bankingCalls.listBankingAccounts, { query: inactiveQuery(inactive) }),
  get: (id) => ask(bankingCalls.getBankingAccount, { params: { id } }),
  create: (body) => ask(bankingCalls.createBankingAccount, { body }),
  update: (id, body) => ask(bankingCalls.updateBankingAccount, { params: { id }, body }),
  remove: (id) => ask(bankingCalls.deleteBankingAccount, { params: { id } }),
});

export const reconciledAccounts = ask(bankingCalls.reconciledAccounts, {});

export const reconciliationsOf = (bankAccountId: number) =>
  ask(reconciliationCalls.listReconciliations, { params: { bankAccountId } });

export const reconciliationOf = (id: number) => ask(reconciliationCalls.getReconciliation, { params: { id } });

export const reportOf = (id: number) => ask(reconciliationCalls.reconciliationReport, { params: { id } });

export const progressOf = (bankAccountId: number) =>
  ask(reconciliationCalls.getReconciliationProgress, { params: { bankAccountId } });

export const unreconciledOf = (glAccountId: number) =>
  ask(reconciliationCalls.unreconciledEntries, { params: { glAccountId }, query: {} });

/** Returns the last four digits of the account number, or undefined without a number. */
export function endingOf({ accountNumber }: Pick<BankingAccount, 'accountNumber'>): string | undefined {
  return /\d{4}$/.exec(accountNumber)?.[0];
}
