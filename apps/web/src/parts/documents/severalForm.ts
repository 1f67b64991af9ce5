import type { PayableDocument } from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Cents, sum } from '@evenkeel/core/money';
import * as z from 'zod';
import { blankOf, Day, Money } from '../../records/formFields.ts';
import { appliedTo, paymentFaults, PaymentForm, paymentInput } from './paymentForm.ts';
import type { DocumentSide, PaymentBody } from './side.ts';

/** The payments of several customers or vendors as one form: they share the date, the account and the payment type. */

export const SeveralForm = z.object({
  paymentDate: Day.nullable(),
  paymentTypeId: z.number().nullable(),
  money: z.string().nullable(),
  /** Cents by invoice id. */
  applied: z.record(z.string(), Money),
  /** Check numbers by customer or vendor id. */
  checks: z.record(z.string(), z.string()),
});
export type SeveralForm = z.output<typeof SeveralForm>;

/** A customer or vendor with the chosen documents, in list order. */
export interface Payer {
  id: number;
  name: string;
  open: readonly PayableDocument[];
}

/** A new form: every document is paid in full. */
export function blankSeveral(today: IsoDate, documents: readonly PayableDocument[]): SeveralForm {
  const applied = Object.fromEntries(documents.map(({ invoiceId, openAmount }) => [invoiceId, openAmount]));
  return { paymentDate: today, paymentTypeId: null, money: null, applied, checks: {} };
}

/** The documents by customer or vendor, by name. */
export function payersOf(documents: readonly PayableDocument[]): Payer[] {
  const payers = new Map<number, Payer>();
  for (const document of documents) {
    const { entityId: id, entityDisplayName: name } = document;
    payers.set(id, { id, name, open: [...(payers.get(id)?.open ?? []), document] });
  }
  return [...payers.values()].toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

/** The amount of one payer's payment. */
export function amountOf(form: SeveralForm, { open }: Payer): Cents {
  return sum(open.map(({ invoiceId }) => appliedTo(form, invoiceId)));
}

/** The payers who get a payment: those of whom an invoice gets something. */
export function paying(form: SeveralForm, payers: readonly Payer[]): Payer[] {
  return payers.filter(({ open }) => open.some(({ invoiceId }) => appliedTo(form, invoiceId) !== 0));
}

function paymentOf(form: SeveralForm, payer: Payer): PaymentForm {
  const { checks, ...shared } = form;
  const checkNumber = checks[String(payer.id)] ?? '';
  return { ...blankOf(PaymentForm), ...shared, entityId: payer.id, checkNumber, amount: amountOf(form, payer) };
}

/** The place of a fault that one payer's payment has. */
export const ofPayer = (id: number): string => `payer.${id}`;

const SHARED = ['paymentDate', 'paymentTypeId', 'bankAccountId'];

/** Messages that stand in the way of posting: of what the payments share by field, else by payer. */
export function severalFaults(form: SeveralForm, payers: readonly Payer[], side: DocumentSide): FieldMessages {
  const paid = paying(form, payers);
  if (paid.length === 0) return { applied: 'Apply an amount to at least one invoice' };
  const faults = paid.flatMap((payer) =>
    Object.entries(paymentFaults(paymentOf(form, payer), payer.open, side)).map(([path, message]) =>
      SHARED.includes(path) ? [path, message] : [ofPayer(payer.id), message],
    ),
  );
  return Object.fromEntries(faults);
}

/** The bodies to send, one for each payer who gets a payment. Throws on an unchecked form. */
export function severalInput(form: SeveralForm, payers: readonly Payer[], hasCheck: boolean): PaymentBody[] {
  const options = { saved: undefined, reason: '', hasCheck };
  return paying(form, payers).map((payer) => paymentInput(paymentOf(form, payer), payer.open, options));
}

const OF_ONE = /^payments\.(\d+)\.?(.*)$/;

/** The request's paths as places of the form; `places` names the fields of one payment. */
export function placedSeveral(
  fields: FieldMessages,
  paid: readonly Payer[],
  places: Readonly<Record<string, string>>,
): FieldMessages {
  const placed = Object.entries(fields).map(([path, message]) => {
    const [, place, field = ''] = OF_ONE.exec(path) ?? [];
    const payer = place === undefined ? undefined : paid[Number(place)];
    if (payer === undefined) return [places[path] ?? path, message];
    if (field === 'paymentCheckNo') return [`checks.${payer.id}`, message];
    return [SHARED.includes(field) || field === 'paymentAccountId' ? (places[field] ?? field) : ofPayer(payer.id), message];
  });
  return Object.fromEntries(placed);
}
