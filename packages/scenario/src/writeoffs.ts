import { BAD_DEBT } from '@evenkeel/core/books/accounts';
import { conflict, refuse } from '@evenkeel/core/failure';
import { type Cents, negate, ZERO } from '@evenkeel/core/money';
import {
  type SettledDocument,
  type Settlement,
  openAmount,
  withDocument,
  withPayment,
  withoutPayment,
} from '@evenkeel/core/books/settlement';
import { documentKinds } from '@evenkeel/core/documents/side';
import { chosenParts, writeOffParts } from '@evenkeel/core/documents/writeoff';
import { found } from './documents.ts';
import type { WriteOffEvent } from './scenario.ts';

/** A write-off, and the payment of 0.00 that applies it. */
export interface BooksWriteOff {
  id: number;
  paymentId: number;
  event: WriteOffEvent;
}

/** Returns the settlement with an invoice's open amount written off. Throws a Failure if the write-off is rejected. */
export function withWriteOff(
  settlement: Settlement,
  { event, id, paymentId }: BooksWriteOff,
  { invoiceId, taxItems, taxAccountId }: { invoiceId: number; taxItems: number; taxAccountId: number },
): Settlement {
  const { key, writeOffDate: date, withTax } = event;
  const invoice = found(settlement.documents.get(invoiceId), 'Invoice');
  const amount = openAmount(invoice);
  if (amount <= 0) throw refuse('This invoice has no open balance');
  if (date < invoice.date) throw refuse("A write-off can't be dated before its invoice");
  const { badDebt, taxes } = chosenParts(writeOffParts(invoice, taxItems), withTax);
  const component = (accountId: number, part: Cents) => {
    return { accountId, amount: negate(part), description: key, profitCenterId: null, locationId: null };
  };
  const { entityId, controlAccountId } = invoice;
  const own = { id, date, entityId, controlAccountId, description: `${documentKinds.writeoff.label} ${key}` };
  const document: Omit<SettledDocument, 'applied'> = {
    ...own,
    kind: documentKinds.writeoff.source,
    components: [component(BAD_DEBT, badDebt), ...taxes.map((tax) => component(taxAccountId, tax))],
    posts: true,
  };
  const payment = { ...own, id: paymentId, moneyAccountId: BAD_DEBT, amount: ZERO };
  const wanted = [
    { documentId: invoiceId, amount, waived: amount },
    { documentId: id, amount: negate(amount), waived: negate(amount) },
  ];
  return withPayment(withDocument(settlement, document, null), payment, wanted, null);
}

/** Returns the settlement with a write-off reversed, so that its amount is open again. */
export function withoutWriteOff(settlement: Settlement, { id, paymentId }: BooksWriteOff): Settlement {
  const open = withoutPayment(settlement, paymentId);
  const old = found(open.documents.get(id), 'Write-off');
  if (old.applied !== 0) throw conflict('Delete its payments first');
  return withDocument(open, { ...old, posts: false }, null);
}
