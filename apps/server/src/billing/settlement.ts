import { addDays, type IsoDate, laterOf } from '@evenkeel/core/dates';
import { difference, type LiveLine } from '@evenkeel/core/ledger';
import { cents, minCents, sum, type Cents } from '@evenkeel/core/money';
import { type Application, componentsOf, cumulate, type PostableInvoice, postPayment } from '@evenkeel/core/posting';
import type { Tx } from '../db/tx.ts';
import { liveLinesBySource } from '../ledger/live.ts';
import type { PostingRequest, Source } from '../ledger/post.ts';
import {
  type ApplicationRow,
  type InvoiceRow,
  loadApplications,
  loadInvolvedInvoices,
  loadLines,
  loadLive,
  lockInvoices,
  lockPayments,
  type PaymentRow,
  type Picked,
  type PostedLineRow,
} from './settlement.sql.ts';

/** Invoices and payments that hang together, locked, with what the journal says of them. */
export interface Settlement {
  /** The locked invoices, by id. */
  locked: Map<number, InvoiceRow>;
  /** Locked and merely involved invoices as postings need them. */
  postable: Map<number, PostableInvoice>;
  payments: Map<number, PaymentRow>;
  applications: ApplicationRow[];
  /** The live lines of a document. */
  live: (source: Source) => LiveLine[];
}

/** Locks and loads in one round trip; statements are sent together and answered in order. */
export async function loadSettlement(tx: Tx, picked: Picked): Promise<Settlement> {
  const [locked, payments, applications, involved, lines, live] = await Promise.all([
    tx.rows(lockInvoices(picked)),
    tx.rows(lockPayments(picked)),
    tx.rows(loadApplications(picked)),
    tx.rows(loadInvolvedInvoices(picked)),
    tx.rows(loadLines(picked)),
    tx.rows(loadLive(picked)),
  ]);
  return {
    locked: new Map(locked.map((invoice) => [invoice.id, invoice])),
    postable: new Map(involved.map((invoice) => [invoice.id, postableOf(invoice, linesOf(lines, invoice.id))])),
    payments: new Map(payments.map((payment) => [payment.id, payment])),
    applications,
    live: liveLinesBySource(live),
  };
}

function linesOf(lines: readonly PostedLineRow[], invoiceId: number): PostedLineRow[] {
  return lines.filter((line) => line.invoiceId === invoiceId);
}

type InvoiceHead = Pick<
  InvoiceRow,
  'id' | 'invoiceNumber' | 'invoiceDate' | 'customerId' | 'arAccountId' | 'taxAccountId' | 'taxSnapshot'
>;

/** A stored (or about to be stored) invoice as core posts it. Without a number yet, posting names it. */
export function postableOf(invoice: InvoiceHead, lines: readonly Omit<PostedLineRow, 'invoiceId'>[]): PostableInvoice {
  return {
    id: invoice.id,
    invoiceDate: invoice.invoiceDate,
    customerId: invoice.customerId,
    arAccountId: invoice.arAccountId,
    description: invoice.invoiceNumber === '' ? '' : `Invoice ${invoice.invoiceNumber}`,
    components: componentsOf({
      lines,
      taxItems: invoice.taxSnapshot.map(({ label, total }) => ({ label: label === '' ? 'Sales tax' : label, total })),
      taxAccountId: invoice.taxAccountId ?? 0,
    }),
  };
}

/** What stands applied to an invoice, in cents. */
export function appliedTo(applications: readonly ApplicationRow[], invoiceId: number): Cents {
  return sum(applications.filter((each) => each.invoiceId === invoiceId).map((each) => each.amount));
}

/**
 * What the journal lacks of every payment in the settlement: an application's share depends on those before it, so a
 * changed invoice or payment may move the cash lines of others (accounting: A5, A7.6).
 */
export function paymentRequests(settlement: Settlement): PostingRequest[] {
  const cumulated = new Map<number, ReturnType<typeof cumulate<ApplicationRow>>>();
  for (const invoiceId of new Set(settlement.applications.map((each) => each.invoiceId))) {
    const ofInvoice = settlement.applications.filter((each) => each.invoiceId === invoiceId);
    cumulated.set(invoiceId, cumulate(ofInvoice));
  }
  const all = [...cumulated.values()].flat();
  return [...settlement.payments.values()].flatMap((payment) => {
    const applications = all
      .filter((each) => each.paymentId === payment.id)
      .map((each) => applicationOf(settlement, each));
    const live = settlement.live({ type: 'payment', id: payment.id });
    const postings = difference(live, postPayment({ ...postablePayment(payment), applications }));
    return postings.length === 0 ? [] : [{ source: { type: 'payment' as const, id: payment.id }, postings }];
  });
}

function applicationOf(settlement: Settlement, row: ApplicationRow & { appliedBefore: Cents }): Application {
  const invoice = settlement.postable.get(row.invoiceId);
  if (invoice === undefined) throw new Error(`invoice ${row.invoiceId} was not loaded`);
  return { invoice, amount: row.amount, recognitionDate: row.recognitionDate, appliedBefore: row.appliedBefore };
}

function postablePayment(payment: PaymentRow) {
  return {
    id: payment.id,
    paymentDate: payment.paymentDate,
    customerId: payment.customerId,
    depositAccountId: payment.glAccountId,
    arAccountId: payment.arAccountId,
    amount: payment.amount,
    description: descriptionOf(payment),
  };
}

/** The journal's words for a payment; a new one without own words gets "Payment n" when it is posted. */
function descriptionOf(payment: PaymentRow): string {
  if (payment.description !== '') return payment.description;
  return payment.paymentNumber === '' ? '' : `Payment ${payment.paymentNumber}`;
}

export interface RecognitionInput {
  paymentId: number;
  invoiceId: number;
  paymentDate: IsoDate;
  invoiceDate: IsoDate;
  amount: Cents;
  /** What the payment had applied to this invoice before this change. */
  before: readonly ApplicationRow[];
  /** Neither the payment's date nor the invoice's changes. */
  isSameDate: boolean;
  /** Nothing is recognised on or before it; null when the books are open or the caller may post closed. */
  closingDate: IsoDate | null;
}

/**
 * The rows of one payment's application to one invoice: recognised on max(payment date, invoice date). Where that day
 * is closed, what was recognised on closed days stays and the difference goes to the first open date; it is negative
 * where less is applied than before (accounting: A7.2). Where nothing changes the rows stay, also after the books were
 * opened again.
 */
export function recognitionRows(input: RecognitionInput): ApplicationRow[] {
  const { paymentId, invoiceId, closingDate, amount, before } = input;
  if (input.isSameDate && amount === sum(before.map((each) => each.amount))) return [...before];
  const natural = laterOf(input.paymentDate, input.invoiceDate);
  const row = (recognitionDate: IsoDate, part: Cents): ApplicationRow[] =>
    part === 0 ? [] : [{ paymentId, invoiceId, amount: part, recognitionDate }];
  if (closingDate === null || natural > closingDate) return row(natural, amount);
  const closed = before.filter((each) => each.recognitionDate <= closingDate);
  let rest = cents(amount - sum(closed.map((each) => each.amount)));
  const kept: ApplicationRow[] = [];
  for (const old of before) {
    if (old.recognitionDate <= closingDate || old.amount < 0 !== rest < 0) continue;
    const part = rest < 0 ? cents(Math.max(old.amount, rest)) : minCents(old.amount, rest);
    kept.push(...row(old.recognitionDate, part));
    rest = cents(rest - part);
  }
  const firstOpen = addDays(closingDate, 1);
  const open = kept.find((each) => each.recognitionDate === firstOpen);
  if (open === undefined) return [...closed, ...kept, ...row(firstOpen, rest)];
  return [...closed, ...kept.map((each) => (each === open ? { ...each, amount: cents(each.amount + rest) } : each))];
}
