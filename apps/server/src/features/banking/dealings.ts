import type { BankLine, BankLineInput } from '@evenkeel/contract/statements';
import type { ErrorBody } from '@evenkeel/contract/endpoint';
import { accountLabel } from '@evenkeel/core/books/accounts';
import { conflict, Failure, present } from '@evenkeel/core/failure';
import { earlierOf } from '@evenkeel/core/dates';
import { firstFitting, usualCategorization } from '@evenkeel/core/banking/matching/rules';
import { decimal } from '@evenkeel/core/money';
import { sides } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/http/context.ts';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { lockSettlement } from '../../books/documents/settlement.ts';
import { changed, deal, lockedForReview, namedBy, refusalOf, type Wanted, wantedBy, wantedOf } from './acts.ts';
import { bestOf } from './candidates.ts';
import { bookedBefore } from './evidence.sql.ts';
import { bankLines, type BankLineRow } from './lines.sql.ts';
import { lineViews } from './lines.ts';
import { type Review, reviewOf } from './review.ts';
import { attachFiles } from './receipts.ts';
import { rulesSql } from './rules.sql.ts';
import { undoLine } from './undo.ts';

interface Acting {
  params: { id: number };
  body: BankLineInput;
}

/**
 * Performs or undoes one action on a bank transaction. Returns the bank transaction, the other bank transactions that
 * changed, and possibly a suggested rule.
 */
export async function actOnBankLine(ctx: Ctx, { params: { id }, body: input }: Acting) {
  const isUndo = input.action === 'undo';
  const isAttach = input.action === 'attach';
  const touched = await (isUndo ? undoLine : isAttach ? attachFiles : act)(ctx, id, input);
  const rows = await ctx.tx.rows(bankLines.find({ id: [...new Set([id, ...touched])] }, { orderBy: sql`id` }));
  const views = await lineViews(ctx, rows);
  const line = present(
    views.find((view) => view.id === id),
    'bank line',
  );
  const others = views.filter((view) => view.id !== id);
  const row = rows.find((each) => each.id === id);
  return { line, others, ruleOffer: row === undefined || isUndo || isAttach ? null : await ruleOffer(ctx, row) };
}

async function act(ctx: Ctx, id: number, input: BankLineInput): Promise<number[]> {
  return deal(ctx, id, await wantedOf(ctx, id, input));
}

/** Returns a suggested rule if the user categorized a payee the same way twice and no rule matches it yet. */
async function ruleOffer(ctx: Ctx, line: BankLineRow) {
  if (line.state !== 'added' || line.payee === '') return null;
  const [booked, rules] = await Promise.all([ctx.tx.rows(bookedBefore([line.payee])), ctx.tx.rows(rulesSql())]);
  const usual = usualCategorization(booked.filter(({ isIn }) => isIn === line.amount > 0).map(({ parts }) => parts));
  const active = rules.filter((rule) => rule.active);
  const [part, ...others] = usual?.parts ?? [];
  if (part === undefined || others.length > 0 || firstFitting(active, line) !== undefined) return null;
  const [[account], settings] = await Promise.all([
    ctx.tx.rows(accountsByIdSql([part.accountId])),
    ctx.tx.rows(settingsSql()),
  ]);
  if (account === undefined) return null;
  const { accountId: accountID, profitCenterId: profitcenterid, locationId: locationid } = part;
  return {
    text: textOfRule(line),
    bankAccountId: line.bankAccountId,
    line: { accountID, percent: decimal(100), profitcenterid, locationid },
    accountLabel: accountLabel(account, toCompanySettings(settings).useAccountNumbers),
  };
}

/** Returns the payee's words that are adjacent in the bank's text, so that the rule matches the text. */
function textOfRule({ payee, text }: BankLineRow): string {
  const words = payee.split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const together = words.slice(0, count).join(' ');
    if (text.replace(/\s+/g, ' ').toUpperCase().includes(together)) return together;
  }
  return text;
}

interface Accepting {
  ids: readonly number[];
  /** The keys of the suggestions that the user has seen, in the same order as the IDs. */
  candidates?: readonly string[] | null | undefined;
}

interface Accepted {
  record?: BankLine;
  error?: ErrorBody;
}

/**
 * Accepts the suggested matches one at a time, in order. If a match has changed, it is reported and not applied.
 * Returns results in the same order as the IDs.
 */
export async function acceptBankLines(ctx: Ctx, { ids, candidates }: Accepting): Promise<Accepted[]> {
  const seen = await seenOf(ctx, { ids, candidates });
  const rows = await lockTaken(ctx, ids, seen);
  const reviews = await reviewsOf(
    ctx,
    ids.flatMap((id) => rows.get(id) ?? []),
  );
  const errors = new Map<number, ErrorBody>();
  const done = new Set<number>();
  for (const [at, id] of ids.entries()) {
    // The bank transaction was already accepted as part of an earlier group.
    if (done.has(id)) continue;
    const touched = await alone(ctx, async () => {
      const row = rows.get(id);
      const review = reviews.get(row?.bankAccountId ?? 0);
      if (row === undefined || review === undefined) throw await refusalOf(ctx, [id]);
      const wanted = wantedBest(review, row, seen[at]);
      if ((wanted.lineIds ?? []).some((each) => !rows.has(each))) throw changed();
      return deal(ctx, id, wanted);
    });
    if ('error' in touched) errors.set(id, touched.error);
    else for (const each of touched.ids) done.add(each);
  }
  const after = await ctx.tx.rows(bankLines.find({ id: [...done] }));
  const views = new Map((await lineViews(ctx, after)).map((view) => [view.id, view]));
  return ids.map((id): Accepted => {
    const [record, error] = [views.get(id), errors.get(id)];
    return record === undefined ? { error: present(error, 'result for a bank transaction') } : { record };
  });
}

/** Returns the keys of the suggestions that the user has seen. If they are omitted, returns the current best ones. */
async function seenOf(ctx: Ctx, { ids, candidates }: Accepting): Promise<(string | undefined)[]> {
  const keys = ids.map((_, at) => candidates?.[at]);
  const unsaid = ids.filter((_, at) => keys[at] === undefined);
  if (unsaid.length === 0) return keys;
  const rows = await ctx.tx.rows(bankLines.find({ id: unsaid, state: 'review' }));
  const reviews = await reviewsOf(ctx, rows);
  return ids.map((id, at) => {
    const row = rows.find((each) => each.id === id);
    const review = reviews.get(row?.bankAccountId ?? 0);
    return keys[at] ?? (row && review && bestOf(review, row).candidate?.key);
  });
}

/**
 * Locks everything that the suggestions use, in the common order: bank transactions by ID, documents, then payments
 * that use them. The first action locks the ledger head, and no shared record is locked after the ledger head. Returns
 * the bank transactions that are for review.
 */
async function lockTaken(ctx: Ctx, ids: readonly number[], seen: readonly (string | undefined)[]) {
  const named = ids.map((id, at) => namedBy(seen[at] ?? '', id));
  const lines = await ctx.tx.rows(lockedForReview([...ids, ...named.flatMap(({ lineIds }) => lineIds)]));
  const documentIds = named.flatMap((each) => each.documentIds);
  const [first, ...others] = lines.map(({ date }) => date);
  if (first !== undefined && documentIds.length > 0) {
    const picked = { documentIds, paymentId: 0, openOfEntityIds: [], from: others.reduce(earlierOf, first) };
    for (const side of sides) await lockSettlement(ctx.tx, side, picked, []);
  }
  return new Map(lines.map((row) => [row.id, row]));
}

/** Returns a review for each account that the bank transactions belong to, by account ID. */
async function reviewsOf(ctx: Ctx, lines: readonly BankLineRow[]): Promise<Map<number, Review>> {
  const reviews = new Map<number, Review>();
  for (const id of new Set(lines.map(({ bankAccountId }) => bankAccountId))) {
    reviews.set(id, await reviewOf(ctx.tx, id));
  }
  return reviews;
}

function wantedBest(review: Review, row: BankLineRow, seen: string | undefined): Wanted {
  const { candidate, choices } = bestOf(review, row);
  if (candidate === null) throw conflict('There is no longer a match for this bank transaction');
  if (seen !== candidate.key) {
    throw conflict('The match for this bank transaction has changed. Review it again.');
  }
  if (choices > 1) throw conflict('Several entries match this bank transaction. Select one.');
  return wantedBy(review, row, candidate.key);
}

/** Performs one of several actions. An error rolls back only that action. */
async function alone(ctx: Ctx, work: () => Promise<number[]>): Promise<{ ids: number[] } | { error: ErrorBody }> {
  await ctx.tx.rows(sql`savepoint before_line`);
  try {
    const ids = await work();
    await ctx.tx.rows(sql`release savepoint before_line`);
    return { ids };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await ctx.tx.rows(sql`rollback to savepoint before_line`);
    const { code, message, fields } = error;
    return { error: { code, message, ...(fields === undefined ? {} : { fields }), requestId: '' } };
  }
}
