import { accountKey, bankKey } from './paymentForm.ts';
import type { PaymentChoices } from './queries.ts';

/** Where a payment can be deposited, by the form's key; `current` stays though it takes no deposits any more. */
export function depositOptions({ banks, accounts }: PaymentChoices, current: string | null) {
  const open = banks.filter((bank) => bank.allowDeposits || bankKey(bank.bankingAccountID) === current);
  return [
    ...open.map((bank) => ({ id: bankKey(bank.bankingAccountID), label: bank.name, group: 'Bank accounts' })),
    ...accounts.map((account) => ({
      id: accountKey(account.customerAccountID),
      label: account.displayAccountLabel,
      group: 'Payment accounts',
    })),
  ];
}

export function depositLabel(choices: PaymentChoices, key: string | null): string {
  return depositOptions(choices, key).find((option) => option.id === key)?.label ?? '–';
}
