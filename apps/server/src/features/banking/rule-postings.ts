import { Failure } from '@evenkeel/core/failure';
import { documentKinds } from '@evenkeel/core/documents/side';
import { splitByRule } from '@evenkeel/core/banking/matching/rules';
import type { Ctx } from '../../platform/http/context.ts';
import { createMany } from '../../books/ledger/batch.ts';
import { journalCreation } from '../../books/ledger/journal-posting.ts';
import { bankActs, bankLines, type BankLineRow, bankMatches } from './lines.sql.ts';
import { entryFor } from './postings.ts';
import { isUnexplained, reviewOf } from './review.ts';
import { type BankRuleRow, rulesSql } from './rules.sql.ts';

/** Categorizes bank transactions by the rules that users have set to post automatically. */

interface Fitting {
  line: BankLineRow;
  rule: BankRuleRow;
}

/**
 * Categorizes an account's new bank transactions that match nothing in the books and whose first matching rule posts
 * automatically. If the ledger rejects a posting because the books are closed or an account is inactive, the bank
 * transactions stay for review. An import must never fail because of a rule.
 */
export async function bookByRules(ctx: Ctx, bankAccountId: number, lineIds: ReadonlySet<number>): Promise<void> {
  const rules = await ctx.tx.rows(rulesSql());
  if (lineIds.size === 0 || !rules.some(({ active, posts }) => active && posts)) return;
  const review = await reviewOf(ctx.tx, bankAccountId);
  const fitting = review.lines.flatMap((line): Fitting[] => {
    const rule = review.ruleOf(line);
    const isToBook = lineIds.has(line.id) && rule?.posts === true && isUnexplained(review.explained(line.id));
    return isToBook ? [{ line, rule }] : [];
  });
  if (fitting.length > 0) await book(ctx, review.glAccountId, fitting);
}

function inputFor(glAccountId: number, { line, rule }: Fitting) {
  const lines = splitByRule(rule.lines, line.amount).map(({ accountId: accountID, amount, ...part }) => {
    return { accountID, amount, profitcenterid: part.profitCenterId, locationid: part.locationId };
  });
  return entryFor({ ...line, glAccountId }, { lines, entityId: rule.entityId, memo: rule.memo });
}

async function book(ctx: Ctx, glAccountId: number, fitting: readonly Fitting[]): Promise<void> {
  try {
    const news = fitting.map((one) => ({ input: inputFor(glAccountId, one), today: ctx.today }));
    const posted = await createMany(ctx, journalCreation, news);
    await keepActs(
      ctx,
      posted.flatMap((entry, at) => {
        const own = entry.generalLedgerEntries.find(({ accountID }) => accountID === glAccountId);
        const one = fitting[at];
        return own && one ? [{ ...one, lineId: own.glid, sourceId: entry.transactionID }] : [];
      }),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (fitting.length === 1) return;
    // If one of the bank transactions is rejected, each one is posted separately.
    for (const one of fitting) await book(ctx, glAccountId, [one]);
  }
}

async function keepActs({ tx, userId }: Ctx, booked: readonly (Fitting & { lineId: number; sourceId: number })[]) {
  const rows = booked.map(({ rule, sourceId }) => ({
    kind: 'add' as const,
    reason: `rule ${rule.name}`,
    sourceType: documentKinds.journal.source,
    sourceId,
    ruleId: rule.id,
    isAutomatic: true,
    madeBy: userId,
  }));
  const acts = await tx.rows(bankActs.insertMany(rows, ['id', 'sourceId']));
  const actOf = new Map(acts.map(({ id, sourceId }) => [sourceId, id]));
  const matched = booked.map(({ line, lineId, sourceId }) => ({
    id: line.id,
    lineId,
    actId: actOf.get(sourceId) ?? 0,
  }));
  tx.atEnd(
    bankMatches.insertMany(matched),
    bankLines.updateMany(
      matched.map(({ id, actId }) => ({ id, actId, state: 'added' as const })),
      ['id'],
    ),
  );
}
