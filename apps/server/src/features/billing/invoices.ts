import { BillingInvoice, type BillingInvoiceInput } from '@evenkeel/contract/billing';
import { idOrNull } from '@evenkeel/contract/fields';
import type { IsoDate } from '@evenkeel/core/dates';
import { PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { ESTIMATE_VOID, invoiceFault } from '@evenkeel/core/documents/estimate';
import { type FieldMessages, notFound, present, refuse, refuseFields } from '@evenkeel/core/failure';
import { OPEN, posts, SENT, sendingFault, VOID } from '@evenkeel/core/documents/invoice';
import { cents, type Cents, decimal, sum, ZERO } from '@evenkeel/core/money';
import type { Whole } from '@evenkeel/core/documents/parts';
import { RECEIVABLE, type SettledKind } from '@evenkeel/core/documents/side';
import { rateOn } from '@evenkeel/core/documents/tax';
import { dueByTerms } from '@evenkeel/core/documents/terms';
import { sql } from 'kysely';
import type * as z from 'zod';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { type CompanySettings, toCompanySettings } from '../../books/company-settings.ts';
import { type Before, type Built, documentCalls } from '../../books/documents/documents.ts';
import { type DocumentRecord, OF_NOTHING } from '../../books/documents/documents.sql.ts';
import { type NamedDocument, selectDocument } from '../../books/documents/reads.sql.ts';
import type { TaxSnapshot } from '../../books/documents/settlement.sql.ts';
import { keptDiscount } from '../../books/documents/discounts.ts';
import { noteFault, referenceFault, refuseFaults } from '../../books/ledger/references.ts';
import { documents } from '../../books/documents/settlement.sql.ts';
import { lockDocument } from '../../books/documents/settlement.ts';
import { buildLines, type BuiltLines, liveInputs, referencedIds } from './invoice-lines.ts';
import { billingInvoiceRowView, billingInvoiceView, paidInvoice } from './views.ts';
import { moveCharges } from './line-charges.sql.ts';
import { lockFreed, moveWorkItems } from './workitems.sql.ts';
import * as invoicesSql from './invoices.sql.ts';
import type { CustomerRow, FactsWanted, InvoiceFacts, LineRow, ScenarioRow } from './invoices.sql.ts';

/**
 * Invoices: their numbers and lines, the sales tax according to the customer's scenario, and the posting, which drafts
 * and void invoices don't have.
 */
export const invoiceFlow = {
  kind: RECEIVABLE.document,
  subject: { name: 'invoice', schema: BillingInvoice, idOf: ({ id }: BillingInvoice) => id },
  lines: invoicesSql.lineStore,
  facts: (inputs: readonly BillingInvoiceInput[], isNew: boolean) =>
    invoicesSql.selectFacts(factsWanted(inputs, isNew)),
  build: builtInvoice,
  locks: (id: number) => [invoicesSql.lockEstimateOf(id), lockFreed(id)],
  moves: (stored: readonly LineRow[], kept: readonly LineRow[]) => [
    ...moveWorkItems(stored, kept),
    ...moveCharges(stored, kept),
  ],
  settles: ({ estimateId }: NamedDocument) => (estimateId === null ? [] : [invoicesSql.settleEstimate(estimateId)]),
  heldBy: { documents: 'credit memos', select: invoicesSql.selectCreditsOf },
  view: billingInvoiceView,
  rowView: billingInvoiceRowView,
  paid: paidInvoice,
};
export const invoices = documentCalls(invoiceFlow);

/** A kind of document that can be marked as sent. */
interface SentFlow<S extends z.ZodType> {
  kind: SettledKind;
  subject: Subject<S>;
  lines: { select: (documentId: number) => Runnable<LineRow> };
  view: (document: NamedDocument, parts: { lines: readonly LineRow[] }, today: IsoDate) => z.output<S>;
}

/**
 * Locks an invoice or credit memo and marks it as sent if it is open. Nothing is posted. Other statuses do not change.
 * Throws 404, or 422 for a draft or void document.
 */
export async function markSent<S extends z.ZodType>(ctx: Ctx, flow: SentFlow<S>, id: number): Promise<z.output<S>> {
  const { kind, lines: store, subject, view } = flow;
  const [[stored], lines] = await lockDocument(ctx.tx, { id }, [selectDocument(kind, id), store.select(id)]);
  if (stored === undefined) throw notFound(kind.words.title);
  const before = view(stored, { lines }, ctx.today);
  const fault = sendingFault(stored.status, kind.label.toLowerCase());
  if (fault !== '') throw refuse(fault);
  if (stored.status !== OPEN) return before;
  const change = { status: SENT, rowVersion: stored.rowVersion + 1 };
  const after = view({ ...stored, ...change }, { lines }, ctx.today);
  const write = documents.update({ id }, { status: SENT, rowVersion: sql`row_version + 1` });
  return record(ctx, subject, { before, after, write });
}

type Asked = Pick<BillingInvoiceInput, 'customerId' | 'lineItems'> &
  Partial<Pick<BillingInvoiceInput, 'id' | 'salesTaxScenario'>>;

/** Returns the fields of a line that are needed to price and post it again. */
export function inputOf(line: LineRow) {
  const { productId, packageId, discountId, itemPrice, description, serviceDate, taxable } = line;
  const { accountId, profitCenterId, locationId } = line;
  const sold = { productId, packageId, discountId, itemPrice, description, serviceDate, taxable };
  return { ...sold, accountId, profitCenterId, locationId };
}

/** Returns the IDs to pass to `selectFacts`. */
export function factsWanted(inputs: readonly Asked[], isNew: boolean): FactsWanted {
  return {
    customerIds: [...new Set(inputs.map((input) => input.customerId))],
    scenarioIds: [...new Set(inputs.flatMap(({ salesTaxScenario }) => idOrNull(salesTaxScenario) ?? []))],
    storedIds: isNew ? [] : inputs.flatMap(({ id }) => ((id ?? 0) > 0 ? [id ?? 0] : [])),
    references: referencedIds(inputs.flatMap((input) => input.lineItems)),
    documentCount: isNew ? inputs.length : 0,
    lineCount: inputs.reduce((sum, input) => sum + newLines(input), 0),
  };
}

/** Returns the number of lines on an invoice that have no ID yet. */
function newLines({ lineItems }: Asked): number {
  return liveInputs(lineItems).filter(({ line }) => (line.id ?? 0) <= 0).length;
}

/**
 * Builds an invoice from the request and the stored data. A new invoice has no number yet. A stored invoice keeps its
 * original tax rates unless the invoice date or the customer changes (docs/accounting.md, "Invoice amounts"). Throws
 * 422 with a message for each invalid field.
 */
export function builtInvoice(
  input: BillingInvoiceInput,
  facts: InvoiceFacts,
  before: Before<LineRow>,
  whole: Whole | undefined = estimateOf(facts),
): Built<LineRow> {
  const built = builtSale(input, facts, before, { kind: RECEIVABLE.document, whole });
  const { stored } = before;
  const estimateId = stored?.estimateId ?? null;
  const terms = usableCustomer(facts, input, stored?.entityId);
  const same = stored !== undefined && !isRedated(input, stored) ? stored : undefined;
  const discount = keptDiscount(input, { date: input.invoiceDate, terms, same });
  const note = input.customerNote ?? stored?.note ?? '';
  const poNumber = input.poNumber ?? stored?.poNumber ?? '';
  const record = { ...built.record, ...discount, estimateId, note, poNumber };
  checkCredited(built, facts, before);
  checkEstimated(built, facts, before);
  return { ...built, record };
}

/** A line of the whole document, with the amounts of that line that are on the document's other parts. */
interface PartedLine {
  id: number;
  quantity: string;
  amount: Cents;
  discountType: number | null | undefined;
  taken: { quantity: string; amount: Cents };
}

/** Returns the whole document that a part belongs to, with the tax items on the other parts. */
export function wholeOf(
  lines: readonly PartedLine[],
  taxItems: readonly TaxSnapshot[],
  others: readonly invoicesSql.PartTaxes[],
): Whole {
  const taken = others.flatMap(({ taxSnapshot }) => taxSnapshot);
  const same = taxItems.flatMap(({ id, total, percentage: text }) => {
    const percentage = decimal(text);
    const isSame = taken.every((each) => each.id !== id || percentage.eq(each.percentage));
    return isSame ? [{ id, total, percentage }] : [];
  });
  const sums = same.map(({ id }) => {
    return { id, total: sum(taken.filter((each) => each.id === id).map(({ total }) => total)) };
  });
  return {
    lines: lines.map(({ quantity, taken: of, ...line }) => {
      return { ...line, quantity: decimal(quantity), taken: { ...of, quantity: decimal(of.quantity) } };
    }),
    taxItems: same,
    taken: {
      count: others.length,
      hasOtherLines: others.some((each) => each.hasOtherLines),
      taxItems: sums,
    },
  };
}

/** Returns the estimate that a stored invoice was created from. */
function estimateOf({ estimated, estimateTaxes }: InvoiceFacts): Whole | undefined {
  if (estimated.length === 0) return undefined;
  const lines = estimated.map(({ lineId: id, invoiced: quantity, invoicedAmount: amount, ...line }) => {
    return { ...line, id, taken: { quantity, amount } };
  });
  const [own, others] = [false, true].map((isPart) => estimateTaxes.filter((each) => each.isPart === isPart));
  return wholeOf(lines, own?.[0]?.taxSnapshot ?? [], others ?? []);
}

type SaleTax = Pick<DocumentRecord, 'scenarioId' | 'taxAccountId'> & { rates: readonly Omit<TaxSnapshot, 'total'>[] };

/**
 * Does the same as `builtInvoice`, but for any kind of document that is priced like an invoice. If another document's
 * tax is given, uses that tax.
 */
export function builtSale(
  input: BillingInvoiceInput,
  facts: InvoiceFacts,
  { today, stored, lines }: Before<LineRow>,
  { kind, tax: given, whole }: { kind: SettledKind; tax?: SaleTax | undefined; whole?: Whole | undefined } = {
    kind: RECEIVABLE.document,
  },
): Built<LineRow> {
  const customer = usableCustomer(facts, input, stored?.entityId);
  const settings = toCompanySettings(facts.settings);
  const newIds = facts.ids.lines.splice(0, newLines(input));
  const tax = given ?? taxOf(input, stored, { customer, scenarios: facts.scenarios });
  const hasPayments = stored !== undefined && stored.applied !== 0;
  const areAlone = kind.source !== RECEIVABLE.document.source;
  // Lines from another document are used unchanged, regardless of the current settings.
  const asked = given === undefined ? settings : { ...settings, useProfitCenters: false, useLocations: false };
  const context = { ...facts, settings: asked, stored: lines, newIds, hasPayments, areAlone, whole };
  const built = buildLines(input.lineItems, tax.rates, context);
  const dueDate = stored === undefined || isRedated(input, stored) ? dueOf(input, customer, settings) : stored.dueDate;
  const record = recordOf(input, built, {
    kind: kind.source,
    ...(stored ?? {
      id: present(facts.ids.documents.shift(), 'invoice ID'),
      number: '',
      controlAccountId: settings.defaultARAccountId,
      entryDate: today,
      status: OPEN,
      applied: ZERO,
    }),
    ...tax,
    dueDate,
  });
  checkDocument(kind, record, built.lines);
  checkCustomer(input, stored, lines);
  const kept = record.status === VOID ? built.lines.map(freed) : takenBack(input, record, built.lines);
  return {
    record,
    lines: kept.map((line) => charging(line, record)),
    entityName: customer.displayname,
    entityVersion: customer.rowVersion,
  };
}

/** A void invoice charges no interest. When it is reopened, it charges interest for the same days again. */
const charging = (line: LineRow, { status }: DocumentRecord): LineRow => ({
  ...line,
  charge: line.charge && { ...line.charge, isHeld: status !== VOID },
});

/** A void invoice bills nothing, but its lines still record which work items they billed. */
const freed = (line: LineRow): LineRow => ({
  ...line,
  workItemId: null,
  freedItemId: line.workItemId ?? line.freedItemId,
});

/**
 * Returns the lines of a reopened invoice. Each line bills its work item again if the item is unbilled and belongs to
 * this customer. Throws if another invoice has billed the item in the meantime, because otherwise the item would be
 * billed twice.
 */
function takenBack({ lineItems }: BillingInvoiceInput, { entityId }: DocumentRecord, lines: LineRow[]): LineRow[] {
  if (lines.every(({ freedItemId }) => freedItemId === null)) return lines;
  const fields: FieldMessages = {};
  for (const { line, index } of liveInputs(lineItems)) {
    const number = lines.find(({ id }) => id === line.id)?.freed?.billedOn ?? undefined;
    if (number === undefined) continue;
    fields[`lineItems.${index}.description`] =
      `This work item has since been billed on invoice ${number}. Remove the line first.`;
  }
  refuseFields(fields);
  return lines.map((line) => {
    if (line.freedItemId === null) return line;
    const workItemId = line.freed?.customerId === entityId ? line.freedItemId : null;
    return { ...line, workItemId, freedItemId: null, freed: null };
  });
}

/** A work item can be billed, and an overdue invoice charged interest, only on an invoice for the same customer. */
function checkCustomer(
  { customerId }: BillingInvoiceInput,
  stored: NamedDocument | undefined,
  lines: readonly LineRow[],
): void {
  if (stored === undefined || customerId === stored.entityId) return;
  const bills = lines.some(({ workItemId }) => workItemId !== null)
    ? 'contains work items'
    : lines.some(({ charge }) => charge !== null) && 'contains finance charges';
  if (bills === false) return;
  const message = `This invoice ${bills}, so you can't change its customer`;
  throw refuse(message, { customerId: message });
}

/**
 * Credit memos can't exceed their invoice, so an invoice with credit memos keeps its customer (docs/accounting.md,
 * "Credit memos").
 */
function checkCredited(
  { record, lines }: Built<LineRow>,
  { credited }: InvoiceFacts,
  { stored }: Before<LineRow>,
): void {
  if (credited.length === 0) return;
  if (!posts(record.status)) throw refuse("An invoice with credit memos can't be changed to Draft or Void");
  if (record.entityId !== stored?.entityId)
    throw refuse("You can't change the customer on an invoice that has credit memos");
  for (const { lineId, quantity } of credited) {
    const index = lines.findIndex(({ id }) => id === lineId);
    const line = lines[index];
    if (line === undefined) throw refuse("You can't remove a line that has been credited");
    if (line.discountTerms?.discountType === PERCENTAGE || decimal(line.quantity).gte(quantity)) continue;
    const message = `A quantity of ${decimal(quantity).toString()} on this line has already been credited`;
    throw refuse(message, { [`lineItems.${index}.quantity`]: message });
  }
}

/**
 * Invoices can't exceed their estimate, so the invoice keeps the estimate's customer. The amounts of a void invoice
 * count as zero.
 */
function checkEstimated(
  { record, lines }: Built<LineRow>,
  { estimated }: InvoiceFacts,
  { stored }: Before<LineRow>,
): void {
  if (estimated.length === 0) return;
  if (record.entityId !== stored?.entityId) {
    const message = "This invoice was created from an estimate, so you can't change its customer";
    throw refuse(message, { customerId: message });
  }
  if (record.status === VOID) return;
  if (estimated.some(({ status }) => status === ESTIMATE_VOID)) throw refuse('The estimate is void');
  const fields: FieldMessages = {};
  lines.forEach(({ estimateLineId, quantity }, index) => {
    const of = estimated.find(({ lineId }) => lineId === estimateLineId);
    if (of === undefined) return;
    const { discountType } = of;
    const line = { quantity: decimal(of.quantity), invoiced: decimal(of.invoiced), discountType };
    const fault = decimal(quantity).eq(0) ? undefined : invoiceFault(line, decimal(quantity));
    if (fault !== undefined) fields[`lineItems.${index}.quantity`] = fault;
  });
  refuseFields(fields);
}

/** Returns the customer in a request. A stored document can keep its customer even if the customer is inactive now. */
export function usableCustomer(
  { customers }: InvoiceFacts,
  { customerId }: Pick<BillingInvoiceInput, 'customerId'>,
  before: number | undefined,
): CustomerRow {
  const known = customers.map(({ id, deleted }) => ({ id, active: !deleted }));
  const fields = {};
  noteFault(fields, 'customerId', referenceFault('customer', known, { id: customerId, before }));
  refuseFaults(fields);
  const customer = customers.find((each) => each.id === customerId);
  if (customer === undefined) throw new Error(`customer ${customerId} was not loaded`);
  return customer;
}

/** Returns the tax rates for a new invoice with this date. */
export function ratesOf({ taxExempt, rates }: Pick<CustomerRow, 'taxExempt' | 'rates'>, date: IsoDate) {
  return taxExempt ? [] : rates.map((item) => rateOn(item, date));
}

/** Returns whether the invoice's date or customer changed, in which case the current tax rates and terms apply. */
function isRedated(input: BillingInvoiceInput, stored: NamedDocument): boolean {
  return input.invoiceDate !== stored.date || input.customerId !== stored.entityId;
}

/**
 * Returns the due date of an invoice that has none. It depends on the invoice date and the customer's terms, or else
 * the company's terms.
 */
export function dueOf(
  { invoiceDate }: Pick<BillingInvoiceInput, 'invoiceDate'>,
  customer: CustomerRow,
  company: CompanySettings,
): IsoDate {
  return dueByTerms(invoiceDate, customer.termsDays ?? company.termsDays);
}

/**
 * Returns the tax on an invoice, using the requested scenario, or else the customer's. A scenario that is sent back
 * unchanged does not count as requested. In that case, a saved invoice keeps its rates or, if the customer changes,
 * uses the new customer's scenario.
 */
function taxOf(
  input: BillingInvoiceInput,
  stored: NamedDocument | undefined,
  { customer, scenarios }: { customer: CustomerRow; scenarios: readonly ScenarioRow[] },
): SaleTax {
  const named = idOrNull(input.salesTaxScenario);
  const isOfBefore = stored !== undefined && (named === null || named === stored.scenarioId);
  if (isOfBefore && !isRedated(input, stored)) {
    return { rates: stored.taxSnapshot, scenarioId: stored.scenarioId, taxAccountId: stored.taxAccountId };
  }
  const isOfCustomer = named === null || (isOfBefore && input.customerId !== stored.entityId);
  const found = isOfCustomer ? customer : scenarios.find(({ scenarioId }) => scenarioId === named);
  if (found === undefined) {
    const message = 'This sales tax scenario does not exist. Choose another one.';
    throw refuse(message, { salesTaxScenario: message });
  }
  const { scenarioId, taxAccountId, rates } = found;
  return { rates: ratesOf({ ...customer, rates }, input.invoiceDate), scenarioId, taxAccountId };
}

interface Fixed {
  kind: string;
  id: number;
  number: string;
  controlAccountId: number;
  scenarioId: number | null;
  taxAccountId: number | null;
  entryDate: IsoDate;
  /** The due date to use if the request omits it. Null in a request means no due date. */
  dueDate: IsoDate | null;
  /** The status to use if the request omits it, so that an edit does not change the status. */
  status: number;
  applied: Cents;
}

function recordOf(input: BillingInvoiceInput, built: BuiltLines, fixed: Fixed): DocumentRecord {
  const { applied, id, kind, number, controlAccountId, scenarioId, taxAccountId, entryDate } = fixed;
  const status = input.arBillingStatus ?? fixed.status;
  return {
    id,
    kind,
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
    ...OF_NOTHING,
    dueDate: input.dueDate === undefined ? fixed.dueDate : input.dueDate,
    entityId: input.customerId,
    taxSnapshot: built.taxSnapshot,
    salesTaxAmount: built.salesTaxAmount,
    amount: built.invoiceAmount,
    applied,
    // Drafts and void invoices have no open balance, so the open balances in a list of open invoices add up to the
    // receivables balance.
    openAmount: posts(status) ? cents(built.invoiceAmount - applied) : ZERO,
  };
}

/** A draft can be empty, but a posted document needs at least one line. */
function checkDocument({ words }: SettledKind, record: DocumentRecord, lines: readonly LineRow[]): void {
  if (posts(record.status) && lines.length === 0) {
    throw refuse(`Add at least one line item to the ${words.title.toLowerCase()}`, {
      lineItems: 'At least one line item is required',
    });
  }
}
