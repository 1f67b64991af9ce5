import { INTEREST_INCOME } from '@evenkeel/core/books/accounts';
import { type ChargedDays, chargeOf, NO_CHARGE } from '@evenkeel/core/documents/charges';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict } from '@evenkeel/core/failure';
import { OPEN, SENT } from '@evenkeel/core/documents/invoice';
import { type Cents, decimal, sum, toPlain } from '@evenkeel/core/money';
import type { ChargeEvent, InvoiceEvent } from './scenario.ts';

/** A customer's invoice or credit memo, with its open amount on the day of the charge. */
export interface LateInvoice {
  id: number;
  dueDate: IsoDate | null;
  status: number;
  open: Cents;
  /** Whether the document is itself a finance charge. Finance charges are not charged again. */
  isCharge: boolean;
}

interface Known {
  /** The annual percentage. Null if nothing is charged. */
  annualRate: string | null;
  invoices: readonly LateInvoice[];
  /** The unapplied parts of the customer's payments on that day. */
  left: readonly Cents[];
  /** The days that other finance charges already cover. */
  charged: readonly ChargedDays[];
}

/**
 * Returns the invoice for a finance charge through the given date, and the days for which it charges interest. Throws a
 * Failure if there is nothing to charge.
 */
export function chargeInvoice(
  { key, customer, chargeDate }: ChargeEvent,
  { annualRate, invoices, left, charged }: Known,
): { invoice: InvoiceEvent; days: ChargedDays[] } {
  const rule = { ...NO_CHARGE, annualRate: decimal(annualRate ?? '0') };
  const owes = sum(invoices.map(({ open }) => open)) > sum(left);
  const late = invoices.flatMap(({ id, dueDate, status, open, isCharge }) => {
    if (!owes || isCharge || dueDate === null || (status !== OPEN && status !== SENT)) return [];
    const own = charged.filter(({ invoiceId }) => invoiceId === id);
    return [{ invoiceId: id, dueDate, openAmount: open, charged: own }];
  });
  const { lines: days } = chargeOf(rule, late, chargeDate);
  if (days.length === 0) throw conflict(`${customer} has nothing to charge`);
  const lines = days.map(({ amount }) => ({
    product: null,
    description: 'Finance charge',
    itemPrice: toPlain(amount),
    quantity: '1',
    accountId: INTEREST_INCOME,
    taxable: false,
  }));
  const head = { kind: 'invoice', edit: false, key, customer, dueDate: null, status: OPEN } as const;
  return { invoice: { ...head, invoiceDate: chargeDate, lines }, days };
}
