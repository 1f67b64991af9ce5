import { type Cents, cents, ZERO } from '@evenkeel/core/money';
import {
  noticeAt,
  type Place,
  refusalAt,
  type SourceAccount,
  type SourceLine,
  type SourceTransaction,
} from './books.ts';
import { typeFor } from './accountTypes.ts';
import { amountIn, amountOrZero, Dates, shown } from './cells.ts';
import { checkBalance, Entries, FILTERED } from './entries.ts';
import type { Choices, FileBooks, OpenFile, Reader } from './reader.ts';
import { withContacts } from './xeroContacts.ts';
import { cellOf, factsIn, type Headings, refuseCash, refuseMissing, type Report, reportIn } from './report.ts';
import { onlyCell, type Row } from './table.ts';

const HEADINGS = {
  id: ['trans #', 'trans no', 'transaction #', 'journal number', 'journal no', 'journal id', 'journal'],
  date: ['date', 'transaction date', 'journal date'],
  type: ['type', 'transaction type', 'source', 'source type'],
  number: ['num', 'no', 'reference', 'ref'],
  name: ['name', 'source name', 'contact', 'contact name', 'customer/vendor'],
  memo: ['memo', 'description', 'memo/description', 'details'],
  narration: ['narration'],
  account: ['account', 'account name', 'account full name'],
  code: ['account code', 'accnt #', 'accnt no', 'account number'],
  accountType: ['account type'],
  debit: ['debit'],
  credit: ['credit'],
  amount: ['amount', 'net amount'],
  balance: ['balance', 'running balance'],
} satisfies Headings<string>;
type Key = keyof typeof HEADINGS;

interface Kind {
  required: readonly Key[];
  advice: string;
}

interface Sums {
  debits: number;
  credits: number;
}

interface Section extends Sums {
  running: number;
  /** The total of the amounts since the last balance. */
  pending: number;
  /** Whether amounts are added to (1) or subtracted from (-1) the running balance. */
  sign: 1 | -1 | undefined;
}

/** The label of a row with totals. The label is in a cell before the account's cell. */
const labelOf = (row: Row): string => row.cells.find((cell) => cell !== '' && !/^[-$(\d]/.test(cell)) ?? '';

/**
 * Reads reports in which each line identifies its transaction: QuickBooks Desktop's detail and journal reports, and
 * Xero's journal report.
 */
class DetailReader {
  readonly #report: Report<Key>;
  readonly #dates: Dates;
  readonly #byId = new Map<string, SourceTransaction>();
  /** The transaction of the last line. Rows without an ID belong to this transaction. */
  #now: SourceTransaction | undefined;
  /** The heading of a journal in Xero's report: its ID and description. */
  #heading: { id: string; place: Place } | undefined;
  readonly #all: Sums = { debits: 0, credits: 0 };
  /** The total of the amounts as shown in the report. */
  #amounts = 0;
  #section: Section = { debits: 0, credits: 0, running: 0, pending: 0, sign: undefined };
  #own: Sums & { rows: number[] } = { debits: 0, credits: 0, rows: [] };
  readonly accounts = new Map<string, SourceAccount>();
  readonly #needsTotal: boolean;
  /** Whether the last row contained the totals for the whole report. */
  #isComplete = false;
  /** The number of totals for transactions or sections. */
  #partTotals = 0;
  #isPartOpen = false;

  constructor(report: Report<Key>, dates: Dates, needsTotal: boolean) {
    this.#report = report;
    this.#dates = dates;
    this.#needsTotal = needsTotal;
  }

  read(): Pick<FileBooks, 'transactions' | 'warnings' | 'accounts'> {
    for (const row of this.#report.rows) this.#row(row);
    const isCut = this.#partTotals > 0 && this.#isPartOpen;
    const isUnproved = !this.#isComplete && this.#report.footer.length === 0;
    if (isCut || (isUnproved && this.#needsTotal)) {
      this.#checkAll();
      const row = this.#report.rows.at(-1)?.row ?? this.#report.header.row;
      throw refusalAt(
        { file: this.#report.file, row },
        'The report ends without a total, so part of it may be missing. Export it again.',
      );
    }
    const entries = new Entries(this.#report.file);
    for (const transaction of this.#byId.values()) {
      checkBalance(transaction, FILTERED);
      entries.add(transaction);
    }
    const warnings = entries.warnings();
    if (isUnproved) {
      const count = entries.transactions.length.toLocaleString('en-US');
      warnings.push(noticeAt(this.#report.file, `The report has no total at the end. It has ${count} transactions.`));
    }
    return { transactions: entries.transactions, warnings, accounts: [...this.accounts.values()] };
  }

  #checkAll(): void {
    for (const transaction of this.#byId.values()) checkBalance(transaction, FILTERED);
  }

  #cell(row: Row, key: Key): string {
    return cellOf(this.#report, row, key);
  }

  #row(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    const account = this.#cell(row, 'account');
    const [debit, credit] = [this.#cell(row, 'debit'), this.#cell(row, 'credit')];
    const isLabeled = /^(total|subtotal)\b/i.test(labelOf(row)) && !this.#dates.isDate(this.#cell(row, 'date'));
    // The name of an account may also start with "Total".
    const isTotal = isLabeled && (account === '' || /^total$/i.test(account));
    if (isTotal || (account === '' && debit !== '' && credit !== '')) this.#total(row, { isReport: isTotal });
    else if (account !== '' && onlyCell(row) === undefined) this.#line(row);
    else if (onlyCell(row) !== undefined) {
      this.#section = { debits: 0, credits: 0, running: 0, pending: 0, sign: undefined };
      this.#heading = { id: onlyCell(row) ?? '', place };
      this.#now = undefined;
    } else if (amountOrZero(debit, place) !== 0 || amountOrZero(credit, place) !== 0) {
      throw refusalAt(place, `The row has an amount but no account. ${FILTERED}`);
    }
  }

  /** Returns whether a row without an ID belongs to the same transaction as the row before it. */
  #continues(row: Row, now: SourceTransaction): boolean {
    const date = this.#cell(row, 'date');
    if (date === '') return true;
    if (this.#report.columns.id !== undefined) return false;
    if (this.#heading !== undefined) return true;
    // Without IDs and headings, consecutive rows with the same date, type, and number belong to one transaction until
    // they balance.
    const place = { file: this.#report.file, row: row.row };
    const isEqual =
      this.#dates.dateIn(date, place) === now.date &&
      this.#cell(row, 'type') === now.type &&
      this.#cell(row, 'number') === (now.number ?? '');
    return isEqual && (this.#own.debits !== this.#own.credits || this.#own.debits === 0);
  }

  #transactionOf(row: Row): SourceTransaction {
    const place = { file: this.#report.file, row: row.row };
    const said = this.#cell(row, 'id').replaceAll(',', '');
    const date = this.#cell(row, 'date');
    if (said === '' && this.#now !== undefined && this.#continues(row, this.#now)) return this.#now;
    if (date === '') throw refusalAt(place, `The row has no date and doesn't belong to a transaction. ${FILTERED}`);
    const day = this.#dates.dateIn(date, place);
    const id = said === '' ? (this.#heading?.id ?? '') : said;
    const type = this.#cell(row, 'type');
    const key = id === '' ? `row ${row.row}` : `${id}|${day}|${type}`;
    const known = this.#byId.get(key);
    if (known !== undefined) return known;
    const [number, party] = [this.#cell(row, 'number'), this.#cell(row, 'name')];
    const memo = this.#cell(row, 'narration') || this.#cell(row, 'memo');
    const transaction: SourceTransaction = {
      ...(id === '' ? {} : { id }),
      date: day,
      type,
      ...(number === '' ? {} : { number }),
      ...(party === '' ? {} : { party }),
      ...(memo === '' ? {} : { memo }),
      lines: [],
      place,
    };
    this.#byId.set(key, transaction);
    return transaction;
  }

  /** Returns a row's debit minus its credit. Throws if the row's amount or balance contradicts the result. */
  #amountOf(row: Row): Cents {
    const place = { file: this.#report.file, row: row.row };
    const [debit, credit, amount] = (['debit', 'credit', 'amount'] as const).map((key) =>
      amountIn(this.#cell(row, key), place),
    );
    const isTwoSided = this.#report.columns.debit !== undefined;
    const value = isTwoSided ? cents((debit ?? 0) - (credit ?? 0)) : (amount ?? ZERO);
    if (isTwoSided && amount !== undefined && Math.abs(amount) !== Math.abs(value)) {
      throw refusalAt(
        place,
        `The amount is ${shown(amount)}, but the debit and credit are ${shown(value)}. ${FILTERED}`,
      );
    }
    for (const sums of [this.#all, this.#section, this.#own]) {
      sums.debits += debit ?? 0;
      sums.credits += credit ?? 0;
    }
    this.#amounts += amount ?? 0;
    this.#checkRunning(row, value);
    return value;
  }

  #checkRunning(row: Row, value: Cents): void {
    const text = this.#cell(row, 'balance');
    const section = this.#section;
    // The result of a formula may be missing. The amount is then calculated from the next balance.
    section.pending += value;
    if (text === '' || text.startsWith('#')) return;
    const place = { file: this.#report.file, row: row.row };
    const said = amountOrZero(text, place);
    if (section.sign === undefined && section.pending !== 0 && said !== section.running) {
      section.sign = said === section.running - section.pending ? -1 : 1;
    }
    const next = section.running + section.pending * (section.sign ?? 1);
    if (said !== next) {
      throw refusalAt(
        place,
        `The balance is ${shown(said)}, but the entries up to this row add up to ${shown(cents(next))}. ${FILTERED}`,
      );
    }
    section.running = said;
    section.pending = 0;
  }

  #line(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    const now = this.#transactionOf(row);
    if (now !== this.#now) this.#own = { debits: 0, credits: 0, rows: [] };
    this.#now = now;
    this.#isComplete = false;
    this.#isPartOpen = true;
    const amount = this.#amountOf(row);
    this.#own.rows.push(row.row);
    const [own, memo] = [this.#cell(row, 'name'), this.#cell(row, 'memo')];
    const party = own === '' ? now.party : own;
    const line: SourceLine = {
      account: this.#account(row),
      amount,
      ...(party === undefined ? {} : { party }),
      ...(memo === '' || memo === now.memo ? {} : { memo }),
      place,
    };
    now.lines.push(line);
  }

  #account(row: Row): string {
    const [label, code, sourceType] = [
      this.#cell(row, 'account'),
      this.#cell(row, 'code'),
      this.#cell(row, 'accountType'),
    ];
    const key = code === '' ? label : `${label} (${code})`;
    if (!this.accounts.has(key) && (code !== '' || sourceType !== '')) {
      const type = typeFor(sourceType);
      this.accounts.set(key, {
        key,
        name: label,
        ...(code === '' ? {} : { number: code }),
        ...(type === undefined ? {} : { type }),
        ...(sourceType === '' ? {} : { sourceType }),
        isActive: true,
      });
    }
    return key;
  }

  /** Checks the amount and the balance in a row with totals, if the row has them. */
  #checkOthers(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    const [amount, balance] = (['amount', 'balance'] as const).map((key) => {
      const text = this.#cell(row, key);
      return text.startsWith('#') ? undefined : amountIn(text, place);
    });
    const { debits, credits, pending, sign } = this.#section;
    const running = this.#section.running + pending * (sign ?? 1);
    const expected = [running, debits - credits, this.#all.debits - this.#all.credits, this.#amounts];
    for (const said of [amount, balance]) {
      if (said === undefined || expected.includes(said)) continue;
      throw refusalAt(
        place,
        `The total is ${shown(said)}, but the rows add up to ${shown(cents(running))}. ${FILTERED}`,
      );
    }
  }

  #total(row: Row, { isReport }: { isReport: boolean }): void {
    const place = { file: this.#report.file, row: row.row };
    const [debit, credit] = [this.#cell(row, 'debit'), this.#cell(row, 'credit')].map((cell) => amountIn(cell, place));
    const fits = ({ debits, credits }: Sums): boolean =>
      (debit ?? debits) === debits && (credit ?? credits) === credits;
    const all = this.#all;
    const isPart = fits(this.#own) || fits(this.#section);
    this.#isComplete = isReport && fits(all);
    if (this.#isComplete || isPart) this.#checkOthers(row);
    if (!isPart && !this.#isComplete) {
      this.#checkAll();
      const isOwn = this.#own.rows.length > 0 && (!isReport || this.#partTotals > 0 || this.#heading !== undefined);
      const expected = isOwn ? this.#own : all;
      throw refusalAt(
        place,
        `The total has debits of ${shown(debit ?? ZERO)} and credits of ${shown(credit ?? ZERO)}, but the ` +
          `rows add up to ` +
          `${shown(cents(expected.debits))} and ${shown(cents(expected.credits))}. ${FILTERED}`,
        [row.row, ...(isOwn ? this.#own.rows : [])],
      );
    }
    if (!this.#isComplete) this.#partTotals += 1;
    this.#isPartOpen = false;
    this.#now = undefined;
    this.#heading = undefined;
    this.#own = { debits: 0, credits: 0, rows: [] };
  }
}

const DESKTOP: Kind = {
  required: ['id', 'date', 'type', 'account'],
  advice:
    'In QuickBooks Desktop, open Reports > Custom Reports > Transaction Detail, choose All dates, add the columns ' +
    'Trans #, Type, Date, Num, Name, Memo, Account, Debit, and Credit, and export it as a CSV or Excel file.',
};

const XERO: Kind = {
  required: ['date', 'account', 'debit', 'credit'],
  advice: 'In Xero, open Reports > Journal Report, choose the whole period, and export it to Excel.',
};

const hasAmounts = (report: Report<Key>): boolean =>
  report.columns.amount !== undefined || (report.columns.debit !== undefined && report.columns.credit !== undefined);

const isTitled = (file: OpenFile, pattern: RegExp): boolean =>
  file
    .table()
    .rows.first(6)
    .some((row) => pattern.test(onlyCell(row) ?? ''));

function readDetail(
  file: OpenFile,
  { report, needsTotal, choices }: { report: Report<Key>; needsTotal: boolean; choices: Choices },
): FileBooks {
  const facts = factsIn(report);
  refuseCash(file.name, facts.basis);
  const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
  for (const row of report.rows) {
    const text = cellOf(report, row, 'date');
    if (text !== '' && cellOf(report, row, 'account') !== '') dates.add(text, { file: file.name, row: row.row });
  }
  dates.decide(facts);
  const content = new DetailReader(report, dates, needsTotal).read();
  return { ...facts, ...content, questions: dates.question === undefined ? [] : [dates.question] };
}

/** The reader for QuickBooks Desktop's Transaction Detail and Journal reports. */
export const desktopDetail: Reader = {
  format: 'desktop-detail',
  label: 'QuickBooks Desktop Transaction Detail',
  system: 'QuickBooks Desktop',
  recognizes: (file) => {
    const report = reportIn(file.table(), HEADINGS, ['date', 'account']);
    const id = report?.header.cells.some((cell) => /^trans(action)? (#|no\.?)$/i.test(cell)) ?? false;
    return id || isTitled(file, /^custom transaction detail( report)?$/i);
  },
  read: (file, choices) => {
    const report = reportIn(file.table(), HEADINGS, DESKTOP.required);
    if (report === undefined || !hasAmounts(report)) {
      const required: Key[] = report === undefined ? [...DESKTOP.required] : ['debit', 'credit'];
      return refuseMissing(file.table(), { headings: HEADINGS, required, advice: DESKTOP.advice });
    }
    return readDetail(file, { report, needsTotal: true, choices });
  },
};

/** The reader for Xero's Journal Report, in which each journal starts with a heading or a number. */
export const xeroJournal: Reader = {
  format: 'xero-journal',
  label: 'Xero Journal Report',
  system: 'Xero',
  recognizes: (file) => {
    if (isTitled(file, /^journal report$/i)) return true;
    const report = reportIn(file.table(), HEADINGS, ['date', 'account', 'debit', 'credit', 'id']);
    return report?.header.cells.some((cell) => /^journal (number|no\.?|id)$/i.test(cell)) ?? false;
  },
  read: (file, choices, typeOf) => {
    const report = reportIn(file.table(), HEADINGS, XERO.required);
    if (report === undefined) return refuseMissing(file.table(), { headings: HEADINGS, ...XERO });
    return withContacts(readDetail(file, { report, needsTotal: false, choices }), typeOf);
  },
};
