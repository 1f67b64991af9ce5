import { allocate } from '@evenkeel/core/allocation';
import {
  type InvoiceApplication,
  type OpenInvoice,
  type SettledPayment,
  type Settlement,
  checkApplications,
  checkRefund,
  openAmount,
  unappliedOf,
  withPayment,
  withoutPayment,
} from '@evenkeel/core/books/settlement';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, notFound, refuse } from '@evenkeel/core/failure';
import type { AppliedBy } from '@evenkeel/core/documents/invoice';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { type GivenBack, totalOf } from '@evenkeel/core/books/posting';
import type { Side, SourceType } from '@evenkeel/core/documents/side';
import type { PaymentEvent, ScenarioDocument } from './scenario.ts';

/** The document kinds in core and the API, by the words that scenarios use. */
export const sourceTypes = {
  invoice: 'invoice',
  payment: 'payment',
  writeoff: 'writeoff',
  estimate: 'estimate',
  bill: 'expense',
  'bill-payment': 'expensepayment',
  transfer: 'transfer',
  deposit: 'deposit',
} as const satisfies Record<ScenarioDocument, SourceType>;

/** Returns the value, or throws 404 with the name of the missing record. */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw notFound(what);
  return value;
}

/**
 * Returns the document as it was before an event. Throws if an edited document is missing or a new document already
 * exists.
 */
export function existing<T>(documents: ReadonlyMap<string, T>, event: { edit: boolean; key: string }, what: string) {
  const old = documents.get(event.key);
  if (event.edit) return found(old, `${what} ${event.key}`);
  if (old !== undefined) throw conflict(`${what} ${event.key} exists already`);
  return undefined;
}

/** Returns the map without the given key. */
export function without<T>(all: ReadonlyMap<string, T>, gone: string): Map<string, T> {
  return new Map([...all].filter(([key]) => key !== gone));
}

/** Returns a scenario's applications with document IDs in place of names. */
function named(
  what: string,
  documents: ReadonlyMap<string, { id: number }>,
  applications: NonNullable<PaymentEvent['applications']>,
): InvoiceApplication[] {
  return applications.map(({ invoice, ...share }) => {
    return { invoiceId: found(documents.get(invoice), `${what} ${invoice}`).id, ...share };
  });
}

/** A customer's or vendor's document that can be paid. */
interface Listed {
  id: number;
  key: string;
  date: IsoDate;
  dueDate: IsoDate | null;
}

/**
 * Returns the payable amounts for these documents: those of open documents, and those of documents to which the edited
 * payment is applied.
 */
function openFor(
  settlement: Settlement,
  documents: readonly Listed[],
  own: readonly InvoiceApplication[],
): OpenInvoice[] {
  return documents.map(({ id, key, date, dueDate }) => {
    const document = found(settlement.documents.get(id), 'Invoice');
    const returned = own.filter((each) => each.invoiceId === id).map((each) => each.amount);
    const unpaid = cents(openAmount(document) + sum(returned));
    return { invoiceId: id, invoiceNumber: key, invoiceDate: date, dueDate, unpaid };
  });
}

/** The documents and payments on one side, by key. */
export interface Settling {
  side: Side;
  settlement: Settlement;
  documents: ReadonlyMap<string, { id: number }>;
  payments: ReadonlyMap<string, { id: number }>;
}

export type MoneyEvent = Pick<
  PaymentEvent,
  'key' | 'paymentDate' | 'amount' | 'accountId' | 'applications' | 'refunds'
>;

interface Saving {
  id: number;
  entityId: number;
  /** The customer's or vendor's posted documents. */
  listed: readonly Listed[];
}

/**
 * Returns the settlement with a payment or refund saved and applied. Throws a Failure if the payment or refund is
 * rejected.
 */
export function withMoney(
  settling: Settling,
  event: MoneyEvent,
  { id, entityId, listed }: Saving,
): { settlement: Settlement; applications: InvoiceApplication[] } {
  const { side, settlement } = settling;
  const before = settlement.payments.get(id);
  const own = settlement.applications
    .filter((each) => each.paymentId === id)
    .map(({ documentId, amount }) => ({ invoiceId: documentId, amount }));
  if (before !== undefined && before.entityId !== entityId && own.length > 0) {
    throw refuse(`You can't change the ${side.words.entity} on a payment that has been applied`);
  }
  checkSign(event, before);
  const { applications, givesBack } = checked(settling, event, {
    id,
    entityId,
    open: openFor(settlement, listed, own),
  });
  const payment: SettledPayment = {
    id,
    date: event.paymentDate,
    entityId,
    moneyAccountId: event.accountId,
    controlAccountId: side.controlAccountId,
    discountAccountId: side.discountAccountId,
    amount: event.amount,
    description: `${side.payment.label} ${event.key}`,
    givesBack,
    refunded: before?.refunded ?? ZERO,
  };
  const wanted = applications.map(({ invoiceId: documentId, amount, discount = ZERO }) => {
    return { documentId, amount: cents(amount + discount), waived: discount };
  });
  return { settlement: withPayment(settlement, payment, wanted, null), applications };
}

/**
 * Checks that a payment has an amount or applications and does not become a refund, and that credits are refunded only
 * by a refund.
 */
function checkSign({ amount, applications, refunds = [] }: MoneyEvent, before: SettledPayment | undefined): void {
  const usesCredit = applications?.some((each) => each.amount < 0) === true;
  if (amount <= 0 && !usesCredit && refunds.length === 0) throw refuse('The payment amount must be more than $0.00');
  if (before !== undefined && amount < 0 !== before.amount < 0) throw refuse('A refund stays a refund');
  if (amount >= 0 && refunds.length > 0) throw refuse('A refund must be less than $0.00');
}

function checked(
  { side, settlement, documents, payments }: Settling,
  { amount, refunds = [], ...event }: MoneyEvent,
  { id, entityId, open }: { id: number; entityId: number; open: OpenInvoice[] },
): { applications: InvoiceApplication[]; givesBack: GivenBack[] } {
  const before = settlement.payments.get(id);
  const applications = event.applications && named(side.document.label, documents, event.applications);
  if (amount >= 0) {
    const refunded = before?.refunded ?? ZERO;
    const wanted = applications ?? allocate(cents(Math.max(0, amount - refunded)), open);
    return { applications: checkApplications({ amount, applications: wanted, open, refunded }), givesBack: [] };
  }
  const left = [...settlement.payments.values()]
    .filter((each) => each.id !== id && each.entityId === entityId && each.amount > 0)
    .map((each) => {
      const own = before?.givesBack?.find(({ paymentId }) => paymentId === each.id)?.amount ?? 0;
      const paymentNumber = each.description;
      return { ...each, paymentId: each.id, paymentNumber, left: cents(unappliedOf(settlement, each.id) + own) };
    });
  const wanted = refunds.map(({ payment, amount: part }) => {
    return { paymentId: found(payments.get(payment), `Payment ${payment}`).id, amount: part };
  });
  return checkRefund({ amount, applications: applications ?? [], open, refunds: wanted, payments: left });
}

/** Returns the settlement without a payment. Throws if the payment has been refunded. */
export function withoutMoney(settlement: Settlement, id: number): Settlement {
  if ((settlement.payments.get(id)?.refunded ?? 0) > 0) throw conflict('Delete these refunds first');
  return withoutPayment(settlement, id);
}

/**
 * Returns the kinds of applications to a document, in the server's terms. `writeOffs` has the payment IDs of
 * write-offs.
 */
export function appliedBy(
  { applications, payments }: Settlement,
  documentId: number,
  writeOffs: readonly number[] = [],
): AppliedBy[] {
  const own = applications.filter((each) => each.documentId === documentId);
  const kinds = own.map(({ paymentId }): AppliedBy => {
    const amount = payments.get(paymentId)?.amount ?? 0;
    if (writeOffs.includes(paymentId)) return 'writeoff';
    return amount < 0 ? 'refund' : amount === 0 ? 'credit' : 'payment';
  });
  return (['payment', 'credit', 'refund', 'writeoff'] as const).filter((kind) => kinds.includes(kind));
}

/** Returns Σ open amounts less Σ unapplied amounts, which is the balance of the control accounts. */
export function owed(settlement: Settlement): Cents {
  const open = [...settlement.documents.values()].map(openAmount);
  const left = [...settlement.payments.keys()].map((id) => unappliedOf(settlement, id));
  return cents(sum(open) - sum(left));
}

/** Returns a document's open amount on a given day. */
export function openOn({ documents, applications }: Settlement, id: number, day: IsoDate): Cents {
  const document = found(documents.get(id), 'Document');
  if (!document.posts || document.date > day) return ZERO;
  const applied = applications.filter((each) => each.documentId === id && each.recognitionDate <= day);
  return cents(totalOf(document) - sum(applied.map(({ amount }) => amount)));
}

/** Returns a payment's unapplied part on a given day. */
export function leftOn({ payments, applications }: Settlement, id: number, day: IsoDate): Cents {
  const payment = found(payments.get(id), 'Payment');
  if (payment.date > day) return ZERO;
  const applied = applications.filter((each) => each.paymentId === id && each.recognitionDate <= day);
  const refunds = [...payments.values()].flatMap((refund) =>
    (refund.givesBack ?? []).flatMap(({ paymentId, amount }) => {
      const isGone = refund.date <= day && found(payments.get(paymentId), 'Payment').date <= day;
      if (!isGone || (paymentId !== id && refund.id !== id)) return [];
      return [paymentId === id ? negate(amount) : amount];
    }),
  );
  return cents(payment.amount - sum(applied.map(({ amount, waived = ZERO }) => cents(amount - waived))) + sum(refunds));
}
