import type { IsoDate } from './dates.ts';
import { refuse } from './failure.ts';
import { cents, formatUsd, minCents, sum } from './money.ts';
import type { Cents } from './money.ts';

/** An open document as the payment form lists it. */
export interface OpenInvoice {
  invoiceId: number;
  invoiceNumber: string;
  invoiceDate: IsoDate;
  dueDate: IsoDate | null;
  /** openAmount + what the edited payment itself had applied, in cents; negative for a vendor's credit. */
  unpaid: Cents;
}

export interface InvoiceApplication {
  invoiceId: number;
  amount: Cents;
}

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

export interface ApplicationCheck {
  /** The payment's amount. */
  amount: Cents;
  applications: readonly InvoiceApplication[];
  open: readonly OpenInvoice[];
}

/**
 * The applications summed per invoice, without zeros. Each has the sign of what is unpaid and is not beyond it;
 * together they are neither negative nor above the payment (Specification part 1 §5; accounting: A6). Throws a
 * refusal with the field of the application that is wrong.
 */
export function checkApplications({ amount, applications, open }: ApplicationCheck): InvoiceApplication[] {
  if (amount < 0) throw refuse('The payment amount cannot be negative', { paymentAmount: 'Cannot be negative' });
  const summed = new Map<number, Cents>();
  for (const { invoiceId, amount: part } of applications) {
    summed.set(invoiceId, cents((summed.get(invoiceId) ?? 0) + part));
  }
  for (const [invoiceId, part] of summed) {
    const index = applications.findLastIndex((application) => application.invoiceId === invoiceId);
    checkApplication({ invoiceId, amount: part }, open, `paymentApplications.${index}`);
  }
  const total = sum(summed.values());
  if (total > amount) {
    throw refuse(`The applied amounts (${formatUsd(total)}) are more than the payment amount (${formatUsd(amount)})`, {
      paymentAmount: `At least ${formatUsd(total)}, what is applied`,
    });
  }
  if (total < 0) throw refuse('The credits applied are more than the invoices applied');
  return [...summed].flatMap(([invoiceId, part]) => (part === 0 ? [] : [{ invoiceId, amount: part }]));
}

function checkApplication({ invoiceId, amount }: InvoiceApplication, open: readonly OpenInvoice[], path: string): void {
  const invoice = open.find((each) => each.invoiceId === invoiceId);
  if (invoice === undefined) {
    throw refuse(`Invoice ${invoiceId} is not open for this payment`, { [`${path}.invoiceId`]: 'Not open' });
  }
  const name = `invoice ${invoice.invoiceNumber}`;
  if (amount !== 0 && amount < 0 !== invoice.unpaid < 0) {
    throw refuse(
      amount < 0
        ? `The amount applied to ${name} cannot be negative`
        : `The amount applied to ${name} must be negative`,
      { [`${path}.amount`]: amount < 0 ? 'Cannot be negative' : 'Must be negative' },
    );
  }
  if (Math.abs(amount) > Math.abs(invoice.unpaid)) {
    const figures = `${formatUsd(amount)} applied to ${name}, ${formatUsd(invoice.unpaid)} unpaid`;
    throw refuse(`An applied amount cannot exceed the invoice's unpaid amount: ${figures}`, {
      [`${path}.amount`]: `At most ${formatUsd(invoice.unpaid)}`,
    });
  }
}
