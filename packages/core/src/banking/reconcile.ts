import { formatDate, type IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import type { Entry, Transaction } from '../books/ledger.ts';
import { type Cents, cents, formatAmount, negate, sum } from '../money.ts';
import { isMissing, type Maybe } from '../documents/products.ts';

/**
 * Reconciliation rules that the form and the server share (docs/accounting.md, "Reconciliation"). Entry amounts are
 * signed: money in is positive. Credit cards use the same formula.
 */

/** The amounts that make up a reconciled balance. */
export interface Reconciling {
  /** The balance on the last statement, or 0 before the first reconciliation. */
  last: Cents;
  /** The selected entries: positive for money in, negative for money out. */
  selected: Iterable<Cents>;
  bankCharge: Cents;
  interest: Cents;
}

/** Returns the last balance plus the selected entries and the interest, less the charge. */
export function reconciledBalance({ last, selected, bankCharge, interest }: Reconciling): Cents {
  return sum([last, ...selected, negate(bankCharge), interest]);
}

/**
 * Returns the reconciled balance less the statement balance. 0 means that the balances agree. A positive difference
 * means that the balance in the books is higher.
 */
export function balanceDifference(figures: Reconciling, statementBalance: Cents): Cents {
  return cents(reconciledBalance(figures) - statementBalance);
}

/** A statement as the user enters it. */
export interface Statement {
  statementDate: IsoDate;
  statementBalance: Cents;
  bankCharge: Cents;
  bankChargeAccountID: Maybe<number>;
  interest: Cents;
  interestAccountID: Maybe<number>;
}

/**
 * Returns the validation messages for a statement by field. An account is required only for a charge or interest other
 * than zero.
 */
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

/** Returns the message for selected entries that do not match the statement balance, or undefined if they match. */
export function outOfBalance(figures: Reconciling, statementBalance: Cents): string | undefined {
  const difference = balanceDifference(figures, statementBalance);
  if (difference === 0) return undefined;
  const [reconciled, wanted] = [reconciledBalance(figures), statementBalance].map(formatAmount);
  const apart = formatAmount(cents(Math.abs(difference)));
  return `The reconciled balance ${reconciled} differs from the statement balance ${wanted} by ${apart}`;
}

/**
 * Returns the transaction for a statement's charge and interest. The transaction has no entries if both amounts are
 * zero.
 */
export function chargeTransaction(
  { statementDate, ...statement }: Statement,
  { accountId, name }: { accountId: number; name: string },
): Transaction {
  const charge = pair(statement.bankChargeAccountID, negate(statement.bankCharge), { accountId, words: 'Bank charge' });
  const interest = pair(statement.interestAccountID, statement.interest, { accountId, words: 'Interest' });
  return { postingDate: statementDate, description: `${name} statement`, entries: [...charge, ...interest] };
}

/** Returns two entries that post an amount to the bank account against another account. */
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

/** An entry that can be selected in a reconciliation. */
export interface Selectable {
  id: number;
  /** The amount. Money in is positive. */
  amount: Cents;
  isSelected: boolean;
}

/** A bank transaction on the statement without a matching entry. */
export interface UnmatchedLine {
  id: number;
  amount: Cents;
}

/** An action that would bring the difference to zero. */
export interface Hint {
  /**
   * The action: select an entry, deselect an entry, do both with two entries, reverse an entry's sign, correct
   * transposed digits, or add entries that are on the bank statement but not in the books.
   */
  act: 'select' | 'deselect' | 'pair' | 'turn' | 'digits' | 'add';
  entryIds: readonly number[];
  lineIds: readonly number[];
  /** For turn and digits, the new amount of the entry. For add, the missing amount. */
  amount?: Cents;
  /** Whether a bank transaction on the statement confirms the hint. */
  isProved: boolean;
}

const MOST_HINTS = 6;
const ORDER = ['select', 'deselect', 'turn', 'add', 'pair', 'digits'] as const;

/**
 * Returns actions that could explain a difference (reconciled less statement), best first. Actions that a bank
 * transaction confirms come first, followed by the simplest actions. Returns an empty list for a difference of 0.
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

/** The IDs of unmatched bank transactions by amount. */
type Proof = ReadonlyMap<number, number>;

/** Returns the change in the reconciled balance when the entry is selected or deselected. */
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

/**
 * Finds selected entries that were posted with the wrong sign. The amount of each of these entries is half the
 * difference.
 */
function turned(missing: Cents, entries: readonly Selectable[], proof: Proof): Hint[] {
  return entries
    .filter(({ isSelected, amount }) => isSelected && -2 * amount === missing)
    .map(({ id, amount: now }) => mended('turn', { id, amount: negate(now) }, proof));
}

function mended(act: 'turn' | 'digits', { id, amount }: { id: number; amount: Cents }, proof: Proof): Hint {
  const lineIds = provedBy(proof, [amount]);
  return { act, entryIds: [id], lineIds, amount, isProved: lineIds.length > 0 };
}

/** Suggests one bank transaction that is not in the books, or all of these transactions together. */
function added(missing: Cents, lines: readonly UnmatchedLine[]): Hint[] {
  const exact = lines.filter(({ amount }) => amount === missing);
  const hintOf = (some: readonly UnmatchedLine[]): Hint => {
    return { act: 'add', entryIds: [], lineIds: some.map(({ id }) => id), amount: missing, isProved: true };
  };
  if (exact.length > 0) return exact.map((line) => hintOf([line]));
  return lines.length > 1 && sum(lines.map(({ amount }) => amount)) === missing ? [hintOf(lines)] : [];
}

/** Finds pairs of entries that together equal the difference. Each entry is in at most one pair. */
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
 * Finds selected entries in which two adjacent digits were transposed. A transposition always changes an amount by a
 * multiple of nine times the digits' place value, so other differences are ruled out.
 */
function digits(missing: Cents, entries: readonly Selectable[], proof: Proof): Hint[] {
  if (!/^[1-9]0*$/.test(String(Math.abs(missing) / 9))) return [];
  return entries.flatMap(({ id, isSelected, amount }) => {
    const wanted = cents(amount + missing);
    if (!isSelected || !isTurnedRound(amount, wanted)) return [];
    return [mended('digits', { id, amount: wanted }, proof)];
  });
}

/**
 * Returns whether two amounts with the same sign differ only by two transposed adjacent digits, such as 54.30 and
 * 45.30.
 */
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
