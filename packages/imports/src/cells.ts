import { isIsoDate, type IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { type Cents, cents, ZERO } from '@evenkeel/core/money';
import { readDay, type Readings } from '@evenkeel/statements/days';
import { amountOf } from '@evenkeel/statements/figures';
import { type DateOrder, type Place, type Question, refusalAt } from './books.ts';

const PLAIN = /^-?\d{1,12}(\.\d\d)?$/;

/** Returns the amount in a cell in cents, or undefined if the cell is empty. Throws a Refusal for any other text. */
export function amountIn(text: string, place: Place): Cents | undefined {
  if (text === '' || text === '-' || text === '$') return undefined;
  if (PLAIN.test(text)) return cents(Number(text.includes('.') ? text.replace('.', '') : `${text}00`));
  try {
    return amountOf({ text, row: place.row }, '.');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw refusalAt(place, error.message.replace(/^Line \d+(, column \d+)?: /, ''));
  }
}

/** Returns the amount in a cell, or zero if the cell is empty. */
export const amountOrZero = (text: string, place: Place): Cents => amountIn(text, place) ?? ZERO;

/** Returns cents as text with two decimal places and thousands separators, for messages. */
export function shown(amount: Cents): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${amount < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`;
}

const ORDERS: readonly DateOrder[] = ['mdy', 'dmy', 'ymd'];
const WORDS: Record<DateOrder, string> = { mdy: 'Month/day/year', dmy: 'Day/month/year', ymd: 'Year/month/day' };

/**
 * The dates in one file. They are collected first, because the order of day and month may be clear only from all dates
 * together: 02/03/2025 is ambiguous, but 02/28/2025 is not.
 */
export class Dates {
  readonly #readings = new Map<string, Readings | undefined>();
  readonly #file: string;
  readonly #asked: DateOrder | undefined;
  #left: DateOrder[] = [...ORDERS];
  #first: string | undefined;
  question: Question | undefined;

  constructor(file: string, asked?: DateOrder) {
    this.#file = file;
    this.#asked = asked;
  }

  #read(text: string): Readings | undefined {
    if (isIsoDate(text)) return { mdy: text, dmy: text, ymd: text };
    if (!this.#readings.has(text)) this.#readings.set(text, readDay(text));
    return this.#readings.get(text);
  }

  /** Returns whether a cell is a date. */
  isDate = (text: string): boolean => text !== '' && this.#read(text) !== undefined;

  /** Adds a cell that contains a date. Throws a Refusal if the cell is not a date or contradicts earlier dates. */
  add(text: string, place: Place): void {
    const readings = this.#read(text);
    if (readings === undefined) throw refusalAt(place, `'${text.slice(0, 40)}' is not a date`);
    if (readings.mdy === readings.dmy && readings.mdy === readings.ymd) return;
    const left = this.#left.filter((order) => readings[order] !== undefined);
    if (left.length === 0) {
      const earlier = this.#first === undefined ? '' : ` such as ${this.#first}`;
      throw refusalAt(place, `The date ${text} is not in the same format as earlier dates${earlier}`);
    }
    this.#first ??= text;
    this.#left = left;
  }

  /**
   * Decides the order of day, month, and year. `period` is the first and last day of the report, which can rule out an
   * order.
   */
  decide(period?: { from?: IsoDate | undefined; to?: IsoDate | undefined }): void {
    const fits = (order: DateOrder): boolean =>
      [...this.#readings.values()].every((readings) => {
        const date = readings?.[order];
        return date === undefined || isWithin(date, period);
      });
    const distinct = this.#left.filter(
      (order, index) => !this.#left.slice(0, index).some((other) => this.#isSame(order, other)),
    );
    const within = distinct.filter(fits);
    const rest = within.length > 0 ? within : distinct;
    // Two digits at the start of a date are read as a year only if no other order fits.
    const likely = rest.length > 1 ? rest.filter((order) => order !== 'ymd') : rest;
    if (this.#asked !== undefined && this.#left.includes(this.#asked)) {
      this.#left = [this.#asked];
      return;
    }
    this.#left = likely.length > 0 ? likely : rest;
    if (this.#left.length > 1) this.question = this.#ask();
  }

  #isSame(a: DateOrder, b: DateOrder): boolean {
    return [...this.#readings.values()].every((readings) => readings?.[a] === readings?.[b]);
  }

  #ask(): Question {
    const [telling = '', readings] =
      [...this.#readings].find(([, all]) => all !== undefined && all.mdy !== all.dmy) ?? [];
    const choices = this.#left.map((value) => ({
      value,
      label: `${WORDS[value]}: ${telling} is ${readings?.[value] ?? ''}`,
    }));
    return { file: this.#file, name: 'dateOrder', choices };
  }

  /** Returns the date in a cell that was added before `decide`. */
  dateIn(text: string, place: Place): IsoDate {
    const date = this.#read(text)?.[this.#left[0] ?? 'mdy'];
    if (date === undefined) throw refusalAt(place, `'${text.slice(0, 40)}' is not a date`);
    return date;
  }
}

const isWithin = (date: IsoDate, period?: { from?: IsoDate | undefined; to?: IsoDate | undefined }): boolean =>
  (period?.from === undefined || date >= period.from) && (period?.to === undefined || date <= period.to);
