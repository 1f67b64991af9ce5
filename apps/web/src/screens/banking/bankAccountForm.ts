import { BANK_KINDS, type BankingAccount, type BankingAccountInput } from '@evenkeel/contract/banking';
import { checkBankingAccount } from '@evenkeel/core/banking/banking';
import type { FieldMessages } from '@evenkeel/core/failure';
import { negate } from '@evenkeel/core/money';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../../parts/attachments/attachmentForm.ts';
import { asForm, blankOf, Day, Money } from '../../records/formFields.ts';

/** The data of the bank account form: its fields, its validation, and its request. */

export const BankAccountForm = z.object({
  name: z.string(),
  /** The masked number from the server, or a new number as digits. */
  accountNumber: z.string(),
  routingNumber: z.string(),
  glAccountID: z.number().nullable(),
  /** The type of GL account to create, or null to use an existing account. */
  kind: z.enum(BANK_KINDS).nullable(),
  /** For a card, the amount owed. */
  openingBalance: Money.nullable(),
  openingDate: Day.nullable(),
  allowPayments: z.boolean(),
  allowDeposits: z.boolean(),
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type BankAccountForm = z.output<typeof BankAccountForm>;

const NO_OPENING = { kind: null, openingBalance: null, openingDate: null };

/** Returns the form for a saved or a new account. A new account creates its GL account if the user has permission. */
export function bankAccountFormOf(account: BankingAccount | undefined, createsGlAccount = false): BankAccountForm {
  if (account === undefined) {
    const kind = createsGlAccount ? 'Checking' : null;
    return blankOf(BankAccountForm, { allowPayments: true, allowDeposits: true, kind });
  }
  const documentLinks = attachmentsFormOf(account.documentLinks);
  return asForm(BankAccountForm, { ...account, ...NO_OPENING, documentLinks });
}

/** Returns the request. The opening balance of a card is the amount owed, so it is sent as a negative amount. */
export function bankAccountInput(form: BankAccountForm): BankingAccountInput {
  const { kind, openingBalance, openingDate } = form;
  const isOwed = kind === 'Credit Card' && openingBalance !== null;
  return {
    ...form,
    ...(kind === null
      ? { ...NO_OPENING, glAccountID: form.glAccountID ?? 0 }
      : { glAccountID: 0, openingBalance: isOwed ? negate(openingBalance) : openingBalance, openingDate }),
    documentLinks: attachmentsInput(form.documentLinks),
  };
}

/** Returns messages by field. A masked number that came from the server is valid. */
export const bankAccountFaults = (form: BankAccountForm, saved: BankingAccount | undefined): FieldMessages =>
  checkBankingAccount(form.kind === null ? { ...form, ...NO_OPENING } : form, saved?.accountNumber);
