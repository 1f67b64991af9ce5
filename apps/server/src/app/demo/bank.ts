import { createHash } from 'node:crypto';
import { CHECKING, CREDIT_CARD, SAVINGS } from '@evenkeel/core/books/accounts';
import { contentTypeOf } from '@evenkeel/core/documents/attachments';
import type { IsoDate } from '@evenkeel/core/dates';
import { present } from '@evenkeel/core/failure';
import { payeeOf } from '@evenkeel/core/banking/matching/words';
import { type Cents, decimal, sum, ZERO } from '@evenkeel/core/money';
import { lineKey } from '@evenkeel/statements/lineKey';
import { writeOfx } from '@evenkeel/statements/writeOfx';
import { attachments, contents, links, parts } from '../../books/attachments/attachments.sql.ts';
import { createBankingAccount, updateBankingAccount } from '../../features/banking/accounts.ts';
import { openDocuments } from '../../features/banking/evidence.sql.ts';
import { bankActs, bankLines, bankMatches, freeEntries } from '../../features/banking/lines.sql.ts';
import { reconciliations } from '../../features/banking/reconciliation.sql.ts';
import { saveBankRule } from '../../features/banking/rules.ts';
import { bankStatements } from '../../features/banking/statements.sql.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { markedLines } from '../../books/ledger/marks.sql.ts';
import {
  isMatched,
  type OwnLine,
  provedThrough,
  tellStatements,
  type ToldLine,
  type ToldStatement,
  unknownLines,
} from './bank-story.ts';
import { CAR_AND_TRUCK } from './costs.ts';
import { nextIds, type NumberedTable } from './demo.sql.ts';

/** A bank account, with the number that its files contain. */
interface Bank {
  id: number;
  glAccountId: number;
  name: string;
  accountNumber: string;
}

const NUMBERS = { checking: '004417220931', savings: '004417228830', card: '5512009044176620' };

/**
 * Writes the story's bank data: two years of statements for two accounts and a card, with matched bank transactions.
 * All months except the last are reconciled. Bank transactions from the last few days are for review.
 */
export async function writeBanks(ctx: Ctx, checkingId: number, first: IsoDate): Promise<void> {
  const banks = await writeAccounts(ctx, checkingId);
  const { today } = ctx;
  const open = (await ctx.tx.rows(openDocuments({ hasIn: true, hasOut: false }))).at(-4);
  const others = unknownLines(today, open && { amount: open.open, number: open.number, name: open.entityName });
  const own: Readonly<Record<number, readonly OwnLine[]>> = { [CHECKING]: others.checking, [CREDIT_CARD]: others.card };
  const told: Told[] = [];
  for (const [at, bank] of banks.entries()) {
    const entries = await ctx.tx.rows(freeEntries({ accountId: bank.glAccountId, from: first, to: today }));
    const given = { seed: SEED + at, entries, others: own[bank.glAccountId] ?? [] };
    told.push(...tellStatements(given, today).map((statement) => ({ bank, statement })));
  }
  await writeStatements(ctx, told);
  const lines = [{ accountID: CAR_AND_TRUCK, percent: decimal(100) }];
  await saveBankRule(ctx, { name: 'Car wash', text: 'CAR WASH', direction: 'out', lines });
}

const SEED = 52_981;

/** A statement for an account. */
interface Told {
  bank: Bank;
  statement: ToldStatement;
}

async function writeAccounts(ctx: Ctx, checkingId: number): Promise<Bank[]> {
  const add = async (name: string, glAccountID: number, accountNumber: string): Promise<Bank> => {
    const { bankingAccountID: id } = await createBankingAccount(ctx, { name, glAccountID, accountNumber });
    return { id, glAccountId: glAccountID, name, accountNumber };
  };
  const { checking: accountNumber, savings, card } = NUMBERS;
  const { name } = await updateBankingAccount(ctx, checkingId, { accountNumber });
  const main = { id: checkingId, glAccountId: CHECKING, name, accountNumber };
  return [main, await add('Savings', SAVINGS, savings), await add('Credit Card', CREDIT_CARD, card)];
}

/** A bank transaction, its position, and the action that matched it. */
interface Placed {
  line: ToldLine;
  bankAccountId: number;
  statementId: number;
  lineNo: number;
  actId: number | null;
}

async function writeStatements(ctx: Ctx, all: readonly Told[]): Promise<void> {
  const { tx, userId: importedBy } = ctx;
  const [files, ids] = await Promise.all([writeFiles(ctx, all), idsOf(ctx, 'bank_statement', all.length)]);
  const rows = all.map((told, at) => {
    const { from, to, closing, lines } = told.statement;
    const facts = { from, to, opening: null, closing, count: lines.length, sum: sumOf(lines), knownCount: 0 };
    const file = { documentId: idAt(files, at), fileName: nameOf(told), format: 'OFX' };
    return { id: idAt(ids, at), bankAccountId: told.bank.id, ...file, ...facts, importedBy };
  });
  const kind = 'bankstatement' as const;
  const hung = rows.map(({ id, documentId, fileName: name }) => ({
    attachmentId: documentId,
    kind,
    ownerId: id,
    name,
  }));
  await tx.inOrder([bankStatements.insertMany(rows), links.insertMany(hung)]);
  const placed = await placedLines(ctx, all, ids);
  await writeLines(ctx, placed);
  await writeReconciliations(ctx, all, placed);
}

const nameOf = ({ bank, statement }: Told): string => `${bank.name} ${statement.to}.ofx`;

/** Returns IDs for this many new rows. */
async function idsOf({ tx }: Ctx, table: NumberedTable, count: number): Promise<number[]> {
  return (await tx.rows(nextIds(table, count))).map(({ id }) => id);
}

const sumOf = (lines: readonly { amount: Cents }[]): Cents => sum(lines.map(({ amount }) => amount));
const idAt = (ids: readonly number[], at: number): number => present(ids[at], 'id');

/** Saves the statement files as the banks would send them. Returns the IDs of the files. */
async function writeFiles(ctx: Ctx, all: readonly Told[]): Promise<number[]> {
  const files = all.map((told) => {
    const bytes = Buffer.from(writeOfx({ accountNumber: told.bank.accountNumber, ...told.statement }));
    return { bytes, sha256: createHash('sha256').update(bytes).digest(), name: nameOf(told) };
  });
  const ids = await idsOf(ctx, 'attachment', files.length);
  const { tx, today: uploadDate, userId: uploadedBy } = ctx;
  const heads = files.map(({ sha256, bytes }) => ({ sha256, size: bytes.length, contentType: contentTypeOf(bytes) }));
  // Each file is small enough to be stored in a single part.
  const whole = files.map(({ sha256, bytes }) => ({ sha256, partNo: 0, bytes, digest: sha256 }));
  const rows = files.map(({ sha256, name }, at) => ({ id: idAt(ids, at), sha256, name, uploadedBy, uploadDate }));
  await tx.inOrder([contents.insertMany(heads), parts.insertMany(whole), attachments.insertMany(rows)]);
  return ids;
}

async function placedLines(ctx: Ctx, all: readonly Told[], statementIds: readonly number[]): Promise<Placed[]> {
  const lines = all.flatMap(({ bank, statement }, at) =>
    statement.lines.map((line, index) => {
      return { line, bankAccountId: bank.id, statementId: idAt(statementIds, at), lineNo: index + 1 };
    }),
  );
  const actIds = await idsOf(ctx, 'bank_act', lines.length);
  return lines.map((each, at) => ({ ...each, actId: isMatched(each.line, ctx.today) ? idAt(actIds, at) : null }));
}

/** Writes all bank transactions. Each matched transaction has its own action. */
async function writeLines({ tx, userId: madeBy }: Ctx, placed: readonly Placed[]): Promise<void> {
  const matched = placed.flatMap(({ line: { glid, days }, actId }) =>
    glid === null || actId === null ? [] : [{ glid, actId, reason: reasonOf(days) }],
  );
  const nothing = { sourceType: null, sourceId: null, ruleId: null };
  const acts = matched.map(({ actId: id, reason }) => {
    return { id, kind: 'match' as const, reason, isAutomatic: false, madeBy, ...nothing };
  });
  const lines = placed.map(({ line, actId, ...place }) => {
    const { date, amount, text, bankId, checkNumber } = line;
    const state = actId === null ? ('review' as const) : ('matched' as const);
    const said = { date, amount, text, bankId, checkNumber, key: lineKey(line), payee: payeeOf(text) };
    return { ...place, ...said, isDoubtful: false, state, actId };
  });
  const matches = matched.map(({ glid: lineId, actId }) => ({ lineId, actId }));
  await tx.inOrder([bankActs.insertMany(acts), bankLines.insertMany(lines), bankMatches.insertMany(matches)]);
}

const reasonOf = (days: number): string =>
  `same amount, ${days === 0 ? 'same day' : days === 1 ? '1 day apart' : `${days} days apart`}`;

/**
 * Reconciles all of each account's statements except the last one, with the entries that match its bank transactions.
 */
async function writeReconciliations(ctx: Ctx, all: readonly Told[], placed: readonly Placed[]): Promise<void> {
  const { tx, today, userId: savedBy } = ctx;
  const proved = all.filter(({ statement }) => statement.to <= provedThrough(today));
  const ids = await idsOf(ctx, 'reconciliation', proved.length);
  const charges = { bankCharge: ZERO, bankChargeAccountID: null, interest: ZERO, interestAccountID: null };
  const rows = proved.map(({ bank, statement: { to, opening, closing } }, at) => {
    const balances = { statementDate: to, lastBalance: opening, statementBalance: closing };
    return { id: idAt(ids, at), bankAccountId: bank.id, ...balances, ...charges, savedBy };
  });
  const ofLine = new Map(proved.flatMap(({ statement }, at) => statement.lines.map((line) => [line, idAt(ids, at)])));
  const marks = placed.flatMap(({ line }) => {
    const reconciliationId = ofLine.get(line);
    return line.glid === null || reconciliationId === undefined ? [] : [{ lineId: line.glid, reconciliationId }];
  });
  await tx.inOrder([reconciliations.insertMany(rows), markedLines.insertMany(marks)]);
}
