import type { StatementLine } from './statement.ts';

type Identified = Pick<StatementLine, 'date' | 'amount' | 'text' | 'bankId'>;

const oneSpace = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/**
 * Returns the identity of a bank transaction within an account as a JSON array: the bank's ID (if any), the date, the
 * amount in cents, and the bank's text with single spaces. Two identical but separate coffee purchases have the same
 * key.
 */
export function lineKey({ bankId, date, amount, text }: Identified): string {
  return JSON.stringify([oneSpace(bankId ?? ''), date, amount, oneSpace(text)]);
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
 * duplicated or lost, no matter how often a file is read.
 */
export function newLines(read: readonly StatementLine[], known: ReadonlyMap<string, number>): JudgedLine[] {
  const left = new Map(known);
  const keys = read.map(lineKey);
  const keyOfId = new Map<string, string | undefined>();
  for (const key of [...known.keys(), ...keys]) {
    const id = bankIdOf(key);
    // If an ID occurs in two keys, the ID is not linked to either of them.
    if (id !== '') keyOfId.set(id, keyOfId.has(id) && keyOfId.get(id) !== key ? undefined : key);
  }
  return read.map((line, index) => {
    const key = keys[index] ?? lineKey(line);
    const count = left.get(key) ?? 0;
    if (count > 0) {
      left.set(key, count - 1);
      return { line, key, state: 'known' };
    }
    const id = bankIdOf(key);
    const isDoubtful = line.corrects !== undefined || (id !== '' && keyOfId.get(id) !== key);
    return { line, key, state: isDoubtful ? 'doubtful' : 'new' };
  });
}
