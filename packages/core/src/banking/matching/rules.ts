import { type FieldMessages } from '../../failure.ts';
import { type Cents, share, sum } from '../../money.ts';
import { plainText } from './words.ts';

/** The share of an amount that a rule posts to an account. */
export interface RuleLine {
  accountId: number;
  /** The share in hundredths of a percent. The shares of a rule add up to 10,000. */
  percentHundredths: number;
  profitCenterId: number | null;
  locationId: number | null;
}

/** The conditions under which a rule matches bank transactions. */
export interface RuleTest {
  /** The account that the rule is limited to. Null for all accounts. */
  bankAccountId: number | null;
  direction: 'in' | 'out' | 'both';
  operator: 'contains' | 'is' | 'begins';
  /** The text to search for. An empty string matches every text. */
  text: string;
  /** The minimum and maximum amount without its sign, both inclusive. Null means no limit. */
  from: Cents | null;
  to: Cents | null;
}

/** The bank transaction fields that rules test. */
export interface Tested {
  bankAccountId: number;
  amount: Cents;
  text: string;
}

/**
 * Returns whether a rule matches a bank transaction. An amount of zero never matches, because there is nothing to post.
 */
export function ruleFits(rule: RuleTest, { bankAccountId, amount, text }: Tested): boolean {
  if (amount === 0 || (rule.bankAccountId !== null && rule.bankAccountId !== bankAccountId)) return false;
  if (rule.direction !== 'both' && rule.direction !== (amount > 0 ? 'in' : 'out')) return false;
  const size = Math.abs(amount);
  if ((rule.from !== null && size < rule.from) || (rule.to !== null && size > rule.to)) return false;
  return textFits(rule, text);
}

function textFits({ operator, text: wanted }: RuleTest, text: string): boolean {
  const [sought, given] = [plainText(wanted), plainText(text)];
  if (sought === '') return true;
  if (operator === 'is') return given === sought;
  return operator === 'begins' ? given.startsWith(sought) : given.includes(sought);
}

/** Returns the first matching rule. `rules` must be sorted by position. */
export function firstFitting<R extends RuleTest>(rules: readonly R[], line: Tested): R | undefined {
  return rules.find((rule) => ruleFits(rule, line));
}

/**
 * Splits an amount by the shares of a rule, to the cent and with the sign of the bank transaction. Omits shares of
 * zero.
 */
export function splitByRule<L extends RuleLine>(lines: readonly L[], amount: Cents): (L & { amount: Cents })[] {
  const parts = share(
    amount,
    lines.map(({ percentHundredths }) => percentHundredths),
  );
  return lines.map((line, at) => ({ ...line, amount: parts[at] ?? amount })).filter((line) => line.amount !== 0);
}

const WHOLE = 10_000;

/** A rule as entered in the form and sent in the request. */
export interface CheckableRule extends Pick<RuleTest, 'text' | 'from' | 'to' | 'direction'> {
  name: string;
  lines: readonly { accountId: number; percentHundredths: number }[];
}

/** Returns a rule's validation messages by field path. Used by the form and the server. */
export function checkRule({ name, text, from, to, lines }: CheckableRule): FieldMessages {
  const fields: FieldMessages = {};
  if (name.trim() === '') fields['name'] = 'Please enter a name';
  if (text.trim() === '' && from === null && to === null) {
    fields['text'] = 'Please enter a description or an amount. Otherwise, the rule matches every bank transaction.';
  }
  if (from !== null && from < 0) fields['from'] = 'The amount cannot be negative';
  if (to !== null && to < (from ?? 0)) fields['to'] = "The maximum can't be less than the minimum";
  if (lines.length === 0) fields['lines'] = 'Please select an account';
  lines.forEach(({ accountId, percentHundredths }, at) => {
    if (accountId === 0) fields[`lines.${at}.accountID`] = 'Please Select an Account';
    if (percentHundredths <= 0) fields[`lines.${at}.percent`] = 'The percentage must be greater than 0';
  });
  const whole = lines.reduce((all, { percentHundredths }) => all + percentHundredths, 0);
  if (lines.length > 0 && whole !== WHOLE) fields['lines'] = 'The percentages must add up to 100';
  return fields;
}

/** One part of a user's categorization of a bank transaction. `amount` has the bank transaction's sign. */
export interface BookedPart {
  accountId: number;
  amount: Cents;
  profitCenterId: number | null;
  locationId: number | null;
  entityId: number | null;
}

/** A payee's usual categorization: the parts of the most recent categorization, and how often it occurred. */
export interface Usual<P extends BookedPart = BookedPart> {
  parts: readonly P[];
  count: number;
}

/** The number of times a payee must be categorized in the same way before this categorization is suggested. */
const LEAST = 2;

/**
 * Returns a payee's most frequent categorization if it occurred at least twice and in at least three out of four cases.
 * `bookings` are newest first. Split categorizations are identical if their shares match to the cent.
 */
export function usualCategorization<P extends BookedPart>(bookings: readonly (readonly P[])[]): Usual<P> | undefined {
  const ways: { parts: readonly P[]; count: number }[] = [];
  for (const parts of bookings) {
    const way = ways.find((each) => isAlike(each.parts, parts));
    if (way === undefined) ways.push({ parts, count: 1 });
    else way.count += 1;
  }
  const [first, second] = ways.toSorted((a, b) => b.count - a.count);
  if (first === undefined || first.count < LEAST || first.count === second?.count) return undefined;
  return first.count * 4 >= bookings.length * 3 ? first : undefined;
}

/** Splits a bank transaction's amount by the shares of an earlier categorization, to the cent. Omits shares of zero. */
export function splitAsBefore<P extends BookedPart>(parts: readonly P[], amount: Cents): P[] {
  const shares = share(
    amount,
    parts.map((part) => part.amount),
  );
  return parts.map((part, at) => ({ ...part, amount: shares[at] ?? amount })).filter((part) => part.amount !== 0);
}

const placeOf = ({ accountId, profitCenterId, locationId, entityId }: BookedPart): string =>
  [accountId, profitCenterId, locationId, entityId].join(' ');

function isAlike(one: readonly BookedPart[], other: readonly BookedPart[]): boolean {
  if (one.length !== other.length) return false;
  const [a, b] = [one, other].map((parts) => parts.toSorted((x, y) => (placeOf(x) < placeOf(y) ? -1 : 1)));
  if (a === undefined || b === undefined || a.some((part, at) => placeOf(part) !== placeOf(b[at] ?? part)))
    return false;
  if (a.length === 1) return true;
  const shares = share(
    sum(b.map(({ amount }) => amount)),
    a.map(({ amount }) => amount),
  );
  return b.every(({ amount }, at) => Math.abs(amount - (shares[at] ?? 0)) <= 1);
}
