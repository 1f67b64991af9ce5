import type { Move } from '@evenkeel/contract/moving';
import { movingCalls as calls } from '@evenkeel/contract/moving';
import type { MoveSystem } from '@evenkeel/core/moving/sources';
import type { TestCompany } from '@evenkeel/imports/testing/company';
import type { Dialect } from '@evenkeel/imports/testing/dialects';
import type { ImportFile } from '@evenkeel/imports/zip';
import { sql } from 'kysely';
import { openPool, type Pool } from '../../../platform/db/connect.ts';
import { runDueJobs } from '../../../platform/db/jobs.ts';
import type { TestApp } from '../../../testing/app.ts';
import { multipart } from '../../../testing/files.ts';
import { moveHandlers } from '../runner.ts';

/** Imports books through the API, and runs the background work in this process. */
export interface Mover {
  /** Runs the background work that is waiting. */
  work(): Promise<void>;
  /** Starts a move and uploads files. Returns the move after they have been read. */
  draft(token: string, files: readonly ImportFile[], system?: MoveSystem): Promise<Move>;
  /** Runs a preview or import to completion. */
  run(token: string, id: number, task: 'preview' | 'import'): Promise<Move>;
  undo(token: string, id: number): Promise<Move>;
  close(): Promise<void>;
}

/** Opens a mover. Like the server's mover, it has a separate pool without short time limits. */
export function openMover(t: TestApp): Mover {
  const patient: Pool = openPool({
    connection: { connectionString: t.databaseUrl },
    as: 'runtime',
    max: 2,
    patience: { statementMs: 600_000, answerMs: 600_000 },
  });
  const { reading, writing } = moveHandlers(t.services, patient);
  const work = async (): Promise<void> => {
    const rethrow = (_job: unknown, error: unknown): never => {
      throw error;
    };
    while ((await runDueJobs(t.pool, { ...reading, ...writing }, rethrow)) > 0);
  };
  const after = async (token: string, move: Move): Promise<Move> => {
    await work();
    return t.call(calls.getMove, { token, params: { id: move.id } });
  };
  return {
    work,
    draft: async (token, files, system = 'QuickBooks Online') => {
      const move = await t.call(calls.createMove, { token, body: { system } });
      for (const file of files) await addFile(t, token, move.id, file);
      return after(token, move);
    },
    run: async (token, id, task) => {
      const params = { id };
      if (task === 'preview') return after(token, await t.call(calls.previewMove, { token, params }));
      return after(token, await t.call(calls.importMove, { token, params, body: {} }));
    },
    undo: async (token, id) => after(token, await t.call(calls.undoMove, { token, params: { id } })),
    close: () => patient.end(),
  };
}

/** Uploads one file. */
export function addFile(t: TestApp, token: string, id: number, { name, bytes }: ImportFile): Promise<Move> {
  const { headers, body } = multipart(name, Buffer.from(bytes));
  return t.call(calls.uploadMoveFile, { token, params: { id }, headers, body });
}

/**
 * Confirms every account, either with its suggestion or as a new account. The types of new accounts are in `types`, by
 * name.
 */
export async function confirmAll(
  t: TestApp,
  token: string,
  move: Move,
  types: ReadonlyMap<string, string> = new Map(),
): Promise<Move> {
  const accounts = move.accounts
    .filter(({ confirmed }) => !confirmed)
    .map(({ key, name, number, suggestion: { accountId } }) =>
      accountId === null
        ? { key, create: { number, name: `${name} ${number}`.trim(), type: typeOf(types, name, number) } }
        : { key, accountId },
    );
  const parties = move.parties.questions.map(({ key }) => ({ key, answer: 'keep' as const }));
  const body = { rowVersion: move.rowVersion, accounts, parties, history: { from: null } };
  return t.call(calls.updateMove, { token, params: { id: move.id }, body });
}

const typeOf = (types: ReadonlyMap<string, string>, name: string, number: string): string =>
  types.get(`${name} (${number})`) ?? types.get(name) ?? 'Expense';

/** Returns the types of a random company's accounts by their names in a dialect. */
export const typesIn = (company: TestCompany, dialect: Dialect): Map<string, string> =>
  new Map(company.accounts.map((account) => [dialect.nameOf(account), account.type]));

/** Returns every row of every table of a company, except the tables for moves and the audit log, as text. */
export async function tablesOf(t: TestApp, companyId: number): Promise<Record<string, string[]>> {
  const tables = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ name: string }>`
      select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and c.relname !~ '^(move_in|audit|attachment|idempotency|job|membership|session)' order by 1`),
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await t.inCompany(companyId, (tx) =>
      tx.rows(sql<{ row: string }>`
        select to_jsonb(r)::text as row from ${sql.table(name)} r where company_id = ${companyId} order by 1`),
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
