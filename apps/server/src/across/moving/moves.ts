import { Move, type MoveInput, type MoveItem, type MoveParty, type ProofBalance } from '@evenkeel/contract/moving';
import { conflict, notFound, refuse } from '@evenkeel/core/failure';
import { cents, toPlain } from '@evenkeel/core/money';
import { csvText, harmless } from '@evenkeel/core/csv';
import { isAccountType } from '@evenkeel/core/books/accounts';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { CREATE_RECORD } from '@evenkeel/core/moving/lists';
import type { MoveSystem } from '@evenkeel/core/moving/sources';
import { isCompatible } from '@evenkeel/imports/suggest';
import type { BooksSummary } from '@evenkeel/imports/summary';
import { sql } from 'kysely';
import { links } from '../../books/attachments/attachments.sql.ts';
import { keepUpload } from '../../books/attachments/files.ts';
import { unlinkAll } from '../../books/attachments/links.ts';
import { settingsSql } from '../../books/company-settings.ts';
import { isUniqueViolation } from '../../platform/db/errors.ts';
import { COMPANY } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { record } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import type { StoredFile } from '../../platform/http/route.ts';
import type { Upload } from '../../platform/http/upload.ts';
import { listsOf, NO_LISTS, readOwnLists } from './lists.ts';
import { accountsOf, matchFault, type OwnRecords, peopleOf, readOwn } from './mapping.ts';
import {
  filesOfMove,
  type MoveChoices,
  type MoveRow,
  moves,
  movesSql,
  progress,
  rememberSheet,
  sheetDigest,
} from './moving.sql.ts';
import { isRunning, requestWork, type Task } from './runner.ts';
import { moveItem, subject } from './subject.ts';
import { dependentsOf } from './undo.ts';
import { moveView, progressOf } from './view.ts';

/** A company's moves: drafts, files, choices, and the requests for background work. */

/** Lists the moves, newest first. */
export async function listMoves(ctx: Ctx): Promise<MoveItem[]> {
  return (await ctx.tx.rows(movesSql())).map(moveItem);
}

/** Returns one move. Throws 404 if it does not exist. */
export async function getMove(ctx: Ctx, id: number): Promise<Move> {
  return viewOf(ctx, await found(ctx, id));
}

async function found(ctx: Ctx, id: number): Promise<MoveRow> {
  const move = await ctx.tx.row(moves.find({ id }));
  if (move === undefined) throw notFound('Import');
  return move;
}

const NO_RECORDS: OwnRecords = { accounts: [], people: [], knownAccounts: new Map(), knownPeople: new Map() };

async function viewOf(ctx: Ctx, move: MoveRow): Promise<Move> {
  const { tx } = ctx;
  const [files, [step], settings, own, undo, ownLists] = await Promise.all([
    tx.rows(filesOfMove(move.id)),
    tx.rows(progress.find({ moveId: move.id })),
    tx.rows(settingsSql()),
    move.reading === null ? NO_RECORDS : readOwn(tx, move.reading),
    move.status === 'imported' ? undoOf(ctx, move) : null,
    move.reading === null ? NO_LISTS : readOwnLists(tx, move.reading),
  ]);
  return moveView({ move, files, progress: step, settings, own, undo, ownLists });
}

async function undoOf({ tx }: Ctx, { id, report }: MoveRow): Promise<Move['undo']> {
  const counts = report?.counts;
  const dependents = await dependentsOf(tx, id);
  return {
    transactions: counts?.transactions ?? 0,
    records:
      (counts?.accountsCreated ?? 0) + (counts?.customers ?? 0) + (counts?.vendors ?? 0) + (counts?.products ?? 0),
    documents: (counts?.openInvoices ?? 0) + (counts?.unpaidBills ?? 0) + (counts?.credits ?? 0),
    dependents,
  };
}

/** Returns the status and the progress, for polling. */
export async function getMoveProgress(ctx: Ctx, id: number) {
  const [row, [step]] = await Promise.all([
    ctx.tx.row(
      sql<Pick<MoveRow, 'status' | 'rowVersion' | 'error'>>`
        select status, row_version as "rowVersion", error from move_in where company_id = ${COMPANY} and id = ${id}`,
    ),
    ctx.tx.rows(progress.find({ moveId: id })),
  ]);
  if (row === undefined) throw notFound('Import');
  return { ...row, progress: step === undefined ? null : progressOf(step) };
}

/** Starts a move, or returns the unfinished move. If the unfinished move has no files yet, its source is changed. */
export async function createMove(ctx: Ctx, system: MoveSystem): Promise<Move> {
  const { tx, userId, by } = ctx;
  const [open] = await tx.rows(sql<{ id: number }>`
    select id from move_in where company_id = ${COMPANY} and status not in ('imported', 'undoing', 'undone')`);
  if (open !== undefined) {
    const move = await found(ctx, open.id);
    const isSame = move.system === system || move.reading !== null || isRunning(move);
    if (!isSame) await tx.rows(moves.update({ id: move.id }, { system, rowVersion: move.rowVersion + 1 }));
    return getMove(ctx, move.id);
  }
  const row = { system, status: 'draft', choices: {}, createdBy: userId, createdByName: by.person } as const;
  try {
    const { id } = await tx.one(moves.insert(row, ['id']));
    record(ctx, subject, { after: moveItem(await tx.one(movesSql(id))) });
    return await getMove(ctx, id);
  } catch (error) {
    if (isUniqueViolation(error, 'move_in_open'))
      throw conflict('Another user has just started an import. Open that import instead.');
    throw error;
  }
}

/**
 * Locks a move whose files and choices may change. Throws 404 if it does not exist, and 409 if background work is
 * running or the move is finished.
 */
async function locked(ctx: Ctx, id: number): Promise<MoveRow> {
  // Background work locks the row for a long time, so the status is read before the row is locked.
  requireOpen(await found(ctx, id));
  const [move] = await ctx.tx.rows(moves.find({ id }, { lock: 'for no key update' }));
  if (move === undefined) throw notFound('Import');
  requireOpen(move);
  return move;
}

function requireOpen(move: MoveRow): void {
  if (move.status === 'imported' || move.status === 'undone' || move.status === 'undoing') {
    throw conflict("This import is finished, so it can't be changed. Start a new one.");
  }
  if (move.status === 'previewing' || move.status === 'importing') {
    throw conflict('The import is running. Wait until it is finished, or cancel it.');
  }
}

/**
 * Saves choices. Throws 409 'stale' for an outdated version, and 422 with the field for an account that can't be used.
 */
export async function updateMove(ctx: Ctx, id: number, input: MoveInput): Promise<Move> {
  const move = await locked(ctx, id);
  if (input.rowVersion !== move.rowVersion) requireFresh(Move, await viewOf(ctx, move), input.rowVersion);
  const choices = await merged(ctx, move, input);
  const rereads =
    Boolean(input.dateOrders) || Boolean(input.sheets) || (Boolean(input.fyStartMonth) && move.reading !== null);
  await save(ctx, move, { choices, ...(input.system && { system: input.system }) }, rereads);
  return getMove(ctx, id);
}

const NO_QUESTION = 'This question no longer applies to the files';

async function merged({ tx }: Ctx, move: MoveRow, input: MoveInput): Promise<MoveChoices> {
  const { choices, reading } = move;
  const next: MoveChoices = { ...choices };
  if (input.history !== undefined) next.history = input.history;
  if (input.fyStartMonth) next.fyStartMonth = input.fyStartMonth;
  if (input.dateOrders) {
    next.dateOrders = { ...choices.dateOrders, ...Object.fromEntries(input.dateOrders.map((o) => [o.file, o.order])) };
  }
  if (input.sheets) {
    const sheets = input.sheets.map(({ file, ...sheet }) => [file, sheet] as const);
    for (const [file, sheet] of sheets) {
      const headings = reading?.files.find((one) => one.file === file)?.sheet?.headings;
      if (headings !== undefined) tx.atEnd(rememberSheet({ digest: sheetDigest(headings), ...sheet }));
    }
    next.sheets = { ...choices.sheets, ...Object.fromEntries(sheets) };
  }
  if (input.reconciled && reading !== null) next.reconciled = mergedReconciled(input.reconciled, move);
  if (input.lists && reading !== null) next.lists = await mergedLists(tx, input.lists, { reading, choices });
  if ((!input.accounts && !input.parties) || reading === null) return next;
  const own = await readOwn(tx, reading);
  if (input.accounts) next.accounts = mergedAccounts(input.accounts, { reading, choices, own });
  if (input.parties) {
    const parties = { ...choices.parties };
    const known = new Set(peopleOf(reading, choices, own).questions.map(({ key }) => key));
    for (const [at, { key, answer }] of input.parties.entries()) {
      if (!known.has(key)) throw refuse(NO_QUESTION, { [`parties.${at}.key`]: NO_QUESTION });
      if (answer === null) delete parties[key];
      else parties[key] = answer;
    }
    next.parties = parties;
  }
  return next;
}

async function mergedLists(
  tx: Tx,
  given: NonNullable<MoveInput['lists']>,
  { reading, choices }: { reading: BooksSummary; choices: MoveChoices },
): Promise<NonNullable<MoveChoices['lists']>> {
  const lists = listsOf(reading, choices, await readOwnLists(tx, reading));
  const decided = { ...choices.lists };
  for (const [at, { key, value }] of given.entries()) {
    const fail = (message: string): never => {
      throw refuse(message, { [`lists.${at}`]: message });
    };
    const list = lists.find(({ items }) => items.some((item) => item.key === key));
    const name = list?.items.find((item) => item.key === key)?.name ?? '';
    if (list === undefined) fail('The files no longer contain this record');
    else if (value === null) delete decided[key];
    else if (!list.options.some((option) => option.value === value)) fail('Choose a record from the list');
    else if (
      value === CREATE_RECORD &&
      list.options.some(({ label, value: id }) => Number(id) > 0 && isSame(label, name))
    ) {
      fail(`${name} already exists. Choose the existing one instead.`);
    } else decided[key] = value;
  }
  return decided;
}

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

function mergedReconciled(
  given: NonNullable<MoveInput['reconciled']>,
  { choices, reading }: MoveRow,
): NonNullable<MoveChoices['reconciled']> {
  const reconciled = { ...choices.reconciled };
  const keys = new Set(reading?.accounts.map(({ key }) => key));
  for (const [at, { key, last }] of given.entries()) {
    const path = `reconciled.${at}`;
    if (!keys.has(key)) throw refuse(NO_ACCOUNT, { [`${path}.key`]: NO_ACCOUNT });
    if (last === null) delete reconciled[key];
    else if (reading?.to !== null && reading?.to !== undefined && last.date > reading.to) {
      const message = `The files end on ${formatDate(reading.to)}. Enter this date or an earlier one.`;
      throw refuse(message, { [`${path}.last.date`]: message });
    } else reconciled[key] = last;
  }
  return reconciled;
}

const NO_ACCOUNT = 'The files no longer contain this account';

function mergedAccounts(
  given: NonNullable<MoveInput['accounts']>,
  { reading, choices, own }: { reading: NonNullable<MoveRow['reading']>; choices: MoveChoices; own: OwnRecords },
): NonNullable<MoveChoices['accounts']> {
  const accounts = { ...choices.accounts };
  const views = new Map(accountsOf(reading, choices, own).map((account) => [account.key, account]));
  const names = new Set(own.accounts.map(({ name }) => name.toLowerCase()));
  const fail = (at: number, message: string): never => {
    throw refuse(message, { [`accounts.${at}`]: message });
  };
  for (const [at, { key, accountId, create }] of given.entries()) {
    const account = views.get(key);
    if (account === undefined) fail(at, NO_ACCOUNT);
    else if (accountId !== undefined && accountId !== null && accountId !== 0) {
      const fault = matchFault(
        account,
        own.accounts.find(({ id }) => id === accountId),
      );
      if (fault !== undefined) fail(at, fault);
      accounts[key] = { accountId, create: null };
    } else if (create !== undefined && create !== null) {
      const others = [...views.values()].flatMap((other) => {
        const { create: made } = accounts[other.key] ?? other.suggestion;
        return other.key === key || made === null ? [] : [made.name.toLowerCase()];
      });
      const fault = createFault(account.type, create, new Set([...names, ...others]));
      if (fault !== undefined) fail(at, fault);
      accounts[key] = { accountId: null, create };
    } else delete accounts[key];
  }
  return accounts;
}

function createFault(
  type: string | null,
  create: { name: string; type: string },
  names: ReadonlySet<string>,
): string | undefined {
  if (create.name === '') return 'Please enter a name';
  if (!isAccountType(create.type)) return 'Please select a type';
  if (type !== null && create.type !== type && !isCompatible(type, create.type)) {
    return `The account has the type ${type} in the files. Choose a similar type.`;
  }
  if (names.has(create.name.toLowerCase()))
    return 'An account with this name already exists, account names must be unique.';
  return undefined;
}

/** Saves a change. The result of the last preview is outdated, so it is removed. Files are read again if necessary. */
async function save(
  ctx: Ctx,
  move: MoveRow,
  change: Partial<Pick<MoveRow, 'choices' | 'system'>>,
  rereads: boolean,
): Promise<void> {
  const { tx } = ctx;
  const rowVersion = move.rowVersion + 1;
  const status = rereads || move.status === 'reading' ? 'reading' : move.reading === null ? 'draft' : 'ready';
  await tx.rows(
    moves.update({ id: move.id }, { ...change, status, preview: null, balances: null, error: null, rowVersion }),
  );
  if (status === 'reading') request(ctx, { moveId: move.id, rowVersion, task: 'read' });
}

function request(ctx: Ctx, work: { moveId: number; rowVersion: number; task: Task }): void {
  requestWork(ctx.tx, { ...work, userId: ctx.userId, person: ctx.by.person });
}

/** Deletes a move that was not imported. */
export async function deleteMove(ctx: Ctx, id: number): Promise<{ ok: true }> {
  await locked(ctx, id);
  const before = moveItem(await ctx.tx.one(movesSql(id)));
  record(ctx, subject, { before, write: [unlinkAll({ kind: 'movein', id }), moves.delete({ id })] });
  return { ok: true };
}

/** Adds a file and requests that all files be read. Throws 409 if another file has the same content. */
export async function addFile(ctx: Ctx, id: number, upload: Upload): Promise<Move> {
  const { tx } = ctx;
  const move = await locked(ctx, id);
  const files = await tx.rows(filesOfMove(id));
  const same = files.find(({ sha256 }) => sha256.equals(upload.sha256));
  if (same !== undefined) {
    const message = `${upload.name || 'The file'} has the same content as ${same.name}. It was not added.`;
    throw conflict(message);
  }
  if (files.length >= MOST_FILES) throw refuse(`An import can have at most ${MOST_FILES} files`);
  const stored = await keepUpload(ctx, upload);
  const name = freeName(
    stored.documentName,
    files.map((file) => file.name),
  );
  await tx.rows(links.insert({ attachmentId: stored.documentId, kind: 'movein', ownerId: id, name }));
  await save(ctx, move, {}, true);
  return getMove(ctx, id);
}

const MOST_FILES = 100;

/** Returns a name that no other file in the move has. */
function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let copy = 2; taken.includes(free); copy += 1) free = name.replace(/(\.[^.]*)?$/, ` (${copy})$1`);
  return free;
}

/** Removes a file and reads the others again. */
export async function removeFile(ctx: Ctx, id: number, fileId: number): Promise<Move> {
  const move = await locked(ctx, id);
  const files = await ctx.tx.rows(filesOfMove(id));
  if (!files.some((file) => file.id === fileId)) throw notFound('File');
  await ctx.tx.rows(links.delete({ kind: 'movein', ownerId: id, attachmentId: fileId }));
  const choices = withoutFile(move.choices, files.find((file) => file.id === fileId)?.name ?? '');
  await save(ctx, { ...move, reading: files.length > 1 ? move.reading : null }, { choices }, true);
  return getMove(ctx, id);
}

function withoutFile({ dateOrders = {}, sheets = {}, ...choices }: MoveChoices, name: string): MoveChoices {
  const kept = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([file]) => !file.startsWith(name)));
  return { ...choices, dateOrders: kept(dateOrders), sheets: kept(sheets) };
}

/**
 * Requests a preview or the import. Throws 409 while other work is running or if the move's version differs from the
 * given one, and 422 if a decision is missing.
 */
export async function startMove(
  ctx: Ctx,
  id: number,
  task: 'preview' | 'import',
  seenVersion?: number | null,
): Promise<Move> {
  const move = await locked(ctx, id);
  if (seenVersion !== undefined && seenVersion !== null && seenVersion !== move.rowVersion) {
    requireFresh(Move, await viewOf(ctx, move), seenVersion);
  }
  const view = await viewOf(ctx, move);
  const { files, match } = view.blocked;
  if (files !== '' || match !== '') throw refuse(files || match);
  const rowVersion = move.rowVersion + 1;
  const status = task === 'preview' ? 'previewing' : 'importing';
  await ctx.tx.rows(moves.update({ id }, { status, error: null, rowVersion }));
  request(ctx, { moveId: id, rowVersion, task });
  return getMove(ctx, id);
}

/** Cancels running work, which then writes nothing. Throws 409 if the result is already being saved. */
export async function cancelMove(ctx: Ctx, id: number): Promise<Move> {
  const move = await found(ctx, id);
  if (move.status !== 'previewing' && move.status !== 'importing') throw conflict('No preview or import is running');
  const rows = await ctx.tx.rows(sql<{ id: number }>`
    update move_in_progress set is_canceled = true
    where company_id = ${COMPANY} and move_id = ${id} and phase <> 'saving'
    returning move_id as id`);
  if (rows.length === 0) throw conflict('The import is being saved, so it can no longer be canceled');
  return getMove(ctx, id);
}

/** Requests the undo of an import. Throws 409 if later records depend on it. */
export async function startUndo(ctx: Ctx, id: number): Promise<Move> {
  const move = await found(ctx, id);
  if (move.status !== 'imported') throw conflict('Only a finished import can be undone');
  const [locked_] = await ctx.tx.rows(moves.find({ id }, { lock: 'for no key update' }));
  if (locked_?.status !== 'imported') throw conflict('The import has just been undone');
  const [first, ...others] = await dependentsOf(ctx.tx, id);
  if (first !== undefined) {
    const more = others.length === 0 ? 'depends' : `and ${others.length} more depend`;
    throw conflict(`${first.label} ${more} on this import. Delete every dependent record before you undo the import.`);
  }
  const rowVersion = move.rowVersion + 1;
  await ctx.tx.rows(moves.update({ id }, { status: 'undoing', error: null, rowVersion }));
  request(ctx, { moveId: id, rowVersion, task: 'undo' });
  return getMove(ctx, id);
}

/** Lists the source's customers and vendors, sorted by name. */
export async function listMoveParties(ctx: Ctx, id: number): Promise<MoveParty[]> {
  const { reading, choices } = await found(ctx, id);
  return reading === null ? [] : peopleOf(reading, choices, await readOwn(ctx.tx, reading)).parties;
}

/** Returns the balances of all accounts at a month end. The default is the last month end. */
export async function proofBalances(ctx: Ctx, id: number, monthEnd?: IsoDate): Promise<ProofBalance[]> {
  const { balances } = await found(ctx, id);
  if (balances === null) throw notFound('Proof');
  const { monthEnds } = balances;
  const at = monthEnd === undefined ? monthEnds.length - 1 : monthEnds.indexOf(monthEnd);
  if (at < 0) throw notFound('Month end');
  return balances.accounts.map(({ key, number, name, source, ledger }) => {
    const [a, b] = [source[at] ?? cents(0), (ledger ?? source)[at] ?? cents(0)];
    return { key, number, name, source: a, ledger: b, difference: cents(b - a) };
  });
}

/** Returns the balances of all accounts at all month ends as CSV. */
export async function proofCsv(ctx: Ctx, id: number): Promise<StoredFile> {
  const { balances } = await found(ctx, id);
  if (balances === null) throw notFound('Proof');
  const rows = balances.accounts.flatMap(({ number, name, source, ledger }) =>
    balances.monthEnds.map((monthEnd, at) => {
      const [a, b] = [source[at] ?? cents(0), (ledger ?? source)[at] ?? cents(0)];
      return [monthEnd, harmless(number), harmless(name), ...[a, b, cents(b - a)].map(toPlain)];
    }),
  );
  const head = ['Month End', 'Account Number', 'Account Name', 'Source', 'Evenkeel', 'Difference'];
  const bytes = Buffer.from(csvText([head, ...rows]));
  async function* read(): AsyncGenerator<Buffer> {
    yield bytes;
  }
  return { name: 'Proof.csv', contentType: 'text/csv; charset=utf-8', size: bytes.length, bytes: read };
}
