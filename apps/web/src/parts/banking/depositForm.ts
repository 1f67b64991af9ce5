import type { Deposit, DepositInput, Receipt } from '@evenkeel/contract/transfers';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { checkDeposit, depositTotal } from '@evenkeel/core/banking/transfers';
import * as z from 'zod';
import { blankOf, Day, Money } from '../../records/formFields.ts';
import { because } from '../../records/reads.ts';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../attachments/attachmentForm.ts';
import { lineFields, withLine } from '../documents/entry/lineForm.ts';
import { receiptInput, receiptKey } from './moves.ts';

/** The data of the Deposit form, its validation, and its request. */

const DepositLineForm = z.object({
  ...lineFields,
  amount: Money.nullable(),
  /** A value that can't be edited here. The saved value is kept. */
  entityId: z.number().nullable(),
});
export type DepositLineForm = z.output<typeof DepositLineForm>;

export const DepositForm = z.object({
  depositDate: Day.nullable(),
  bankAccountId: z.number().nullable(),
  referenceNumber: z.string(),
  memo: z.string(),
  /** The keys of the selected receipts. */
  receipts: z.array(z.string()),
  lines: z.array(DepositLineForm),
  /** The unfinished line, or null if it is empty. */
  working: DepositLineForm.nullable(),
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type DepositForm = z.output<typeof DepositForm>;

export function depositFormOf(
  saved: Deposit | undefined,
  today: IsoDate,
  starts: Partial<DepositForm> = {},
): DepositForm {
  if (saved === undefined) return blankOf(DepositForm, { depositDate: today, ...starts });
  const { depositDate, bankAccountId, referenceNumber, memo, rowVersion } = saved;
  return {
    depositDate,
    bankAccountId,
    referenceNumber,
    memo,
    rowVersion,
    receipts: saved.receipts.map(receiptKey),
    lines: saved.lineItems.map((line, index) => ({ ...line, id: index + 1 })),
    working: null,
    documentLinks: attachmentsFormOf(saved.documentLinks),
  };
}

/** Returns the form with its unfinished line added to the other lines. */
export const settledDeposit = (form: DepositForm): DepositForm =>
  form.working === null ? form : { ...form, lines: withLine<DepositLineForm>(form.lines, form.working), working: null };

/** Returns the amounts of the selected receipts that still exist. */
export function chosenAmounts({ receipts }: DepositForm, all: readonly Receipt[]): Cents[] {
  const chosen = new Set(receipts);
  return all.filter((receipt) => chosen.has(receiptKey(receipt))).map(({ amount }) => amount);
}

const amountOf = ({ amount }: Pick<DepositLineForm, 'amount'>): Cents => amount ?? ZERO;

/** Returns the amount that is deposited in the bank account. */
export function totalOfDeposit(form: DepositForm, all: readonly Receipt[]): Cents {
  return depositTotal(
    chosenAmounts(form, all),
    settledDeposit(form).lines.map((line) => ({ amount: amountOf(line) })),
  );
}

export function depositFaults(form: DepositForm, all: readonly Receipt[]): FieldMessages {
  const date = form.depositDate === null ? { depositDate: 'Please enter a date' } : {};
  const lineItems = settledDeposit(form).lines.map((line) => ({ ...line, amount: amountOf(line) }));
  return { ...date, ...checkDeposit({ ...form, receipts: chosenAmounts(form, all), lineItems }) };
}

/** Validates one line. Returns error messages by field. */
export function depositLineFaults({ accountId, amount }: DepositLineForm): FieldMessages {
  return {
    ...(accountId === null ? { accountId: 'Please Select an Account' } : {}),
    ...(amount === null || amount === 0 ? { amount: 'Please enter an amount' } : {}),
  };
}

/**
 * Returns the request body with the selected receipts that still exist. Throws if the date is missing, which validation
 * prevents.
 */
export function depositInput(typed: DepositForm, all: readonly Receipt[], reason: string): DepositInput {
  const { depositDate, receipts, lines, documentLinks, working: _, ...form } = settledDeposit(typed);
  if (depositDate === null) throw new Error('the deposit was not validated');
  const here = new Set(all.map(receiptKey));
  return {
    ...form,
    depositDate,
    receipts: receipts.filter((key) => here.has(key)).map(receiptInput),
    lineItems: lines.map(({ id: _id, ...line }) => ({ ...line, amount: amountOf(line) })),
    documentLinks: attachmentsInput(documentLinks),
    ...because(reason),
  };
}
