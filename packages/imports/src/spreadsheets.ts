import { type Cents, cents } from '@evenkeel/core/money';
import { isSheetKind, SHEET_KINDS, sheetFields, type SheetKind } from '@evenkeel/core/moving/sheets';
import {
  type Place,
  refusalAt,
  type SourceDocument,
  type SourceLine,
  type SourceParty,
  type SourceTransaction,
} from './books.ts';
import { roleFor, typeFor } from './accountTypes.ts';
import { amountIn, amountOrZero, Dates } from './cells.ts';
import { checkBalance, Entries } from './entries.ts';
import type { Choices, FileBooks, OpenFile, Reader, SheetFacts } from './reader.ts';
import { cellOf, headingOf, type Headings, keysOf, type Report, reportAt, reportIn } from './report.ts';
import { leafOf } from './signs.ts';
import type { Row, Table } from './table.ts';

const FIELDS = {
  date: ['date', 'invoice date', 'bill date', 'entry date', 'transaction date', 'payment date'],
  deposit: ['deposit to', 'deposit account', 'paid from', 'payment account', 'bank account'],
  due: ['due date', 'due'],
  number: [
    'number',
    'invoice number',
    'invoice no',
    'invoice #',
    'invoice',
    'bill number',
    'bill no',
    'bill #',
    'bill',
  ],
  entry: ['entry', 'entry number', 'entry no', 'journal number', 'journal no', 'journal', 'reference', 'ref'],
  customer: ['customer name', 'customer'],
  vendor: ['vendor name', 'vendor', 'supplier'],
  product: ['product name', 'item name', 'product', 'item', 'service'],
  account: ['account name', 'account', 'gl account'],
  accountNumber: ['account number', 'account no', 'account #', 'account code', 'code'],
  type: ['account type', 'type'],
  debit: ['debit'],
  credit: ['credit'],
  amount: ['open balance', 'amount due', 'balance due', 'unpaid amount', 'amount', 'balance', 'total'],
  price: ['price', 'sales price', 'rate'],
  cost: ['cost', 'purchase cost'],
  income: ['income account'],
  memo: ['memo', 'description', 'note', 'notes'],
  email: ['email', 'email address'],
  phone: ['phone', 'phone number'],
  address: ['address', 'billing address', 'bill address'],
  terms: ['terms', 'payment terms'],
  status: ['status', 'active'],
  id: ['id', 'transaction id', 'entry id', 'payment id', 'customer id', 'vendor id', 'product id'],
} satisfies Headings<string>;
type Field = keyof typeof FIELDS;

interface Sheet {
  /** Undefined if the headings don't determine the kind and the user has not chosen a kind. */
  kind: SheetKind | undefined;
  report: Report<Field>;
}

const requiredIn = (kind: SheetKind): Field[] =>
  sheetFields(kind).flatMap(({ id, isRequired }) => (isRequired === true && isField(id) ? [id] : []));

const isField = (id: string): id is Field => Object.hasOwn(FIELDS, id);

/**
 * Returns the kind and the columns of a table based on its headings. If the headings don't match any kind, the first
 * row with several nonempty cells contains the headings.
 */
function sheetByHeadings(table: Table): Sheet | undefined {
  for (const kind of keysOf(SHEET_KINDS)) {
    const report = reportIn(table, FIELDS, requiredIn(kind));
    if (report !== undefined && textsIn(report.header) > 1) return { kind, report };
  }
  const at = table.rows.first(HEADER_WITHIN).findIndex((row) => textsIn(row) > 1);
  const report = reportAt(table, FIELDS, at);
  return report === undefined || report.rows.length === 0 ? undefined : { kind: undefined, report };
}

const HEADER_WITHIN = 40;

const textsIn = ({ cells }: Row): number => cells.filter((cell) => cell !== '').length;

/** Returns the kind and the columns of a sheet, based on either the user's choices or the headings. */
function sheetIn(file: OpenFile, choices: Choices): Sheet | undefined {
  const sheet = sheetByHeadings(file.table());
  const asked = choices.kinds?.[file.name];
  if (sheet === undefined || asked === undefined || !isSheetKind(asked)) return sheet;
  const columns: Partial<Record<Field, number>> = {};
  const mapping = choices.mappings?.[file.name];
  if (mapping === undefined) return { kind: asked, report: sheet.report };
  for (const field of keysOf(FIELDS)) {
    const column = mapping[field];
    if (column !== undefined) columns[field] = column;
  }
  return { kind: asked, report: { ...sheet.report, columns } };
}

const SAMPLES = 5;

/** Returns the layout of a file that is a table, so that the user can choose its columns. */
export function sheetFactsIn(file: OpenFile, choices: Choices): SheetFacts | undefined {
  const sheet = sheetIn(file, choices);
  return sheet === undefined ? undefined : factsOf(sheet);
}

function factsOf({ kind, report }: Sheet): SheetFacts {
  const headings = report.header.cells.map((cell, index) => (headingOf(cell) === '' ? `Column ${index + 1}` : cell));
  const known = new Set<string>(kind === undefined ? [] : sheetFields(kind).map(({ id }) => id));
  const columns = Object.entries(report.columns).filter(([field]) => known.has(field));
  return {
    kind: kind ?? '',
    headings,
    mapping: Object.fromEntries(columns),
    samples: report.rows.first(SAMPLES).map(({ cells }) => headings.map((_, at) => (cells[at] ?? '').slice(0, 80))),
  };
}

/** Reads the records in a spreadsheet. */
class SheetReader {
  readonly #report: Report<Field>;
  readonly #dates: Dates;
  /** The row that contains each ID. */
  readonly #ids = new Map<string, number>();

  constructor(report: Report<Field>, dates: Dates) {
    this.#report = report;
    this.#dates = dates;
  }

  readonly #text = (row: Row, field: Field): string => cellOf(this.#report, row, field);
  readonly #place = (row: Row): Place => ({ file: this.#report.file, row: row.row });

  /** Returns the nonempty fields under the names that the books use. */
  #facts<Name extends string>(row: Row, names: Readonly<Record<Name, Field>>): Partial<Record<Name, string>> {
    const found: Partial<Record<Name, string>> = {};
    for (const name of keysOf(names)) {
      const value = this.#text(row, names[name]);
      if (value !== '') found[name] = value;
    }
    return found;
  }

  #needed(row: Row, field: Field): string {
    const value = this.#text(row, field);
    if (value === '') throw refusalAt(this.#place(row), `The row has no ${FIELDS[field][0] ?? field}`);
    return value;
  }

  read(kind: SheetKind): FileBooks {
    const rows = [...this.#report.rows];
    switch (kind) {
      case 'Journal entries':
        return this.#entries();
      case 'Payments':
        return this.#payments('customer');
      case 'Bill payments':
        return this.#payments('vendor');
      case 'Invoices':
        return { documents: rows.map((row) => this.#document(row, 'customer')) };
      case 'Bills':
        return { documents: rows.map((row) => this.#document(row, 'vendor')) };
      case 'Products':
        return { items: rows.map((row) => this.#item(row)) };
      case 'Accounts':
        return { accounts: rows.map((row) => this.#account(row)) };
      case 'Customers':
        return { parties: rows.map((row) => this.#party(row, 'customer')) };
      case 'Vendors':
        return { parties: rows.map((row) => this.#party(row, 'vendor')) };
    }
  }

  /** Returns the ID of a record that has one row. Throws a Refusal if an earlier row has the same ID. */
  #id(row: Row): { id?: string } {
    const id = this.#text(row, 'id');
    if (id === '') return {};
    const other = this.#ids.get(id);
    if (other !== undefined) throw refusalAt(this.#place(row), `The ID ${id.slice(0, 40)} is also in row ${other}`);
    this.#ids.set(id, row.row);
    return { id };
  }

  #isActive(row: Row): boolean {
    return !/^(inactive|no|false|n|0)$/i.test(this.#text(row, 'status'));
  }

  #party(row: Row, kind: 'customer' | 'vendor'): SourceParty {
    const facts = this.#facts(row, { email: 'email', phone: 'phone', address: 'address', terms: 'terms' });
    return {
      name: this.#needed(row, kind),
      ...this.#id(row),
      kind,
      ...facts,
      isActive: this.#isActive(row),
      place: this.#place(row),
    };
  }

  #account(row: Row): NonNullable<FileBooks['accounts']>[number] {
    const [name, sourceType] = [this.#needed(row, 'account'), this.#needed(row, 'type')];
    const type = typeFor(sourceType);
    if (type === undefined) throw refusalAt(this.#place(row), `'${sourceType.slice(0, 40)}' is not an account type`);
    const role = roleFor({ name: leafOf(name), type });
    return {
      key: name,
      name,
      ...this.#facts(row, { number: 'accountNumber', description: 'memo' }),
      type,
      sourceType,
      ...(role === undefined ? {} : { role }),
      isActive: this.#isActive(row),
      place: this.#place(row),
    };
  }

  #item(row: Row): NonNullable<FileBooks['items']>[number] {
    const price = this.#needed(row, 'price').replaceAll(/[$,]/g, '');
    if (!/^\d+(\.\d{1,4})?$/.test(price)) {
      throw refusalAt(this.#place(row), `'${price.slice(0, 40)}' is not a price with up to 4 decimal places`);
    }
    const facts = this.#facts(row, { description: 'memo', cost: 'cost', incomeAccount: 'income' });
    return {
      name: this.#needed(row, 'product'),
      ...this.#id(row),
      ...facts,
      price,
      isActive: this.#isActive(row),
      place: this.#place(row),
    };
  }

  #document(row: Row, side: 'customer' | 'vendor'): SourceDocument {
    const place = this.#place(row);
    const open = amountIn(this.#needed(row, 'amount'), place) ?? cents(0);
    const credit = side === 'customer' ? 'creditMemo' : 'vendorCredit';
    const due = this.#text(row, 'due');
    const account = this.#text(row, 'account');
    const amount: Cents = cents(Math.abs(open));
    return {
      kind: open < 0 ? credit : side === 'customer' ? 'invoice' : 'bill',
      ...this.#facts(row, { number: 'number', memo: 'memo' }),
      date: this.#dates.dateIn(this.#needed(row, 'date'), place),
      ...(due === '' ? {} : { dueDate: this.#dates.dateIn(due, place) }),
      party: this.#needed(row, side),
      open: amount,
      lines: account === '' ? [] : [{ account, amount }],
      place,
    };
  }

  /** Returns payments as transactions between the bank account and receivables or payables. */
  #payments(side: 'customer' | 'vendor'): FileBooks {
    const entries = new Entries(this.#report.file);
    for (const row of this.#report.rows) {
      const place = this.#place(row);
      const paid = amountIn(this.#needed(row, 'amount'), place) ?? cents(0);
      const amount = side === 'customer' ? paid : cents(-paid);
      const party = this.#needed(row, side);
      const control = side === 'customer' ? 'Accounts Receivable' : 'Accounts Payable';
      entries.add({
        date: this.#dates.dateIn(this.#needed(row, 'date'), place),
        type: side === 'customer' ? 'Payment' : 'Bill Payment',
        ...this.#facts(row, { id: 'id', number: 'entry', memo: 'memo' }),
        party,
        lines: [
          { account: this.#needed(row, 'deposit'), amount, party, partyKind: side, place },
          { account: control, amount: cents(-amount), party, partyKind: side, place },
        ],
        place,
      });
    }
    return { transactions: entries.transactions, warnings: entries.warnings() };
  }

  /**
   * Returns journal entries. Rows with the same date and the same ID or number form one entry. Without an ID or number,
   * consecutive rows form one entry as soon as they balance.
   */
  #entries(): FileBooks {
    const entries = new Entries(this.#report.file);
    let now: SourceTransaction | undefined;
    let total = 0;
    const close = (): void => {
      if (now === undefined) return;
      checkBalance(now, 'Correct the spreadsheet first.');
      entries.add(now);
      now = undefined;
      total = 0;
    };
    for (const row of this.#report.rows) {
      const place = this.#place(row);
      const [date, id] = [this.#text(row, 'date'), this.#text(row, 'id')];
      const entry = this.#text(row, 'entry') || this.#text(row, 'number');
      const day = date === '' ? now?.date : this.#dates.dateIn(date, place);
      const isOther =
        now !== undefined &&
        (day !== now.date || (entry !== '' && entry !== (now.number ?? '')) || (id !== '' && id !== (now.id ?? '')));
      if (isOther || (entry === '' && id === '' && total === 0)) close();
      if (day === undefined) throw refusalAt(place, 'The row has no date');
      now ??= {
        date: day,
        type: 'Journal Entry',
        ...(id === '' ? {} : { id }),
        ...(entry === '' ? {} : { number: entry }),
        ...this.#facts(row, { memo: 'memo' }),
        lines: [],
        place,
      };
      const line = this.#line(row);
      total += line.amount;
      now.lines.push(line);
    }
    close();
    return { transactions: entries.transactions, warnings: entries.warnings() };
  }

  #line(row: Row): SourceLine {
    const place = this.#place(row);
    const [debit, credit] = (['debit', 'credit'] as const).map((field) => amountOrZero(this.#text(row, field), place));
    const [customer, vendor] = [this.#text(row, 'customer'), this.#text(row, 'vendor')];
    const party = customer === '' ? vendor : customer;
    return {
      account: this.#needed(row, 'account'),
      amount: cents((debit ?? 0) - (credit ?? 0)),
      ...(party === '' ? {} : { party, partyKind: customer === '' ? 'vendor' : 'customer' }),
      ...this.#facts(row, { memo: 'memo' }),
      place,
    };
  }
}

/** The reader for spreadsheets with one kind of record. Columns are found by their headings or mapped by the user. */
export const spreadsheet: Reader = {
  format: 'spreadsheet',
  label: 'Spreadsheet',
  system: 'Spreadsheet',
  isList: true,
  recognizes: (file, choices) => sheetIn(file, choices)?.kind !== undefined,
  read: (file, choices) => {
    const sheet = sheetIn(file, choices);
    if (sheet?.kind === undefined)
      throw refusalAt(file.name, 'The spreadsheet has no columns that Evenkeel recognizes');
    const { kind, report } = sheet;
    const missing = sheetFields(kind).filter(
      ({ id, isRequired }) => isRequired === true && isField(id) && report.columns[id] === undefined,
    );
    if (missing.length > 0) {
      const names = missing.map(({ label }) => label).join(', ');
      throw refusalAt(file.name, `Choose the columns for ${names}, or another kind of record.`);
    }
    const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
    for (const row of report.rows) {
      for (const field of ['date', 'due'] as const) {
        const text = cellOf(report, row, field);
        if (text !== '') dates.add(text, { file: file.name, row: row.row });
      }
    }
    dates.decide();
    const content = new SheetReader(report, dates).read(kind);
    return {
      ...content,
      sheet: factsOf(sheet),
      questions: dates.question === undefined ? [] : [dates.question],
    };
  },
};
