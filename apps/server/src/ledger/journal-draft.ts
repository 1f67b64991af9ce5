import { type GlEntry, ledgerCalls, type PostedTransaction } from '@evenkeel/contract/ledger';
import { encode } from '@evenkeel/contract/wire';
import { accountLabel } from '@evenkeel/core/accounts';
import { notFound } from '@evenkeel/core/failure';
import { audit } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { settingsSql, toCompanySettings } from '../settings/settings.ts';
import { type AccountRow, accountsByIdSql } from './accounts.sql.ts';
import {
  deleteDraftSql,
  type DraftEntry,
  type DraftLine,
  type DraftRow,
  draftsSql,
  insertDraftSql,
  lockDraftSql,
  updateDraftSql,
} from './journal-draft.sql.ts';
import { type ReferenceRow, referencesSql } from './journal-entry.sql.ts';

const schema = ledgerCalls.postTransaction.reply;

/** What a draft's ids stand for, for display. */
export interface DraftNames {
  accounts: readonly AccountRow[];
  references: readonly ReferenceRow[];
  useAccountNumbers: boolean;
}

/** Keeps an entry for later, in place of an earlier draft when there is one. Nothing of it is in the ledger. */
export async function keepDraft(
  ctx: Ctx,
  { entry, earlier, names }: { entry: DraftEntry; earlier: DraftRow | undefined; names: DraftNames },
): Promise<PostedTransaction> {
  if (earlier !== undefined) {
    ctx.tx.atEnd(updateDraftSql(ctx.companyId, { id: earlier.id, entry }));
    const kept = draftReply({ id: earlier.id, entry, rowVersion: earlier.rowVersion + 1 }, names);
    const before = encode(schema, draftReply(earlier, names));
    audit(ctx, { ...subject(earlier.id), action: 'update', before, after: encode(schema, kept) });
    return kept;
  }
  const made = await ctx.tx.row(insertDraftSql(ctx.companyId, { userId: ctx.userId, entry }));
  if (made === undefined) throw new Error('the draft was not inserted');
  const kept = draftReply({ id: made.id, entry, rowVersion: 1 }, names);
  audit(ctx, { ...subject(made.id), action: 'create', after: encode(schema, kept) });
  return kept;
}

function subject(subjectId: number) {
  return { subjectType: 'journal draft', subjectId };
}

/** Journal entries kept but not posted, the oldest first. */
export async function listDrafts(ctx: Ctx): Promise<PostedTransaction[]> {
  const [drafts, settings] = await Promise.all([
    ctx.tx.rows(draftsSql(ctx.companyId)),
    ctx.tx.rows(settingsSql(ctx.companyId)),
  ]);
  const lines = drafts.flatMap((draft) => draft.entry.lines);
  const [accounts, references] = await Promise.all([
    ctx.tx.rows(accountsByIdSql(ctx.companyId, idsOf(lines, 'accountId'))),
    ctx.tx.rows(
      referencesSql(ctx.companyId, { profitCenterIds: [], locationIds: [], entityIds: idsOf(lines, 'entityId') }),
    ),
  ]);
  const names = { accounts, references, useAccountNumbers: toCompanySettings(settings).useAccountNumbers };
  return drafts.map((draft) => draftReply(draft, names));
}

/** The different ids that lines name in one of their fields. */
export function idsOf(
  lines: readonly DraftLine[],
  field: 'accountId' | 'profitCenterId' | 'locationId' | 'entityId',
): number[] {
  return [...new Set(lines.map((line) => line[field] ?? 0))].filter((id) => id > 0);
}

/** Throws a draft away; 404 when there is none of this id. */
export async function deleteDraft(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const draft = await ctx.tx.row(lockDraftSql(ctx.companyId, id));
  if (draft === undefined) throw notFound('Draft');
  ctx.tx.atEnd(deleteDraftSql(ctx.companyId, id));
  audit(ctx, { ...subject(id), action: 'delete', before: draft.entry });
  return { ok: true };
}

/** A draft in the form of a transaction: its id is the draft's, its lines are numbered from 1. */
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

/** A side that is still open is shown as debit. */
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
  } satisfies Partial<GlEntry>;
}
