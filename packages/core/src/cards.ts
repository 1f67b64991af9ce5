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

/** The nine cards of the dashboard in their first order. */
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
  /** The areas it sums up; permission to view one of them is enough to view the card. */
  areas: readonly ('Billing' | 'Expenses' | 'Banking' | 'Reports' | 'Accounting')[];
}

export type CardKey = keyof typeof CARDS;

/** The keys in the first order of the cards. */
export const cardKeys: readonly CardKey[] = Object.keys(CARDS).filter(isCardKey);

/** Whether there is such a card. */
export function isCardKey(key: string): key is CardKey {
  return Object.hasOwn(CARDS, key);
}

/** One card of a person's dashboard: whether and where it stands, and what was chosen on it. */
export interface CardSettings {
  key: CardKey;
  visible: boolean;
  /** 1 for the first. */
  order: number;
  settings: { settingName: string; settingValue: string }[];
}

/** A layout as somebody sent it or kept it; nothing of it need be right. */
export type GivenLayout = readonly {
  key: string;
  visible: boolean;
  order: number;
  settings: readonly { settingName: string; settingValue: string }[];
}[];

/** The period that is two dates of its own. */
export const CUSTOM_PERIOD = PERIODS.indexOf('Custom');

/** The periods that a card offers, by their number: a card's This Year ends today, as Year to Date does. */
export const cardPeriods: readonly string[] = PERIODS.slice(0, CUSTOM_PERIOD + 1);

/** The settings of a card; startDate and endDate belong to the period Custom. */
const SETTINGS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['periodType', (value) => /^\d$/.test(value) && Number(value) < cardPeriods.length],
  ['pltype', (value) => value === '0' || value === '1'],
  ['startDate', isIsoDate],
  ['endDate', isIsoDate],
]);

/**
 * A whole layout: each card once, in the order given and renumbered from 1, cards that are not named behind them;
 * unknown cards and settings are left out.
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
  // Custom stands with its dates or not at all.
  const isCustom = values.get('periodType') === String(CUSTOM_PERIOD);
  const hasDates = (values.get('startDate') ?? '9') <= (values.get('endDate') ?? '');
  if (isCustom && !hasDates) values.delete('periodType');
  if (!isCustom || !hasDates) for (const name of ['startDate', 'endDate']) values.delete(name);
  return [...values].map(([settingName, settingValue]) => ({ settingName, settingValue }));
}

/** Moves a card to the place of another; both are visible. */
export function moveCard(layout: readonly CardSettings[], key: CardKey, to: CardKey): CardSettings[] {
  const [from, at] = [layout.findIndex((one) => one.key === key), layout.findIndex((one) => one.key === to)];
  const card = layout[from];
  if (card === undefined || at === -1) return wholeLayout(layout);
  const rest = layout.filter((one) => one !== card);
  rest.splice(at, 0, card);
  return rest.map((one, index) => ({ ...one, order: index + 1 }));
}

/** A card's choice as a number; 0 where nothing was chosen. */
export function chosenOn({ settings }: Pick<CardSettings, 'settings'>, name: 'periodType' | 'pltype'): number {
  const found = settings.find(({ settingName }) => settingName === name);
  return found === undefined ? 0 : Number(found.settingValue);
}

/** The dates chosen on a card of the period Custom; undefined with another. */
export function customRange(card: Pick<CardSettings, 'settings'>): DateRange | undefined {
  if (chosenOn(card, 'periodType') !== CUSTOM_PERIOD) return undefined;
  const dateOf = (name: string) => parseDate(card.settings.find((one) => one.settingName === name)?.settingValue ?? '');
  const [from, to] = [dateOf('startDate'), dateOf('endDate')];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** A preset on a card: as on a report, but "This …" ends at the report date. */
export function cardRange(period: number, date: IsoDate, startMonth: number): DateRange {
  const { from, to } = periodRange(period, date, startMonth);
  return { from, to: to > date ? date : to };
}

const [MONTH, YEAR, QUARTER] = [0, 1, 4];

/** Periods that a revenue target can be set for: a month, a quarter, a year. */
export const targetPeriods: readonly number[] = [MONTH, QUARTER, YEAR];

/** The target that a period is measured by: last month by the month's, the last twelve months by the year's. */
export function targetPeriod(period: number): number {
  if (period === MONTH || period === PERIODS.indexOf('Last Month')) return MONTH;
  return period === QUARTER || period === PERIODS.indexOf('Last Quarter') ? QUARTER : YEAR;
}

/**
 * The whole periods whose revenue makes a target where none is set: the same a year earlier, then up to three of equal
 * length before this one, the nearest first.
 */
export function targetBasis(period: number, date: IsoDate, startMonth: number): DateRange[] {
  const { from, to } = periodRange(period, date, startMonth);
  const months = Math.max(1, Math.round((daysBetween(from, to) + 1) / DAYS_A_MONTH));
  return [12, months, 2 * months, 3 * months].map((before) => ({
    from: addMonths(from, -before),
    to: addDays(addMonths(from, months - before), -1),
  }));
}

/** Presets are whole months long, so this only has to round well. */
const DAYS_A_MONTH = 30.44;

/**
 * Periods to compare two dates with: those of the year before, then up to three ranges of as many days before them, the
 * nearest first.
 */
export function targetBasisOfDates({ from, to }: DateRange): DateRange[] {
  const days = daysBetween(from, to) + 1;
  const earlier = [1, 2, 3].map((times) => ({ from: addDays(from, -days * times), to: addDays(to, -days * times) }));
  return [{ from: addMonths(from, -12), to: addMonths(to, -12) }, ...earlier];
}

const MOST_MONTHS = 24;

/**
 * The first day of each month that a period's chart shows: its own, the last 24 of a longer one, or six up to it when
 * it is one month.
 */
export function chartMonths({ from, to }: DateRange): IsoDate[] {
  const [first, last] = [startOfMonth(from), startOfMonth(to)];
  const start = first === last ? addMonths(last, -5) : laterOf(first, addMonths(last, 1 - MOST_MONTHS));
  const months: IsoDate[] = [];
  for (let month = start; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** The judgement of a figure, a word beside its colour. */
export type Judgement = 'extreme' | 'bad' | 'good';

/** Below 0 extreme, below 20 percent bad, otherwise good: profit margin, and return on assets by the year. */
export function judgePercent(percent: number): Judgement {
  if (percent < 0) return 'extreme';
  return percent < GOOD_PERCENT ? 'bad' : 'good';
}
export const GOOD_PERCENT = 20;

/** Turns a percentage of some days into that of a year that ends with them: 2 of a month are 24 of a year. */
export function percentByYear(percent: number, { from, to }: DateRange): number {
  const next = addDays(to, 1);
  return (percent * daysBetween(addMonths(next, -12), next)) / daysBetween(from, next);
}

/** Below 0 extreme, below 1 bad, otherwise good: current ratio. */
export function judgeRatio(ratio: number): Judgement {
  if (ratio < 0) return 'extreme';
  return ratio < GOOD_RATIO ? 'bad' : 'good';
}
export const GOOD_RATIO = 1;

const MOST_LABEL = 12;

/** A category's name below a chart: 12 characters and an ellipsis. */
export function chartLabel(name: string): string {
  const letters = [...name];
  return letters.length <= MOST_LABEL ? name : `${letters.slice(0, MOST_LABEL).join('')}…`;
}
