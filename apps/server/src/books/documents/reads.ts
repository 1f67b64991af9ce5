import type { HistoryRow, OpenDocument, PaidBy, PaymentDefaults } from '@evenkeel/contract/subledger';
import { listOrder } from '@evenkeel/core/allocation';
import { nextCheckNumber } from '@evenkeel/core/documents/checks';
import { notFound } from '@evenkeel/core/failure';
import { unpostedBadge } from '@evenkeel/core/documents/invoice';
import { type Cents, cents, negate, sum } from '@evenkeel/core/money';
import {
  capital,
  documentKinds,
  documentLabel,
  type SettledKind,
  type Side,
  sideOf,
  type SourceType,
} from '@evenkeel/core/documents/side';
import { searchNumberOf } from '@evenkeel/core/words/searched';
import { pageOf } from '../../platform/db/page.ts';
import { narrowedTo } from '../../platform/db/search.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { type LateSums, sumLate } from './aging.sql.ts';
import { openDiscount, takenOff } from './discounts.ts';
import { type Controlled, type DocumentFilter, isWholeList, type ListCount, type NamedDocument } from './reads.sql.ts';
import { selectLastChecks } from './checks.sql.ts';
import * as readsSql from './reads.sql.ts';
import { idList, linesOf, type PostedLineRow, selectPayment } from './settlement.sql.ts';

/**
 * Lists open documents and drafts, or all documents. With `limit`, returns one page. Otherwise, returns an array. The
 * totals for all open documents explain the amount owed today: openAmount + creditAmount + unappliedAmount +
 * journalAmount + laterAmount = owedAmount. The totals for the overdue documents explain the overdue amount in the
 * aging: openAmount + otherLateAmount = lateAmount. Lists of all open documents, and of all documents in a date range,
 * include the number and amount for each filter.
 */
export async function listDocuments<V>(
  ctx: Ctx,
  kind: SettledKind,
  asked: DocumentFilter,
  view: (row: NamedDocument) => V,
) {
  const ids = await narrowedTo(ctx.tx, [searchNumberOf(kind)], asked.q);
  const filter = { ...asked, today: ctx.today, ids };
  const isPage = filter.limit !== undefined;
  // Only the list of a side's main kind shows the amount owed. The other kinds are credits.
  const isMain = kind.source === sideOf(kind).document.source;
  const isWhole = isPage && isMain && isWholeList(filter);
  const isLate = isPage && isMain && readsSql.isAllOverdue(filter);
  const isDated = isPage && filter.dated !== undefined && (filter.q ?? '').trim() === '';
  const dated = readsSql.selectDatedParts(kind, filter);
  const [rows, count, controlled, parts, late] = await Promise.all([
    ctx.tx.rows(readsSql.selectList(kind, filter)),
    isPage ? ctx.tx.row(readsSql.countList(kind, filter)) : undefined,
    isWhole ? ctx.tx.row(readsSql.selectControlled(sideOf(kind), ctx.today)) : undefined,
    isWhole ? ctx.tx.row(readsSql.selectParts(kind, ctx.today)) : isDated ? ctx.tx.row(dated) : undefined,
    isLate ? ctx.tx.row(sumLate(sideOf(kind), ctx.today)) : undefined,
  ]);
  const { total, ...sums } = count ?? { total: rows.length };
  const ties = { ...tiesOf(count, controlled), ...lateTiesOf(count, late) };
  const counted = { total, sums: { ...sums, ...ties }, ...(parts && { parts }) };
  return pageOf(filter, { rows, ...counted }, view);
}

/**
 * Returns the difference between the overdue documents and the overdue amount in the aging. The difference consists of
 * credits and payments with a later date.
 */
function lateTiesOf(count: ListCount | undefined, late: LateSums | undefined): Record<string, Cents> {
  if (count === undefined || late === undefined) return {};
  const lateAmount = sum([late.thirty, late.sixty, late.ninety]);
  return { otherLateAmount: cents(lateAmount - count.openAmount), lateAmount };
}

/**
 * Lists all payments on a side, or only the payments that match a filter, sorted by date. With `limit`, returns one
 * page and, unless there is a search, the number and amount for each filter. Otherwise, returns an array.
 */
export async function listPayments(ctx: Ctx, side: Side, asked: Omit<readsSql.PaymentFilter, 'today'>) {
  const ids = await narrowedTo(ctx.tx, [searchNumberOf(side.payment)], asked.q);
  const filter = { ...asked, ids, today: ctx.today };
  const isPage = filter.limit !== undefined;
  const isWhole = isPage && (asked.q ?? '').trim() === '';
  const counting = isWhole ? readsSql.selectPaymentParts(side, filter) : readsSql.countPayments(side, filter);
  const [rows, found] = await Promise.all([
    ctx.tx.rows(readsSql.selectPayments(side, filter)),
    isPage ? ctx.tx.row<readsSql.PaymentCount>(counting) : undefined,
  ]);
  const count = found ?? { total: rows.length, paymentAmount: cents(0), unappliedAmount: cents(0) };
  const { total, paymentAmount, unappliedAmount, ...parts } = count;
  const counted = { total, sums: { paymentAmount, unappliedAmount }, ...(isWhole && { parts }) };
  return pageOf(filter, { rows, ...counted }, ({ sortKey: _, ...row }) => row);
}

/**
 * Returns the type and account of a user's last payment and last refund on a side, and the next check number for each
 * bank account. The payment and refund dialogs start with these values.
 */
export async function paymentDefaults(ctx: Ctx, side: Side): Promise<PaymentDefaults> {
  const [last, checks] = await Promise.all([
    ctx.tx.rows(readsSql.selectLast(side, ctx.userId)),
    ctx.tx.rows(selectLastChecks()),
  ]);
  const defaultOf = (wanted: boolean) => {
    const found = last.find(({ isRefund }) => isRefund === wanted);
    if (found === undefined) return null;
    const { isRefund: _, ...choice } = found;
    return choice;
  };
  return {
    payment: defaultOf(false),
    refund: defaultOf(true),
    checks: checks.map(({ checkNumber, ...check }) => ({ ...check, nextNumber: nextCheckNumber(checkNumber) })),
  };
}

/** Returns the signed differences between the open amounts in a list and the amount owed in the ledger. */
function tiesOf(count: ListCount | undefined, controlled: Controlled | undefined): Record<string, Cents> {
  if (count === undefined || controlled === undefined) return {};
  const { owed, later, unapplied, credit } = controlled;
  return {
    creditAmount: credit,
    unappliedAmount: negate(unapplied),
    journalAmount: cents(owed + later - count.openAmount - credit + unapplied),
    laterAmount: negate(later),
    owedAmount: owed,
  };
}

/**
 * Lists the documents of one kind for a customer or vendor, newest first. If a number is given, lists only the
 * documents with that number. Throws 404 if the customer or vendor does not exist.
 */
export async function documentsOfEntity(
  ctx: Ctx,
  kind: SettledKind,
  { entityId, number }: { entityId: number; number: string | undefined },
) {
  const [entity, rows] = await Promise.all([
    ctx.tx.row(readsSql.entityExists(sideOf(kind), entityId)),
    ctx.tx.rows(readsSql.selectOfEntity(kind, entityId, number)),
  ]);
  if (entity === undefined) throw notFound(capital(sideOf(kind).words.entity));
  return rows;
}

/**
 * Lists the payments on a document, newest first, each with its share of the document. Throws 404 if the document does
 * not exist.
 */
export async function paidBy(ctx: Ctx, kind: SettledKind, documentId: number): Promise<PaidBy[]> {
  const [document, rows] = await Promise.all([
    ctx.tx.row(readsSql.selectDocument(kind, documentId)),
    ctx.tx.rows(readsSql.selectPaidBy(sideOf(kind), documentId)),
  ]);
  if (document === undefined) throw notFound(kind.words.title);
  return rows.map(({ discountAmount, against, ...row }) => ({
    ...row,
    ...takenOff(discountAmount),
    ...(against && { against: against.map((one) => `${documentLabel(one.kind, one.total)} ${one.number}`) }),
  }));
}

/**
 * Lists the documents and payments of a customer or vendor, newest first. Throws 404 if the customer or vendor does not
 * exist.
 */
export async function entityHistory(ctx: Ctx, side: Side, entityId: number) {
  const [entity, rows] = await Promise.all([
    ctx.tx.row(readsSql.entityExists(side, entityId)),
    ctx.tx.rows(readsSql.selectEntityHistory(side, entityId)),
  ]);
  if (entity === undefined) throw notFound(capital(side.words.entity));
  return rows.map(({ status, ...row }) => {
    const badge = status === null ? '' : unpostedBadge(status);
    return { ...row, badge, kind: historyKind(side, row.kind) };
  });
}

function historyKind(side: Side, kind: SourceType): HistoryRow['kind'] {
  if (kind === side.payment.source) return 'payment';
  return kind === documentKinds.creditmemo.source ? 'credit' : 'invoice';
}

/**
 * Lists the open documents of a customer or vendor, and the documents that the given payment is applied to, in list
 * order. `openAmount` is the stored amount. While that payment is edited, the unpaid amount is openAmount +
 * appliedAmount.
 */
export async function openDocuments(
  ctx: Ctx,
  side: Side,
  entityId: number,
  paymentId: number,
): Promise<OpenDocument[]> {
  const [entity, payment, rows] = await Promise.all([
    ctx.tx.row(readsSql.entityExists(side, entityId)),
    paymentId === 0 ? undefined : ctx.tx.row(selectPayment(side, paymentId)),
    ctx.tx.rows(readsSql.selectOpen(side, { entityId, paymentId })),
  ]);
  if (entity === undefined) throw notFound(capital(side.words.entity));
  if (paymentId !== 0 && payment?.entityId !== entityId) throw notFound('Payment');
  const listed = await openViews(ctx, side, rows);
  return listed.map(({ view }) => view);
}

/** Lists the open documents with the given IDs, for any customer or vendor, in list order. */
export async function openDocumentsById(ctx: Ctx, side: Side, ids: readonly number[]) {
  const listed = await openViews(ctx, side, await ctx.tx.rows(readsSql.selectOpen(side, { ids })));
  const documents = listed.map(({ row, view }) => {
    return { ...view, entityId: row.entityId, entityDisplayName: row.entityName };
  });
  return { documents };
}

async function openViews(ctx: Ctx, side: Side, rows: readonly readsSql.OpenRow[]) {
  const lines = await ctx.tx.rows(linesOf(side, idList(rows.map((row) => row.id))));
  const listed = rows.map((row) => {
    const { id: invoiceId, number: invoiceNumber, date } = row;
    const invoiceDate = row.invoiceDate ?? date;
    return { ...row, invoiceId, invoiceNumber, invoiceDate, unpaid: cents(row.openAmount + row.paid) };
  });
  return listOrder(listed).map((row) => {
    return { row, view: openView(row, lines) };
  });
}

function openView(row: readsSql.OpenRow, all: readonly PostedLineRow[]): OpenDocument {
  const lineItems = all
    .filter((line) => line.documentId === row.id)
    .map(({ description, lineItemAmount, profitCenterId, locationId }) => {
      return { description, lineItemAmount, profitCenterId, locationId };
    });
  return {
    invoiceId: row.id,
    invoiceNumber: row.number,
    invoiceDate: row.invoiceDate ?? row.date,
    dueDate: row.dueDate,
    invoiceAmount: row.amount,
    openAmount: row.openAmount,
    appliedAmount: row.paid,
    applyAmount: cents(row.paid - row.discountTaken),
    ...(row.creditedId === null ? {} : { creditedInvoiceId: row.creditedId }),
    ...openDiscount(row),
    profitCenterId: lineItems[0]?.profitCenterId ?? null,
    locationId: lineItems[0]?.locationId ?? null,
    lineItems,
  };
}
