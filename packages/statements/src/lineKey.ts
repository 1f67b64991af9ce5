import type { StatementLine } from './statement.ts';

type Identified = Pick<StatementLine, 'date' | 'amount' | 'text' | 'bankId'>;

const oneSpace = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/**
 * The identity of a line inside one account: the bank's id or nothing, date, cents and the bank's text with white space
 * made one, as the text of a JSON array. Two honest coffees have one key.
 */
export function lineKey({ bankId, date, amount, text }: Identified): string {
  return JSON.stringify([oneSpace(bankId ?? ''), date, amount, oneSpace(text)]);
}

export interface JudgedLine {
  line: StatementLine;
  key: string;
  /** `doubtful` is new too, but its bankId stands on another line with another date, amount or text. */
  state: 'new' | 'known' | 'doubtful';
}

/** The bank's id in a key of `lineKey`; empty if it has none, or if the key is not one of ours. */
function bankIdOf(key: string): string {
  const [, written] = /^\[("(?:[^"\\]|\\.)*"),/.exec(key) ?? [];
  const id: unknown = written === undefined ? '' : JSON.parse(written);
  return typeof id === 'string' ? id : '';
}

/**
 * Says of each line whether the account has it already. `known` counts the account's lines by key. New are as many of a
 * key as the file has more than the account, so nothing is doubled and nothing lost, however often a file is read.
 */
export function newLines(read: readonly StatementLine[], known: ReadonlyMap<string, number>): JudgedLine[] {
  const left = new Map(known);
  const keys = read.map(lineKey);
  const keyOfId = new Map<string, string | undefined>();
  for (const key of [...known.keys(), ...keys]) {
    const id = bankIdOf(key);
    // An id with two keys leads to none of them.
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
