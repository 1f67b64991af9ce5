import { type Cents, cents, minCents } from './money.ts';
import type { InvoiceApplication, OpenInvoice } from './books/settlement.ts';

/** The order in which payments fill what is open (docs/accounting.md, "Applying payments"). */

const natural = new Intl.Collator('en', { numeric: true });

/**
 * The order in which payments fill invoices: invoice date, due date, number (INV-9 before INV-10), id. `firstId` is the
 * invoice that somebody chose to pay: it stands before the others.
 */
export function listOrder<T extends OpenInvoice>(invoices: readonly T[], firstId?: number): T[] {
  return invoices.toSorted(
    (a, b) =>
      Number(b.invoiceId === firstId) - Number(a.invoiceId === firstId) ||
      compareText(a.invoiceDate, b.invoiceDate) ||
      compareText(a.dueDate ?? a.invoiceDate, b.dueDate ?? b.invoiceDate) ||
      natural.compare(a.invoiceNumber, b.invoiceNumber) ||
      a.invoiceId - b.invoiceId,
  );
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Fills the invoices in list order, each up to its unpaid amount, until the amount is used; skips credits. */
export function allocate(amount: Cents, invoices: readonly OpenInvoice[]): InvoiceApplication[] {
  return fill(amount, listOrder(invoices));
}

/** As allocate, in the order given: what the dialog lists is filled from its top to its bottom. */
export function fill(amount: Cents, listed: readonly OpenInvoice[]): InvoiceApplication[] {
  const applications: InvoiceApplication[] = [];
  let rest = amount;
  for (const { invoiceId, unpaid } of listed) {
    const part = minCents(rest, unpaid);
    if (part <= 0) continue;
    applications.push({ invoiceId, amount: part });
    rest = cents(rest - part);
  }
  return applications;
}
