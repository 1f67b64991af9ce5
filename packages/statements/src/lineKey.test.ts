import { describe, expect, it } from 'vitest';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { inOneGo } from '@evenkeel/core/steps';
import { lineKey, newLines } from './lineKey.ts';
import type { StatementLine } from './read.ts';

const line = (amount: number, text: string, more: Partial<StatementLine> = {}): StatementLine => ({
  date: isoDate('2024-05-13'),
  amount: cents(amount),
  text,
  row: 1,
  ...more,
});
const states = (read: StatementLine[], known: ReadonlyMap<string, number> = new Map()): string[] =>
  inOneGo(newLines(read, known)).map(({ state }) => state);

describe('the key of a bank transaction', () => {
  it("a bank transaction's key consists of the ID, date, cents, and text with single spaces, and is readable", () => {
    expect(lineKey(line(-450, '  COFFEE \n BAR ', { bankId: 'F1' }))).toBe('["F1","2024-05-13",-450,"COFFEE BAR"]');
    expect(lineKey(line(-450, 'COFFEE'))).toBe('["","2024-05-13",-450,"COFFEE"]');
  });

  it("a transaction's key does not depend on how letters are composed, and it differs if any field differs", () => {
    expect(lineKey(line(1, 'Cafe\u0301'))).toBe(lineKey(line(1, 'Café')));
    expect(lineKey(line(1, 'b', { bankId: 'a"' }))).not.toBe(lineKey(line(1, '"b', { bankId: 'a' })));
  });
});

describe('new bank transactions', () => {
  const coffee = line(-450, 'COFFEE');

  it('a file with 3 identical coffee purchases adds 1 if the account already has 2', () => {
    expect(states([coffee, coffee, coffee], new Map([[lineKey(coffee), 2]]))).toEqual(['known', 'known', 'new']);
    expect(states([coffee], new Map([[lineKey(coffee), 2]]))).toEqual(['known']);
    expect(states([coffee, coffee])).toEqual(['new', 'new']);
  });

  it('each transaction is a separate step, so that other work can run between them', () => {
    const steps = newLines([coffee, coffee, coffee], new Map([[lineKey(coffee), 2]]));
    // One step for the known key, and two for each transaction of the file.
    expect(Array.from(steps)).toHaveLength(7);
  });

  it('a known FITID with another date, amount, or text in the file or in the account is doubtful', () => {
    const first = line(-100, 'A', { bankId: 'F1' });
    const second = line(-200, 'A', { bankId: 'F1' });
    const moved = { ...first, date: isoDate('2024-05-14') };
    const renamed = { ...first, text: 'A B' };
    for (const other of [second, moved, renamed]) {
      expect(states([first, other])).toEqual(['doubtful', 'doubtful']);
      expect(states([first, other], new Map([[lineKey(first), 1]]))).toEqual(['known', 'doubtful']);
      expect(states([other], new Map([[lineKey(first), 1]]))).toEqual(['doubtful']);
    }
    expect(states([first, first])).toEqual(['new', 'new']);
    expect(states([first, line(-200, 'A', { bankId: 'F2' })])).toEqual(['new', 'new']);
  });

  it('a bank transaction that corrects another bank transaction is doubtful', () => {
    expect(states([line(-100, 'A', { bankId: 'F3', corrects: 'F1' })])).toEqual(['doubtful']);
  });

  describe('the same transactions in a file with bank IDs and in a file without them', () => {
    const identified = line(-450, 'Coffee', { bankId: 'F1' });
    const second = { ...identified, bankId: 'F2' };
    const stored = (...lines: StatementLine[]) => {
      const counts = new Map<string, number>();
      for (const one of lines) counts.set(lineKey(one), (counts.get(lineKey(one)) ?? 0) + 1);
      return counts;
    };

    it('a transaction is doubtful if the account has it with a bank ID and the file does not, or vice versa', () => {
      expect(states([coffee], stored(identified))).toEqual(['doubtful']);
      expect(states([identified], stored(coffee))).toEqual(['doubtful']);
      expect(states([line(-450, ' coffee\n')], stored(identified))).toEqual(['doubtful']);
      expect(states([second], stored(identified))).toEqual(['new']);
      for (const other of [line(-451, 'COFFEE'), line(-450, 'TEA'), { ...coffee, date: isoDate('2024-05-14') }]) {
        expect(states([other], stored(identified))).toEqual(['new']);
      }
      const judged = (read: StatementLine[], known: ReadonlyMap<string, number>) =>
        inOneGo(newLines(read, known)).map(({ isCopy }) => isCopy);
      expect(judged([coffee, coffee], stored(identified))).toEqual([true, false]);
      expect(judged([line(-1, 'A', { bankId: 'F1' })], stored(identified))).toEqual([false]);
    });

    it('each stored transaction makes at most one transaction in the file doubtful', () => {
      expect(states([coffee, coffee], stored(identified))).toEqual(['doubtful', 'new']);
      expect(states([coffee, coffee, coffee], stored(identified, second))).toEqual(['doubtful', 'doubtful', 'new']);
      expect(states([identified, second], stored(coffee))).toEqual(['doubtful', 'new']);
      expect(states([identified, second], stored(coffee, coffee))).toEqual(['doubtful', 'doubtful']);
    });

    it('after both files are imported, repeated imports are known and another purchase is new', () => {
      const both = stored(identified, coffee);
      expect(states([coffee], both)).toEqual(['known']);
      expect(states([identified], both)).toEqual(['known']);
      expect(states([coffee, coffee], both)).toEqual(['known', 'new']);
      expect(states([identified, second], both)).toEqual(['known', 'new']);
      expect(states([identified, second], stored(identified, coffee, coffee))).toEqual(['known', 'doubtful']);
    });

    it('a file in which only some transactions have bank IDs does not make its own transactions doubtful', () => {
      expect(states([identified, coffee])).toEqual(['new', 'new']);
      expect(states([identified, coffee], stored(coffee))).toEqual(['new', 'known']);
      expect(states([coffee, identified], stored(identified))).toEqual(['new', 'known']);
    });

    it('50,000 transactions with equal data are each compared in constant time', () => {
      const ids = Array.from({ length: 50_000 }, (_, at) => ({ ...identified, bankId: `F${at}` }));
      const copies = ids.map(() => coffee);
      expect(states(copies, stored(...ids)).every((state) => state === 'doubtful')).toBe(true);
      expect(states(ids, stored(...copies)).every((state) => state === 'doubtful')).toBe(true);
    });
  });

  it('comparing transactions does not change the known counts', () => {
    const known = new Map([[lineKey(coffee), 1]]);
    states([coffee, coffee], known);
    expect([...known.values()]).toEqual([1]);
  });
});
