import type { PayableDocument } from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Cents, cents, formatUsd, sum } from '@evenkeel/core/money';
import * as z from 'zod';
import { blankOf, Day, Money } from '../../../records/formFields.ts';
import {
  appliedTo,
  discountOf,
  listedOpen,
  paymentFaults,
  PaymentForm,
  paymentInput,
  unpaidOf,
} from './paymentForm.ts';
import type { DocumentSide, PaymentBody } from '../side.ts';

/** The form for payments to several customers or vendors, which share the date, account, and payment type. */

/** An open document, stored in the draft without its lines. */
const KeptDocument = z.object({
  invoiceId: z.number(),
  invoiceNumber: z.string(),
  invoiceDate: Day,
  dueDate: Day.nullable(),
  invoiceAmount: Money,
  openAmount: Money,
  appliedAmount: Money,
  applyAmount: Money,
  discount: z.object({ amount: Money, until: Day.nullable(), taken: Money }).optional(),
  profitCenterId: z.number().nullable(),
  locationId: z.number().nullable(),
  lineItems: z.array(z.custom<never>(() => false)),
  entityId: z.number(),
  entityDisplayName: z.string(),
});

export const SeveralForm = z.object({
  paymentDate: Day.nullable(),
  paymentTypeId: z.number().nullable(),
  money: z.string().nullable(),
  /** The applied amounts in cents by invoice ID. */
  applied: z.record(z.string(), Money),
  /** The early-payment discounts by invoice ID, in addition to the applied amounts. */
  discounts: z.record(z.string(), Money),
  /** The check numbers by customer or vendor ID. */
  checks: z.record(z.string(), z.string()),
  /**
   * The documents that the dialog opened with, or the documents that were sent. A request that got no response is
   * repeated unchanged, even if its documents are no longer open.
   */
  documents: z.array(KeptDocument),
});
export type SeveralForm = z.output<typeof SeveralForm>;

/** A customer or vendor with the selected documents, in list order. */
export interface Payer {
  id: number;
  name: string;
  open: readonly PayableDocument[];
}

const kept = (documents: readonly PayableDocument[]) => documents.map((each) => ({ ...each, lineItems: [] }));

/** Returns a new form that pays every document in full. */
export function blankSeveral(today: IsoDate, documents: readonly PayableDocument[]): SeveralForm {
  const applied = Object.fromEntries(documents.map(({ invoiceId, openAmount }) => [invoiceId, openAmount]));
  const shared = { paymentDate: today, paymentTypeId: null, money: null };
  return { ...shared, applied, discounts: {}, checks: {}, documents: kept(documents) };
}

/** Returns the form to send, with the documents that are open now. */
export function withDocuments(form: SeveralForm, documents: readonly PayableDocument[]): SeveralForm {
  return { ...form, documents: kept(documents) };
}

/** Groups the documents by customer or vendor, sorted by name. Each group is in list order. */
export function payersOf(documents: readonly PayableDocument[]): Payer[] {
  const payers = new Map<number, Payer>();
  for (const document of listedOpen(documents, [])) {
    const { entityId: id, entityDisplayName: name } = document;
    payers.set(id, { id, name, open: [...(payers.get(id)?.open ?? []), document] });
  }
  return [...payers.values()].toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

/** Returns the amount of one payer's payment. */
export function amountOf(form: SeveralForm, { open }: Payer): Cents {
  return sum(open.map(({ invoiceId }) => appliedTo(form, invoiceId)));
}

const gets =
  (form: SeveralForm) =>
  ({ invoiceId }: PayableDocument): boolean =>
    appliedTo(form, invoiceId) !== 0 || discountOf(form, invoiceId) !== 0;

/**
 * Returns the form with check numbers filled in where the user has not entered any. The numbers are consecutive in the
 * order of the payments. `checkAt` returns the number of the `place`-th check, or an empty string.
 */
export function withChecks(form: SeveralForm, payers: readonly Payer[], checkAt: (place: number) => string) {
  const filled = paying(form, payers).map(({ id }, place) => [String(id), checkAt(place)] as const);
  return { ...form, checks: { ...Object.fromEntries(filled), ...form.checks } };
}

/** Returns the payers who get a payment because an amount is applied to one of their documents. */
export function paying(form: SeveralForm, payers: readonly Payer[]): Payer[] {
  return payers.filter(({ open }) => open.some(gets(form)));
}

function paymentOf(form: SeveralForm, payer: Payer): PaymentForm {
  const { checks, documents: _, ...shared } = form;
  const checkNumber = checks[String(payer.id)] ?? '';
  return { ...blankOf(PaymentForm), ...shared, entityId: payer.id, checkNumber, amount: amountOf(form, payer) };
}

/** The places where errors appear: at one payer's payment, at its check number, or at the amount for one document. */
export const ofPayer = (id: number): string => `payer.${id}`;
export const ofCheck = (id: number): string => `checks.${id}`;
export const ofDocument = (id: number): string => `applied.${id}`;

const SHARED = ['paymentDate', 'paymentTypeId', 'bankAccountId', 'paymentAccountId'];

/** Another user may have paid part of a document in the meantime. */
function beyondOpen(form: SeveralForm, { open }: Payer): [string, string][] {
  return open
    .map((document) => ({ document, most: cents(unpaidOf(document) - discountOf(form, document.invoiceId)) }))
    .filter(({ document, most }) => Math.abs(appliedTo(form, document.invoiceId)) > Math.abs(most))
    .map(({ document, most }) => [ofDocument(document.invoiceId), `At most ${formatUsd(most)}`]);
}

/**
 * Returns the messages that prevent posting. Messages about shared values are keyed by field, and others by document or
 * payer.
 */
export function severalFaults(form: SeveralForm, payers: readonly Payer[], side: DocumentSide): FieldMessages {
  const paid = paying(form, payers);
  if (paid.length === 0) return { applied: `Please apply an amount to at least one ${side.core.words.document}` };
  const faults = paid.flatMap((payer): [string, string][] => {
    const beyond = beyondOpen(form, payer);
    const all = Object.entries(paymentFaults(paymentOf(form, payer), payer.open, side));
    const shared = all.filter(([path]) => SHARED.includes(path));
    if (beyond.length > 0) return [...shared, ...beyond];
    const own = all.filter(([path]) => !SHARED.includes(path));
    return [...shared, ...own.map(([, message]): [string, string] => [ofPayer(payer.id), message])];
  });
  return Object.fromEntries(faults);
}

/** Returns one request body for each payer who gets a payment. Throws if the form is not valid. */
export function severalInput(form: SeveralForm, hasCheck: boolean): PaymentBody[] {
  const options = { saved: undefined, reason: '', hasCheck };
  const paid = paying(form, payersOf(form.documents));
  return paid.map((payer) => paymentInput(paymentOf(form, payer), payer.open, options));
}

const OF_ONE = /^payments\.(\d+)\.?(.*)$/;
const OF_DOCUMENT = /^paymentApplications\.(\d+)\b/;

function placeOf(form: SeveralForm, payer: Payer, field: string): string {
  if (SHARED.includes(field)) return field;
  if (field === 'paymentCheckNo') return ofCheck(payer.id);
  const [, index] = OF_DOCUMENT.exec(field) ?? [];
  const document = index === undefined ? undefined : payer.open.filter(gets(form))[Number(index)];
  return document === undefined ? ofPayer(payer.id) : ofDocument(document.invoiceId);
}

/** Maps paths in the request and in form errors to places in the submitted form. */
export function placedSeveral(
  fields: FieldMessages,
  form: SeveralForm,
  places: Readonly<Record<string, string>>,
): FieldMessages {
  const paid = paying(form, payersOf(form.documents));
  const placed = Object.entries(fields).map(([path, message]) => {
    const [, index, field = ''] = OF_ONE.exec(path) ?? [];
    const payer = index === undefined ? undefined : paid[Number(index)];
    const place = payer === undefined ? path : placeOf(form, payer, field);
    return [places[place] ?? place, message];
  });
  return Object.fromEntries(placed);
}
