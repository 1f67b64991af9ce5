import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPool } from '../platform/db/connect.ts';
import { startEmbedded } from '@evenkeel/postgres/embedded';
import { migrate } from '../platform/db/migrate.ts';
import { createDatabase, dropDatabase, spreadDatabase } from './databases.ts';
import { buildWorld, type World } from './world.ts';

/** The database server for this test run, and the small world that each test starts with. */
export interface TestGround {
  /** The connection string of the server, without a database name. */
  server: string;
  template: string;
  world: World;
}

declare module 'vitest' {
  interface ProvidedContext {
    ground: TestGround;
  }
}

interface TestServer {
  server: string;
  stop: () => Promise<void>;
}

/** Test data doesn't need to survive a power failure. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
};

/** Returns EVENKEEL_TEST_SERVER (`postgres://user@host:port`, as superuser), or starts a PostgreSQL for this run. */
async function startServer(): Promise<TestServer> {
  const given = process.env['EVENKEEL_TEST_SERVER'];
  if (given) return { server: given.replace(/\/+$/, ''), stop: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'evenkeel-test-'));
  await chmod(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, mode: 'server', log: () => undefined, settings });
  return {
    server: database.connectionString.replace(/\/[^/]*$/, ''),
    stop: async () => {
      await database.stop();
      for (const folder of [database.dataPath, dataDir]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a single server for the whole run. A template with the schema and the test world is created once and copied
 * for each test file.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startServer();
  const template = `evenkeel_template_${process.pid}`;
  const maintenance = openPool({ connection: { connectionString: `${server}/postgres` }, as: 'owner', max: 1 });
  await createDatabase(server, template);
  const connection = { connectionString: `${server}/${template}` };
  await migrate(connection);
  await spreadDatabase(connection);
  project.provide('ground', { server, template, world: await buildWorld(connection) });
  return async () => {
    const { rows } = await maintenance.query<{ name: string }>(
      'select datname as name from pg_database where datname like $1',
      [`${template}%`],
    );
    for (const { name } of rows) await dropDatabase(server, name);
    await maintenance.end();
    await stop();
  };
}
