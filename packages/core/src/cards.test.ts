import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import * as cards from './cards.ts';
import { addDays, isoDate } from './dates.ts';

const first = cards.wholeLayout([]);
const titles = (layout: readonly cards.CardSettings[]) => layout.map(({ key }) => cards.CARDS[key].title);

describe('the dashboard layout', () => {
  it('the layout has nine visible cards in their default order', () => {
    expect(titles(first)).toEqual([
      'Incoming Money',
      'Outgoing Money',
      'Revenue',
      'Cash Positions',
      'Expense Breakdown',
      'Revenue vs Expense',
      'Profit Margin',
      'Current Ratio/Quick Ratio',
      'Return on Assets',
    ]);
    expect(first.map(({ order, visible }) => [order, visible])).toEqual(first.map((_, at) => [at + 1, true]));
  });

  it("moving a card to another card's position renumbers the cards", () => {
    const moved = cards.moveCard(first, 'returnOnAssets', 'outgoingMoney');
    expect(moved.map(({ key }) => key).slice(0, 3)).toEqual(['incomingMoney', 'returnOnAssets', 'outgoingMoney']);
    expect(moved.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const back = cards.moveCard(moved, 'returnOnAssets', 'currentRatio');
    expect(back.map(({ key }) => key)).toEqual(first.map(({ key }) => key));
  });

  it('a layout that is read from any input has each card once, numbered from 1, with only known settings', () => {
    const setting = fc.record({
      settingName: fc.constantFrom('periodType', 'pltype', 'colour', '__proto__'),
      settingValue: fc.constantFrom('0', '7', '8', '1', '', 'x'),
    });
    const card = fc.record({
      key: fc.constantFrom(...cards.cardKeys, 'weather', 'toString'),
      visible: fc.boolean(),
      order: fc.integer({ min: -5, max: 20 }),
      settings: fc.array(setting),
    });
    const check = (given: cards.GivenLayout): void => {
      const whole = cards.wholeLayout(given);
      expect(whole.map(({ key }) => key).toSorted()).toEqual(cards.cardKeys.toSorted());
      expect(whole.map(({ order }) => order)).toEqual(first.map(({ order }) => order));
      for (const { settings } of whole) {
        for (const { settingName, settingValue } of settings) {
          expect(['periodType', 'pltype']).toContain(settingName);
          expect(Number(settingValue)).toBeLessThan(settingName === 'pltype' ? 2 : 8);
        }
      }
      expect(cards.wholeLayout(whole)).toEqual(whole);
    };
    fc.assert(fc.property(fc.array(card), check));
  });

  it('a layout keeps the chosen settings, and a missing setting is 0', () => {
    const settings = [{ settingName: 'periodType', settingValue: '3' }];
    const [card] = cards.wholeLayout([{ key: 'revenue', visible: false, order: 1, settings }]);
    expect(card).toEqual({ key: 'revenue', visible: false, order: 1, settings });
    expect(card && cards.chosenOn(card, 'periodType')).toBe(3);
    expect(card && cards.chosenOn(card, 'pltype')).toBe(0);
  });
});

test('on a card, a "This …" period ends on the report date', () => {
  const day = isoDate('2026-05-26');
  expect([0, 1, 4].map((period) => cards.cardRange(period, day, 4))).toEqual([
    { from: '2026-05-01', to: day },
    { from: '2026-04-01', to: day },
    { from: '2026-04-01', to: day },
  ]);
  expect(cards.cardRange(2, day, 4)).toEqual({ from: '2026-04-01', to: '2026-04-30' });
});

test('a Custom period is kept only if it has two dates in order', () => {
  const settingsOf = (values: Record<string, string>) => {
    const settings = Object.entries(values).map(([settingName, settingValue]) => ({ settingName, settingValue }));
    const [card] = cards.wholeLayout([{ key: 'incomingMoney', visible: true, order: 1, settings }]);
    return card;
  };
  const dates = { startDate: '2026-02-01', endDate: '2026-02-28' };
  const custom = settingsOf({ periodType: '8', ...dates });
  expect(custom && cards.customRange(custom)).toEqual({ from: dates.startDate, to: dates.endDate });
  for (const wrong of [{ startDate: '2026-03-01' }, { endDate: '2026-02-30' }, { startDate: '' }]) {
    expect(settingsOf({ periodType: '8', ...dates, ...wrong })?.settings).toEqual([]);
  }
  expect(settingsOf({ periodType: '2', ...dates })?.settings).toEqual([
    { settingName: 'periodType', settingValue: '2' },
  ]);
});

test('a custom range is compared with the same dates a year earlier, then with the preceding ranges', () => {
  const range = { from: isoDate('2026-03-01'), to: isoDate('2026-03-10') };
  expect(cards.targetBasisOfDates(range).map(({ from, to }) => `${from} ${to}`)).toEqual([
    '2025-03-01 2025-03-10',
    '2026-02-19 2026-02-28',
    '2026-02-09 2026-02-18',
    '2026-01-30 2026-02-08',
  ]);
  const months = cards.chartMonths({ from: isoDate('2020-01-15'), to: isoDate('2026-03-10') });
  expect([months.length, months[0], months.at(-1)]).toEqual([24, '2024-04-01', '2026-03-01']);
});

describe('the basis of a revenue target', () => {
  test.each([
    [0, ['2025-05-01 2025-05-31', '2026-04-01 2026-04-30', '2026-03-01 2026-03-31', '2026-02-01 2026-02-28']],
    [4, ['2025-04-01 2025-06-30', '2026-01-01 2026-03-31', '2025-10-01 2025-12-31', '2025-07-01 2025-09-30']],
    [1, ['2025-01-01 2025-12-31', '2025-01-01 2025-12-31', '2024-01-01 2024-12-31', '2023-01-01 2023-12-31']],
    [3, ['2024-05-27 2025-05-26', '2024-05-27 2025-05-26', '2023-05-27 2024-05-26', '2022-05-27 2023-05-26']],
    [7, ['2025-01-01 2025-04-30', '2025-09-01 2025-12-31', '2025-05-01 2025-08-31', '2025-01-01 2025-04-30']],
  ])(
    'the target for period %d is based on the same period a year earlier, then on the three periods before it',
    (period, wanted) => {
      expect(cards.targetBasis(period, isoDate('2026-05-26'), 1).map(({ from, to }) => `${from} ${to}`)).toEqual(
        wanted,
      );
    },
  );

  it('on any day, the three earlier periods for a target are adjacent and never overlap', () => {
    const check = (days: number, period: number, month: number): void => {
      const day = addDays(isoDate('2019-01-01'), days);
      const [, one, two, three] = cards.targetBasis(period, day, month);
      const { from } = cards.cardRange(period, day, month);
      const ends = [one, two, three].map((range) => range && addDays(range.to, 1));
      expect(ends).toEqual([from, one?.from, two?.from]);
    };
    const [days, month] = [fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 1, max: 12 })];
    fc.assert(fc.property(days, fc.integer({ min: 0, max: 7 }), month, check));
  });

  it("a card uses the month's, quarter's, or year's target, depending on its period", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(cards.targetPeriod)).toEqual([0, 1, 0, 1, 4, 4, 1, 1]);
  });
});

test('a chart shows the months of its period, or six if the period is one month', () => {
  const monthsOf = (from: string, to: string) => cards.chartMonths({ from: isoDate(from), to: isoDate(to) });
  expect(monthsOf('2026-01-01', '2026-01-20')).toHaveLength(6);
  expect(monthsOf('2026-01-01', '2026-01-20')[0]).toBe('2025-08-01');
  expect(monthsOf('2025-05-27', '2026-05-26')).toHaveLength(13);
  expect(monthsOf('2026-04-01', '2026-06-30')).toEqual(['2026-04-01', '2026-05-01', '2026-06-01']);
});

test('a rating is extreme below 0, bad below 20 percent or a ratio of 1, and good otherwise', () => {
  expect([-0.01, 0, 19.99, 20].map(cards.judgePercent)).toEqual(['extreme', 'bad', 'bad', 'good']);
  expect([-0.01, 0, 0.99, 1].map(cards.judgeRatio)).toEqual(['extreme', 'bad', 'bad', 'good']);
});

test('a chart label is shortened to 12 characters with an ellipsis', () => {
  expect(cards.chartLabel('Subcontractors')).toBe('Subcontracto…');
  expect(cards.chartLabel('Twelve chars')).toBe('Twelve chars');
});
