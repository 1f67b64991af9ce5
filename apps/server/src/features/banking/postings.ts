import type { BankLineInput } from '@evenkeel/contract/statements';
import type { JournalEntryInput } from '@evenkeel/contract/ledger';
import { earlierOf } from '@evenkeel/core/dates';
import { conflict, Failure, present, refuse } from '@evenkeel/core/failure';
import { type Cents, cents, formatUsd, minCents, negate, sum, ZERO } from '@evenkeel/core/money';
import { documentKinds } from '@evenkeel/core/documents/side';
import { billingPayments } from '../billing/views.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireOneOf } from '../../platform/http/session.ts';
import { expensePayments } from '../expenses/views.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import { journalCreation } from '../../books/ledger/journal-posting.ts';
import { createDeposit } from './deposits.ts';
import { undepositedSql } from './deposits.sql.ts';
import * as evidence from './evidence.sql.ts';
import { type BankLineRow, entriesOfSource, postedEntry } from './lines.sql.ts';
import { takenOff } from '../../books/documents/discounts.ts';
import { lessDiscount, receiptId } from './review.ts';
import { createTransfer } from './transfers.ts';

/**
 * The postings for bank transactions. Each posting has the bank's date and uses the same operation as the document's
 * own screen.
 */

/** A locked bank transaction that is being handled. */
export interface LockedLine extends BankLineRow {
  glAccountId: number;
}

/** The posted document, and those of its entries that are in the bank transactions' bank accounts. */
export interface PostedFor {
  source: { type: string; id: number };
  lineIds: number[];
}

/** Payment types that every company starts with. */
const CHECK = 2;
const ACH = 4;

export const sizeOf = (amount: Cents): Cents => cents(Math.abs(amount));
/** The maximum length of a journal line's or payment's description. */
const LONGEST = 500;
const wordsOf = (line: LockedLine, memo: string | null | undefined): string => (memo || line.text).slice(0, LONGEST);

type Asked = Pick<BankLineInput, 'lines' | 'entityId' | 'memo' | 'closingOverrideReason'>;

/** Throws 422 unless the lines or payments equal the bank's amount. */
function requireSum(bank: Cents, parts: readonly { amount: Cents }[], field: 'lines' | 'documents'): void {
  const rest = cents(bank - sum(parts.map(({ amount }) => amount)));
  if (rest === 0) return;
  const what = field === 'lines' ? 'lines' : 'payments';
  const fault = rest * bank > 0 ? 'too low' : 'too high';
  const message = `The ${what} must add up to the bank amount, but the total is ${formatUsd(sizeOf(rest))} ${fault}`;
  throw refuse(message, { [field]: message });
}

/** Returns the journal entry for "add". One side is the bank account, and the other side is the given accounts. */
export function entryFor(line: LockedLine, { lines, entityId, memo, closingOverrideReason }: Asked): JournalEntryInput {
  const others = lines ?? [];
  requireSum(line.amount, others, 'lines');
  const own = others.findIndex(({ accountID }) => accountID === line.glAccountId);
  if (own !== -1) {
    const message = "You can't post a bank transaction to its own bank account";
    throw refuse(message, { [`lines.${own}.accountID`]: message });
  }
  const description = wordsOf(line, memo);
  const bank = { accountID: line.glAccountId, debit: line.amount > 0, amount: sizeOf(line.amount), description };
  return {
    transactionID: 0,
    entityID: entityId || 0,
    postingDate: line.date,
    generalLedgerEntries: [
      bank,
      ...others.map((each) => ({
        ...each,
        debit: each.amount < 0,
        amount: sizeOf(each.amount),
        description: each.description || description,
      })),
    ],
    closingOverrideReason,
  };
}

/** Categorizes a bank transaction by posting one journal entry. */
export async function addEntry(ctx: Ctx, line: LockedLine, asked: Asked): Promise<PostedFor> {
  if (line.amount === 0) throw refuse('The amount is $0.00, so there is nothing to post');
  const input = entryFor(line, asked);
  try {
    const posted = await createWithin(ctx, journalCreation, { input });
    const entry = posted.generalLedgerEntries.find(({ accountID }) => accountID === line.glAccountId);
    const source = { type: documentKinds.journal.source, id: posted.transactionID };
    return { source, lineIds: [present(entry, 'bank entry').glid] };
  } catch (error) {
    throw renamed(error);
  }
}

/**
 * Renames the fields of journal entry errors to the request's fields. In the journal entry, the bank's own line comes
 * first.
 */
function renamed(error: unknown): unknown {
  if (!(error instanceof Failure) || error.fields === undefined) return error;
  const fields = Object.entries(error.fields).map(([path, message]) => {
    return [path.replace(/^generalLedgerEntries\.(\d+)/, (_, at) => `lines.${Number(at) - 1}`), message];
  });
  return new Failure(error.code, error.message, Object.fromEntries(fields), error.detail);
}

type PayAsked = Pick<BankLineInput, 'entityId' | 'documents' | 'memo' | 'paymentTypeId' | 'closingOverrideReason'>;

/** Posts a customer payment or a vendor payment. */
export async function payDocuments(ctx: Ctx, line: LockedLine, asked: PayAsked): Promise<PostedFor> {
  const isIn = line.amount > 0;
  requireOneOf(ctx, [isIn ? 'Manage Billing' : 'Manage Expenses']);
  const body = {
    id: 0,
    paymentDate: line.date,
    paymentAmount: sizeOf(line.amount),
    paymentRefNo: line.bankId.slice(0, 100),
    paymentCheckNo: line.checkNumber.slice(0, 50),
    paymentDescription: wordsOf(line, asked.memo),
    bankAccountId: line.bankAccountId,
    paymentApplications: asked.documents,
    closingOverrideReason: asked.closingOverrideReason,
  };
  const paymentTypeId = asked.paymentTypeId || (line.checkNumber === '' ? ACH : CHECK);
  const entityId = asked.entityId ?? 0;
  const paid = isIn
    ? await billingPayments.creation.create(ctx, { body: { ...body, customerId: entityId, paymentTypeId } })
    : await expensePayments.creation.create(ctx, { body: { ...body, vendorId: entityId } });
  const kind = isIn ? documentKinds.payment : documentKinds.expensepayment;
  const at = { accountId: line.glAccountId, amount: line.amount };
  const entry = present(await ctx.tx.row(postedEntry(paid.transactionID, at)), 'payment entry');
  return { source: { type: kind.source, id: paid.id }, lineIds: [entry.id] };
}

/**
 * Returns the documents in a suggested match with their open balances, less early-payment discounts. Throws 409 if
 * these amounts no longer add up to the bank transaction's amount.
 */
export async function openDocumentsOf(
  ctx: Ctx,
  line: LockedLine,
  { ids, takesDiscount }: { ids: readonly number[]; takesDiscount: boolean },
): Promise<PayAsked> {
  const open = await ctx.tx.rows(evidence.openDocuments({ hasIn: line.amount > 0, hasOut: line.amount < 0 }));
  const wanted = open
    .filter(({ id }) => ids.includes(id))
    .map((row) => {
      const discount = takesDiscount ? evidence.discountOn(row, line.date) : ZERO;
      return { ...row, discount, open: lessDiscount(row.open, discount) };
    });
  const total = sum(wanted.map(({ open: amount }) => amount));
  const [first] = wanted;
  if (first === undefined || wanted.length !== ids.length || total !== line.amount) {
    throw conflict('The open balance of this invoice or bill changed in the meantime. Review the match again.');
  }
  let rest = sizeOf(line.amount);
  const documents = wanted.map(({ id: invoiceId, open: amount, discount }) => {
    const paid = minCents(rest, sizeOf(amount));
    rest = cents(rest - paid);
    return { invoiceId, amount: paid, ...takenOff(discount) };
  });
  return { entityId: first.entityId, documents: documents.filter(({ amount }) => amount !== ZERO) };
}

/**
 * Returns the amounts that the user entered for documents. If no customer or vendor was given, uses the one on the
 * documents. Throws 422 unless the amounts equal the bank's amount and the documents are open and belong to one
 * customer or vendor.
 */
export async function partsOf(ctx: Ctx, line: LockedLine, { documents, entityId }: PayAsked): Promise<PayAsked> {
  if (!documents || documents.length === 0) return { entityId };
  requireSum(sizeOf(line.amount), documents, 'documents');
  if (entityId) return { entityId, documents };
  const open = await ctx.tx.rows(evidence.openDocuments({ hasIn: line.amount > 0, hasOut: line.amount < 0 }));
  const owners = documents.map(({ invoiceId }) => open.find(({ id }) => id === invoiceId)?.entityId);
  const [first] = owners;
  const at = owners.findIndex((owner) => owner === undefined || owner !== first);
  if (at === -1) return { entityId: first, documents };
  const message =
    owners[at] === undefined ? 'This document is no longer open' : 'A payment can only be for one customer or vendor';
  throw refuse(message, { [`documents.${at}.invoiceId`]: message });
}

/** Posts a deposit of receipts. Throws 409 if the receipts no longer add up to the bank's amount. */
export async function depositReceipts(
  ctx: Ctx,
  line: LockedLine,
  { receiptIds, memo, closingOverrideReason }: Pick<Asked, 'memo' | 'closingOverrideReason'> & { receiptIds: number[] },
): Promise<PostedFor> {
  const waiting = (await ctx.tx.rows(undepositedSql())).filter((receipt) => receiptIds.includes(receiptId(receipt)));
  if (waiting.length !== receiptIds.length || sum(waiting.map(({ amount }) => amount)) !== line.amount) {
    throw conflict('These receipts no longer add up to the bank amount. Review the match again.');
  }
  const receipts = waiting.map(({ paymentId, lineId }) => ({ paymentId, lineId }));
  const { bankAccountId, date: depositDate } = line;
  const body = { depositDate, bankAccountId, receipts, memo: wordsOf(line, memo), closingOverrideReason };
  const { id, amount } = await createDeposit(ctx, body);
  if (amount !== line.amount) throw conflict('These receipts were changed in the meantime. Review the match again.');
  const type = documentKinds.deposit.source;
  return { source: { type, id }, lineIds: await entriesOn(ctx, { type, id }, [line]) };
}

/**
 * Posts a transfer between the bank transaction's account and another account. The matching bank transaction in the
 * other account can be matched at the same time.
 */
export async function transferBetween(
  ctx: Ctx,
  line: LockedLine,
  {
    other,
    bankAccountId,
    memo,
    closingOverrideReason,
  }: Pick<BankLineInput, 'bankAccountId' | 'memo' | 'closingOverrideReason'> & { other: LockedLine | undefined },
): Promise<PostedFor> {
  if (other !== undefined && other.amount !== negate(line.amount)) {
    throw refuse('Both sides of a transfer must have the same amount');
  }
  const otherId = other?.bankAccountId ?? bankAccountId ?? 0;
  const [from, to] = line.amount < 0 ? [line.bankAccountId, otherId] : [otherId, line.bankAccountId];
  const { id } = await createTransfer(ctx, {
    transferDate: other === undefined ? line.date : earlierOf(line.date, other.date),
    fromBankAccountId: from,
    toBankAccountId: to,
    amount: sizeOf(line.amount),
    memo: wordsOf(line, memo),
    closingOverrideReason,
  });
  const type = documentKinds.transfer.source;
  return { source: { type, id }, lineIds: await entriesOn(ctx, { type, id }, other ? [line, other] : [line]) };
}

/** Returns, for each bank transaction, the document's entry in the bank transaction's account. */
async function entriesOn(ctx: Ctx, { type, id }: PostedFor['source'], lines: readonly LockedLine[]): Promise<number[]> {
  const entries = await ctx.tx.rows(entriesOfSource(type, id));
  return lines.map(({ glAccountId, amount }) => {
    const entry = entries.find((each) => each.accountId === glAccountId && each.amount === amount);
    return present(entry, `${type} entry`).id;
  });
}
