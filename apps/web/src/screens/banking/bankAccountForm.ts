import type { BankingAccount, BankingAccountInput } from '@evenkeel/contract/banking';
import { checkBankingAccount } from '@evenkeel/core/banking/banking';
import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../../parts/attachments/attachmentForm.ts';
import { asForm, blankOf } from '../../records/formFields.ts';

/** The data of the bank account form, its validation, and its request. */

export const BankAccountForm = z.object({
  name: z.string(),
  /** The masked number from the server, or a new number in digits. */
  accountNumber: z.string(),
  routingNumber: z.string(),
  glAccountID: z.number().nullable(),
  allowPayments: z.boolean(),
  allowDeposits: z.boolean(),
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type BankAccountForm = z.output<typeof BankAccountForm>;

export function bankAccountFormOf(account: BankingAccount | undefined): BankAccountForm {
  if (account === undefined) return blankOf(BankAccountForm, { allowPayments: true, allowDeposits: true });
  return asForm(BankAccountForm, { ...account, documentLinks: attachmentsFormOf(account.documentLinks) });
}

export const bankAccountInput = (form: BankAccountForm): BankingAccountInput => ({
  ...form,
  glAccountID: form.glAccountID ?? 0,
  documentLinks: attachmentsInput(form.documentLinks),
});

/** Returns messages by field. An unchanged masked number is valid. */
export const bankAccountFaults = (form: BankAccountForm, saved: BankingAccount | undefined): FieldMessages =>
  checkBankingAccount(form, saved?.accountNumber);
