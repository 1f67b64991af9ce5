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
   * amount, or text.
   */
  state: 'new' | 'known' | 'doubtful';
}

/** Returns the bank's ID from a key that `lineKey` returned, or an empty string if the key has none or is invalid. */
function bankIdOf(key: string): string {
  const [, written] = /^\[("(?:[^"\\]|\\.)*"),/.exec(key) ?? [];
  const id: unknown = written === undefined ? '' : JSON.parse(written);
  return typeof id === 'string' ? id : '';
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
  for (const key of known.keys()) {
    link(bankIdOf(key), key);
    yield;
  }
  const keyed: { line: StatementLine; key: string; id: string }[] = [];
  for (const line of read) {
    const [key, id] = [lineKey(line), idOf(line)];
    keyed.push({ line, key, id });
    link(id, key);
    yield;
  }
  const left = new Map(known);
  const judged: JudgedLine[] = [];
  for (const { line, key, id } of keyed) {
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    const isDoubtful = line.corrects !== undefined || (id !== '' && keyOfId.get(id) !== key);
    judged.push({ line, key, state: count > 0 ? 'known' : isDoubtful ? 'doubtful' : 'new' });
    yield;
  }
  return judged;
}
