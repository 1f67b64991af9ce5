import { type Cents, cents, minCents } from './money.ts';
import type { InvoiceApplication, OpenInvoice } from './books/settlement.ts';

/** The order in which payments are applied to open documents (docs/accounting.md, "Applying payments"). */

const natural = new Intl.Collator('en', { numeric: true });

/**
 * Sorts invoices into the order in which payments are applied: by invoice date, due date, number (INV-9 before INV-10),
 * and ID. The invoice `firstId`, which the user chose to pay, comes first.
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

/** Applies an amount to invoices in list order, up to the unpaid amount of each invoice. Skips credits. */
export function allocate(amount: Cents, invoices: readonly OpenInvoice[]): InvoiceApplication[] {
  return fill(amount, listOrder(invoices));
}

/**
 * Applies an amount like `allocate`, but in the given order. The payment dialog uses this function to fill its list
 * from top to bottom.
 */
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
