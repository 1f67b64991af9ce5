import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate } from '../dates.ts';
import { Dice } from '../dice.ts';
import { cents } from '../money.ts';
import { type Explained, explain, type MatchData } from './matching.ts';
import { type BookItem, keyOf, type ReviewLine } from './matching/score.ts';
import { onlySet } from './matching/sets.ts';
import { payeeOf } from './matching/words.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 100);
const START = isoDate('2026-01-05');
const NAMES = ['Acme Tools', 'Birch & Sons', 'Cedar Point LLC', 'Dune', 'Elm Street Dental'];

function randomItem(dice: Dice, id: number, days: number): BookItem {
  const who = dice.between(0, NAMES.length);
  const kind = dice.pick(['entry', 'entry', 'entry', 'document', 'receipt', 'transfer'] as const);
  return {
    kind,
    id,
    amount: cents(dice.between(1, 9) * 100 * dice.pick([1, 1, -1])),
    date: addDays(START, dice.between(0, days)),
    entityId: kind === 'transfer' || who === NAMES.length ? null : who,
    entityName: kind === 'transfer' ? '' : (NAMES[who] ?? ''),
    numbers: dice.between(0, 3) === 0 ? [String(10_000 + dice.between(1, 9))] : [],
    checkNumber: dice.between(0, 5) === 0 ? String(1000 + dice.between(1, 4)) : '',
    description: dice.pick(['', 'Rent', 'Tools']),
  };
}

function randomLine(dice: Dice, id: number, days: number): ReviewLine {
  const text = [dice.pick(['ACH', 'POS', '']), dice.pick(['RENT', '', ...NAMES]), dice.pick(['10003', '', '#77'])]
    .join(' ')
    .trim();
  return {
    id,
    date: addDays(START, dice.between(0, days)),
    amount: cents(dice.between(1, 30) * 100 * dice.pick([1, 1, -1])),
    text,
    checkNumber: dice.between(0, 5) === 0 ? String(1000 + dice.between(1, 4)) : '',
    payee: payeeOf(text),
  };
}

function randomData(dice: Dice): MatchData {
  const days = dice.pick([3, 20, 120]);
  const lines = Array.from({ length: dice.between(1, 14) }, (_, at) => randomLine(dice, at + 1, days));
  const items = Array.from({ length: dice.between(0, 25) }, (_, at) => randomItem(dice, 100 + at, days));
  const refused = new Set(
    lines.flatMap(({ id }) => items.filter(() => dice.between(0, 30) === 0).map((item) => `${id} ${keyOf(item)}`)),
  );
  return { lines, items, refused, aliases: new Map([['RENT', new Set([1])]]) };
}

function shuffled<T>(dice: Dice, all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, at: dice.between(0, 1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

const assigned = (explained: Explained) => (explained.isAssigned ? explained.explanations[0] : undefined);

// Promise (books): The same bank transactions and books give the same matches, regardless of the order in the files.
// [100 random books]
test('the order of bank transactions and items does not affect the matches', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = new Dice(seed);
      const data = randomData(dice);
      const again = { ...data, lines: shuffled(dice, data.lines), items: shuffled(dice, data.items) };
      const [one, other] = [explain(data), explain(again)];
      for (const { id } of data.lines) expect(other(id)).toEqual(one(id));
    }),
    { numRuns },
  );
});

test('each item matches at most one bank transaction or group, sums are exact, and rejected pairs never match', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const data = randomData(new Dice(seed));
      const of = explain(data);
      const owners = new Map<string, string>();
      for (const line of data.lines) {
        const explained = of(line.id);
        for (const { key } of explained.explanations) expect(data.refused.has(`${line.id} ${key}`)).toBe(false);
        const own = assigned(explained);
        if (own === undefined) continue;
        const lines = data.lines.filter(({ id }) => own.kind !== 'transfer' && own.lineIds.includes(id));
        const bank = own.kind === 'transfer' ? line.amount : lines.reduce((all, { amount }) => all + amount, 0);
        expect(own.items.reduce((all, { amount }) => all + amount, 0)).toBe(bank);
        for (const item of own.items) {
          expect(owners.get(keyOf(item)) ?? own.key).toBe(own.key);
          owners.set(keyOf(item), own.key);
        }
        if (own.kind === 'entry')
          expect(data.lines.filter(({ id }) => assigned(of(id))?.key === own.key)).toHaveLength(1);
      }
    }),
    { numRuns },
  );
});

test('if a match is certain, no other available candidate with the same amount scores within 0.05 of it', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const data = randomData(new Dice(seed));
      const of = explain(data);
      for (const { id } of data.lines) {
        const explained = of(id);
        if (!explained.isSure) continue;
        const [best, ...others] = explained.explanations;
        expect(best?.score).toBeGreaterThanOrEqual(0.95);
        const isLike = (other: (typeof others)[number]) =>
          JSON.stringify({ ...other.items[0], id: 0 }) === JSON.stringify({ ...best?.items[0], id: 0 });
        const rivals = others.filter((other) => !other.isTaken && !isLike(other) && other.items.length === 1);
        for (const rival of rivals) expect(rival.score).toBeLessThan((best?.score ?? 0) - 0.05);
      }
    }),
    { numRuns },
  );
});

test('matching finds the same unique set as an exhaustive search of all subsets of up to 12 amounts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }),
      fc.integer({ min: 2, max: 200 }),
      (all, goal) => {
        const parts = all.map((amount) => ({ amount: cents(amount) }));
        let count = 0;
        for (let mask = 0; mask < 1 << all.length; mask += 1) {
          const chosen = all.filter((_, at) => (mask & (1 << at)) !== 0);
          const isSet = chosen.length >= 2 && chosen.length <= 10 && chosen.every((amount) => amount < goal);
          if (isSet && chosen.reduce((total, amount) => total + amount, 0) === goal) count += 1;
        }
        const found = onlySet(parts, cents(goal), { steps: 1_000_000 });
        expect(found.found).toBe(count === 0 ? 'none' : count === 1 ? 'one' : 'many');
        if (found.found === 'one') expect(found.set.reduce((total, { amount }) => total + amount, 0)).toBe(goal);
      },
    ),
    { numRuns },
  );
});

/**
 * Returns entries from two years, and bank transactions from the same two years. Two out of three bank transactions are
 * in the books, most of them with a name.
 */
function manyOf(count: number, entries: number): MatchData {
  const dice = new Dice(5);
  const firsts = ['Green', 'Blue', 'North', 'Old', 'River'] as const;
  const name = () => `${dice.pick(firsts)} ${dice.pick(['Leaf', 'Stone', 'Mill'])} ${dice.between(1, 300)}`;
  const items = Array.from({ length: entries }, (_, id): BookItem => {
    const entityName = name();
    return {
      ...randomItem(dice, id, 730),
      kind: 'entry',
      amount: cents(dice.between(1, 200_000)),
      entityId: id % 2000,
      entityName,
    };
  });
  const lines = Array.from({ length: count }, (_, id): ReviewLine => {
    const item = items[dice.between(0, entries - 1)];
    if (item === undefined) throw new Error('no entries');
    const text = dice.between(0, 2) === 0 ? 'DEPOSIT' : `ACH ${item.entityName.toUpperCase()} PMT`;
    const amount = dice.between(0, 2) === 0 ? cents(dice.between(1, 200_000)) : item.amount;
    return { id, date: addDays(item.date, dice.between(0, 3)), amount, text, checkNumber: '', payee: payeeOf(text) };
  });
  return { lines, items, refused: new Set(), aliases: new Map() };
}

/** Returns how long the work takes, in ms. */
function timeOf(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

test('matching 1,000 bank transactions with 50,000 entries takes less than 15 times as long as copying them', () => {
  const data = manyOf(1000, 50_000);
  const copy = () => JSON.parse(JSON.stringify(data.items));
  const match = () => {
    const of = explain(data);
    expect(data.lines.filter(({ id }) => of(id).isAssigned).length).toBeGreaterThan(500);
  };
  // Other programs may slow down this machine for a moment. The two runs are timed right after each other, so that both
  // are slowed down, and the lowest of several ratios is used.
  const ratios = Array.from({ length: 5 }, () => {
    const copied = timeOf(copy);
    return timeOf(match) / copied;
  });
  expect(Math.min(...ratios)).toBeLessThan(15);
});

test('1,000 bank transactions are matched with 50,000 entries of the same amount, with 60 candidates each', () => {
  const data = manyOf(1000, 50_000);
  const same = { amount: cents(999) };
  const lines = data.lines.map((line) => ({ ...line, ...same }));
  const items = data.items.map((item) => ({ ...item, ...same }));
  const of = explain({ ...data, lines, items });
  for (const { id } of lines) expect(of(id).explanations.length).toBeLessThanOrEqual(60);
});
