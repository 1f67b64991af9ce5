import type pg from 'pg';
import { type Connection, IS_CITUS, openClient, RUNTIME_ROLE } from './connect.ts';

/**
 * A company table, and whether Citus has distributed it. This file contains everything that is specific to Citus, which
 * distributes all company tables across several servers by company_id. The rules that keep the schema distributable are
 * in scripts/tidy/sql.ts.
 */
interface TenantTable {
  name: string;
  isForced: boolean;
  isWatched: boolean;
}

/**
 * Company tables that are still local to the coordinator and refer only to distributed tables. The table of companies
 * comes first. Tables that triggers write to come before the tables with these triggers.
 */
const nextTables = `
  select c.relname as name, c.relforcerowsecurity as "isForced",
    exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal) as "isWatched"
  from pg_class c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relrowsecurity
    and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
    and not exists (
      select from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
        and not exists (select from pg_dist_partition d where d.logicalrelid = k.confrelid))
  order by c.relname <> 'company', 3, c.relname limit 1`;

/** Company tables that are local to the coordinator. */
const leftOver = `
  select c.relname as name from pg_class c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relrowsecurity
    and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
  order by c.relname`;

/**
 * Sequences can be ahead of the coordinator's log, because rows with their values are committed on other servers. After
 * a crash, the coordinator could assign the last values again, and a later row would get a lower ID. A crash or the
 * promotion of a standby empties this unlogged table. If the table is empty, all sequences must first skip more values
 * than could have been lost.
 */
const IDS_AHEAD = `
  set local citus.enable_ddl_propagation = off;
  do $$ begin
    perform pg_advisory_xact_lock(hashtext('ids.ahead'));
    if to_regclass('ids.ahead') is not null then return; end if;
    create schema ids;
    create unlogged table ids.ahead (is_so boolean not null);
    insert into ids.ahead values (true);
    create function ids.keep_ahead() returns void language plpgsql security definer set search_path = pg_catalog as
    $function$ begin
      if exists (select from ids.ahead) then return; end if;
      lock table ids.ahead in exclusive mode;
      if exists (select from ids.ahead) then return; end if;
      perform setval(c.oid::regclass, nextval(c.oid::regclass) + 100000)
      from pg_class c where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace;
      insert into ids.ahead values (true);
    end $function$;
    revoke all on function ids.keep_ahead() from public;
    grant usage on schema ids to ${RUNTIME_ROLE};
    grant execute on function ids.keep_ahead() to ${RUNTIME_ROLE};
  end $$;
  set local citus.enable_ddl_propagation = on`;

const watched = new WeakSet<pg.ClientBase>();

/** Ensures, once per connection, that no ID is assigned twice. A crash ends every connection. */
export async function keepIdsAhead(client: pg.ClientBase): Promise<void> {
  if (watched.has(client)) return;
  await client.query('select ids.keep_ahead()');
  watched.add(client);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Returns the company tables that are not distributed, or none if the database doesn't use Citus. Must run as the owner
 * of the schema.
 */
export async function undistributed(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(leftOver);
  return rows.map(({ name }) => name);
}

/**
 * Returns the tables that a later version created in a distributed database. Until `evenkeel distribute` runs, writes
 * to them are rejected. Returns none for any other database. On Citus, also creates the table that prevents IDs from
 * being assigned twice, if that table doesn't exist.
 */
export async function tablesToSpread(connection: Connection): Promise<string[]> {
  const client = await openClient(connection);
  try {
    const { rows } = await client.query<{ is_citus: boolean }>(IS_CITUS);
    if (rows[0]?.is_citus !== true) return [];
    await client.query('begin');
    await client.query(IDS_AHEAD);
    await client.query('commit');
    const { rowCount } = await client.query("select from pg_dist_partition where logicalrelid = 'company'::regclass");
    return rowCount === 0 ? [] : await undistributed(client);
  } finally {
    await client.end();
  }
}

/**
 * Distributes every company table that is still local, with its rows, and prepares the functions that run on the
 * servers that store the rows. Must run as the owner of the schema in the caller's transaction. Writers wait in the
 * meantime. Returns the names of the tables. Throws if any table remains local.
 */
export async function spreadTables(client: pg.ClientBase, say: (line: string) => void): Promise<string[]> {
  await client.query('set local client_min_messages = warning');
  await client.query(UNCHECKED_BODIES);
  await client.query(IDS_AHEAD);
  // Servers connect to each other as the requesting role. pg_hba.conf defines how that role authenticates.
  const isShut = 'select from pg_roles where rolname = $1 and not rolcanlogin';
  const { rowCount } = await client.query(isShut, [RUNTIME_ROLE]);
  if (rowCount !== 0) await client.query(`alter role ${RUNTIME_ROLE} login`);
  // Citus can't create operator classes on other servers. On those servers, searches read the company's entries without
  // the index.
  await client.query('drop index if exists search_entry_words');
  await client.query('drop operator class if exists search_words_ops using gin');
  const spread: string[] = [];
  for (;;) {
    const { rows } = await client.query<TenantTable>(nextTables);
    const [table] = rows;
    if (table === undefined) break;
    await spreadOne(client, table);
    say(`Distributed ${table.name}`);
    spread.push(table.name);
  }
  const left = await undistributed(client);
  if (left.length > 0) throw new Error(`these company tables could not be distributed: ${left.join(', ')}`);
  for (const name of await functionsLeft(client)) {
    await withFirstRefusal(client, `the function ${name} could not be distributed`, () =>
      client.query('select create_distributed_function($1)', [name]),
    );
  }
  return spread;
}

/**
 * A setting that Citus sends to the other servers together with each function. A function may arrive before the
 * functions that its body calls, because `create or replace` keeps the position of the first version.
 */
export const UNCHECKED_BODIES = 'set local check_function_bodies = off';

/**
 * Citus sends several statements at the same time. If another server rejects one, the last message is the error
 * ("current transaction is aborted"), and the reason was sent earlier as a warning. The error that this function throws
 * contains both messages.
 */
async function withFirstRefusal(client: pg.ClientBase, what: string, work: () => Promise<unknown>): Promise<void> {
  const warnings: string[] = [];
  const listen = ({ message, where }: { message?: string | undefined; where?: string | undefined }) =>
    warnings.push([message, where].filter((part) => part !== undefined).join(' '));
  client.on('notice', listen);
  try {
    await work();
  } catch (error) {
    const [first = error instanceof Error ? error.message : String(error)] = warnings;
    throw new Error(`${what}: ${first}`, { cause: error });
  } finally {
    client.off('notice', listen);
  }
}

/**
 * Returns the functions that run on the servers that store the rows but exist only on the coordinator. Functions that
 * refer to a table can't be sent before the table. Functions for installation tables stay on the coordinator.
 */
export async function functionsLeft(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select p.oid::regprocedure::text as name
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
      and not exists (
        select from unnest(p.proargtypes) a (type)
        join pg_class c on c.reltype = a.type and c.relkind = 'r' and not c.relrowsecurity)
    order by p.oid`);
  return rows.map(({ name }) => name);
}

/** Creates the operator on the other servers, because Citus sends functions but not operators. */
const OPERATOR = `do $$ begin
  if to_regoperator('public.@~(text,text)') is null then
    create operator public.@~ (leftarg = text, rightarg = text, function = public.search_has, restrict = likesel,
      join = likejoinsel);
  end if;
end $$`;

/**
 * Creates permissions and operators on the servers that store the rows, because Citus doesn't create them. Must run
 * after spreadTables is committed, and again for each server that is added.
 */
export async function readyWorkers(client: pg.ClientBase): Promise<void> {
  for (const text of [`grant usage, select on all sequences in schema public to ${RUNTIME_ROLE}`, OPERATOR]) {
    const { rows } = await client.query<{ server: string; success: boolean; result: string }>(
      "select nodename || ':' || nodeport as server, success, result from run_command_on_workers($1)",
      [text],
    );
    const failed = rows.find(({ success }) => !success);
    if (failed !== undefined) throw new Error(`${failed.server} could not prepare the tables: ${failed.result}`);
  }
}

async function spreadOne(client: pg.ClientBase, { name, isForced, isWatched }: TenantTable): Promise<void> {
  const table = quoted(name);
  // With FORCE, even the owner can't copy rows. Triggers are off because moved rows aren't new.
  if (isForced) await client.query(`alter table ${table} no force row level security`);
  if (isWatched) await client.query(`alter table ${table} disable trigger user`);
  await client.query("select create_distributed_table($1::text::regclass, 'company_id', colocate_with => $2)", [
    table,
    name === 'company' ? 'default' : 'company',
  ]);
  if (isForced) await client.query(`alter table ${table} force row level security`);
  if (isWatched) await client.query(`alter table ${table} enable trigger user`);
}
