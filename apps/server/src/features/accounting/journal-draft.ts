import { type GlEntry, ledgerCalls, type PostedTransaction } from '@evenkeel/contract/ledger';
import { accountLabel } from '@evenkeel/core/books/accounts';
import { notFound } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { type AccountRow, accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { type DraftEntry, type DraftLine, type DraftRow, drafts } from '../../books/ledger/journal-draft.sql.ts';
import { type ReferenceRow, referencesSql } from '../../books/ledger/journal-posting.ts';

const subject: Subject<typeof ledgerCalls.postTransaction.reply> = {
  name: 'journal draft',
  schema: ledgerCalls.postTransaction.reply,
  idOf: (draft) => draft.transactionID,
};

/** The records that a draft refers to, as they are displayed. */
export interface DraftNames {
  accounts: readonly AccountRow[];
  references: readonly ReferenceRow[];
  useAccountNumbers: boolean;
}

/** Saves an entry as a draft, replacing an earlier draft if there is one. Nothing is posted to the ledger. */
export async function keepDraft(
  ctx: Ctx,
  { entry, earlier, names }: { entry: DraftEntry; earlier: DraftRow | undefined; names: DraftNames },
): Promise<PostedTransaction> {
  if (earlier !== undefined) {
    const { id } = earlier;
    const kept = { id, entry, rowVersion: earlier.rowVersion + 1 };
    const change = { before: draftReply(earlier, names), after: draftReply(kept, names) };
    return record(ctx, subject, { ...change, write: drafts.update({ id }, kept) });
  }
  const made = await ctx.tx.row(drafts.insert({ entry, createdBy: ctx.userId }, ['id', 'entry', 'rowVersion']));
  if (made === undefined) throw new Error('the draft was not inserted');
  return record(ctx, subject, { after: draftReply(made, names) });
}

/** Returns the draft journal entries, oldest first. */
export async function listDrafts(ctx: Ctx): Promise<PostedTransaction[]> {
  return shown(ctx, await ctx.tx.rows(drafts.find({}, { orderBy: sql`created_at, id` })));
}

async function shown(ctx: Ctx, rows: readonly DraftRow[]): Promise<PostedTransaction[]> {
  const lines = rows.flatMap((draft) => draft.entry.lines);
  const [settings, accounts, references] = await Promise.all([
    ctx.tx.rows(settingsSql()),
    ctx.tx.rows(accountsByIdSql(idsOf(lines, 'accountId'))),
    ctx.tx.rows(referencesSql({ profitCenterIds: [], locationIds: [], entityIds: idsOf(lines, 'entityId') })),
  ]);
  const names = { accounts, references, useAccountNumbers: toCompanySettings(settings).useAccountNumbers };
  return rows.map((draft) => draftReply(draft, names));
}

/** Returns the distinct IDs in one field of the lines. */
export function idsOf(
  lines: readonly DraftLine[],
  field: 'accountId' | 'profitCenterId' | 'locationId' | 'entityId',
): number[] {
  return [...new Set(lines.map((line) => line[field] ?? 0))].filter((id) => id > 0);
}

/** Deletes a draft. Throws 404 if it does not exist. */
export async function deleteDraft(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const draft = await ctx.tx.row(drafts.find({ id }, { lock: 'for update' }));
  if (draft === undefined) throw notFound('Draft');
  const [before] = await shown(ctx, [draft]);
  record(ctx, subject, { before, write: drafts.delete({ id }) });
  return { ok: true };
}

/** Converts a draft to a transaction that has the draft's ID and whose lines are numbered from 1. */
export function draftReply({ id, entry, rowVersion }: DraftRow, names: DraftNames): PostedTransaction {
  return {
    transactionID: id,
    entityID: entry.entityId,
    draft: true,
    postingDate: entry.postingDate,
    description: entry.lines[0]?.description ?? '',
    sourceType: 'journal',
    sourceId: id,
    generalLedgerEntries: entry.lines.map((line, index) => ({
      ...draftLine(line, names),
      glid: index + 1,
      transactionID: id,
      postingDate: entry.postingDate,
      basis: entry.basis,
      sourceId: id,
    })),
    rowVersion,
  };
}

/** A line that doesn't have a side yet is shown as a debit. */
function draftLine(line: DraftLine, { accounts, references, useAccountNumbers }: DraftNames) {
  const account = accounts.find((each) => each.id === line.accountId);
  const entity = references.find((each) => each.kind === 'entity' && each.id === line.entityId);
  const isCredit = line.debit === false;
  const shown = line.amount === 0 ? null : line.amount;
  return {
    description: line.description,
    debitAmount: isCredit ? null : shown,
    creditAmount: isCredit ? shown : null,
    balance: null,
    accountID: line.accountId,
    displayAccountLabel: account === undefined ? '' : accountLabel(account, useAccountNumbers),
    profitcenterid: line.profitCenterId,
    locationid: line.locationId,
    entityId: line.entityId,
    entityName: entity?.name ?? '',
    sourceType: 'journal',
    reverses: null,
    reversedBy: null,
    reconciliationId: null,
  } satisfies Partial<GlEntry>;
}
