import type { Transfer, TransferInput } from '@evenkeel/contract/transfers';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { ZERO } from '@evenkeel/core/money';
import { checkTransfer } from '@evenkeel/core/banking/transfers';
import * as z from 'zod';
import { asForm, blankOf, Day, Money } from '../../records/formFields.ts';
import { because } from '../../records/reads.ts';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../attachments/attachmentForm.ts';

/** The data of the Transfer form, its validation, and its request. */

export const TransferForm = z.object({
  transferDate: Day.nullable(),
  fromBankAccountId: z.number().nullable(),
  toBankAccountId: z.number().nullable(),
  amount: Money.nullable(),
  referenceNumber: z.string(),
  memo: z.string(),
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type TransferForm = z.output<typeof TransferForm>;

export function transferFormOf(
  saved: Transfer | undefined,
  today: IsoDate,
  starts: Partial<TransferForm> = {},
): TransferForm {
  if (saved === undefined) return blankOf(TransferForm, { transferDate: today, ...starts });
  return asForm(TransferForm, { ...saved, documentLinks: attachmentsFormOf(saved.documentLinks) });
}

export function transferFaults(form: TransferForm): FieldMessages {
  const date = form.transferDate === null ? { transferDate: 'Please enter a date' } : {};
  return { ...date, ...checkTransfer({ ...form, amount: form.amount ?? ZERO }) };
}

/** Returns the request body. Throws if the date is missing, which validation prevents. */
export function transferInput(
  { transferDate, amount, documentLinks, ...form }: TransferForm,
  reason: string,
): TransferInput {
  if (transferDate === null) throw new Error('the transfer was not validated');
  const files = attachmentsInput(documentLinks);
  return { ...form, transferDate, amount: amount ?? ZERO, documentLinks: files, ...because(reason) };
}
