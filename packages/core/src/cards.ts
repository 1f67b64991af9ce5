import {
  addDays,
  addMonths,
  type DateRange,
  daysBetween,
  type IsoDate,
  isIsoDate,
  laterOf,
  parseDate,
  PERIODS,
  periodRange,
  startOfMonth,
} from './dates.ts';

/** The nine cards of the dashboard in their default order. */
export const CARDS = {
  incomingMoney: { title: 'Incoming Money', areas: ['Billing', 'Reports', 'Accounting'] },
  outgoingMoney: { title: 'Outgoing Money', areas: ['Expenses', 'Reports', 'Accounting'] },
  revenue: { title: 'Revenue', areas: ['Reports', 'Accounting'] },
  cashPositions: { title: 'Cash Positions', areas: ['Banking', 'Reports', 'Accounting'] },
  expenseBreakdown: { title: 'Expense Breakdown', areas: ['Reports', 'Accounting'] },
  revenueVsExpense: { title: 'Revenue vs Expense', areas: ['Reports', 'Accounting'] },
  profitMargin: { title: 'Profit Margin', areas: ['Reports', 'Accounting'] },
  currentRatio: { title: 'Current Ratio/Quick Ratio', areas: ['Reports', 'Accounting'] },
  returnOnAssets: { title: 'Return on Assets', areas: ['Reports', 'Accounting'] },
} as const satisfies Record<string, CardRule>;

interface CardRule {
  title: string;
  /** The areas that the card summarizes. A user who can view any of these areas can view the card. */
  areas: readonly ('Billing' | 'Expenses' | 'Banking' | 'Reports' | 'Accounting')[];
}

export type CardKey = keyof typeof CARDS;

/** The card keys in the default order. */
export const cardKeys: readonly CardKey[] = Object.keys(CARDS).filter(isCardKey);

/** Returns whether the text is the key of a card. */
export function isCardKey(key: string): key is CardKey {
  return Object.hasOwn(CARDS, key);
}

/** One card of a user's dashboard: its visibility, position, and settings. */
export interface CardSettings {
  key: CardKey;
  visible: boolean;
  /** The position, starting with 1. */
  order: number;
  settings: { settingName: string; settingValue: string }[];
}

/** A layout from a request or from storage, which may be invalid. */
export type GivenLayout = readonly {
  key: string;
  visible: boolean;
  order: number;
  settings: readonly { settingName: string; settingValue: string }[];
}[];

/** The number of the Custom period, which is defined by two dates. */
export const CUSTOM_PERIOD = PERIODS.indexOf('Custom');

/**
 * The periods that a card offers, indexed by their number. On a card, This Year ends today, so it is the same as Year
 * to Date.
 */
export const cardPeriods: readonly string[] = PERIODS.slice(0, CUSTOM_PERIOD + 1);

/** Validators for the card settings. startDate and endDate belong to the Custom period. */
const SETTINGS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['periodType', (value) => /^\d$/.test(value) && Number(value) < cardPeriods.length],
  ['pltype', (value) => value === '0' || value === '1'],
  ['startDate', isIsoDate],
  ['endDate', isIsoDate],
]);

/**
 * Returns a complete layout: each card once, in the given order and numbered from 1, followed by the missing cards.
 * Unknown cards and settings are dropped.
 */
export function wholeLayout(given: GivenLayout): CardSettings[] {
  const named = given.toSorted((a, b) => a.order - b.order).filter((one) => isCardKey(one.key));
  const all = [...named, ...cardKeys.map((key) => ({ key, visible: true, order: 0, settings: [] }))];
  const first = new Map(all.toReversed().map((one) => [one.key, one]));
  const keys = [...new Set(all.map(({ key }) => key))].filter(isCardKey);
  return keys.map((key, index) => {
    const { visible, settings } = first.get(key) ?? { visible: true, settings: [] };
    return { key, visible, order: index + 1, settings: knownSettings(settings) };
  });
}

function knownSettings(settings: GivenLayout[number]['settings']): CardSettings['settings'] {
  const known = settings.filter((one) => SETTINGS.get(one.settingName)?.(one.settingValue) === true);
  const values = new Map(known.map(({ settingName, settingValue }) => [settingName, settingValue]));
  // The Custom period is kept only if both of its dates are set.
  const isCustom = values.get('periodType') === String(CUSTOM_PERIOD);
  const hasDates = (values.get('startDate') ?? '9') <= (values.get('endDate') ?? '');
  if (isCustom && !hasDates) values.delete('periodType');
  if (!isCustom || !hasDates) for (const name of ['startDate', 'endDate']) values.delete(name);
  return [...values].map(([settingName, settingValue]) => ({ settingName, settingValue }));
}

/** Moves a card to another card's position. Both cards must be visible. */
export function moveCard(layout: readonly CardSettings[], key: CardKey, to: CardKey): CardSettings[] {
  const [from, at] = [layout.findIndex((one) => one.key === key), layout.findIndex((one) => one.key === to)];
  const card = layout[from];
  if (card === undefined || at === -1) return wholeLayout(layout);
  const rest = layout.filter((one) => one !== card);
  rest.splice(at, 0, card);
  return rest.map((one, index) => ({ ...one, order: index + 1 }));
}

/** Returns a card's setting as a number, or 0 if the setting is not set. */
export function chosenOn({ settings }: Pick<CardSettings, 'settings'>, name: 'periodType' | 'pltype'): number {
  const found = settings.find(({ settingName }) => settingName === name);
  return found === undefined ? 0 : Number(found.settingValue);
}

/** Returns the dates for a card with the Custom period, or undefined for another period. */
export function customRange(card: Pick<CardSettings, 'settings'>): DateRange | undefined {
  if (chosenOn(card, 'periodType') !== CUSTOM_PERIOD) return undefined;
  const dateOf = (name: string) => parseDate(card.settings.find((one) => one.settingName === name)?.settingValue ?? '');
  const [from, to] = [dateOf('startDate'), dateOf('endDate')];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/**
 * Returns the date range that a period covers on a card. Unlike in a report, a "This …" period ends on the report date.
 */
export function cardRange(period: number, date: IsoDate, startMonth: number): DateRange {
  const { from, to } = periodRange(period, date, startMonth);
  return { from, to: to > date ? date : to };
}

const [MONTH, YEAR, QUARTER] = [0, 1, 4];

/** The periods that a revenue target can be set for: a month, a quarter, and a year. */
export const targetPeriods: readonly number[] = [MONTH, QUARTER, YEAR];

/**
 * Returns the period whose target applies to a card's period. For example, last month uses the month's target, and the
 * last 12 months use the year's.
 */
export function targetPeriod(period: number): number {
  if (period === MONTH || period === PERIODS.indexOf('Last Month')) return MONTH;
  return period === QUARTER || period === PERIODS.indexOf('Last Quarter') ? QUARTER : YEAR;
}

/**
 * Returns the whole periods on whose revenue a default target is based: the same period a year earlier, then up to
 * three periods of equal length before the current period, latest first.
 */
export function targetBasis(period: number, date: IsoDate, startMonth: number): DateRange[] {
  const { from, to } = periodRange(period, date, startMonth);
  const months = Math.max(1, Math.round((daysBetween(from, to) + 1) / DAYS_A_MONTH));
  return [12, months, 2 * months, 3 * months].map((before) => ({
    from: addMonths(from, -before),
    to: addDays(addMonths(from, months - before), -1),
  }));
}

/**
 * The average number of days in a month. The number only has to be accurate enough to round correctly, because presets
 * have whole months.
 */
const DAYS_A_MONTH = 30.44;

/**
 * Returns the date ranges with which a custom range is compared: the same dates a year earlier, then up to three ranges
 * of the same length before the custom range, latest first.
 */
export function targetBasisOfDates({ from, to }: DateRange): DateRange[] {
  const days = daysBetween(from, to) + 1;
  const earlier = [1, 2, 3].map((times) => ({ from: addDays(from, -days * times), to: addDays(to, -days * times) }));
  return [{ from: addMonths(from, -12), to: addMonths(to, -12) }, ...earlier];
}

const MOST_MONTHS = 24;

/**
 * Returns the first day of each month in a period's chart. These are the months in the period, at most the last 24. If
 * the period is one month, the chart shows the six months up to and including that month.
 */
export function chartMonths({ from, to }: DateRange): IsoDate[] {
  const [first, last] = [startOfMonth(from), startOfMonth(to)];
  const start = first === last ? addMonths(last, -5) : laterOf(first, addMonths(last, 1 - MOST_MONTHS));
  const months: IsoDate[] = [];
  for (let month = start; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** The rating of an amount, which is shown in words next to its color. */
export type Judgement = 'extreme' | 'bad' | 'good';

/**
 * Rates a profit margin or a return on assets: below 0 is extreme, below 20 percent is bad, and anything
 * else is good.
 */
export function judgePercent(percent: number): Judgement {
  if (percent < 0) return 'extreme';
  return percent < GOOD_PERCENT ? 'bad' : 'good';
}
export const GOOD_PERCENT = 20;

/** Rates a current ratio: below 0 is extreme, below 1 is bad, and anything else is good. */
export function judgeRatio(ratio: number): Judgement {
  if (ratio < 0) return 'extreme';
  return ratio < GOOD_RATIO ? 'bad' : 'good';
}
export const GOOD_RATIO = 1;

const MOST_LABEL = 12;

/** Shortens a category's name for a chart to 12 characters with an ellipsis. */
export function chartLabel(name: string): string {
  const letters = [...name];
  return letters.length <= MOST_LABEL ? name : `${letters.slice(0, MOST_LABEL).join('')}…`;
}
