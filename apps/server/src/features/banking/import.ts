import type { StatementPreview, StatementMapping } from '@evenkeel/contract/statements';
import { rangeOfDates } from '@evenkeel/core/dates';
import { isAccountOfFile, lastFour } from '@evenkeel/core/documents/statement-account';
import { notFound, refuse } from '@evenkeel/core/failure';
import { type Cents, formatUsd, negate, sum, ZERO } from '@evenkeel/core/money';
import type { Steps } from '@evenkeel/core/steps';
import { balanceDifference } from '@evenkeel/statements/balance';
import { type JudgedLine, newLines } from '@evenkeel/statements/lineKey';
import { MOST_BYTES, type ReadFile, type ReadStatement } from '@evenkeel/statements/read';
import { fileSql, type FoundFile } from '../../books/attachments/attachments.sql.ts';
import { wholeOf } from '../../books/attachments/bytes.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Preparing } from '../../platform/http/route.ts';
import { inTurns } from '../../platform/http/turns.ts';
import type { Place } from '../../platform/db/box.ts';
import { type BankingAccountRow, bankingAccountsSql } from './accounts.sql.ts';
import { numberOf } from './numbers.ts';
import { reader } from './reader.ts';
import { bankMappings, booksBalance, fileAccounts, knownKeys } from './statements.sql.ts';

/** Reads an uploaded statement for one bank account. Nothing in this file writes to the database. */

export interface StatementAsk {
  documentId: number;
  bankAccountId: number;
  mapping?: StatementMapping | null | undefined;
  accountNumberConfirmed?: boolean | null | undefined;
}

/** A statement as read for its account. */
export interface ReadFor {
  account: BankingAccountRow;
  document: FoundFile;
  file: ReadFile;
  statement: ReadStatement;
  /** Whether a user still has to confirm that the file's account number belongs to this account. */
  asksAccountNumber: boolean;
}

/** The location of an account number from a file. The number is encrypted for its bank account. */
export const filePlace = (companyId: number, bankAccountId: number): Place => {
  return { companyId, table: 'bank_file_account', column: 'number_box', rowId: bankAccountId };
};

/**
 * Reads the file before the transaction that uses it, so that no connection is held while the request waits for the
 * reader. Throws 404, 422 with the reader's message and the line in the file, or 503 if too many files are waiting.
 */
export async function readFor(preparing: Preparing, ask: StatementAsk): Promise<ReadFor> {
  const { account, document, numbers, remembered } = await preparing.read((ctx) => requireReadable(ctx, ask));
  const isCard = account.isOnCard || account.isCalledCard;
  const options = {
    accountKind: isCard ? ('card' as const) : ('bank' as const),
    ...(ask.mapping && { mapping: withoutBlanks(ask.mapping) }),
  };
  const file = await readFile(preparing, document, { options, remembered });
  return { account, document, file, ...statementOf(file, numbers) };
}

type Reading = Omit<Parameters<typeof reader.read>[0], 'bytes'>;

function readFile(preparing: Preparing, document: FoundFile, reading: Reading): Promise<ReadFile> {
  return preparing.services.pool.gates.long.pass(preparing, async () => {
    const bytes = await wholeOf((work) => preparing.read(({ tx }) => work(tx)), document);
    return reader.read({ bytes, ...reading });
  });
}

/**
 * Returns the only bank account whose number is in the file, or null. Throws 404, 422, or 503 like `readFor`.
 */
export async function recognizedAccount(preparing: Preparing, documentId: number): Promise<number | null> {
  const { document, accounts } = await preparing.read(async (ctx) => {
    const { tx } = ctx;
    const [found, banks, known] = await Promise.all([
      tx.row(fileSql(documentId)),
      tx.rows(bankingAccountsSql(ctx.today)),
      tx.rows(fileAccounts.find({})),
    ]);
    const accountsWith = banks.map((account) => {
      const ofFiles = known.filter(({ bankAccountId }) => bankAccountId === account.bankingAccountID);
      return { id: account.bankingAccountID, numbers: numbersOf(ctx, account, ofFiles) };
    });
    return { document: requireFile(ctx, found), accounts: accountsWith };
  });
  const { statements } = await readFile(preparing, document, { options: {}, remembered: [] });
  const inFile = statements.flatMap(({ accountNumber }) => accountNumber ?? []);
  const [only, ...others] = accounts.filter(({ numbers }) =>
    numbers.some((number) => inFile.some((ofFile) => isAccountOfFile(number, ofFile))),
  );
  return only === undefined || others.length > 0 ? null : only.id;
}

/** Returns the requested account and file, and the account's settings for such files. */
async function requireReadable(ctx: Ctx, ask: StatementAsk) {
  const { tx } = ctx;
  const [account, document, remembered, known] = await Promise.all([
    tx.row(bankingAccountsSql(ctx.today, { id: ask.bankAccountId })),
    tx.row(fileSql(ask.documentId)),
    tx.rows(bankMappings.find({ bankAccountId: ask.bankAccountId })),
    tx.rows(fileAccounts.find({ bankAccountId: ask.bankAccountId })),
  ]);
  if (account === undefined) throw notFound('Bank account');
  return {
    account,
    document: requireFile(ctx, document),
    numbers: numbersOf(ctx, account, known),
    remembered: remembered.map(({ headerKey, mapping }) => [headerKey, mapping] as const),
  };
}

function requireFile(ctx: Ctx, document: FoundFile | undefined): FoundFile {
  if (document === undefined || !mayImport(ctx, document)) throw notFound('Attachment');
  if (document.size > MOST_BYTES) throw refuse('A statement file can be at most 25 MB');
  return document;
}

/** Returns the account's own number and the numbers from files that users have confirmed for the account. */
function numbersOf(ctx: Ctx, account: BankingAccountRow, ofFiles: readonly { sealedNumber: Buffer }[]): string[] {
  const numbers = [numberOf(ctx, account), ...ofFiles.map(({ sealedNumber }) => opened(ctx, account, sealedNumber))];
  return numbers.flatMap((number) => number || []);
}

/**
 * Only the uploader can use an uploaded file until a record refers to it. Afterward, users who can view banking can use
 * it.
 */
function mayImport({ userId }: Ctx, { kinds, uploadedBy }: FoundFile): boolean {
  return kinds.length === 0 ? uploadedBy === userId : kinds.includes('bankstatement');
}

function opened({ services, companyId }: Ctx, { bankingAccountID }: BankingAccountRow, sealed: Buffer) {
  return services.box.open(filePlace(companyId, bankingAccountID), sealed);
}

/** Returns a mapping in the reader's format. */
export function withoutBlanks(mapping: StatementMapping): NonNullable<ReadFile['mapping']> {
  return Object.fromEntries(Object.entries(mapping).filter(([, value]) => value !== undefined));
}

/** Returns the account's statement in the file: the statement with the account's number, or the only statement. */
function statementOf(
  { statements }: ReadFile,
  numbers: readonly string[],
): Pick<ReadFor, 'statement' | 'asksAccountNumber'> {
  const isOurs = ({ accountNumber }: ReadStatement) =>
    accountNumber !== undefined && numbers.some((number) => isAccountOfFile(number, accountNumber));
  const own = statements.find(isOurs);
  if (own !== undefined) return { statement: withPeriod(own), asksAccountNumber: false };
  const [first, second] = statements;
  if (first === undefined) throw refuse("The file doesn't contain a statement");
  if (second !== undefined) {
    const named = statements.map(({ accountNumber = '' }) => lastFour(accountNumber)).join(', ');
    throw refuse(`The file contains several accounts (${named}), but none of them has this account's number`);
  }
  return { statement: withPeriod(first), asksAccountNumber: first.accountNumber !== undefined };
}

/** A table has no statement period, so its lines' first and last dates are used. */
function withPeriod(statement: ReadStatement): ReadStatement {
  const range = rangeOfDates(statement.lines.map(({ date }) => date));
  return range === undefined ? statement : { ...range, ...statement };
}

/** Determines for each line whether the account already has it. */
export async function judged(ctx: Ctx, { account, statement }: ReadFor): Promise<JudgedLine[]> {
  const { lines } = statement;
  const range = rangeOfDates(lines.map(({ date }) => date));
  if (range === undefined) return [];
  const bankIds = lines.flatMap(({ bankId }) => bankId ?? []);
  const known = await ctx.tx.rows(knownKeys(account.bankingAccountID, { ...range, bankIds }));
  return inTurns(newLines(lines, new Map(known.map(({ key, count }) => [key, count]))));
}

/** The maximum number of lines in a preview. */
const MOST_SHOWN = 500;

/** Returns what importing this file would add. */
export async function previewStatement(ctx: Ctx, ask: StatementAsk, read: ReadFor): Promise<StatementPreview> {
  const { account, file, statement, asksAccountNumber } = read;
  const { format, accountNumber, from = null, to = null, opening, closing, lines } = statement;
  const booksDate = to ?? ctx.today;
  const [all, books] = await Promise.all([judged(ctx, read), ctx.tx.row(booksBalance(account.glAccountID, booksDate))]);
  const { counts, copies, sums } = await inTurns(totalsOf(all));
  const { mapping, columns, sample, sampleRows, headerRow, questions, answers = [] } = file;
  return {
    format,
    ...(accountNumber === undefined ? {} : { accountNumber: lastFour(accountNumber) }),
    asksAccountNumber: asksAccountNumber && ask.accountNumberConfirmed !== true,
    from,
    to,
    ...(opening === undefined ? {} : { opening }),
    ...(closing === undefined ? {} : { closing }),
    count: lines.length,
    sum: sum(Object.values(sums)),
    newCount: counts.new,
    knownCount: counts.known,
    doubtfulCount: counts.doubtful,
    newSum: sum([sums.new, sums.doubtful]),
    booksBalance: books?.balance ?? ZERO,
    booksDate,
    lines: all.slice(0, MOST_SHOWN).map(({ line: { date, amount, text, bankId, checkNumber }, state }) => ({
      date,
      amount,
      text,
      ...(bankId === undefined ? {} : { bankId }),
      ...(checkNumber === undefined ? {} : { checkNumber }),
      state,
    })),
    questions,
    answers: answers.map(({ isProved: proved, ...answer }) => ({ ...answer, proved })),
    ...(mapping === undefined ? {} : { mapping }),
    ...(columns === undefined ? {} : { columns }),
    ...(sample === undefined ? {} : { sample }),
    ...(sampleRows === undefined ? {} : { sampleLines: placesOf(sampleRows, all.slice(0, MOST_SHOWN)) }),
    ...(headerRow === undefined ? {} : { headerRow }),
    notes: [...(file.notes ?? []), ...notesOn(statement, { copies, others: counts.doubtful - copies })],
  };
}

/** Counts and adds up the lines in each state, in steps, because a file can have 100,000 lines. */
function* totalsOf(all: readonly JudgedLine[]): Steps<Totals> {
  const counts = { new: 0, known: 0, doubtful: 0 };
  const sums = { new: ZERO, known: ZERO, doubtful: ZERO };
  let copies = 0;
  for (const { line, state, isCopy } of all) {
    counts[state] += 1;
    if (isCopy) copies += 1;
    sums[state] = sum([sums[state], line.amount]);
    yield;
  }
  return { counts, copies, sums };
}

interface Totals {
  counts: Record<JudgedLine['state'], number>;
  /** The number of doubtful lines that the account already has from another file. */
  copies: number;
  sums: Record<JudgedLine['state'], Cents>;
}

/** Returns, for each row of the file in which a line starts, the position of that line. */
function placesOf(rows: readonly number[], lines: readonly JudgedLine[]): (number | null)[] {
  const places = new Map(lines.map(({ line }, at) => [line.row, at]));
  return rows.map((row) => places.get(row) ?? null);
}

/**
 * Returns the notes for the user. `doubtful` counts the doubtful lines that the account already has from another file,
 * and the other ones.
 */
function notesOn(statement: ReadStatement, doubtful: { copies: number; others: number }): string[] {
  const notes: string[] = [];
  const difference = balanceDifference(statement);
  if (difference !== undefined && difference !== 0) {
    const size = formatUsd(difference < 0 ? negate(difference) : difference);
    notes.push(
      `The opening balance plus the transactions differs from the closing balance by ${size}, so ` +
        "the file can't be imported",
    );
  }
  const { copies, others } = doubtful;
  if (copies > 0) {
    const lines = copies === 1 ? '1 line has' : `${copies} lines have`;
    notes.push(
      `${lines} the same date, amount, and description as ` +
        `${copies === 1 ? 'a transaction' : 'transactions'} from another file. ` +
        'All transactions are kept. If a transaction is a duplicate, exclude it in Review.',
    );
  }
  if (others > 0) {
    const lines = others === 1 ? '1 line has' : `${others} lines have`;
    notes.push(
      `${lines} an ID that the bank used before with a different date, amount, or description. ` +
        'All transactions are kept.',
    );
  }
  return notes;
}
