// The style guide's figures and lists, in one place. docs/architecture.md gives the reasons.

/** The widest line, comments and texts too. Other sizes are the linter's (.oxlintrc.json). */
export const columns = 120;

/** Written by a program: no rule but the machine-path one looks at them. */
export const generated = [
  'apps/server/src/platform/db/types.ts',
  'apps/web/src/ui/theme/mantine-vars.css',
  'docs/api.md',
  'docs/guarantees.md',
  'package-lock.json',
];

/** Tables of data have no limit of length. */
export const isDataTable = (path: string): boolean => path.endsWith('.data.ts') || path.endsWith('.json');

/** Places where untyped data enters or a brand is given: only here may `as` assert a type. */
export const edge: readonly RegExp[] = [
  /^apps\/server\/src\/platform\/(http|db)\//,
  /\.sql\.ts$/,
  /^packages\/contract\/src\/(fields|endpoint|wire|codec)\.ts$/,
  /^apps\/web\/src\/client\/transport\.ts$/,
  /^packages\/core\/src\/(money|dates)\.ts$/,
];

/** Names that say nothing: what would go there belongs to a noun. */
export const emptyNames = ['utils', 'util', 'helpers', 'helper', 'types', 'misc', 'common', 'index'];

/**
 * The server's floors, from the top down. Imports go down only. `app` composes the server and has its commands.
 * `across` has features that span other features. `features` has a folder for each area. `books` has the ledger,
 * documents, and attachments. `platform` has HTTP, the database, mail, and PDF, and knows nothing of bookkeeping.
 */
export const serverFloors = ['app', 'across', 'features', 'books', 'platform'];

/** The rooms of one floor that may import each other. Rooms of `app` and files outside of rooms are free. */
export const sideways: Readonly<Record<string, readonly string[]>> = {
  // A company is created with its administrator; an invitation may ask for the first company.
  auth: ['setup'],
  setup: ['auth'],
  dashboard: ['reports', 'sending'],
  health: ['scheduled'],
  scheduled: ['sending'],
  sending: ['reports'],
  // A bank transaction is categorized, or paid on either side.
  banking: ['accounting', 'billing', 'expenses', 'settings'],
  billing: ['catalogue', 'entities', 'settings'],
  entities: ['settings'],
  expenses: ['entities'],
  documents: ['attachments', 'ledger'],
  ledger: ['documents'],
  db: ['http'],
  http: ['db'],
  pdf: ['http'],
};

/**
 * The web's floors, from the top down. Imports go down only. `app` has the routes, the frame, and the entry. `screens`
 * has a folder for each feature. `parts` has what features share: documents, entities, the ledger, pickers, and
 * attachments. `records` has a record's list, form, and panel. `client` has transport, queries, and the session. `ui`
 * has components that know nothing of bookkeeping.
 */
export const webFloors = ['app', 'screens', 'parts', 'records', 'client', 'ui'];
