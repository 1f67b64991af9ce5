import { BillingInvoice, type BillingInvoiceInput } from '@evenkeel/contract/billing';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import { checkInvoiceDelete, checkInvoiceEdit, OPEN, posts } from '@evenkeel/core/invoice';
import { difference } from '@evenkeel/core/ledger';
import { cents, type Cents, ZERO } from '@evenkeel/core/money';
import { postDocument } from '@evenkeel/core/posting';
import { withDocument } from '@evenkeel/core/settlement';
import { RECEIVABLE } from '@evenkeel/core/side';
import { record as recorded } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { closingOverride, post, type PostingRequest } from '../ledger/post.ts';
import { toCompanySettings } from '../settings/settings.ts';
import { loadSettlement, postSettlement, settledDocument, writeSettlement } from '../subledger/settlement.ts';
import type { Picked } from '../subledger/settlement.sql.ts';
import { buildLines, type BuiltLines, liveInputs, referencedIds } from './invoice-lines.ts';
import { invoiceView } from './invoice-view.ts';
import * as invoicesSql from './invoices.sql.ts';
import type { CustomerRow, InvoiceFacts, InvoiceRecord, LineRow, NamedInvoice } from './invoices.sql.ts';

const INVOICE = { name: 'invoice', schema: BillingInvoice, idOf: ({ id }: BillingInvoice) => id };

/** An invoice as it is written: its head, its lines, and what it wants to post. */
export interface BuiltInvoice {
  record: InvoiceRecord;
  lines: LineRow[];
  customer: CustomerRow;
}

/**
 * Creates an invoice: number, lines, tax by the customer's scenario, and its posting unless it is a draft or void
 * (Specification part 1 §4, §5; accounting: A3, A4).
 */
export async function createInvoice(ctx: Ctx, input: BillingInvoiceInput): Promise<BillingInvoice> {
  const facts = await ctx.tx.row(invoicesSql.selectFacts(ctx.companyId, factsWanted(input)));
  if (facts === undefined) throw notFound('Company');
  const built = newInvoice(input, facts, ctx.today);
  const reason = closingOverride(ctx, input.closingOverrideReason);
  const mayPostClosed = reason !== undefined;
  const posted = await post(ctx, newPostings(built), { number: RECEIVABLE.document, mayPostClosed });
  const saved = { ...built, record: { ...built.record, number: posted.number ?? '' } };
  const write = invoicesSql.insertInvoice(saved.record, ownLines(saved));
  return recorded(ctx, INVOICE, { after: viewOf(ctx, saved, 1), reason, write });
}

/** What `selectFacts` is asked for an invoice. */
export function factsWanted(input: BillingInvoiceInput): Parameters<typeof invoicesSql.selectFacts>[1] {
  return {
    customerId: input.customerId,
    references: referencedIds(input.lineItems),
    lineCount: liveInputs(input.lineItems).filter(({ line }) => (line.id ?? 0) <= 0).length,
  };
}

/** A new invoice of what was asked for and the facts, without its number. Throws a refusal with the fields at fault. */
export function newInvoice(input: BillingInvoiceInput, facts: InvoiceFacts, today: IsoDate): BuiltInvoice {
  const { references, ids } = facts;
  const customer = activeCustomer(facts.customer);
  const settings = toCompanySettings(facts.settings);
  const context = { references, settings, stored: [], newIds: ids.lineIds };
  const built = buildLines(input.lineItems, ratesOf(customer), context);
  const record = recordOf(input, built, {
    id: ids.invoiceId,
    number: '',
    controlAccountId: settings.defaultARAccountId,
    scenarioId: customer.scenarioId,
    taxAccountId: customer.taxAccountId,
    entryDate: today,
    status: OPEN,
    applied: ZERO,
  });
  checkDocument(record, built.lines);
  return { record, lines: built.lines, customer };
}

/** What a new invoice posts; the number that its words lack comes with the posting. */
export function newPostings({ record, lines }: BuiltInvoice): PostingRequest[] {
  if (!posts(record.status)) return [];
  const wanted = postDocument(RECEIVABLE, settledDocument(RECEIVABLE, record, lines));
  const postings = difference([], [wanted]);
  return postings.length === 0 ? [] : [{ source: { type: RECEIVABLE.document.source, id: record.id }, postings }];
}

/** The invoice itself, from the beginning: an edit may move what every payment on it recognises. */
const pickedInvoice = (id: number): Picked => ({
  documentIds: [id],
  paymentId: 0,
  openOfEntityId: 0,
  from: 'beginning',
});

/**
 * Saves an invoice and posts what differs, also of its payments, whose cash recognition follows its lines. The rates
 * stay those of its first saving unless the invoice date or the customer changes (accounting: A4.4, A7).
 */
export async function updateInvoice(ctx: Ctx, input: BillingInvoiceInput): Promise<BillingInvoice> {
  const id = input.id ?? 0;
  const [loaded, [[stored], storedLines, [facts]]] = await loadSettlement(ctx.tx, RECEIVABLE, pickedInvoice(id), [
    invoicesSql.selectInvoice(id),
    invoicesSql.selectLines(id),
    invoicesSql.selectFacts(ctx.companyId, factsWanted(input)),
  ]);
  if (stored === undefined || facts === undefined) throw notFound('Invoice');
  const before = invoiceView(stored, storedLines, ctx.today);
  requireFresh(BillingInvoice, before, input.rowVersion);
  const built = editedInvoice(input, facts, { stored, storedLines });
  const { record, lines, customer } = built;
  checkInvoiceEdit({
    appliedAmount: stored.applied,
    invoiceAmount: record.amount,
    status: record.status,
    customerChanged: record.entityId !== stored.entityId,
  });
  const reason = closingOverride(ctx, input.closingOverrideReason);
  const closingDate = reason === undefined ? facts.closingDate : null;
  const after = withDocument(loaded.settlement, settledDocument(RECEIVABLE, record, lines), closingDate);
  await postSettlement(ctx, loaded, after, { documentId: id, mayPostClosed: reason !== undefined });
  writeSettlement(ctx.tx, loaded, after);
  const write = invoicesSql.updateInvoice(record, ownLines(built), storedLines);
  const view = viewOf(ctx, { record, lines, customer }, stored.rowVersion + 1);
  return recorded(ctx, INVOICE, { before, after: view, reason, write });
}

/** Reverses and removes an invoice; refused while payments stand on it: "Delete its payments first". */
export async function deleteInvoice(ctx: Ctx, id: number, overrideReason: string | undefined): Promise<{ ok: true }> {
  const [loaded, [[stored], lines]] = await loadSettlement(ctx.tx, RECEIVABLE, pickedInvoice(id), [
    invoicesSql.selectInvoice(id),
    invoicesSql.selectLines(id),
  ]);
  if (stored === undefined) throw notFound('Invoice');
  checkInvoiceDelete(stored.applied);
  const reason = closingOverride(ctx, overrideReason);
  const gone = { ...settledDocument(RECEIVABLE, stored, lines), posts: false };
  const after = withDocument(loaded.settlement, gone, null);
  await postSettlement(ctx, loaded, after, { documentId: id, mayPostClosed: reason !== undefined });
  const before = invoiceView(stored, lines, ctx.today);
  recorded(ctx, INVOICE, { before, reason, write: invoicesSql.markInvoiceDeleted(id) });
  return { ok: true };
}

function editedInvoice(
  input: BillingInvoiceInput,
  { customer: named, references, settings, ids }: InvoiceFacts,
  { stored, storedLines }: { stored: NamedInvoice; storedLines: readonly LineRow[] },
): BuiltInvoice {
  const customer = sameOrActiveCustomer(named, stored);
  const tax = taxOf(input, stored, customer);
  const context = { references, settings: toCompanySettings(settings), stored: storedLines, newIds: ids.lineIds };
  const built = buildLines(input.lineItems, tax.rates, context);
  const record = recordOf(input, built, { ...stored, ...tax });
  checkDocument(record, built.lines);
  return { record, lines: built.lines, customer };
}

function activeCustomer(customer: CustomerRow | null): CustomerRow {
  if (customer === null || customer.deleted) {
    throw refuse('Please Select a Customer', { customerId: 'Please Select a Customer' });
  }
  return customer;
}

/** An invoice may keep a customer that has been deactivated since. */
function sameOrActiveCustomer(customer: CustomerRow | null, stored: NamedInvoice): CustomerRow {
  return customer?.id === stored.entityId ? customer : activeCustomer(customer);
}

function ratesOf(customer: CustomerRow) {
  return customer.taxExempt ? [] : customer.rates;
}

function taxOf(input: BillingInvoiceInput, stored: NamedInvoice, customer: CustomerRow) {
  const isNew = input.invoiceDate !== stored.date || input.customerId !== stored.entityId;
  if (!isNew) return { rates: stored.taxSnapshot, scenarioId: stored.scenarioId, taxAccountId: stored.taxAccountId };
  return { rates: ratesOf(customer), scenarioId: customer.scenarioId, taxAccountId: customer.taxAccountId };
}

interface Fixed {
  id: number;
  number: string;
  controlAccountId: number;
  scenarioId: number | null;
  taxAccountId: number | null;
  entryDate: IsoDate;
  /** Where the request says none: an edit changes no status by leaving it out. */
  status: number;
  applied: Cents;
}

function recordOf(input: BillingInvoiceInput, built: BuiltLines, fixed: Fixed): InvoiceRecord {
  const { applied, id, number, controlAccountId, scenarioId, taxAccountId, entryDate } = fixed;
  const status = input.arBillingStatus ?? fixed.status;
  return {
    id,
    side: RECEIVABLE.name,
    number,
    controlAccountId,
    scenarioId,
    taxAccountId,
    entryDate,
    status,
    date: input.invoiceDate,
    dueDate: input.dueDate ?? null,
    entityId: input.customerId,
    taxSnapshot: built.taxSnapshot,
    salesTaxAmount: built.salesTaxAmount,
    amount: built.invoiceAmount,
    applied,
    // Nothing is owed on a draft or a void one, so lists of what is open tie to the receivable.
    openAmount: posts(status) ? cents(built.invoiceAmount - applied) : ZERO,
  };
}

/** A draft may still be empty; what is posted needs something to post. */
function checkDocument(record: InvoiceRecord, lines: readonly LineRow[]): void {
  if (posts(record.status) && lines.length === 0) {
    throw refuse('An invoice needs at least one line item', { lineItems: 'At least one line item is required' });
  }
}

function ownLines({ record, lines }: BuiltInvoice) {
  return lines.map((line) => ({ ...line, documentId: record.id }));
}

function viewOf(ctx: Ctx, { record, lines, customer }: BuiltInvoice, rowVersion: number): BillingInvoice {
  const invoice = { ...record, rowVersion, deleted: false, entityName: customer.displayname };
  return invoiceView(invoice, lines, ctx.today);
}
