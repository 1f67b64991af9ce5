import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Move, MoveAccount, MoveResult } from '@evenkeel/contract/moving';
import { DateField, Usd } from '@evenkeel/contract/fields';
import { encode } from '@evenkeel/contract/wire';
import { type IsoDate, parseDate } from '@evenkeel/core/dates';
import { HEAD_BYTES } from '@evenkeel/core/documents/attachments';
import { refuse } from '@evenkeel/core/failure';
import { CREATE_RECORD, MOVE_LISTS, SKIP_RECORD } from '@evenkeel/core/moving/lists';
import { SHEET_KINDS } from '@evenkeel/core/moving/sheets';
import { keysOf } from '@evenkeel/imports/report';
import { sql } from 'kysely';
import * as z from 'zod';
import {
  addFile,
  createMove,
  deleteMove,
  getMove,
  listMoves,
  startMove,
  updateMove,
} from '../../across/moving/moves.ts';
import { plural } from '../../across/moving/balances.ts';
import { isRunning, moveHandlers } from '../../across/moving/runner.ts';
import { closeReader } from '../../across/moving/reader.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { todayIn } from '../../platform/clock.ts';
import { openPool } from '../../platform/db/connect.ts';
import { runDueJobs } from '../../platform/db/jobs.ts';
import { inCompany, installation } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { serverActor } from '../../platform/http/session.ts';
import type { Upload } from '../../platform/http/upload.ts';
import { type Command, type CommandContext, optionalOption, requiredOption, UsageError } from './command.ts';
import { servicesOf } from './services.ts';

const text = { type: 'string' } as const;

/**
 * The decisions in the --mapping file. Accounts, parties, and list records are identified by their keys or names in the
 * source. Reconciliation balances are in dollars, and negative if money is owed on a card.
 */
const Mapping = z.object({
  accounts: z
    .record(
      z.string(),
      z.union([
        z.number().int().positive(),
        z.object({ number: z.string().default(''), name: z.string(), type: z.string() }),
      ]),
    )
    .default({}),
  parties: z.record(z.string(), z.enum(['merge', 'keep'])).default({}),
  lists: z
    .partialRecord(
      z.enum(MOVE_LISTS),
      z.record(z.string(), z.union([z.enum([CREATE_RECORD, SKIP_RECORD]), z.number().int().nonnegative()])),
    )
    .default({}),
  reconciled: z.record(z.string(), z.object({ date: DateField, balance: Usd })).default({}),
  sheets: z
    .record(z.string(), z.object({ kind: z.enum(keysOf(SHEET_KINDS)), columns: z.record(z.string(), z.string()) }))
    .default({}),
  dateOrders: z.record(z.string(), z.enum(['mdy', 'dmy', 'ymd'])).default({}),
  fyStartMonth: z.number().int().min(1).max(12).optional(),
});
type Mapping = z.output<typeof Mapping>;

/**
 * Imports the books from another program, or only previews the import. Suggested accounts that need confirmation must
 * be in the mapping file. Prints the proof, and exits with code 1 if nothing was imported.
 */
export const importCommand: Command = {
  name: 'import',
  usage: '--company ID FILE… [--from DATE] [--mapping FILE] [--preview]',
  options: { company: text, from: text, mapping: text, preview: { type: 'boolean' } },
  run: async (context) => {
    const { positionals, options } = context;
    if (positionals.length === 0) throw new UsageError('specify at least one file');
    const companyId = Number(requiredOption(context, 'company'));
    if (!Number.isSafeInteger(companyId) || companyId <= 0) throw new UsageError('--company must be a company ID');
    const from = dateOption(context);
    const mappingFile = optionalOption(context, 'mapping');
    const mapping = Mapping.parse(mappingFile === undefined ? {} : JSON.parse(await readFile(mappingFile, 'utf8')));
    const worker = await openWorker(context, companyId);
    try {
      return await moveIn(worker, { files: positionals, from, mapping, isPreview: options['preview'] === true });
    } finally {
      await worker.close();
    }
  },
};

function dateOption(context: CommandContext): IsoDate | null {
  const given = optionalOption(context, 'from');
  const date = given === undefined ? null : parseDate(given);
  if (date === undefined) throw new UsageError(`--from ${given} is not a date`);
  return date;
}

interface Worker {
  say: (line: string) => void;
  /** Runs a use case as an administrator of the company. */
  act: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  /** Runs the background work for an import, or waits until another process has run it. */
  settle: (id: number) => Promise<Move>;
  close: () => Promise<void>;
}

async function openWorker(context: CommandContext, companyId: number): Promise<Worker> {
  const services: Services = await servicesOf(context);
  const { connection } = await context.database();
  const { pool } = services;
  const [administrator] = await installation(
    pool,
    sql<{ userId: number }>`
      select user_id as "userId" from membership
      where company_id = ${companyId} and system_role and role_name = 'Administrator' order by user_id limit 1`,
  );
  if (administrator === undefined) throw new Error(`Company ${companyId} does not exist`);
  const patience = { statementMs: DAY_MS, answerMs: DAY_MS };
  const patient = openPool({ connection, as: 'runtime', max: 2, patience });
  const { reading, writing } = moveHandlers(services, patient);
  const act: Worker['act'] = (work) =>
    inCompany(pool, companyId, async (tx) => {
      const { timeZone } = await tx.one(zoneSql());
      const by = { kind: 'command', name: importCommand.name } as const;
      return work({ ...serverActor({ companyId, ...administrator }, todayIn(timeZone), by), tx, services });
    });
  return {
    say: context.say,
    act,
    settle: async (id) => {
      for (;;) {
        await runDueJobs(pool, { ...reading, ...writing }, (_, error) => context.say(String(error)));
        const move = await act((ctx) => getMove(ctx, id));
        if (!isRunning(move)) return move;
        // A running server may have already taken the job.
        await sleep(500);
      }
    },
    close: async () => {
      await patient.end();
      await closeReader();
    },
  };
}

const DAY_MS = 86_400_000;

interface Asked {
  files: readonly string[];
  from: IsoDate | null;
  mapping: Mapping;
  isPreview: boolean;
}

async function moveIn(worker: Worker, { files, from, mapping, isPreview }: Asked) {
  const { act, settle, say } = worker;
  const open = (await act(listMoves)).find(({ status }) => !['imported', 'undoing', 'undone'].includes(status));
  if (open !== undefined) throw refuse('The company has an import in progress. Finish it, or delete it under Move In.');
  const { id } = await act((ctx) => createMove(ctx, 'Spreadsheet'));
  try {
    for (const path of files) {
      const upload = uploadOf(basename(path), await readFile(path));
      await act((ctx) => addFile(ctx, id, upload));
    }
    const read = await settle(id);
    say(`Read ${plural(read.transactions, 'transaction')} in ${plural(read.files.length, 'file')} from ${read.system}`);
    const decided = await decide(worker, read, { from, mapping });
    const { blocked, accounts } = decided;
    if (blocked.files !== '' || blocked.match !== '') {
      const toConfirm = encode(
        z.array(MoveAccount),
        accounts.filter(({ confirmed }) => !confirmed),
      );
      const undecided = decided.lists.flatMap(({ kind, items }) =>
        items.flatMap(({ name, isDecided }) => (isDecided ? [] : [{ kind, name }])),
      );
      const message = blocked.files || blocked.match;
      return { result: { ok: false, message, toConfirm, lists: undecided }, exitCode: 1 };
    }
    await act((ctx) => startMove(ctx, id, isPreview ? 'preview' : 'import'));
    const done = await settle(id);
    const made = done.report ?? done.preview;
    const ok = isPreview ? made?.proved === true : done.status === 'imported';
    const proof = made === null ? null : encode(MoveResult, made);
    return { result: { ok, id, status: done.status, message: done.error, ...asObject(proof) }, exitCode: ok ? 0 : 1 };
  } finally {
    const { status } = await act((ctx) => getMove(ctx, id));
    if (status !== 'imported') await act((ctx) => deleteMove(ctx, id));
  }
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** Saves the decisions in the mapping file. Names that look alike stay separate, unless the file says otherwise. */
async function decide(
  { act, settle }: Worker,
  read: Move,
  { from, mapping }: Pick<Asked, 'from' | 'mapping'>,
): Promise<Move> {
  const { accounts, parties, dateOrders, fyStartMonth, sheets } = mapping;
  const orders = Object.entries(dateOrders).map(([file, order]) => ({ file, order }));
  const columns = Object.entries(sheets).map(([file, sheet]) => ({ file, ...columnsOf(read, file, sheet) }));
  let move = read;
  if (orders.length > 0 || columns.length > 0 || fyStartMonth !== undefined) {
    const input = { rowVersion: move.rowVersion, dateOrders: orders, sheets: columns, fyStartMonth };
    await act((ctx) => updateMove(ctx, move.id, input));
    move = await settle(move.id);
  }
  const own = Object.entries(accounts).map(([name, chosen]) => {
    const key = accountKey(move, name);
    return typeof chosen === 'number' ? { key, accountId: chosen } : { key, create: chosen };
  });
  const answers = move.parties.questions.map(({ key, source }) => {
    return { key, answer: parties[key] ?? parties[source.name] ?? ('keep' as const) };
  });
  const reconciled = Object.entries(mapping.reconciled).map(([name, last]) => ({ key: accountKey(move, name), last }));
  const input = { rowVersion: move.rowVersion, history: { from }, accounts: own, parties: answers };
  return act((ctx) => updateMove(ctx, move.id, { ...input, lists: listsIn(move, mapping), reconciled }));
}

const isNamed = (name: string, other: string): boolean => name.trim().toLowerCase() === other.trim().toLowerCase();

/** Returns the key of an account. Throws 422 if the files don't contain it. */
function accountKey({ accounts }: Move, name: string): string {
  const found = accounts.find(({ key }) => key === name) ?? accounts.find((account) => isNamed(account.name, name));
  if (found === undefined) throw refuse(`The mapping names the account ${name}, which is not in the files`);
  return found.key;
}

/** Returns the decisions about list records. Throws 422 for a record that the files don't contain. */
function listsIn({ lists }: Move, mapping: Mapping): { key: string; value: string }[] {
  return Object.entries(mapping.lists).flatMap(([kind, decided]) =>
    Object.entries(decided).map(([name, value]) => {
      const items = lists.find((list) => list.kind === kind)?.items ?? [];
      const item = items.find((one) => isNamed(one.name, name));
      if (item === undefined) throw refuse(`The mapping names ${name} under ${kind}, but ${name} is not in the files`);
      return { key: item.key, value: String(value) };
    }),
  );
}

/** Returns the columns of a spreadsheet by their positions. Throws 422 for a heading that is not in the spreadsheet. */
function columnsOf({ files }: Move, name: string, { kind, columns }: Mapping['sheets'][string]) {
  const headings = files.find((file) => file.name === name)?.sheet?.headings;
  if (headings === undefined) throw refuse(`The mapping names the spreadsheet ${name}, which is not among the files`);
  const mapping = Object.entries(columns).map(([field, heading]) => {
    const at = headings.findIndex((one) => isNamed(one, heading));
    if (at < 0) throw refuse(`${name} has no column ${heading}`);
    return [field, at] as const;
  });
  return { kind, mapping: Object.fromEntries(mapping) };
}

function uploadOf(name: string, bytes: Buffer): Upload {
  async function* parts(partBytes: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
  }
  const sha256 = createHash('sha256').update(bytes).digest();
  return { name, size: bytes.length, sha256, head: bytes.subarray(0, HEAD_BYTES), parts, close: async () => undefined };
}
