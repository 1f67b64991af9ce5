import type pg from 'pg';
import { readyWorkers, spreadTables, undistributed } from '../../platform/db/citus.ts';
import { IS_CITUS, openClient } from '../../platform/db/connect.ts';
import { holdMigrations } from '../../platform/db/migrate.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import type { Command, CommandContext } from './command.ts';
import { eachCompany } from './companies.ts';

/**
 * Distributes the company tables with their rows across the servers in a Citus cluster, either all of them or none, and
 * then verifies every company. Running the command again adds tables from a later version and sets the permissions on a
 * new server. Exits with code 1 if it finds any problem.
 */
export const distributeCommand: Command = {
  name: 'distribute',
  usage: '[--backed-up]',
  options: { 'backed-up': { type: 'boolean' } },
  run: async (context) => {
    const { connection } = await context.database();
    const client = await openClient(connection);
    let tables: string[];
    try {
      await requireCluster(client);
      await requireBackup(client, context);
      await client.query('begin');
      await holdMigrations(client);
      tables = await spreadTables(client, context.say);
      await client.query('commit');
      await readyWorkers(client);
    } finally {
      await client.end();
    }
    const companies = await eachCompany(context, async (pool, companyId) => {
      const { faults } = await verifyCompany(pool, companyId);
      context.say(`Company ${companyId}: ${faults.length} problems`);
      return { companyId, faults };
    });
    const ok = companies.every(({ faults }) => faults.length === 0);
    return { result: { ok, tables, companies }, exitCode: ok ? 0 : 1 };
  },
};

async function requireCluster(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_citus: boolean }>(IS_CITUS);
  if (rows[0]?.is_citus !== true) {
    throw new Error('Citus is not installed in this database. Run `create extension citus` first');
  }
  const { rowCount } = await client.query('select from pg_dist_node where shouldhaveshards');
  if (rowCount === 0) throw new Error('The cluster has no worker nodes. Add one with citus_add_node first');
}

/**
 * Rows are moved only once, and only a restore can move them back, so a backup is required. Without rows, no backup is
 * needed.
 */
async function requireBackup(client: pg.Client, { options }: CommandContext): Promise<void> {
  if (options['backed-up'] === true || !(await haveRows(client, await undistributed(client)))) return;
  throw new Error('This command moves the rows of every company. Make a backup, then run it again with --backed-up');
}

/**
 * Checks the size of tables instead of counting rows, because forced row-level security hides rows even from the owner
 * if no company is set.
 */
async function haveRows(client: pg.Client, tables: readonly string[]): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    `select coalesce(bool_or(pg_relation_size(c.oid) > 0), false) as used from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1)`,
    [tables],
  );
  return rows[0]?.used === true;
}
