/** A file that a program exports. */
export interface SourceFile {
  name: string;
  /** The menu items that lead to the export, in order. */
  path: readonly string[];
}

/** A program that keeps books, with the files to export from it. */
export interface Source {
  /** The program's name, as the API knows it. */
  id: string;
  label: string;
  /** The program's name in column headings and sentences. */
  short: string;
  /** One sentence about the export. */
  hint: string;
  /** How to export the files. */
  advice: string;
  required: readonly SourceFile[];
  recommended: readonly SourceFile[];
  /** The most common mistake. */
  warning?: string;
  /** The data that no file of the program contains. */
  missing: readonly string[];
}

const NO_DOCUMENTS = 'Which bill or invoice a past payment settled';
const NO_MARKS = 'Reconciled marks on past transactions';
const NO_FILES = 'Attachments';
const NO_PLANS = 'Budgets and recurring templates';

/** The programs in the order of the list, with the files to export from each. */
export const SOURCES: readonly Source[] = [
  {
    id: 'QuickBooks Online',
    label: 'QuickBooks Online',
    short: 'QuickBooks',
    hint: 'Export the Journal and seven lists from Reports.',
    advice: "Export to Excel or CSV, all at the same time, and don't edit the files.",
    required: [
      { name: 'Journal', path: ['Reports', 'Journal', 'All dates', 'Accrual', 'Export to Excel'] },
      { name: 'Account List', path: ['Reports', 'Account List', 'Export to Excel'] },
      { name: 'Trial Balance', path: ['Reports', 'Trial Balance', 'All dates, by month', 'Export to Excel'] },
    ],
    recommended: [
      { name: 'Customer Contact List', path: ['Reports', 'Customer Contact List', 'Export to Excel'] },
      { name: 'Vendor Contact List', path: ['Reports', 'Vendor Contact List', 'Export to Excel'] },
      { name: 'Product/Service List', path: ['Reports', 'Product/Service List', 'Export to Excel'] },
      { name: 'Open Invoices', path: ['Reports', 'Open Invoices', 'All dates', 'Export to Excel'] },
      { name: 'Unpaid Bills', path: ['Reports', 'Unpaid Bills', 'All dates', 'Export to Excel'] },
    ],
    warning: "The Export data ZIP file has no Journal, so it can't be imported.",
    missing: [NO_DOCUMENTS, NO_FILES, NO_MARKS, NO_PLANS],
  },
  {
    id: 'QuickBooks Desktop',
    label: 'QuickBooks Desktop',
    short: 'QuickBooks',
    hint: 'Export lists as IIF and Transaction Detail as CSV.',
    advice: "Export all files at the same time, and don't edit them.",
    required: [
      {
        name: 'Transaction Detail',
        path: ['Reports', 'Custom Reports', 'Transaction Detail', 'All dates, with Trans #', 'Excel', 'CSV file'],
      },
      { name: 'Chart of Accounts', path: ['File', 'Utilities', 'Export', 'Lists to IIF Files', 'Chart of Accounts'] },
    ],
    recommended: [
      { name: 'Customer List', path: ['File', 'Utilities', 'Export', 'Lists to IIF Files', 'Customer List'] },
      { name: 'Vendor List', path: ['File', 'Utilities', 'Export', 'Lists to IIF Files', 'Vendor List'] },
      { name: 'Item List', path: ['File', 'Utilities', 'Export', 'Lists to IIF Files', 'Item List'] },
    ],
    warning: "A QBB or QBW file can be opened only by QuickBooks, so it can't be imported.",
    missing: [NO_DOCUMENTS, NO_FILES, NO_MARKS, NO_PLANS],
  },
  {
    id: 'Xero',
    label: 'Xero',
    short: 'Xero',
    hint: 'Export the Journal report, accounts, contacts, and open documents.',
    advice: "Export to Excel or CSV, all at the same time, and don't edit the files.",
    required: [
      { name: 'Journal Report', path: ['Accounting', 'Reports', 'Journal Report', 'The whole period', 'Export to Excel'] },
      { name: 'Chart of Accounts', path: ['Accounting', 'Chart of accounts', 'Export'] },
    ],
    recommended: [
      { name: 'Trial Balance', path: ['Accounting', 'Reports', 'Trial Balance', 'Export to Excel'] },
      { name: 'Contacts', path: ['Contacts', 'All contacts', 'Export'] },
      { name: 'Invoices', path: ['Business', 'Invoices', 'Awaiting Payment', 'Export'] },
      { name: 'Bills', path: ['Business', 'Bills to pay', 'Awaiting Payment', 'Export'] },
    ],
    warning: 'A Journal Report for a part of the period starts without balances. Choose the whole period.',
    missing: [NO_DOCUMENTS, NO_FILES, NO_MARKS, NO_PLANS],
  },
  {
    id: 'Wave',
    label: 'Wave',
    short: 'Wave',
    hint: 'Export all transactions under Settings, Data Export.',
    advice: "Download the file, and don't open it in a spreadsheet, which shortens its transaction IDs.",
    required: [
      { name: 'accounting.csv', path: ['Settings', 'Data export', 'Export your accounting data', 'accounting.csv'] },
    ],
    recommended: [],
    warning: 'A spreadsheet program shortens the transaction IDs when it saves the file.',
    missing: [NO_DOCUMENTS, NO_FILES, NO_MARKS],
  },
  {
    id: 'GnuCash',
    label: 'GnuCash',
    short: 'GnuCash',
    hint: 'Use the .gnucash file itself, saved as XML.',
    advice: 'Save the file in GnuCash, and drop it as it is.',
    required: [{ name: 'The .gnucash file', path: ['File', 'Save As', 'Data Format: XML', 'Save As'] }],
    recommended: [],
    warning: "A SQLite file can't be imported. Save it as XML first.",
    missing: ['Securities and currencies other than US dollars', NO_MARKS, NO_FILES, NO_PLANS],
  },
  {
    id: 'hledger',
    label: 'hledger or beancount',
    short: 'the journal',
    hint: 'Use the journal file and every file it includes.',
    advice: 'Drop the main journal together with all files that it includes.',
    required: [{ name: 'The journal', path: ['The main .journal, .ledger, or .beancount file'] }],
    recommended: [{ name: 'Included files', path: ['Every file that an include line names'] }],
    missing: ['Commodities other than US dollars', 'Budgets and periodic transactions'],
  },
  {
    id: 'Spreadsheet',
    label: 'Spreadsheet',
    short: 'the file',
    hint: 'Use one CSV or Excel file for each kind of record.',
    advice: 'Give each column a heading. Evenkeel matches the columns by their headings.',
    required: [{ name: 'Journal entries', path: ['Date', 'Account', 'Debit', 'Credit'] }],
    recommended: [
      { name: 'Accounts', path: ['Account name', 'Account number', 'Account type'] },
      { name: 'Customers', path: ['Customer', 'Email', 'Phone', 'Address', 'Terms'] },
      { name: 'Vendors', path: ['Vendor', 'Email', 'Phone', 'Address', 'Terms'] },
      { name: 'Products', path: ['Product', 'Price', 'Income account'] },
      { name: 'Invoices', path: ['Customer', 'Number', 'Date', 'Due date', 'Open balance'] },
      { name: 'Bills', path: ['Vendor', 'Number', 'Date', 'Due date', 'Open balance'] },
    ],
    missing: [NO_FILES, NO_MARKS],
  },
  {
    id: 'Evenkeel',
    label: 'Another Evenkeel',
    short: 'the export',
    hint: 'Use the file from Settings, Export.',
    advice: 'Export all dates as CSV, and import the file into an empty company.',
    required: [{ name: "Accountant's Export", path: ['Settings', 'Export', 'CSV', 'No first or last day', 'Export'] }],
    recommended: [],
    missing: [NO_FILES, NO_MARKS, NO_PLANS],
  },
];

/** Returns the program with a name from the API. */
export const sourceOf = (id: string): Source | undefined =>
  SOURCES.find((source) => source.id === id || source.label.includes(id));
