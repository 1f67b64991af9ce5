import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { functionsLeft, UNCHECKED_BODIES } from './citus.ts';
import { openClient } from './connect.ts';

let t: TestApp;
let client: pg.Client;
beforeAll(async () => {
  t = await startTestApp();
  client = await openClient({ connectionString: t.databaseUrl });
});
afterAll(async () => {
  await client.end();
  await t.close();
});

/**
 * Removes everything except the company tables, because another server contains only these tables before `evenkeel
 * distribute` sends functions to the server.
 */
const LEAVE_TABLES = `do $$ declare one record; begin
  for one in
    select 'drop function if exists ' || p.oid::regprocedure || ' cascade' as statement
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select 'drop table ' || c.oid::regclass || ' cascade'
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relrowsecurity
  loop execute one.statement; end loop;
end $$`;

async function definitions(names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_functiondef(n.name::regprocedure) as text
     from unnest($1::text[]) with ordinality n (name, at) order by at`,
    [names],
  );
  return rows.map(({ text }) => text);
}

async function refusals(texts: readonly string[]): Promise<string[]> {
  const refused: string[] = [];
  for (const text of texts) {
    await client.query('savepoint before');
    await client.query(text).catch(async (error: Error) => {
      refused.push(`${error.message}: ${text.split('\n')[0]}`);
      await client.query('rollback to savepoint before');
    });
  }
  return refused;
}

test('a server with only company tables accepts all functions in the order in which they are sent', async () => {
  await client.query('begin');
  // In this table, Citus lists the objects that exist on every server. No objects are listed yet.
  await client.query('create table pg_dist_object (classid oid, objid oid)');
  const texts = await definitions(await functionsLeft(client));
  expect(texts.length).toBeGreaterThan(20);
  await client.query(LEAVE_TABLES);
  await client.query(UNCHECKED_BODIES);
  expect(await refusals(texts)).toEqual([]);
  // Everything that a function body refers to must exist after all functions are created.
  await client.query('set local check_function_bodies = on');
  expect(await refusals(texts)).toEqual([]);
  await client.query('rollback');
});

test('no column has a sequence as its default, because Citus would refuse to grant rights on sequences', async () => {
  const { rows } = await client.query<{ name: string }>(`
    select d.adrelid::regclass || '.' || a.attname as name
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where pg_get_expr(d.adbin, d.adrelid) like '%nextval(%'`);
  expect(rows).toEqual([]);
});
