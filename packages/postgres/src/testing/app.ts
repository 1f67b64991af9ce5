// A minimal Evenkeel app that consists only of its embedded database. Tests use it to kill, join, and race real
// processes. Its only argument is JSON (`Start`). The app prints one JSON object per line: first the result of the
// start, then one for each line from stdin.
import { createInterface } from 'node:readline';
import pg from 'pg';
import { DatabaseInUse, startEmbedded } from '../embedded.ts';
import type { EmbeddedDatabase } from '../embedded.ts';

interface Start {
  dataDir: string;
  mode: 'server' | 'tool';
  uid?: number;
  gid?: number;
  umask?: number;
}

const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);
const start: Start = JSON.parse(process.argv[2] ?? '');

function become(uid: number, gid: number): void {
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

async function query(database: EmbeddedDatabase, sql: string): Promise<object> {
  const client = new pg.Client({ connectionString: database.connectionString });
  try {
    await client.connect();
    return { rows: (await client.query(sql)).rows };
  } catch (error) {
    return { error: String(error) };
  } finally {
    await client.end();
  }
}

async function serve(database: EmbeddedDatabase): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'stop') break;
    say(await query(database, line));
  }
  // The process must end on its own after this call. Otherwise, the test that waits for it fails.
  process.stdin.destroy();
  await database.stop();
  say({ stopped: true });
}

process.on('SIGINT', () => undefined);
if (start.umask !== undefined) process.umask(start.umask);
if (start.uid !== undefined && start.gid !== undefined) become(start.uid, start.gid);
const logged: string[] = [];
try {
  const database = await startEmbedded({ ...start, log: (line) => logged.push(line) });
  say({ connection: database.connection, dataPath: database.dataPath, logged });
  await serve(database);
} catch (error) {
  const pid = error instanceof DatabaseInUse ? error.pid : undefined;
  say({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error), pid });
  process.exitCode = 1;
}
