import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { GlEntry, PostedTransaction } from '@evenkeel/contract/ledger';
import { accountLabel } from '@evenkeel/core/books/accounts';
import { notFound } from '@evenkeel/core/failure';
import type { Posted } from '@evenkeel/core/books/ledger';
import { kindOf, type Source } from '@evenkeel/core/documents/side';
import { linksSql } from '../../books/attachments/attachments.sql.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { sourceSql } from '../../books/ledger/source.sql.ts';
import { glEntry } from '../../books/ledger/register.ts';
import {
  sourceLinesSql,
  type TransactionLineRow,
  transactionLinesSql,
  type TransactionRow,
  transactionSql,
  type Which,
} from '../../books/ledger/transaction.sql.ts';

/** A posted transaction as read from the database: its header, its lines, and the account label setting. */
export interface ReadTransaction {
  head: TransactionRow;
  lines: TransactionLineRow[];
  useAccountNumbers: boolean;
}

/**
 * Returns a posted transaction with its lines and, for a journal entry, its files. Throws 404 if the ID does not exist.
 */
export async function transactionEntries(
  ctx: Ctx,
  id: number,
): Promise<PostedTransaction & { documentLinks: DocumentLink[] }> {
  const [read, filed] = await Promise.all([readTransaction(ctx, id), ctx.tx.row(linksSql({ kind: 'journal', id }))]);
  const documentLinks = read.head.sourceType === 'journal' ? (filed?.links ?? []) : [];
  return { ...postedTransaction(read), documentLinks };
}

/**
 * Returns every entry posted for a document, including reversed ones, or none for a draft. Throws 404 if the document
 * does not exist and nothing was ever posted for it.
 */
export async function sourceEntries(ctx: Ctx, source: Source): Promise<GlEntry[]> {
  const [lines, document, settings] = await Promise.all([
    ctx.tx.rows(sourceLinesSql(source)),
    ctx.tx.row(sourceSql(source)),
    ctx.tx.rows(settingsSql()),
  ]);
  if (lines.length === 0 && document === undefined) throw notFound(kindOf(source.type).words.title);
  return glEntries(lines, toCompanySettings(settings).useAccountNumbers);
}

/** Reads the header, the lines, and the settings in one round trip. Throws 404 if the transaction does not exist. */
export async function readTransaction(ctx: Ctx, which: Which): Promise<ReadTransaction> {
  const [head, lines, settings] = await Promise.all([
    ctx.tx.row(transactionSql(which)),
    ctx.tx.rows(transactionLinesSql(which)),
    ctx.tx.rows(settingsSql()),
  ]);
  if (head === undefined) throw notFound('Transaction');
  return { head, lines, useAccountNumbers: toCompanySettings(settings).useAccountNumbers };
}

/**
 * Returns the single transaction that a posting creates. Pass the promise from ledger/journal without awaiting it
 * first, so that the read runs in the same round trip as the posting, under the posting's lock.
 */
export async function readPosted(ctx: Ctx, posting: Promise<readonly Posted[]>): Promise<PostedTransaction> {
  const [posted, read] = await Promise.allSettled([posting, readTransaction(ctx, 'last')]);
  if (posted.status === 'rejected') throw posted.reason;
  if (read.status === 'rejected') throw read.reason;
  const id = posted.value[0]?.transactions[0]?.id;
  if (read.value.head.id !== id)
    throw new Error(`transaction ${id} was posted, but transaction ${read.value.head.id} was read`);
  return postedTransaction(read.value);
}

/** Converts a transaction to the API format. A posted transaction never changes, so its version is always 1. */
export function postedTransaction({ head, lines, useAccountNumbers }: ReadTransaction): PostedTransaction {
  return {
    transactionID: head.id,
    entityID: lines.find((line) => line.entityId !== null)?.entityId ?? 0,
    draft: false,
    postingDate: head.postingDate,
    description: head.description,
    sourceType: head.sourceType,
    sourceId: head.sourceId,
    generalLedgerEntries: glEntries(lines, useAccountNumbers),
    rowVersion: 1,
  };
}

function glEntries(lines: readonly TransactionLineRow[], useAccountNumbers: boolean): GlEntry[] {
  return lines.map((line) =>
    glEntry(line, accountLabel({ number: line.accountNumber, name: line.accountName }, useAccountNumbers)),
  );
}
