import { WorkItem, type WorkItemInput, type WorkItemRow } from '@evenkeel/contract/workitems';
import { ZERO } from '@evenkeel/core/money';
import { conflict, Failure, notFound, present } from '@evenkeel/core/failure';
import { fieldsOfItem } from '@evenkeel/core/documents/workitems';
import { record, type Subject } from '../../platform/db/audit.ts';
import { asJson } from '../../platform/db/query.ts';
import { pageOf } from '../../platform/db/page.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Creation } from '../../platform/http/creation.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { toCompanySettings } from '../../books/company-settings.ts';
import { buildLines } from './invoice-lines.ts';
import { factsWanted, usableCustomer } from './invoices.ts';
import { type InvoiceFacts, type LineRow, OF_NO_LINE, selectFacts } from './invoices.sql.ts';
import { lineView } from './views.ts';
import * as itemsSql from './workitems.sql.ts';
import type { ItemRow, ListFilter } from './workitems.sql.ts';

const subject: Subject<typeof WorkItem> = { name: 'workitem', schema: WorkItem, idOf: ({ id }) => id };

/** Lists unbilled, billed, or all work items. Returns the whole list, or one page if `limit` is given. */
export async function listWorkItems(ctx: Ctx, filter: ListFilter) {
  const [rows, count] = await Promise.all([
    ctx.tx.rows(itemsSql.selectItems(filter)),
    filter.limit === undefined ? undefined : ctx.tx.row(itemsSql.countItems(filter)),
  ]);
  if (count === undefined) return pageOf(filter, { rows, total: rows.length }, rowView);
  const { total, customers, totalAmount } = count;
  const parts = { customers: { count: customers, amount: totalAmount } };
  return pageOf(filter, { rows, total, sums: { totalAmount }, parts }, rowView);
}

const rowView = (row: ItemRow): WorkItemRow => itemView(row);

/** Returns one work item. Throws 404 if it does not exist. */
export async function getWorkItem(ctx: Ctx, id: number): Promise<WorkItem> {
  return itemView(required(await ctx.tx.row(itemsSql.selectItem(id))));
}

/** Creates a work item. Throws 422 for the same reasons as an invoice line. */
export async function createWorkItem(ctx: Ctx, input: WorkItemInput): Promise<WorkItem> {
  const [facts, taken] = await Promise.all([
    ctx.tx.one(selectFacts(wantedBy(input))),
    ctx.tx.one(itemsSql.takeItemId()),
  ]);
  const id = present(taken.ids[0], 'work item ID');
  const item = builtItem(input, facts, { id, today: ctx.today, stored: undefined });
  return record(ctx, subject, { after: itemView(item), write: itemsSql.workItems.insert(item) });
}

/** Creates pasted work items in their company's batches. Each item is validated separately, like any new work item. */
export const itemCreation: Creation<WorkItemInput, InvoiceFacts & { itemIds: number[] }, ItemRow, WorkItem> = {
  kind: subject.name,
  reply: WorkItem,
  facts: (inputs) => asJson(itemsSql.selectItemFacts(wantedByAll(inputs), inputs.length)),
  make: ({ today }, input, facts) => {
    const id = present(facts.itemIds.shift(), 'work item ID');
    const row = builtItem(input, facts, { id, today, stored: undefined });
    const made = { row, view: itemView(row) };
    return { source: { type: subject.name, id }, postings: [], action: 'create', finish: () => made };
  },
  write: (rows) => [itemsSql.workItems.insertMany(rows)],
};

/** Saves a work item. Throws 404, 409 if it is billed or outdated, and 422 for the same reasons as a new one. */
export async function updateWorkItem(ctx: Ctx, input: WorkItemInput): Promise<WorkItem> {
  const id = input.id ?? 0;
  const [, [stored], [facts]] = await ctx.tx.inOrder([
    itemsSql.lockItem(id),
    itemsSql.selectItem(id),
    selectFacts(wantedBy(input)),
  ]);
  const before = required(stored);
  requireFresh(WorkItem, itemView(before), input.rowVersion);
  requireUnbilled(before);
  const item = builtItem(input, present(facts, 'facts'), { id, today: ctx.today, stored: before });
  const write = itemsSql.workItems.update({ id }, item);
  return record(ctx, subject, { before: itemView(before), after: itemView(item), write });
}

/** Deletes an unbilled work item. Throws 404, or 409 if it is billed. */
export async function deleteWorkItem(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const [, [found]] = await ctx.tx.inOrder([itemsSql.lockItem(id), itemsSql.selectItem(id)]);
  const stored = required(found);
  requireUnbilled(stored);
  record(ctx, subject, { before: itemView(stored), write: itemsSql.workItems.delete({ id }) });
  return { ok: true };
}

function required(item: ItemRow | undefined): ItemRow {
  if (item === undefined) throw notFound('Work item');
  return item;
}

/** A billed item belongs to its invoice and is changed there. */
function requireUnbilled({ invoiceNumber }: ItemRow): void {
  if (invoiceNumber !== null) throw conflict(`This work item is already billed on invoice ${invoiceNumber}`);
}

/** Returns the records that work items refer to. No line IDs are needed. */
const wantedByAll = (inputs: readonly WorkItemInput[]) => ({
  ...factsWanted(
    inputs.map((input) => ({ ...input, lineItems: [input] })),
    false,
  ),
  lineCount: 0,
});
const wantedBy = (input: WorkItemInput) => wantedByAll([input]);

/** Returns work items as stored invoice lines. Their IDs are negative, like the IDs of new lines. */
export function linesOf(items: readonly ItemRow[]): LineRow[] {
  return items.map((item, index) => ({
    ...item,
    id: -item.id,
    workItemId: item.id,
    freedItemId: null,
    freed: null,
    charge: null,
    ...OF_NO_LINE,
    lineNo: index + 1,
    lineItemAmount: item.totalAmount,
    restAmount: ZERO,
    lineTax: '0',
    taxItems: [],
  }));
}

/**
 * Builds a work item from the request and the stored data in the same way as an invoice line, but without an invoice.
 * Throws 422 with a message for each invalid field.
 */
function builtItem(
  input: WorkItemInput,
  facts: InvoiceFacts,
  { id, today, stored }: { id: number; today: WorkItem['entryDate']; stored: ItemRow | undefined },
): ItemRow {
  const settings = toCompanySettings(facts.settings);
  const customer = usableCustomer(facts, input, stored?.customerId);
  const kept = stored === undefined ? [] : linesOf([stored]);
  const context = { ...facts, settings, stored: kept, newIds: [id], hasPayments: false, areAlone: true };
  const workitemDate = input.workitemDate ?? stored?.workitemDate ?? input.serviceDate ?? today;
  const [line] = ofItem(() => buildLines([{ ...input, id: -id }], [], context).lines);
  return {
    ...present(line, 'work item line'),
    id,
    customerId: customer.id,
    customerDisplayName: customer.displayname,
    isCustomerGone: customer.deleted,
    workitemDate,
    serviceDate: input.serviceDate ?? workitemDate,
    dueDate: input.dueDate === undefined ? (stored?.dueDate ?? null) : input.dueDate,
    totalAmount: present(line, 'work item line').lineItemAmount,
    invoiceLineId: null,
    invoiceId: null,
    invoiceNumber: null,
    entryDate: stored?.entryDate ?? today,
    rowVersion: (stored?.rowVersion ?? 0) + 1,
  };
}

/** Renames the line's error fields to the work item's fields. */
function ofItem<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof Failure) || error.fields === undefined) throw error;
    throw new Failure(error.code, error.message, fieldsOfItem(error.fields), error.detail);
  }
}

/** Returns a stored work item in the API format. */
function itemView(item: ItemRow): WorkItem {
  const [line] = linesOf([item]);
  const { id, customerId, customerDisplayName, workitemDate, dueDate, serviceDate, totalAmount, entryDate } = item;
  return {
    ...lineView(present(line, 'work item line')),
    id,
    customerId,
    customerDisplayName,
    workitemDate,
    dueDate,
    serviceDate,
    totalAmount,
    entryDate,
    displayName: item.description,
    invoiceId: item.invoiceId,
    invoiceNumber: item.invoiceNumber,
    rowVersion: item.rowVersion,
  };
}
