import type { FieldMessages } from '../failure.ts';
import { checkLines } from './invoice.ts';
import type { CheckableLine, LineRequirements } from './invoice.ts';
import { sum } from '../money.ts';
import type { Cents } from '../money.ts';

/**
 * Work items, which are lines of future invoices. The work items for one customer share an invoice (docs/accounting.md,
 * "Work items").
 */

/** A work item as entered in the form and sent in the request. */
export interface CheckableItem extends CheckableLine {
  customerId: number;
}

const LINE = 'lineItems.0.';

/**
 * Returns the validation messages for a work item by field, or an empty object. A customer is required, and the other
 * fields are checked like those of an invoice line.
 */
export function checkWorkItem(item: CheckableItem, required: LineRequirements = {}): FieldMessages {
  const customer: FieldMessages = item.customerId > 0 ? {} : { customerId: 'Please Select a Customer' };
  return { ...customer, ...fieldsOfItem(checkLines([item], required)) };
}

/** Converts messages for an invoice's only line to messages for the fields of the work item. */
export function fieldsOfItem(fields: FieldMessages): FieldMessages {
  const own = (path: string): string => (path.startsWith(LINE) ? path.slice(LINE.length) : path);
  return Object.fromEntries(Object.entries(fields).map(([path, message]) => [own(path), message]));
}

/** A customer's unbilled work items, as the invoice that would bill them. */
export interface Candidate {
  included: boolean;
  workItemCount: number;
  /** The amount with sales tax, in cents. */
  invoiceAmount: Cents;
}

/** Returns the totals for the included work items. */
export function chosenOf(candidates: readonly Candidate[]): { customers: number; workItems: number; amount: Cents } {
  const chosen = candidates.filter(({ included }) => included);
  return {
    customers: chosen.length,
    workItems: chosen.reduce((count, { workItemCount }) => count + workItemCount, 0),
    amount: sum(chosen.map(({ invoiceAmount }) => invoiceAmount)),
  };
}
