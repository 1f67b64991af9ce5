import { FIXED, PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { type EstimatedLine, invoiceFault, leftToInvoice } from '@evenkeel/core/documents/estimate';
import { refuse } from '@evenkeel/core/failure';
import { type PricedInvoice, VOID } from '@evenkeel/core/documents/invoice';
import type { Whole } from '@evenkeel/core/documents/parts';
import { type Decimal, ZERO, decimal, sum } from '@evenkeel/core/money';
import { found } from './documents.ts';
import type { EstimateEvent, InvoiceEvent, ScenarioDiscount } from './scenario.ts';

type Estimated = Omit<EstimatedLine, 'id'>;

/** Returns the lines of an estimate with the quantity of each line on these invoices. Void invoices do not count. */
function estimatedLines(
  { lines }: EstimateEvent,
  invoices: readonly InvoiceEvent[],
  discounts: readonly ScenarioDiscount[],
): Estimated[] {
  const taken = invoices.filter(({ status }) => status !== VOID).flatMap((invoice) => invoice.lines);
  return lines.map(({ quantity, discount }, at) => {
    const own = taken.filter(({ estimateLine }) => estimateLine === at + 1);
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

/** Returns an estimate, its amounts, and the parts of it that are on these invoices. Void invoices have no part. */
export function wholeOf(
  estimate: EstimateEvent,
  priced: PricedInvoice,
  invoices: readonly PricedSale[],
  discounts: readonly ScenarioDiscount[],
): Whole {
  const others = invoices.filter(({ event }) => event.status !== VOID);
  const events = others.map(({ event }) => event);
  const lines = estimatedLines(estimate, events, discounts).map(({ quantity, invoiced, discountType }, at) => {
    const amounts = others.flatMap((each) =>
      each.priced.lines.filter((_, index) => each.event.lines[index]?.estimateLine === at + 1),
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
  return { lines, taxItems: priced.taxItems, taken: { count: others.length, taxItems: totals } };
}

/** Returns, for each line of an estimate, the quantity that is not invoiced yet. */
export function leftOfEstimate(...given: Parameters<typeof estimatedLines>): Decimal[] {
  return estimatedLines(...given).map(leftToInvoice);
}

/** Throws for an invoice that exceeds the remaining part of an estimate. */
export function checkInvoiced(
  estimate: EstimateEvent,
  { status, lines }: InvoiceEvent,
  others: readonly InvoiceEvent[],
  discounts: readonly ScenarioDiscount[],
): void {
  if (status === VOID) return;
  const left = estimatedLines(estimate, others, discounts);
  for (const { estimateLine, quantity } of lines) {
    if (estimateLine === undefined) continue;
    const fault = invoiceFault(found(left[estimateLine - 1], `Line ${estimateLine}`), decimal(quantity));
    if (fault !== undefined) throw refuse(fault);
  }
}
