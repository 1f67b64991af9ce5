// `npm run generate` writes the generated files. `--check` only reports files that are outdated.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@evenkeel/server/platform/db/connect';
import { startEmbedded } from '@evenkeel/postgres/embedded';
import { migrate } from '@evenkeel/server/platform/db/migrate';
import { apiDocument } from './api-docs.ts';
import { isMain, root, say } from '../checkout.mjs';
import { architecturePage } from './floors.ts';
import { guaranteesPage } from './guarantees.ts';
import { securityPage } from './security.ts';
import { schemaTypes } from './schema-types.ts';
import { verifierPage } from './verifier.ts';
import { readTree, voiceCeilings } from '../tidy.ts';

/** Returns the types of the schema, read from a new database with all migrations. */
async function databaseTypes(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenkeel-generate-'));
  // If root runs this script, PostgreSQL runs as another user, who must be able to enter the folder. Otherwise, the
  // database would be created elsewhere and not removed.
  await chmod(dataDir, 0o755);
  const settings = { fsync: 'off' };
  const database = await startEmbedded({ dataDir, mode: 'server', log: () => undefined, settings });
  try {
    await migrate(database.connection);
    const pool = openPool({ connection: database.connection, as: 'owner', max: 1 });
    return await schemaTypes(pool).finally(() => pool.end());
  } finally {
    await database.stop();
    for (const folder of [database.dataPath, dataDir]) await rm(folder, { recursive: true, force: true });
  }
}

/** The generated files with their generators. */
const outputs: { path: string; make: () => string | Promise<string> }[] = [
  { path: 'apps/server/src/platform/db/types.ts', make: databaseTypes },
  { path: 'apps/web/public/verify.html', make: verifierPage },
  { path: 'docs/api.md', make: apiDocument },
  { path: 'docs/architecture.md', make: () => architecturePage(readTree(root)) },
  { path: 'docs/guarantees.md', make: () => guaranteesPage(readTree(root)) },
  { path: 'docs/security.md', make: () => securityPage(readTree(root)) },
  { path: 'scripts/tidy/voice-ceilings.json', make: () => voiceCeilings(readTree(root)) },
];

async function current(path: string): Promise<string | undefined> {
  return readFile(join(root, path), 'utf8').catch(() => undefined);
}

/** Returns the generated files that are outdated. Doesn't write them. */
async function staleFiles(): Promise<string[]> {
  const stale: string[] = [];
  for (const { path, make } of outputs) if ((await current(path)) !== (await make())) stale.push(path);
  return stale;
}

async function writeAll(): Promise<void> {
  for (const { path, make } of outputs) {
    const content = await make();
    if ((await current(path)) === content) continue;
    await writeFile(join(root, path), content);
    say(`Wrote ${path}`);
  }
}

if (isMain(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const stale = await staleFiles();
    for (const path of stale) console.log(`${path} is outdated. Run npm run generate`);
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else await writeAll();
}
