// The style guide's figures and lists, in one place. docs/architecture.md gives the reasons.

/** How large things may be. */
export const limits = {
  fileLines: 400,
  testFileLines: 600,
  functionLines: 70,
  componentLines: 150,
  columns: 120,
  parameters: 3,
} as const;

/** Written by a program: no rule but the machine-path one looks at them. */
export const generated = [
  'apps/server/src/db/types.ts',
  'apps/web/src/ui/theme/mantine-vars.css',
  'docs/api.md',
  'package-lock.json',
];

/** Tables of data have no limit of length. */
export const isDataTable = (path: string): boolean => path.endsWith('.data.ts') || path.endsWith('.json');

/** Where untyped data enters (and where a brand is given): only here may a type be asserted with `as`. */
export const edge: readonly RegExp[] = [
  /^apps\/server\/src\/(http|db)\//,
  /\.sql\.ts$/,
  /^packages\/contract\/src\/(fields|endpoint|wire|codec)\.ts$/,
  /^apps\/web\/src\/api\.ts$/,
  /^packages\/core\/src\/(money|dates)\.ts$/,
];

/** Names that say nothing: what would go there belongs to a noun. */
export const emptyNames = ['utils', 'util', 'helpers', 'helper', 'types', 'misc', 'common', 'index'];

/** The server's business domains: a folder each. */
export const serverDomains = [
  'auth',
  'entities',
  'catalogue',
  'billing',
  'expenses',
  'ledger',
  'banking',
  'reports',
  'dashboard',
  'documents',
  'search',
  'settings',
  'setup',
];

/** The server's ground, which every domain stands on and which knows no domain. */
export const serverGround = ['http', 'db', 'mail', 'pdf', 'xlsx'];

/** What composes the server may import everything in it. */
export const serverComposers = [
  'main.ts',
  'app.ts',
  'routes.ts',
  'worker.ts',
  'cli.ts',
  'cli',
  'demo',
  'setup',
  'testing',
];

/** Modules of a domain that all may use: the ledger's one door, its live lines and balances, documents' links. */
export const openDoors = ['ledger/post', 'ledger/live', 'ledger/balances.sql', 'documents/links'];

/** Sideways imports between domains; every domain may besides use settings. */
export const sideways: Readonly<Record<string, readonly string[]>> = {
  billing: ['catalogue', 'entities'],
  expenses: ['entities'],
  auth: ['setup'],
  dashboard: ['reports'],
};

/** The web's composers: they alone know more than one feature. */
export const webComposers = ['main.tsx', 'routes.tsx', 'testing'];

/** The web's ground besides `ui`: what accounting and reports share (registers and the transaction behind a line). */
export const webGround = ['ledger'];
