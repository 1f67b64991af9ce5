import {
  addDays,
  addMonths,
  type DateRange,
  daysBetween,
  daysInMonth,
  type IsoDate,
  isoDate,
  MONTHS,
  parseDate,
  partsOf,
  periodRange,
  startOfMonth,
} from '../dates.ts';
import { kinds } from '../documents/side.ts';
import { type Cents, cents, fromPlain } from '../money.ts';

/**
 * Converts search text to the conditions that a record must meet. Text is folded in the same way as in the database.
 */

/** The minimum length of a search. A shorter search finds nothing. */
export const LEAST_SEARCHED = 3;
const MOST_TERMS = 8;

/** A range of amounts in cents, regardless of the sign. A missing bound means no limit. */
export interface AmountRange {
  from?: Cents;
  to?: Cents;
}

/** One condition of a search. A record matches if it has one of the words, amounts, or ranges. */
export interface Term {
  /** Folded strings that match inside words. A string with a leading space matches only at the start of a word. */
  texts: readonly string[];
  amount?: AmountRange;
  days?: DateRange;
}

export interface Search {
  /** The whole search text, folded. Records whose number or name equals this text or starts with it come first. */
  whole: string;
  terms: readonly Term[];
  /**
   * The search without words for kinds of documents, because the text of records does not contain these words. Omitted
   * if the search has none of these words.
   */
  ofAnyKind?: Pick<Search, 'whole' | 'terms'>;
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ð: 'd',
};

/** Returns the text in lowercase without accents, letter by letter, like the database function `search_fold`. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  return Array.from(plain, (letter) => letter.toLowerCase())
    .map((letter) => LETTERS[letter] ?? letter)
    .join('');
}

/** Words for a kind of record, or for a record's number. */
const KIND_WORDS = new Set(
  [...kinds.values()]
    .map(({ search }) => search?.words ?? '')
    .join(' ')
    .split(' ')
    .concat(['customer', 'vendor', 'account', 'product', 'number', 'num', 'no', 'nr']),
);

/** Removes the punctuation around a word. An amount such as `$12` or `(125.00)` keeps its punctuation. */
function bareWord(word: string): string {
  const open = word.replace(/[.,;:!?]+$/, '');
  return amountOf(open) === undefined ? open.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') : open;
}

/**
 * Returns the words in a search or list filter without punctuation. If the search contains a number, words for the kind
 * of record are skipped: `Invoice #10002,` is 10002.
 */
export function plainWords(text: string): string[] {
  const bare = text.split(/\s+/).map(bareWord).filter(Boolean);
  const named = bare.filter((word) => !isKindWord(word));
  return named.some((word) => /\d/.test(word)) ? named : bare;
}

const isKindWord = (word: string): boolean => KIND_WORDS.has(word.toLowerCase());

/**
 * Parses search text on a given day, which determines what "last week" means. Text without any words results in no
 * terms. Punctuation around a word is ignored, and so is a word for the kind of record next to a number: `Invoice
 * #10002,` means 10002.
 */
export function readSearch(text: string, today: IsoDate): Search {
  const whole = fold(text).trim().replace(/\s+/g, ' ');
  const terms: Term[] = [];
  const rest = PHRASES.reduce(
    (left, { pattern, term }) =>
      left.replace(pattern, (...found: string[]) => {
        const read = term(found, today);
        if (read === undefined) return found[0] ?? '';
        terms.push(read);
        return ' ';
      }),
    whole,
  );
  const given = rest.split(' ').filter(Boolean);
  const words = plainWords(rest);
  const named = words.filter((word) => !isKindWord(word));
  const searchOf = (some: readonly string[]) => ({
    whole: some.length === given.length && some.every((word, at) => word === given[at]) ? whole : some.join(' '),
    terms: [...terms, ...some.map((word) => termOf(word, today))].slice(0, MOST_TERMS),
  });
  const hasOthers = named.length < words.length && named.length + terms.length > 0;
  return { ...searchOf(words), ...(hasOthers ? { ofAnyKind: searchOf(named) } : {}) };
}

const NAMES = MONTHS.map((name) => name.toLowerCase());
const MONTH = `(${NAMES.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})\\.?`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`((?:19|20|21)\d\d)`;

const phrase = (text: string): RegExp => new RegExp(`(?<![^ ])${text}(?![^ ])`, 'g');
const monthOf = (name: string): number => NAMES.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1;

/** Terms that have several words or a leading sign. The first term that matches uses up the words that it contains. */
const PHRASES: readonly {
  pattern: RegExp;
  term: (found: readonly string[], today: IsoDate) => Term | undefined;
}[] = [
  {
    pattern: phrase(`${MONTH} ${DAY},? ${YEAR}`),
    term: ([whole = '', month = '', day, year]) => datedTerm(whole, dayRange(year, monthOf(month), day)),
  },
  {
    pattern: phrase(`${DAY} ${MONTH} ${YEAR}`),
    term: ([whole = '', day, month = '', year]) => datedTerm(whole, dayRange(year, monthOf(month), day)),
  },
  {
    pattern: phrase(`${MONTH} ${YEAR}`),
    term: ([whole = '', month = '', year]) => datedTerm(whole, monthRange(year, monthOf(month))),
  },
  {
    pattern: phrase(`${MONTH} ${DAY}`),
    term: ([whole = '', month = '', day], today) =>
      datedTerm(whole, dayRange(partsOf(today).year, monthOf(month), day)),
  },
  {
    pattern: phrase('(today|yesterday|tomorrow)'),
    term: ([whole = ''], today) => {
      const day = addDays(today, ['yesterday', 'today', 'tomorrow'].indexOf(whole) - 1);
      return datedTerm(whole, { from: day, to: day });
    },
  },
  {
    pattern: phrase('(this|last|next) (week|month|quarter|year)'),
    term: ([whole = '', which, unit = ''], today) =>
      datedTerm(whole, spanOf(unit, which === 'this' ? 0 : which === 'last' ? -1 : 1, today)),
  },
  {
    pattern: phrase(`q([1-4])(?: ${YEAR})?`),
    term: ([whole = '', quarter, year], today) => datedTerm(whole, quarterRange(year ?? partsOf(today).year, quarter)),
  },
  {
    pattern: phrase(String.raw`(?:\+?1[ .-]?)?\(?(\d{3})\)?[ .-]?(\d{3})[ .-](\d{4})`),
    term: (found) => ({ texts: phoneTexts(found.slice(1, 4).join('')) }),
  },
  {
    pattern: phrase(String.raw`(\d{3})[.-](\d{4})`),
    term: (found) => ({ texts: phoneTexts(found.slice(1, 3).join('')) }),
  },
  {
    pattern: phrase(String.raw`([<>]=?) ?\$?([\d,]+(?:\.\d{1,2})?)`),
    term: ([, sign = '', figure = '']) => comparison(sign, figure),
  },
];

const datedTerm = (text: string, days: DateRange | undefined): Term | undefined =>
  days === undefined ? undefined : { texts: [text], days };

function dayRange(year: number | string | undefined, month: number | string, day = ''): DateRange | undefined {
  const date = parseDate(`${month}/${day}/${year}`);
  return date === undefined ? undefined : { from: date, to: date };
}

function monthRange(year: string | undefined, month: number): DateRange | undefined {
  const from = parseDate(`${month}/1/${year}`);
  if (from === undefined) return undefined;
  return { from, to: addDays(from, daysInMonth(Number(year), month) - 1) };
}

/** Returns the range of a calendar quarter. */
function quarterRange(year: number | string, quarter: number | string = 1): DateRange {
  return periodRange(4, isoDate(`${year}-${String(3 * Number(quarter) - 2).padStart(2, '0')}-01`), 1);
}

/** A Sunday. */
const FIRST_SUNDAY = isoDate('1900-01-07');

/** Returns whole calendar weeks (starting on Sunday), months, quarters, or years relative to the current one. */
function spanOf(unit: string, after: number, today: IsoDate): DateRange {
  if (unit === 'week') {
    const from = addDays(today, 7 * after - (daysBetween(FIRST_SUNDAY, today) % 7));
    return { from, to: addDays(from, 6) };
  }
  const [period, months] = unit === 'month' ? [0, 1] : unit === 'quarter' ? [4, 3] : [1, 12];
  return periodRange(period, addMonths(startOfMonth(today), after * months), 1);
}

/** The maximum number of digits for which an amount is exact in cents. */
const MOST_DIGITS = 13;

function comparison(sign: string, figure: string): Term | undefined {
  const plain = figure.replaceAll(',', '');
  const dollars = plain.split('.')[0] ?? '';
  if (dollars === '' || dollars.length > MOST_DIGITS) return undefined;
  const amount = fromPlain(plain);
  const past = cents(amount + (sign.startsWith('>') ? 1 : -1));
  const end = sign.endsWith('=') ? amount : past;
  return { texts: [], amount: sign.startsWith('>') ? { from: end } : { to: end } };
}

/** Returns the common formats of a phone number with 7 or 10 digits. */
function phoneTexts(digits: string): string[] {
  const [exchange, line] = [digits.slice(-7, -4), digits.slice(-4)];
  const local = ['', '-', '.', ' '].map((between) => ({ between, text: `${exchange}${between}${line}` }));
  if (digits.length === 7) return local.map(({ text }) => text);
  const area = digits.slice(0, 3);
  return [...local.map(({ between, text }) => `${area}${between}${text}`), `(${area}) ${exchange}-${line}`];
}

function termOf(word: string, today: IsoDate): Term {
  if (/^(\d{7}|1?\d{10})$/.test(word)) return { texts: phoneTexts(word.slice(word.length === 11 ? 1 : 0)) };
  const days = daysOf(word, today);
  if (days !== undefined) return { texts: [word], days };
  const amount = amountOf(word);
  // A word with a sign, commas, or cents is an amount. When searched for as text, it matches only the start of a word.
  return amount === undefined ? { texts: [word] } : { texts: [` ${word}`], amount };
}

/** Parses 9/4/2026, 9/4 (of this year), 3/2026, 2026-09-04, 2026-09, or 2026. */
function daysOf(word: string, today: IsoDate): DateRange | undefined {
  const date = parseDate(word);
  if (date !== undefined) return { from: date, to: date };
  const [, month, day] = /^(\d{1,2})\/(\d{1,2})$/.exec(word) ?? [];
  if (month !== undefined) return dayRange(partsOf(today).year, month, day);
  const ofMonth = new RegExp(`^(?:${YEAR}-(\\d\\d)|(\\d{1,2})/${YEAR})$`).exec(word);
  if (ofMonth !== null) return monthRange(ofMonth[1] ?? ofMonth[4], Number(ofMonth[2] ?? ofMonth[3]));
  const year = new RegExp(`^${YEAR}$`).exec(word)?.[1];
  return year === undefined ? undefined : periodRange(1, isoDate(`${year}-01-01`), 1);
}

const AMOUNT = /^\(?[-−]?\$?[-−]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{0,2})?\)?$/;

/**
 * Reads `1,250` as 1,250.00 to 1,250.99, and `1,250.5` as 1,250.50 to 1,250.59. Plain digits are text because they may
 * mean anything.
 */
function amountOf(word: string): AmountRange | undefined {
  const [, figure = '', point = ''] = AMOUNT.exec(word) ?? [];
  const dollars = figure.replaceAll(',', '');
  if (dollars === '' || dollars === word || dollars.length > MOST_DIGITS) return undefined;
  const decimals = point.slice(1);
  const at = (digit: string) => fromPlain(`${dollars}.${decimals.padEnd(2, digit)}`);
  return { from: at('0'), to: at('9') };
}

/** Words with fewer letters are not corrected. */
const LEAST_MISTYPED = 5;

/** A word that may contain one typing error, and the strings that find the intended word. */
export interface Mistyped {
  /**
   * The intended word either starts with the first string (after a space) or contains the second, because a single
   * error leaves one half of the word correct.
   */
  halves: [string, string];
  /** Matches the start of each word, allowing for one missing, wrong, extra, or transposed letter. */
  meant: string;
}

/** Returns the correction for a word of at least five letters, or undefined for any other word. */
export function mistyped(word: string): Mistyped | undefined {
  if (word.length < LEAST_MISTYPED || !/^\p{L}+$/u.test(word)) return undefined;
  const places = Array.from(word, (_, at) => at);
  const around = (at: number, between: string, skipped: number) =>
    word.slice(0, at) + between + word.slice(at + skipped);
  const spellings = [
    ...[...places, word.length].map((at) => around(at, '[^ ]', 0)),
    ...places.map((at) => around(at, '[^ ]', 1)),
    ...places.slice(1).map((at) => around(at - 1, `${word.charAt(at)}${word.charAt(at - 1)}`, 2)),
    ...places.map((at) => around(at, '', 1)),
  ];
  const half = Math.floor(word.length / 2);
  return { halves: [` ${word.slice(0, half)}`, word.slice(half)], meant: `(?:${spellings.join('|')})` };
}

const MOST_MEANT = 5;

/** Returns the beginnings of the words that a mistyped word may stand for, most frequent first. */
export function meantBy({ meant }: Mistyped, words: readonly string[]): string[] {
  const pattern = new RegExp(`^${meant}`, 'u');
  const counts = new Map<string, number>();
  for (const word of words) {
    const [found] = pattern.exec(word) ?? [];
    if (found !== undefined) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([word]) => word)
    .slice(0, MOST_MEANT);
}
