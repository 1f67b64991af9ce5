import { type InvoiceApplication, type OpenInvoice, type Settlement, openAmount } from '@evenkeel/core/settlement';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, notFound } from '@evenkeel/core/failure';
import { type Cents, cents } from '@evenkeel/core/money';

/** The value, or a refusal (404) that names what is missing. */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw notFound(what);
  return value;
}

/** The document an edit changes; a new one must not exist yet. */
export function existing<T>(documents: ReadonlyMap<string, T>, event: { edit: boolean; key: string }, what: string) {
  const old = documents.get(event.key);
  if (event.edit) return found(old, `${what} ${event.key}`);
  if (old !== undefined) throw conflict(`${what} ${event.key} exists already`);
  return undefined;
}

/** Applications as a story tells them, by the documents' ids. */
export function named(
  what: string,
  documents: ReadonlyMap<string, { id: number }>,
  applications: readonly { invoice: string; amount: Cents }[],
): InvoiceApplication[] {
  return applications.map(({ invoice, amount }) => {
    return { invoiceId: found(documents.get(invoice), `${what} ${invoice}`).id, amount };
  });
}

/** The amounts of these documents that may be paid: open ones, and those that the edited payment itself has applied. */
export function openFor(
  settlement: Settlement,
  documents: readonly { id: number; key: string; date: IsoDate; dueDate: IsoDate | null }[],
  own: readonly InvoiceApplication[] = [],
): OpenInvoice[] {
  return documents.map(({ id, key, date, dueDate }) => {
    const document = found(settlement.documents.get(id), 'Invoice');
    const returned = own.find((each) => each.invoiceId === id)?.amount ?? 0;
    const unpaid = cents(openAmount(document) + returned);
    return { invoiceId: id, invoiceNumber: key, invoiceDate: date, dueDate, unpaid };
  });
}
