import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  daysBetween,
  daysInMonth,
  endOfMonth,
  fiscalYearStart,
  formatDate,
  formatLongDate,
  isIsoDate,
  isoDate,
  laterOf,
  parseDate,
  partsOf,
  periodRange,
  PERIODS,
  PRESETS,
  startOfMonth,
  startOfQuarter,
} from './dates.ts';
import type { IsoDate } from './dates.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);
const anyDate = fc.integer({ min: 0, max: 90_000 }).map((days) => addDays(isoDate('1950-01-01'), days));
const anyMonth = fc.integer({ min: 1, max: 12 });

describe('dates', () => {
  test.each(['2023-02-29', '2026-13-01', '2026-00-10', '2026-1-5', '1899-12-31', '2200-01-01', '', '2026-01-05T00:00'])(
    'rejects "%s" as a date',
    (text) => {
      expect(isIsoDate(text)).toBe(false);
      expect(parseDate(text)).toBe(undefined);
      expect(() => isoDate(text)).toThrow('is not a date');
    },
  );

  test.each([
    ['2024-02-29', '2024-02-29'],
    ['2/29/2024', '2024-02-29'],
    ['12/01/2026', '2026-12-01'],
  ])('"%s" is parsed as %s', (text, expected) => {
    expect(isoDate(text)).toBe(expected);
  });

  test('a date is formatted as 5/26/2026 and May 26, 2026', () => {
    expect(formatDate(isoDate('2026-05-26'))).toBe('5/26/2026');
    expect(formatLongDate(isoDate('2026-05-06'))).toBe('May 6, 2026');
  });

  test('a date can be entered in the same format that fields use to display dates', () => {
    const check = (date: IsoDate): void => {
      expect(parseDate(formatDate(date))).toBe(date);
    };
    fc.assert(fc.property(anyDate, check), { numRuns });
  });
});

describe('calendar arithmetic', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-01-15', -13, '2024-12-15'],
  ])('%s plus %i months is %s', (date, months, expected) => {
    expect(addMonths(isoDate(date), months)).toBe(expected);
  });

  test('date arithmetic handles leap days and year ends', () => {
    expect(addDays(isoDate('2024-02-28'), 1)).toBe('2024-02-29');
    expect(addDays(isoDate('2026-01-01'), -1)).toBe('2025-12-31');
    expect(daysBetween(isoDate('2024-02-01'), isoDate('2024-03-01'))).toBe(29);
    expect([daysInMonth(2100, 2), daysInMonth(2000, 2)]).toEqual([28, 29]);
  });

  test('subtracting days undoes adding them, and both agree with daysBetween and with the order of dates', () => {
    const check = (date: IsoDate, days: number): void => {
      const other = addDays(date, days);
      expect(addDays(other, -days)).toBe(date);
      expect(daysBetween(date, other)).toBe(days);
      expect(other > date).toBe(days > 0);
      expect(laterOf(date, other)).toBe(days > 0 ? other : date);
    };
    fc.assert(fc.property(anyDate, fc.integer({ min: -9000, max: 9000 }), check), { numRuns });
  });

  test('a month ends on the day before the next month starts', () => {
    const check = (date: IsoDate): void => {
      expect(addDays(endOfMonth(date), 1)).toBe(addMonths(startOfMonth(date), 1));
      expect(startOfMonth(date) <= date && date <= endOfMonth(date)).toBe(true);
    };
    fc.assert(fc.property(anyDate, check), { numRuns });
  });
});

describe('fiscal years', () => {
  test.each([
    ['2026-03-31', 4, '2025-04-01'],
    ['2026-04-01', 4, '2026-04-01'],
    ['2026-12-31', 1, '2026-01-01'],
    ['2026-09-30', 10, '2025-10-01'],
  ])('the fiscal year that contains %s with start month %i starts on %s', (date, month, expected) => {
    expect(fiscalYearStart(isoDate(date), month)).toBe(expected);
  });

  test('the fiscal year of a date contains the date and is the same for every day of the year', () => {
    const check = (date: IsoDate, month: number): void => {
      const start = fiscalYearStart(date, month);
      expect(partsOf(start)).toMatchObject({ month, day: 1 });
      expect(start <= date && date < addMonths(start, 12)).toBe(true);
      expect(fiscalYearStart(addDays(addMonths(start, 12), -1), month)).toBe(start);
    };
    fc.assert(fc.property(anyDate, anyMonth, check), { numRuns });
  });

  test('a fiscal year has four quarters with three months each and starts with the first quarter', () => {
    const check = (date: IsoDate, month: number): void => {
      const quarter = startOfQuarter(date, month);
      const starts = [0, 3, 6, 9].map((months) => addMonths(fiscalYearStart(date, month), months));
      expect(starts).toContain(quarter);
      expect(quarter <= date && date < addMonths(quarter, 3)).toBe(true);
    };
    fc.assert(fc.property(anyDate, anyMonth, check), { numRuns });
  });
});

describe('periods', () => {
  test.each([
    ['This Month', '2026-05-01', '2026-05-31'],
    ['This Year', '2026-04-01', '2027-03-31'],
    ['Last Month', '2026-04-01', '2026-04-30'],
    ['Last 12 Months', '2025-05-27', '2026-05-26'],
    ['This Quarter', '2026-04-01', '2026-06-30'],
    ['Last Quarter', '2026-01-01', '2026-03-31'],
    ['Last Year', '2025-04-01', '2026-03-31'],
    ['Year to last month', '2026-04-01', '2026-04-30'],
    ['Custom', '2026-05-26', '2026-05-26'],
    ['Year to Date', '2026-04-01', '2026-05-26'],
  ] as const)('for a fiscal year that starts in April, %s on May 26, 2026 runs from %s to %s', (name, from, to) => {
    expect(periodRange(PERIODS.indexOf(name), isoDate('2026-05-26'), 4)).toEqual({ from, to });
  });

  test.each([
    [1, 'This Quarter', '2026-04-01', '2026-06-30'],
    [2, 'This Quarter', '2026-05-01', '2026-07-31'],
    [2, 'Last Quarter', '2026-02-01', '2026-04-30'],
    [3, 'This Quarter', '2026-03-01', '2026-05-31'],
    [3, 'Last Quarter', '2025-12-01', '2026-02-28'],
    [12, 'This Quarter', '2026-03-01', '2026-05-31'],
  ] as const)(
    'for a fiscal year that starts in month %i, %s on May 26, 2026 runs from %s to %s',
    (month, name, from, to) => {
      expect(periodRange(PERIODS.indexOf(name), isoDate('2026-05-26'), month)).toEqual({ from, to });
    },
  );

  test('in the first month of the year, Year to last month is the whole previous year', () => {
    expect(periodRange(7, isoDate('2026-04-10'), 4)).toEqual({ from: '2025-04-01', to: '2026-03-31' });
  });

  test('periods are adjacent and lie within the fiscal year that contains the day', () => {
    const check = (date: IsoDate, month: number): void => {
      const range = (name: (typeof PERIODS)[number]) => periodRange(PERIODS.indexOf(name), date, month);
      for (const unit of ['Month', 'Quarter', 'Year'] as const) {
        const [now, last] = [range(`This ${unit}`), range(`Last ${unit}`)];
        expect(addDays(last.to, 1)).toBe(now.from);
        expect(now.from <= date && date <= now.to).toBe(true);
        for (const { from, to } of [now, last]) expect([from, to]).toEqual([startOfMonth(from), endOfMonth(to)]);
      }
      expect(range('Year to Date')).toEqual({ from: fiscalYearStart(date, month), to: date });
      expect(range('This Year').from).toBe(range('Year to Date').from);
      expect(addMonths(range('This Quarter').from, 3)).toBe(addDays(range('This Quarter').to, 1));
      const quarters = [0, 3, 6, 9].map((months) => addMonths(range('This Year').from, months));
      expect(quarters).toContain(range('This Quarter').from);
    };
    fc.assert(fc.property(anyDate, anyMonth, check), { numRuns });
  });

  test('each period except Custom is offered once', () => {
    expect(PRESETS.toSorted((a, b) => a - b)).toEqual([...PERIODS.keys()].filter((each) => PERIODS[each] !== 'Custom'));
  });

  test('a period never ends before it starts', () => {
    const check = (date: IsoDate, month: number, period: number): void => {
      const { from, to } = periodRange(period, date, month);
      expect(from <= to).toBe(true);
    };
    fc.assert(fc.property(anyDate, anyMonth, fc.nat({ max: PERIODS.length - 1 }), check), { numRuns });
  });
});
