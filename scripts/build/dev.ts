// Development mode: the server runs from its sources and restarts after every change, and the web app uses hot
// reloading.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { root, say } from '../checkout.mjs';

const port = process.env['PORT'] ?? '3000';
const webPort = Number(process.env['WEB_PORT'] ?? '5173');
const url = `http://localhost:${webPort}`;
const server = `http://127.0.0.1:${port}`;

// Links in emails open the page with hot reloading instead of the last build.
const env = { PUBLIC_URL: url, ...process.env, PORT: port, HOST: '127.0.0.1' };
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
const args = [tsx, 'watch', '--clear-screen=false', join(root, 'apps/server/src/main.ts')];
const backend = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });

// apps/web/vite.config.ts forwards API calls to this address.
process.env['EVENKEEL_API'] = server;
const web = await createServer({ root: join(root, 'apps/web'), server: { port: webPort, strictPort: true } });
await web.listen();
say(`Evenkeel in development mode: ${url} (API at ${server})`);

const end = (): void => {
  backend.kill('SIGTERM');
  void web.close();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
backend.on('exit', (code) => {
  void web.close().then(() => process.exit(code ?? 0));
});
