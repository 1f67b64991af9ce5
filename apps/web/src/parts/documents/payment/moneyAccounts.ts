import { bankingCalls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { NOTHING } from '@evenkeel/core/nothing';
import { ask, inAlert, useRead } from '../../../client/api.ts';
import { nextCheckNumber } from '@evenkeel/core/documents/checks';
import type { DocumentSide } from '../side.ts';

const ALL = { query: { inactive: 'true' } } as const;

/**
 * Loads the payment types, including inactive ones for saved payments that have them. Also loads the accounts that
 * payments come from or go to: bank accounts first, and then payment accounts.
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

/** The prefixes of form keys for bank accounts and for payment accounts (GL accounts). */
export const bankKey = (id: number): string => `bank ${id}`;
export const accountKey = (id: number): string => `account ${id}`;

/** Returns the form key for a payment's account. A payment has either a bank account or a payment account. */
export function moneyKey(payment: { bankAccountId: number | null; paymentAccountId: number | null }): string | null {
  if (payment.bankAccountId !== null) return bankKey(payment.bankAccountId);
  return payment.paymentAccountId === null ? null : accountKey(payment.paymentAccountId);
}

type Takes = DocumentSide['takes'];

/** Returns only the bank accounts, with their IDs. Includes `current` even if it can no longer be selected. */
export function bankOptions({ banks }: PaymentChoices, takes: Takes, current: number | null) {
  return banks
    .filter((bank) => bank[takes] || bank.bankingAccountID === current)
    .map((bank) => ({ id: bank.bankingAccountID, label: bank.name }));
}

/**
 * Returns the accounts that payments can come from or go to, with their form keys as IDs. Includes `current` even if it
 * can no longer be selected.
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

/**
 * Returns the form key of the only bank account, which is selected by default, or null if there are several or none.
 */
export function onlyMoneyKey({ banks }: PaymentChoices, takes: Takes): string | null {
  const [only, ...others] = banks.filter((bank) => bank[takes] && !bank.creditCards);
  return only === undefined || others.length > 0 ? null : bankKey(only.bankingAccountID);
}

type Movement = 'payment' | 'refund';

/**
 * Loads the type and account of the user's last payment or refund. A new payment or refund starts with the same type
 * and account if they can still be selected.
 */
export function useLastChoice(side: DocumentSide, movement: Movement, { takes }: { takes: Takes } = side) {
  const choices = usePaymentChoices();
  const read = useRead(side.payments.defaults(), inAlert('Error Loading Payment Defaults'));
  const { [movement]: last = null, checks = [] } = read.value ?? {};
  const isOut = (side.core.name === 'payable') === (movement === 'payment');
  const typeId = choices.types.find(({ id, active }) => active && id === last?.paymentTypeId)?.id ?? null;
  const lastKey = last === null ? null : moneyKey(last);
  const money = moneyOptions(choices, takes, null).find(({ id, ...one }) => {
    return id === lastKey && !('isRetired' in one && one.isRetired);
  })?.id;
  return {
    choices,
    isAnswered: read.isAnswered,
    /** Fills in the type and the account unless the user has selected them. */
    filledIn: <Form extends { paymentTypeId: number | null; money: string | null }>(typed: Form): Form => ({
      ...typed,
      paymentTypeId: typed.paymentTypeId ?? typeId,
      money: typed.money ?? money ?? onlyMoneyKey(choices, takes),
    }),
    /** The hint below the account. It says that the type and account come from the last payment. */
    hintFor: (form: { paymentTypeId: number | null; money: string | null }): string | undefined => {
      if (money === undefined || form.money !== money || (typeId !== null && form.paymentTypeId !== typeId)) {
        return undefined;
      }
      return `Same ${typeId === null ? 'account' : 'type and account'} as in your last ${movement}`;
    },
    /**
     * Returns the check number that is `place` numbers after the account's next one, and whether to fill it in. Vendor
     * payments have no type, so their check numbers continue only if the last payment was a check.
     */
    checkAfter: (key: string | null, place = 0): { number: string; isFilledIn: boolean } => {
      const check = isOut ? checks.find(({ bankAccountId }) => bankKey(bankAccountId) === key) : undefined;
      if (check === undefined) return { number: '', isFilledIn: false };
      const isFilledIn = side.core.hasPaymentTypes || check.isLatest;
      return { number: nextCheckNumber(check.nextNumber, place), isFilledIn };
    },
  };
}
export type LastChoice = ReturnType<typeof useLastChoice>;
