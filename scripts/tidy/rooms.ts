// The limits and lists for the style guide, in one place. docs/architecture.md describes the layers ("Layers").

/** The maximum line length, including comments and strings. The linter has the other limits (.oxlintrc.json). */
export const columns = 120;

/** Files that are written by a program. They are checked only by the rule about machine paths. */
export const generated = [
  'apps/server/src/platform/db/types.ts',
  'apps/web/src/ui/theme/mantine-vars.css',
  'docs/api.md',
  'docs/guarantees.md',
  'package-lock.json',
];

/** Returns whether a file is a data table, which has no length limit. */
export const isDataTable = (path: string): boolean => path.endsWith('.data.ts') || path.endsWith('.json');

/** Files in which untyped data enters or a branded type is assigned. Only these files may assert a type with `as`. */
export const edge: readonly RegExp[] = [
  /^apps\/server\/src\/platform\/(http|db)\//,
  /\.sql\.ts$/,
  /^packages\/contract\/src\/(fields|endpoint|wire|codec)\.ts$/,
  /^apps\/web\/src\/client\/transport\.ts$/,
  /^packages\/core\/src\/(money|dates)\.ts$/,
];

/** Names that say nothing about the content. Put the content in a file that is named after a noun. */
export const emptyNames = ['utils', 'util', 'helpers', 'helper', 'types', 'misc', 'common', 'index'];

/** A layer of an app: its folder, and a description of its contents as in docs/architecture.md. */
export interface Floor {
  name: string;
  contents: string;
}

/** The layers of both apps from top to bottom. Imports only go downward. docs/architecture.md shows this table. */
export const floors: Readonly<Record<'apps/server/src' | 'apps/web/src', readonly Floor[]>> = {
  'apps/server/src': [
    { name: 'app', contents: 'composes the server: routes, the worker, the commands, and the demo company' },
    { name: 'across', contents: 'features that span other features' },
    { name: 'features', contents: 'one folder per area' },
    { name: 'books', contents: 'the ledger, documents and payments of both sides, and stored files' },
    { name: 'platform', contents: 'HTTP, the database, email, and PDF, without knowledge of bookkeeping' },
  ],
  'apps/web/src': [
    { name: 'app', contents: 'the entry point, routes, the menu, search, help, and the page frame' },
    { name: 'screens', contents: 'one folder per feature' },
    { name: 'parts', contents: 'components that features share' },
    { name: 'records', contents: 'list, form, panel, and address of a record' },
    { name: 'client', contents: 'calls to the server, the session, and failed reads' },
    { name: 'ui', contents: 'fields, tables, dialogs, alerts, and themes, without knowledge of bookkeeping' },
  ],
};

export const serverFloors = floors['apps/server/src'].map(({ name }) => name);

/** The folders in one layer that may import each other. Folders in `app` and files outside folders have no limits. */
export const sideways: Readonly<Record<string, readonly string[]>> = {
  // A company is created together with its administrator, and an invitation may require the first company.
  auth: ['setup'],
  setup: ['auth'],
  // Loosening an API key's policy requires the administrator's password.
  agents: ['auth'],
  dashboard: ['online', 'reports', 'sending'],
  health: ['online', 'opening', 'scheduled', 'taxes'],
  // The administrators get an email when a webhook is paused.
  webhooks: ['auth'],
  // Connecting an online payment provider requires the administrator's password.
  online: ['auth'],
  scheduled: ['sending'],
  // An invoice's private page offers Pay Now, and a vendor's page shows 1099 forms.
  sending: ['online', 'reports', 'taxes'],
  // Tax returns use the amounts in the sales tax reports.
  taxes: ['reports'],
  // A change is undone by another operation, which agents also perform.
  undo: ['agents'],
  // A bank transaction can be categorized, or it can pay invoices or bills.
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

export const webFloors = floors['apps/web/src'].map(({ name }) => name);
