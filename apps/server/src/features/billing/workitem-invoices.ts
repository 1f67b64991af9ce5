import { personName } from '../../platform/db/people.ts';
import { type BillingInvoice, type BillingInvoiceInput, type BillingLineInput } from '@evenkeel/contract/billing';
import {
  MOST_ITEMS,
  type WorkItemInvoice,
  type WorkItemInvoiceInput,
  type WorkItemInvoiceResult,
} from '@evenkeel/contract/workitems';
import { conflict, Failure, notFound, present, refuse } from '@evenkeel/core/failure';
import { OPEN } from '@evenkeel/core/documents/invoice';
import { decimal } from '@evenkeel/core/money';
import type { Ctx } from '../../platform/http/context.ts';
import type { Told } from '../../platform/http/route.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import { toCompanySettings } from '../../books/company-settings.ts';
import { documentCalls } from '../../books/documents/documents.ts';
import { emailsOf } from '../entities/entities.ts';
import { amountOf } from './invoice-lines.ts';
import { builtInvoice, dueOf, factsWanted, invoiceFlow, ratesOf } from './invoices.ts';
import { type CustomerRow, type InvoiceFacts, type LineRow, selectFacts } from './invoices.sql.ts';
import { linesOf } from './workitems.ts';
import * as itemsSql from './workitems.sql.ts';
import type { ItemRow } from './workitems.sql.ts';

/** An invoice for work items, with the lines that bill them. */
interface BilledInput extends BillingInvoiceInput {
  billed: LineRow[];
}

const { creation } = documentCalls({
  ...invoiceFlow,
  build: (input: BilledInput, facts: InvoiceFacts, before) =>
    builtInvoice(input, facts, { ...before, lines: input.billed }),
});

/** Creates an invoice like any other, and links its lines to the work items in the same transaction. */
const billing: typeof creation = {
  ...creation,
  write: (rows) => [...creation.write(rows), ...rows.flatMap(({ parts }) => itemsSql.linkItems(parts))],
};

/** Returns work items as requested invoice lines, which are identified by negative IDs. */
function lineInputs(items: readonly ItemRow[]): BillingLineInput[] {
  return items.map((item) => ({
    id: -item.id,
    productId: item.productId,
    packageId: item.packageId,
    discountId: item.discountId,
    itemPrice: item.itemPrice,
    quantity: decimal(item.quantity),
    description: item.description,
    serviceDate: item.serviceDate,
    taxable: item.taxable,
    accountId: item.accountId,
    profitCenterId: item.profitCenterId,
    locationId: item.locationId,
  }));
}

/** For each customer with unbilled work items, returns the invoice that billing them today would create. */
export async function listWorkItemInvoices(ctx: Ctx): Promise<WorkItemInvoice[]> {
  const groups = new Map<number, Billable[]>();
  for (const item of await ctx.tx.rows(itemsSql.selectBillable())) {
    const others = groups.get(item.customerId);
    if (others === undefined) groups.set(item.customerId, [item]);
    else others.push(item);
  }
  const asked = [...groups].map(([customerId, items]) => ({ customerId, lineItems: lineInputs(items) }));
  if (asked.length === 0) return [];
  const [facts, emails] = await Promise.all([
    ctx.tx.one(selectFacts({ ...factsWanted(asked, false), lineCount: 0 })),
    emailsOf(ctx, [...groups.keys()]),
  ]);
  const customers = new Map(facts.customers.map((customer) => [customer.id, customer]));
  return [...groups].map(([id, all]) => {
    return candidateOf(ctx, facts, {
      customer: present(customers.get(id), 'customer'),
      items: all.slice(0, MOST_ITEMS),
      email: emails.get(id) ?? '',
    });
  });
}

type Billable = ItemRow & { isOnHold: boolean };

function candidateOf(
  { today }: Ctx,
  facts: InvoiceFacts,
  { customer, items, email }: { customer: CustomerRow; items: readonly Billable[]; email: string },
): WorkItemInvoice {
  const settings = toCompanySettings(facts.settings);
  const context = { ...facts, settings, stored: linesOf(items), newIds: [], hasPayments: false };
  const onHold = items[0]?.isOnHold === true;
  return {
    id: customer.id,
    included: !onHold,
    onHold,
    customerDisplayName: customer.displayname,
    customerEmail: email,
    workItemCount: items.length,
    invoiceAmount: amountOf(lineInputs(items), ratesOf(customer, today), context),
    arBillingStatus: OPEN,
    invoiceDate: today,
    dueDate: dueOf({ invoiceDate: today }, customer, settings),
    workItemIds: items.map(({ id }) => id),
  };
}

/**
 * Bills a customer's work items on one new invoice, with one line per item in billing order. Throws 404 if the customer
 * does not exist. Throws 409 with the existing invoice if nothing is left to bill, or if a requested item is billed or
 * deleted. Throws 422 for the same reasons as a new invoice.
 */
export async function billWorkItems(ctx: Ctx, input: WorkItemInvoiceInput): Promise<BillingInvoice> {
  const { id: customerId, arBillingStatus, invoiceDate, dueDate, closingOverrideReason } = input;
  if (input.included === false) throw refuse('This customer is excluded from billing');
  const items = await ctx.tx.rows(itemsSql.lockBillable(customerId, input.workItemIds ?? undefined));
  const [first] = items;
  const wanted = new Set(input.workItemIds ?? []);
  if (first === undefined || items.length < wanted.size) {
    const gone = [...wanted].filter((id) => !items.some((item) => item.id === id));
    throw await nothingToBill(ctx, { ...input, workItemIds: first === undefined ? input.workItemIds : gone });
  }
  if (first.isCustomerGone) throw conflict(`${first.customerDisplayName} is inactive. Make the customer active first.`);
  const asked: BilledInput = {
    customerId,
    invoiceDate: invoiceDate ?? ctx.today,
    dueDate: dueDate ?? undefined,
    arBillingStatus: arBillingStatus ?? OPEN,
    lineItems: lineInputs(items),
    billed: linesOf(items),
    closingOverrideReason,
  };
  return createWithin(ctx, billing, { input: asked }).catch((error: unknown) => {
    throw named(error, items);
  });
}

/** Adds the work item to the error for a field. */
function named(error: unknown, items: readonly ItemRow[]): unknown {
  if (!(error instanceof Failure)) return error;
  const [, place] = /^lineItems\.(\d+)\./.exec(Object.keys(error.fields ?? {})[0] ?? '') ?? [];
  const item = place === undefined ? undefined : items[Number(place)];
  if (item === undefined) return error;
  return new Failure(error.code, `${item.description}: ${error.message}`, error.fields, {
    ...error.detail,
    workItemId: item.id,
  });
}

/**
 * Returns the error for a customer with nothing left to bill: someone has already billed the items, the customer has no
 * items, or the customer does not exist.
 */
async function nothingToBill(ctx: Ctx, { id, workItemIds }: WorkItemInvoiceInput): Promise<Failure> {
  const found = await ctx.tx.row(itemsSql.billedAlready(id, workItemIds ?? undefined));
  if (found === undefined) return notFound('Customer');
  const { customer, invoiceId, invoiceNumber, billedById, billedAt } = found;
  if (invoiceId === null) {
    const isNamed = workItemIds !== undefined && workItemIds !== null;
    return conflict(
      isNamed
        ? `A work item for ${customer} was deleted or moved. Reload the list and try again.`
        : `${customer} has no unbilled work items`,
    );
  }
  const person = billedById === null ? undefined : await ctx.tx.row(personName(billedById));
  const billedBy = person?.name ?? '';
  const message = `Already billed on invoice ${invoiceNumber}${billedBy === '' ? '' : ` by ${billedBy}`}`;
  return new Failure('conflict', message, undefined, { billed: { invoiceId, invoiceNumber, billedBy, billedAt } });
}

/** Returns one customer's result in a list: the invoice, or the reason why there is none. */
export function resultOf(
  { id }: Pick<WorkItemInvoiceInput, 'id'>,
  { made, error }: Told<BillingInvoice>,
): WorkItemInvoiceResult {
  if (error === undefined) {
    const { id: invoiceId, invoiceNumber, invoiceAmount } = made;
    return { id, ok: true, invoiceId, invoiceNumber, invoiceAmount };
  }
  const { message, billed, fields, workItemId } = error;
  return { id, ok: false, message, billed, fields, workItemId };
}
