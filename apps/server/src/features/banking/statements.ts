import { BankStatement } from '@evenkeel/contract/statements';
import { notFound, refuse } from '@evenkeel/core/failure';
import { payeeOf } from '@evenkeel/core/banking/matching/words';
import { sum } from '@evenkeel/core/money';
import { checkBalance } from '@evenkeel/statements/balance';
import type { JudgedLine } from '@evenkeel/statements/lineKey';
import { sql } from 'kysely';
import { planLinks, unlinkAll } from '../../books/attachments/links.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { bankingAccounts } from './accounts.sql.ts';
import { filePlace, judged, type ReadFor, type StatementAsk, withoutBlanks } from './import.ts';
import { bankLines, entriesOfActs } from './lines.sql.ts';
import { bookByRules } from './rule-postings.ts';
import {
  bankMappings,
  bankStatements,
  fileAccounts,
  forgetRefusals,
  linesOfStatement,
  reviewAccountsSql,
  statementsSql,
} from './statements.sql.ts';
import { changed } from './acts.ts';
import { lockActs, requireUnmarked, undoBankAction } from './undo.ts';

const subject: Subject<typeof BankStatement> = { name: 'bankstatement', schema: BankStatement, idOf: ({ id }) => id };

/** The number of lines per insert statement. */
const TOGETHER = 2000;

/** Returns the statements for one bank account, or for all, newest first. */
export async function listStatements(ctx: Ctx, bankAccountId: number | undefined): Promise<BankStatement[]> {
  return (await ctx.tx.rows(statementsSql({ bankAccountId }))).map(view);
}

const view = ({ importedAt, ...row }: Omit<BankStatement, 'importedAt'> & { importedAt: Date }): BankStatement => {
  return { ...row, importedAt: importedAt.toISOString() };
};

async function statementView(ctx: Ctx, id: number): Promise<BankStatement> {
  const row = await ctx.tx.row(statementsSql({ id }));
  if (row === undefined) throw notFound('Statement');
  return view(row);
}

/**
 * Returns each active bank account with the bank's balance, the book balance, and the number of bank transactions for
 * review.
 */
export function reviewAccounts(ctx: Ctx) {
  return ctx.tx.rows(reviewAccountsSql(ctx.today));
}

/**
 * Imports a statement that has been read: either all of its new lines or none. Imports into one account run one at a
 * time, so a file that is sent twice at the same time is added once. Throws 404, or 422 if questions about the file are
 * unanswered or its balances don't add up.
 */
export async function saveStatement(ctx: Ctx, ask: StatementAsk, read: ReadFor): Promise<BankStatement> {
  requireSettled(read, ask);
  const { tx } = ctx;
  const { account, document, statement } = read;
  const { bankingAccountID: bankAccountId } = account;
  const [links, [present]] = await Promise.all([
    planLinks(ctx, { kind: 'bankstatement', id: 0 }, [{ documentId: document.id }]),
    // After this lock is acquired, the request sees the lines from the previous import.
    tx.rows(bankingAccounts.find({ id: bankAccountId }, { lock: 'for no key update' })),
  ]);
  if (present === undefined) throw notFound('Bank account');
  const all = await judged(ctx, read);
  const added = all.filter(({ state }) => state !== 'known');
  const { format, from = null, to = null, opening = null, closing = null } = statement;
  const head = {
    bankAccountId,
    documentId: document.id,
    fileName: document.name,
    format,
    from,
    to,
    opening,
    closing,
    count: added.length,
    sum: sum(added.map(({ line }) => line.amount)),
    knownCount: all.length - added.length,
    importedBy: ctx.userId,
  };
  const { id } = await tx.one(bankStatements.insert(head, ['id']));
  tx.atEnd(...links.write(id));
  const lineIds = await insertLines(ctx, { id, bankAccountId }, added);
  remember(ctx, read, ask);
  // A doubtful line may be in the books already, so a user decides about it.
  const certain = lineIds.filter((_, at) => added[at]?.state !== 'doubtful');
  await bookByRules(ctx, bankAccountId, new Set(certain));
  const after = await statementView(ctx, id);
  return record(ctx, subject, { after });
}

function requireSettled({ file, statement, asksAccountNumber }: ReadFor, ask: StatementAsk): void {
  if (file.questions.length > 0) {
    const message = 'This file is ambiguous. Answer the questions in the preview first.';
    throw refuse(
      message,
      Object.fromEntries(file.questions.map(({ name, choices }) => [`mapping.${name}`, wayOf(choices)])),
    );
  }
  checkBalance(statement);
  if (asksAccountNumber && ask.accountNumberConfirmed !== true) {
    const message = 'Confirm that this file belongs to this bank account';
    throw refuse(message, { accountNumberConfirmed: message });
  }
}

/** Returns one sentence that lists the choices for a question about a file. */
const wayOf = (choices: readonly { value: string; label: string }[]): string =>
  `Choose one: ${choices.map(({ value, label }) => `${value} (${label})`).join(', ')}`;

async function insertLines(
  { tx }: Ctx,
  { id: statementId, bankAccountId }: { id: number; bankAccountId: number },
  added: readonly JudgedLine[],
): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < added.length; at += TOGETHER) {
    const rows = added.slice(at, at + TOGETHER).map(({ line, key, state }, index) => ({
      bankAccountId,
      statementId,
      lineNo: at + index + 1,
      date: line.date,
      amount: line.amount,
      text: line.text,
      bankId: line.bankId ?? '',
      checkNumber: line.checkNumber ?? '',
      key,
      payee: payeeOf(line.text),
      isDoubtful: state === 'doubtful',
    }));
    const made = await tx.rows(bankLines.insertMany(rows, ['id']));
    ids.push(...made.map((row) => row.id));
  }
  return ids;
}

/** Saves the mapping for a table's layout, and an account number that the user confirmed. */
function remember(ctx: Ctx, { account, file, statement }: ReadFor, ask: StatementAsk): void {
  const { bankingAccountID: bankAccountId } = account;
  const { headerKey } = file;
  if (ask.mapping && headerKey !== undefined) {
    const mapping = withoutBlanks(ask.mapping);
    ctx.tx.atEnd(sql`
      ${bankMappings.insert({ bankAccountId, headerKey, mapping })}
      on conflict (company_id, bank_account_id, header_digest) do update set mapping = excluded.mapping`);
  }
  const { accountNumber } = statement;
  if (ask.accountNumberConfirmed === true && accountNumber !== undefined) {
    const sealedNumber = ctx.services.box.seal(filePlace(ctx.companyId, bankAccountId), accountNumber);
    ctx.tx.atEnd(fileAccounts.insert({ bankAccountId, sealedNumber }));
  }
}

const DOES: Record<string, string> = {
  match: 'Match removed (entries are kept)',
  add: 'Journal entry reversed',
  pay: 'Payment deleted',
  deposit: 'Deposit deleted',
  transfer: 'Transfer deleted',
  exclude: 'No longer excluded',
};

/** Returns a statement and the effects of undoing its import. Throws 404 if the statement does not exist. */
export async function statementContents(ctx: Ctx, id: number) {
  const [statement, lines] = await Promise.all([statementView(ctx, id), ctx.tx.rows(linesOfStatement(id))]);
  const counts: Record<string, number> = {};
  for (const { state } of lines) counts[state] = (counts[state] ?? 0) + 1;
  return {
    statement,
    counts,
    undone: lines.flatMap(({ id: lineId, date, amount, text, kind }) =>
      kind === null ? [] : [{ lineId, date, amount, text, does: DOES[kind] ?? '' }],
    ),
    obstacle: lines.some(({ isReconciled }) => isReconciled) ? RECONCILED : null,
  };
}

const LOCKED = { lock: 'for no key update', orderBy: sql`id` } as const;

const RECONCILED = 'This statement has reconciled transactions. Delete the reconciliation first.';

/**
 * Undoes a statement import: undoes the actions on its bank transactions and then deletes the bank transactions. If
 * they were matched together with bank transactions from other statements, the others return to review. Throws 404, or
 * 409 if any entry matched to them is reconciled.
 */
export async function removeStatement(ctx: Ctx, id: number, reason: string | undefined): Promise<{ ok: true }> {
  const { tx } = ctx;
  const before = await statementView(ctx, id);
  await tx.rows(bankingAccounts.find({ id: before.bankAccountId }, { lock: 'for no key update' }));
  // Lock the bank transactions before the ledger head, as every action does.
  await tx.rows(bankLines.find({ statementId: id, state: 'review' }, LOCKED));
  const lines = await tx.rows(linesOfStatement(id));
  const acts = [...new Set(lines.flatMap(({ actId }) => actId ?? []))];
  await requireUnmarked(
    tx,
    (await tx.rows(entriesOfActs(acts))).map(({ glid }) => glid),
  );
  await lockActs(
    tx,
    lines.flatMap(({ kind, sourceId }) => (kind === null ? [] : [{ kind, sourceId }])),
  );
  for (const actId of acts) await undoBankAction(ctx, actId, reason);
  const left = await tx.rows(bankLines.find({ statementId: id }, LOCKED));
  if (left.some(({ state }) => state !== 'review')) throw changed();
  const write = [
    forgetRefusals(id),
    bankLines.delete({ statementId: id }),
    unlinkAll({ kind: 'bankstatement', id }),
    bankStatements.delete({ id }),
  ];
  record(ctx, subject, { before, write, reason });
  return { ok: true };
}
