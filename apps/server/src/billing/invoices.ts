import { BillingInvoice, type BillingInvoiceInput } from '@evenkeel/contract/billing';
import { encode } from '@evenkeel/contract/wire';
import { notFound, refuse } from '@evenkeel/core/failure';
import { checkInvoiceDelete, checkInvoiceEdit, OPEN, posts } from '@evenkeel/core/invoice';
import { difference } from '@evenkeel/core/ledger';
import { cents, type Cents, ZERO } from '@evenkeel/core/money';
import { postInvoice } from '@evenkeel/core/posting';
import { audit } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { closingOverride, post, type PostingRequest } from '../ledger/post.ts';
import { settingsSql, toCompanySettings } from '../settings/settings.ts';
import { closingDateSql } from '../settings/customersettings.sql.ts';
import { buildLines, type BuiltLines, liveInputs, referencedIds } from './invoice-lines.ts';
import { invoiceView } from './invoice-view.ts';
import * as invoicesSql from './invoices.sql.ts';
import type { CustomerRow, InvoiceRecord, InvoiceWithCustomer, LineRow } from './invoices.sql.ts';
import { replaceApplications } from './payments.sql.ts';
import { appliedTo, loadSettlement, paymentRequests, postableOf, recognitionRows } from './settlement.ts';
import type { Settlement } from './settlement.ts';

/**
 * Creates an invoice: number, lines, tax by the customer's scenario, and its posting unless it is a draft or void
 * (Specification part 1 §4, §5; accounting: A3, A4).
 */
export async function createInvoice(ctx: Ctx, input: BillingInvoiceInput): Promise<BillingInvoice> {
  const newLines = liveInputs(input.lineItems).filter(({ line }) => (line.id ?? 0) <= 0).length;
  const ground = await ctx.tx.row(
    invoicesSql.selectGround(ctx.companyId, {
      customerId: input.customerId,
      references: referencedIds(input.lineItems),
      lineCount: newLines,
    }),
  );
  if (ground === undefined) throw notFound('Company');
  const { referenced: references, ids } = ground;
  const buyer = activeCustomer(ground.customer ?? undefined);
  const settings = toCompanySettings(ground.settings);
  const built = buildLines(input.lineItems, ratesOf(buyer), { references, settings, stored: [], newIds: ids.lineIds });
  const record = recordOf(input, built, {
    id: ids.invoiceId,
    invoiceNumber: '',
    arAccountId: settings.defaultARAccountId,
    scenarioId: buyer.scenarioId,
    taxAccountId: buyer.taxAccountId,
    entryDate: ctx.today,
    status: OPEN,
    applied: ZERO,
  });
  checkDocument(record, built.lines);
  const reason = closingOverride(ctx, input.closingOverrideReason);
  const requests = invoiceRequests(record, built.lines, []);
  const posted = await post(ctx, requests, {
    number: { kind: 'invoice', label: 'Invoice' },
    mayPostClosed: reason !== undefined,
  });
  const saved = { ...record, invoiceNumber: posted.number ?? '' };
  ctx.tx.atEnd(invoicesSql.insertWhole(ctx.companyId, saved, built.lines));
  const view = viewOf(ctx, { ...saved, rowVersion: 1, customerDisplayName: buyer.displayname }, built.lines);
  const after = encode(BillingInvoice, view);
  audit(ctx, { action: 'create', subjectType: 'invoice', subjectId: saved.id, after, reason });
  return view;
}

/**
 * Saves an invoice and posts what differs, also of its payments, whose cash recognition follows its lines. The rates
 * stay those of its first saving unless the invoice date or the customer changes (accounting: A4.4, A7).
 */
export async function updateInvoice(ctx: Ctx, input: BillingInvoiceInput): Promise<BillingInvoice> {
  const id = input.id ?? 0;
  const newLines = liveInputs(input.lineItems).filter(({ line }) => (line.id ?? 0) <= 0).length;
  const [settlement, stored, storedLines, customer, references, settingRows, closing, ids] = await Promise.all([
    loadSettlement(ctx.tx, { companyId: ctx.companyId, invoiceIds: [id], paymentId: 0, openOfCustomerId: 0 }),
    ctx.tx.row(invoicesSql.selectInvoice(ctx.companyId, id)),
    ctx.tx.rows(invoicesSql.selectLines(ctx.companyId, id)),
    ctx.tx.row(invoicesSql.selectCustomer(ctx.companyId, input.customerId)),
    ctx.tx.row(invoicesSql.selectReferences(ctx.companyId, referencedIds(input.lineItems))),
    ctx.tx.rows(settingsSql(ctx.companyId)),
    ctx.tx.row(closingDateSql(ctx.companyId)),
    ctx.tx.row(invoicesSql.takeIds(ctx.companyId, newLines)),
  ]);
  if (stored === undefined || references === undefined || ids === undefined) throw notFound('Invoice');
  const before = viewOf(ctx, stored, storedLines);
  requireFresh(BillingInvoice, before, input.rowVersion);
  const buyer = sameOrActiveCustomer(customer, stored);
  const tax = taxOf(input, stored, buyer);
  const settings = toCompanySettings(settingRows);
  const lineContext = { references, settings, stored: storedLines, newIds: ids.lineIds };
  const built = buildLines(input.lineItems, tax.rates, lineContext);
  const applied = appliedTo(settlement.applications, id);
  const record = recordOf(input, built, { ...stored, ...tax, applied });
  checkDocument(record, built.lines);
  checkInvoiceEdit({
    appliedAmount: applied,
    invoiceAmount: record.invoiceAmount,
    status: record.status,
    customerChanged: record.customerId !== stored.customerId,
  });
  const reason = closingOverride(ctx, input.closingOverrideReason);
  redate(settlement, record, reason !== undefined ? null : (closing?.closingDate ?? null));
  settlement.postable.set(id, postableOf(record, built.lines));
  const live = settlement.live({ type: 'invoice', id });
  const requests = [...invoiceRequests(record, built.lines, live), ...paymentRequests(settlement)];
  if (requests.length > 0) await post(ctx, requests, { mayPostClosed: reason !== undefined });
  writeUpdate(ctx, { record, lines: built.lines, settlement });
  const view = viewOf(ctx, savedView(record, stored, buyer), built.lines);
  const change = { before: encode(BillingInvoice, before), after: encode(BillingInvoice, view) };
  audit(ctx, { action: 'update', subjectType: 'invoice', subjectId: id, ...change, reason });
  return view;
}

/** Reverses and removes an invoice; refused while payments stand on it: "Delete its payments first". */
export async function deleteInvoice(ctx: Ctx, id: number, reason: string | undefined): Promise<{ ok: true }> {
  const [settlement, stored, lines] = await Promise.all([
    loadSettlement(ctx.tx, { companyId: ctx.companyId, invoiceIds: [id], paymentId: 0, openOfCustomerId: 0 }),
    ctx.tx.row(invoicesSql.selectInvoice(ctx.companyId, id)),
    ctx.tx.rows(invoicesSql.selectLines(ctx.companyId, id)),
  ]);
  if (stored === undefined) throw notFound('Invoice');
  checkInvoiceDelete(appliedTo(settlement.applications, id));
  const override = closingOverride(ctx, reason);
  const postings = difference(settlement.live({ type: 'invoice', id }), []);
  if (postings.length > 0) {
    await post(ctx, [{ source: { type: 'invoice', id }, postings }], { mayPostClosed: override !== undefined });
  }
  ctx.tx.atEnd(invoicesSql.markInvoiceDeleted(ctx.companyId, id));
  const before = encode(BillingInvoice, viewOf(ctx, stored, lines));
  audit(ctx, { action: 'delete', subjectType: 'invoice', subjectId: id, before, reason: override });
  return { ok: true };
}

function activeCustomer(customer: CustomerRow | undefined): CustomerRow {
  if (customer === undefined || customer.deleted) {
    throw refuse('Please Select a Customer', { customerId: 'Please Select a Customer' });
  }
  return customer;
}

/** An invoice may keep a customer that has been deactivated since. */
function sameOrActiveCustomer(customer: CustomerRow | undefined, stored: { customerId: number }): CustomerRow {
  return customer !== undefined && customer.id === stored.customerId ? customer : activeCustomer(customer);
}

function ratesOf(customer: CustomerRow) {
  return customer.taxExempt ? [] : customer.rates;
}

function taxOf(input: BillingInvoiceInput, stored: InvoiceWithCustomer, customer: CustomerRow) {
  const isNew = input.invoiceDate !== stored.invoiceDate || input.customerId !== stored.customerId;
  if (!isNew) return { rates: stored.taxSnapshot, scenarioId: stored.scenarioId, taxAccountId: stored.taxAccountId };
  return { rates: ratesOf(customer), scenarioId: customer.scenarioId, taxAccountId: customer.taxAccountId };
}

interface Fixed {
  id: number;
  invoiceNumber: string;
  arAccountId: number;
  scenarioId: number | null;
  taxAccountId: number | null;
  entryDate: InvoiceRecord['entryDate'];
  /** Where the request says none: an edit changes no status by leaving it out. */
  status: number;
  applied: Cents;
}

function recordOf(input: BillingInvoiceInput, built: BuiltLines, fixed: Fixed): InvoiceRecord {
  const { applied, id, invoiceNumber, arAccountId, scenarioId, taxAccountId, entryDate } = fixed;
  const status = input.arBillingStatus ?? fixed.status;
  return {
    id,
    invoiceNumber,
    arAccountId,
    scenarioId,
    taxAccountId,
    entryDate,
    status,
    invoiceDate: input.invoiceDate,
    dueDate: input.dueDate ?? null,
    customerId: input.customerId,
    taxSnapshot: built.taxSnapshot,
    salesTaxAmount: built.salesTaxAmount,
    invoiceAmount: built.invoiceAmount,
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

function invoiceRequests(
  record: InvoiceRecord,
  lines: readonly LineRow[],
  live: Parameters<typeof difference>[0],
): PostingRequest[] {
  const wanted = posts(record.status) ? [postInvoice(postableOf(record, lines))] : [];
  const postings = difference(live, wanted);
  return postings.length === 0 ? [] : [{ source: { type: 'invoice', id: record.id }, postings }];
}

/** A moved invoice date moves the day on which its payments are recognised. */
function redate(settlement: Settlement, record: InvoiceRecord, closingDate: InvoiceRecord['dueDate']): void {
  const own = settlement.applications.filter((each) => each.invoiceId === record.id);
  const others = settlement.applications.filter((each) => each.invoiceId !== record.id);
  const isSameDate = settlement.locked.get(record.id)?.invoiceDate === record.invoiceDate;
  const redated = [...new Set(own.map((each) => each.paymentId))].flatMap((paymentId) => {
    const before = own.filter((each) => each.paymentId === paymentId);
    const payment = settlement.payments.get(paymentId);
    if (payment === undefined) return before;
    const { invoiceDate, id: invoiceId } = record;
    const amount = appliedTo(before, invoiceId);
    const { paymentDate } = payment;
    return recognitionRows({ paymentId, invoiceId, paymentDate, invoiceDate, amount, before, isSameDate, closingDate });
  });
  settlement.applications = [...others, ...redated];
}

function writeUpdate(
  ctx: Ctx,
  { record, lines, settlement }: { record: InvoiceRecord; lines: readonly LineRow[]; settlement: Settlement },
): void {
  ctx.tx.atEnd(invoicesSql.updateInvoiceRow(ctx.companyId, record));
  for (const statement of invoicesSql.writeLines(ctx.companyId, record.id, lines)) ctx.tx.atEnd(statement);
  const own = settlement.applications.filter((each) => each.invoiceId === record.id);
  if (own.length === 0) return;
  for (const statement of replaceApplications(ctx.companyId, { invoiceId: record.id }, own)) ctx.tx.atEnd(statement);
}

function savedView(record: InvoiceRecord, stored: InvoiceWithCustomer, customer: CustomerRow): InvoiceWithCustomer {
  return { ...record, rowVersion: stored.rowVersion + 1, customerDisplayName: customer.displayname };
}

function viewOf(ctx: Ctx, invoice: InvoiceWithCustomer, lines: readonly LineRow[]): BillingInvoice {
  return invoiceView(invoice, lines, ctx.today);
}
