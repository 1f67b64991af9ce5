import { cents } from '@evenkeel/core/money';
import { refusalAt, type SourceAccount, type SourceTransaction } from './books.ts';
import { roleFor, typeFor } from './accountTypes.ts';
import { amountOrZero, Dates } from './cells.ts';
import { checkBalance, Entries, FILTERED } from './entries.ts';
import type { FileBooks, OpenFile, Reader } from './reader.ts';
import { cellOf, type Headings, type Report, reportIn } from './report.ts';

const HEADINGS = {
  id: ['transaction'],
  date: ['date'],
  type: ['source'],
  sourceId: ['source id'],
  number: ['number'],
  memo: ['description'],
  line: ['line'],
  accountId: ['account id'],
  accountNumber: ['account number'],
  account: ['account name'],
  accountType: ['account type'],
  debit: ['debit'],
  credit: ['credit'],
  basis: ['basis'],
  lineMemo: ['line description'],
  party: ['customer or vendor'],
  profitCenter: ['profit center'],
  location: ['location'],
} satisfies Headings<string>;
type Key = keyof typeof HEADINGS;

const reportOf = (file: OpenFile): Report<Key> | undefined =>
  reportIn(file.table(), HEADINGS, ['id', 'date', 'sourceId', 'accountId', 'account', 'debit', 'credit', 'basis']);

/** Returns text without the apostrophe that the export adds so that spreadsheets don't run the text as a formula. */
const unmarked = (text: string): string => (/^'[\s=+\-@\p{Cc}]/u.test(text) ? text.slice(1) : text);

/** Reads Evenkeel's own CSV export of the books. Each line has its basis. */
export const evenkeelExport: Reader = {
  format: 'evenkeel',
  label: 'Evenkeel export (CSV)',
  system: 'Evenkeel',
  recognizes: (file) => reportOf(file) !== undefined,
  read: (file) => {
    const report = reportOf(file);
    if (report === undefined) throw refusalAt(file.name, 'The file is not an Evenkeel export');
    return readExport(report);
  },
};

function readExport(report: Report<Key>): FileBooks {
  const dates = new Dates(report.file);
  const accounts = new Map<string, SourceAccount>();
  const entries = new Entries(report.file);
  const byId = new Map<string, SourceTransaction>();
  for (const row of report.rows) {
    const place = { file: report.file, row: row.row };
    const text = (key: Key): string => unmarked(cellOf(report, row, key));
    dates.add(text('date'), place);
    const basis = text('basis');
    if (basis !== 'B' && basis !== 'A' && basis !== 'C') throw refusalAt(place, 'The basis must be B, A, or C');
    const known = byId.get(text('id'));
    const transaction = known ?? startOf(text, dates, place);
    byId.set(text('id'), transaction);
    const [party, memo, profitCenter, location] = (['party', 'lineMemo', 'profitCenter', 'location'] as const).map(
      text,
    );
    const facts = { party, memo, profitCenter, location };
    transaction.lines.push({
      account: accountIn(text, accounts),
      amount: cents(amountOrZero(text('debit'), place) - amountOrZero(text('credit'), place)),
      ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== '')),
      basis,
      place,
    });
  }
  dates.decide();
  for (const transaction of byId.values()) {
    checkBases(transaction);
    entries.add(transaction);
  }
  return { accounts: [...accounts.values()], transactions: entries.transactions, warnings: entries.warnings() };
}

function startOf(text: (key: Key) => string, dates: Dates, place: { file: string; row: number }): SourceTransaction {
  const [number, memo] = [text('number'), text('memo')];
  return {
    id: text('id'),
    date: dates.dateIn(text('date'), place),
    type: text('type'),
    ...(number === '' ? {} : { number }),
    ...(memo === '' ? {} : { memo }),
    lines: [],
    place,
  };
}

/**
 * A transaction balances on each basis. An export for one basis contains the lines for that basis and the lines for
 * both bases.
 */
function checkBases(transaction: SourceTransaction): void {
  for (const basis of ['A', 'C'] as const) {
    const lines = transaction.lines.filter((line) => line.basis === 'B' || line.basis === basis);
    const isExported = basis === 'A' || transaction.lines.some((line) => line.basis === 'C');
    const hasOther = transaction.lines.some((line) => line.basis === 'C');
    if (isExported && !(basis === 'A' && hasOther && !transaction.lines.some((line) => line.basis === 'A'))) {
      checkBalance({ ...transaction, lines }, FILTERED);
    }
  }
}

function accountIn(text: (key: Key) => string, accounts: Map<string, SourceAccount>): string {
  const key = text('accountId');
  if (!accounts.has(key)) {
    const [name, number, sourceType] = [text('account'), text('accountNumber'), text('accountType')];
    const type = typeFor(sourceType);
    const role = roleFor({ name, type });
    accounts.set(key, {
      key,
      name,
      ...(number === '' ? {} : { number }),
      ...(type === undefined ? {} : { type }),
      sourceType,
      ...(role === undefined ? {} : { role }),
      isActive: true,
    });
  }
  return key;
}
