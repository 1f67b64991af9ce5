// Runs before the tests. Finds Chromium, hledger, beancount, and LibreOffice, and installs the Debian packages for the
// headless browser and for programs that are missing.
import { spawnSync } from 'node:child_process';
import { say } from '../checkout.mjs';
import { debianPackages, findTool, toolNames } from './tools.ts';
import type { ToolName } from './tools.ts';

const missingTools = (): ToolName[] => toolNames.filter((name) => findTool(name).missing);

function apt(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const result = spawnSync('apt-get', ['-q', '-y', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (result.status === 0) return true;
  say(
    `apt-get ${args[0]} failed: ${String(result.stderr ?? result.error)
      .trim()
      .split('\n')
      .at(-1)}`,
  );
  return false;
}

function install(names: ToolName[]): void {
  const packages = debianPackages(names);
  say(`Installing ${packages.join(', ')} for the tests…`);
  // If installing all packages at once fails, they are installed one by one, so that an unavailable package does not
  // prevent the installation of the others.
  apt('update');
  const options = ['install', '--no-install-recommends'];
  if (!apt(...options, ...packages) && packages.length > 1) for (const one of packages) apt(...options, one);
  for (const one of debianPackages(missingTools(), true)) apt(...options, one);
}

const canInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
/** Whether only the full browser was found. It takes twice as much processor time as the headless browser. */
const isSlow = !process.env['CHROMIUM_BIN'] && findTool('chromium').path?.endsWith('headless-shell') === false;
const before = [...missingTools(), ...(isSlow ? ['chromium' as const] : [])];
if (before.length > 0 && canInstall) install(before);

const still = missingTools();
const strict = process.env['CI'] === 'true';
for (const name of still) {
  say(`${findTool(name).missing}: ${strict ? 'CI=true does not allow this' : 'the tests that need it are skipped'}.`);
}
if (still.length > 0 && strict) process.exit(1);
