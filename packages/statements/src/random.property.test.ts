import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { cents, sum } from '@evenkeel/core/money';
import { inOneGo } from '@evenkeel/core/steps';
import { lineKey, newLines } from './lineKey.ts';
import { readStatementFile, type ReadStatement, type StatementLine } from './read.ts';
import { encodings, type PlainLine, type PlainStatement, writers } from './testing/writers.ts';

/** The number of statements for each property: a few hundred by default, 10,000 in a torture run. */
const RUNS = Math.min(10_000, Number(process.env['TORTURE_RUNS'] ?? 300));

const TEXTS = [
  'COFFEE',
  'Müller & Söhne',
  'O’Neil',
  '<LLC>',
  '"PAPER"',
  'TOTAL WINE',
  'a,b;c',
  'Größe',
  '5% off',
  'INV-1042',
  '€ 12',
  'Rent',
  '50/50',
  'line|two',
  '#0042',
  '&amp',
  'Zürich',
  '=SUM(1)',
  '(refund)',
  '-',
  'x'.repeat(70),
];
const words = fc.constantFrom(...TEXTS);
const first = fc.constantFrom('POS', 'ACH', 'CARD 4711', 'Überweisung', 'WIRE');
const line = fc.record({
  day: fc.nat(400),
  amount: fc.oneof(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.constantFrom(-450, 450, 1, -1, 123_400)),
  first,
  rest: fc.array(words, { maxLength: 6 }),
});
const statement = fc
  .record({
    opening: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    lines: fc.array(line, { minLength: 1, maxLength: 25 }),
    twins: fc.nat(3),
  })
  .map(({ opening, lines, twins }): PlainStatement => {
    const all = [...lines, ...lines.slice(0, twins)].map(({ day, amount, ...text }, index): PlainLine => {
      const date = addDays(isoDate('2023-12-20'), day);
      return { date, amount: cents(amount), text: [text.first, ...text.rest].join(' '), bankId: `T${index}` };
    });
    return {
      accountNumber: '1234567890',
      opening: cents(opening),
      lines: all.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)),
    };
  });

const formats = Object.entries(writers);
const format = fc.constantFrom(...formats);
const encoding = fc.constantFrom(...Object.values(encodings));

function read(bytes: Uint8Array): ReadStatement {
  // QIF files and tables that cover only one month may leave open whether the day or the month comes first.
  const { statements } = readStatementFile(bytes, { mapping: { dateOrder: 'mdy' } });
  expect(statements).toHaveLength(1);
  return statements[0] ?? { format: 'OFX', lines: [] };
}

/** Returns the date, amount in cents, and text of each line. IDs are omitted because some formats have none. */
const facts = (lines: readonly Pick<StatementLine, 'date' | 'amount' | 'text'>[]): string[] =>
  lines.map(({ date, amount, text }) => lineKey({ date, amount, text })).toSorted();

const counted = (lines: readonly StatementLine[], known = new Map<string, number>()): Map<string, number> => {
  for (const { key, state } of inOneGo(newLines(lines, known))) {
    if (state !== 'known') known.set(key, (known.get(key) ?? 0) + 1);
  }
  return known;
};
const keysOf = (lines: readonly StatementLine[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const one of lines) counts.set(lineKey(one), (counts.get(lineKey(one)) ?? 0) + 1);
  return counts;
};

describe('random statements', () => {
  it.each(formats)('statements written as %s are read completely and to the cent in each encoding', (name, write) => {
    const [kind = ''] = name.split(' ');
    const property = fc.property(statement, encoding, (plain, encode) => {
      const found = read(encode(write(plain)));
      expect(found.format).toBe(kind);
      expect(facts(found.lines)).toEqual(facts(plain.lines));
      if (found.opening !== undefined) expect(found.opening).toBe(plain.opening);
      if (found.closing !== undefined) {
        expect(found.closing).toBe(sum([plain.opening, ...plain.lines.map(({ amount }) => amount)]));
      }
    });
    fc.assert(property, { numRuns: Math.ceil(RUNS / formats.length) });
  });

  // Promise (books): A bank transaction is never duplicated or lost. Importing a file again in another encoding or
  // order adds nothing, overlapping files add a transaction once, and identical transactions stay separate.
  // [10,000 random statements, eight formats]
  it('reading statements twice adds nothing, even in another encoding and order', () => {
    const property = fc.property(statement, format, encoding, (plain, [, write], encode) => {
      const known = counted(read(encodings['UTF-8'](write(plain))).lines);
      const turned = { ...plain, lines: plain.lines.toReversed() };
      const again = inOneGo(newLines(read(encode(write(turned))).lines, known));
      expect(again.filter(({ state }) => state !== 'known')).toEqual([]);
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it('two files with overlapping days are read as one statement', () => {
    const property = fc.property(statement, format, fc.nat(400), fc.nat(40), (plain, [, write], cut, shared) => {
      const from: IsoDate = addDays(isoDate('2023-12-20'), cut);
      const to = addDays(from, shared);
      const halves = [plain.lines.filter(({ date }) => date <= to), plain.lines.filter(({ date }) => date >= from)];
      const known = new Map<string, number>();
      for (const lines of halves) {
        if (lines.length > 0) counted(read(encodings['UTF-8'](write({ ...plain, lines }))).lines, known);
      }
      expect(known).toEqual(keysOf(read(encodings['UTF-8'](write(plain))).lines));
    });
    fc.assert(property, { numRuns: RUNS });
  });
});
