// The command line: `npm run --silent evenkeel -- <command>`. Installs and builds first when that is stale.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { root, say } from './checkout.mjs';
import { ensureInstalled } from './build/ensure-installed.mjs';

await ensureInstalled();
const { ensureBuilt } = await import('./build/ensure-built.mjs');
try {
  // A command needs no web pages.
  await ensureBuilt({ only: 'server' });
} catch (error) {
  say(`The build failed: ${error.message}`);
  process.exit(1);
}

// File names on the command line are meant from where the user stands, which npm remembers in INIT_CWD; the data
// directory is meant from the checkout, as for `npm start`.
const byNpm = process.env.npm_lifecycle_event === 'evenkeel';
const cwd = (byNpm && process.env.INIT_CWD) || process.cwd();
const env = { ...process.env, DATA_DIR: resolve(root, process.env.DATA_DIR || 'data') };
const cli = join(root, 'apps/server/dist/cli.js');
const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], { cwd, env, stdio: 'inherit' });
// Ctrl-C reaches the child from the terminal; what is sent to this process alone is passed on.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
