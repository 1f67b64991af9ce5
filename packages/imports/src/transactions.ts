import type { Basis } from '@evenkeel/core/books/ledger';
import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { Numbers, type NumbersData, Strings, type StringsData } from './strings.ts';
import type { PartyKind, Place, SourceLine, SourceTransaction } from './transaction.ts';

/** The values of a transaction, in the order in which they are stored. */
const HEAD = { date: 0, type: 1, id: 2, identity: 3, number: 4, party: 5, memo: 6, file: 7, row: 8, firstLine: 9 };
const HEAD_SIZE = 10;
/** The values of a line. Amounts are stored in two parts, because they exceed 32 bits. */
const LINE = { account: 0, high: 1, low: 2, party: 3, facts: 4, memo: 5, profitCenter: 6, location: 7, row: 8 };
const LINE_SIZE = 9;
const PART = 1_000_000_000;

/** Values that are nearly always the same for all lines. An empty file means the transaction's own file. */
interface Facts {
  partyKind?: PartyKind;
  basis?: Basis;
  file: string;
}

/** Transactions as plain data, which a thread can send. */
export interface TransactionsData {
  strings: StringsData;
  facts: Facts[];
  heads: NumbersData;
  lines: NumbersData;
}

/**
 * The transactions of books, as rows of numbers that identify strings. A file of 100 MB has 400,000 transactions with
 * more than a million lines, which would take a gigabyte as objects. Each access creates new objects, so changes to
 * them are lost.
 */
export class Transactions implements Iterable<SourceTransaction> {
  readonly #strings: Strings;
  readonly #facts: Facts[];
  readonly #known = new Map<string, number>();
  readonly #heads: Numbers;
  readonly #lines: Numbers;

  constructor(data?: TransactionsData) {
    this.#strings = new Strings(data?.strings);
    this.#facts = data?.facts ?? [{ file: '' }];
    this.#heads = new Numbers(data?.heads);
    this.#lines = new Numbers(data?.lines);
  }

  /** Returns a copy of transactions. */
  static of(all: Iterable<SourceTransaction>): Transactions {
    const made = new Transactions();
    for (const one of all) made.push(one);
    return made;
  }

  data(): TransactionsData {
    return {
      strings: this.#strings.data(),
      facts: this.#facts,
      heads: this.#heads.data(),
      lines: this.#lines.data(),
    };
  }

  get length(): number {
    return this.#heads.length / HEAD_SIZE;
  }

  push({ date, type, id, identity, number, party, memo, lines, place }: SourceTransaction): void {
    for (const text of [date, type, id, identity, number, party, memo, place.file]) {
      this.#heads.push(this.#strings.keep(text));
    }
    this.#heads.push(place.row);
    this.#heads.push(this.#lines.length / LINE_SIZE);
    for (const line of lines) this.#pushLine(line, place.file);
  }

  #pushLine({ account, amount, party, memo, profitCenter, location, place, ...line }: SourceLine, file: string): void {
    const high = Math.trunc(amount / PART);
    const [lines, strings] = [this.#lines, this.#strings];
    lines.push(strings.keep(account));
    lines.push(high);
    lines.push(amount - high * PART);
    lines.push(strings.keep(party));
    lines.push(this.#factsOf(line, place.file === file ? '' : place.file));
    for (const text of [memo, profitCenter, location]) lines.push(strings.keep(text));
    lines.push(place.row);
  }

  #factsOf({ partyKind, basis }: Pick<SourceLine, 'partyKind' | 'basis'>, file: string): number {
    if (partyKind === undefined && basis === undefined && file === '') return 0;
    const key = `${partyKind ?? ''} ${basis ?? ''} ${file}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const own = { ...(partyKind === undefined ? {} : { partyKind }), ...(basis === undefined ? {} : { basis }), file };
    this.#known.set(key, this.#facts.length);
    return this.#facts.push(own) - 1;
  }

  #text(index: number, value: number): string | undefined {
    return this.#strings.text(this.#heads.at(index * HEAD_SIZE + value));
  }

  /** Returns the date of a transaction without creating its other values. */
  dateAt(index: number): IsoDate {
    return isoDate(this.#text(index, HEAD.date) ?? '');
  }

  /** Returns a transaction, or undefined if there are fewer. */
  at(index: number): SourceTransaction | undefined {
    if (index >= this.length) return undefined;
    const [id, identity, number] = [HEAD.id, HEAD.identity, HEAD.number].map((value) => this.#text(index, value));
    const [party, memo] = [HEAD.party, HEAD.memo].map((value) => this.#text(index, value));
    const file = this.#text(index, HEAD.file) ?? '';
    const transaction: SourceTransaction = {
      date: this.dateAt(index),
      type: this.#text(index, HEAD.type) ?? '',
      lines: [],
      place: { file, row: this.#heads.at(index * HEAD_SIZE + HEAD.row) },
    };
    if (id !== undefined) transaction.id = id;
    if (identity !== undefined) transaction.identity = identity;
    if (number !== undefined) transaction.number = number;
    if (party !== undefined) transaction.party = party;
    if (memo !== undefined) transaction.memo = memo;
    const [first, end] = this.#linesOf(index);
    for (let line = first; line < end; line += 1) transaction.lines.push(this.#line(line, file));
    return transaction;
  }

  #linesOf(index: number): [number, number] {
    const first = (one: number): number => this.#heads.at(one * HEAD_SIZE + HEAD.firstLine);
    return [first(index), index + 1 < this.length ? first(index + 1) : this.#lines.length / LINE_SIZE];
  }

  #line(at: number, ofTransaction: string): SourceLine {
    const value = (which: number): number => this.#lines.at(at * LINE_SIZE + which);
    const text = (which: number): string | undefined => this.#strings.text(value(which));
    const { partyKind, basis, file } = this.#facts[value(LINE.facts)] ?? { file: '' };
    const line: SourceLine = {
      account: text(LINE.account) ?? '',
      amount: cents(value(LINE.high) * PART + value(LINE.low)),
      place: { file: file === '' ? ofTransaction : file, row: value(LINE.row) },
    };
    const [party, memo] = [text(LINE.party), text(LINE.memo)];
    const [profitCenter, location] = [text(LINE.profitCenter), text(LINE.location)];
    if (party !== undefined) line.party = party;
    if (partyKind !== undefined) line.partyKind = partyKind;
    if (memo !== undefined) line.memo = memo;
    if (profitCenter !== undefined) line.profitCenter = profitCenter;
    if (location !== undefined) line.location = location;
    if (basis !== undefined) line.basis = basis;
    return line;
  }

  *[Symbol.iterator](): Iterator<SourceTransaction> {
    for (let index = 0; index < this.length; index += 1) {
      const one = this.at(index);
      if (one !== undefined) yield one;
    }
  }

  /**
   * Sets the identity of a transaction and the accounts of its lines. `accountOf` receives a line's account and
   * position.
   */
  identify(index: number, identity: string, accountOf: (account: string, place: Place) => string): void {
    this.#heads.set(index * HEAD_SIZE + HEAD.identity, this.#strings.keep(identity));
    const file = this.#text(index, HEAD.file) ?? '';
    const [first, end] = this.#linesOf(index);
    for (let line = first; line < end; line += 1) {
      const { account, place } = this.#line(line, file);
      const own = accountOf(account, place);
      if (own !== account) this.#lines.set(line * LINE_SIZE + LINE.account, this.#strings.keep(own));
    }
  }
}
