import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { serverRoot } from '../root.ts';

// Release 0.2.0 replaced all earlier migrations with a baseline, which consists of the files up to LAST_OF_BASELINE. A
// database with all of the replaced migrations is marked as having the baseline and is not changed. The data in a 0.1.0
// database is copied into the tables of the baseline.

const folder = join(serverRoot(), 'migrations/upgrade');

const LAST_OF_BASELINE = '20261127_010_search.sql';
/** The date of the migrations in 0.1.0. */
const RELEASED_DAY = '20261121';

/** Returns whether a migration belongs to the baseline. */
export const isOfBaseline = (name: string): boolean => name <= LAST_OF_BASELINE;

/**
 * The state that a list of migrations describes: current (with none of the replaced migrations), all of the replaced
 * migrations, the migrations in 0.1.0, or only some of the replaced migrations.
 */
export type Standing = 'current' | 'replaced' | 'released' | 'between';

/** The replaced migrations with their checksums, in the order in which they ran. */
export async function readReplaced(): Promise<Map<string, string>> {
  const text = await readFile(join(folder, 'replaced.sha256'), 'utf8');
  const lines = text.trimEnd().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** Returns the state of a database or backup with these migrations. */
export function standingOf(names: readonly string[], replaced: ReadonlyMap<string, string>): Standing {
  const old = names.filter((name) => replaced.has(name)).toSorted();
  if (old.length === 0) return 'current';
  if (old.length === replaced.size) return 'replaced';
  const released = [...replaced.keys()].filter((name) => name.startsWith(RELEASED_DAY));
  return old.length === names.length && old.join() === released.join() ? 'released' : 'between';
}

/** The tables in 0.1.0, except the list of its migrations. */
export const RELEASED_TABLES: readonly string[] = [
  'account',
  'account_category',
  'app_user',
  'audit_log',
  'banking_account',
  'company',
  'entity',
  'extended_property',
  'idempotency',
  'installation',
  'invoice',
  'invoice_line',
  'job',
  'journal_draft',
  'journal_line',
  'journal_transaction',
  'ledger_head',
  'ledger_month',
  'location',
  'membership',
  'payment',
  'payment_application',
  'payment_type',
  'product',
  'product_category',
  'profit_center',
  'rate_limit',
  'role',
  'sales_tax_item',
  'sales_tax_scenario',
  'session',
  'setting',
  'token',
];

/** The name of the temporary table with the data from a 0.1.0 table. */
export const asideName = (table: string): string => `released_${table}`;

const SEQUENCES = 'create temp table released_sequence (name text, last_value bigint) on commit drop';

/**
 * Moves the data in 0.1.0 tables to temporary tables, and drops the original tables with their functions. Forced
 * row-level security hides rows even from their owner. Fails if anything else in the database depends on any of these
 * tables.
 */
export async function putAside(client: ClientBase): Promise<void> {
  await client.query(`${SEQUENCES};
    insert into released_sequence (name, last_value)
    select s.sequencename, s.last_value from pg_sequences s
    where s.schemaname = 'public' and s.last_value is not null`);
  for (const table of RELEASED_TABLES) {
    await client.query(`alter table ${table} no force row level security;
      create temp table ${asideName(table)} on commit drop as table ${table}`);
  }
  await client.query(`
    drop function ledger_post, ledger_hash, ledger_canonical;
    drop table ${RELEASED_TABLES.join(', ')};
    drop function ledger_guard_lines, ledger_refuse_change, ledger_month_of`);
}

/** Prepares the database for the tables in a 0.1.0 backup. */
export async function createAside(client: ClientBase): Promise<void> {
  await client.query(SEQUENCES);
}

/** Creates the temporary table that a table from such a backup is read into. All of its columns are text. */
export async function createAsideTable(client: ClientBase, table: string, columns: readonly string[]): Promise<void> {
  const list = columns.map((name) => `"${name.replaceAll('"', '""')}" text`).join(', ');
  await client.query(`create temp table ${asideName(table)} (${list}) on commit drop`);
}

/**
 * In 0.1.0, two simultaneous edits could apply more than the available amount. Such rows remain until someone corrects
 * them.
 */
const GUARDS = ['document_applied', 'payment_unapplied'];

/**
 * Copies the data from the temporary tables into the tables of the baseline, and runs `seal`, which seals the rows.
 * While it runs, the constraints and triggers that rows from 0.1.0 may violate are removed. Afterward, they apply to
 * every change, and to all rows if possible. `verify` reports the rows that violate them.
 */
export async function copyReleased(client: ClientBase, seal: () => Promise<void>): Promise<void> {
  const { rows: guards } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where conname = any($1) and connamespace = 'public'::regnamespace`,
    [GUARDS],
  );
  for (const { table, name } of guards) await client.query(`alter table ${table} drop constraint ${name}`);
  await client.query(await readFile(join(folder, '0.1.0.sql'), 'utf8'));
  await seal();
  for (const { table, name, definition } of guards) {
    await client.query(`alter table ${table} add constraint ${name} ${definition} not valid`);
    await client.query(`do $$ begin alter table ${table} validate constraint ${name};
      exception when check_violation then raise warning 'some rows violate %: run evenkeel verify', '${name}'; end $$`);
  }
}
