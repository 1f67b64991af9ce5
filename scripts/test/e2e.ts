// Runs only the browser journeys: `npm run e2e [names]`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const args = [vitest, 'run', '--project', 'e2e', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
