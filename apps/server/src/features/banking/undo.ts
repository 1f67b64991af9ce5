import type { BankLineInput } from '@evenkeel/contract/statements';
import { conflict, notFound, present } from '@evenkeel/core/failure';
import { reconciled } from '@evenkeel/core/banking/marks';
import { documentKinds, sides } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { billingPayments } from '../billing/views.ts';
import { expensePayments } from '../expenses/views.ts';
import { COMPANY } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireOneOf } from '../../platform/http/session.ts';
import { reverseTransaction } from '../accounting/journal-entry.ts';
import { marksOf, openJournal } from '../../books/ledger/journal.ts';
import { marksSql } from '../../books/ledger/marks.sql.ts';
import { lockDocumentsOf, lockPaymentsOf } from '../../books/documents/settlement.sql.ts';
import { changed, recordFreed, requireSeen, seenBefore } from './acts.ts';
import { lockBankDocument } from './bank-documents.sql.ts';
import { deposits } from './deposits.ts';
import {
  type BankActionKind,
  type BankActionRow,
  bankActs,
  bankLines,
  type BankLineRow,
  bankMatches,
  type EntryRow,
  entriesOfActs,
} from './lines.sql.ts';
import { transfers } from './transfers.ts';

/**
 * Undoes actions on bank transactions. If an action posted a document, the document is deleted in the same way as on
 * its own screen. The ledger then returns the bank transactions to review, as it does when any matched entry changes.
 */

/** An action as it was read before anything was locked. */
interface Undoing {
  act: BankActionRow;
  lines: BankLineRow[];
  entries: EntryRow[];
  reason: string | null | undefined;
}

type UndoAsk = Pick<BankLineInput, 'rowVersion' | 'closingOverrideReason'>;

/**
 * Undoes the action on a bank transaction. Returns the IDs of the bank transactions that are for review again. Throws
 * 404 if the bank transaction does not exist, 409 if the action can't be undone, and 409 'stale' if another user has
 * changed the bank transaction since the given version.
 */
export async function undoLine(ctx: Ctx, id: number, ask: UndoAsk): Promise<number[]> {
  const line = await ctx.tx.row(bankLines.find({ id }));
  if (line === undefined) throw notFound('Bank transaction');
  requireSeen(line, ask.rowVersion);
  if (line.actId === null) throw conflict("This bank transaction hasn't been matched or categorized yet");
  const touched = await undoBankAction(ctx, line.actId, ask.closingOverrideReason);
  // A matched bank transaction is locked after the ledger head, so its version can't be checked before this point.
  const after = await ctx.tx.row(bankLines.find({ id }));
  if (after?.rowVersion !== line.rowVersion + 1) throw seenBefore();
  return touched;
}

/**
 * Locks everything that undoing several actions affects, in the same order as every command: documents, payments, then
 * deposits and transfers. The first undo locks the end of the journal. After that, no more documents, payments,
 * deposits, or transfers may be locked.
 */
export async function lockActs(tx: Tx, acts: readonly Pick<BankActionRow, 'kind' | 'sourceId'>[]): Promise<void> {
  const sources = (kind: BankActionKind) =>
    acts.flatMap((act) => (act.kind === kind ? (act.sourceId ?? []) : [])).toSorted((a, b) => a - b);
  const paid = sql`${sources('pay')}::bigint[]`;
  const documents = sql`array(
    select a.document_id from payment_application a where a.company_id = ${COMPANY} and a.payment_id = any(${paid}))`;
  const moves = (['deposit', 'transfer'] as const).flatMap((kind) =>
    sources(kind).map((id) => lockBankDocument(documentKinds[kind], id)),
  );
  await tx.inOrder([lockDocumentsOf(documents), ...sides.map((side) => lockPaymentsOf(side, paid)), ...moves]);
}

/**
 * Undoes an action. Returns the IDs of its bank transactions. Throws 409 if one of its entries is reconciled or the
 * action was already undone.
 */
export async function undoBankAction(ctx: Ctx, actId: number, reason: string | null | undefined): Promise<number[]> {
  const { tx } = ctx;
  const [act, lines, entries] = await Promise.all([
    tx.row(bankActs.find({ id: actId })),
    tx.rows(bankLines.find({ actId }, { orderBy: sql`id` })),
    tx.rows(entriesOfActs([actId])),
  ]);
  if (act === undefined) throw changed();
  const glids = entries.map(({ glid }) => glid);
  await requireUnmarked(tx, glids);
  await takeBack(ctx, { act, lines, entries, reason });
  for (const line of lines) recordFreed(ctx, line, glids);
  await requireFreed(ctx, actId);
  return lines.map(({ id }) => id);
}

/** Throws 409 with the reconciliation's name if one of these entries is reconciled. */
export async function requireUnmarked(tx: Tx, glids: readonly number[]): Promise<void> {
  const marks = marksOf(await tx.rows(marksSql(glids)));
  if (marks.size > 0) throw reconciled([...marks.keys()], marks);
}

async function takeBack(ctx: Ctx, { act, entries, reason, lines }: Undoing): Promise<void> {
  const sourceId = act.sourceId ?? 0;
  const query = { closingOverrideReason: reason ?? undefined };
  switch (act.kind) {
    case 'add': {
      const { postingDate } = present(entries[0], 'entry of an action');
      await reverseTransaction(ctx, sourceId, { postingDate, closingOverrideReason: reason });
      return;
    }
    case 'pay': {
      const isIn = (lines[0]?.amount ?? 0) > 0;
      requireOneOf(ctx, [isIn ? 'Manage Billing' : 'Manage Expenses']);
      await (isIn ? billingPayments : expensePayments).remove(ctx, { params: { id: sourceId }, query });
      return;
    }
    case 'deposit':
      await deposits.remove(ctx, sourceId, reason);
      return;
    case 'transfer':
      await transfers.remove(ctx, sourceId, reason);
      return;
    default:
      await free(ctx, act.id, entries);
  }
}

/**
 * Releases the bank transactions and entries in an action that posted nothing. After the ledger head is locked, none of
 * the entries can become reconciled.
 */
async function free({ tx }: Ctx, actId: number, entries: readonly EntryRow[]): Promise<void> {
  await openJournal(tx);
  const glids = entries.map(({ glid }) => glid);
  await requireUnmarked(tx, glids);
  const locked = await tx.rows(bankLines.find({ actId }, { lock: 'for no key update', orderBy: sql`id` }));
  if (locked.length === 0) throw changed();
  const freed = { state: 'review' as const, actId: null, rowVersion: sql`row_version + 1` };
  await tx.inOrder([bankLines.update({ actId }, freed), bankMatches.delete({ actId }), bankActs.delete({ id: actId })]);
}

/**
 * Throws if the ledger has not returned the bank transactions to review. If so, their entries belong to a document
 * other than the action's.
 */
async function requireFreed(ctx: Ctx, actId: number): Promise<void> {
  if ((await ctx.tx.row(bankActs.find({ id: actId }))) !== undefined) {
    throw new Error(`undoing action ${actId} left its bank transactions matched`);
  }
}
