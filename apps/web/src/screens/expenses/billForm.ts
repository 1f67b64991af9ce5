import type { ExpenseInvoice, ExpenseInvoiceInput } from '@evenkeel/contract/expenses';
import { billTotal, checkBill } from '@evenkeel/core/bill';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { LineRequirements } from '@evenkeel/core/invoice';
import { type Cents, ZERO } from '@evenkeel/core/money';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../../parts/attachments/attachmentForm.ts';
import {
  blankDocument,
  differs,
  documentFields,
  documentFormOf,
  documentInput,
  dueOf,
  faultsOfLine,
  lineFields,
  nextLine,
  settled,
  withDate,
} from '../../parts/documents/lineForm.ts';
import { asForm, blankOf, Day, Money } from '../../records/formFields.ts';

/** The Expense Entry form as data: what is typed, what is wrong with it, what it comes to, what is sent. */

const BillLine = z.object({
  ...lineFields,
  amount: Money.nullable(),
  /** Counts negative. */
  creditLine: z.boolean(),
});
export type BillLine = z.output<typeof BillLine>;

export const BillForm = z.object({
  ...documentFields,
  vendorId: z.number().nullable(),
  invoiceNumber: z.string(),
  locationId: z.number().nullable(),
  /** Missing until it is typed: the invoice date. */
  postingDate: Day.nullable().optional(),
  postToVendorAccount: z.boolean(),
  /** From where it is paid at once when it is not posted to the vendor. */
  bankAccountId: z.number().nullable(),
  lines: z.array(BillLine),
  working: BillLine.nullable(),
  documentLinks: AttachmentsForm,
});
export type BillForm = z.output<typeof BillForm>;

export function blankBill(today: IsoDate): BillForm {
  return blankOf(BillForm, { ...blankDocument(today), postToVendorAccount: true });
}

export function billFormOf(bill: ExpenseInvoice): BillForm {
  const documentLinks = attachmentsFormOf(bill.documentLinks);
  return asForm(BillForm, { ...bill, ...documentFormOf(bill, lineOf), documentLinks });
}

function lineOf(line: ExpenseInvoice['lineItems'][number]): BillLine {
  return asForm(BillLine, { ...line, amount: line.lineItemAmount, locationId: null });
}

/** A new line; its profit center as on the line before. */
export function blankBillLine(lines: readonly BillLine[], form: BillForm): BillLine {
  return blankOf(BillLine, nextLine(lines, form));
}

/** Nothing is in it but perhaps a description. */
export const isBlankBillLine = (line: BillLine): boolean => line.amount === null && line.accountId === null;

/** When it is posted: as typed, else the invoice date. */
export function postingDateOf({ postingDate, invoiceDate }: BillForm): IsoDate | null {
  return postingDate === undefined ? invoiceDate : postingDate;
}

/** The amount that a line shows and adds: a credit line counts negative. */
export const billLineTotal = (line: BillLine): Cents => billTotal([checkable(line)]);

export const billFormTotal = (form: BillForm): Cents => billTotal(settled(form).lines.map(checkable));

function checkable(line: BillLine) {
  const { description, accountId, profitCenterId, creditLine } = line;
  return { description, accountId, profitCenterId, creditLine, lineItemAmount: line.amount ?? ZERO };
}

/** Messages that stand in the way of saving: fields of the head by name, lines as `lineItems.0.description`. */
export function billFaults(form: BillForm, required: LineRequirements): FieldMessages {
  const { vendorId, invoiceNumber, locationId } = form;
  const lineItems = form.lines.map(checkable);
  const faults = checkBill({ vendorId: vendorId ?? 0, invoiceNumber, locationId, lineItems }, required);
  if (form.invoiceDate === null) faults['invoiceDate'] = 'Please enter a date';
  if (!form.postToVendorAccount && form.bankAccountId === null)
    faults['bankAccountId'] = 'Please Select a Cash Account';
  form.lines.forEach((line, index) => {
    if (line.amount === null) faults[`lineItems.${index}.lineItemAmount`] = 'Please enter an amount';
  });
  return faults;
}

/** Messages of one line by the property they belong to. */
export function billLineFaults(line: BillLine, required: LineRequirements): FieldMessages {
  const bill = { vendorId: 0, invoiceNumber: '', locationId: null, lineItems: [checkable(line)] };
  const faults = faultsOfLine(checkBill(bill, required), { lineItemAmount: 'amount' });
  return line.amount === null ? { ...faults, amount: 'Please enter an amount' } : faults;
}

/** With another invoice date: due and posting date go on following it unless they were typed otherwise. */
export function withBillDate(form: BillForm, invoiceDate: IsoDate | null, terms: number): BillForm {
  const follows = postingDateOf(form) === form.invoiceDate;
  return { ...withDate(form, invoiceDate, terms), postingDate: follows ? undefined : form.postingDate };
}

/** Whether there is something to save: a line or document changed, or a field of the head. */
export function isChanged(form: BillForm, stored: BillForm, terms: number): boolean {
  return differs(form, stored, (one) => ({ dueDate: dueOf(one, terms), postingDate: postingDateOf(one) }));
}

/** The body to send: removed lines as deleted, no totals (the server works them out). Throws without vendor or date. */
export function billInput(form: BillForm, id: number, reason: string): ExpenseInvoiceInput {
  const { vendorId, postToVendorAccount } = form;
  if (vendorId === null) throw new Error('an unchecked bill is not sent');
  const gone = form.removed.map((lineId) => ({ id: lineId, lineItemAmount: ZERO, description: '', deleted: true }));
  return {
    ...documentInput(form, id, reason),
    vendorId,
    invoiceNumber: form.invoiceNumber.trim(),
    locationId: form.locationId,
    postingDate: postingDateOf(form),
    postToVendorAccount,
    bankAccountId: postToVendorAccount ? null : form.bankAccountId,
    lineItems: [...form.lines.map((line) => ({ id: line.id, ...checkable(line) })), ...gone],
    documentLinks: attachmentsInput(form.documentLinks),
  };
}
