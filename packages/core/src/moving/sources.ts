/** The programs from which a company can move its books, with the files to export from each. */

export const MOVE_SYSTEMS = [
  'QuickBooks Online',
  'QuickBooks Desktop',
  'Xero',
  'Wave',
  'GnuCash',
  'hledger or beancount',
  'Spreadsheet',
  'Evenkeel',
] as const;
export type MoveSystem = (typeof MOVE_SYSTEMS)[number];

/** A file to export from the old program. */
export interface SourceFile {
  name: string;
  /** The steps in the old program, in order. */
  path: readonly string[];
  /** The formats in `packages/imports` that satisfy this requirement. */
  formats: readonly string[];
  isRequired: boolean;
}

export interface MoveSource {
  system: MoveSystem;
  /** The name in the list of sources. */
  label: string;
  /** The name of the program in column headings, such as "QuickBooks". */
  short: string;
  sentence: string;
  files: readonly SourceFile[];
  warning?: string;
  /** The data that the program can't export. */
  notExported: readonly string[];
}

const REPORTS = 'Reports';
const TO_EXCEL = 'Export to Excel';

const file = (name: string, path: readonly string[], formats: readonly string[], isRequired = false): SourceFile => ({
  name,
  path,
  formats,
  isRequired,
});

const NOT_EXPORTED = [
  'Links between past payments and their invoices or bills',
  'Reconciled marks on past transactions',
  'Attachments',
  'Budgets and recurring templates',
];

/** All sources, in the order of the list. */
export const moveSources: readonly MoveSource[] = [
  {
    system: 'QuickBooks Online',
    label: 'QuickBooks Online',
    short: 'QuickBooks',
    sentence: 'Export the Journal and seven lists from Reports.',
    files: [
      file('Journal', [REPORTS, 'Journal', 'All dates', 'Accrual', TO_EXCEL], ['qbo-journal', 'qbo-ledger'], true),
      file('Account List', [REPORTS, 'Account List', TO_EXCEL], ['qbo-accounts'], true),
      file('Trial Balance', [REPORTS, 'Trial Balance', 'All dates', 'Accrual', TO_EXCEL], ['trial-balance']),
      file('Customer Contact List', [REPORTS, 'Customer Contact List', TO_EXCEL], ['qbo-customers']),
      file('Vendor Contact List', [REPORTS, 'Vendor Contact List', TO_EXCEL], ['qbo-vendors']),
      file('Product/Service List', [REPORTS, 'Product/Service List', TO_EXCEL], ['qbo-items']),
      file('Open Invoices', [REPORTS, 'Open Invoices', 'All dates', TO_EXCEL], ['open-invoices']),
      file('Unpaid Bills', [REPORTS, 'Unpaid Bills', 'All dates', TO_EXCEL], ['unpaid-bills']),
    ],
    warning: "The Export data ZIP file doesn't include the Journal, so the ZIP file can't be imported.",
    notExported: NOT_EXPORTED,
  },
  {
    system: 'QuickBooks Desktop',
    label: 'QuickBooks Desktop',
    short: 'QuickBooks',
    sentence: 'Export lists as IIF and the Journal as CSV.',
    files: [
      file(
        'Transaction Detail or Journal',
        [REPORTS, 'Custom Reports', 'Transaction Detail', 'All dates', 'Add the column Trans #', 'Excel', 'CSV file'],
        ['desktop-detail', 'iif'],
        true,
      ),
      file('Lists', ['File', 'Utilities', 'Export', 'Lists to IIF Files', 'Select all lists'], ['iif'], true),
      file('Trial Balance', [REPORTS, 'Accountant & Taxes', 'Trial Balance', 'All dates', 'Excel'], ['trial-balance']),
      file('Open Invoices', [REPORTS, 'Customers & Receivables', 'Open Invoices', 'Excel'], ['open-invoices']),
      file('Unpaid Bills', [REPORTS, 'Vendors & Payables', 'Unpaid Bills Detail', 'Excel'], ['unpaid-bills']),
    ],
    warning: 'Only QuickBooks can open a QuickBooks backup (.qbb) or company file (.qbw).',
    notExported: NOT_EXPORTED,
  },
  {
    system: 'Xero',
    label: 'Xero',
    short: 'Xero',
    sentence: 'Export the Journal report, accounts, contacts, and open documents.',
    files: [
      file(
        'Journal Report',
        ['Accounting', REPORTS, 'Journal Report', 'All dates', 'Export', 'Excel'],
        ['xero-journal', 'xero-transactions'],
        true,
      ),
      file('Chart of Accounts', ['Accounting', 'Chart of accounts', 'Export'], ['xero-accounts'], true),
      file('Contacts', ['Contacts', 'All contacts', 'Export'], ['xero-contacts']),
      file('Trial Balance', ['Accounting', REPORTS, 'Trial Balance', 'Export', 'Excel'], ['trial-balance']),
      file('Invoices', ['Business', 'Invoices', 'Awaiting payment', 'Export'], ['xero-invoices']),
      file('Bills', ['Business', 'Bills to pay', 'Awaiting payment', 'Export'], ['xero-invoices']),
    ],
    notExported: NOT_EXPORTED,
  },
  {
    system: 'Wave',
    label: 'Wave',
    short: 'Wave',
    sentence: 'Export all transactions under Settings > Data Export.',
    files: [
      file('accounting.csv', ['Settings', 'Data Export', 'Export your transactions'], ['wave'], true),
      file('Trial Balance', [REPORTS, 'Trial Balance', 'Export', 'CSV'], ['trial-balance']),
    ],
    notExported: NOT_EXPORTED,
  },
  {
    system: 'GnuCash',
    label: 'GnuCash',
    short: 'GnuCash',
    sentence: 'Use the .gnucash file itself, as XML or SQLite.',
    files: [file('GnuCash file', ['File', 'Save As', 'XML or sqlite3'], ['gnucash-xml', 'gnucash-sqlite'], true)],
    notExported: ['Attachments', 'Budgets and scheduled transactions'],
  },
  {
    system: 'hledger or beancount',
    label: 'hledger or beancount',
    short: 'Your Journal',
    sentence: 'Use the journal file and every file it includes.',
    files: [file('Journal', ['Use the journal file and every file it includes'], ['hledger', 'beancount'], true)],
    notExported: ['Budgets and periodic transactions', 'Prices and other commodities'],
  },
  {
    system: 'Spreadsheet',
    label: 'Spreadsheet',
    short: 'Your Files',
    sentence: 'Use one CSV or Excel file for each kind of record.',
    files: [
      file(
        'Journal entries, accounts, customers, vendors, products, invoices, or bills',
        ['Save each sheet as CSV or Excel with headings in its first row'],
        ['spreadsheet', 'stripe', 'paypal', 'square'],
        true,
      ),
    ],
    notExported: ["Records that aren't in any file"],
  },
  {
    system: 'Evenkeel',
    label: 'Another Evenkeel',
    short: 'Old Books',
    sentence: 'Use the file that you exported under Settings > Export.',
    files: [file('Books as CSV', ['Settings', 'Export', 'CSV'], ['evenkeel'], true)],
    notExported: ['Attachments', 'Users and their permissions'],
  },
];

/** Returns the source for a program. */
export function moveSource(system: MoveSystem): MoveSource {
  const found = moveSources.find((source) => source.system === system);
  if (found === undefined) throw new Error(`unknown source '${system}'`);
  return found;
}

/** Returns the program's name among the sources, or Spreadsheet for exports from payment processors. */
export function moveSystemOf(system: string): MoveSystem {
  if (system === 'hledger' || system === 'beancount') return 'hledger or beancount';
  return MOVE_SYSTEMS.find((one) => one === system) ?? 'Spreadsheet';
}

/** Returns the names of the required files that none of the given formats satisfies. */
export function missingFiles(system: MoveSystem, formats: readonly string[]): string[] {
  const { files } = moveSource(system);
  return files
    .filter((one) => one.isRequired && !one.formats.some((each) => formats.includes(each)))
    .map(({ name }) => name);
}

/** The reasons for a suggested account, most certain first. */
export const MATCH_REASON_NAMES = [
  'imported',
  'role',
  'numberAndName',
  'nameAndType',
  'similarName',
  'none',
  'unknownType',
] as const;
export type MatchReason = (typeof MATCH_REASON_NAMES)[number];

/** The text for each reason for a suggested account. */
export const MATCH_REASONS: Readonly<Record<MatchReason, string>> = {
  imported: 'Same account as before',
  role: 'Special role',
  numberAndName: 'Same number and name',
  nameAndType: 'Same name and type',
  similarName: 'Similar name, same type',
  none: 'No match, will be created',
  unknownType: 'Choose an account',
};

/** Returns whether a person must confirm a suggestion with this reason. */
export const needsConfirmation = (reason: MatchReason): boolean => reason === 'similarName' || reason === 'unknownType';

/** The information that can't be imported from any source, for the preview. */
export const NOT_IMPORTED: readonly string[] = [
  'Past invoices and bills are imported as journal entries with their type, number, and name. ' +
    'Only open invoices and unpaid bills become documents.',
  'Reconciled marks, attachments, budgets, and recurring templates are not imported.',
];
