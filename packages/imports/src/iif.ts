import type { IsoDate } from '@evenkeel/core/dates';
import Papa from 'papaparse';
import {
  noticeAt,
  type PartyKind,
  type Place,
  refusalAt,
  type SourceAccount,
  type SourceItem,
  type SourcePaymentType,
  type SourceTax,
  type SourceLine,
  type SourceParty,
  type SourceTransaction,
} from './books.ts';
import { roleFor, typeFor } from './accountTypes.ts';
import { amountOrZero, Dates } from './cells.ts';
import { checkBalance, Entries, notPosting } from './entries.ts';
import type { FileBooks, Reader } from './reader.ts';
import { leafOf } from './signs.ts';
import { checkRow, cellAt, type Row } from './table.ts';

/** Types of transactions that don't post to the ledger. */
const NOT_POSTING = /^(ESTIMATES?|PURCHORD|PURCHASE ORDER|SALESORD|SALES ORDER)$/i;
const NO_ACCOUNT = 'NONPOSTING';

/** QuickBooks' names for the transaction types in IIF files. */
const TYPES: Record<string, string> = {
  'GENERAL JOURNAL': 'Journal Entry',
  'CASH SALE': 'Sales Receipt',
  'CREDIT CARD': 'Credit Card Charge',
  'CCARD REFUND': 'Credit Card Credit',
  'BILL REFUND': 'Vendor Credit',
  BILLPMT: 'Bill Payment',
};

const PARTIES: Record<string, PartyKind> = { CUST: 'customer', VEND: 'vendor', EMP: 'employee', OTHERNAME: 'other' };

/** A record: its keyword, and its values by column. */
interface Line {
  keyword: string;
  values: ReadonlyMap<string, string>;
  place: Place;
}

const valueOf = ({ values }: Line, name: string): string => values.get(name) ?? '';

/** Returns the rows in tab-separated text. Quotation marks may only enclose whole cells. */
function rowsOf(file: string, text: string): Row[] {
  const isQuoted = text.includes('\t"') || text.includes('\n"');
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter: '\t',
    newline: '\n',
    quoteChar: isQuoted ? '"' : '\u0000',
  });
  // A quotation mark inside a cell, as in 3/4" pipe, is harmless, but an unclosed quotation mark at the start of a cell
  // hides rows.
  const whole = errors.some(({ code }) => code === 'MissingQuotes')
    ? text.split('\n').map((line) => line.split('\t').map((cell) => cell.replace(/^"(.*)"$/, '$1')))
    : data;
  return whole.map((cells, index) => {
    checkRow({ file, row: index + 1 }, cells);
    return { row: index + 1, cells: cells.map((cell) => cell.trim()) };
  });
}

/**
 * Returns the records. A row that starts with an exclamation mark redefines the columns for its keyword, starting with
 * that row.
 */
function recordsOf(file: string, text: string): Line[] {
  const headers = new Map<string, readonly string[]>();
  const found: Line[] = [];
  for (const row of rowsOf(file, text)) {
    const keyword = cellAt(row, 0).toUpperCase();
    const place = { file, row: row.row };
    if (keyword.startsWith('!')) {
      headers.set(
        keyword.slice(1),
        row.cells.map((cell) => cell.toUpperCase()),
      );
    } else if (keyword !== '') {
      const header = headers.get(keyword);
      if (header === undefined && keyword !== 'ENDTRNS') {
        throw refusalAt(place, `The row starts with ${keyword.slice(0, 20)}, but no header defines its columns`);
      }
      const values = new Map<string, string>();
      for (const [column, name] of (header ?? []).entries()) {
        // A column may be repeated, such as AMOUNT in budgets. Only the first occurrence is used.
        if (column > 0 && name !== '' && !values.has(name)) values.set(name, cellAt(row, column));
      }
      found.push({ keyword, values, place });
    }
  }
  return found;
}

/** Reads IIF lists and transactions. */
class IifReader {
  readonly #file: string;
  readonly #dates: Dates;
  readonly accounts: SourceAccount[] = [];
  readonly parties: SourceParty[] = [];
  readonly items: SourceItem[] = [];
  readonly taxes: SourceTax[] = [];
  readonly paymentTypes: SourcePaymentType[] = [];
  readonly #entries: Entries;
  #now: SourceTransaction | undefined;
  #notPosting = 0;

  constructor(file: string, dates: Dates) {
    this.#file = file;
    this.#dates = dates;
    this.#entries = new Entries(file);
  }

  read(lines: readonly Line[]): FileBooks {
    for (const line of lines) this.#line(line);
    if (this.#now !== undefined) {
      throw refusalAt(
        this.#now.place,
        'The file ends within this transaction, so part of it is missing. Export it again.',
      );
    }
    const warnings = this.#entries.warnings();
    if (this.#notPosting > 0) {
      warnings.push(
        notPosting(this.#file, this.#notPosting, { one: 'estimate or order', many: 'estimates and orders' }),
      );
    }
    const { accounts, parties, items, taxes, paymentTypes } = this;
    const hasOpenings = accounts.some(({ opening }) => opening !== undefined);
    if (hasOpenings && this.#entries.transactions.length > 0) {
      warnings.push(
        noticeAt(this.#file, 'The opening balances in the account list are ignored, because the file has transactions'),
      );
    }
    return { accounts, parties, items, taxes, paymentTypes, transactions: this.#entries.transactions, warnings };
  }

  #line(line: Line): void {
    const kind = PARTIES[line.keyword];
    if (kind !== undefined) this.#party(line, kind);
    else if (line.keyword === 'ACCNT') this.#account(line);
    else if (line.keyword === 'INVITEM') this.#item(line);
    else if (line.keyword === 'PAYMETH') this.#paymentType(line);
    else if (line.keyword === 'TRNS') this.#start(line);
    else if (line.keyword === 'SPL') this.#split(line);
    else if (line.keyword === 'ENDTRNS') this.#end(line);
  }

  #account(line: Line): void {
    const [name, sourceType, extra] = ['NAME', 'ACCNTTYPE', 'EXTRA'].map((column) => valueOf(line, column));
    const [number, description] = [valueOf(line, 'ACCNUM'), valueOf(line, 'DESC')];
    if (name === undefined || name === '') throw refusalAt(line.place, 'The account has no name');
    if (sourceType === NO_ACCOUNT) return;
    const type = typeFor(sourceType ?? '');
    const role = roleFor({ name: leafOf(name), type, extra: extra ?? '' });
    const account: SourceAccount = {
      key: name,
      name,
      ...(number === '' ? {} : { number }),
      ...(type === undefined ? {} : { type }),
      ...(sourceType === undefined || sourceType === '' ? {} : { sourceType }),
      ...(role === undefined ? {} : { role }),
      ...(description === '' ? {} : { description }),
      isActive: valueOf(line, 'HIDDEN').toUpperCase() !== 'Y',
      place: line.place,
    };
    // A positive amount is a debit.
    const opening = amountOrZero(valueOf(line, 'OBAMOUNT'), line.place);
    if (opening !== 0) account.opening = opening;
    this.accounts.push(account);
  }

  #party(line: Line, kind: PartyKind): void {
    const name = valueOf(line, 'NAME');
    if (name === '') throw refusalAt(line.place, 'The name is missing');
    const address = [1, 2, 3, 4, 5]
      .map((part) => valueOf(line, kind === 'customer' ? `BADDR${part}` : `ADDR${part}`))
      .filter((part) => part !== '')
      .join('\n');
    const facts = [
      ['company', valueOf(line, 'COMPANYNAME')],
      ['email', valueOf(line, 'EMAIL')],
      ['phone', valueOf(line, 'PHONE1')],
      ['address', address],
      ['terms', valueOf(line, 'TERMS')],
      ['taxId', valueOf(line, kind === 'vendor' ? 'TAXID' : 'RESALENUM')],
      ['taxCode', kind === 'customer' ? valueOf(line, 'TAXITEM') : ''],
    ].filter(([, value]) => value !== '');
    this.parties.push({
      name,
      kind,
      ...Object.fromEntries(facts),
      isActive: valueOf(line, 'HIDDEN').toUpperCase() !== 'Y',
      place: line.place,
    });
  }

  #item(line: Line): void {
    const name = valueOf(line, 'NAME');
    if (name === '') throw refusalAt(line.place, 'The item has no name');
    const itemType = valueOf(line, 'INVITEMTYPE').toUpperCase();
    if (itemType === 'COMPTAX') return this.#tax(line, name);
    // A group combines several tax items, and a subtotal or discount is computed on the document.
    if (itemType === 'TAXGRP' || itemType === 'STAX' || itemType === 'SUBT') return;
    const facts = [
      ['kind', valueOf(line, 'INVITEMTYPE')],
      ['description', valueOf(line, 'DESC')],
      ['price', valueOf(line, 'PRICE')],
      ['cost', valueOf(line, 'COST')],
      ['incomeAccount', valueOf(line, 'ACCNT')],
      ['expenseAccount', valueOf(line, 'COGSACCNT')],
    ].filter(([, value]) => value !== '');
    const taxable = valueOf(line, 'TAXABLE').toUpperCase();
    this.items.push({
      name,
      ...Object.fromEntries(facts),
      ...(taxable === '' ? {} : { isTaxable: taxable === 'Y' }),
      isActive: valueOf(line, 'HIDDEN').toUpperCase() !== 'Y',
      place: line.place,
    });
  }

  /** A sales tax item. The item's price is the rate, such as 8%. */
  #tax(line: Line, name: string): void {
    const rate = valueOf(line, 'PRICE').replace('%', '').trim();
    if (!/^\d{1,3}(\.\d{1,6})?$/.test(rate) || Number(rate) > 100) {
      throw refusalAt(line.place, `'${rate.slice(0, 40)}' is not a sales tax rate`);
    }
    const agency = valueOf(line, 'TAXVEND');
    this.taxes.push({ name, rate, ...(agency === '' ? {} : { agency }), place: line.place });
  }

  #paymentType(line: Line): void {
    const name = valueOf(line, 'NAME');
    if (name !== '' && valueOf(line, 'HIDDEN').toUpperCase() !== 'Y')
      this.paymentTypes.push({ name, place: line.place });
  }

  #lineOf(line: Line): SourceLine {
    const [account, party, memo] = ['ACCNT', 'NAME', 'MEMO'].map((column) => valueOf(line, column));
    const amount = amountOrZero(valueOf(line, 'AMOUNT'), line.place);
    if ((account === undefined || account === '') && amount !== 0)
      throw refusalAt(line.place, 'The row has no account');
    return {
      account: account ?? '',
      amount,
      ...(party === undefined || party === '' ? {} : { party }),
      ...(memo === undefined || memo === '' ? {} : { memo }),
      place: line.place,
    };
  }

  #start(line: Line): void {
    if (this.#now !== undefined) throw refusalAt(this.#now.place, 'The transaction has no ENDTRNS row');
    const type = valueOf(line, 'TRNSTYPE');
    const date: IsoDate = this.#dates.dateIn(valueOf(line, 'DATE'), line.place);
    const [id, number] = [valueOf(line, 'TRNSID'), valueOf(line, 'DOCNUM')];
    const first = this.#lineOf(line);
    this.#now = {
      ...(id === '' ? {} : { id }),
      date,
      type: TYPES[type.toUpperCase()] ?? titled(type),
      ...(number === '' ? {} : { number }),
      ...(first.party === undefined ? {} : { party: first.party }),
      ...(first.memo === undefined ? {} : { memo: first.memo }),
      lines: NOT_POSTING.test(type) ? [] : [first],
      place: line.place,
    };
  }

  #split(line: Line): void {
    const now = this.#now;
    if (now === undefined) throw refusalAt(line.place, "The SPL row doesn't follow a TRNS row");
    if (now.lines.length === 0) return;
    const split = this.#lineOf(line);
    now.lines.push(split.party === undefined && now.party !== undefined ? { ...split, party: now.party } : split);
  }

  #end({ place }: Line): void {
    const now = this.#now;
    if (now === undefined) throw refusalAt(place, "The ENDTRNS row doesn't follow a TRNS row");
    this.#now = undefined;
    if (now.lines.length === 0) {
      this.#notPosting += 1;
      return;
    }
    checkBalance(now, 'Export the file again.');
    this.#entries.add(now);
  }
}

/** Converts a type such as "CASH SALE" to "Cash Sale". */
const titled = (text: string): string =>
  text.toLowerCase().replace(/(^|[\s-])[a-z]/g, (letter) => letter.toUpperCase());

/** The reader for lists and transactions from QuickBooks Desktop (IIF). */
export const iif: Reader = {
  format: 'iif',
  label: 'QuickBooks Desktop lists and transactions (IIF)',
  system: 'QuickBooks Desktop',
  isList: true,
  isText: true,
  recognizes: ({ head: text }) =>
    text !== undefined &&
    /(^|\n)"?!(HDR|ACCNT|TRNS|CUST|VEND|INVITEM|CLASS|TERMS|PAYMETH|EMP|OTHERNAME)"?\t/i.test(text.slice(0, 20_000)),
  read: (file, choices) => {
    const lines = recordsOf(file.name, file.text());
    const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
    for (const line of lines) if (line.keyword === 'TRNS') dates.add(valueOf(line, 'DATE'), line.place);
    dates.decide();
    const company = lines.find(({ keyword }) => keyword === 'HDR');
    const name = company === undefined ? '' : valueOf(company, 'COMPANYNAME');
    const books = new IifReader(file.name, dates).read(lines);
    return {
      ...(name === '' ? {} : { company: name }),
      ...books,
      questions: dates.question === undefined ? [] : [dates.question],
    };
  },
};
