import { type JournalEntryInput, ledgerCalls, type PostedTransaction } from '@evenkeel/contract/ledger';
import { encode } from '@evenkeel/contract/wire';
import { accountTypeInfo } from '@evenkeel/core/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, type FieldMessages, notFound, refuse } from '@evenkeel/core/failure';
import { difference } from '@evenkeel/core/ledger';
import { cents, negate } from '@evenkeel/core/money';
import { type JournalLine, postJournal } from '@evenkeel/core/posting';
import { audit } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { settingsSql, toCompanySettings } from '../settings/settings.ts';
import { accountsByIdSql } from './accounts.sql.ts';
import {
  deleteDraftSql,
  type DraftEntry,
  type DraftLine,
  type DraftRow,
  FIRST_DRAFT,
  lockDraftSql,
} from './journal-draft.sql.ts';
import { type DraftNames, draftReply, idsOf, keepDraft } from './journal-draft.ts';
import { lockHeadSql, referencesSql } from './journal-entry.sql.ts';
import { closingOverride, post } from './post.ts';
import { transactionSql } from './transaction.sql.ts';
import { postedTransaction, readPosted, readTransaction, type ReadTransaction } from './transactions.ts';

const schema = ledgerCalls.postTransaction.reply;

/** What a journal entry needs to know before it is kept or posted. */
interface Loaded extends DraftNames {
  draft: DraftRow | undefined;
}

/**
 * Posts a balanced journal entry, or keeps it as a draft. An id above 0 names a draft, which is posted or replaced; a
 * posted transaction never changes (409). 422 with a message per field for what the rules of journal entries forbid
 * (Specification part 2 §5; wire: PostTransaction); an administrator posts into closed books by giving a reason.
 */
export async function postTransaction(ctx: Ctx, input: JournalEntryInput): Promise<PostedTransaction> {
  const entry = entryOf(ctx, input);
  const loaded = await load(ctx, input, entry);
  if (loaded.draft !== undefined) requireFresh(schema, draftReply(loaded.draft, loaded), input.rowVersion);
  requireReferences(entry, loaded);
  if (input.draft === true) return keepDraft(ctx, { entry, earlier: loaded.draft, names: loaded });
  return postEntry(ctx, { entry, loaded, reason: closingOverride(ctx, input.closingOverrideReason) });
}

function entryOf(ctx: Ctx, input: JournalEntryInput): DraftEntry {
  const lines = input.generalLedgerEntries.map((line): DraftLine => ({
    accountId: line.accountID ?? 0,
    debit: line.debit ?? null,
    amount: line.amount ?? cents(0),
    description: line.description ?? '',
    profitCenterId: line.profitcenterid || null,
    locationId: line.locationid || null,
    entityId: line.entityId || input.entityID || null,
  }));
  const { basis } = input;
  return {
    postingDate: postingDateOf(ctx, input),
    basis: basis === 1 || basis === 2 ? basis : 0,
    entityId: input.entityID ?? 0,
    lines: lines.at(-1)?.accountId === 0 ? lines.slice(0, -1) : lines,
  };
}

/** One date for all lines (wire: PostTransaction); a draft without one is dated today. No lines: core refuses them. */
function postingDateOf(ctx: Ctx, input: JournalEntryInput): IsoDate {
  const dates = [input.postingDate, ...input.generalLedgerEntries.map((line) => line.postingDate)];
  const [date, other] = new Set(dates.filter((each) => each !== undefined && each !== null));
  if (other !== undefined) throw invalid({ postingDate: 'All lines of an entry must have the same posting date' });
  if (date !== undefined) return date;
  if (input.draft === true || input.generalLedgerEntries.length === 0) return ctx.today;
  throw invalid({ postingDate: 'Please enter a posting date' });
}

/** Everything in one round trip; the draft is locked. */
async function load(ctx: Ctx, input: JournalEntryInput, { lines }: DraftEntry): Promise<Loaded> {
  const { tx, companyId } = ctx;
  const id = input.transactionID ?? 0;
  const [draft, posted, accounts, references, settings] = await Promise.all([
    id >= FIRST_DRAFT ? tx.row(lockDraftSql(companyId, id)) : undefined,
    id > 0 && id < FIRST_DRAFT ? tx.row(transactionSql(companyId, id)) : undefined,
    tx.rows(accountsByIdSql(companyId, idsOf(lines, 'accountId'))),
    tx.rows(
      referencesSql(companyId, {
        profitCenterIds: idsOf(lines, 'profitCenterId'),
        locationIds: idsOf(lines, 'locationId'),
        entityIds: idsOf(lines, 'entityId'),
      }),
    ),
    tx.rows(settingsSql(companyId)),
  ]);
  if (posted !== undefined) throw conflict('This transaction is posted; reverse it and post a new one');
  if (id > 0 && draft === undefined) throw notFound('Draft');
  return { draft, accounts, references, useAccountNumbers: toCompanySettings(settings).useAccountNumbers };
}

/** Every id must be the company's own and in use; 0 stands for "not chosen" and is core's to judge. */
function requireReferences(entry: DraftEntry, { accounts, references }: Loaded): void {
  const usable = (kind: string, id: number | null): boolean =>
    id === null || references.some((each) => each.kind === kind && each.id === id && each.active);
  const account = (id: number): boolean => id === 0 || accounts.some((each) => each.id === id && each.active);
  const fields: FieldMessages = {};
  entry.lines.forEach((line, index) => {
    const path = `generalLedgerEntries.${index}`;
    if (!account(line.accountId)) fields[`${path}.accountID`] = 'Please Select an Account';
    if (!usable('profitCenter', line.profitCenterId))
      fields[`${path}.profitcenterid`] = 'Please Select a Profit Center';
    if (!usable('location', line.locationId)) fields[`${path}.locationid`] = 'Please Select a Location';
    if (!usable('entity', line.entityId)) fields[`${path}.entityId`] = 'Please select a customer or vendor';
  });
  if (Object.keys(fields).length > 0) throw invalid(fields);
}

/** The reason with which an administrator posts on or before the closing date (accounting: A7.3). */

async function postEntry(
  ctx: Ctx,
  { entry, loaded, reason }: { entry: DraftEntry; loaded: Loaded; reason: string | undefined },
): Promise<PostedTransaction> {
  const { draft, accounts } = loaded;
  const transaction = postJournal({
    postingDate: entry.postingDate,
    basis: entry.basis,
    lines: linesWithSides(entry.lines),
    accountType: (id) => {
      const account = accounts.find((each) => each.id === id);
      if (account === undefined) throw new Error(`account ${id} was not loaded`);
      return accountTypeInfo(account.type, account.contra);
    },
  });
  const request = { source: { type: 'journal' as const, id: 0 }, postings: difference([], [transaction]) };
  const posted = await readPosted(ctx, post(ctx, [request], { mayPostClosed: reason !== undefined }));
  if (draft !== undefined) ctx.tx.atEnd(deleteDraftSql(ctx.companyId, draft.id));
  audit(ctx, {
    action: 'post',
    subjectType: 'journal',
    subjectId: posted.transactionID,
    ...(draft === undefined ? {} : { before: encode(schema, draftReply(draft, loaded)) }),
    after: encode(schema, posted),
    ...(reason === undefined ? {} : { reason }),
  });
  return posted;
}

function linesWithSides(lines: readonly DraftLine[]): JournalLine[] {
  const fields: FieldMessages = {};
  const sided = lines.map((line, index): JournalLine => {
    if (line.debit === null) fields[`generalLedgerEntries.${index}.debit`] = 'Please choose Debit or Credit';
    return { ...line, debit: line.debit ?? true };
  });
  if (Object.keys(fields).length > 0) throw invalid(fields);
  return sided;
}

/**
 * Posts the whole reversal of a journal entry on a chosen open date. Other documents are changed where they are kept
 * (409), and so is an entry that is a reversal or was reversed already.
 */
export async function reverseTransaction(ctx: Ctx, id: number, postingDate: IsoDate): Promise<PostedTransaction> {
  const lock = ctx.tx.rows(lockHeadSql(ctx.companyId));
  const [, original] = await Promise.all([lock, readTransaction(ctx, id)]);
  requireReversible(original);
  const { head, lines } = original;
  const entries = lines.map((line) => ({
    accountId: line.accountId,
    amount: negate(line.amount),
    basis: line.basis,
    description: line.description,
    entityId: line.entityId,
    profitCenterId: line.profitCenterId,
    locationId: line.locationId,
    reverses: line.id,
  }));
  const description = `Reversal of ${head.description}`;
  const source = { type: 'journal' as const, id: head.sourceId };
  const posting = post(ctx, [{ source, postings: [{ postingDate, description, entries }] }]);
  const reversal = await readPosted(ctx, posting);
  audit(ctx, {
    action: 'reverse',
    subjectType: 'journal',
    subjectId: id,
    before: encode(schema, postedTransaction(original)),
    after: encode(schema, reversal),
  });
  return reversal;
}

const DOCUMENTS: Readonly<Record<string, string>> = {
  invoice: 'an invoice',
  payment: 'a customer payment',
  expense: 'an expense invoice',
  expensepayment: 'an expense payment',
  reconciliation: 'a reconciliation',
};

function requireReversible({ head, lines }: ReadTransaction): void {
  if (head.sourceType !== 'journal') {
    const document = DOCUMENTS[head.sourceType] ?? 'another document';
    throw conflict(`This transaction belongs to ${document}; change or delete it there`);
  }
  if (lines.some((line) => line.reverses !== null)) throw conflict('This transaction is itself a reversal');
  if (lines.some((line) => line.reversedBy !== null)) throw conflict('This transaction is already reversed');
}

function invalid(fields: FieldMessages) {
  return refuse(Object.values(fields)[0] ?? 'The entry cannot be posted', fields);
}
