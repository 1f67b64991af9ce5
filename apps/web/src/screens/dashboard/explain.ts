import type { AgingCard, CardPart, Cards, RevenueCard } from '@evenkeel/contract/dashboard';
import type { EntriesAsk, OpenItemsAsk } from '@evenkeel/contract/explain';
import { type CardKey, CARDS } from '@evenkeel/core/cards';
import { endOfMonth, formatDate, type IsoDate, laterOf, parseDate } from '@evenkeel/core/dates';
import { formatUsd, ZERO } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import type { Explained } from '../../parts/ledger/explained.ts';
import { ALL_OTHER, categoriesShown, categoryFigure } from './categories.ts';
import { counted } from '../../ui/show/words.ts';
import { monthText, percentText, ratioText, shareText, TARGET_OF } from './words.ts';

/** A figure of a card: what it is called, and what is behind it. */
export interface ExplainedFigure {
  title: string;
  what: Explained;
}

const BUCKETS = ['current', 'thirty', 'sixty', 'ninety'];
const BUCKET_WORDS = ['current', '1 to 30 days late', '31 to 60 days late', 'over 60 days late'];

/** The whole by who owes it; a part, and what one of them owes, by its documents. */
function agingFigure(key: 'incomingMoney' | 'outgoingMoney', name: string, card: AgingCard): ExplainedFigure {
  const { title } = CARDS[key];
  const side = key === 'incomingMoney' ? 'receivable' : 'payable';
  const all: OpenItemsAsk & { date: IsoDate } = { side, date: card.to };
  const bucket = BUCKETS.indexOf(name);
  const open = (part: Partial<OpenItemsAsk>): Explained => ({
    kind: 'open',
    ask: { ...all, ...part },
    of: 'openAmount',
  });
  if (bucket !== -1) return { title: `${title}, ${BUCKET_WORDS[bucket] ?? ''}`, what: open({ bucket }) };
  if (name === 'overdue') return { title: `${title}, overdue`, what: open({ overdue: true }) };
  if (name === 'days') return { title: `${title}, days outstanding`, what: { kind: 'open', ask: all, of: 'days' } };
  const entityId = Number(/^of-(\d{1,15})$/.exec(name)?.[1] ?? 0);
  if (entityId > 0) return { title: `${title}, of one ${ENTITY[key]}`, what: open({ entityId }) };
  return { title, what: { kind: 'owing', ask: all } };
}

const ENTITY = { incomingMoney: 'customer', outgoingMoney: 'vendor' };

type Source = CardPart['source'];

const entries = ({ accountIds, from, to, basis }: Source, credit = false): Explained => {
  const ask: EntriesAsk = { accountIds, from, to, basis };
  return { kind: 'entries', ask, credit };
};

/** The origin of a revenue target, and the revenue's progress. */
function targetFigure(name: 'target' | 'progress', card: RevenueCard): ExplainedFigure | undefined {
  const { target, earlier = [], parts = [] } = card;
  if (target === null) return undefined;
  const figure = formatUsd(target.amount);
  if (name === 'progress') {
    const whole = { name: 'target', label: target.computed ? 'Expected' : 'Target', amount: target.amount };
    const [title, how] = ['Revenue and its target', 'of the target'];
    return {
      title,
      what: {
        kind: 'parts',
        figure: shareText(card.revenueAmount, target.amount, true),
        how,
        parts: [...parts, whole],
      },
    };
  }
  const isYear = earlier[0]?.name === 'earlier-0';
  const made = isYear
    ? 'revenue of the same period a year earlier'
    : `the mean of ${counted(earlier.length, PERIODS_BEFORE)}`;
  const how = target.computed ? made : `set for a ${TARGET_OF[target.periodType] ?? 'period'}`;
  const title = target.computed ? 'Expected revenue' : 'Revenue target';
  const rest = earlier.length === 0 ? 'No revenue in earlier periods.' : `Without it, ${made}:`;
  return { title, what: { kind: 'parts', figure, how, parts: earlier, ...(!target.computed && { words: rest }) } };
}

const PERIODS_BEFORE = { one: 'period before', many: 'periods before' };

/** A category's share of all expenses. */
function shareFigure(name: string, { expenseBreakdown }: Cards): ExplainedFigure | undefined {
  const { categories = [], total = ZERO, parts = [] } = expenseBreakdown ?? {};
  const figure = name.replace('share-', '');
  const one = categoriesShown(categories).shown.find(({ categoryName }) => categoryFigure(categoryName) === figure);
  if (one === undefined) return undefined;
  const part = { name: figure, label: one.categoryName, amount: one.total };
  return {
    title: `Share of ${one.categoryName}`,
    what: { kind: 'parts', figure: shareText(one.total, total, true), how: 'of all expenses', parts: [part, ...parts] },
  };
}

/** The sums of which a card's percentage or ratio is made. */
const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  'profitMargin.percent': ['profit', 'income'],
  'currentRatio.current': ['assets', 'liabilities'],
  'currentRatio.quickRatio': ['quick', 'liabilities'],
  'returnOnAssets.percent': ['net', 'opening', 'closing'],
  'returnOnAssets.average': ['opening', 'closing'],
};

function quotientText(name: string, cards: Cards): string {
  const { profitMargin, currentRatio, returnOnAssets } = cards;
  const percent = name.startsWith('profitMargin') ? profitMargin?.profitMarginPercent : returnOnAssets?.roaPercent;
  if (name === 'currentRatio.current') return ratioText(currentRatio?.currentRatio ?? null);
  if (name === 'currentRatio.quickRatio') return ratioText(currentRatio?.quickRatio ?? null);
  return percent === null || percent === undefined ? NOTHING : percentText(percent);
}

/** The title of each, and the way it is computed. */
const QUOTIENTS: Readonly<Record<string, readonly [title: string, how: string]>> = {
  'profitMargin.percent': ['Profit Margin', 'profit in percent of income'],
  'currentRatio.current': ['Current Ratio', 'assets divided by liabilities'],
  'currentRatio.quickRatio': ['Quick Ratio', 'quick assets divided by liabilities'],
  'returnOnAssets.percent': ['Return on Assets', 'net income in percent of average assets'],
  'returnOnAssets.average': ['Average assets', 'the mean of both days'],
};

/** A month of the revenue chart, as far as it lies in the period or before it. */
function monthFigure(name: string, { revenue }: Cards): ExplainedFigure | undefined {
  const month = parseDate(name.replace('month-', ''));
  const source = revenue?.parts?.find((part) => part.name === 'revenue')?.source;
  if (month === undefined || source === undefined) return undefined;
  const end = endOfMonth(month);
  const { from, to } = source;
  const isIn = from !== null && end >= from;
  const dates = { from: isIn ? laterOf(month, from) : month, to: to !== null && end > to ? to : end };
  return {
    title: `Revenue in ${monthText(month, false)} ${month.slice(0, 4)}`,
    what: entries({ ...source, ...dates }, true),
  };
}

/** One of several lines: of a category, of a bank, or of all that have no line of their own. */
function lineFigure(name: string, { expenseBreakdown, cashPositions }: Cards): ExplainedFigure | undefined {
  const categories = expenseBreakdown?.categories ?? [];
  const items = cashPositions?.items ?? [];
  const isRest = name === categoryFigure(ALL_OTHER) && !categories.some((one) => one.categoryName === ALL_OTHER);
  const lines = isRest
    ? categoriesShown(categories).rest
    : name === 'item-0'
      ? items.slice(CASH_LINES)
      : [
          ...categories.filter((one) => categoryFigure(one.categoryName) === name),
          ...items.filter((one) => `item-${one.accountId}` === name),
        ];
  const sources = lines.flatMap(({ source }) => source ?? []);
  const [first] = sources;
  const [line] = lines;
  if (first === undefined || line === undefined) return undefined;
  const own = 'label' in line ? line.label : line.categoryName;
  const title = lines.length > 1 ? ALL_OTHER : own;
  return { title, what: entries({ ...first, accountIds: sources.flatMap(({ accountIds }) => accountIds) }) };
}

/** Number of banks with a line of their own; the others share one. */
const CASH_LINES = 6;

/**
 * The source of a card's figure by the name that the address gives it, `revenue.total`; the card is its own call's
 * answer, which has the sources. Undefined for what is no figure of the card.
 */
export function explainFigure(key: CardKey, name: string, cards: Cards): ExplainedFigure | undefined {
  const card = cards[key];
  if (card === undefined) return undefined;
  if ((key === 'incomingMoney' || key === 'outgoingMoney') && 'currentAmount' in card) {
    return agingFigure(key, name, card);
  }
  if ((name === 'target' || name === 'progress') && 'revenueAmount' in card) return targetFigure(name, card);
  if (name.startsWith('share-')) return shareFigure(name, cards);
  if (name.startsWith('earlier-') && 'revenueAmount' in card) {
    const part = card.earlier?.find((each) => each.name === name);
    return part && { title: `Revenue ${part.label}`, what: entries(part.source, part.credit) };
  }
  if (name.startsWith('month-')) return monthFigure(name, cards);
  if (/^(category|item)-/.test(name)) return lineFigure(name, cards);
  const made = MADE_OF[`${key}.${name}`];
  const parts = card.parts ?? [];
  if (made !== undefined) {
    const found = made.flatMap((each) => parts.find((part) => part.name === each) ?? []);
    const average = cards.returnOnAssets?.averageAssets ?? ZERO;
    const figure = name === 'average' ? formatUsd(average) : quotientText(`${key}.${name}`, cards);
    const [title = '', how = ''] = QUOTIENTS[`${key}.${name}`] ?? [];
    return { title, what: { kind: 'parts', figure, how, parts: found } };
  }
  const part = parts.find((each) => each.name === name);
  const { title } = CARDS[key];
  return (
    part && { title: part.label === title ? title : `${title}: ${part.label}`, what: entries(part.source, part.credit) }
  );
}

/** The dates and the basis of what is behind a figure; of a quotient how it is reckoned. */
export function datesOf(what: Explained, card: NonNullable<Cards[CardKey]>): string {
  if (what.kind === 'parts') return what.how;
  const basis = card.basis === 1 ? 'cash basis' : 'accrual basis';
  const [from, to] = what.kind === 'entries' ? [what.ask.from ?? null, what.ask.to ?? card.to] : [card.from, card.to];
  return `${from === null ? `as of ${formatDate(to)}` : `${formatDate(from)} – ${formatDate(to)}`}, ${basis}`;
}
