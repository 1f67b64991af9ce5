import { LINE_STATES } from '@evenkeel/contract/bankRules';
import { type BankLineInput } from '@evenkeel/contract/statements';
import { Id, Usd } from '@evenkeel/contract/fields';
import { conflict, Failure, notFound, refuse } from '@evenkeel/core/failure';
import { sum } from '@evenkeel/core/money';
import { sql } from 'kysely';
import * as z from 'zod';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { openJournal } from '../../books/ledger/journal.ts';
import { bankingAccounts } from './accounts.sql.ts';
import {
  ACT_STATES,
  type BankActionKind,
  bankActs,
  type BankLineRow,
  bankLines,
  bankMatches,
  bankRefusals,
  liveEntries,
} from './lines.sql.ts';
import {
  addEntry,
  depositReceipts,
  type LockedLine,
  openDocumentsOf,
  partsOf,
  payDocuments,
  type PostedFor,
  transferBetween,
} from './postings.ts';
import { type Review, reviewOf } from './review.ts';
import { candidatesOf } from './candidates.ts';

/**
 * The actions on bank transactions. Each action locks its bank transactions first, then documents, then the ledger
 * head.
 */

const Dealt = z.object({
  id: Id,
  amount: Usd,
  text: z.string(),
  state: z.enum(LINE_STATES),
  reason: z.string(),
  glids: z.array(Id),
  /** The names of the files attached to the resulting record, if the action changed them. */
  files: z.array(z.string()).optional(),
});
export const subject: Subject<typeof Dealt> = { name: 'bankline', schema: Dealt, idOf: ({ id }) => id };

/**
 * The action of a suggested match, as described by the match's key. The fields have the same meaning as in a request.
 */
export interface Wanted extends BankLineInput {
  documentIds?: number[];
  /** Whether early-payment discounts on the documents are taken. */
  takesDiscount?: boolean;
  receiptIds?: number[];
  ruleId?: number;
  isAutomatic?: boolean;
  reason: string;
}

const numbersIn = (text: string): number[] => text.split(',').map(Number);
const KEY = /^(entry|entries|documents?|discount|receipts?|transfer):(-?\d{1,15}(?:,-?\d{1,15})*)$/;
const LINES_KEY = /^lines:(\d{1,15}):(\d{1,15}(?:,\d{1,15})*)$/;

/**
 * Returns the action for the key of a suggested match. Throws 409 if the suggestion doesn't exist, for example because
 * the rule or the history that it came from is gone.
 */
export function wantedBy(review: Review, line: BankLineRow, key: string): Wanted {
  const found = candidatesOf(review, line).find((each) => each.key === key);
  const reason = found?.reason ?? 'chosen from the suggestions';
  const [, ofLines = '', lineIds = ''] = LINES_KEY.exec(key) ?? [];
  if (ofLines !== '') {
    const others = numbersIn(lineIds).filter((id) => id !== line.id);
    return { action: 'match', glids: [Number(ofLines)], lineIds: others, reason };
  }
  const [, kind = '', ids = ''] = KEY.exec(key) ?? [];
  const named = numbersIn(ids);
  if (kind.startsWith('entr')) return { action: 'match', glids: named, reason };
  if (kind.startsWith('document')) return { action: 'pay', documentIds: named, reason };
  if (kind === 'discount') return { action: 'pay', documentIds: named, takesDiscount: true, reason };
  if (kind.startsWith('receipt')) return { action: 'deposit', receiptIds: named, reason };
  if (kind === 'transfer') return { action: 'transfer', lineIds: named, reason };
  if (found === undefined || found.action !== 'add') {
    throw conflict('This suggestion is no longer available. Review the bank transaction again.');
  }
  const { lines, entityId, ruleId } = found;
  const memo = lines[0]?.description;
  return { action: 'add', lines, entityId, memo, reason, ...(ruleId === null ? {} : { ruleId }) };
}

/** Returns the other bank transactions and the documents in a suggested match's key. */
export function namedBy(key: string, id: number): { lineIds: number[]; documentIds: number[] } {
  const [, , ofGroup] = LINES_KEY.exec(key) ?? [];
  const [, kind = '', ids = ''] = KEY.exec(key) ?? [];
  const lineIds = ofGroup ?? (kind === 'transfer' ? ids : '');
  return {
    lineIds: lineIds === '' ? [] : numbersIn(lineIds).filter((each) => each !== id),
    documentIds: kind.startsWith('document') || kind === 'discount' ? numbersIn(ids) : [],
  };
}

/**
 * Locks the given bank transactions that are for review, in ID order and before the ledger head. A request that undoes
 * a match locks the matched bank transaction only after the ledger head, so locking matched bank transactions here
 * could cause a deadlock.
 */
export function lockedForReview(ids: readonly number[]): Runnable<BankLineRow> {
  return bankLines.find({ id: [...new Set(ids)], state: 'review' }, { lock: 'for no key update', orderBy: sql`id` });
}

/** The error for a bank transaction that another user has already handled. */
export const changed = () => conflict('Someone else has already handled this bank transaction');

/**
 * Returns the reason why bank transactions could not be locked: 404 if one does not exist, or 409 if all exist but one
 * is no longer waiting for review.
 */
export async function refusalOf(ctx: Ctx, ids: readonly number[]): Promise<Failure> {
  const { total } = await ctx.tx.one(bankLines.count({ id: [...ids] }));
  return total === ids.length ? changed() : notFound('Bank transaction');
}

/** Locks bank transactions. Throws 404 if one does not exist, or 409 if one is no longer waiting for review. */
async function lockForReview(ctx: Ctx, ids: readonly number[]): Promise<LockedLine[]> {
  const wanted = [...new Set(ids)];
  const [rows, accounts] = await ctx.tx.inOrder([lockedForReview(wanted), bankingAccounts.find({})]);
  if (rows.length !== wanted.length) throw await refusalOf(ctx, wanted);
  const glOf = new Map(accounts.map(({ id, glAccountId }) => [id, glAccountId]));
  return wanted.flatMap((id) => {
    const row = rows.find((each) => each.id === id);
    return row === undefined ? [] : [{ ...row, glAccountId: glOf.get(row.bankAccountId) ?? 0 }];
  });
}

/** Request fields that would repeat or contradict the suggested match. */
const SAID_BY_CANDIDATE = ['glids', 'lineIds', 'lines', 'entityId', 'documents', 'bankAccountId'] as const;

/**
 * Returns the action to perform, from the request's fields or from its suggested match. Suggestions are read after the
 * bank transactions are locked, so that the recorded action is the one that the user saw. Throws 409 if the suggestion
 * is no longer available, and 422 if the request's fields contradict it.
 */
export async function wantedOf(ctx: Ctx, id: number, input: BankLineInput): Promise<Wanted> {
  const { candidate: key, ...own } = input;
  if (!key || input.action === 'refuse') return { ...input, reason: 'chosen manually' };
  const [line] = await lockForReview(ctx, [id, ...namedBy(key, id).lineIds]);
  if (line === undefined) throw notFound('Bank transaction');
  const review = await reviewOf(ctx.tx, line.bankAccountId, key.startsWith('lines:') ? undefined : [line]);
  const wanted = wantedBy(review, line, key);
  const isOther = wanted.action !== input.action || SAID_BY_CANDIDATE.some((name) => (own[name] ?? null) !== null);
  if (isOther) {
    const message = "The request doesn't match the suggestion";
    throw refuse(message, { candidate: message });
  }
  const { memo, paymentTypeId, rowVersion, closingOverrideReason } = own;
  return { ...wanted, memo: memo ?? wanted.memo, paymentTypeId, rowVersion, closingOverrideReason };
}

/** The error for a bank transaction that another user has changed since it was loaded. */
export const seenBefore = () =>
  new Failure('stale', 'Someone else saved changes to this record. Review the changes and try again.');

/** Throws 409 'stale' if the bank transaction's version differs from the one that was loaded. */
export function requireSeen(line: BankLineRow, rowVersion: number | null | undefined): void {
  if (rowVersion !== null && rowVersion !== undefined && rowVersion !== line.rowVersion) throw seenBefore();
}

/** Performs an action on a bank transaction that is for review. Returns the IDs of the affected bank transactions. */
export async function deal(ctx: Ctx, id: number, wanted: Wanted): Promise<number[]> {
  const [line, ...others] = await lockForReview(ctx, [id, ...(wanted.lineIds ?? [])]);
  if (line === undefined) throw notFound('Bank transaction');
  requireSeen(line, wanted.rowVersion);
  switch (wanted.action) {
    case 'match': {
      requireOneAccount(line, others);
      const glids = await matchable(ctx, [line, ...others], wanted.glids ?? []);
      return keepAct(ctx, { kind: 'match', lines: [line, ...others], glids, wanted });
    }
    case 'add':
      return keepPosted(ctx, { kind: 'add', lines: [line], wanted }, await addEntry(ctx, line, wanted));
    case 'pay': {
      const asked = wanted.documentIds
        ? await openDocumentsOf(ctx, line, { ids: wanted.documentIds, takesDiscount: wanted.takesDiscount === true })
        : await partsOf(ctx, line, wanted);
      const posted = await payDocuments(ctx, line, { ...wanted, ...asked });
      return keepPosted(ctx, { kind: 'pay', lines: [line], wanted }, posted);
    }
    case 'deposit': {
      const receiptIds = wanted.receiptIds ?? (wanted.glids ?? []).map((glid) => -glid);
      const posted = await depositReceipts(ctx, line, { ...wanted, receiptIds });
      return keepPosted(ctx, { kind: 'deposit', lines: [line], wanted }, posted);
    }
    case 'transfer': {
      const [other] = others;
      const posted = await transferBetween(ctx, line, { ...wanted, other });
      return keepPosted(ctx, { kind: 'transfer', lines: other ? [line, other] : [line], wanted }, posted);
    }
    case 'exclude':
      return keepAct(ctx, { kind: 'exclude', lines: [line], glids: [], wanted });
    case 'refuse':
      return refuseCandidate(ctx, line, wanted.candidate ?? '');
    default:
      throw new Error(`unknown action ${wanted.action}`);
  }
}

function requireOneAccount(line: LockedLine, others: readonly LockedLine[]): void {
  if (others.some(({ bankAccountId }) => bankAccountId !== line.bankAccountId)) {
    throw refuse('All bank transactions in a match must belong to the same bank account');
  }
}

/**
 * Checks that the entries are active, unmatched, in the bank transactions' account, and equal in total to the bank
 * transactions. The lock on the ledger head ensures that this remains so until the commit. Throws 409 for entries that
 * changed and 422 for entries that don't match.
 */
async function matchable(ctx: Ctx, lines: readonly LockedLine[], glids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(glids)];
  if (wanted.length === 0) throw refuse('Please select a transaction', { glids: 'Please select a transaction' });
  if (wanted.length > 1 && lines.length > 1) {
    throw refuse('Match one bank transaction to several entries, or several bank transactions to one entry');
  }
  await openJournal(ctx.tx);
  const entries = await ctx.tx.rows(liveEntries(wanted));
  if (entries.length !== wanted.length || entries.some(({ actId }) => actId !== null)) {
    throw conflict('An entry was changed or matched in the meantime. Review the bank transaction again.');
  }
  if (entries.some(({ accountId }) => accountId !== lines[0]?.glAccountId)) {
    throw refuse('An entry belongs to another bank account');
  }
  const [bank, books] = [lines, entries].map((all) => sum(all.map(({ amount }) => amount)));
  if (bank !== books) throw refuse("The entries don't add up to the bank amount");
  return wanted;
}

interface Act {
  kind: BankActionKind;
  lines: readonly LockedLine[];
  glids: readonly number[];
  wanted: Wanted;
  source?: PostedFor['source'];
}

function keepPosted(ctx: Ctx, act: Omit<Act, 'glids'>, { source, lineIds }: PostedFor): Promise<number[]> {
  return keepAct(ctx, { ...act, glids: lineIds, source });
}

/** Saves an action, its matches, and the new state of its bank transactions, with an audit log row for each of them. */
async function keepAct(ctx: Ctx, { kind, lines, glids, wanted, source }: Act): Promise<number[]> {
  const { tx, userId: madeBy } = ctx;
  const { reason, ruleId = null, isAutomatic = false } = wanted;
  const documented = { sourceType: source?.type ?? null, sourceId: source?.id ?? null };
  const row = { kind, reason, ...documented, ruleId, isAutomatic, madeBy };
  const { id: actId } = await tx.one(bankActs.insert(row, ['id']));
  const state = ACT_STATES[kind];
  const ids = lines.map(({ id }) => id);
  if (glids.length > 0) tx.atEnd(bankMatches.insertMany(glids.map((lineId) => ({ lineId, actId }))));
  tx.atEnd(bankLines.update({ id: ids }, { state, actId, rowVersion: sql`row_version + 1` }));
  for (const { id, amount, text } of lines) {
    const before = { id, amount, text, state: 'review' as const, reason: '', glids: [] };
    record(ctx, subject, { before, after: { ...before, state, reason, glids: [...glids] } });
  }
  return ids;
}

async function refuseCandidate(ctx: Ctx, { id }: LockedLine, candidate: string): Promise<number[]> {
  if (candidate === '') throw refuse('Please select a suggestion', { candidate: 'Please select a suggestion' });
  const row = { bankLineId: id, candidate, refusedBy: ctx.userId };
  ctx.tx.atEnd(sql`${bankRefusals.insert(row)} on conflict do nothing`);
  return [id];
}

/** Records in the audit log that a bank transaction is for review again. */
export function recordFreed(ctx: Ctx, line: BankLineRow, glids: readonly number[]): void {
  const { id, amount, text, state } = line;
  const before = { id, amount, text, state, reason: '', glids: [...glids] };
  record(ctx, subject, { before, after: { ...before, state: 'review' as const, glids: [] } });
}
