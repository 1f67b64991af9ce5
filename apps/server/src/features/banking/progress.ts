import { idOrNull } from '@evenkeel/contract/fields';
import { ReconciliationProgress, type ReconciliationProgressInput } from '@evenkeel/contract/reconciliation';
import type { DocumentLink } from '@evenkeel/contract/attachments';
import { notFound } from '@evenkeel/core/failure';
import { ZERO } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { planLinks, unlinkAll } from '../../books/attachments/links.ts';
import type { Owner } from '../../books/attachments/owners.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { progresses, type ProgressRow, progressSql, reconciledAccountSql } from './reconciliation.sql.ts';

const ownerOf = (bankAccountId: number): Owner => ({ kind: 'reconciliationprogress', id: bankAccountId });

/**
 * Returns an account's reconciliation in progress and the user who has it open. The version is 0 if no reconciliation
 * has been started. Throws 404 if the account does not exist.
 */
export async function getProgress(ctx: Ctx, bankAccountId: number): Promise<ReconciliationProgress> {
  return (await readProgress(ctx, bankAccountId, { lock: false })).progress;
}

/**
 * Saves a reconciliation in progress. The request must have the current version. Otherwise, throws 409 'stale' with the
 * current draft and its owner. Throws 404 if the account does not exist.
 */
export async function saveReconciliationDraft(
  ctx: Ctx,
  bankAccountId: number,
  input: ReconciliationProgressInput,
): Promise<ReconciliationProgress> {
  const [{ progress: before }, links] = await Promise.all([
    readProgress(ctx, bankAccountId, { lock: true }),
    planLinks(ctx, ownerOf(bankAccountId), input.documentLinks),
  ]);
  requireFresh(ReconciliationProgress, before, input.rowVersion);
  const row = {
    statementDate: input.statementDate ?? null,
    statementBalance: input.statementBalance ?? null,
    bankCharge: input.bankCharge ?? ZERO,
    bankChargeAccountID: idOrNull(input.bankChargeAccountID),
    interest: input.interest ?? ZERO,
    interestAccountID: idOrNull(input.interestAccountID),
    lineIds: [...new Set(input.entries)],
    savedBy: ctx.userId,
  };
  const write =
    before.rowVersion === 0
      ? progresses.insert({ bankAccountId, ...row })
      : progresses.update({ bankAccountId }, { ...row, savedAt: sql`now()`, rowVersion: before.rowVersion + 1 });
  ctx.tx.atEnd(write, ...links.write(bankAccountId));
  const after = await ctx.tx.row(progressSql(bankAccountId));
  return progressView(ctx, bankAccountId, { row: after, documentLinks: links.after });
}

/** Deletes a reconciliation in progress with its files. Throws 404, or 409 if `rowVersion` is outdated. */
export async function deleteProgress(
  ctx: Ctx,
  bankAccountId: number,
  rowVersion: number | undefined,
): Promise<{ ok: true }> {
  const { progress } = await readProgress(ctx, bankAccountId, { lock: true });
  requireFresh(ReconciliationProgress, progress, rowVersion);
  ctx.tx.atEnd(progresses.delete({ bankAccountId }), unlinkAll(ownerOf(bankAccountId)));
  return { ok: true };
}

/** Runs after the account is locked, so that one of two simultaneous requests waits for the other. */
async function readProgress(ctx: Ctx, bankAccountId: number, { lock }: { lock: boolean }) {
  const [account, row, links] = await Promise.all([
    ctx.tx.row(reconciledAccountSql(bankAccountId, lock)),
    ctx.tx.row(progressSql(bankAccountId)),
    planLinks(ctx, ownerOf(bankAccountId), []),
  ]);
  if (account === undefined) throw notFound('Bank account');
  return { progress: progressView(ctx, bankAccountId, { row, documentLinks: links.before }) };
}

function progressView(
  ctx: Ctx,
  bankAccountID: number,
  { row, documentLinks }: { row: ProgressRow | undefined; documentLinks: DocumentLink[] },
): ReconciliationProgress {
  return {
    bankAccountID,
    statementDate: row?.statementDate ?? null,
    statementBalance: row?.statementBalance ?? null,
    bankCharge: row?.bankCharge ?? ZERO,
    bankChargeAccountID: row?.bankChargeAccountID ?? null,
    interest: row?.interest ?? ZERO,
    interestAccountID: row?.interestAccountID ?? null,
    entries: row?.lineIds ?? [],
    documentLinks,
    openedBy: row?.openedBy ?? '',
    isOwn: row?.savedBy === ctx.userId,
    savedAt: row === undefined ? null : row.savedAt.toISOString(),
    rowVersion: row?.rowVersion ?? 0,
  };
}
