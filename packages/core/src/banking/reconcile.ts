import { formatDate, type IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import type { Entry, Transaction } from '../books/ledger.ts';
import { type Cents, cents, formatAmount, negate, sum } from '../money.ts';
import { isMissing, type Maybe } from '../documents/products.ts';

/**
 * Rules of reconciling a bank account with its statement, the same in the form and on the server (docs/accounting.md,
 * "Reconciliation"). Amounts of entries are signed: money in is above zero. A credit card has the same formula.
 */

/** The figures that a reconciled balance is made of. */
export interface Reconciling {
  /** The balance of the last statement; 0 before the first. */
  last: Cents;
  /** The selected entries: incoming above zero, outgoing below. */
  selected: Iterable<Cents>;
  bankCharge: Cents;
  interest: Cents;
}

/** Last balance and selected entries, less the charge, plus the interest. */
export function reconciledBalance({ last, selected, bankCharge, interest }: Reconciling): Cents {
  return sum([last, ...selected, negate(bankCharge), interest]);
}

/** Reconciled less statement: 0 is in balance, above 0 the books have too much. */
export function balanceDifference(figures: Reconciling, statementBalance: Cents): Cents {
  return cents(reconciledBalance(figures) - statementBalance);
}

/** A statement as a person types it. */
export interface Statement {
  statementDate: IsoDate;
  statementBalance: Cents;
  bankCharge: Cents;
  bankChargeAccountID: Maybe<number>;
  interest: Cents;
  interestAccountID: Maybe<number>;
}

/** Messages for a wrong statement, by field. An account is needed only where there is an amount for it. */
export function checkStatement(statement: Statement, { lastDate }: { lastDate: IsoDate | null }): FieldMessages {
  const { statementDate, bankCharge, bankChargeAccountID, interest, interestAccountID } = statement;
  const fields: FieldMessages = {};
  if (lastDate !== null && statementDate <= lastDate) {
    fields['statementDate'] = `The statement date must be after the last statement date, ${formatDate(lastDate)}`;
  }
  if (bankCharge < 0) fields['bankCharge'] = 'The bank charge cannot be negative';
  if (bankCharge > 0 && isMissing(bankChargeAccountID)) fields['bankChargeAccountID'] = 'Please Select an Account';
  if (interest < 0) fields['interest'] = 'The interest cannot be negative';
  if (interest > 0 && isMissing(interestAccountID)) fields['interestAccountID'] = 'Please Select an Account';
  return fields;
}

/** The message when the selected entries do not make the statement's balance; undefined when they do. */
export function outOfBalance(figures: Reconciling, statementBalance: Cents): string | undefined {
  const difference = balanceDifference(figures, statementBalance);
  if (difference === 0) return undefined;
  const [reconciled, wanted] = [reconciledBalance(figures), statementBalance].map(formatAmount);
  const apart = formatAmount(cents(Math.abs(difference)));
  return `The reconciled balance ${reconciled} differs from the statement balance ${wanted} by ${apart}`;
}

/** The transaction that posts a statement's charge and interest; no entries where it has neither. */
export function chargeTransaction(
  { statementDate, ...statement }: Statement,
  { accountId, name }: { accountId: number; name: string },
): Transaction {
  const charge = pair(statement.bankChargeAccountID, negate(statement.bankCharge), { accountId, words: 'Bank charge' });
  const interest = pair(statement.interestAccountID, statement.interest, { accountId, words: 'Interest' });
  return { postingDate: statementDate, description: `${name} statement`, entries: [...charge, ...interest] };
}

/** Two lines that move the bank account by an amount against another account. */
function pair(
  other: Maybe<number>,
  amount: Cents,
  { accountId, words }: { accountId: number; words: string },
): Entry[] {
  if (amount === 0 || isMissing(other)) return [];
  const plain = { basis: 'B', description: words, entityId: null, profitCenterId: null, locationId: null } as const;
  return [
    { ...plain, accountId, amount },
    { ...plain, accountId: Number(other), amount: negate(amount) },
  ];
}

/** An entry that may be selected. */
export interface Selectable {
  id: number;
  /** Money in above zero. */
  amount: Cents;
  isSelected: boolean;
}

/** A line of the bank's statement that no entry is matched to. */
export interface UnmatchedLine {
  id: number;
  amount: Cents;
}

/** An act that brings the difference to zero. */
export interface Hint {
  /**
   * Select an entry, or take it out; two of these together; book one on the other side; mend its digits; add what the
   * bank has and the books have not.
   */
  act: 'select' | 'deselect' | 'pair' | 'turn' | 'digits' | 'add';
  entryIds: readonly number[];
  lineIds: readonly number[];
  /** The amount that the entry would have (turn, digits), or that is missing (add). */
  amount?: Cents;
  /** A line of the statement proves it. */
  isProved: boolean;
}

const MOST_HINTS = 6;
const ORDER = ['select', 'deselect', 'turn', 'add', 'pair', 'digits'] as const;

/**
 * Acts that could explain a difference (reconciled less statement), the best first: those that a line of the statement
 * proves, then by how simple they are. None for a difference of 0.
 */
export function findDifference(
  difference: Cents,
  entries: readonly Selectable[],
  lines: readonly UnmatchedLine[] = [],
): Hint[] {
  if (difference === 0) return [];
  const missing = negate(difference);
  const proof = new Map(lines.toReversed().map(({ id, amount }) => [Number(amount), id]));
  const found = [
    ...alone(missing, entries, proof),
    ...turned(missing, entries, proof),
    ...added(missing, lines),
    ...pairs(missing, entries, proof),
    ...digits(missing, entries, proof),
  ];
  const rank = ({ isProved, act }: Hint): number => (isProved ? 0 : ORDER.length) + ORDER.indexOf(act);
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_HINTS);
}

/** Amount of an unmatched line → the line. */
type Proof = ReadonlyMap<number, number>;

/** The change of the reconciled balance when the entry is selected, or taken out. */
const effectOf = ({ isSelected, amount }: Selectable): number => (isSelected ? -amount : amount);

function alone(missing: Cents, entries: readonly Selectable[], proof: Proof): Hint[] {
  return entries
    .filter((entry) => effectOf(entry) === missing)
    .map((entry) => {
      const lineIds = entry.isSelected ? [] : provedBy(proof, [entry.amount]);
      return {
        act: entry.isSelected ? 'deselect' : 'select',
        entryIds: [entry.id],
        lineIds,
        isProved: lineIds.length > 0,
      };
    });
}

/** A selected entry of half of the difference that stands on the wrong side. */
function turned(missing: Cents, entries: readonly Selectable[], proof: Proof): Hint[] {
  return entries
    .filter(({ isSelected, amount }) => isSelected && -2 * amount === missing)
    .map(({ id, amount: now }) => mended('turn', { id, amount: negate(now) }, proof));
}

function mended(act: 'turn' | 'digits', { id, amount }: { id: number; amount: Cents }, proof: Proof): Hint {
  const lineIds = provedBy(proof, [amount]);
  return { act, entryIds: [id], lineIds, amount, isProved: lineIds.length > 0 };
}

/** A line of the bank that the books lack, or all of these together. */
function added(missing: Cents, lines: readonly UnmatchedLine[]): Hint[] {
  const exact = lines.filter(({ amount }) => amount === missing);
  const hintOf = (some: readonly UnmatchedLine[]): Hint => {
    return { act: 'add', entryIds: [], lineIds: some.map(({ id }) => id), amount: missing, isProved: true };
  };
  if (exact.length > 0) return exact.map((line) => hintOf([line]));
  return lines.length > 1 && sum(lines.map(({ amount }) => amount)) === missing ? [hintOf(lines)] : [];
}

/** Two entries that together make the difference; an entry stands in one pair only. */
function pairs(missing: Cents, entries: readonly Selectable[], proof: Proof): Hint[] {
  const waiting = new Map<number, Selectable[]>();
  const found: Hint[] = [];
  for (const entry of entries) {
    const effect = effectOf(entry);
    const other = effect === missing || effect === 0 ? undefined : waiting.get(missing - effect)?.shift();
    if (other === undefined) {
      const same = waiting.get(effect);
      if (same === undefined) waiting.set(effect, [entry]);
      else same.push(entry);
    } else {
      const selecting = [other, entry].filter(({ isSelected }) => !isSelected);
      const lineIds = provedBy(
        proof,
        selecting.map(({ amount }) => amount),
      );
      const isProved = selecting.length === 2 && new Set(lineIds).size === 2;
      found.push({ act: 'pair', entryIds: [other.id, entry.id], lineIds: isProved ? lineIds : [], isProved });
    }
    if (found.length === MOST_HINTS) break;
  }
  return found;
}

/**
 * Selected entries that mend it when two neighbouring digits are turned round: that changes an amount by nine times one
 * digit at its place, so no other difference comes of it.
 */
function digits(missing: Cents, entries: readonly Selectable[], proof: Proof): Hint[] {
  if (!/^[1-9]0*$/.test(String(Math.abs(missing) / 9))) return [];
  return entries.flatMap(({ id, isSelected, amount }) => {
    const wanted = cents(amount + missing);
    if (!isSelected || !isTurnedRound(amount, wanted)) return [];
    return [mended('digits', { id, amount: wanted }, proof)];
  });
}

/** Whether two amounts of one sign differ by two neighbouring digits alone: 54.30 and 45.30. */
function isTurnedRound(one: Cents, other: Cents): boolean {
  if (one === other || one < 0 !== other < 0) return false;
  const width = String(Math.max(Math.abs(one), Math.abs(other))).length;
  const [a, b] = [one, other].map((amount) => String(Math.abs(amount)).padStart(width, '0'));
  if (a === undefined || b === undefined) return false;
  const at = [...a].findIndex((digit, place) => digit !== b[place]);
  return b === `${a.slice(0, at)}${a[at + 1] ?? ''}${a[at] ?? ''}${a.slice(at + 2)}`;
}

function provedBy(proof: Proof, amounts: readonly Cents[]): number[] {
  return amounts.flatMap((amount) => {
    const line = proof.get(amount);
    return line === undefined ? [] : [line];
  });
}
