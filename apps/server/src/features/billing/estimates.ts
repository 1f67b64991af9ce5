import type { BillingInvoice, BillingInvoiceInput } from '@evenkeel/contract/billing';
import {
  BillingEstimate,
  type BillingEstimateInput,
  type BillingEstimateRow,
  type EstimateInvoiceInput,
} from '@evenkeel/contract/estimates';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { PERCENTAGE } from '@evenkeel/core/documents/discounts';
import {
  ACCEPTED,
  answerFault,
  DECLINED,
  editFault,
  type EditedEstimate,
  ESTIMATE_DAYS,
  ESTIMATE_DRAFT,
  estimateBadge,
  estimateSendingFault,
  ESTIMATE_SENT,
  hasLeft,
  INVOICED,
  invoiceFault,
  invoicingFault,
  savedStatus,
} from '@evenkeel/core/documents/estimate';
import { Failure, type FieldMessages, notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { DRAFT, OPEN, unpostedBadge } from '@evenkeel/core/documents/invoice';
import { decimal, ZERO } from '@evenkeel/core/money';
import type { Whole } from '@evenkeel/core/documents/parts';
import { documentKinds } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { now } from '../../platform/clock.ts';
import { lastChange, record } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import { COMPANY_VERSION } from '../../books/documents/settlement.sql.ts';
import { versionOf } from '../../books/parties.ts';
import { type Before, type Built, documentCalls } from '../../books/documents/documents.ts';
import { type NamedDocument, selectDocument } from '../../books/documents/reads.sql.ts';
import { heads } from '../../books/documents/documents.sql.ts';
import { lockDocument } from '../../books/documents/settlement.ts';
import { builtInvoice, builtSale, factsWanted, inputOf, invoiceFlow, wholeOf } from './invoices.ts';
import * as invoicesSql from './invoices.sql.ts';
import type { InvoiceFacts, LineRow } from './invoices.sql.ts';
import type { Answer } from './sent.ts';
import { invoiceRowView, invoiceView, partsView } from './views.ts';

/**
 * Estimates are priced like invoices, post nothing, and can be converted to invoices (docs/accounting.md, "Estimates").
 */

const kind = documentKinds.estimate;

/** The functions and settings for the estimate endpoints. */
export const estimateFlow = {
  kind,
  subject: { name: 'estimate', schema: BillingEstimate, idOf: ({ id }: BillingEstimate) => id },
  lines: invoicesSql.estimateLineStore,
  facts: (inputs: readonly BillingEstimateInput[], isNew: boolean) =>
    invoicesSql.selectFacts({ ...factsWanted(inputs, isNew), storedIds: [] }),
  build: builtEstimate,
  heldBy: { documents: 'invoices', select: invoicesSql.selectInvoicesOf },
  view: estimateView,
  rowView: estimateRowView,
};
const calls = documentCalls(estimateFlow);

/** Builds an estimate from the request and the stored data. Throws 422 with a message for each invalid field. */
function builtEstimate(input: BillingEstimateInput, facts: InvoiceFacts, before: Before<LineRow>): Built<LineRow> {
  const { stored } = before;
  const usual = stored === undefined ? addDays(input.invoiceDate, ESTIMATE_DAYS) : stored.dueDate;
  const dueDate = input.dueDate === undefined ? usual : input.dueDate;
  const asked = input.arBillingStatus ?? stored?.status ?? ESTIMATE_DRAFT;
  const sale = builtSale({ ...input, dueDate, arBillingStatus: asked }, facts, before, { kind });
  const lines = sale.lines.map((line) => {
    return { ...line, invoiced: before.lines.find(({ id }) => id === line.id)?.invoiced ?? '0' };
  });
  const status = savedStatus(asked, lines.map(estimated));
  const keepsAnswer = stored !== undefined && stateOf(status) === stateOf(stored.status);
  const record = {
    ...sale.record,
    status,
    note: input.note ?? stored?.note ?? '',
    answeredBy: keepsAnswer ? stored.answeredBy : '',
    answerNote: keepsAnswer ? stored.answerNote : '',
    answeredAt: keepsAnswer ? stored.answeredAt : null,
  };
  checkEstimate({ record, lines }, before, asked);
  return { ...sale, record, lines };
}

/** An invoiced estimate is treated as accepted, so that the customer's response is kept. */
const stateOf = (status: number): number => (status === INVOICED ? ACCEPTED : status);

function checkEstimate(
  { record, lines }: Pick<Built<LineRow>, 'record' | 'lines'>,
  before: Before<LineRow>,
  asked: number,
): void {
  if (record.amount < 0) throw refuse('Estimate total cannot be negative');
  if (record.dueDate !== null && record.dueDate < record.date) {
    const message = "The expiration date can't be before the estimate date";
    throw refuse(message, { dueDate: message });
  }
  if (record.status !== ESTIMATE_DRAFT && lines.length === 0) {
    throw refuse('Add at least one line item to the estimate', { lineItems: 'At least one line item is required' });
  }
  const { stored } = before;
  const fault = stored && editFault(edited(stored, before.lines), edited({ ...record, status: asked }, lines));
  if (fault !== undefined) throw refuse(fault.message, fault.fields);
}

/** Returns the fields of a line that the estimate rules use. */
export const estimated = ({ id, quantity, invoiced = '0', discountTerms }: LineRow) => ({
  id,
  quantity: decimal(quantity),
  invoiced: decimal(invoiced),
  discountType: discountTerms?.discountType,
});

function edited(
  { status, dueDate, entityId, amount }: Pick<NamedDocument, 'status' | 'dueDate' | 'entityId' | 'amount'>,
  lines: readonly LineRow[],
): EditedEstimate {
  return {
    status,
    expirationDate: dueDate,
    customerId: entityId,
    total: amount,
    lines: lines.map((line) => ({ ...estimated(line), terms: termsOf(line) })),
  };
}

/**
 * Returns everything that the customer sees on a line, except its quantity. The price of a percentage discount is
 * omitted, because it depends on the other lines.
 */
function termsOf({ productId, packageId, discountId, description, serviceDate, taxable, ...line }: LineRow): string {
  const percentage = line.discountTerms?.discountType === PERCENTAGE ? line.discountTerms.discountPercentage : null;
  const price = percentage === null ? line.itemPrice : percentage;
  return JSON.stringify([productId, packageId, discountId, description, serviceDate, taxable, price]);
}

/** Returns a stored estimate in the list format. An estimate has no open balance. */
export function estimateRowView(estimate: NamedDocument, today: IsoDate): BillingEstimateRow {
  const { status, dueDate: expirationDate } = estimate;
  const badge = estimateBadge({ status, expirationDate }, today);
  return { ...invoiceRowView(estimate, today), badge, daysOverdue: 0, readyToPay: false };
}

export function estimateView(
  estimate: NamedDocument,
  { lines }: { lines: readonly LineRow[] },
  today: IsoDate,
): BillingEstimate {
  const { lineItems, ...view } = invoiceView(estimate, { lines }, today);
  return {
    ...view,
    ...estimateRowView(estimate, today),
    lineItems: lineItems.map(({ workItemId: _, sourceLineId: __, ...line }, at) => {
      return { ...line, invoicedQuantity: decimal(lines[at]?.invoiced ?? '0') };
    }),
    note: estimate.note,
    answeredBy: estimate.answeredBy,
    answerNote: estimate.answerNote,
    answeredAt: estimate.answeredAt?.toISOString() ?? null,
  };
}

const estimateInvoices = documentCalls({
  ...invoiceFlow,
  build: (input: BillingInvoiceInput & { origin: Origin }, facts: InvoiceFacts, before) => {
    const built = builtInvoice(input, facts, { ...before, lines: input.origin.lines }, input.origin.whole);
    return { ...built, record: { ...built.record, estimateId: input.origin.estimate.id } };
  },
});

/**
 * A locked estimate that an invoice is created from, with its lines in the form of invoice lines. Their IDs are
 * negative.
 */
interface Origin {
  estimate: NamedDocument;
  lines: LineRow[];
  /** The estimate together with its other invoices. */
  whole: Whole;
}

/** Locks an estimate and reads it with its lines. Throws 404 if it does not exist. */
export async function lockEstimate(ctx: Ctx, id: number): Promise<{ stored: NamedDocument; lines: LineRow[] }> {
  const [[stored], lines] = await lockDocument(ctx.tx, { id }, [
    selectDocument(kind, id),
    invoicesSql.estimateLineStore.select(id),
  ]);
  if (stored === undefined) throw notFound(kind.words.title);
  return { stored, lines };
}

/**
 * Creates an invoice from lines of an estimate. The estimate becomes accepted, or invoiced if nothing is left to
 * invoice. The estimate is locked first, so that if two users do this at the same time, the second one sees who was
 * first. Throws 404, 409 if the estimate is newer than the one that the user saw, or 422 with the invalid fields.
 */
async function invoice(ctx: Ctx, id: number, input: EstimateInvoiceInput): Promise<BillingInvoice> {
  const { stored, lines } = await lockEstimate(ctx, id);
  await requireSeen(ctx, stored, input.rowVersion);
  const fault = invoicingFault(stored.status);
  if (fault !== undefined) throw refuse(fault);
  const lineItems = chosenLines(lines, input);
  const taxes = await ctx.tx.rows(invoicesSql.selectPartTaxes('estimate_id', id, 0));
  const origin: Origin = {
    estimate: stored,
    whole: invoicedWhole(stored, lines, taxes),
    lines: lines.map(({ invoiced: _, invoicedAmount: __, ...line }) => ({
      ...line,
      id: -line.id,
      estimateLineId: line.id,
    })),
  };
  const { invoiceDate, dueDate, isDraft, closingOverrideReason } = input;
  const status = { arBillingStatus: isDraft === true ? DRAFT : OPEN };
  const head = { id: 0, customerId: stored.entityId, invoiceDate, dueDate, ...status, closingOverrideReason };
  const made = await createWithin(ctx, estimateInvoices.creation, { input: { ...head, lineItems, origin } });
  const taken = lines.map((line) => {
    const own = input.lines.filter(({ estimateLineId }) => estimateLineId === line.id);
    const invoiced = own.reduce((all, { quantity }) => all.plus(quantity), decimal(line.invoiced ?? '0'));
    return { ...line, invoiced: invoiced.toString() };
  });
  mark(ctx, { stored, lines }, { status: hasLeft(taken.map(estimated)) ? ACCEPTED : INVOICED, lines: taken });
  return made;
}

/** Returns an estimate with the quantities and amounts that have been invoiced. */
function invoicedWhole(
  { taxSnapshot: taxItems }: NamedDocument,
  lines: readonly LineRow[],
  taxes: readonly invoicesSql.PartTaxes[],
): Whole {
  const parted = lines.map(
    ({ id, quantity, lineItemAmount: amount, discountTerms, invoiced = '0', invoicedAmount = ZERO }) => {
      const taken = { quantity: invoiced, amount: invoicedAmount };
      return { id, quantity, amount, discountType: discountTerms?.discountType, taken };
    },
  );
  return wholeOf(parted, taxItems, taxes);
}

/**
 * Returns an estimate with the quantities and amounts that have been invoiced, except on the invoice `but` (0 for
 * none). Throws 404 if the estimate does not exist.
 */
async function invoiceable(ctx: Ctx, estimateId: number, but = 0) {
  const [[stored], lines, taxes] = await ctx.tx.inOrder([
    selectDocument(kind, estimateId),
    invoicesSql.selectEstimateLines(estimateId, but),
    invoicesSql.selectPartTaxes('estimate_id', estimateId, but),
  ]);
  if (stored === undefined) throw notFound(kind.words.title);
  return { estimateId, parts: partsView(invoicedWhole(stored, lines, taxes)) };
}

/**
 * Throws 409 with the name of the user who changed the estimate if its version differs from `seen`. If `seen` is
 * missing, any version is accepted.
 */
async function requireSeen({ tx }: Ctx, { id, number, rowVersion }: NamedDocument, seen: number | null | undefined) {
  if (seen === undefined || seen === null || seen === rowVersion) return;
  const last = await tx.row(lastChange(kind.source, id));
  const person = last?.person || 'Someone else';
  const message = `${person} changed estimate ${number} or invoiced it. Review the lines again.`;
  throw new Failure('conflict', message, { rowVersion: message });
}

/** Returns the lines for the invoice. Throws 422 with the indexes of lines that can't be invoiced. */
function chosenLines(lines: readonly LineRow[], { invoiceDate, lines: asked }: EstimateInvoiceInput) {
  const fields: FieldMessages = {};
  const seen = new Set<number>();
  const chosen = asked.flatMap(({ estimateLineId, quantity }, index) => {
    const line = lines.find(({ id }) => id === estimateLineId);
    const place = `lines.${index}.quantity`;
    if (line === undefined || seen.has(estimateLineId)) {
      fields[place] = line === undefined ? "This line isn't on the estimate" : 'This line is selected twice';
      return [];
    }
    seen.add(estimateLineId);
    const fault = invoiceFault(estimated(line), quantity);
    if (fault !== undefined) fields[place] = fault;
    return [{ ...inputOf(line), serviceDate: line.serviceDate ?? invoiceDate, quantity, id: -line.id }];
  });
  refuseFields(fields);
  return chosen;
}

interface Marked extends Partial<Pick<NamedDocument, 'status' | 'answeredBy' | 'answerNote' | 'answeredAt'>> {
  /** The lines with the quantities invoiced so far. */
  lines?: readonly LineRow[];
}

/** Saves the status of a locked estimate and its audit row. Returns the saved estimate. */
export function mark(
  ctx: Ctx,
  { stored, lines }: { stored: NamedDocument; lines: readonly LineRow[] },
  { lines: linesThen = lines, ...change }: Marked,
  reason?: string,
): BillingEstimate {
  const before = estimateView(stored, { lines }, ctx.today);
  const after = estimateView(
    { ...stored, ...change, rowVersion: stored.rowVersion + 1 },
    { lines: linesThen },
    ctx.today,
  );
  // A draft shows the current names and addresses. When it is sent, the estimate keeps the ones at that time.
  const parties =
    stored.status === ESTIMATE_DRAFT
      ? { entityVersion: versionOf(sql`document.entity_id`), companyVersion: COMPANY_VERSION }
      : {};
  const write = heads.update({ id: stored.id }, { ...change, ...parties, rowVersion: sql`row_version + 1` });
  return record(ctx, estimateFlow.subject, { before, after, reason, write });
}

/**
 * Accepts or declines an estimate for its customer. This is possible only once. If two requests arrive at the same
 * time, the second one fails. Returns undefined on success, or else the reason for the failure as a sentence for the
 * customer. Throws 404 if the estimate does not exist.
 */
export async function answerEstimate(ctx: Ctx, id: number, answer: Answer): Promise<string | undefined> {
  const { stored, lines } = await lockEstimate(ctx, id);
  const { status, dueDate: expirationDate, rowVersion } = stored;
  const fault = answerFault({ status, expirationDate, rowVersion }, answer.seen, ctx.today);
  if (fault !== undefined) return fault;
  const { name: answeredBy, note: answerNote } = answer;
  const change = { status: answer.isAccepted ? ACCEPTED : DECLINED, answeredBy, answerNote, answeredAt: now() };
  mark(ctx, { stored, lines }, change);
  return undefined;
}

/**
 * Locks an estimate. If it is a draft, marks it as sent. Other statuses do not change. Throws 404, or 422 for a void or
 * declined estimate.
 */
export async function markEstimateSent(ctx: Ctx, id: number): Promise<BillingEstimate> {
  const { stored, lines } = await lockEstimate(ctx, id);
  const fault = estimateSendingFault(stored.status);
  if (fault !== '') throw refuse(fault);
  if (lines.length === 0) throw refuse('Add at least one line item to the estimate');
  if (stored.status !== ESTIMATE_DRAFT) return estimateView(stored, { lines }, ctx.today);
  return mark(ctx, { stored, lines }, { status: ESTIMATE_SENT });
}

export const estimates = {
  ...calls,
  remove: (ctx: Ctx, id: number) => calls.remove(ctx, id, undefined),
  invoice,
  invoiceable,
  /** Returns the invoices created from an estimate. Throws 404 if the estimate does not exist. */
  invoices: async (ctx: Ctx, id: number) => {
    const [estimate, rows] = await Promise.all([
      ctx.tx.row(selectDocument(kind, id)),
      ctx.tx.rows(invoicesSql.selectMadeInvoices(id)),
    ]);
    if (estimate === undefined) throw notFound(kind.words.title);
    return rows.map(({ status, ...row }) => ({ ...row, badge: unpostedBadge(status) }));
  },
};
