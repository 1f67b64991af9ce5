import { daysBetween, isoDate, type IsoDate } from '../../dates.ts';
import type { Cents } from '../../money.ts';
import { type BankText, bankText, hasNumber, nameFit, type NameFit, nameWords } from './words.ts';

/** A bank transaction for review. */
export interface ReviewLine {
  id: number;
  date: IsoDate;
  /** The amount. Money in is positive. */
  amount: Cents;
  text: string;
  checkNumber: string;
  payee: string;
}

/** An item in the books that may explain a bank transaction. */
export interface BookItem {
  kind: 'entry' | 'document' | 'receipt' | 'transfer';
  /**
   * The ID of the journal line, the document, or the bank transaction in the other account. For a receipt in
   * Undeposited Funds, the payment's ID or the negated ID of its journal line.
   */
  id: number;
  /** The amount, with the sign of the bank transaction that the item explains. */
  amount: Cents;
  date: IsoDate;
  entityId: number | null;
  entityName: string;
  /** The numbers that the payer or the bank may mention, such as document numbers and reference numbers. */
  numbers: readonly string[];
  checkNumber: string;
  /** The description in the books, or the bank's text in the other account. */
  description: string;
  /**
   * The amount that pays a document in full through the date `until`: the open balance less the early-payment discount.
   */
  discounted?: { amount: Cents; until: IsoDate };
}

/** An object with its date as a number, so that subtracting two dates gives the days between them. */
export interface OnDay {
  day: number;
}

const FIRST_DAY = isoDate('2000-01-01');

/** Returns the number of days since 2000-01-01. */
export const dayOf = ({ date }: { date: IsoDate }): number => daysBetween(FIRST_DAY, date);

/** An item with its day as a number. The day is computed once, because there are many more items than lines. */
export type DatedItem = BookItem & OnDay;

/**
 * Returns an item with its day. Copies each field, because, with many items, object spread took longer than all other
 * work.
 */
export function dated(item: BookItem): DatedItem {
  const { kind, id, amount, date, entityId, entityName, numbers, checkNumber, description, discounted } = item;
  const plain = { kind, id, amount, date, entityId, entityName, numbers, checkNumber, description, day: dayOf(item) };
  return discounted === undefined ? plain : { ...plain, discounted };
}

/** Returns the key of a candidate, which is unique among the candidates of a line. */
export const keyOf = ({ kind, id }: Pick<BookItem, 'kind' | 'id'>): string => `${kind}:${id}`;

/**
 * The points (in hundredths) for each kind of evidence. An equal amount with only one other kind of evidence is never a
 * certain match.
 */
const POINTS = {
  amount: 50,
  number: 40,
  name: 34,
  partOfName: 17,
  transferWords: 30,
  days: [16, 10, 3],
  paidInTime: 5,
  alone: 5,
} as const;
const MOST = 100;

/** Converts points to the score from 0 to 1 that users see. */
export const scoreIn = (points: number): number => points / MOST;

/** The minimum points for a certain match if no other candidate is close. */
export const SURE = 95;
/** The difference in points up to which candidates count as close, so that the user must choose. */
export const CLOSE = 5;

/**
 * The maximum number of days between a bank transaction and an item within which an equal amount is enough evidence.
 */
export const NEAR_DAYS = 7;
const NAMED_DAYS = 30;
/** The maximum number of days within which a document number or an open document is evidence. */
export const NUMBERED_DAYS = 90;
const TRANSFER_DAYS = 5;
/** The maximum number of days between an open document's date and its payment. */
const DOCUMENT_DAYS = 365;
const IN_TIME_DAYS = 60;

/** A bank transaction with its parsed text and the customers and vendors to which its payee was matched earlier. */
export interface ReadLine extends ReviewLine, OnDay {
  read: BankText;
  /** The customers and vendors that users have confirmed for this payee. */
  known: ReadonlySet<number>;
  /** Whether the text contains words that banks use for transfers between the same owner's accounts. */
  isTransfer: boolean;
}

const TRANSFER_WORDS = ['TRANSFER', 'XFER', 'TFR', 'TRNSFR'];
const CARD_PAYMENT = /\b(PAYMENT|PYMT|PMT|AUTOPAY|THANK YOU|CARDMEMBER|CREDIT CRD|CREDIT CARD)\b/;

/** Parses a bank transaction. `aliases` are the customers and vendors to which payees were matched earlier. */
export function readLine(line: ReviewLine, aliases: ReadonlyMap<string, ReadonlySet<number>>): ReadLine {
  const read = bankText(line.text);
  const isTransfer = TRANSFER_WORDS.some((word) => read.wordSet.has(word)) || CARD_PAYMENT.test(read.words.join(' '));
  return {
    ...line,
    day: dayOf(line),
    read,
    known: (line.payee === '' ? undefined : aliases.get(line.payee)) ?? NOBODY,
    isTransfer,
  };
}

const NOBODY: ReadonlySet<number> = new Set();

/** The strength of a match, with a description of the evidence. */
export interface Score {
  /** The points, from 0 to 100. */
  points: number;
  reasons: string[];
}

/** The words of each name, which are parsed only once. */
export class Names {
  readonly #words = new Map<string, string[]>();
  readonly #fits = new Map<BankText, Map<string, NameFit>>();

  wordsOf(name: string): string[] {
    const known = this.#words.get(name);
    if (known !== undefined) return known;
    const words = nameWords(name);
    this.#words.set(name, words);
    return words;
  }

  fit(name: string, { read }: Pick<ReadLine, 'read'>): NameFit {
    if (name === '') return 'none';
    let fits = this.#fits.get(read);
    if (fits === undefined) this.#fits.set(read, (fits = new Map()));
    const known = fits.get(name);
    if (known !== undefined) return known;
    const fit = nameFit(this.wordsOf(name), read);
    fits.set(name, fit);
    return fit;
  }
}

/**
 * Scores an item with the same amount as the line. Returns undefined if the item does not match, either because its
 * date is too far away for the available evidence or because it is a different check. `isAlone` means that no other
 * line or item with a nearby date has this amount.
 */
export function scoreOf(line: ReadLine, item: DatedItem, names: Names, isAlone: boolean): Score | undefined {
  if (line.checkNumber !== '' && item.checkNumber !== '' && !isSameCheck(line, item)) return undefined;
  const number = numberEvidence(line, item);
  const name = nameEvidence(line, item, names);
  const time = timeEvidence(line, item, { number, name });
  if (time === undefined) return undefined;
  const evidence = [{ points: POINTS.amount, reason: 'same amount' }, time, ...number, ...name];
  if (item.kind === 'transfer' && line.isTransfer) {
    evidence.push({ points: POINTS.transferWords, reason: 'described as a transfer' });
  }
  if (isAlone) evidence.push({ points: POINTS.alone, reason: 'the only entry with this amount' });
  return {
    points: Math.min(
      MOST,
      evidence.reduce((all, { points }) => all + points, 0),
    ),
    reasons: evidence.map(({ reason }) => reason).filter((reason) => reason !== ''),
  };
}

interface Evidence {
  points: number;
  reason: string;
}

function isSameCheck(line: Pick<ReviewLine, 'checkNumber'>, item: Pick<BookItem, 'checkNumber'>): boolean {
  const plain = (number: string) => number.trim().replace(/^[#0\s]+(?=.)/, '');
  return plain(line.checkNumber) === plain(item.checkNumber);
}

function numberEvidence(line: ReadLine, item: BookItem): Evidence[] {
  const points = POINTS.number;
  if (item.checkNumber !== '') {
    const isSame = line.checkNumber !== '' ? isSameCheck(line, item) : hasNumber(line.read, item.checkNumber);
    if (isSame) return [{ points, reason: `check ${item.checkNumber}` }];
  }
  const number = item.numbers.find((each) => hasNumber(line.read, each));
  if (number === undefined) return [];
  return [{ points, reason: `${number} in the description` }];
}

function nameEvidence(line: ReadLine, item: BookItem, names: Names): Evidence[] {
  const fit = names.fit(item.entityName, line);
  if (fit === 'full') return [{ points: POINTS.name, reason: `${item.entityName} in the description` }];
  if (item.entityId !== null && line.known.has(item.entityId)) {
    return [{ points: POINTS.name, reason: `this payee was matched to ${item.entityName} before` }];
  }
  if (fit === 'part') return [{ points: POINTS.partOfName, reason: `part of ${item.entityName} in the description` }];
  return item.kind === 'entry' && item.entityName === '' ? describedEvidence(line, item, names) : [];
}

/** The description of an entry without a customer or vendor may contain the name. */
function describedEvidence(line: ReadLine, { description }: BookItem, names: Names): Evidence[] {
  const fit = line.payee === '' ? 'none' : nameFit(names.wordsOf(line.payee), bankText(description));
  if (fit === 'full') return [{ points: POINTS.name, reason: "the payee in the entry's description" }];
  return [];
}

function timeEvidence(
  line: ReadLine,
  item: DatedItem,
  { number, name }: { number: readonly Evidence[]; name: readonly Evidence[] },
): Evidence | undefined {
  const days = line.day - item.day;
  const apart = Math.abs(days);
  if (item.kind === 'document') return documentTime(days);
  if (item.kind === 'transfer' && apart > TRANSFER_DAYS) return undefined;
  const reason = apart === 0 ? 'same day' : apart === 1 ? '1 day apart' : `${apart} days apart`;
  const [same, few, near] = POINTS.days;
  if (apart === 0) return { points: same, reason };
  if (apart <= 3) return { points: few, reason };
  if (apart <= NEAR_DAYS) return { points: near, reason };
  const longest = number.length > 0 ? NUMBERED_DAYS : name.length > 0 ? NAMED_DAYS : NEAR_DAYS;
  return apart <= longest ? { points: 0, reason } : undefined;
}

/** A document is usually paid after its date, but payments a few days earlier are also common. */
function documentTime(days: number): Evidence | undefined {
  if (days < -NEAR_DAYS || days > DOCUMENT_DAYS) return undefined;
  return { points: days >= 0 && days <= IN_TIME_DAYS ? POINTS.paidInTime : 0, reason: '' };
}
