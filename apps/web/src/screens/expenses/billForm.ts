import { ExpenseInvoice, type ExpenseInvoiceInput } from '@evenkeel/contract/expenses';
import { billTotal, checkBill } from '@evenkeel/core/documents/bill';
import type { IsoDate } from '@evenkeel/core/dates';
import type { LineRequirements } from '@evenkeel/core/documents/invoice';
import { type Cents, ZERO } from '@evenkeel/core/money';
import * as z from 'zod';
import { AttachmentsForm, attachmentsInput } from '../../parts/attachments/attachmentForm.ts';
import { entryKind } from '../../parts/documents/entry/entryKind.ts';
import {
  documentFields,
  documentInput,
  faultsOfLine,
  lineFields,
  linesInput,
  settled,
} from '../../parts/documents/entry/lineForm.ts';
import { Day, Money } from '../../records/formFields.ts';
import { BILLS, EXPENSES } from './records.ts';

/** The data of the Expense Entry form, its validation, totals, and request. */

const BillLine = z.object({
  ...lineFields,
  amount: Money.nullable(),
  /** Whether the line's amount counts as negative. */
  creditLine: z.boolean(),
});
export type BillLine = z.output<typeof BillLine>;

export const BillForm = z.object({
  ...documentFields(BillLine),
  vendorId: z.number().nullable(),
  invoiceNumber: z.string(),
  locationId: z.number().nullable(),
  /** Missing until the user edits the date. The default is the invoice date. */
  postingDate: Day.nullable().optional(),
  postToVendorAccount: z.boolean(),
  /** The account that the bill is paid from if it isn't posted to the vendor. */
  bankAccountId: z.number().nullable(),
  voided: z.boolean(),
  documentLinks: AttachmentsForm,
});
export type BillForm = z.output<typeof BillForm>;

export const BILL_ENTRY = entryKind({
  posts: true,
  title: 'Expense Entry',
  words: { save: 'Save/Send', remove: 'Delete Invoice' },
  draft: 'expense',
  side: EXPENSES,
  records: BILLS,
  schema: BillForm,
  line: BillLine,
  reply: ExpenseInvoice,
  lineOf: (line) => ({ amount: line.lineItemAmount, locationId: null }),
  starts: { postToVendorAccount: true },
  hasDiscount: true,
  isBlankLine: (line) => line.amount === null && line.accountId === null,
  entityId: (form) => form.vendorId,
  dated: (form, before) => (postingDateOf(before) === before.invoiceDate ? { ...form, postingDate: undefined } : form),
  check: ({ vendorId, lines, ...form }, required) =>
    checkBill({ ...form, vendorId: vendorId ?? 0, lineItems: lines.map(checkable) }, required),
  lineFaults: (line: BillLine, required: LineRequirements) => {
    const bill = { vendorId: 0, lineItems: [checkable(line)] };
    const faults = faultsOfLine(checkBill(bill, required), { lineItemAmount: 'amount' });
    return line.amount === null ? { ...faults, amount: 'Please enter an amount' } : faults;
  },
  copied: () => ({ invoiceNumber: '', voided: false, postingDate: undefined, documentLinks: [] }),
  following: (form) => ({ postingDate: postingDateOf(form) }),
  input: billInput,
  isPayable: (bill) => bill.openAmount > 0,
});

/** Returns the posting date that the user entered, or the invoice date. */
export function postingDateOf({ postingDate, invoiceDate }: BillForm): IsoDate | null {
  return postingDate === undefined ? invoiceDate : postingDate;
}

/** Returns the amount of a line. A credit line is negative. */
export const billLineTotal = (line: BillLine): Cents => billTotal([checkable(line)]);

export const billFormTotal = (form: BillForm): Cents => billTotal(settled(form).lines.map(checkable));

function checkable({ description, accountId, profitCenterId, creditLine, amount }: BillLine) {
  return { description, accountId, profitCenterId, creditLine, lineItemAmount: amount ?? ZERO };
}

/**
 * Returns the request. Removed lines are sent as deleted. The server calculates the totals. Throws if the vendor or
 * date is missing.
 */
function billInput(form: BillForm, id: number, reason: string): ExpenseInvoiceInput {
  const { vendorId, postToVendorAccount, locationId, voided } = form;
  if (vendorId === null) throw new Error('the bill was not validated');
  return {
    ...documentInput(form, id, reason),
    vendorId,
    invoiceNumber: form.invoiceNumber.trim(),
    locationId,
    postingDate: postingDateOf(form),
    postToVendorAccount,
    bankAccountId: postToVendorAccount ? null : form.bankAccountId,
    voided,
    lineItems: linesInput(form, (line) => ({ id: line.id, ...checkable(line) }), { lineItemAmount: ZERO }),
    documentLinks: attachmentsInput(form.documentLinks),
  };
}
