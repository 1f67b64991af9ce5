import { spawn } from 'node:child_process';
import { root } from '../../scripts/checkout.mjs';
import type { Person, Place } from './company.ts';

/** Lets somebody's sessions be as old as if nothing had been asked for a day: longer than a session rests. */
export async function expireSessions({ dataDir }: Place, { session }: Person): Promise<void> {
  const command = ['--import', 'tsx', 'scripts/db.ts'];
  const env = { ...process.env, DATA_DIR: dataDir };
  const prompt = spawn(process.execPath, command, { cwd: root, env, stdio: ['pipe', 'ignore', 'pipe'] });
  let told = '';
  prompt.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  prompt.stdin.end(
    `update session set last_seen_at = now() - interval '1 day', expires_at = now() - interval '1 minute'` +
      ` where user_id = ${session.id};\n`,
  );
  const code = await new Promise<number | null>((done) => prompt.on('close', done));
  if (code !== 0) throw new Error(`the prompt on the database ended with ${code}:\n${told}`);
}
