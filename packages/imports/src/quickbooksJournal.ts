import { type Cents, cents } from '@evenkeel/core/money';
import { refusalAt, type SourceTransaction } from './books.ts';
import { amountIn, amountOrZero, Dates, shown } from './cells.ts';
import { checkBalance, Entries, FILTERED } from './entries.ts';
import type { FileBooks, OpenFile, Reader } from './reader.ts';
import { cellOf, factsIn, type Headings, refuseCash, refuseMissing, type Report, reportIn } from './report.ts';
import type { Row } from './table.ts';

/**
 * The columns in the Journal report. Before 2026, only the first line of a transaction has the date, type, and number,
 * and a row with both totals ends the transaction. Since 2026, each line has these values, and the transaction's ID
 * starts and ends a group.
 */
const HEADINGS = {
  date: ['transaction date', 'date'],
  type: ['transaction type', 'type'],
  number: ['num', 'no', 'number', 'doc num'],
  name: ['name', 'customer/vendor', 'payee'],
  memo: ['memo/description', 'description', 'memo', 'line description'],
  account: ['account full name', 'account', 'account name', 'full name', 'distribution account'],
  debit: ['debit'],
  credit: ['credit'],
  id: ['transaction id', 'trans #', 'trans id'],
  split: ['split', 'split account', 'item split account'],
  source: ['source'],
  code: ['account code'],
  class: ['class full name', 'class'],
  location: ['location full name', 'location', 'department'],
} satisfies Headings<string>;
type Key = keyof typeof HEADINGS;

const REQUIRED: readonly Key[] = ['date', 'type', 'account', 'debit', 'credit'];
const ADVICE =
  'In QuickBooks Online, open Reports > Journal, choose All dates and the default columns, and export it to Excel.';

const TOTAL_FOR = /^total for (.+)$/i;

const reportOf = (file: OpenFile): Report<Key> | undefined => reportIn(file.table(), HEADINGS, REQUIRED);

const isNamed = (file: OpenFile, name: RegExp): boolean =>
  file
    .table()
    .rows.first(5)
    .some(({ cells }) => cells.some((cell) => name.test(cell)));

/** Reads the Journal report from QuickBooks Online, and checks all totals. */
class JournalReader {
  readonly #report: Report<Key>;
  readonly #dates: Dates;
  readonly #entries: Entries;
  #now: SourceTransaction | undefined;
  #debits = 0;
  #credits = 0;
  #allDebits = 0;
  #allCredits = 0;
  /** The ID of the current group. */
  #group: string | undefined;
  #hasTotal = false;

  constructor(report: Report<Key>, dates: Dates) {
    this.#report = report;
    this.#dates = dates;
    this.#entries = new Entries(report.file);
  }

  read(): Pick<FileBooks, 'transactions' | 'warnings'> {
    for (const row of this.#report.rows) this.#row(row);
    this.#close();
    if (!this.#hasTotal && this.#report.footer.length === 0) {
      const row = this.#report.rows.at(-1)?.row ?? this.#report.header.row;
      throw refusalAt(
        { file: this.#report.file, row },
        'The report ends without its total, so part of it is missing. Export it again.',
      );
    }
    return { transactions: this.#entries.transactions, warnings: this.#entries.warnings() };
  }

  #cell(row: Row, key: Key): string {
    return cellOf(this.#report, row, key);
  }

  #row(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    const [first = ''] = row.cells;
    const account = this.#cell(row, 'account');
    const isLabeled = first !== '' && account === '' && !this.#dates.isDate(first);
    if (isLabeled && /^total$/i.test(first)) {
      this.#close();
      this.#hasTotal = true;
      this.#checkTotals(row, { debit: this.#allDebits, credit: this.#allCredits, what: 'The total of the report' });
      return;
    }
    if (this.#hasTotal) throw refusalAt(place, 'The report has rows after its total. Export it again.');
    if (isLabeled && TOTAL_FOR.test(first)) {
      this.#endGroup(row, TOTAL_FOR.exec(first)?.[1] ?? '');
      return;
    }
    if (isLabeled && row.cells.every((cell, at) => at === 0 || cell === '')) {
      this.#close();
      this.#group = first;
      return;
    }
    if (account === '') this.#withoutAccount(row);
    else this.#line(row);
  }

  #endGroup(row: Row, id: string): void {
    if (this.#group !== id) {
      throw refusalAt(
        { file: this.#report.file, row: row.row },
        `The total for ${id} doesn't follow the rows of transaction ${id}. Export the report again.`,
      );
    }
    this.#checkTotals(row, {
      debit: this.#debits,
      credit: this.#credits,
      what: `The total for transaction ${id}`,
    });
    this.#close();
    this.#group = undefined;
  }

  /** Handles a row without an account: the totals of a transaction, or a line without amounts. */
  #withoutAccount(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    const [debit, credit] = [this.#cell(row, 'debit'), this.#cell(row, 'credit')];
    if (amountOrZero(debit, place) === 0 && amountOrZero(credit, place) === 0) {
      if (this.#group === undefined && this.#cell(row, 'date') !== '') this.#start(row);
      return;
    }
    const isTotal = debit !== '' && credit !== '' && this.#cell(row, 'date') === '' && this.#now !== undefined;
    if (!isTotal) throw refusalAt(place, `The row has an amount but no account. ${ADVICE}`);
    this.#checkTotals(row, { debit: this.#debits, credit: this.#credits, what: 'The total of the transaction' });
    this.#close();
  }

  #start(row: Row): void {
    this.#close();
    const place = { file: this.#report.file, row: row.row };
    const date = this.#dates.dateIn(this.#cell(row, 'date'), place);
    const [number, party, memo] = [this.#cell(row, 'number'), this.#cell(row, 'name'), this.#cell(row, 'memo')];
    const id = this.#group ?? this.#cell(row, 'id');
    this.#now = {
      date,
      type: this.#cell(row, 'type'),
      ...(id === '' ? {} : { id }),
      ...(number === '' ? {} : { number }),
      ...(party === '' ? {} : { party }),
      ...(memo === '' ? {} : { memo }),
      lines: [],
      place,
    };
  }

  #line(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    if (this.#startsTransaction(row)) this.#start(row);
    const now = this.#now;
    if (now === undefined) throw refusalAt(place, `The row doesn't belong to a transaction. ${ADVICE}`);
    const [debit, credit] = [this.#cell(row, 'debit'), this.#cell(row, 'credit')].map((cell) => amountIn(cell, place));
    const amount: Cents = cents((debit ?? 0) - (credit ?? 0));
    this.#debits += debit ?? 0;
    this.#credits += credit ?? 0;
    // In the older layout, the name on the first line applies to the whole transaction.
    const own = this.#cell(row, 'name');
    const party = own === '' ? now.party : own;
    const [memo, profitCenter, location] = (['memo', 'class', 'location'] as const).map((key) => this.#cell(row, key));
    now.lines.push({
      account: this.#cell(row, 'account'),
      amount,
      ...(party === undefined ? {} : { party }),
      ...(memo === '' || memo === now.memo ? {} : { memo }),
      ...(profitCenter === '' ? {} : { profitCenter }),
      ...(location === '' ? {} : { location }),
      place,
    });
  }

  #startsTransaction(row: Row): boolean {
    const [date, now] = [this.#cell(row, 'date'), this.#now];
    if (now === undefined) return true;
    if (date === '' || this.#group !== undefined) return false;
    const id = this.#cell(row, 'id');
    if (id !== '' && now.id !== undefined) return id !== now.id;
    // Without groups, consecutive lines with the same date, type, and number belong to one transaction until they
    // balance.
    const isOther =
      this.#dates.dateIn(date, { file: this.#report.file, row: row.row }) !== now.date ||
      this.#cell(row, 'type') !== now.type ||
      this.#cell(row, 'number') !== (now.number ?? '');
    return isOther || (this.#debits === this.#credits && this.#debits !== 0);
  }

  #close(): void {
    const now = this.#now;
    if (now !== undefined) {
      checkBalance(now, FILTERED);
      this.#allDebits += this.#debits;
      this.#allCredits += this.#credits;
      this.#entries.add(now);
    }
    this.#now = undefined;
    this.#debits = 0;
    this.#credits = 0;
  }

  /** Compares the totals in a row with the lines above the row. */
  #checkTotals(row: Row, { debit, credit, what }: { debit: number; credit: number; what: string }): void {
    const place = { file: this.#report.file, row: row.row };
    const lines = this.#now?.lines ?? [];
    for (const [key, sum] of [['debit', debit] as const, ['credit', credit] as const]) {
      const said = amountIn(this.#cell(row, key), place);
      // The result of a formula may be missing.
      if (said === undefined || said === sum) continue;
      const suspects = lines.filter(({ amount }) => (key === 'debit' ? amount > 0 : amount < 0));
      throw refusalAt(
        place,
        `${what} has ${key}s of ${shown(said)}, but its rows add up to ${shown(cents(sum))}. ${FILTERED}`,
        [row.row, ...suspects.map((line) => line.place.row)],
      );
    }
  }
}

/** The reader for the Journal report from QuickBooks Online in both layouts. */
export const quickbooksJournal: Reader = {
  format: 'qbo-journal',
  label: 'QuickBooks Online Journal',
  system: 'QuickBooks Online',
  recognizes: (file) => {
    const report = reportOf(file);
    if (report === undefined) return isNamed(file, /^journal$/i) && !isNamed(file, /^xero|journal report/i);
    const isOther = report.columns.split !== undefined || report.columns.source !== undefined;
    return !isOther && (report.columns.id === undefined || isNamed(file, /^journal$/i));
  },
  read: (file, choices) => {
    const report = reportOf(file);
    if (report === undefined)
      return refuseMissing(file.table(), { headings: HEADINGS, required: REQUIRED, advice: ADVICE });
    const facts = factsIn(report);
    refuseCash(file.name, facts.basis);
    const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
    for (const row of report.rows) {
      const date = cellOf(report, row, 'date');
      const isLine = date !== '' && (cellOf(report, row, 'account') !== '' || cellOf(report, row, 'type') !== '');
      if (isLine) dates.add(date, { file: file.name, row: row.row });
    }
    dates.decide(facts);
    const content = new JournalReader(report, dates).read();
    return { ...facts, ...content, questions: dates.question === undefined ? [] : [dates.question] };
  },
};
