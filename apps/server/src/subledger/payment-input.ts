import type { DocumentLinkInput } from '@evenkeel/contract/attachments';
import { idOrNull } from '@evenkeel/contract/fields';
import type { PaymentApplicationInput, paymentFields, paymentInputFields } from '@evenkeel/contract/subledger';
import { UNDEPOSITED } from '@evenkeel/core/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { WantedRefund } from '@evenkeel/core/settlement';
import type * as z from 'zod';
import { labelOf } from './settlement.ts';
import type { NamedPayment, PaidRow } from './settlement.sql.ts';

/** Money from a customer or to a vendor, as a person enters it. */
export interface PaymentInput {
  /** 0 for a new one. */
  id: number;
  entityId: number;
  date: IsoDate;
  amount: Cents;
  paymentTypeId: number;
  referenceNumber: string;
  checkNumber: string;
  description: string;
  /** Exactly one of the two is not 0. */
  bankAccountId: number;
  paymentAccountId: number;
  /** Kept and answered; 0 for none. */
  locationId: number;
  /** null: the open documents are filled in list order. */
  applications: readonly PaymentApplicationInput[] | null;
  /** The parts of payments that a refund gives back; its amount is below zero. */
  refunds: readonly WantedRefund[];
  /** Applied without money, as a write-off is; never asked for by a request. */
  waives?: boolean;
  /** Files that are added, renamed or taken off. */
  documentLinks?: readonly DocumentLinkInput[] | null | undefined;
}

/** The fields of a request that payments of both sides share. */
export function requestedPayment(
  body: z.output<z.ZodObject<typeof paymentInputFields>>,
): Omit<PaymentInput, 'entityId' | 'paymentTypeId' | 'locationId'> {
  // No money moves where credits pay for all of it: such a payment need not say where from or to.
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

/** The shared part of a payment in a reply. */
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
    paymentApplications: paid.map(({ documentId, kind, number, ...share }) => ({
      invoiceId: documentId,
      ...share,
      invoiceDescription: `${labelOf(kind)} ${number}`,
    })),
    paymentRefunds: payment.refunds,
    refundedBy: payment.refundedBy,
    rowVersion: payment.rowVersion,
  };
}

type Dimensions = Pick<PaidRow, 'profitCenterId' | 'locationId'>;

/** Dimensions that a request names on its share of a document; of several shares the first that names one counts. */
export function dimensionsOf({ applications }: PaymentInput, documentId: number): Dimensions {
  const own = (applications ?? []).filter(({ invoiceId }) => invoiceId === documentId);
  const first = (ids: readonly (number | null | undefined)[]) => ids.map(idOrNull).find((id) => id !== null) ?? null;
  return {
    profitCenterId: first(own.map((each) => each.profitCenterId)),
    locationId: first(own.map((each) => each.locationId)),
  };
}

/** Dimensions that the applications of a request name. */
export function namedBy({ applications, amount }: PaymentInput) {
  const all = applications ?? [];
  return {
    isRefund: amount < 0,
    profitCenterIds: all.flatMap(({ profitCenterId }) => idOrNull(profitCenterId) ?? []),
    locationIds: all.flatMap(({ locationId }) => idOrNull(locationId) ?? []),
  };
}
