import { idOrNull } from '@evenkeel/contract/fields';
import type { GlEntry } from '@evenkeel/contract/ledger';
import { Reconciliation, type ReconciliationInput, type UnreconciledEntries } from '@evenkeel/contract/reconciliation';
import { accountLabel } from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, type FieldMessages, notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { difference } from '@evenkeel/core/books/ledger';
import { statementOf as statementOfMark } from '@evenkeel/core/banking/marks';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { chargeTransaction, checkStatement, outOfBalance, type Statement } from '@evenkeel/core/banking/reconcile';
import { PAYABLE, type Source } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { planLinks, unlinkAll } from '../../books/attachments/links.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { closingOverride, liveLinesBySource, liveLinesOf, openJournal, post } from '../../books/ledger/journal.ts';
import { markedLines } from '../../books/ledger/marks.sql.ts';
import { glEntry } from '../../books/ledger/register.ts';
import { type LinesAsk, registerSql } from '../../books/ledger/register.sql.ts';
import { settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { accountFault, inactive, noteFault } from '../../books/ledger/references.ts';
import {
  accountOnSql,
  copyLinks,
  lastReconciliationSql,
  lockAccountOfSql,
  nextReconciliationSql,
  progresses,
  type ReconciledAccount,
  reconciledAccountSql,
  type ReconciliationRow,
  reconciliations,
  reconciliationsSql,
  type SelectedRow,
  selectedSql,
} from './reconciliation.sql.ts';

const subject: Subject<typeof Reconciliation> = {
  name: 'reconciliation',
  schema: Reconciliation,
  idOf: (one) => one.reconciliationID,
};

const sourceOf = (id: number): Source => ({ type: 'reconciliation', id });

/**
 * Returns the unreconciled entries in a bank account's GL account. Throws 404 if the GL account has no bank account.
 */
export async function unreconciledEntries(
  ctx: Ctx,
  glAccountId: number,
  statementDate: IsoDate | undefined,
): Promise<UnreconciledEntries> {
  const account = await ctx.tx.row(accountOnSql(glAccountId));
  if (account === undefined) throw notFound('Bank account');
  const [entries, last] = await Promise.all([
    readEntries(ctx, account.glAccountId, { reconciled: { notThrough: null }, to: statementDate, showReversed: false }),
    ctx.tx.row(lastReconciliationSql(account.id)),
  ]);
  return {
    ...sides(entries),
    mostRecentReconDate: last?.date ?? null,
    bankAccountID: account.id,
    lastBalance: last?.balance ?? ZERO,
  };
}

/** Returns a bank account's reconciliations, newest first. Throws 404 if the account does not exist. */
export async function listReconciliations(ctx: Ctx, bankAccountId: number) {
  const [account, rows] = await Promise.all([
    ctx.tx.row(reconciledAccountSql(bankAccountId)),
    ctx.tx.rows(reconciliationsSql({ bankAccountId })),
  ]);
  if (account === undefined) throw notFound('Bank account');
  return rows.map(rowView);
}

/** Returns one reconciliation with its current entries. Throws 404 if the reconciliation does not exist. */
export async function getReconciliation(ctx: Ctx, id: number): Promise<Reconciliation> {
  const row = await ctx.tx.row(reconciliationsSql({ id }));
  if (row === undefined) throw notFound('Reconciliation');
  const entries = await readEntries(ctx, row.glAccountId, { reconciled: { by: id }, showReversed: true });
  return wholeView(row, entries);
}

/**
 * Reconciles the selected entries with a statement: marks them cleared, posts the charge and interest on the statement
 * date, and ends the account's reconciliation in progress. Throws 422 for an invalid field or for totals that differ,
 * and 409 if an entry has been reconciled or reversed since the user selected it.
 */
export async function createReconciliation(ctx: Ctx, input: ReconciliationInput): Promise<Reconciliation> {
  const { end, account, statement, id, links } = await readRequest(ctx, input);
  const selectedIds = idsOf(input);
  const [last, selected] = await Promise.all([
    ctx.tx.row(lastReconciliationSql(account.id)),
    ctx.tx.rows(selectedSql(selectedIds)),
  ]);
  await requireUnreconciled(ctx, selected);
  refuseFields(checkStatement(statement, { lastDate: last?.date ?? null }));
  requireSelectable(account, selectedIds, selected);
  const lastBalance = last?.balance ?? ZERO;
  requireBalance(statement, lastBalance, selected);
  const reason = closingOverride(ctx, input.closingOverrideReason);
  const wanted = chargeTransaction(statement, { accountId: account.glAccountId, name: account.name });
  const [posted] = await post(ctx, [{ source: sourceOf(id), postings: difference([], [wanted]), reason }], end);
  const own = (posted?.transactions ?? []).flatMap(({ lines }) =>
    lines.flatMap((line) => (line.accountId === account.glAccountId ? [line.id] : [])),
  );
  const marked = [...selected.map((line) => line.id), ...own].map((lineId) => ({ lineId, reconciliationId: id }));
  const row = { id, bankAccountId: account.id, lastBalance, ...columnsOf(statement), savedBy: ctx.userId };
  ctx.tx.atEnd(
    reconciliations.insert(row),
    ...(marked.length === 0 ? [] : [markedLines.insertMany(marked)]),
    ...links.write(id),
    unlinkAll({ kind: 'reconciliationprogress', id: account.id }),
    progresses.delete({ bankAccountId: account.id }),
  );
  return record(ctx, subject, { after: await getReconciliation(ctx, id), reason });
}

/**
 * Deletes an account's newest reconciliation: marks its entries as not reconciled and reverses the charge and interest.
 * Its amounts, selection, and files become the account's reconciliation in progress. If the account already has a
 * reconciliation in progress, only the files are added to it. Throws 404, or 409 if the reconciliation is not the
 * newest.
 */
export async function deleteReconciliation(
  ctx: Ctx,
  id: number,
  overrideReason: string | undefined,
): Promise<{ ok: true }> {
  const [end, account] = await Promise.all([openJournal(ctx.tx), ctx.tx.row(lockAccountOfSql(id))]);
  if (account === undefined) throw notFound('Reconciliation');
  const [before, live] = await Promise.all([getReconciliation(ctx, id), ctx.tx.rows(liveLinesOf([sourceOf(id)]))]);
  if (!before.isDeletable) throw conflict('Reconciliations must be deleted sequentially.');
  const reason = closingOverride(ctx, overrideReason);
  // Runs before the reversal is posted, because the database rejects reversing a marked line.
  ctx.tx.atEnd(markedLines.delete({ reconciliationId: id }));
  await post(
    ctx,
    [{ source: sourceOf(id), postings: difference(liveLinesBySource(live)(sourceOf(id)), []), reason }],
    end,
  );
  const progress = { kind: 'reconciliationprogress', id: account.id } as const;
  ctx.tx.atEnd(
    beginAgain(ctx, before),
    copyLinks({ kind: 'reconciliation', id }, progress),
    unlinkAll({ kind: 'reconciliation', id }),
    reconciliations.delete({ id }),
  );
  record(ctx, subject, { before, reason });
  return { ok: true };
}

/** Makes a deleted reconciliation the reconciliation in progress, unless the account already has one. */
function beginAgain(ctx: Ctx, gone: Reconciliation): Runnable<unknown> {
  const row = progresses.insert({
    bankAccountId: gone.bankAccountID,
    statementDate: gone.reconciliationDate,
    statementBalance: gone.statementBalance,
    bankCharge: gone.bankCharge,
    bankChargeAccountID: gone.bankChargeAccountID,
    interest: gone.interest,
    interestAccountID: gone.interestAccountID,
    lineIds: [...gone.incomingEntries, ...gone.outgoingEntries].map(({ glid }) => glid),
    savedBy: ctx.userId,
  });
  return sql`${row} on conflict (company_id, bank_account_id) do nothing`;
}

/** Locks the ledger head and then the account, and reads everything that a request needs except its entries. */
async function readRequest(ctx: Ctx, input: ReconciliationInput) {
  const statement = statementOf(input);
  const [end, account, accounts, { id }, links] = await Promise.all([
    openJournal(ctx.tx),
    ctx.tx.row(reconciledAccountSql(input.bankAccountID ?? 0, true)),
    ctx.tx.rows(accountsByIdSql([statement.bankChargeAccountID ?? 0, statement.interestAccountID ?? 0])),
    ctx.tx.one(nextReconciliationSql()),
    planLinks(ctx, { kind: 'reconciliation', id: 0 }, input.documentLinks),
  ]);
  const fields: FieldMessages = {};
  if (account?.active !== true) {
    fields['bankAccountID'] = account === undefined ? 'Please Select a Bank Account' : inactive('bank account');
  }
  const isOther = idOrNull(input.accountID) !== null && input.accountID !== account?.glAccountId;
  if (isOther) fields['accountID'] = "This GL account doesn't belong to the bank account";
  for (const field of ['bankChargeAccountID', 'interestAccountID'] as const) {
    noteFault(fields, field, accountFault(accounts, { id: idOrNull(statement[field]) }, PAYABLE));
  }
  refuseFields(fields);
  if (account === undefined) throw notFound('Bank account');
  return { end, account, statement, id, links };
}

function statementOf(input: ReconciliationInput): Statement {
  return {
    statementDate: input.statementDate,
    statementBalance: input.statementBalance,
    bankCharge: input.bankCharge ?? ZERO,
    bankChargeAccountID: input.bankChargeAccountID,
    interest: input.interest ?? ZERO,
    interestAccountID: input.interestAccountID,
  };
}

/** Returns the columns to store. The account for a charge or interest is stored only if its amount is not zero. */
function columnsOf(statement: Statement) {
  const { bankCharge, interest, bankChargeAccountID, interestAccountID } = statement;
  return {
    ...statement,
    bankChargeAccountID: bankCharge > 0 ? idOrNull(bankChargeAccountID) : null,
    interestAccountID: interest > 0 ? idOrNull(interestAccountID) : null,
  };
}

/** Returns the IDs of the selected entries without duplicates. */
function idsOf({ incomingEntries, outgoingEntries }: ReconciliationInput): number[] {
  const given = [...(incomingEntries ?? []), ...(outgoingEntries ?? [])];
  return [...new Set(given.map((entry) => (typeof entry === 'number' ? entry : entry.glid)))];
}

function requireSelectable(
  { glAccountId, name }: ReconciledAccount,
  ids: readonly number[],
  selected: readonly SelectedRow[],
): void {
  const fits = selected.filter(({ accountId, basis }) => accountId === glAccountId && basis === 'B');
  if (fits.length < ids.length) {
    const message = `A selected entry doesn't belong to ${name}`;
    throw refuse(message, { incomingEntries: message });
  }
  if (selected.some(({ isHidden }) => isHidden)) {
    throw conflict('Someone else changed a selected entry. Review the entries again.');
  }
}

/** If a selected entry is already reconciled, throws 409 with the name of the user who reconciled it. */
async function requireUnreconciled({ tx }: Ctx, selected: readonly SelectedRow[]): Promise<void> {
  const marked = selected.find(({ isMarked }) => isMarked);
  if (marked === undefined) return;
  const [mark] = await tx.rows(markedLines.find({ lineId: marked.id }));
  const other = await tx.row(reconciliationsSql({ id: mark?.reconciliationId ?? 0 }));
  const who = other === undefined ? 'Someone else' : other.savedBy || 'A former user';
  const what = other === undefined ? '' : ` with ${statementOfMark(other)}`;
  throw conflict(`${who} already reconciled a selected entry${what}. Review the entries again.`);
}

function requireBalance(statement: Statement, last: Cents, selected: readonly SelectedRow[]): void {
  const figures = { ...statement, last, selected: selected.map(({ amount }) => amount) };
  const message = outOfBalance(figures, statement.statementBalance);
  if (message !== undefined) throw refuse(message, { statementBalance: message });
}

type EntriesAsk = Pick<LinesAsk, 'reconciled' | 'to' | 'showReversed'>;

/** Returns the entries in a GL account, like the register but without a running balance. */
export async function readEntries(ctx: Ctx, accountId: number, ask: EntriesAsk): Promise<GlEntry[]> {
  const [rows, [account], settings] = await Promise.all([
    ctx.tx.rows(registerSql({ accountId, basis: 'accrual', desc: false, ...ask }, undefined)),
    ctx.tx.rows(accountsByIdSql([accountId])),
    ctx.tx.rows(settingsSql()),
  ]);
  const { useAccountNumbers } = toCompanySettings(settings);
  const label = account === undefined ? '' : accountLabel(account, useAccountNumbers);
  return rows.map((row) => glEntry(row, label));
}

/** Splits entries into money in and money out. */
function sides(entries: readonly GlEntry[]) {
  return {
    incomingEntries: entries.filter(({ debitAmount }) => debitAmount !== null),
    outgoingEntries: entries.filter(({ debitAmount }) => debitAmount === null),
  };
}

function rowView(row: ReconciliationRow) {
  const { bankCharge, interest } = row;
  return {
    reconciliationID: row.id,
    number: row.number,
    bankAccountID: row.bankAccountId,
    reconciliationDate: row.statementDate,
    statementBalance: row.statementBalance,
    bankCharge,
    interest,
    isDeletable: row.isNewest,
    entryCount: row.lineCount - [bankCharge, interest].filter((amount) => amount > 0).length,
    savedBy: row.savedBy,
    savedAt: row.savedAt.toISOString(),
  };
}

/** Returns a reconciliation with its cleared lines. Charge and interest are separate from the other lines. */
export function wholeView(row: ReconciliationRow, entries: readonly GlEntry[]): Reconciliation {
  const isOwn = ({ sourceType, sourceId }: GlEntry): boolean => sourceType === 'reconciliation' && sourceId === row.id;
  return {
    ...rowView(row),
    ...sides(entries.filter((entry) => !isOwn(entry))),
    accountID: row.glAccountId,
    mostRecentReconDate: row.lastDate,
    lastBalance: row.lastBalance,
    bankChargeAccountID: row.bankChargeAccountID,
    interestAccountID: row.interestAccountID,
    documentLinks: row.documentLinks,
  };
}
