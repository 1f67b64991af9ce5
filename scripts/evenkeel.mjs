// The command line: `npm run --silent evenkeel -- <command>`. Installs and builds first if necessary.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { root, say } from './checkout.mjs';
import { ensureInstalled } from './build/ensure-installed.mjs';

await ensureInstalled();
const { ensureBuilt } = await import('./build/ensure-built.mjs');
try {
  // Commands don't need the web app.
  await ensureBuilt({ only: 'server' });
} catch (error) {
  say(`The build failed: ${error.message}`);
  process.exit(1);
}

// File names on the command line are relative to the user's directory, which npm stores in INIT_CWD. The data directory
// is relative to the checkout, as it is with `npm start`.
const byNpm = process.env.npm_lifecycle_event === 'evenkeel';
const cwd = (byNpm && process.env.INIT_CWD) || process.cwd();
const env = { ...process.env, DATA_DIR: resolve(root, process.env.DATA_DIR || 'data') };
const cli = join(root, 'apps/server/dist/cli.js');
const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], { cwd, env, stdio: 'inherit' });
// The child process receives Ctrl-C from the terminal. A signal that is sent only to this process is forwarded to it.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
