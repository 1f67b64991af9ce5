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

/** An account's reconciliation that is not saved yet, and who has it open; version 0 while none is begun. 404. */
export async function getProgress(ctx: Ctx, bankAccountId: number): Promise<ReconciliationProgress> {
  return (await readProgress(ctx, bankAccountId, { lock: false })).progress;
}

/**
 * Keeps a reconciliation that is not saved yet. Whoever names the current version has it; anybody else is told (409
 * 'stale', with what stands there now and who has it). 404.
 */
export async function saveProgress(
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

/** Throws away a reconciliation that is not saved yet, with its files. 404; 409 when `rowVersion` is stale. */
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

/** Behind the lock of the account, so that two who begin at once are one behind the other. */
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
