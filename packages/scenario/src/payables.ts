import {
  type InvoiceApplication,
  type Settlement,
  allocate,
  checkApplications,
  withDocument,
  withPayment,
  withoutPayment,
} from '@evenkeel/core/settlement';
import { billLineAmount, billTotal, requireBill } from '@evenkeel/core/bill';
import { refuse } from '@evenkeel/core/failure';
import { checkDocumentDelete, checkDocumentEdit, OPEN } from '@evenkeel/core/invoice';
import { ZERO } from '@evenkeel/core/money';
import { PAYABLE } from '@evenkeel/core/side';
import { existing, found, named, openFor } from './documents.ts';
import type { BillEvent, BillPaymentEvent, DeleteEvent, ScenarioEvent } from './scenario.ts';

/** A company's bills and what paid them, in memory. */
export interface Payables {
  bills: ReadonlyMap<string, { id: number; event: BillEvent }>;
  payments: ReadonlyMap<string, { id: number; event: BillPaymentEvent; applications: InvoiceApplication[] }>;
  settlement: Settlement;
}

export type PayableEvent = BillEvent | BillPaymentEvent | (DeleteEvent & { document: 'bill' | 'bill-payment' });

/** Whether an event is of a bill or what pays one, a deletion too. */
export function isPayable(event: ScenarioEvent): event is PayableEvent {
  const kind = event.kind === 'delete' ? event.document : event.kind;
  return kind === 'bill' || kind === 'bill-payment';
}

interface Known {
  vendors: readonly string[];
  nextId: () => number;
}

/** The payables after an event. Throws a Failure when it is refused. */
export function withPayable(before: Payables, event: PayableEvent, known: Known): Payables {
  if (event.kind === 'bill') return withBill(before, event, known);
  if (event.kind === 'bill-payment') return withBillPayment(before, event, known);
  return event.document === 'bill' ? withoutBill(before, event.key) : withoutBillPayment(before, event.key);
}

const vendorId = ({ vendors }: Known, name: string): number => vendors.indexOf(name) + 1;

function withBill(before: Payables, event: BillEvent, known: Known): Payables {
  const old = existing(before.bills, event, 'Bill');
  const entityId = vendorId(known, event.vendor);
  const lineItems = event.lines.map(({ amount, ...line }) => ({ ...line, lineItemAmount: amount }));
  requireBill({ vendorId: entityId, invoiceNumber: event.key, lineItems });
  if (old !== undefined) {
    const applied = before.settlement.documents.get(old.id)?.applied ?? ZERO;
    const entityChanged = old.event.vendor !== event.vendor;
    checkDocumentEdit(PAYABLE, { applied, amount: billTotal(lineItems), status: OPEN, entityChanged });
  }
  const id = old?.id ?? known.nextId();
  const document = {
    id,
    kind: PAYABLE.document.source,
    date: event.postingDate,
    entityId,
    controlAccountId: PAYABLE.controlAccountId,
    description: `Bill ${event.key}`,
    components: lineItems.map((line) => ({
      accountId: line.accountId,
      amount: billLineAmount(line),
      description: line.description,
      profitCenterId: null,
      locationId: null,
    })),
    posts: true,
  };
  const settlement = withDocument(before.settlement, document, null);
  return { ...before, bills: new Map(before.bills).set(event.key, { id, event }), settlement };
}

function withBillPayment(before: Payables, event: BillPaymentEvent, known: Known): Payables {
  const old = existing(before.payments, event, 'Bill payment');
  if (old !== undefined && old.event.vendor !== event.vendor && old.applications.length > 0) {
    throw refuse('The vendor of an applied payment cannot change');
  }
  const { amount, vendor } = event;
  // An amount of 0.00 is allowed where a vendor's credit pays.
  const usesCredit = (event.applications ?? []).some((each) => each.amount < 0);
  if (amount < 0 || (amount === 0 && !usesCredit)) throw refuse('The payment amount must be greater than $0.00');
  const bills = [...before.bills.values()].filter((each) => each.event.vendor === vendor);
  const listed = bills.map(({ id, event: { key, postingDate, dueDate } }) => ({ id, key, date: postingDate, dueDate }));
  const open = openFor(before.settlement, listed, old?.applications);
  const applications =
    event.applications === null
      ? allocate(amount, open)
      : checkApplications({ amount, applications: named('Bill', before.bills, event.applications), open });
  const id = old?.id ?? known.nextId();
  const payment = {
    id,
    date: event.paymentDate,
    entityId: vendorId(known, vendor),
    moneyAccountId: event.accountId,
    controlAccountId: PAYABLE.controlAccountId,
    amount,
    description: `Bill payment ${event.key}`,
  };
  const wanted = applications.map(({ invoiceId, amount: part }) => ({ documentId: invoiceId, amount: part }));
  const settlement = withPayment(before.settlement, payment, wanted, null);
  return { ...before, payments: new Map(before.payments).set(event.key, { id, event, applications }), settlement };
}

function withoutBill(before: Payables, key: string): Payables {
  const { id } = found(before.bills.get(key), `Bill ${key}`);
  const old = found(before.settlement.documents.get(id), `Bill ${key}`);
  checkDocumentDelete(old.applied);
  const bills = new Map(before.bills);
  bills.delete(key);
  return { ...before, bills, settlement: withDocument(before.settlement, { ...old, posts: false }, null) };
}

function withoutBillPayment(before: Payables, key: string): Payables {
  const { id } = found(before.payments.get(key), `Bill payment ${key}`);
  const payments = new Map(before.payments);
  payments.delete(key);
  return { ...before, payments, settlement: withoutPayment(before.settlement, id) };
}
