import type { BankingAccount, BankingAccountInput } from '@evenkeel/contract/banking';
import { checkBankingAccount } from '@evenkeel/core/banking/banking';
import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../../parts/attachments/attachmentForm.ts';
import { asForm, blankOf } from '../../records/formFields.ts';

/** The bank account form as data: what is typed, what is wrong with it, what is sent. */

export const BankAccountForm = z.object({
  name: z.string(),
  /** Masked as it came, or a new number in digits. */
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

/** Messages by field; a number as it came masked may stay. */
export const bankAccountFaults = (form: BankAccountForm, saved: BankingAccount | undefined): FieldMessages =>
  checkBankingAccount(form, saved?.accountNumber);
