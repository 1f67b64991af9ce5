import { type JournalEntryInput, ledgerCalls, type PostedTransaction } from '@evenkeel/contract/ledger';
import { encode } from '@evenkeel/contract/wire';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, notFound } from '@evenkeel/core/failure';
import { reconciled } from '@evenkeel/core/banking/marks';
import { negate } from '@evenkeel/core/money';
import { kindOf } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import {
  type DraftEntry,
  type DraftRow,
  drafts,
  FIRST_DRAFT,
  postedInstead,
} from '../../books/ledger/journal-draft.sql.ts';
import { type DraftNames, draftReply, idsOf, keepDraft } from './journal-draft.ts';
import { enteredJournal, entryOf, referencesSql, requireReferences } from '../../books/ledger/journal-posting.ts';
import { closingOverride, marksOf, openJournal, post } from '../../books/ledger/journal.ts';
import { marksSql } from '../../books/ledger/marks.sql.ts';
import { transactionSql } from '../../books/ledger/transaction.sql.ts';
import { postedTransaction, readPosted, readTransaction, type ReadTransaction } from './transactions.ts';

const schema = ledgerCalls.postTransaction.reply;
const subject: Subject<typeof schema> = { name: 'journal', schema, idOf: (posted) => posted.transactionID };

/** The records that are needed to save or post a journal entry. */
interface Loaded extends DraftNames {
  draft: DraftRow | undefined;
}

/**
 * Posts a balanced journal entry or saves it as a draft. An ID above 0 refers to a draft, which is posted or replaced.
 * A posted transaction never changes (409). Throws 422 with a message per field if validation fails. An administrator
 * can post to a closed period by giving a reason.
 */
export async function postTransaction(ctx: Ctx, input: JournalEntryInput): Promise<PostedTransaction> {
  const entry = entryOf(ctx, input);
  const loaded = await load(ctx, input, entry);
  const { draft } = loaded;
  if (draft !== undefined) requireFresh(schema, draftReply(draft, loaded), input.rowVersion);
  if (input.draft === true) {
    requireReferences(entry, loaded, {});
    return keepDraft(ctx, { entry, earlier: draft, names: loaded });
  }
  if (draft === undefined) return createWithin(ctx, enteredJournal, { input });
  ctx.tx.atEnd(drafts.delete({ id: draft.id }));
  const before = encode(schema, draftReply(draft, loaded));
  const posted = await createWithin(ctx, enteredJournal, { input, before });
  ctx.tx.atEnd(postedInstead(draft.id, posted.transactionID));
  return posted;
}

/** Reads everything in one round trip and locks the draft. */
async function load(ctx: Ctx, input: JournalEntryInput, { lines }: DraftEntry): Promise<Loaded> {
  const { tx } = ctx;
  const id = input.transactionID ?? 0;
  const [draft, posted, accounts, references, settings] = await Promise.all([
    id >= FIRST_DRAFT ? tx.row(drafts.find({ id }, { lock: 'for update' })) : undefined,
    id > 0 && id < FIRST_DRAFT ? tx.row(transactionSql(id)) : undefined,
    tx.rows(accountsByIdSql(idsOf(lines, 'accountId'))),
    tx.rows(
      referencesSql({
        profitCenterIds: idsOf(lines, 'profitCenterId'),
        locationIds: idsOf(lines, 'locationId'),
        entityIds: idsOf(lines, 'entityId'),
      }),
    ),
    tx.rows(settingsSql()),
  ]);
  if (posted !== undefined)
    throw conflict('This journal entry is posted. To change it, reverse it and post a new one.');
  if (id > 0 && draft === undefined) throw notFound('Draft');
  return { draft, accounts, references, useAccountNumbers: toCompanySettings(settings).useAccountNumbers };
}

interface Reversal {
  postingDate: IsoDate;
  closingOverrideReason?: string | null | undefined;
}

/**
 * Posts the full reversal of a journal entry on an open date. An administrator can choose a date in a closed period by
 * giving a reason. Throws 409 for other documents, which are changed on their own screens, and for an entry that is a
 * reversal or was already reversed.
 */
export async function reverseTransaction(
  ctx: Ctx,
  id: number,
  { postingDate, closingOverrideReason }: Reversal,
): Promise<PostedTransaction> {
  const end = await openJournal(ctx.tx);
  const [original, deposit, online] = await Promise.all([
    readTransaction(ctx, id),
    ctx.tx.row(depositOfEntry(id)),
    ctx.tx.row(onlineEntry(id)),
  ]);
  requireReversible(original);
  await requireUnmarked(ctx, original);
  if (deposit !== undefined) {
    throw conflict(
      `A line of this journal entry is in deposit ${deposit.number}. Remove the line from the deposit first.`,
    );
  }
  if (online !== undefined) {
    throw conflict(
      "This journal entry records Stripe activity, so it can't be reversed. Post a correcting entry instead.",
    );
  }
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
  const reason = closingOverride(ctx, closingOverrideReason);
  const posting = post(ctx, [{ source, postings: [{ postingDate, description, entries }], reason }], end);
  const after = await readPosted(ctx, posting);
  return record(ctx, subject, { action: 'reverse', before: postedTransaction(original), after, reason });
}

/** Selects a row if the journal entry is a fee or another change to the balance at the online payment provider. */
const onlineEntry = (id: number) => sql<{ id: string }>`
  select id from online_movement where company_id = ${COMPANY} and entry_id = ${id}`;

/** A reconciled line can't be reversed. Delete the reconciliation first. */
async function requireUnmarked({ tx }: Ctx, { lines }: ReadTransaction): Promise<void> {
  const ids = lines.flatMap(({ id, reconciliationId }) => (reconciliationId === null ? [] : [id]));
  if (ids.length > 0) throw reconciled(ids, marksOf(await tx.rows(marksSql(ids))));
}

function requireReversible({ head, lines }: ReadTransaction): void {
  if (head.sourceType !== 'journal') {
    const { words } = kindOf(head.sourceType);
    throw conflict(`This transaction belongs to ${words.indefinite}. Change or delete the transaction there.`);
  }
  if (lines.some((line) => line.reverses !== null))
    throw conflict("This transaction is itself a reversal, so it can't be reversed");
  if (lines.some((line) => line.reversedBy !== null)) throw conflict('This transaction has already been reversed');
}

/** Selects the deposit that contains a line of a transaction. Must run while the ledger head is locked. */
function depositOfEntry(transactionId: number): Runnable<{ number: string }> {
  return sql<{ number: string }>`
    select d.bank_document_number as number
    from journal_line l
    join deposit_receipt r on r.company_id = ${COMPANY} and r.line_id = l.id
    join bank_document d on d.company_id = ${COMPANY} and d.id = r.deposit_id
    where l.company_id = ${COMPANY} and l.transaction_id = ${transactionId}
    limit 1`;
}
