import type { BillingPayment, BillingPaymentInput, CustomerOpenInvoice } from '@evenkeel/contract/billing';
import { checkApplications, fill, listOrder, type OpenInvoice } from '@evenkeel/core/allocation';
import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { Failure, type FieldMessages } from '@evenkeel/core/failure';
import { type Cents, cents, formatUsd, sum, ZERO } from '@evenkeel/core/money';
import * as z from 'zod';

/** The Add Billing Payment form as data: what is typed, what it applies to which invoice, what is sent. */

const Money = z.custom<Cents>(Number.isSafeInteger);
const Day = z.custom<IsoDate>((value) => typeof value === 'string' && isIsoDate(value));

export const PaymentForm = z.object({
  customerId: z.number().nullable(),
  paymentDate: Day.nullable(),
  paymentTypeId: z.number().nullable(),
  amount: Money.nullable(),
  refNumber: z.string(),
  checkNumber: z.string(),
  description: z.string(),
  /** `bank 5` (a banking account) or `account 12` (a GL account of the payment accounts). */
  deposit: z.string().nullable(),
  /** Cents by invoice id; null: filled in list order from the amount, also when the invoices are read later. */
  applied: z.record(z.string(), Money).nullable(),
  rowVersion: z.number().nullable(),
});
export type PaymentForm = z.output<typeof PaymentForm>;

export interface PaymentStart {
  today: IsoDate;
  customerId?: number | undefined;
  /** Pay Invoice: prefilled with its open amount, applied to it (Specification part 1 §4). */
  invoice?: { id: number; openAmount: Cents } | undefined;
}

export function blankPayment({ today, customerId, invoice }: PaymentStart): PaymentForm {
  return {
    customerId: customerId ?? null,
    paymentDate: today,
    paymentTypeId: null,
    amount: invoice?.openAmount ?? null,
    refNumber: '',
    checkNumber: '',
    description: '',
    deposit: null,
    applied: invoice === undefined ? null : { [invoice.id]: invoice.openAmount },
    rowVersion: null,
  };
}

export const bankKey = (id: number): string => `bank ${id}`;
export const accountKey = (id: number): string => `account ${id}`;

export function paymentFormOf(payment: BillingPayment): PaymentForm {
  return {
    customerId: payment.customerId,
    paymentDate: payment.paymentDate,
    paymentTypeId: payment.paymentTypeId,
    amount: payment.paymentAmount,
    refNumber: payment.paymentRefNo,
    checkNumber: payment.paymentCheckNo,
    description: payment.paymentDescription,
    deposit: depositKey(payment),
    applied: Object.fromEntries(payment.paymentApplications.map((each) => [each.invoiceId, each.amount])),
    rowVersion: payment.rowVersion,
  };
}

/** Exactly one of the two is set on a payment. */
export function depositKey(payment: Pick<BillingPayment, 'bankAccountId' | 'paymentAccountId'>): string | null {
  if (payment.bankAccountId !== null) return bankKey(payment.bankAccountId);
  return payment.paymentAccountId === null ? null : accountKey(payment.paymentAccountId);
}

/** What this payment may apply to an invoice: its open amount with what the payment had applied returned to it. */
export function unpaidOf(invoice: Pick<CustomerOpenInvoice, 'openAmount' | 'appliedAmount'>): Cents {
  return cents(invoice.openAmount + invoice.appliedAmount);
}

function asOpen(invoice: CustomerOpenInvoice): OpenInvoice {
  const { invoiceId, invoiceNumber, invoiceDate, dueDate } = invoice;
  return { invoiceId, invoiceNumber, invoiceDate, dueDate, unpaid: unpaidOf(invoice) };
}

/** What the form applies to an invoice. */
export function appliedTo(form: PaymentForm, invoiceId: number): Cents {
  return form.applied?.[String(invoiceId)] ?? ZERO;
}

/** The customer's open invoices as the dialog lists them: the one that was clicked first, then in list order. */
export function listedOpen(open: readonly CustomerOpenInvoice[], clickedId: number | undefined): CustomerOpenInvoice[] {
  const listed = open.map((invoice) => ({ ...asOpen(invoice), invoice }));
  return listOrder(listed, clickedId).map(({ invoice }) => invoice);
}

/** Fills the invoices in the order of the list, each up to its unpaid amount, until the amount is used. */
export function filled(form: PaymentForm, open: readonly CustomerOpenInvoice[]): PaymentForm {
  const applications = fill(form.amount ?? ZERO, open.map(asOpen));
  return { ...form, applied: Object.fromEntries(applications.map((each) => [each.invoiceId, each.amount])) };
}

/** The form with its applications in figures, as soon as the invoices are known. */
export function followed(form: PaymentForm, open: readonly CustomerOpenInvoice[] | undefined): PaymentForm {
  return form.applied === null && open !== undefined ? filled(form, open) : form;
}

/** One apply amount, capped at the invoice's unpaid amount (Specification part 1 §4), never across zero. */
export function withApplied(form: PaymentForm, invoice: CustomerOpenInvoice, amount: Cents | null): PaymentForm {
  const unpaid = unpaidOf(invoice);
  const low = Math.min(0, unpaid);
  const high = Math.max(0, unpaid);
  const capped = cents(Math.min(high, Math.max(low, amount ?? 0)));
  return { ...form, applied: { ...form.applied, [invoice.invoiceId]: capped } };
}

export interface PaymentSums {
  applied: Cents;
  /** Invoices that get something. */
  count: number;
  /** What stays as the customer's credit; negative when more is applied than paid. */
  credit: Cents;
}

/** Sums over the invoices that are open for the payment. */
export function paymentSums(form: PaymentForm, open: readonly CustomerOpenInvoice[]): PaymentSums {
  const amounts = open.map((invoice) => appliedTo(form, invoice.invoiceId));
  const applied = sum(amounts);
  return {
    applied,
    count: amounts.filter((amount) => amount !== 0).length,
    credit: cents((form.amount ?? ZERO) - applied),
  };
}

/** What stands in the way of posting, by field (Specification part 1 §5). */
export function paymentFaults(form: PaymentForm, open: readonly CustomerOpenInvoice[]): FieldMessages {
  const faults: FieldMessages = {};
  if (form.customerId === null) faults['customerId'] = 'Please Select a Customer';
  if (form.paymentDate === null) faults['paymentDate'] = 'Please enter a date';
  if (form.paymentTypeId === null) faults['paymentTypeId'] = 'Please Select a Payment Type';
  if (form.amount === null) faults['paymentAmount'] = 'Please enter an amount';
  else if (form.amount <= 0) faults['paymentAmount'] = 'The payment amount must be greater than $0.00';
  else Object.assign(faults, applicationFaults(form, open));
  if (form.deposit === null) faults['bankAccountId'] = 'Please Select a Bank Account';
  return faults;
}

function applicationFaults(form: PaymentForm, open: readonly CustomerOpenInvoice[]): FieldMessages {
  const amount = form.amount ?? ZERO;
  try {
    checkApplications({ amount, applications: applicationsOf(form, open), open: open.map(asOpen) });
    return {};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { applied } = paymentSums(form, open);
    if (applied <= amount) return { paymentApplications: error.message };
    return { paymentAmount: `At least ${formatUsd(applied)}, what is applied`, paymentApplications: error.message };
  }
}

function applicationsOf(form: PaymentForm, open: readonly CustomerOpenInvoice[]) {
  return open.flatMap(({ invoiceId }) => {
    const amount = appliedTo(form, invoiceId);
    return amount === 0 ? [] : [{ invoiceId, amount }];
  });
}

/** What is sent: always the applications as shown, never left to the server. Throws on an unchecked form. */
export function paymentInput(
  form: PaymentForm,
  open: readonly CustomerOpenInvoice[],
  { id, reason, isCheck }: { id: number; reason: string; isCheck: boolean },
): BillingPaymentInput {
  const { customerId, paymentDate, amount, deposit } = form;
  if (customerId === null || paymentDate === null || amount === null || deposit === null) {
    throw new Error('an unchecked payment is not sent');
  }
  const depositId = Number(deposit.split(' ')[1]);
  const isBank = deposit.startsWith('bank ');
  return {
    id,
    customerId,
    paymentDate,
    paymentAmount: amount,
    paymentTypeId: form.paymentTypeId,
    paymentRefNo: form.refNumber,
    paymentCheckNo: isCheck ? form.checkNumber : '',
    paymentDescription: form.description,
    bankAccountId: isBank ? depositId : null,
    paymentAccountId: isBank ? null : depositId,
    paymentApplications: applicationsOf(form, open),
    rowVersion: form.rowVersion,
    ...(reason === '' ? {} : { closingOverrideReason: reason }),
  };
}
