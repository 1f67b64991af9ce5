import type { FieldMessages } from '../failure.ts';
import { checkLines } from './invoice.ts';
import type { CheckableLine, LineRequirements } from './invoice.ts';
import { sum } from '../money.ts';
import type { Cents } from '../money.ts';

/** Work items: lines of invoices to come, one customer's on one invoice (docs/accounting.md, "Work items"). */

/** A work item as the form and the request carry it. */
export interface CheckableItem extends CheckableLine {
  customerId: number;
}

const LINE = 'lineItems.0.';

/** The messages for what is wrong with a work item by field, none → an empty object: a customer, then as on a line. */
export function checkWorkItem(item: CheckableItem, required: LineRequirements = {}): FieldMessages {
  const customer: FieldMessages = item.customerId > 0 ? {} : { customerId: 'Please Select a Customer' };
  return { ...customer, ...fieldsOfItem(checkLines([item], required)) };
}

/** Messages about the one line of an item, under the item's own fields. */
export function fieldsOfItem(fields: FieldMessages): FieldMessages {
  const own = (path: string): string => (path.startsWith(LINE) ? path.slice(LINE.length) : path);
  return Object.fromEntries(Object.entries(fields).map(([path, message]) => [own(path), message]));
}

/** A customer's unbilled work items as one invoice to come. */
export interface Candidate {
  included: boolean;
  workItemCount: number;
  /** With sales tax, in cents. */
  invoiceAmount: Cents;
}

/** The sums of the included ones. */
export function chosenOf(candidates: readonly Candidate[]): { customers: number; workItems: number; amount: Cents } {
  const chosen = candidates.filter(({ included }) => included);
  return {
    customers: chosen.length,
    workItems: chosen.reduce((count, { workItemCount }) => count + workItemCount, 0),
    amount: sum(chosen.map(({ invoiceAmount }) => invoiceAmount)),
  };
}
