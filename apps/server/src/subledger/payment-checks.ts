import { idOrNull } from '@evenkeel/contract/fields';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { conflict, type FieldMessages, refuse } from '@evenkeel/core/failure';
import { refundRows, type Settlement } from '@evenkeel/core/settlement';
import { capital, kindOf, type Side } from '@evenkeel/core/side';
import type { PaymentInput } from './payment-input.ts';
import { noteFault, referenceFault } from './references.ts';
import type { NamedPayment, PaidRow, PaymentReferences } from './settlement.sql.ts';

/** A payment as it is asked for, with the records that it names, and as it is stored. */
interface PaymentAsked {
  input: PaymentInput;
  references: PaymentReferences;
  before: { payment: NamedPayment; paid: PaidRow[] } | undefined;
}

/** Every id must be the company's own and usable; what was saved before may stay though it was deactivated since. */
export function checkReferences(side: Side, { input, references, before }: PaymentAsked): void {
  const { words } = side;
  const isRefund = input.amount < 0;
  const [wantsBank, wantsAccount] = [input.bankAccountId > 0, input.paymentAccountId > 0];
  const fields: FieldMessages = {};
  const isSameEntity = before?.payment.entityId === input.entityId;
  if (references.entityName === null || (references.entityDeleted && !isSameEntity)) {
    fields[`${words.entity}Id`] = `Please Select a ${capital(words.entity)}`;
  }
  if (input.amount <= 0 && !paysWithCredits(input) && input.refunds.length === 0) {
    fields['paymentAmount'] = 'The payment amount must be greater than $0.00';
  } else if (before !== undefined && input.amount < 0 !== before.payment.amount < 0) {
    fields['paymentAmount'] = `A ${isRefund ? 'payment cannot become a refund' : 'refund cannot become a payment'}`;
  } else if (!isRefund && input.refunds.length > 0) {
    fields['paymentAmount'] = 'A refund is less than $0.00';
  }
  if (wantsBank === wantsAccount) {
    fields['bankAccountId'] = wantsBank
      ? 'Please select either a bank account or a cash account'
      : // The field that each form has beside the other.
        { receivable: 'Please Select a Bank Account', payable: 'Please Select a Cash Account' }[side.name];
  } else if (wantsBank && !mayUseBank(references, before?.payment.bankAccountId === input.bankAccountId)) {
    fields['bankAccountId'] = 'Please Select a Bank Account';
  } else if (wantsAccount && references.paymentAccountId === null) {
    fields['paymentAccountId'] = 'Please Select a Cash Account';
  }
  if (side.hasPaymentTypes && references.paymentTypeId === null && (input.amount !== 0 || input.paymentTypeId > 0)) {
    fields['paymentTypeId'] = 'Please Select a Payment Type';
  }
  if (input.locationId > 0 && references.locationId === null) fields['locationId'] = 'Please Select a Location';
  (input.applications ?? []).forEach((share, index) => {
    const [profitCenterId, locationId] = [idOrNull(share.profitCenterId), idOrNull(share.locationId)];
    if (profitCenterId === null && locationId === null) return;
    const stored = before?.paid.find(({ documentId }) => documentId === share.invoiceId);
    const center = { id: profitCenterId, before: stored?.profitCenterId };
    const place = { id: locationId, before: stored?.locationId };
    const path = `paymentApplications.${index}`;
    noteFault(fields, `${path}.profitCenterId`, referenceFault('profitCenter', references.profitCenters, center));
    noteFault(fields, `${path}.locationId`, referenceFault('location', references.locations, place));
  });
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

/** A credit may pay all of a document: no money moves (docs/accounting.md, "Applying payments"). */
function paysWithCredits({ applications }: PaymentInput): boolean {
  return (applications ?? []).some(({ amount }) => amount < 0);
}

function mayUseBank(references: PaymentReferences, isSame: boolean): boolean {
  if (references.bankGlAccountId === null) return false;
  return isSame || (references.bankActive && references.bankTakesThem);
}

/** A write-off and what it is applied to are made and removed together. */
export function requireNoWaiving(paid: readonly PaidRow[]): void {
  const waiver = paid.find(({ kind }) => kindOf(kind).waives === true);
  if (waiver === undefined) return;
  const name = kindOf(waiver.kind).label.toLowerCase();
  throw conflict(`This is ${name} ${waiver.number}: delete the ${name} instead`);
}

/** As long as its day is closed, a refund gives back the same parts of the same payments. */
export function requireOpenRefunds(before: Settlement, after: Settlement, closingDate: IsoDate | null): void {
  if (closingDate === null) return;
  const closed = (settlement: Settlement): string[] =>
    refundRows(settlement)
      .filter(({ recognitionDate }) => recognitionDate <= closingDate)
      .map((row) => Object.values(row).join(' '));
  const [old, wanted] = [closed(before), closed(after)];
  if (old.join() !== wanted.join()) {
    throw refuse(`A refund on or before the closing date ${formatDate(closingDate)} cannot change what it gives back`);
  }
}
