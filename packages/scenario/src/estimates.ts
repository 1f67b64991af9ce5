import { FIXED, PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { creditFault } from '@evenkeel/core/documents/credit';
import { type EstimatedLine, invoiceFault, leftToInvoice } from '@evenkeel/core/documents/estimate';
import { refuse } from '@evenkeel/core/failure';
import { type PricedInvoice, posts, VOID } from '@evenkeel/core/documents/invoice';
import type { Whole } from '@evenkeel/core/documents/parts';
import { type Decimal, ZERO, decimal, sum } from '@evenkeel/core/money';
import { found } from './documents.ts';
import type { EstimateEvent, InvoiceEvent, ScenarioDiscount } from './scenario.ts';

type Estimated = Omit<EstimatedLine, 'id'> & { invoiced: Decimal };

/** A document from which others are created: an estimate for invoices, or an invoice for credit memos. */
type WholeEvent = EstimateEvent | InvoiceEvent;

/** Returns a document's lines, each with its quantity in these parts. Void parts do not count. */
function partedLines(
  { lines }: WholeEvent,
  invoices: readonly InvoiceEvent[],
  discounts: readonly ScenarioDiscount[],
): Estimated[] {
  const taken = invoices.filter(({ status }) => status !== VOID).flatMap((invoice) => invoice.lines);
  return lines.map(({ quantity, discount }, at) => {
    const own = taken.filter(({ ofLine }) => ofLine === at + 1);
    const invoiced = own.reduce((all, line) => all.plus(decimal(line.quantity)), decimal(0));
    const terms = discounts.find(({ name }) => name === discount);
    const discountType = terms && (terms.percentage === null ? FIXED : PERCENTAGE);
    return { quantity: decimal(quantity), invoiced, discountType };
  });
}

/** An invoice with its amounts. */
interface PricedSale {
  event: InvoiceEvent;
  priced: PricedInvoice;
}

/**
 * Returns a document with its amounts and the amounts of its parts, which are the given documents that are not void.
 */
export function wholeOf(
  whole: WholeEvent,
  priced: PricedInvoice,
  invoices: readonly PricedSale[],
  discounts: readonly ScenarioDiscount[],
): Whole {
  const others = invoices.filter(({ event }) => event.status !== VOID);
  const events = others.map(({ event }) => event);
  const lines = partedLines(whole, events, discounts).map(({ quantity, invoiced, discountType }, at) => {
    const amounts = others.flatMap((each) =>
      each.priced.lines.filter((_, index) => each.event.lines[index]?.ofLine === at + 1),
    );
    const amount = sum(amounts.map((line) => line.lineItemAmount));
    return {
      id: at + 1,
      quantity,
      amount: priced.lines[at]?.lineItemAmount ?? ZERO,
      discountType,
      taken: { quantity: invoiced, amount },
    };
  });
  const taxItems = others.flatMap((each) => each.priced.taxItems);
  const totals = priced.taxItems.map(({ id }) => {
    return { id, total: sum(taxItems.filter((item) => item.id === id).map((item) => item.total)) };
  });
  const hasOtherLines = events.some((event) => event.lines.some(({ ofLine }) => ofLine === undefined));
  return { lines, taxItems: priced.taxItems, taken: { count: others.length, hasOtherLines, taxItems: totals } };
}

/** Returns the quantity on each of a document's lines that is not in any part yet. */
export function leftOf(...given: Parameters<typeof partedLines>): Decimal[] {
  return partedLines(...given).map(leftToInvoice);
}

/** Throws for an invoice that exceeds the remaining part of an estimate. */
export function checkInvoiced(
  estimate: EstimateEvent,
  { status, lines }: InvoiceEvent,
  others: readonly InvoiceEvent[],
  discounts: readonly ScenarioDiscount[],
): void {
  if (status === VOID) return;
  const left = partedLines(estimate, others, discounts);
  for (const { ofLine, quantity } of lines) {
    if (ofLine === undefined) continue;
    const fault = invoiceFault(found(left[ofLine - 1], `Line ${ofLine}`), decimal(quantity));
    if (fault !== undefined) throw refuse(fault);
  }
}

/**
 * Throws for a credit memo that credits more than the remaining quantities on the invoice, or a line that is not on the
 * invoice.
 */
export function checkCredit(
  invoice: InvoiceEvent,
  { customer, lines }: InvoiceEvent,
  others: readonly InvoiceEvent[],
  discounts: readonly ScenarioDiscount[],
): void {
  if (!posts(invoice.status)) throw refuse("A draft or void invoice can't be credited");
  if (customer !== invoice.customer) throw refuse('The credit memo must be for the same customer as the invoice');
  const taken = partedLines(invoice, others, discounts);
  for (const { ofLine = 0, quantity } of lines) {
    const line = taken[ofLine - 1];
    if (line === undefined) throw refuse("This line isn't on the invoice");
    const fault = creditFault({ ...line, credited: line.invoiced }, decimal(quantity));
    if (fault !== undefined) throw refuse(fault);
    line.invoiced = line.invoiced.plus(quantity);
  }
}

/** Throws if an edited invoice no longer covers its credit memos. */
export function checkCredited(
  before: InvoiceEvent,
  event: InvoiceEvent,
  credits: readonly InvoiceEvent[],
  discounts: readonly ScenarioDiscount[],
): void {
  if (credits.every(({ status }) => status === VOID)) return;
  if (!posts(event.status)) throw refuse("An invoice with credit memos can't be changed to Draft or Void");
  if (event.customer !== before.customer) {
    throw refuse("You can't change the customer on an invoice that has credit memos");
  }
  partedLines(before, credits, discounts).forEach(({ invoiced, discountType }, at) => {
    if (invoiced.eq(0)) return;
    const line = event.lines[at];
    if (line === undefined) throw refuse("You can't remove a line that has been credited");
    if (discountType === PERCENTAGE || decimal(line.quantity).gte(invoiced)) return;
    throw refuse(`A quantity of ${invoiced.toString()} on this line has already been credited`);
  });
}
