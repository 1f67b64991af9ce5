// The style guide's figures and lists, in one place. docs/architecture.md gives the reasons.

/** The widest line, comments and texts too. Other sizes are the linter's (.oxlintrc.json). */
export const columns = 120;

/** Written by a program: no rule but the machine-path one looks at them. */
export const generated = [
  'apps/server/src/platform/db/types.ts',
  'apps/web/src/ui/theme/mantine-vars.css',
  'docs/api.md',
  'docs/guarantees.md',
  'docs/specification.md',
  'package-lock.json',
];

/** Tables of data have no limit of length. */
export const isDataTable = (path: string): boolean => path.endsWith('.data.ts') || path.endsWith('.json');

/** Places where untyped data enters or a brand is given: only here may `as` assert a type. */
export const edge: readonly RegExp[] = [
  /^apps\/server\/src\/(http|db)\//,
  /\.sql\.ts$/,
  /^packages\/contract\/src\/(fields|endpoint|wire|codec)\.ts$/,
  /^apps\/web\/src\/client\/transport\.ts$/,
  /^packages\/core\/src\/(money|dates)\.ts$/,
];

/** Names that say nothing: what would go there belongs to a noun. */
export const emptyNames = ['utils', 'util', 'helpers', 'helper', 'types', 'misc', 'common', 'index'];

/** The server's business domains: a folder each. */
export const serverDomains = [
  'auth',
  'entities',
  'catalogue',
  'dimensions',
  'subledger',
  'billing',
  'expenses',
  'ledger',
  'banking',
  'scheduled',
  'reports',
  'sending',
  'dashboard',
  'attachments',
  'audit',
  'health',
  'search',
  'settings',
  'setup',
];

/** The server's ground, which every domain stands on and which knows no domain. */
export const serverGround = ['http', 'db', 'mail', 'pdf', 'xlsx'];

/** Files that compose the server may import everything in it. */
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

/** Modules of a domain that all may use: the ledger's doors, balances and centers, files and their links. */
export const openDoors = [
  'ledger/journal',
  'ledger/batch',
  'ledger/balances.sql',
  'ledger/given-center.sql',
  'attachments/links',
  'attachments/attachments.sql',
  'attachments/bytes',
  'attachments/owners',
];

/**
 * Sideways imports between domains; every domain may besides use settings. `subledger` holds what documents and
 * payments of both sides do (customers in `billing`, vendors in `expenses`); `dimensions` are profit centers and
 * locations.
 */
export const sideways: Readonly<Record<string, readonly string[]>> = {
  subledger: ['entities'],
  billing: ['catalogue', 'dimensions', 'entities', 'subledger'],
  expenses: ['catalogue', 'dimensions', 'entities', 'subledger'],
  // Verification and export go through all books, and the files that hang on them.
  ledger: ['attachments', 'audit', 'banking', 'dimensions', 'scheduled', 'subledger'],
  // A reconciliation reads and posts lines of the ledger, and is printed as reports are.
  // A bank line may be booked, or paid on either side.
  banking: ['billing', 'dimensions', 'expenses', 'ledger', 'subledger'],
  // Templates make invoices, bills and journal entries, and send invoices.
  scheduled: ['billing', 'expenses', 'ledger', 'sending', 'subledger'],
  audit: ['subledger'],
  // Its checks are those of `evenkeel verify`.
  health: ['ledger'],
  auth: ['setup'],
  dashboard: ['banking', 'reports', 'sending', 'subledger'],
  reports: ['entities', 'subledger'],
  // A customer or vendor that was found says its balance.
  search: ['entities'],
  // It sends the papers of billing and reports.
  sending: ['billing', 'entities', 'reports', 'setup', 'subledger'],
};

/**
 * The web's floors, from the top down; imports go down only. `app` has routes, frame and entry; `screens` a folder for
 * each feature; `parts` what features share (documents, entities, the ledger, pickers, attachments); `records` a
 * record's life; `client` transport, queries and session; `ui` parts without domain words.
 */
export const webFloors = ['app', 'screens', 'parts', 'records', 'client', 'ui'];
