import type { BillingPaymentInput } from '@evenkeel/contract/billing';
import { idOrNull } from '@evenkeel/contract/fields';
import {
  MOST_WRITE_OFFS,
  type NamedWriteOff,
  WriteOff,
  type WriteOffCandidate,
  type WriteOffInput,
  type WriteOffResult,
} from '@evenkeel/contract/writeoffs';
import { BAD_DEBT } from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, notFound, present, refuse } from '@evenkeel/core/failure';
import { type Cents, cents, decimal, formatUsd, fromPlain, negate, sum, ZERO } from '@evenkeel/core/money';
import { openAmounts } from '@evenkeel/core/books/settlement';
import { documentKinds, RECEIVABLE } from '@evenkeel/core/documents/side';
import { chosenParts, type WriteOffParts, writeOffParts } from '@evenkeel/core/documents/writeoff';
import { turnedLine } from '@evenkeel/core/documents/credit';
import type { Ctx } from '../../platform/http/context.ts';
import type { Told } from '../../platform/http/route.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import { closingOverride } from '../../books/ledger/journal.ts';
import { type Before, type Built, documentCalls } from '../../books/documents/documents.ts';
import { type NamedDocument, selectDocument } from '../../books/documents/reads.sql.ts';
import { idList, linesOf, type PostedLineRow, type TaxSnapshot } from '../../books/documents/settlement.sql.ts';
import { lockSettlement, readSettlement, settledDocument } from '../../books/documents/settlement.ts';
import type { PageRequest } from '../../platform/db/page.ts';
import { builtSale, factsWanted } from './invoices.ts';
import * as invoicesSql from './invoices.sql.ts';
import type { InvoiceFacts, LineRow } from './invoices.sql.ts';
import { billingPayments } from './views.ts';
import { paymentOfWriteOff, selectCandidates, selectNumbers } from './writeoffs.sql.ts';

/**
 * Write-offs reduce receivables and post to bad debt and, if selected, to sales tax (docs/accounting.md, "Write-offs").
 */

const kind = documentKinds.writeoff;

/** A request, the locked invoice to write off, and the parts of the invoice's open balance. */
interface Asked extends WriteOffInput {
  id?: number;
  customerId: number;
  lineItems: { description: string; itemPrice: Cents; quantity: ReturnType<typeof decimal>; accountId: number }[];
  invoice: NamedDocument;
  taxes: TaxSnapshot[];
}

const writeOffs = documentCalls({
  kind,
  subject: { name: 'writeoff', schema: WriteOff, idOf: ({ id }: WriteOff) => id },
  lines: { ...invoicesSql.lineStore },
  facts: (inputs: readonly Asked[], isNew: boolean) =>
    invoicesSql.selectFacts({ ...factsWanted(inputs, isNew), storedIds: [] }),
  build: built,
  view: (document: NamedDocument, _parts, _today: IsoDate) => viewOf(document),
  rowView: (document: NamedDocument) => viewOf(document),
});

function built(input: Asked, facts: InvoiceFacts, before: Before<LineRow>): Built<LineRow> {
  const { invoice, taxes } = input;
  const sale = {
    customerId: input.customerId,
    invoiceDate: input.writeOffDate,
    dueDate: null,
    lineItems: input.lineItems,
  };
  const tax = { rates: [], scenarioId: null, taxAccountId: invoice.taxAccountId };
  const { record, lines, ...rest } = builtSale(sale, facts, before, { kind, tax });
  const taxAmount = sum(taxes.map(({ total }) => total));
  const amount = negate(cents(record.amount + taxAmount));
  return {
    ...rest,
    record: {
      ...record,
      amount,
      applied: ZERO,
      openAmount: amount,
      controlAccountId: invoice.controlAccountId,
      salesTaxAmount: negate(taxAmount),
      taxSnapshot: taxes.map((item) => ({ ...item, total: negate(item.total) })),
      creditedId: invoice.id,
      note: input.reason ?? '',
    },
    lines: lines.map((line) => turnedLine({ ...line, workItemId: null })),
  };
}

function viewOf(document: NamedDocument): WriteOff {
  const taxAmount = negate(document.salesTaxAmount);
  const amount = negate(document.amount);
  return {
    id: document.id,
    writeOffNumber: document.number,
    writeOffDate: document.date,
    customerId: document.entityId,
    customerDisplayName: document.entityName,
    invoiceId: document.creditedId,
    amount,
    badDebtAmount: cents(amount - taxAmount),
    taxAmount,
    reason: document.note,
    rowVersion: document.rowVersion,
  };
}

/** Returns the parts that make up an invoice's open balance, calculated from the invoice's lines. */
function partsOf(invoice: NamedDocument, lines: readonly PostedLineRow[]): WriteOffParts {
  const own = lines.filter(({ documentId }) => documentId === invoice.id);
  return writeOffParts({ ...settledDocument(invoice, own), applied: invoice.applied }, invoice.taxSnapshot.length);
}

/** Returns open invoices, each with the sales tax that its open balance includes. */
export async function writeOffCandidates(
  ctx: Ctx,
  asked: { invoiceId?: number | undefined; most?: string | undefined; before?: IsoDate | undefined },
): Promise<WriteOffCandidate[]> {
  const most = asked.most === undefined ? undefined : fromPlain(asked.most);
  const rows = await ctx.tx.rows(selectCandidates({ ...asked, most }, MOST_WRITE_OFFS));
  const lines = await ctx.tx.rows(linesOf(RECEIVABLE, idList(rows.map(({ id }) => id))));
  return rows.map((invoice) => ({
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    customerId: invoice.entityId,
    customerDisplayName: invoice.entityName,
    invoiceDate: invoice.date,
    dueDate: invoice.dueDate,
    openAmount: invoice.openAmount,
    taxAmount: sum(partsOf(invoice, lines).taxes),
  }));
}

/**
 * Writes off the open balance of an invoice. Locks the invoice first, so that no payment is applied at the same time.
 * Throws 404, 409 if the open balance has changed, and 422 with the invalid field.
 */
export async function createWriteOff(ctx: Ctx, input: WriteOffInput): Promise<WriteOff> {
  const { invoiceId, writeOffDate, amount, withTax = false, closingOverrideReason } = input;
  const picked = { documentIds: [invoiceId], paymentId: 0, openOfEntityIds: [], from: writeOffDate };
  const [locks, [[invoice], lines]] = await lockSettlement(ctx.tx, RECEIVABLE, picked, [
    selectDocument(RECEIVABLE.document, invoiceId),
    linesOf(RECEIVABLE, idList([invoiceId])),
  ]);
  if (invoice === undefined) throw notFound('Invoice');
  const { settlement } = await readSettlement(ctx.tx, locks, 0);
  const open = openAmounts(settlement).get(invoiceId) ?? ZERO;
  if (open <= 0) throw refuse('This invoice has no open balance');
  if (open !== amount)
    throw conflict(`The open balance of invoice ${invoice.number} is now ${formatUsd(open)}. Review it and try again.`);
  if (writeOffDate < invoice.date) {
    const message = "A write-off can't be dated before its invoice";
    throw refuse(message, { writeOffDate: message });
  }
  const parts = chosenParts(partsOf(invoice, lines), withTax === true);
  const taxes = parts.taxes.flatMap((total, at) =>
    invoice.taxSnapshot.slice(at, at + 1).map((each) => ({ ...each, total })),
  );
  const description = `Invoice ${invoice.number}`;
  const lineItems = [{ description, itemPrice: parts.badDebt, quantity: decimal(1), accountId: BAD_DEBT }];
  const asked: Asked = { ...input, customerId: invoice.entityId, lineItems, invoice, taxes };
  const made = await createWithin(ctx, writeOffs.creation, { input: asked });
  await billingPayments.waive(ctx, usedOn(made, invoiceId), closingOverride(ctx, closingOverrideReason));
  return made;
}

/** Returns the payment of 0.00 that applies the whole write-off. */
function usedOn(
  { id, customerId, writeOffDate, writeOffNumber, amount }: WriteOff,
  invoiceId: number,
): BillingPaymentInput {
  return {
    id: 0,
    customerId,
    paymentDate: writeOffDate,
    paymentAmount: ZERO,
    paymentDescription: `Write-off ${writeOffNumber}`,
    paymentApplications: [
      { invoiceId: id, amount: negate(amount) },
      { invoiceId, amount },
    ],
  };
}

/** Returns one invoice's result in a list: its write-off, or the reason why there is none. */
export function outcomeOf({ invoiceId }: WriteOffInput, { made, error }: Told<WriteOff>): WriteOffResult {
  if (error === undefined) return { invoiceId, ok: true, writeOffNumber: made.writeOffNumber };
  return { invoiceId, ok: false, message: error.message, code: error.code };
}

async function named(ctx: Ctx, rows: readonly WriteOff[]): Promise<NamedWriteOff[]> {
  const invoices = await ctx.tx.rows(selectNumbers(rows.flatMap(({ invoiceId }) => invoiceId ?? [])));
  const numbers = new Map(invoices.map(({ id, number }) => [id, number]));
  return rows.map((row) => ({ ...row, invoiceNumber: numbers.get(row.invoiceId ?? 0) ?? '' }));
}

/** Returns one write-off with its invoice number. Throws 404 if it does not exist. */
export async function getWriteOff(ctx: Ctx, id: number): Promise<NamedWriteOff> {
  const [one] = await named(ctx, [await writeOffs.get(ctx, id)]);
  return present(one, 'write-off and its invoice');
}

/**
 * Lists write-offs. Returns all of them, or one page if `limit` is given. The total that comes with a page covers all
 * write-offs.
 */
export async function listWriteOffs(ctx: Ctx, page: PageRequest & { q?: string | undefined }) {
  const listed = await writeOffs.list(ctx, { ...page, status: 'all' });
  if (Array.isArray(listed)) return named(ctx, listed);
  const { items, sums, ...rest } = listed;
  return { ...rest, items: await named(ctx, items), sums: { amount: negate(sums?.['invoiceAmount'] ?? ZERO) } };
}

/**
 * Reverses and deletes a write-off, which reopens its invoice. Throws 404 if the write-off does not exist, and 409 if
 * it can't be deleted.
 */
export async function removeWriteOff(ctx: Ctx, id: number, overrideReason: string | undefined): Promise<{ ok: true }> {
  const found = await ctx.tx.row(paymentOfWriteOff(id));
  if (found === undefined) throw notFound(kind.words.title);
  const reason = closingOverride(ctx, overrideReason);
  if (idOrNull(found.paymentId) !== null) await billingPayments.takeBack(ctx, found.paymentId, reason);
  return writeOffs.remove(ctx, id, overrideReason);
}
