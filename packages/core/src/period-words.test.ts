import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMonths, isoDate, MONTHS, partsOf } from './dates.ts';
import { checkPeriodWords, fillPeriodWords, periodWordFault } from './period-words.ts';

const filled = (text: string, date: string) => fillPeriodWords(text, isoDate(date));

test.each([
  ['Retainer for {month} {year}', '2026-12-31', 'Retainer for December 2026'],
  ['Rent {month+1} {year}', '2026-12-31', 'Rent January 2027'],
  ['Work in {month-1} {year}', '2027-01-31', 'Work in December 2026'],
  ['{month} – {month+2} {year}', '2026-11-30', 'November – January 2027'],
  ['{month} {year} – {month+2} {year}', '2026-11-30', 'November 2026 – January 2027'],
  ['{quarter} {year}, then {quarter+1} {year}', '2026-10-15', 'Q4 2026, then Q1 2027'],
  ['Plan {year}/{year+1}', '2026-07-01', 'Plan 2026/2027'],
  ['{ Month + 1 }', '2026-01-31', 'February'],
  ['{MONTH}', '2024-02-29', 'February'],
  ['{month} and {name} and {', '2026-03-10', 'March and {name} and {'],
  ['no words', '2026-03-10', 'no words'],
])('the text %s on %s becomes "%s"', (text, date, wanted) => expect(filled(text, date)).toBe(wanted));

const dates = fc
  .record({ year: fc.integer({ min: 1910, max: 2189 }), month: fc.integer({ min: 1, max: 12 }), day: fc.nat(27) })
  .map(({ year, month, day }) => isoDate(`${month}/${day + 1}/${year}`));

describe('period words on random dates', () => {
  test('{month} and {year} with an offset are filled in from the date that many months away', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -99, max: 99 }), (date, offset) => {
        const word = offset < 0 ? `{month${offset}}` : `{month+${offset}}`;
        const { month, year } = partsOf(addMonths(date, offset));
        expect(fillPeriodWords(`${word} {year}`, date)).toBe(`${MONTHS[month - 1]} ${year}`);
      }),
    );
  });

  test("{quarter} is the date's quarter, and an offset of four quarters moves it to the next year", () => {
    fc.assert(
      fc.property(dates, (date) => {
        const { month, year } = partsOf(date);
        const quarter = Math.ceil(month / 3);
        expect(fillPeriodWords('{quarter} {year} {quarter+4} {year} {year+1}', date)).toBe(
          `Q${quarter} ${year} Q${quarter} ${year + 1} ${year + 2}`,
        );
      }),
    );
  });

  test('valid text is filled in completely, invalid text is not, and filling it in again changes nothing', () => {
    const pieces = fc.constantFrom('{month}', '{year-1}', '{quarter+2}', '{date}', '{}', '{month+}', ' of ');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), dates, (parts, date) => {
        const text = parts.join('');
        const once = fillPeriodWords(text, date);
        expect(/\{[^{}]*\}/.test(once)).toBe(periodWordFault(text) !== undefined);
        expect(fillPeriodWords(once, date)).toBe(once);
      }),
    );
  });
});

test('rejects an unknown word and lists the known words, except on a deleted line', () => {
  const fault = '{week} is not a period word. Use {month}, {quarter}, or {year}, for example {month+1}.';
  const lines = [{ description: 'For {month}' }, { description: 'For {week}' }, { description: '{x}', deleted: true }];
  expect(checkPeriodWords('lineItems', lines)).toEqual({ 'lineItems.1.description': fault });
});
