import { Dates } from './cells.ts';
import { regroupWarning, SECTION_HEADINGS, type SectionKey, SectionReader } from './accountSections.ts';
import type { Choices, FileBooks, OpenFile, Reader, TypeOf } from './reader.ts';
import { cellOf, factsIn, refuseCash, refuseMissing, type Report, reportIn } from './report.ts';
import { onlyCell } from './table.ts';
import { Transactions } from './transactions.ts';
import { withContacts } from './xeroContacts.ts';

const titled = (file: OpenFile, pattern: RegExp): boolean =>
  file
    .table()
    .rows.first(6)
    .some((row) => pattern.test(onlyCell(row) ?? ''));

function hasTotals(file: OpenFile): boolean {
  for (const { cells } of file.table().rows) if (/^total for /i.test(cells[0] ?? '')) return true;
  return false;
}

interface Kind {
  required: readonly SectionKey[];
  advice: string;
  /** The name of the report that keeps transactions separate. */
  better: string;
}

const LEDGER: Kind = {
  required: ['date', 'type', 'amount'],
  advice:
    'In QuickBooks Online, open Reports > General Ledger, choose All dates and the default columns, and export it to ' +
    'Excel. If possible, use the Journal report instead.',
  better: 'Journal',
};

const XERO: Kind = {
  required: ['date', 'type', 'debit', 'credit'],
  advice:
    'In Xero, open Reports > Account Transactions, select all accounts, the whole period, and grouping by ' +
    'account, and ' +
    'export it to Excel. If possible, use the Journal Report instead.',
  better: 'Journal Report',
};

const ledgerOf = (file: OpenFile): Report<SectionKey> | undefined => {
  const report = reportIn(file.table(), SECTION_HEADINGS, LEDGER.required);
  return report ?? reportIn(file.table(), SECTION_HEADINGS, ['date', 'type', 'debit', 'credit']);
};

function readSections(
  file: OpenFile,
  { report, kind, choices, typeOf }: { report: Report<SectionKey>; kind: Kind; choices: Choices; typeOf: TypeOf },
): FileBooks {
  const facts = factsIn(report);
  refuseCash(file.name, facts.basis);
  const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
  for (const row of report.rows) {
    const text = cellOf(report, row, 'date');
    if (dates.isDate(text) && onlyCell(row) === undefined) dates.add(text, { file: file.name, row: row.row });
  }
  dates.decide(facts);
  const transactions = new SectionReader(report, dates).read(typeOf, facts.from);
  return {
    ...facts,
    transactions: Transactions.of(transactions),
    warnings: [regroupWarning(file.name, kind.better)],
    questions: dates.question === undefined ? [] : [dates.question],
  };
}

/** The reader for the General Ledger and Transaction Detail by Account reports from QuickBooks Online. */
export const quickbooksLedger: Reader = {
  format: 'qbo-ledger',
  label: 'QuickBooks Online General Ledger',
  system: 'QuickBooks Online',
  recognizes: (file) =>
    titled(file, /^(general ledger|transaction detail by account)$/i) ||
    (reportIn(file.table(), SECTION_HEADINGS, ['date', 'type', 'split', 'amount', 'balance']) !== undefined &&
      !titled(file, /quickreport|by (name|customer|vendor)/i) &&
      hasTotals(file)),
  read: (file, choices, typeOf) => {
    const report = ledgerOf(file);
    if (report === undefined) return refuseMissing(file.table(), { headings: SECTION_HEADINGS, ...LEDGER });
    return readSections(file, { report, kind: LEDGER, choices, typeOf });
  },
};

/** The reader for Xero's Account Transactions report, which is grouped by account. */
export const xeroTransactions: Reader = {
  format: 'xero-transactions',
  label: 'Xero Account Transactions',
  system: 'Xero',
  recognizes: (file) => titled(file, /^(account transactions|general ledger detail)$/i),
  read: (file, choices, typeOf) => {
    const report = reportIn(file.table(), SECTION_HEADINGS, XERO.required);
    if (report === undefined) return refuseMissing(file.table(), { headings: SECTION_HEADINGS, ...XERO });
    return withContacts(readSections(file, { report, kind: XERO, choices, typeOf }), typeOf);
  },
};
