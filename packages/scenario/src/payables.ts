import { type InvoiceApplication, type Settlement, withDocument } from '@evenkeel/core/books/settlement';
import { billLineAmount, billTotal, requireBill } from '@evenkeel/core/documents/bill';
import { checkDocumentDelete, checkDocumentEdit, OPEN } from '@evenkeel/core/documents/invoice';
import { ZERO } from '@evenkeel/core/money';
import { PAYABLE } from '@evenkeel/core/documents/side';
import { appliedBy, existing, found, withMoney, without, withoutMoney } from './documents.ts';
import type { BillEvent, BillPaymentEvent, Deletion, ScenarioEvent } from './scenario.ts';

/** A company's bills and their payments in memory. */
export interface Payables {
  bills: ReadonlyMap<string, { id: number; event: BillEvent }>;
  payments: ReadonlyMap<string, { id: number; event: BillPaymentEvent; applications: InvoiceApplication[] }>;
  settlement: Settlement;
}

export type PayableEvent = BillEvent | BillPaymentEvent | Deletion<'bill' | 'bill-payment'>;

/** Returns whether an event creates, edits, or deletes a bill or bill payment. */
export function isPayable(event: ScenarioEvent): event is PayableEvent {
  const kind = event.kind === 'delete' ? event.document : event.kind;
  return kind === 'bill' || kind === 'bill-payment';
}

interface Known {
  vendors: readonly string[];
  nextId: () => number;
}

/** Returns the payables after an event. Throws a Failure if the event is rejected. */
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
    const by = appliedBy(before.settlement, old.id);
    const amount = billTotal(lineItems);
    checkDocumentEdit(PAYABLE, { applied, appliedBy: by, amount, status: OPEN, entityChanged });
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
  const id = old?.id ?? known.nextId();
  const listed = [...before.bills.values()]
    .filter((each) => each.event.vendor === event.vendor)
    .map((each) => {
      const { key, postingDate: date, dueDate } = each.event;
      return { id: each.id, key, date, dueDate };
    });
  const settling = { ...before, side: PAYABLE, documents: before.bills };
  const saved = withMoney(settling, event, { id, entityId: vendorId(known, event.vendor), listed });
  const { settlement, applications } = saved;
  return { ...before, payments: new Map(before.payments).set(event.key, { id, event, applications }), settlement };
}

function withoutBill(before: Payables, key: string): Payables {
  const { id } = found(before.bills.get(key), `Bill ${key}`);
  const old = found(before.settlement.documents.get(id), `Bill ${key}`);
  checkDocumentDelete(old.applied, appliedBy(before.settlement, id));
  const settlement = withDocument(before.settlement, { ...old, posts: false }, null);
  return { ...before, bills: without(before.bills, key), settlement };
}

function withoutBillPayment(before: Payables, key: string): Payables {
  const { id } = found(before.payments.get(key), `Bill payment ${key}`);
  const settlement = withoutMoney(before.settlement, id);
  return { ...before, payments: without(before.payments, key), settlement };
}
