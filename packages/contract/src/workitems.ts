import { ON_HOLD } from '@evenkeel/core/documents/invoice';
import * as z from 'zod';
import { BillingInvoice, BillingLineInput, BillingLineItem, statusUpTo } from './billing.ts';
import { Billed, endpoint, listOf, manyReply, PageQuery } from './endpoint.ts';
import { chosenId, DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { recordCalls } from './subledger.ts';

/** Work items, which are lines of future invoices, and the invoices created from them. */

/**
 * A work item. `invoiceId` and `invoiceNumber` identify the invoice that billed the item. A billed item is read-only.
 */
export const WorkItem = BillingLineItem.omit({
  workItemId: true,
  lineItemAmount: true,
  lineItemTax: true,
  taxItems: true,
  deleted: true,
}).extend({
  customerId: Id,
  customerDisplayName: z.string(),
  /** The description, which lists show as the name. */
  displayName: z.string(),
  workitemDate: DateField,
  /** The date when the work is to be done. Invoices do not use this date. */
  dueDate: DateField.nullable(),
  serviceDate: DateField,
  /** Price × quantity, rounded once. A percentage discount has an amount of zero until it is billed on an invoice. */
  totalAmount: Usd,
  entryDate: DateField,
  invoiceId: Id.nullable(),
  invoiceNumber: z.string().nullable(),
  rowVersion: RowVersion,
});
export type WorkItem = z.output<typeof WorkItem>;

export const WorkItemRow = WorkItem.omit({ packageParts: true, discountTerms: true });
export type WorkItemRow = z.output<typeof WorkItemRow>;

/** Amounts are calculated, so they are ignored in requests. */
export const WorkItemInput = BillingLineInput.omit({ deleted: true }).extend({
  id: maybe(LineId),
  customerId: chosenId('Please Select a Customer'),
  /** Defaults to the service date or, if there is none, to today. */
  workitemDate: maybe(DateField),
  dueDate: maybe(DateField),
  /** Defaults to the work item's own date. */
  serviceDate: maybe(DateField),
  rowVersion: maybe(RowVersion),
});
export type WorkItemInput = z.output<typeof WorkItemInput>;

/** A customer's unbilled work items, grouped for one invoice. `id` is the customer's ID. */
export const WorkItemInvoice = z.object({
  id: Id,
  /** Whether the customer is included. False for a customer with an invoice on hold. */
  included: z.boolean(),
  onHold: z.boolean(),
  customerDisplayName: z.string(),
  /** The address that the customer's documents are sent to. Empty if the customer has none. */
  customerEmail: z.string(),
  workItemCount: z.number().int(),
  /** The amount with sales tax. */
  invoiceAmount: Usd,
  arBillingStatus: z.number().int(),
  invoiceDate: DateField,
  dueDate: DateField,
  workItemIds: z.array(Id),
});
export type WorkItemInvoice = z.output<typeof WorkItemInvoice>;

/** The maximum number of work items, as lines, on one invoice. Any further work items remain for the next invoice. */
export const MOST_ITEMS = 1000;

/** The maximum number of customers in one request. */
const MOST_ROWS = 500;

const WorkItemInvoiceInput = z.object({
  id: chosenId('Please Select a Customer'),
  /** Whether to bill the customer. */
  included: maybe(z.boolean()),
  /** Defaults to Open. */
  arBillingStatus: maybe(statusUpTo(ON_HOLD)),
  /** Defaults to today. */
  invoiceDate: maybe(DateField),
  /** Defaults to the customer's terms. */
  dueDate: maybe(DateField),
  /** The work items that the user saw. Newer work items are not billed. Defaults to all unbilled work items. */
  workItemIds: maybe(z.array(Id).max(MOST_ITEMS)),
  /** An administrator's reason for an invoice on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
});
export type WorkItemInvoiceInput = z.output<typeof WorkItemInvoiceInput>;

/** The result for one customer in a list: the invoice, or the reason why no invoice was created. */
export const WorkItemInvoiceResult = z.object({
  /** The customer's ID. */
  id: Id,
  ok: z.boolean(),
  invoiceId: Id.optional(),
  invoiceNumber: z.string().optional(),
  /** The billed amount, including sales tax. */
  invoiceAmount: Usd.optional(),
  message: z.string().optional(),
  billed: Billed.optional(),
  /** The messages by field. `lineItems.0.accountId` belongs to the work item that is billed first. */
  fields: z.record(z.string(), z.string()).optional(),
  /** The work item that cannot be billed. */
  workItemId: Id.optional(),
});
export type WorkItemInvoiceResult = z.output<typeof WorkItemInvoiceResult>;

const items = recordCalls(
  { path: '/workitems', area: 'Billing' },
  { whole: WorkItem, input: WorkItemInput, saved: WorkItem, gone: Done },
  {
    get: 'Returns a work item.',
    create: 'Creates a work item and rounds its amount.',
    update: 'Updates a work item that has not been billed.',
    remove: 'Deletes a work item that has not been billed.',
  },
);
/** Unbilled work items are not posted, so changes on or before the closing date need no reason. */
const { query: _, ...remove } = items.remove;

export const workItemCalls = {
  listWorkItems: endpoint({
    method: 'GET',
    path: '/workitems',
    needs: 'View Billing',
    summary: 'Lists unbilled work items. Set `status` to `billed` or `all` for other work items.',
    query: PageQuery.extend({ status: z.enum(['open', 'billed', 'all']).optional(), customerId: IdText.optional() }),
    reply: listOf(WorkItemRow),
  }),
  /**
   * Each work item is created with its own idempotency key, which is derived from the request's key. The results are in
   * the order of the work items.
   */
  createWorkItems: endpoint({
    method: 'POST',
    path: '/workitems/many',
    noRehearsal: true,
    needs: 'Manage Billing',
    summary: 'Creates several work items. Each one succeeds or fails independently.',
    body: z.array(WorkItemInput.omit({ id: true, rowVersion: true })),
    reply: manyReply(WorkItem),
  }),
  getWorkItem: items.get,
  createWorkItem: items.create,
  updateWorkItem: items.update,
  deleteWorkItem: remove,
  listWorkItemInvoices: endpoint({
    method: 'GET',
    path: '/workiteminvoice',
    needs: 'View Billing',
    summary: 'Lists unbilled work items by customer, as invoice previews dated today.',
    reply: z.array(WorkItemInvoice),
  }),
  billWorkItems: endpoint({
    method: 'POST',
    path: '/workiteminvoice',
    needs: 'Manage Billing',
    summary: "Creates an invoice from a customer's work items. For a list, returns one result per customer.",
    body: z.union([WorkItemInvoiceInput, z.array(WorkItemInvoiceInput).max(MOST_ROWS)]),
    reply: z.union([BillingInvoice, z.array(WorkItemInvoiceResult)]),
  }),
};
