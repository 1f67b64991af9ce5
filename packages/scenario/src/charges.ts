import { INTEREST_INCOME } from '@evenkeel/core/books/accounts';
import { type ChargedDays, chargeOf, NO_CHARGE } from '@evenkeel/core/documents/charges';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict } from '@evenkeel/core/failure';
import { OPEN, SENT } from '@evenkeel/core/documents/invoice';
import { type Cents, decimal, sum, toPlain } from '@evenkeel/core/money';
import type { ChargeEvent, InvoiceEvent } from './scenario.ts';

/** An invoice of the customer, or a credit memo, with what was open of it on the day of the charge. */
export interface LateInvoice {
  id: number;
  dueDate: IsoDate | null;
  status: number;
  open: Cents;
  /** It charges others itself, and is charged nothing. */
  isCharge: boolean;
}

interface Known {
  /** Percent a year; null where nobody is charged. */
  annualRate: string | null;
  invoices: readonly LateInvoice[];
  /** The parts of the customer's payments that were unapplied on that day. */
  left: readonly Cents[];
  /** Days that other charges have. */
  charged: readonly ChargedDays[];
}

/** The invoice of a finance charge up to its day, and the days that it charges. Throws a Failure for none. */
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
