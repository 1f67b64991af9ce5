import type { Steps } from '@evenkeel/core/steps';
import type { StatementLine } from './statement.ts';

type Identified = Pick<StatementLine, 'date' | 'amount' | 'text' | 'bankId'>;

const oneSpace = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Returns the bank's ID with single spaces, or an empty string if there is none. */
const idOf = ({ bankId }: Pick<StatementLine, 'bankId'>): string => oneSpace(bankId ?? '');

/**
 * Returns the identity of a bank transaction within an account as a JSON array: the bank's ID (if any), the date, the
 * amount in cents, and the bank's text with single spaces. Two identical but separate coffee purchases have the same
 * key.
 */
export function lineKey(line: Identified): string {
  const { date, amount, text } = line;
  return JSON.stringify([idOf(line), date, amount, oneSpace(text)]);
}

export interface JudgedLine {
  line: StatementLine;
  key: string;
  /**
   * A `doubtful` transaction is also new, but another bank transaction has the same bankId with a different date,
   * amount, or text, or the account has the same transaction from another source.
   */
  state: 'new' | 'known' | 'doubtful';
  /** Whether the account has the same transaction and only one of the two has a bank ID. */
  isCopy: boolean;
}

interface KeyParts {
  id: string;
  facts: string;
}

/**
 * Splits a key that `lineKey` returned into the bank's ID, which is empty if there is none, and the date, amount, and
 * text in uppercase. Banks write the same text differently in different kinds of files.
 */
function partsOf(key: string): KeyParts {
  const [, written, rest = key] = /^\[("(?:[^"\\]|\\.)*"),(.*)$/s.exec(key) ?? [];
  const id: unknown = written === undefined ? '' : JSON.parse(written);
  return { id: typeof id === 'string' ? id : '', facts: rest.toUpperCase() };
}

/** The account's transactions with certain facts. `left` counts those that are not in the file under the same key. */
interface Stored {
  count: number;
  left: number;
}

/**
 * Finds transactions that the account has from another source, of which only one has a bank ID. Stored transactions
 * with and without an ID are paired first, because they were compared when the second one was imported.
 */
class Copies {
  readonly #stored = { withId: new Map<string, Stored>(), withoutId: new Map<string, Stored>() };

  store({ id, facts }: KeyParts, count: number): void {
    const side = id === '' ? this.#stored.withoutId : this.#stored.withId;
    const { count: before, left } = side.get(facts) ?? { count: 0, left: 0 };
    side.set(facts, { count: before + count, left: left + count });
  }

  /** Removes a stored transaction that the file contains under the same key. */
  remove(parts: KeyParts): void {
    const { own } = this.#sidesOf(parts);
    own.left -= 1;
  }

  /** Returns whether a stored transaction is the same as this new one. Each stored transaction is used only once. */
  take(parts: KeyParts): boolean {
    const { own, other } = this.#sidesOf(parts);
    if (other.left <= 0 || other.count <= own.count) return false;
    other.left -= 1;
    other.count -= 1;
    return true;
  }

  /** Returns the stored transactions that, like this one, have or don't have an ID, and the other ones. */
  #sidesOf({ id, facts }: KeyParts): { own: Stored; other: Stored } {
    const withId = this.#stored.withId.get(facts) ?? { count: 0, left: 0 };
    const withoutId = this.#stored.withoutId.get(facts) ?? { count: 0, left: 0 };
    return id === '' ? { own: withoutId, other: withId } : { own: withId, other: withoutId };
  }
}

/**
 * Returns, for each bank transaction, whether the account already has it. `known` counts the account's transactions by
 * key. If the file has more transactions with a key than the account has, the extra transactions are new. Nothing is
 * duplicated or lost, no matter how often a file is read. Each step handles one transaction.
 */
export function* newLines(read: readonly StatementLine[], known: ReadonlyMap<string, number>): Steps<JudgedLine[]> {
  const keyOfId = new Map<string, string | undefined>();
  const link = (id: string, key: string): void => {
    // If an ID occurs in two keys, the ID is not linked to either of them.
    if (id !== '') keyOfId.set(id, keyOfId.has(id) && keyOfId.get(id) !== key ? undefined : key);
  };
  const copies = new Copies();
  for (const [key, count] of known) {
    const parts = partsOf(key);
    link(parts.id, key);
    copies.store(parts, count);
    yield;
  }
  const left = new Map(known);
  const keyed: { line: StatementLine; key: string; parts: KeyParts; isKnown: boolean }[] = [];
  for (const line of read) {
    const key = lineKey(line);
    const parts = partsOf(key);
    const count = left.get(key) ?? 0;
    const isKnown = count > 0;
    if (isKnown) {
      left.set(key, count - 1);
      copies.remove(parts);
    }
    keyed.push({ line, key, parts, isKnown });
    link(parts.id, key);
    yield;
  }
  const judged: JudgedLine[] = [];
  for (const { line, key, parts, isKnown } of keyed) {
    const isCopy = !isKnown && copies.take(parts);
    const isDoubtful = isCopy || line.corrects !== undefined || (parts.id !== '' && keyOfId.get(parts.id) !== key);
    judged.push({ line, key, state: isKnown ? 'known' : isDoubtful ? 'doubtful' : 'new', isCopy });
    yield;
  }
  return judged;
}
