// External programs that tests use: a browser, two independent bookkeeping programs that check our results, and a
// spreadsheet program that recalculates our workbooks. The benchmark also uses ledger.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that some tests or the benchmark need. */
export type ToolName =
  | 'chromium'
  | 'hledger'
  | 'ledger'
  | 'bean-check'
  | 'bean-query'
  | 'postgres'
  | 'soffice'
  | 'faketime';

/** The path of a program or, for a report of skipped tests, the reason why there is none. */
export type Tool = { path: string; missing?: never } | { path?: never; missing: string };

type Recipe = { variable: string; names: string[]; debian: string[]; otherwise?: string[] };

const recipes: Record<ToolName, Recipe> = {
  chromium: {
    variable: 'CHROMIUM_BIN',
    // The headless browser needs less than half the processor time for the same pages.
    names: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
      'chrome',
    ],
    debian: ['chromium-headless-shell'],
    otherwise: ['chromium'],
  },
  hledger: { variable: 'HLEDGER_BIN', names: ['hledger'], debian: ['hledger'] },
  ledger: { variable: 'LEDGER_BIN', names: ['ledger'], debian: ['ledger'] },
  'bean-check': { variable: 'BEAN_CHECK_BIN', names: ['bean-check'], debian: ['beancount', 'python3-beancount'] },
  'bean-query': { variable: 'BEAN_QUERY_BIN', names: ['bean-query'], debian: ['beancount', 'python3-beancount'] },
  postgres: { variable: 'POSTGRES_BIN', names: ['postgres'], debian: ['postgresql'] },
  soffice: { variable: 'SOFFICE_BIN', names: ['soffice'], debian: ['libreoffice-calc-nogui'] },
  faketime: { variable: 'FAKETIME_BIN', names: ['faketime'], debian: ['faketime'] },
};

/** The tools that tests need, in the order in which they are reported. */
export const toolNames: readonly ToolName[] = [
  'chromium',
  'hledger',
  'bean-check',
  'bean-query',
  'postgres',
  'soffice',
  'faketime',
];

const usualFolders = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/snap/bin', '/opt/homebrew/bin'];
const macChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Returns Debian's folders with PostgreSQL's programs, newest version first. */
function postgresFolders(): string[] {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home) : [];
  return versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(home, version, 'bin'));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a program by its variable (CHROMIUM_BIN, HLEDGER_BIN, …), on the PATH, or in the system's usual folders. */
export function findTool(name: ToolName, env: NodeJS.ProcessEnv = process.env): Tool {
  const { variable, names } = recipes[name];
  const given = env[variable];
  if (given) return isExecutable(given) ? { path: given } : { missing: `${variable}=${given} is not a program` };
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), ...usualFolders, ...postgresFolders()];
  const places = names.flatMap((program) => folders.map((folder) => join(folder, program)));
  if (name === 'chromium') places.push(macChrome);
  const path = places.find(isExecutable);
  return path ? { path } : { missing: `${name} is not installed (Debian: ${debianPackages([name]).join(' ')})` };
}

/**
 * Returns the Debian packages that contain these programs, without duplicates. `otherwise` returns the packages for
 * systems that don't have these packages.
 */
export const debianPackages = (names: readonly ToolName[], otherwise = false): string[] => [
  ...new Set(names.flatMap((name) => (otherwise ? recipes[name].otherwise : recipes[name].debian) ?? [])),
];
