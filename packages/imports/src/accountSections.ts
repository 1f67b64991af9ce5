import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, ZERO } from '@evenkeel/core/money';
import { noticeAt, refusalAt, type SourceTransaction } from './books.ts';
import { amountIn, type Dates, shown } from './cells.ts';
import { FILTERED } from './entries.ts';
import type { TypeOf } from './reader.ts';
import { type LooseLine, regrouped } from './regroup.ts';
import { cellOf, type Headings, type Report } from './report.ts';
import { withDebits } from './signs.ts';
import { onlyCell, type Row } from './table.ts';

/** The columns of reports that list the entries of each account under its name. */
export const SECTION_HEADINGS = {
  date: ['transaction date', 'date'],
  type: ['transaction type', 'type', 'source'],
  number: ['num', 'no', 'reference', 'invoice number', 'ref'],
  party: ['name', 'contact', 'contact name', 'customer/vendor', 'payee'],
  memo: ['memo/description', 'description', 'memo', 'details'],
  account: ['distribution account', 'account full name', 'account', 'account name'],
  code: ['account code'],
  debit: ['debit'],
  credit: ['credit'],
  amount: ['amount', 'net'],
  balance: ['balance', 'running balance'],
  split: ['split', 'split account', 'item split account'],
} satisfies Headings<string>;
export type SectionKey = keyof typeof SECTION_HEADINGS;

interface Section {
  /** The account's name with its parents, from the headings. */
  account: string;
  /** The account's name in the entries, if a column contains it. */
  label?: string;
  heading: string;
  row: number;
  /** The label of the parent account's total row, which includes the subaccounts' amounts. */
  closesWith: string;
  debits: number;
  credits: number;
  /** The amounts as the report shows them: with natural signs, or as debits and credits. */
  sum: number;
  /** The amounts including all subaccounts. */
  whole: number;
  opening: number;
  /** The row of the opening balance. Set until an entry confirms the balance. */
  openingRow?: number | undefined;
  running: number;
  /** The total of the amounts since the last balance. */
  pending: number;
  /** Whether amounts are added to (1) or subtracted from (-1) the running balance. */
  sign: 1 | -1 | undefined;
}

/** The totals that a total row should contain. */
interface Total {
  /** The name of the total, for use in messages. */
  what: string;
  debits?: number | undefined;
  credits?: number | undefined;
  sum: number;
  opening?: number;
  sign?: 1 | -1 | undefined;
}

const sectionFor = (account: string, heading: string, row: number): Section => ({
  account,
  heading,
  row,
  closesWith: '',
  debits: 0,
  credits: 0,
  sum: 0,
  whole: 0,
  opening: 0,
  running: 0,
  pending: 0,
  sign: undefined,
});

/** Returns whether a row may be the heading or the total of an account. */
const isLabel = (row: Row): boolean => /^total\b/i.test(row.cells[0] ?? '') || onlyCell(row) !== undefined;

const OPENING = /^(beginning|opening) balance$/i;
const CLOSING = /^(ending|closing) balance$/i;
const TOTAL = /^total(?: for)?(?: (.+?))?(?: with sub-?accounts)?$/i;

/**
 * Reads reports that are sorted by account, checks their totals and running balances, and combines the entries into
 * transactions.
 */
export class SectionReader {
  readonly #report: Report<SectionKey>;
  readonly #dates: Dates;
  readonly #file: string;
  readonly #stack: Section[] = [];
  /** The accounts in a report that is not grouped by account. */
  readonly #flat = new Map<string, Section>();
  /** The rows that may be headings or totals of accounts. */
  readonly #labels: Row[] = [];
  readonly #lines: LooseLine[] = [];
  readonly #openings: { section: Section; amount: Cents; row: number; isBalance: boolean }[] = [];
  #grand = { debits: 0, credits: 0, sum: 0 };
  #hasTotal = false;
  #hasTotals = false;

  constructor(report: Report<SectionKey>, dates: Dates) {
    this.#report = report;
    this.#dates = dates;
    this.#file = report.file;
  }

  get #isTwoSided(): boolean {
    return this.#report.columns.debit !== undefined;
  }

  /** Returns the transactions. Amounts with natural signs are turned into debits and credits. */
  read(typeOf: TypeOf, from: IsoDate | undefined): SourceTransaction[] {
    const { rows } = this.#report;
    for (const row of rows) if (isLabel(row)) this.#labels.push(row);
    for (const row of rows) this.#row(row);
    const [open] = this.#stack;
    const isCut = open !== undefined || (!this.#hasTotal && this.#report.footer.length === 0);
    if (isCut || (!this.#hasTotals && this.#flat.size === 0)) {
      const row = rows.at(-1)?.row ?? this.#report.header.row;
      const what = open === undefined ? 'without its total' : `within ${open.heading}`;
      throw refusalAt({ file: this.#file, row }, `The report ends ${what}, so part of it is missing. Export it again.`);
    }
    const lines = this.#isTwoSided
      ? this.#lines
      : withDebits(this.#file, [...this.#lines, ...this.#openingLines(from)], typeOf);
    const all = this.#isTwoSided ? [...lines, ...this.#openingLines(from)] : lines;
    return regrouped(this.#file, all);
  }

  /** Returns the balances before the first day as the lines of a single transaction. */
  #openingLines(from: IsoDate | undefined): LooseLine[] {
    const first = from ?? this.#lines.map(({ date }) => date).toSorted()[0];
    if (first === undefined) return [];
    const date = addDays(first, -1);
    return this.#openings
      .filter(({ amount }) => amount !== 0)
      .map(({ section: { label, account, sign }, amount, row, isBalance }) => ({
        date,
        type: 'Opening Balance',
        number: '',
        party: '',
        memo: '',
        account: label ?? account,
        // Some reports show credit balances as positive. The account's entries determine the sign of the balance.
        amount: isBalance && this.#isTwoSided ? cents(amount * (sign ?? 1)) : amount,
        row,
      }));
  }

  #cell(row: Row, key: SectionKey): string {
    return cellOf(this.#report, row, key);
  }

  #row(row: Row): void {
    const [first = '', second = ''] = row.cells;
    const label = first === '' && !this.#dates.isDate(second) ? second : first;
    const section = this.#stack.at(-1);
    if (OPENING.test(label) || OPENING.test(this.#cell(row, 'date'))) this.#opening(row, section);
    else if (CLOSING.test(label)) this.#closing(row);
    else if (this.#dates.isDate(this.#cell(row, 'date'))) this.#line(row, section);
    else if (TOTAL.test(label) && !this.#isHeading(row, label)) this.#total(row, label);
    else if (onlyCell(row) !== undefined && first !== '') this.#open(row, first);
    else if (this.#amount(row) !== undefined || this.#cell(row, 'date') !== '') {
      throw refusalAt({ file: this.#file, row: row.row }, `The row isn't an entry, a heading, or a total. ${FILTERED}`);
    }
  }

  /** Returns whether a label such as "Total Wine" is the name of an account. Such an account has its own total row. */
  #isHeading(row: Row, label: string): boolean {
    if (onlyCell(row) === undefined || this.#stack.some(({ heading }) => this.#closes(label, heading))) return false;
    return this.#labels.some((other) => other.row > row.row && this.#closes(other.cells[0] ?? '', label));
  }

  #closes(label: string, heading: string): boolean {
    const text = label.toLowerCase();
    const name = heading.toLowerCase();
    return text === `total for ${name}` || text === `total ${name}` || text === `total for ${name} with sub-accounts`;
  }

  #open(row: Row, heading: string): void {
    const parent = this.#stack.at(-1);
    const own = `total for ${heading.toLowerCase()} with sub-accounts`;
    const after = this.#labels.filter((other) => other.row > row.row);
    const whole = after.findIndex(({ cells }) => (cells[0] ?? '').toLowerCase() === own);
    const again = whole < 0 ? -1 : after.findIndex((other) => onlyCell(other) === heading);
    const hasWhole = whole >= 0 && (again < 0 || again > whole);
    const account = parent === undefined ? heading : `${parent.account}:${heading}`;
    this.#stack.push({ ...sectionFor(account, heading, row.row), closesWith: hasWhole ? own : '' });
  }

  /** Returns the amount in a row as the report shows it, or undefined if the row has none. */
  #amount(row: Row): Cents | undefined {
    const place = { file: this.#file, row: row.row };
    if (!this.#isTwoSided) return amountIn(this.#cell(row, 'amount'), place);
    const [debit, credit] = [this.#cell(row, 'debit'), this.#cell(row, 'credit')].map((cell) => amountIn(cell, place));
    return debit === undefined && credit === undefined ? undefined : cents((debit ?? 0) - (credit ?? 0));
  }

  #opening(row: Row, section: Section | undefined): void {
    const place = { file: this.#file, row: row.row };
    const [balance, own] = [amountIn(this.#cell(row, 'balance'), place), this.#amount(row)];
    if (balance !== undefined && own !== undefined && own !== 0 && Math.abs(balance) !== Math.abs(own)) {
      throw refusalAt(
        place,
        `The opening balance is ${shown(own)} in one column and ${shown(balance)} in another. ${FILTERED}`,
      );
    }
    const said = balance ?? own;
    const only = row.cells.filter((cell) => cell !== '' && !OPENING.test(cell));
    const amount = said ?? (only.length === 1 ? amountIn(only[0] ?? '', place) : undefined) ?? ZERO;
    if (section === undefined) throw refusalAt(place, `The balance doesn't belong to an account. ${FILTERED}`);
    section.opening = amount;
    section.openingRow = row.row;
    section.running = amount;
    section.whole += amount;
    const isBalance = own === undefined || own === 0;
    this.#openings.push({ section, amount: isBalance ? amount : own, row: row.row, isBalance });
  }

  #accountOf(row: Row, section: Section): string {
    const own = this.#isTwoSided ? '' : this.#cell(row, 'account');
    const label = own === '' || own === section.heading ? section.account : own;
    section.label ??= label;
    return label;
  }

  #line(row: Row, section: Section | undefined): void {
    const own = section ?? this.#sectionOf(row);
    this.#addLine(row, own, section !== undefined);
  }

  /** Returns the section for an entry in an ungrouped report, in which a column contains the account. */
  #sectionOf(row: Row): Section {
    const [name, code] = [this.#cell(row, 'account'), this.#cell(row, 'code')];
    if (name === '') {
      throw refusalAt({ file: this.#file, row: row.row }, `The entry doesn't belong to an account. ${FILTERED}`);
    }
    const account = code === '' ? name : `${name} (${code})`;
    const known = this.#flat.get(account) ?? sectionFor(account, account, row.row);
    this.#flat.set(account, known);
    return known;
  }

  #addLine(row: Row, section: Section, isGrouped: boolean): void {
    const place = { file: this.#file, row: row.row };
    const amount = this.#amount(row) ?? ZERO;
    const isDebit = amount > 0;
    section.debits += this.#isTwoSided ? (amountIn(this.#cell(row, 'debit'), place) ?? 0) : isDebit ? amount : 0;
    section.credits += this.#isTwoSided ? (amountIn(this.#cell(row, 'credit'), place) ?? 0) : isDebit ? 0 : -amount;
    section.sum += amount;
    section.whole += amount;
    if (isGrouped) this.#checkRunning(row, section, amount);
    if (amount === 0) return;
    this.#lines.push({
      date: this.#dates.dateIn(this.#cell(row, 'date'), place),
      type: this.#cell(row, 'type'),
      number: this.#cell(row, 'number'),
      party: this.#cell(row, 'party'),
      memo: this.#cell(row, 'memo'),
      account: this.#accountOf(row, section),
      amount,
      row: row.row,
    });
  }

  #checkRunning(row: Row, section: Section, amount: Cents): void {
    const text = this.#cell(row, 'balance');
    // The result of a formula may be missing. The amount is then calculated from the next balance.
    section.pending += amount;
    if (text === '' || text.startsWith('#')) return;
    const place = { file: this.#file, row: row.row };
    const said = amountIn(text, place) ?? ZERO;
    if (section.sign === undefined && section.pending !== 0) {
      if (said === section.running + section.pending) section.sign = 1;
      else if (said === section.running - section.pending && this.#isTwoSided) section.sign = -1;
    }
    const next = section.running + section.pending * (section.sign ?? 1);
    if (said !== next) {
      throw refusalAt(
        place,
        `The balance of ${section.heading} is ${shown(said)}, but the entries up to this row add up to ` +
          `${shown(cents(next))}. ${FILTERED}`,
        // The error may be in the opening balance instead of the first entry.
        [...(section.openingRow === undefined ? [] : [section.openingRow]), row.row],
      );
    }
    section.openingRow = undefined;
    section.running = said;
    section.pending = 0;
  }

  #closing(row: Row): void {
    const place = { file: this.#file, row: row.row };
    const last = this.#last;
    if (last === undefined) return;
    const expected = last.opening + last.sum * (last.sign ?? 1);
    for (const said of [amountIn(this.#cell(row, 'balance'), place), this.#amount(row)]) {
      if (said === undefined || said === expected || (this.#isTwoSided && said === -expected)) continue;
      throw refusalAt(
        place,
        `The closing balance of ${last.heading} is ${shown(said)}, but its entries add up to ` +
          `${shown(cents(expected))}. ${FILTERED}`,
      );
    }
  }

  /** The section that was most recently closed. A closing balance may come after the section's total. */
  #last: Section | undefined;

  #total(row: Row, label: string): void {
    const name = TOTAL.exec(label)?.[1];
    const section = this.#stack.at(-1);
    if (name === undefined || section === undefined) {
      this.#hasTotal = true;
      for (const one of this.#flat.values()) this.#addToGrand(one);
      this.#check(row, { ...this.#grand, what: 'The total of the report' });
      return;
    }
    this.#hasTotals = true;
    const place = { file: this.#file, row: row.row };
    if (!this.#closes(label, section.heading)) {
      throw refusalAt(place, `The report has no total for ${section.heading}, so part of it is missing. ${FILTERED}`);
    }
    const isWhole = section.closesWith === label.toLowerCase();
    if (section.closesWith !== '' && !isWhole) {
      this.#check(row, { ...section, what: label });
      return;
    }
    this.#check(
      row,
      isWhole || section.sum !== section.whole - section.opening
        ? { debits: undefined, credits: undefined, sum: section.whole, opening: section.opening, what: label }
        : { ...section, what: label },
    );
    this.#stack.pop();
    this.#last = section;
    const parent = this.#stack.at(-1);
    if (parent !== undefined) parent.whole += section.whole;
    this.#addToGrand(section);
  }

  #addToGrand({ debits, credits, sum }: Section): void {
    this.#grand.debits += debits;
    this.#grand.credits += credits;
    this.#grand.sum += sum;
  }

  /** Compares a total with the entries. The total may include the opening balance. */
  #check(row: Row, total: Total): void {
    const place = { file: this.#file, row: row.row };
    const wrong = (said: number, sum: number): never => {
      throw refusalAt(
        place,
        `${total.what} is ${shown(cents(said))}, but its entries add up to ${shown(cents(sum))}. ${FILTERED}`,
      );
    };
    if (!this.#isTwoSided) {
      const said = amountIn(this.#cell(row, 'amount'), place);
      const allowed = [total.sum, total.sum - (total.opening ?? 0), total.sum + (total.opening ?? 0)];
      if (said !== undefined && !allowed.includes(said)) wrong(said, total.sum);
    } else if (total.debits !== undefined && total.credits !== undefined) {
      const [debit, credit] = [this.#cell(row, 'debit'), this.#cell(row, 'credit')].map((cell) =>
        amountIn(cell, place),
      );
      if (debit !== undefined && debit !== total.debits) wrong(debit, total.debits);
      if (credit !== undefined && credit !== total.credits) wrong(credit, total.credits);
    }
    const balance = this.#cell(row, 'balance');
    const running = balance === '' || balance.startsWith('#') ? undefined : amountIn(balance, place);
    const expected = (total.opening ?? 0) + total.sum * (total.sign ?? 1);
    if (running !== undefined && total.opening !== undefined && ![expected, -expected, total.sum].includes(running)) {
      wrong(running, expected);
    }
  }
}

/** The warning about reports that don't identify transactions. */
export const regroupWarning = (file: string, better: string): ReturnType<typeof noticeAt> =>
  noticeAt(
    file,
    `This report lists entries by account, so identical transactions on the same day are combined into one. Use ` +
      `the ${better} ` +
      'report if you can.',
  );
