import type { OpenDocument } from '@evenkeel/contract/subledger';
import { fill, listOrder } from '@evenkeel/core/allocation';
import { checkApplications, type OpenInvoice } from '@evenkeel/core/books/settlement';
import type { IsoDate } from '@evenkeel/core/dates';
import { Failure, type FieldMessages } from '@evenkeel/core/failure';
import { type Cents, cents, formatUsd, minCents, sum, ZERO } from '@evenkeel/core/money';
import { capital } from '@evenkeel/core/documents/side';
import { discountLeft } from '@evenkeel/core/documents/terms';
import * as z from 'zod';
import { Day, Money } from '../../../records/formFields.ts';
import { because } from '../../../records/reads.ts';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../../attachments/attachmentForm.ts';
import { moneyKey } from './moneyAccounts.ts';
import type { AnyPayment, DocumentSide, PaymentBody } from '../side.ts';

/** The data of the payment form for both sides: the values entered, the amounts applied, and the request. */

export const PaymentForm = z.object({
  /** The customer or vendor. */
  entityId: z.number().nullable(),
  paymentDate: Day.nullable(),
  paymentTypeId: z.number().nullable(),
  locationId: z.number().nullable(),
  amount: Money.nullable(),
  refNumber: z.string(),
  /** The check number. Null while it is calculated from the account's last check number. */
  checkNumber: z.string().nullable(),
  description: z.string(),
  /** `bank 5` (a bank account) or `account 12` (the GL account of a payment account). */
  money: z.string().nullable(),
  /**
   * The applied amounts in cents by invoice ID. Null while the amount is applied to the invoices in list order, even if
   * the invoices load later.
   */
  applied: z.record(z.string(), Money).nullable(),
  /** The early-payment discounts by invoice ID, in addition to the applied amounts. */
  discounts: z.record(z.string(), Money),
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type PaymentForm = z.output<typeof PaymentForm>;

export interface PaymentStart {
  today: IsoDate;
  entityId?: number | undefined;
  /**
   * The invoices that were selected for Pay Invoice. The payment amount starts as the total of their open balances and
   * is applied to them.
   */
  chosen?: readonly { id: number; openAmount: Cents }[];
}

export function blankPayment({ today, entityId, chosen = [] }: PaymentStart): PaymentForm {
  return {
    entityId: entityId ?? null,
    paymentDate: today,
    paymentTypeId: null,
    locationId: null,
    amount: chosen.length === 0 ? null : sum(chosen.map(({ openAmount }) => openAmount)),
    refNumber: '',
    checkNumber: null,
    description: '',
    money: null,
    applied: chosen.length === 0 ? null : Object.fromEntries(chosen.map(({ id, openAmount }) => [id, openAmount])),
    discounts: {},
    documentLinks: [],
    rowVersion: null,
  };
}

export function paymentFormOf(payment: AnyPayment, entityId: number): PaymentForm {
  return {
    entityId,
    paymentDate: payment.paymentDate,
    paymentTypeId: 'paymentTypeId' in payment ? payment.paymentTypeId : null,
    locationId: 'locationId' in payment ? payment.locationId : null,
    amount: payment.paymentAmount,
    refNumber: payment.paymentRefNo,
    checkNumber: payment.paymentCheckNo,
    description: payment.paymentDescription,
    money: moneyKey(payment),
    applied: Object.fromEntries(payment.paymentApplications.map((each) => [each.invoiceId, each.amount])),
    discounts: Object.fromEntries(
      payment.paymentApplications.flatMap(({ invoiceId, discountAmount }) =>
        discountAmount === undefined ? [] : [[invoiceId, discountAmount]],
      ),
    ),
    documentLinks: attachmentsFormOf(payment.documentLinks),
    rowVersion: payment.rowVersion,
  };
}

/**
 * Returns the maximum that this payment can apply to an invoice: its open balance plus the amount that the payment
 * already applies.
 */
export function unpaidOf(invoice: Pick<OpenDocument, 'openAmount' | 'appliedAmount'>): Cents {
  return cents(invoice.openAmount + invoice.appliedAmount);
}

/** Returns the amount that other payments and credits have already paid. */
export function paidBefore(invoice: Pick<OpenDocument, 'invoiceAmount' | 'openAmount' | 'appliedAmount'>): Cents {
  return cents(invoice.invoiceAmount - unpaidOf(invoice));
}

function asOpen(invoice: OpenDocument): OpenInvoice {
  const { invoiceId, invoiceNumber, invoiceDate, dueDate } = invoice;
  return { invoiceId, invoiceNumber, invoiceDate, dueDate, unpaid: unpaidOf(invoice) };
}

/** Returns the amount that the form applies to an invoice. */
export function appliedTo(form: Pick<PaymentForm, 'applied'>, invoiceId: number): Cents {
  return form.applied?.[String(invoiceId)] ?? ZERO;
}

/** Returns the discount that the form takes on an invoice. */
export function discountOf(form: Pick<PaymentForm, 'discounts'>, invoiceId: number): Cents {
  return form.discounts[String(invoiceId)] ?? ZERO;
}

/** Returns the open invoices in dialog order: selected invoices first, then the others, each group in list order. */
export function listedOpen<Open extends OpenDocument>(open: readonly Open[], chosenIds: readonly number[]): Open[] {
  const listed = listOrder(open.map((invoice) => ({ ...asOpen(invoice), invoice }))).map(({ invoice }) => invoice);
  const isChosen = ({ invoiceId }: Open) => chosenIds.includes(invoiceId);
  return [...listed.filter(isChosen), ...listed.filter((invoice) => !isChosen(invoice))];
}

/** Applies the amount to the invoices in list order, each up to its unpaid amount, until the amount is used up. */
export function filled(form: PaymentForm, open: readonly OpenDocument[]): PaymentForm {
  const applications = fill(form.amount ?? ZERO, open.map(asOpen));
  const applied = Object.fromEntries(applications.map((each) => [each.invoiceId, each.amount]));
  return { ...form, applied, discounts: {} };
}

/** Returns the form with the applied amounts after the invoices have loaded. */
export function followed(form: PaymentForm, open: readonly OpenDocument[] | undefined): PaymentForm {
  return form.applied === null && open !== undefined ? filled(form, open) : form;
}

type Applying = Pick<PaymentForm, 'applied' | 'discounts'>;

/**
 * Sets the amount applied to an invoice. The amount is capped at the unpaid amount less the discount, and can't change
 * sign.
 */
export function withApplied<Form extends Applying>(form: Form, invoice: OpenDocument, amount: Cents | null): Form {
  const unpaid = cents(unpaidOf(invoice) - discountOf(form, invoice.invoiceId));
  const low = Math.min(0, unpaid);
  const high = Math.max(0, unpaid);
  // For a credit, the user enters the amount to use, with or without a minus sign.
  const meant = unpaid < 0 ? -Math.abs(amount ?? 0) : (amount ?? 0);
  const capped = cents(Math.min(high, Math.max(low, meant)));
  return { ...form, applied: { ...form.applied, [invoice.invoiceId]: capped } };
}

/**
 * Sets the discount on an invoice, capped at the unpaid amount. Reduces the applied amount if the total would exceed
 * the unpaid amount.
 */
export function withDiscount<Form extends Applying>(form: Form, invoice: OpenDocument, amount: Cents | null): Form {
  const { invoiceId } = invoice;
  const unpaid = Math.max(0, unpaidOf(invoice));
  const discount = cents(Math.min(unpaid, Math.max(0, amount ?? 0)));
  const discounted = { ...form, discounts: { ...form.discounts, [invoiceId]: discount } };
  const applied = appliedTo(form, invoiceId);
  return applied + discount <= unpaid ? discounted : withApplied(discounted, invoice, applied);
}

/**
 * Returns the discount that the terms give on an invoice on a date, if the payment also applies the given amount of
 * credit to the invoice.
 */
export function discountOn(invoice: OpenDocument, day: IsoDate | null, credit = ZERO): Cents {
  const { discount } = invoice;
  if (discount === undefined || discount.until === null || day === null || day > discount.until) return ZERO;
  const { amount, percent, total, takenBefore: taken = ZERO } = discount;
  if (credit === 0 || percent === undefined || total === undefined) return amount;
  return discountLeft(percent, { total: cents(total - credit), taken, unpaid: unpaidOf(invoice) });
}

/**
 * Returns an invoice's share of the applied credits that don't belong to any invoice, in proportion to the amount
 * applied to it (docs/accounting.md, "Early-payment discounts").
 */
function creditOn(form: Applying, invoice: OpenDocument, open: readonly OpenDocument[]): Cents {
  const onEach = (each: OpenDocument) => cents(appliedTo(form, each.invoiceId) + discountOf(form, each.invoiceId));
  const used = sum(open.filter((each) => each.invoiceAmount > 0).map(onEach));
  const credits = open.filter((each) => each.invoiceAmount < 0 && each.creditedInvoiceId === undefined);
  return used <= 0 ? ZERO : cents(Math.round((-sum(credits.map(onEach)) * onEach(invoice)) / used));
}

/**
 * Takes the discounts that are available on the payment date for the invoices that are then paid in full. The money
 * that the discounts save is applied to the next invoices. `freed` is the remaining money, which is negative if an
 * earlier discount was too high. `all` contains the payment's documents, including its credits.
 */
export function withDiscounts<Form extends Applying & Pick<PaymentForm, 'paymentDate'>>(
  form: Form,
  open: readonly OpenDocument[],
  all: readonly OpenDocument[] = open,
): { form: Form; freed: Cents } {
  const [applied, discounts] = [{ ...form.applied }, { ...form.discounts }];
  let freed = ZERO;
  for (const invoice of open) {
    const { invoiceId } = invoice;
    const spare = cents(Math.max(0, freed));
    const has = cents(appliedTo(form, invoiceId) + spare);
    if (appliedTo(form, invoiceId) <= 0) continue;
    const before = discountOf(form, invoiceId);
    const discount = discountOn(invoice, form.paymentDate, creditOn(form, invoice, all));
    const isFull = discount > 0 && has >= unpaidOf(invoice) - Math.max(discount, before);
    const taken = isFull ? discount : before;
    const rest = cents(unpaidOf(invoice) - taken);
    const part = isFull ? rest : minCents(has, rest);
    applied[invoiceId] = part;
    if (isFull) discounts[invoiceId] = discount;
    freed = cents(freed - spare + has - part);
  }
  return { form: { ...form, applied, discounts }, freed };
}

/**
 * Does the same as `withDiscounts`, but for a payment whose amount equals the applied total. The money that the
 * discounts save reduces the payment amount. If nothing is applied yet, pays the invoices that have a discount.
 */
export function takingDiscounts(form: PaymentForm, open: readonly OpenDocument[]): PaymentForm {
  const isBlank = open.every(({ invoiceId }) => appliedTo(form, invoiceId) === 0);
  const begun = isBlank ? payingThose(form, open) : form;
  const { form: taken, freed } = withDiscounts(begun, open);
  return { ...taken, amount: begun.amount === null ? null : cents(begun.amount - freed) };
}

/** Returns the form after all invoices that have a discount on the payment date are paid in full. */
function payingThose(form: PaymentForm, open: readonly OpenDocument[]): PaymentForm {
  const those = open.filter((invoice) => discountOn(invoice, form.paymentDate) > 0);
  const applied = Object.fromEntries(those.map((invoice) => [invoice.invoiceId, unpaidOf(invoice)]));
  return { ...form, applied, amount: cents(Math.max(form.amount ?? 0, sum(those.map(unpaidOf)))) };
}

/** Returns whether a discount is available on a given date. */
export const canTakeDiscounts = (open: readonly OpenDocument[], day: IsoDate | null): boolean =>
  open.some((invoice) => discountOn(invoice, day) > 0);

/** Returns whether any of the invoices has a discount, available or taken. */
export const hasDiscounts = (open: readonly OpenDocument[]): boolean =>
  open.some(({ discount }) => discount !== undefined);

export interface PaymentSums {
  applied: Cents;
  /** The total of the discounts taken. */
  discounts: Cents;
  /** The number of invoices that an amount is applied to. */
  count: number;
  /** The remaining credit. Negative if the applied total exceeds the amount. */
  credit: Cents;
}

/** Calculates the totals for the open invoices that the payment can be applied to. */
export function paymentSums(form: PaymentForm, open: readonly OpenDocument[]): PaymentSums {
  const amounts = open.map((invoice) => appliedTo(form, invoice.invoiceId));
  const applied = sum(amounts);
  return {
    applied,
    discounts: sum(open.map(({ invoiceId }) => discountOf(form, invoiceId))),
    count: amounts.filter((amount) => amount !== 0).length,
    credit: cents((form.amount ?? ZERO) - applied),
  };
}

/** The labels for payments from customers or to vendors. */
type Rules = Pick<DocumentSide, 'core'> & { words: Pick<DocumentSide['words'], 'noMoneyAccount'> };

/** Returns the messages that prevent posting, by field. */
export function paymentFaults(form: PaymentForm, open: readonly OpenDocument[], side: Rules): FieldMessages {
  const faults: FieldMessages = {};
  // Credits can pay invoices without moving money (docs/accounting.md, "Applying payments").
  const usesCredit = open.some(({ invoiceId }) => appliedTo(form, invoiceId) < 0);
  const least = usesCredit ? 0 : 1;
  const movesMoney = !usesCredit || form.amount !== 0;
  if (form.entityId === null) faults['entityId'] = `Please Select a ${capital(side.core.words.entity)}`;
  if (form.paymentDate === null) faults['paymentDate'] = 'Please enter a date';
  if (movesMoney && side.core.hasPaymentTypes && form.paymentTypeId === null)
    faults['paymentTypeId'] = 'Please Select a Payment Type';
  if (form.amount === null) faults['paymentAmount'] = 'Please enter an amount';
  else if (form.amount < least) faults['paymentAmount'] = 'The payment amount must be greater than $0.00';
  else Object.assign(faults, applicationFaults(form, open));
  if (movesMoney && form.money === null) faults['bankAccountId'] = side.words.noMoneyAccount;
  return faults;
}

function applicationFaults(form: PaymentForm, open: readonly OpenDocument[]): FieldMessages {
  const amount = form.amount ?? ZERO;
  try {
    const applications = applicationsOf(form, open).map(({ discountAmount: discount = ZERO, ...each }) => {
      return { ...each, discount };
    });
    checkApplications({ amount, applications, open: open.map(asOpen) });
    return {};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { applied } = paymentSums(form, open);
    if (applied <= amount) return { paymentApplications: error.message };
    return {
      paymentAmount: `Must be at least ${formatUsd(applied)}, the amount already applied`,
      paymentApplications: error.message,
    };
  }
}

function applicationsOf(form: PaymentForm, open: readonly OpenDocument[]) {
  return open.flatMap(({ invoiceId, discount }) => {
    const [amount, discountAmount] = [appliedTo(form, invoiceId), discountOf(form, invoiceId)];
    if (amount === 0 && discountAmount === 0) return [];
    // Sends 0 for a discount that was removed, because the server keeps the discount if the field is missing.
    return [{ invoiceId, amount, ...(discountAmount !== 0 || (discount?.taken ?? 0) !== 0 ? { discountAmount } : {}) }];
  });
}

/**
 * Returns the request body. The body always contains the applications as they are shown, so that the server doesn't
 * determine them. Throws if the form is not valid.
 */
export function paymentInput(
  form: PaymentForm,
  open: readonly OpenDocument[],
  { saved, reason, hasCheck }: { saved: AnyPayment | undefined; reason: string; hasCheck: boolean },
): PaymentBody {
  const { entityId, paymentDate, amount, money } = form;
  if (entityId === null || paymentDate === null || amount === null || (money === null && amount !== 0)) {
    throw new Error('the payment was not validated');
  }
  const moneyId = money === null ? null : Number(money.split(' ')[1]);
  const isBank = money?.startsWith('bank ') === true;
  // Existing applications keep their profit center and location. New applications use those of the document.
  const dimensioned = [...(saved?.paymentApplications ?? []), ...open];
  const share = (application: ReturnType<typeof applicationsOf>[number]) => {
    const like = dimensioned.find(({ invoiceId }) => invoiceId === application.invoiceId);
    return { ...application, profitCenterId: like?.profitCenterId ?? null, locationId: like?.locationId ?? null };
  };
  return {
    id: saved?.id ?? 0,
    entityId,
    paymentDate,
    paymentAmount: amount,
    paymentTypeId: form.paymentTypeId,
    locationId: form.locationId,
    paymentRefNo: form.refNumber,
    paymentCheckNo: hasCheck ? (form.checkNumber ?? '') : '',
    paymentDescription: form.description,
    bankAccountId: isBank ? moneyId : null,
    paymentAccountId: isBank ? null : moneyId,
    paymentApplications: applicationsOf(form, open).map(share),
    documentLinks: attachmentsInput(form.documentLinks),
    rowVersion: form.rowVersion,
    ...because(reason),
  };
}
