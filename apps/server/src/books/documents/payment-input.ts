import type { DocumentLinkInput } from '@evenkeel/contract/attachments';
import { idOrNull } from '@evenkeel/contract/fields';
import type { PaymentApplicationInput, paymentFields, paymentInputFields } from '@evenkeel/contract/subledger';
import { ACCOUNT_INACTIVE, UNDEPOSITED } from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, type FieldMessages, refuse } from '@evenkeel/core/failure';
import { type Cents, sum } from '@evenkeel/core/money';
import type { WantedRefund } from '@evenkeel/core/books/settlement';
import { capital, kindOf, type Side } from '@evenkeel/core/documents/side';
import type * as z from 'zod';
import { inactive, noteFault, referenceFault } from '../ledger/references.ts';
import type { Document } from './document.ts';
import { labelOf } from './settlement.ts';
import type { NamedPayment, PaidRow, PaymentReferences } from './settlement.sql.ts';

/** A payment from a customer or to a vendor, as a user enters it. */
export interface PaymentInput {
  /** The ID of the payment. 0 for a new payment. */
  id: number;
  entityId: number;
  date: IsoDate;
  amount: Cents;
  paymentTypeId: number;
  referenceNumber: string;
  checkNumber: string;
  description: string;
  /** Exactly one of `bankAccountId` and `paymentAccountId` is not 0. */
  bankAccountId: number;
  paymentAccountId: number;
  /** The reference, which is only stored and returned. 0 means no reference. */
  locationId: number;
  /** The applications. If null, the payment is applied to the open documents in list order. */
  applications: readonly PaymentApplicationInput[] | null;
  /** The payments that a refund pays back, with the refunded amounts. The refund's own amount is negative. */
  refunds: readonly WantedRefund[];
  /** Whether the payment only applies a write-off, without moving money. Requests can't set this field. */
  waives?: boolean;
  /** Attachments to add, rename, or remove. */
  documentLinks?: readonly DocumentLinkInput[] | null | undefined;
}

/** Reads the request fields that customer and vendor payments share. */
export function requestedPayment(
  body: z.output<z.ZodObject<typeof paymentInputFields>>,
): Omit<PaymentInput, 'entityId' | 'paymentTypeId' | 'locationId'> {
  // If credits cover the whole amount, no money moves and no account is needed.
  const needsNone = body.paymentAmount === 0 && idOrNull(body.bankAccountId) === null;
  return {
    id: body.id ?? 0,
    date: body.paymentDate,
    amount: body.paymentAmount,
    referenceNumber: body.paymentRefNo ?? '',
    checkNumber: body.paymentCheckNo ?? '',
    description: body.paymentDescription ?? '',
    bankAccountId: body.bankAccountId ?? 0,
    paymentAccountId: idOrNull(body.paymentAccountId) ?? (needsNone ? UNDEPOSITED : 0),
    applications: body.paymentApplications ?? null,
    refunds: body.paymentRefunds ?? [],
    documentLinks: body.documentLinks,
  };
}

export type ShownPayment = z.output<z.ZodObject<typeof paymentFields>>;

/** Returns the response fields that customer and vendor payments share. */
export function shownPayment(payment: NamedPayment, paid: readonly PaidRow[]): ShownPayment {
  return {
    id: payment.id,
    paymentDate: payment.date,
    paymentAmount: payment.amount,
    unappliedAmount: payment.unapplied,
    paymentRefNo: payment.referenceNumber,
    paymentCheckNo: payment.checkNumber,
    paymentDescription: payment.description,
    paymentNumber: payment.number,
    bankAccountId: payment.bankAccountId,
    paymentAccountId: payment.paymentAccountId,
    accountId: payment.glAccountId,
    entryDate: payment.entryDate,
    documentLinks: payment.documentLinks,
    paymentApplications: paid.map(({ documentId, kind, number, discount, ...share }) => ({
      invoiceId: documentId,
      ...share,
      ...(discount === 0 ? {} : { discountAmount: discount }),
      invoiceDescription: `${labelOf(kind)} ${number}`,
    })),
    paymentRefunds: payment.refunds,
    refundedBy: payment.refundedBy,
    rowVersion: payment.rowVersion,
  };
}

/**
 * Returns the discount that a request takes on a document, which is the total over its applications to the document. If
 * none of these applications sets a discount, the saved discount stays. A credit that a refund pays back has no
 * discount.
 */
export function discountOf(shares: readonly PaymentApplicationInput[], saved: Cents): Cents {
  const said = shares.flatMap(({ discountAmount }) => discountAmount ?? []);
  return said.length === 0 ? saved : sum(said);
}

type Dimensions = Pick<PaidRow, 'profitCenterId' | 'locationId'>;

/**
 * Returns the dimensions of a request's application to a document. If there are several applications, those of the
 * first application that has a dimension are used.
 */
export function dimensionsOf({ applications }: PaymentInput, documentId: number): Dimensions {
  const own = (applications ?? []).filter(({ invoiceId }) => invoiceId === documentId);
  const first = (ids: readonly (number | null | undefined)[]) => ids.map(idOrNull).find((id) => id !== null) ?? null;
  return {
    profitCenterId: first(own.map((each) => each.profitCenterId)),
    locationId: first(own.map((each) => each.locationId)),
  };
}

/**
 * Returns the dimensions that the applications in a request refer to, and whether the request omits the payment type.
 */
export function namedBy({ applications, amount, paymentTypeId }: PaymentInput) {
  const all = applications ?? [];
  return {
    isRefund: amount < 0,
    leavesType: amount !== 0 && paymentTypeId === 0,
    profitCenterIds: all.flatMap(({ profitCenterId }) => idOrNull(profitCenterId) ?? []),
    locationIds: all.flatMap(({ locationId }) => idOrNull(locationId) ?? []),
  };
}

/** A requested payment with the records that it refers to and the stored payment. */
interface PaymentAsked {
  input: PaymentInput;
  references: PaymentReferences;
  before: Document<NamedPayment, readonly PaidRow[]> | undefined;
}

/**
 * Throws 422 unless every ID belongs to the company and is active. An ID that is already saved may stay even if its
 * record is inactive now.
 */
export function checkReferences(side: Side, { input, references, before }: PaymentAsked): void {
  const { words } = side;
  const isRefund = input.amount < 0;
  const [wantsBank, wantsAccount] = [input.bankAccountId > 0, input.paymentAccountId > 0];
  const fields: FieldMessages = {};
  const isSameEntity = before?.head.entityId === input.entityId;
  if (references.entityName === null) {
    fields[`${words.entity}Id`] = `Please Select a ${capital(words.entity)}`;
  } else if (references.entityDeleted && !isSameEntity) {
    fields[`${words.entity}Id`] = inactive(words.entity);
  }
  if (input.amount <= 0 && !paysWithCredits(input) && input.refunds.length === 0) {
    fields['paymentAmount'] = 'The payment amount must be more than $0.00';
  } else if (before !== undefined && input.amount < 0 !== before.head.amount < 0) {
    fields['paymentAmount'] =
      `A ${isRefund ? "payment can't be changed to a refund" : "refund can't be changed to a payment"}`;
  } else if (!isRefund && input.refunds.length > 0) {
    fields['paymentAmount'] = 'A refund must be less than $0.00';
  }
  if (wantsBank === wantsAccount) {
    fields['bankAccountId'] = wantsBank
      ? 'Please select either a bank account or a cash account'
      : // The message for the field that each side's payment form always shows.
        { receivable: 'Please Select a Bank Account', payable: 'Please Select a Cash Account' }[side.name];
  } else if (wantsBank && !mayUseBank(references, before?.head.bankAccountId === input.bankAccountId)) {
    fields['bankAccountId'] =
      references.bankGlAccountId === null || references.bankActive
        ? 'Please Select a Bank Account'
        : inactive('bank account');
  } else if (wantsAccount && references.paymentAccountId === null) {
    fields['paymentAccountId'] = references.isAccountInactive ? ACCOUNT_INACTIVE : 'Please Select a Cash Account';
  }
  if (side.hasPaymentTypes && references.paymentTypeId === null && (input.amount !== 0 || input.paymentTypeId > 0)) {
    fields['paymentTypeId'] = references.isTypeInactive ? inactive('payment type') : 'Please Select a Payment Type';
  }
  if (input.locationId > 0) {
    const { locationId, locationActive } = references;
    const found = locationId === null ? [] : [{ id: locationId, active: locationActive }];
    const head = { id: input.locationId, before: before?.head.locationId };
    noteFault(fields, 'locationId', referenceFault('location', found, head));
  }
  (input.applications ?? []).forEach((share, index) => {
    const [profitCenterId, locationId] = [idOrNull(share.profitCenterId), idOrNull(share.locationId)];
    if (profitCenterId === null && locationId === null) return;
    const stored = before?.parts.find(({ documentId }) => documentId === share.invoiceId);
    const center = { id: profitCenterId, before: stored?.profitCenterId };
    const place = { id: locationId, before: stored?.locationId };
    const path = `paymentApplications.${index}`;
    noteFault(fields, `${path}.profitCenterId`, referenceFault('profitCenter', references.profitCenters, center));
    noteFault(fields, `${path}.locationId`, referenceFault('location', references.locations, place));
  });
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

/**
 * Returns whether the payment applies credits. Credits can pay an entire document without moving money
 * (docs/accounting.md, "Applying payments").
 */
function paysWithCredits({ applications }: PaymentInput): boolean {
  return (applications ?? []).some(({ amount }) => amount < 0);
}

function mayUseBank(references: PaymentReferences, isSame: boolean): boolean {
  if (references.bankGlAccountId === null) return false;
  return isSame || (references.bankActive && references.bankTakesThem);
}

/**
 * Throws 409 if the payment belongs to a write-off, because a write-off and its application are created and deleted
 * together.
 */
export function requireNoWaiving(paid: readonly PaidRow[]): void {
  const waiver = paid.find(({ kind }) => kindOf(kind).waives === true);
  if (waiver === undefined) return;
  const name = kindOf(waiver.kind).label.toLowerCase();
  throw conflict(`This payment belongs to ${name} ${waiver.number}. Delete that ${name} instead.`);
}
