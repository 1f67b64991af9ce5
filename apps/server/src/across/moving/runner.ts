import type { MoveProgress, MoveResult } from '@evenkeel/contract/moving';
import { Failure } from '@evenkeel/core/failure';
import { moveSystemOf } from '@evenkeel/core/moving/sources';
import type { Choices } from '@evenkeel/imports/reader';
import type { ImportFile } from '@evenkeel/imports/zip';
import { sql } from 'kysely';
import * as z from 'zod';
import { readGroups } from '../../books/attachments/bytes.ts';
import { settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { monotonic, now, todayIn } from '../../platform/clock.ts';
import { record } from '../../platform/db/audit.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { isUnavailable } from '../../platform/db/errors.ts';
import { enqueue, type JobHandlers } from '../../platform/db/jobs.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { inCompany, readCompany, type Tx } from '../../platform/db/tx.ts';
import type { By, Ctx, Services } from '../../platform/http/context.ts';
import { serverActor } from '../../platform/http/session.ts';
import { refusalOf } from '../../books/ledger/journal.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import {
  claimMove,
  filesOfMove,
  type MoveChoices,
  type MoveFileRow,
  type MoveRow,
  moves,
  movesSql,
  progress,
  sheetDigest,
  sheetMappings,
  startProgress,
} from './moving.sql.ts';
import { readBooks, summarize } from './reader.ts';
import { moveItem, subject } from './subject.ts';
import { undoMove } from './undo.ts';
import { writeMove } from './write.ts';
import type { Tell, Writing } from './writing.ts';

/** A move's background work: reading its files, the preview, the import, and the undo. */

export type Task = 'read' | 'preview' | 'import' | 'undo';

/** The kinds of jobs. Reading is a separate kind so that it does not wait for another company's import. */
export const READ_JOB = 'move-in reading';
export const WRITE_JOB = 'move-in';

interface Payload {
  moveId: number;
  /** The row version that the work was requested for. A later change to the row requests the work again. */
  rowVersion: number;
  task: Task;
}

/** The payload of a job. */
const Requested = z.object({
  moveId: z.number(),
  rowVersion: z.number(),
  task: z.enum(['read', 'preview', 'import', 'undo']),
  userId: z.number(),
  person: z.string(),
});

/** The person on whose behalf the work runs. */
export interface Worker {
  userId: number;
  person: string;
  by: Pick<By, 'kind' | 'name'>;
}

/** Requests work when this transaction commits. */
export function requestWork(tx: Tx, work: Payload & Pick<Worker, 'userId' | 'person'>): void {
  const { moveId, rowVersion, task, userId, person } = work;
  tx.atEnd(startProgress(moveId, task === 'read' ? 'reading' : 'records'));
  enqueue(tx, {
    kind: task === 'read' ? READ_JOB : WRITE_JOB,
    key: `${moveId} ${rowVersion}`,
    payload: { moveId, rowVersion, task, userId, person },
    userId,
  });
}

/** Returns the handlers of the jobs. `patient` is a pool without short time limits. */
export function moveHandlers(services: Services, patient: Pool): { reading: JobHandlers; writing: JobHandlers } {
  const handler =
    (): JobHandlers[string] =>
    async ({ companyId }, given) =>
    async () => {
      const { person, userId, ...payload } = Requested.parse(given);
      await runWork({ services, patient, companyId }, payload, {
        userId,
        person,
        by: { kind: 'job', name: WRITE_JOB },
      });
    };
  return { reading: { [READ_JOB]: handler() }, writing: { [WRITE_JOB]: handler() } };
}

export interface Place {
  services: Services;
  patient: Pool;
  companyId: number;
}

/** Thrown inside a preview's transaction so that the transaction is rolled back. */
class Ended extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('a preview ended');
    this.outcome = outcome;
  }
}

class Canceled extends Error {}

interface Outcome {
  result: MoveResult;
  balances: MoveRow['balances'];
}

/**
 * Runs work that a user requested, unless it is outdated. A failure with a message for the user is stored with the
 * move, and nothing else is written. Throws if the database is unavailable, so that the job runs again.
 */
export async function runWork(place: Place, payload: Payload, worker: Worker): Promise<void> {
  try {
    if (payload.task === 'read') await readMove(place, payload);
    else if (payload.task === 'undo') await runUndo(place, payload, worker);
    else await runImport(place, payload, worker);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const known = refusalOf(error) ?? error;
    const isTold = known instanceof Failure || error instanceof Canceled;
    if (!isTold) place.services.log.error({ err: error, companyId: place.companyId, ...payload }, 'a move failed');
    const message =
      error instanceof Canceled ? null : known instanceof Failure ? known.message : 'The import failed unexpectedly';
    await giveUp(place, payload, message);
  }
}

/** Returns a move to the state that it had before the work. */
async function giveUp(
  { services, companyId }: Place,
  { moveId, task }: Payload,
  message: string | null,
): Promise<void> {
  const status = task === 'undo' ? 'imported' : task === 'read' ? 'draft' : 'ready';
  await inCompany(services.pool, companyId, async (tx) => {
    const [move] = await tx.rows(moves.find({ id: moveId }, { lock: 'for no key update' }));
    if (move === undefined || !isRunning(move)) return;
    const { preview } = move;
    const back = task === 'import' && preview !== null ? 'previewed' : status;
    tx.atEnd(
      moves.update({ id: moveId }, { status: back, error: message, rowVersion: move.rowVersion + 1 }),
      progress.delete({ moveId }),
    );
  });
}

/** Returns whether background work is running or waiting for a move. */
export const isRunning = ({ status }: Pick<MoveRow, 'status'>): boolean =>
  status === 'reading' || status === 'previewing' || status === 'importing' || status === 'undoing';

/** Returns the bytes of the files in a move. */
async function bytesOfFiles({ services, companyId }: Place, files: readonly MoveFileRow[]): Promise<ImportFile[]> {
  const all: ImportFile[] = [];
  for (const { name, size, sha256 } of files) {
    // The reader's thread takes over the buffer. A file can be up to 100 MB, so each part is copied into the buffer as
    // soon as it is read.
    const bytes = new Uint8Array(new ArrayBuffer(size));
    let at = 0;
    for await (const parts of readGroups((work) => readCompany(services.pool, companyId, work), { sha256, size })) {
      for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
      }
    }
    all.push({ name, bytes });
  }
  return all;
}

/** Returns the user's answers in the form that the readers expect. */
export function readerChoices({ dateOrders = {}, sheets = {} }: MoveChoices): Choices {
  const all = Object.entries(sheets);
  return {
    dateOrder: dateOrders,
    kinds: Object.fromEntries(all.map(([file, { kind }]) => [file, kind])),
    mappings: Object.fromEntries(all.map(([file, { mapping }]) => [file, mapping])),
  };
}

interface Prepared {
  move: MoveRow;
  files: MoveFileRow[];
  startMonth: number;
  timeZone: string;
}

async function prepare({ services, companyId }: Place, { moveId }: Payload): Promise<Prepared | undefined> {
  return readCompany(services.pool, companyId, async (tx) => {
    const [move, files, settings, zone] = await Promise.all([
      tx.row(moves.find({ id: moveId })),
      tx.rows(filesOfMove(moveId)),
      tx.rows(settingsSql()),
      tx.one(zoneSql()),
    ]);
    if (move === undefined) return undefined;
    return { move, files, startMonth: move.choices.fyStartMonth ?? toCompanySettings(settings).fyStartMonth, ...zone };
  });
}

/** Reads a move's files and stores a summary. */
async function readMove(place: Place, payload: Payload): Promise<void> {
  const ready = await prepare(place, payload);
  if (ready === undefined || ready.move.status !== 'reading' || ready.move.rowVersion !== payload.rowVersion) return;
  const { move } = ready;
  const { reading, choices } = await summarized(place, ready);
  await inCompany(place.services.pool, place.companyId, async (tx) => {
    const [current] = await tx.rows(moves.find({ id: move.id }, { lock: 'for no key update' }));
    // A file was added or removed in the meantime, and all files will be read again.
    if (current?.rowVersion !== payload.rowVersion || current.status !== 'reading') return;
    const isKnown = reading !== null && reading.files.some(({ system }) => system !== undefined);
    tx.atEnd(
      moves.update(
        { id: move.id },
        {
          reading,
          choices,
          status: reading === null ? 'draft' : 'ready',
          system: isKnown ? moveSystemOf(reading.system) : current.system,
          error: null,
          rowVersion: current.rowVersion + 1,
        },
      ),
      progress.delete({ moveId: move.id }),
    );
  });
}

/**
 * Reads files. If the company previously chose columns for spreadsheets with the same headings, reads the files again
 * with these columns.
 */
async function summarized(place: Place, { move, files, startMonth }: Prepared) {
  const read = async (choices: MoveChoices) =>
    summarize({ files: await bytesOfFiles(place, files), choices: readerChoices(choices), startMonth });
  const { choices } = move;
  if (files.length === 0) return { reading: null, choices };
  const reading = await read(choices);
  const open = reading.files.flatMap(({ file, sheet }) =>
    sheet === undefined || choices.sheets?.[file] !== undefined ? [] : [{ file, digest: sheetDigest(sheet.headings) }],
  );
  if (open.length === 0) return { reading, choices };
  const known = await readCompany(place.services.pool, place.companyId, (tx) =>
    tx.rows(sheetMappings.find({ digest: open.map(({ digest }) => digest) })),
  );
  const found = open.flatMap(({ file, digest }) => {
    const one = known.find((each) => each.digest === digest);
    return one === undefined ? [] : [[file, { kind: one.kind, mapping: one.mapping }] as const];
  });
  if (found.length === 0) return { reading, choices };
  const again = { ...choices, sheets: { ...choices.sheets, ...Object.fromEntries(found) } };
  return { reading: await read(again), choices: again };
}

const STEP_MS = 300;

/** Returns the function that stores the progress at most a few times a second and ends canceled work. */
function teller({ services, companyId }: Place, moveId: number): Tell {
  let [toldAt, phase] = [Number.NEGATIVE_INFINITY, ''];
  return async (step) => {
    if (step.phase === phase && monotonic() - toldAt < STEP_MS) return;
    [toldAt, phase] = [monotonic(), step.phase];
    const kept = await inCompany(services.pool, companyId, (tx) => tx.rows(tellProgress(moveId, step)));
    if (kept.length === 0) throw new Canceled('the import was canceled');
  };
}

/** Updates the progress, unless the import was canceled. */
function tellProgress(
  moveId: number,
  { phase, done, total, date }: Pick<MoveProgress, 'phase' | 'done' | 'total' | 'date'>,
): Runnable<{ moveId: number }> {
  return sql<{ moveId: number }>`
    update move_in_progress set phase = ${phase}, done = ${done}, total = ${total}, day = ${date}
    where company_id = ${COMPANY} and move_id = ${moveId} and not is_canceled
    returning move_id as "moveId"`;
}

/** Returns the context for a transaction on behalf of a person. */
function contextOf(
  { services, companyId }: Place,
  { userId, person, by }: Worker,
  { tx, timeZone }: { tx: Tx; timeZone: string },
): Ctx {
  const actor = serverActor({ companyId, userId }, todayIn(timeZone), by);
  return { ...actor, by: { ...actor.by, person }, tx, services };
}

/** Previews or imports a move's books in one transaction. */
async function runImport(place: Place, payload: Payload, worker: Worker): Promise<void> {
  const isPreview = payload.task === 'preview';
  const ready = await prepare(place, payload);
  const expected = isPreview ? 'previewing' : 'importing';
  if (ready === undefined || ready.move.status !== expected || ready.move.rowVersion !== payload.rowVersion) return;
  const { move, files, startMonth, timeZone } = ready;
  const began = monotonic();
  const tell = teller(place, move.id);
  await tell({ phase: 'reading', done: 0, total: files.length, date: null });
  const choices = readerChoices(move.choices);
  const read = await readBooks({ files: await bytesOfFiles(place, files), choices, startMonth });
  const fileOf = (name: string): number => fileNamed(files, name)?.id ?? 0;
  const writingOf = (ctx: Ctx): Writing => ({
    ctx,
    moveId: move.id,
    choices: move.choices,
    ...read,
    startMonth,
    tell,
    fileOf,
  });
  const outcome = await inCompany(place.patient, place.companyId, async (tx): Promise<Outcome> => {
    const claimed = await tx.row(claimMove(move.id));
    if (claimed === undefined) throw new Error('another process is working on this import');
    if (claimed.rowVersion !== payload.rowVersion) throw new Canceled('the import was changed');
    const ctx = contextOf(place, worker, { tx, timeZone });
    const { result, balances } = await writeMove(writingOf(ctx));
    const seconds = Math.ceil((monotonic() - began) / 1000);
    const made = { result: { ...result, at: now().toISOString(), seconds }, balances };
    if (isPreview || !result.proved) throw new Ended(made);
    await tell({ phase: 'saving', done: 0, total: 0, date: null });
    await tx.rows(
      moves.update(
        { id: move.id },
        {
          status: 'imported',
          report: made.result,
          balances,
          error: null,
          importedBy: worker.userId,
          importedByName: worker.person,
          importedAt: sql`now()`,
          rowVersion: claimed.rowVersion + 1,
        },
      ),
    );
    const view = moveItem(await tx.one(movesSql(move.id)));
    record(ctx, subject, { action: 'post', after: view });
    tx.atEnd(progress.delete({ moveId: move.id }));
    return made;
  }).catch((error: unknown) => {
    if (error instanceof Ended) return error.outcome;
    throw error;
  });
  if (!isPreview && outcome.result.proved) return;
  await keepPreview(place, move, outcome);
}

/** Stores the result of a preview, or of an import whose proof failed. */
async function keepPreview(
  { services, companyId }: Place,
  move: MoveRow,
  { result, balances }: Outcome,
): Promise<void> {
  await inCompany(services.pool, companyId, async (tx) => {
    const [current] = await tx.rows(moves.find({ id: move.id }, { lock: 'for no key update' }));
    if (current?.rowVersion !== move.rowVersion) return;
    const row = {
      status: 'previewed' as const,
      preview: result,
      balances,
      error: null,
      rowVersion: current.rowVersion + 1,
    };
    tx.atEnd(moves.update({ id: move.id }, row), progress.delete({ moveId: move.id }));
  });
}

/** Returns the uploaded file that contains a file in an archive or a sheet in a workbook. */
export function fileNamed<F extends { name: string }>(files: readonly F[], name: string): F | undefined {
  const all = files.filter(
    (file) => name === file.name || (name.startsWith(file.name) && /^[/, ]/.test(name.slice(file.name.length))),
  );
  return all.toSorted((a, b) => b.name.length - a.name.length)[0];
}

async function runUndo(place: Place, payload: Payload, worker: Worker): Promise<void> {
  const ready = await prepare(place, payload);
  if (ready === undefined || ready.move.status !== 'undoing' || ready.move.rowVersion !== payload.rowVersion) return;
  const { move, timeZone } = ready;
  await inCompany(place.patient, place.companyId, async (tx) => {
    const claimed = await tx.row(claimMove(move.id));
    if (claimed === undefined) throw new Error('another process is working on this import');
    const ctx = contextOf(place, worker, { tx, timeZone });
    const before = moveItem(await tx.one(movesSql(move.id)));
    await undoMove(ctx, move.id);
    await tx.rows(
      moves.update(
        { id: move.id },
        {
          status: 'undone',
          error: null,
          undoneBy: worker.userId,
          undoneByName: worker.person,
          undoneAt: sql`now()`,
          rowVersion: claimed.rowVersion + 1,
        },
      ),
    );
    const after = moveItem(await tx.one(movesSql(move.id)));
    record(ctx, subject, { action: 'reverse', before, after });
    tx.atEnd(progress.delete({ moveId: move.id }));
  });
}
