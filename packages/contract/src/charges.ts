import { CHARGE_KINDS } from '@evenkeel/core/documents/charges';
import * as z from 'zod';
import { BillingInvoice } from './billing.ts';
import { endpoint } from './endpoint.ts';
import { chosenId, DateField, decimalField, Id, IdText, maybe, RowVersion, text, Usd } from './fields.ts';
import { WorkItemInvoiceResult } from './workitems.ts';

/** Finance charges: the rule, the charges due on a day, and the invoices for these charges. */

const Kind = z.enum(CHARGE_KINDS);
/** The annual percentage. */
const Rate = decimalField(4, 1000);

/** The rule for finance charges. A rate or amount of zero charges nothing. */
export const FinanceChargeSettings = z.object({
  kind: Kind,
  annualRate: Rate,
  /** The amount that is charged once per invoice. */
  amount: Usd,
  graceDays: z.number().int(),
  /** The minimum interest that each finance charge bills to a customer. Does not apply to fixed amounts. */
  minimum: Usd,
  accountId: Id,
  /** Whether finance charges also apply to overdue finance charges. */
  chargesCharges: z.boolean(),
  /** Customers who are never charged finance charges. */
  leftOut: z.array(z.object({ id: Id, displayName: z.string() })),
  rowVersion: RowVersion,
});
export type FinanceChargeSettings = z.output<typeof FinanceChargeSettings>;

const FinanceChargeSettingsInput = z.object({
  kind: maybe(Kind),
  annualRate: maybe(Rate),
  amount: maybe(Usd),
  graceDays: maybe(z.number().int()),
  minimum: maybe(Usd),
  accountId: maybe(chosenId('Please Select an Account')),
  chargesCharges: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type FinanceChargeSettingsInput = z.output<typeof FinanceChargeSettingsInput>;

/** The days for which no finance charge has been made on an overdue invoice yet. */
const ChargedDays = z.object({
  invoiceId: Id,
  invoiceNumber: z.string(),
  dueDate: DateField,
  openAmount: Usd,
  from: DateField,
  to: DateField,
  days: z.number().int(),
  amount: Usd,
});
export type ChargedDays = z.output<typeof ChargedDays>;

/** A customer's proposed charge. `id` is the customer's ID. */
export const FinanceCharge = z.object({
  id: Id,
  customerDisplayName: z.string(),
  /** The overdue balance of the charged invoices. */
  overdueAmount: Usd,
  /** Unapplied payments and credit memos. */
  creditAmount: Usd,
  lines: z.array(ChargedDays),
  /** The amount that is added to raise the interest to the minimum. */
  toMinimum: Usd,
  amount: Usd,
});
export type FinanceCharge = z.output<typeof FinanceCharge>;

/** The charges through a given day. */
export const FinanceCharges = z.object({
  date: DateField,
  /** Whether the company has a rule with a rate or an amount. */
  isSet: z.boolean(),
  charges: z.array(FinanceCharge),
});
export type FinanceCharges = z.output<typeof FinanceCharges>;

const FinanceChargeInput = z.object({
  id: chosenId('Please Select a Customer'),
  /** Defaults to today. A later date is not allowed. */
  date: maybe(DateField),
  /** The charge that the user saw. The request is rejected if the charge has changed since then. */
  amount: maybe(Usd),
  /** An administrator's reason for an invoice on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
});
export type FinanceChargeInput = z.output<typeof FinanceChargeInput>;

const FinanceChargeResult = WorkItemInvoiceResult.omit({ workItemId: true });

/** The maximum number of customers in one request. */
const MOST_ROWS = 500;

export const chargeCalls = {
  listFinanceCharges: endpoint({
    method: 'GET',
    path: '/financecharge',
    needs: 'View Billing',
    summary: 'Previews the finance charges on overdue invoices through a date, by customer.',
    query: z.object({ date: DateField.optional() }),
    reply: FinanceCharges,
  }),
  makeFinanceCharges: endpoint({
    method: 'POST',
    path: '/financecharge',
    needs: 'Manage Billing',
    summary: 'Creates the finance charge invoice for a customer. For a list, returns one result per customer.',
    body: z.union([FinanceChargeInput, z.array(FinanceChargeInput).max(MOST_ROWS)]),
    reply: z.union([BillingInvoice, z.array(FinanceChargeResult)]),
  }),
  getFinanceChargeSettings: endpoint({
    method: 'GET',
    path: '/financechargesettings',
    needs: 'View Billing',
    summary: 'Returns the finance charge settings and the excluded customers.',
    reply: FinanceChargeSettings,
  }),
  saveFinanceChargeSettings: endpoint({
    method: 'PUT',
    path: '/financechargesettings',
    needs: 'Administrator',
    summary: "Updates the finance charge settings. Fields that you omit don't change.",
    body: FinanceChargeSettingsInput,
    reply: FinanceChargeSettings,
  }),
  leaveOutOfFinanceCharges: endpoint({
    method: 'PUT',
    path: '/financechargesettings/{customerId}',
    needs: 'Manage Billing',
    summary: 'Excludes a customer from finance charges, or includes the customer again.',
    params: z.object({ customerId: IdText }),
    body: z.object({ leftOut: z.boolean() }),
    reply: FinanceChargeSettings,
  }),
};
