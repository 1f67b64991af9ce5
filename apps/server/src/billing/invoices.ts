import { BillingInvoice, type BillingInvoiceInput } from '@evenkeel/contract/billing';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound, present, refuse } from '@evenkeel/core/failure';
import { checkDocumentEdit, OPEN, posts } from '@evenkeel/core/invoice';
import { difference, type Posting } from '@evenkeel/core/ledger';
import { cents, type Cents, ZERO } from '@evenkeel/core/money';
import { postDocument } from '@evenkeel/core/posting';
import { RECEIVABLE } from '@evenkeel/core/side';
import { dueByTerms } from '@evenkeel/core/terms';
import { record as recorded } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { asJson } from '../db/query.ts';
import type { Creation } from '../http/creation.ts';
import { requireFresh } from '../http/fresh.ts';
import { closingOverride } from '../ledger/journal.ts';
import { type CompanySettings, toCompanySettings } from '../settings/settings.ts';
import { reverseDocument, settleDocument } from '../subledger/documents.ts';
import { type DocumentRecord, insertDocuments, markDeleted, updateDocument } from '../subledger/documents.sql.ts';
import { type NamedDocument, selectDocument } from '../subledger/reads.sql.ts';
import { lockDocument, settledDocument } from '../subledger/settlement.ts';
import { buildLines, type BuiltLines, liveInputs, referencedIds } from './invoice-lines.ts';
import { invoiceView } from './views.ts';
import * as invoicesSql from './invoices.sql.ts';
import type { CustomerRow, FactsWanted, InvoiceFacts, LineRow } from './invoices.sql.ts';

const INVOICE = { name: 'invoice', schema: BillingInvoice, idOf: ({ id }: BillingInvoice) => id };

/** An invoice as it is written: its head, its lines, and what it wants to post. */
interface BuiltInvoice {
  record: DocumentRecord;
  lines: LineRow[];
  customer: CustomerRow;
}

/**
 * Creates invoices: number, lines, tax by the customer's scenario, and the posting unless it is a draft or void
 * (docs/accounting.md, "The money of an invoice").
 */
export const invoiceCreation: Creation<BillingInvoiceInput, InvoiceFacts, BuiltInvoice, BillingInvoice> = {
  kind: INVOICE.name,
  reply: BillingInvoice,
  facts: (inputs) => asJson(invoicesSql.selectFacts(factsWanted(inputs, inputs.length))),
  make: (actor, input, facts) => {
    const built = newInvoice(input, facts, actor.today);
    return {
      source: { type: RECEIVABLE.document.source, id: built.record.id },
      postings: newPostings(built),
      number: RECEIVABLE.document,
      reason: closingOverride(actor, input.closingOverrideReason),
      action: 'create',
      finish: ({ number }) => {
        const row = { ...built, record: { ...built.record, number } };
        return { row, view: viewOf(actor, row, 1) };
      },
    };
  },
  write: (rows) =>
    insertDocuments(
      invoicesSql.lines,
      rows.map(({ record }) => record),
      rows.flatMap(ownLines),
    ),
};

/** The parameters of `selectFacts` for these invoices, `invoiceCount` of them new. */
function factsWanted(inputs: readonly BillingInvoiceInput[], invoiceCount: number): FactsWanted {
  return {
    customerIds: [...new Set(inputs.map((input) => input.customerId))],
    references: referencedIds(inputs.flatMap((input) => input.lineItems)),
    invoiceCount,
    lineCount: inputs.reduce((sum, input) => sum + newLines(input), 0),
  };
}

/** Number of an invoice's lines without an id. */
function newLines({ lineItems }: BillingInvoiceInput): number {
  return liveInputs(lineItems).filter(({ line }) => (line.id ?? 0) <= 0).length;
}

/** A new invoice of what was asked for and the facts, without its number. Throws a refusal with the fields at fault. */
function newInvoice(input: BillingInvoiceInput, facts: InvoiceFacts, today: IsoDate): BuiltInvoice {
  const { ids } = facts;
  const customer = activeCustomer(customerOf(facts, input));
  const settings = toCompanySettings(facts.settings);
  const newIds = ids.lines.splice(0, newLines(input));
  const context = { ...facts, settings, stored: [], newIds, hasPayments: false };
  const built = buildLines(input.lineItems, ratesOf(customer), context);
  const record = recordOf(input, built, {
    id: present(ids.invoices.shift(), 'id of an invoice'),
    number: '',
    controlAccountId: settings.defaultARAccountId,
    scenarioId: customer.scenarioId,
    taxAccountId: customer.taxAccountId,
    entryDate: today,
    dueDate: dueOf(input, customer, settings),
    status: OPEN,
    applied: ZERO,
  });
  checkDocument(record, built.lines);
  return { record, lines: built.lines, customer };
}

/** The postings of a new invoice; the number that their texts lack comes with the posting. */
function newPostings({ record, lines }: BuiltInvoice): Posting[] {
  if (!posts(record.status)) return [];
  return difference([], [postDocument(RECEIVABLE, settledDocument(RECEIVABLE, record, lines))]);
}

function customerOf({ customers }: InvoiceFacts, input: BillingInvoiceInput): CustomerRow | undefined {
  return customers.find((each) => each.id === input.customerId);
}

/**
 * Saves an invoice and posts what differs, also of its payments, whose cash recognition follows its lines. The rates
 * stay those of its first saving unless the invoice date or the customer changes (docs/accounting.md, "The money of an
 * invoice").
 */
export async function updateInvoice(ctx: Ctx, input: BillingInvoiceInput): Promise<BillingInvoice> {
  const id = input.id ?? 0;
  const [[stored], storedLines, [facts]] = await lockDocument(ctx.tx, id, [
    selectDocument(RECEIVABLE, id),
    invoicesSql.selectLines(id),
    invoicesSql.selectFacts(factsWanted([input], 0)),
  ]);
  if (stored === undefined || facts === undefined) throw notFound('Invoice');
  const before = invoiceView(stored, storedLines, ctx.today);
  requireFresh(BillingInvoice, before, input.rowVersion);
  const built = editedInvoice(input, facts, { stored, storedLines });
  const { record: head, lines, customer } = built;
  const { applied } = stored;
  checkDocumentEdit(RECEIVABLE, { ...head, applied, entityChanged: head.entityId !== stored.entityId });
  const reason = closingOverride(ctx, input.closingOverrideReason);
  const { closingDate } = facts;
  const change = {
    stored,
    before: settledDocument(RECEIVABLE, stored, storedLines),
    after: settledDocument(RECEIVABLE, head, lines),
  };
  await settleDocument(ctx, RECEIVABLE, change, { closingDate, reason });
  const write = updateDocument(RECEIVABLE, invoicesSql.lines, { head, own: ownLines(built), stored: storedLines });
  const view = viewOf(ctx, { record: head, lines, customer }, stored.rowVersion + 1);
  return recorded(ctx, INVOICE, { before, after: view, reason, write });
}

/** Reverses and removes an invoice; refused while payments stand on it: "Delete its payments first". */
export async function deleteInvoice(ctx: Ctx, id: number, overrideReason: string | undefined): Promise<{ ok: true }> {
  const gone = { id, lines: invoicesSql.selectLines(id), overrideReason };
  const { stored, lines, reason } = await reverseDocument(ctx, RECEIVABLE, gone);
  const before = invoiceView(stored, lines, ctx.today);
  recorded(ctx, INVOICE, { before, reason, write: markDeleted(id) });
  return { ok: true };
}

function editedInvoice(
  input: BillingInvoiceInput,
  facts: InvoiceFacts,
  { stored, storedLines }: { stored: NamedDocument; storedLines: readonly LineRow[] },
): BuiltInvoice {
  const customer = sameOrActiveCustomer(customerOf(facts, input), stored);
  const company = toCompanySettings(facts.settings);
  const tax = taxOf(input, stored, customer);
  const dueDate = isRedated(input, stored) ? dueOf(input, customer, company) : stored.dueDate;
  const hasPayments = stored.applied !== 0;
  const context = { ...facts, settings: company, stored: storedLines, newIds: facts.ids.lines, hasPayments };
  const built = buildLines(input.lineItems, tax.rates, context);
  const record = recordOf(input, built, { ...stored, ...tax, dueDate });
  checkDocument(record, built.lines);
  return { record, lines: built.lines, customer };
}

function activeCustomer(customer: CustomerRow | undefined): CustomerRow {
  if (customer === undefined || customer.deleted) {
    throw refuse('Please Select a Customer', { customerId: 'Please Select a Customer' });
  }
  return customer;
}

/** An invoice may keep a customer that has been deactivated since. */
function sameOrActiveCustomer(customer: CustomerRow | undefined, stored: NamedDocument): CustomerRow {
  return customer?.id === stored.entityId ? customer : activeCustomer(customer);
}

function ratesOf(customer: CustomerRow) {
  return customer.taxExempt ? [] : customer.rates;
}

/** Whether the invoice has another date or customer than before: tax and terms are then those of now. */
function isRedated(input: BillingInvoiceInput, stored: NamedDocument): boolean {
  return input.invoiceDate !== stored.date || input.customerId !== stored.entityId;
}

/** When an invoice is due that does not say: its date and the customer's terms, else the company's. */
function dueOf({ invoiceDate }: BillingInvoiceInput, customer: CustomerRow, company: CompanySettings): IsoDate {
  return dueByTerms(invoiceDate, customer.termsDays ?? company.termsDays);
}

function taxOf(input: BillingInvoiceInput, stored: NamedDocument, customer: CustomerRow) {
  if (!isRedated(input, stored))
    return { rates: stored.taxSnapshot, scenarioId: stored.scenarioId, taxAccountId: stored.taxAccountId };
  return { rates: ratesOf(customer), scenarioId: customer.scenarioId, taxAccountId: customer.taxAccountId };
}

interface Fixed {
  id: number;
  number: string;
  controlAccountId: number;
  scenarioId: number | null;
  taxAccountId: number | null;
  entryDate: IsoDate;
  /** The due date where the request leaves it out; null in a request means none. */
  dueDate: IsoDate | null;
  /** The status where the request leaves it out: an edit does not change it then. */
  status: number;
  applied: Cents;
}

function recordOf(input: BillingInvoiceInput, built: BuiltLines, fixed: Fixed): DocumentRecord {
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
    invoiceDate: null,
    locationId: null,
    bankAccountId: null,
    dueDate: input.dueDate === undefined ? fixed.dueDate : input.dueDate,
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
function checkDocument(record: DocumentRecord, lines: readonly LineRow[]): void {
  if (posts(record.status) && lines.length === 0) {
    throw refuse('An invoice needs at least one line item', { lineItems: 'At least one line item is required' });
  }
}

function ownLines({ record, lines }: BuiltInvoice) {
  return lines.map((line) => ({ ...line, documentId: record.id }));
}

function viewOf(
  ctx: Pick<Ctx, 'today'>,
  { record, lines, customer }: BuiltInvoice,
  rowVersion: number,
): BillingInvoice {
  const invoice = { ...record, rowVersion, deleted: false, entityName: customer.displayname };
  return invoiceView(invoice, lines, ctx.today);
}
