import { bankingCalls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { NOTHING } from '@evenkeel/core/nothing';
import { ask, inAlert, useRead } from '../../../client/api.ts';
import type { DocumentSide } from '../side.ts';

const ALL = { query: { inactive: 'true' } } as const;

/**
 * Loads the payment types, including inactive ones to show on saved payments. Also loads the accounts that payments
 * come from or go to: bank accounts first, and then payment accounts.
 */
export function usePaymentChoices() {
  const types = useRead(ask(bankingCalls.listPaymentTypes, ALL), inAlert('Error Loading PaymentTypes'));
  const banks = useRead(ask(bankingCalls.listBankingAccounts, { query: {} }), inAlert('Error Loading Accounts'));
  const accounts = useRead(ask(ledgerCalls.listPaymentAccounts, ALL), inAlert('Error Loading Payment Accounts'));
  return {
    types: types.value ?? [],
    banks: banks.value ?? [],
    accounts: accounts.value ?? [],
    isLoading: types.isLoading || banks.isLoading || accounts.isLoading,
  };
}
export type PaymentChoices = ReturnType<typeof usePaymentChoices>;

/** The form keys of bank accounts and of payment accounts (GL accounts). */
export const bankKey = (id: number): string => `bank ${id}`;
export const accountKey = (id: number): string => `account ${id}`;

/** Returns the form key for a payment's account. A payment has either a bank account or a payment account. */
export function moneyKey(payment: { bankAccountId: number | null; paymentAccountId: number | null }): string | null {
  if (payment.bankAccountId !== null) return bankKey(payment.bankAccountId);
  return payment.paymentAccountId === null ? null : accountKey(payment.paymentAccountId);
}

type Takes = DocumentSide['takes'];

/** Returns only the bank accounts, by ID. Includes `current` even if it can no longer be selected. */
export function bankOptions({ banks }: PaymentChoices, takes: Takes, current: number | null) {
  return banks
    .filter((bank) => bank[takes] || bank.bankingAccountID === current)
    .map((bank) => ({ id: bank.bankingAccountID, label: bank.name }));
}

/**
 * Returns the accounts that payments can come from or go to, by form key. Includes `current` even if it can no longer
 * be selected.
 */
export function moneyOptions({ banks, accounts }: PaymentChoices, takes: Takes, current: string | null) {
  const open = banks.filter((bank) => bank[takes] || bankKey(bank.bankingAccountID) === current);
  return [
    ...open.map((bank) => ({ id: bankKey(bank.bankingAccountID), label: bank.name, group: 'Bank accounts' })),
    ...accounts.map(({ customerAccountID, displayAccountLabel: label, active }) => ({
      id: accountKey(customerAccountID),
      label,
      group: 'Payment accounts',
      isRetired: !active,
    })),
  ];
}

export function moneyLabel(choices: PaymentChoices, takes: Takes, key: string | null): string {
  return moneyOptions(choices, takes, key).find((option) => option.id === key)?.label ?? NOTHING;
}

/** Returns the form key of the only bank account, which is selected by default. Null if there are several or none. */
export function onlyMoneyKey({ banks }: PaymentChoices, takes: Takes): string | null {
  const [only, ...others] = banks.filter((bank) => bank[takes] && !bank.creditCards);
  return only === undefined || others.length > 0 ? null : bankKey(only.bankingAccountID);
}
