import { formatDate, formatLongDate, type IsoDate } from '../dates.ts';
import { type Cents, cents, negate, toPlain } from '../money.ts';
import { NOTHING } from '../nothing.ts';
import type { Steps } from '../steps.ts';
import type { ColumnSummaryItem, Report, ReportSection, ReportSource } from './report.ts';
import { tableSection, type TableSpec } from './table.ts';

/** The report for one reconciliation, to be filed with the bank statement. */

/** An entry on the report. Money in is positive. */
export interface ReportedEntry {
  postingDate: IsoDate;
  number: string;
  name: string;
  description: string;
  amount: Cents;
  transactionId: number;
}

export interface ReportedReconciliation {
  companyName: string;
  accountName: string;
  /** The number of this reconciliation in the account, starting with 1. */
  number: number;
  statementDate: IsoDate;
  /** The date of the previous statement. Null for the first statement. */
  lastDate: IsoDate | null;
  lastBalance: Cents;
  bankCharge: Cents;
  interest: Cents;
  cleared: readonly ReportedEntry[];
  /** The entries dated on or before the statement date that had not been cleared by that date. */
  outstanding: readonly ReportedEntry[];
}

const LAST = 'Last Balance';

interface Row {
  block: string;
  date: IsoDate | null;
  number: string;
  name: string;
  words: string;
  amount: Cents;
  transactionId?: number;
}

/**
 * Returns the report. The last balance, cleared entries, charge, and interest add up to the statement balance. Together
 * with the outstanding entries, these amounts add up to the balance in the books on that date.
 */
export function* reconciliationReport(given: ReportedReconciliation): Steps<Report> {
  const { companyName, accountName, number, statementDate } = given;
  const title = 'Reconciliation Report';
  const proved = yield* sectionOf(given, { title, totalTitle: 'Statement Balance', rows: provedRows(given) });
  const open = yield* sectionOf(given, {
    title: 'Outstanding Entries',
    totalTitle: 'Total Outstanding Entries',
    rows: given.outstanding.map((entry) => ({ ...rowOf(entry), block: `Outstanding ${directionOf(entry)}` })),
  });
  const inBooks = cents(proved.total + open.total);
  const heads = [
    companyName,
    title,
    `${accountName}, reconciliation ${number}`,
    `Statement dated ${formatLongDate(statementDate)}`,
  ];
  return {
    title,
    reportHeaderItems: heads.map((headerText) => ({ headerText })),
    reportSections: [proved, open],
    reportSummaries: [
      {
        description: IN_BOOKS,
        amount: inBooks,
        // The amount is in the last column.
        columnTotals: totalLine(IN_BOOKS, { headerText: toPlain(inBooks), isCurrency: true, rightAlign: true }),
      },
    ],
  };
}

const IN_BOOKS = 'Balance in the Books';

/** Returns a line with a label and one amount in the report's five columns. */
function totalLine(words: string, amount: ColumnSummaryItem): ColumnSummaryItem[] {
  const text = (headerText: string) => ({ headerText, isCurrency: false, rightAlign: false });
  return [text(words), text(''), text(''), text(''), amount];
}

/** Returns the rows in the order in which the page shows them. */
function provedRows(given: ReportedReconciliation): Row[] {
  const { lastDate, lastBalance, bankCharge, interest, cleared, statementDate } = given;
  const blank = { number: '', name: '' };
  const words = lastDate === null ? 'No previous statement' : `Statement dated ${formatDate(lastDate)}`;
  const charges = [
    { words: 'Bank charge', amount: negate(bankCharge) },
    { words: 'Interest', amount: interest },
  ].filter(({ amount }) => amount !== 0);
  const rows = cleared.map(rowOf);
  return [
    { ...blank, block: LAST, date: lastDate, words, amount: lastBalance },
    ...rows.filter(({ amount }) => amount > 0),
    ...rows.filter(({ amount }) => amount < 0),
    ...charges.map((each) => ({ ...blank, ...each, block: 'Charge and Interest', date: statementDate })),
  ];
}

function rowOf({ postingDate: date, number, name, description: words, amount, transactionId }: ReportedEntry): Row {
  return { block: directionOf({ amount }), date, number, name, words, amount, transactionId };
}

const directionOf = ({ amount }: Pick<ReportedEntry, 'amount'>): string => (amount > 0 ? 'Money In' : 'Money Out');

function* sectionOf(
  { statementDate }: ReportedReconciliation,
  { title, totalTitle, rows }: { title: string; totalTitle: string; rows: readonly Row[] },
): Steps<ReportSection> {
  const section = yield* tableSection(tableOf(statementDate), rows, title);
  const [summary] = section.columnSummaryLines;
  const [, ...others] = summary?.columnSummaryItems ?? [];
  const words = { headerText: totalTitle, isCurrency: false, rightAlign: false };
  // A block of one line needs no total.
  const reportBlocks = section.reportBlocks.map((block) =>
    block.blockTitle === LAST ? { ...block, displayFooter: false, columnTotals: undefined } : block,
  );
  return { ...section, totalTitle, reportBlocks, columnSummaryLines: [{ columnSummaryItems: [words, ...others] }] };
}

function tableOf(statementDate: IsoDate): TableSpec<Row> {
  return {
    columns: [
      { title: 'Date', text: ({ date }) => (date === null ? NOTHING : formatDate(date)) },
      { title: 'Number', text: ({ number }) => number },
      { title: 'Name', text: ({ name }) => name },
      { title: 'Description', text: ({ words }) => words },
      { title: 'Amount', amount: ({ amount }) => amount },
    ],
    groupBy: ({ block }) => block,
    source: ({ transactionId, date }): ReportSource | undefined => {
      if (transactionId === undefined) return undefined;
      const all = { accountIds: [], from: null, profitCenterId: null, locationId: null, basis: 0 };
      return { ...all, to: date ?? statementDate, transactionId };
    },
  };
}
