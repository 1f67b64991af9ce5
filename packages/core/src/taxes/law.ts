import { addDays, addMonths, daysBetween, endOfMonth, type IsoDate, isoDate, MONTHS, startOfMonth } from '../dates.ts';
import { filingFrequencies } from '../documents/salestax.ts';
import type { FieldMessages } from '../failure.ts';
import { type Cents, cents, type Decimal, decimal, formatUsd, minCents, toCents, toDecimal, ZERO } from '../money.ts';
import { formBoxIds, formIds, type FormPart, type taxRoundingIds } from './ids.ts';

/** The states' sales tax rules and the federal rules for 1099 forms as data, with effective dates and sources. */

/** The state of federal rules. */
export const FEDERAL = 'US';

export const lawTopicIds = [
  'frequency',
  'due',
  'discount',
  'prepayment',
  'basis',
  'rounding',
  'badDebt',
  'threshold',
  'withholding',
] as const;
export type LawTopic = (typeof lawTopicIds)[number];

export const lawTopics: readonly { id: LawTopic; label: string }[] = [
  { id: 'frequency', label: 'Filing Frequency' },
  { id: 'due', label: 'Due Date' },
  { id: 'discount', label: 'Timely-Filing Discount' },
  { id: 'prepayment', label: 'Prepayment' },
  { id: 'basis', label: 'Accounting Basis' },
  { id: 'rounding', label: 'Rounding' },
  { id: 'badDebt', label: 'Bad Debts' },
  { id: 'threshold', label: '1099 Threshold' },
  { id: 'withholding', label: 'Backup Withholding' },
];

/** The topics of federal rules. The due date is the form's due date. */
const FEDERAL_TOPICS: readonly LawTopic[] = ['threshold', 'withholding', 'due'];
const STATE_TOPICS: readonly LawTopic[] = lawTopicIds.filter((id) => id === 'due' || !FEDERAL_TOPICS.includes(id));

/** Returns the topics of a state's rules, or of federal rules. */
export const lawTopicsOf = (state: string | null): typeof lawTopics =>
  lawTopics.filter(({ id }) => (state === FEDERAL ? FEDERAL_TOPICS : STATE_TOPICS).includes(id));

/**
 * Returns the forms or boxes that a federal rule on a topic can refer to. If there are any, the rule must name one of
 * them.
 */
export function lawParts(topic: LawTopic): readonly FormPart[] {
  if (topic === 'threshold') return formBoxIds;
  return topic === 'due' ? formIds : [];
}

export const lawBasisIds = ['accrual', 'cash', 'either'] as const;
export const lawBases: readonly { id: (typeof lawBasisIds)[number]; label: string }[] = [
  { id: 'accrual', label: 'Accrual' },
  { id: 'cash', label: 'Cash' },
  { id: 'either', label: 'Accrual or cash' },
];

export const taxRoundings: readonly { id: (typeof taxRoundingIds)[number]; label: string }[] = [
  { id: 'item', label: 'Each tax item' },
  { id: 'combined', label: 'Combined rate' },
];

/** The ways to divide the payments that were made on a debt before it became uncollectible. */
export const badDebtOrderIds = ['oldest', 'priceAndTax', 'proportion'] as const;
export const badDebtOrders: readonly { id: (typeof badDebtOrderIds)[number]; label: string }[] = [
  { id: 'oldest', label: 'Oldest charges first' },
  { id: 'priceAndTax', label: 'Price and tax in proportion, then other charges' },
  { id: 'proportion', label: 'All charges in proportion' },
];

/** The value of a rule. Amounts are cents, and percentages are decimals such as 0.75. */
export type LawValue =
  /** The usual frequency (see `filingFrequencies`) and the month (1 to 12) in which a period may start. */
  | { topic: 'frequency'; frequency: number; firstMonth: number }
  /**
   * The return is due on this day (31 means the last day) of the month that comes this many months after the period's
   * last month.
   */
  | { topic: 'due'; months: number; day: number }
  /**
   * A discount: a percentage of the tax, up to a limit. `upTo` is the tax to which `percent` applies, and `restPercent`
   * applies to the rest. Null means unlimited.
   */
  | { topic: 'discount'; percent: Decimal; upTo: Cents | null; restPercent: Decimal; most: Cents | null }
  /** The tax, or another amount that the rule names, at which prepayments become due. */
  | { topic: 'prepayment'; threshold: Cents | null; percent: Decimal | null }
  | { topic: 'basis'; basis: (typeof lawBasisIds)[number] }
  | { topic: 'rounding'; rounding: (typeof taxRoundingIds)[number] }
  | { topic: 'badDebt'; order: (typeof badDebtOrderIds)[number] }
  /** The amount of payments to a vendor in a calendar year at which a box must be reported. */
  | { topic: 'threshold'; threshold: Cents }
  | { topic: 'withholding'; percent: Decimal };

/** A state or federal rule. */
export interface LawRule {
  /** The abbreviation of the state, for example `TX`, or `US` for a federal rule. */
  state: string;
  topic: LawTopic;
  /** The filing frequency that the rule applies to. Null for all frequencies. */
  forFrequency: number | null;
  /** The 1099 form or box that a federal rule applies to. Null for other rules. */
  forForm: FormPart | null;
  /** The first and last day that the rule covers. The law itself can be older. */
  from: IsoDate;
  to: IsoDate | null;
  /** Null if the product states no value. `note` says why. */
  value: LawValue | null;
  /** Conditions that the value doesn't express. */
  note: string;
  /** The statute, regulation, or official page. Empty only if the rule has no value. */
  source: string;
  /** Whether the rule is the company's own. */
  isOwn: boolean;
}

/** A request for the rule in effect on a date. */
export interface LawAsk<T extends LawTopic = LawTopic> {
  state: string;
  topic: T;
  frequency?: number | undefined;
  form?: FormPart | undefined;
  date: IsoDate;
}

const applies = (rule: LawRule, { state, topic, frequency, form, date }: LawAsk): boolean =>
  rule.state === state &&
  rule.topic === topic &&
  (rule.forFrequency === null || rule.forFrequency === frequency) &&
  rule.forForm === (form ?? null) &&
  rule.from <= date &&
  (rule.to === null || date <= rule.to);

/**
 * Returns the rule in effect on a date, or undefined if none is known. A company's own rule takes precedence over an
 * included rule, a rule for the frequency takes precedence over a general rule, and a later rule takes precedence over
 * an earlier rule.
 */
export function ruleOn(rules: readonly LawRule[], ask: LawAsk): LawRule | undefined {
  const found = rules.filter((rule) => applies(rule, ask));
  const rank = (rule: LawRule) => `${rule.isOwn ? 1 : 0} ${rule.forFrequency === null ? 0 : 1} ${rule.from}`;
  return found.toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))[0];
}

/** Returns the value of the rule in effect on a date, or undefined if none is known. */
export function lawOn<T extends LawTopic>(
  rules: readonly LawRule[],
  ask: LawAsk<T>,
): Extract<LawValue, { topic: T }> | undefined {
  return valueFor(ask.topic, ruleOn(rules, ask));
}

function valueFor<T extends LawTopic>(
  topic: T,
  rule: LawRule | undefined,
): Extract<LawValue, { topic: T }> | undefined {
  const isAsked = (one: LawValue | null | undefined): one is Extract<LawValue, { topic: T }> => one?.topic === topic;
  return isAsked(rule?.value) ? rule.value : undefined;
}

/** A federal rule for a calendar year. */
export interface FederalRule<T extends LawTopic> {
  value: Extract<LawValue, { topic: T }>;
  source: string;
  /** Whether the rule is stated for this year, and not only for an earlier year. */
  isStated: boolean;
}

/**
 * Returns the federal rule for a calendar year. If the rule for a later year is not known yet, returns the last known
 * one. Throws if the year is before the first rule.
 */
export function federalRule<T extends LawTopic>(
  rules: readonly LawRule[],
  { topic, form, year }: { topic: T; form?: FormPart; year: number },
): FederalRule<T> {
  const ask = { state: FEDERAL, topic, form, date: isoDate(`${year}-01-01`) };
  const known = rules.filter((rule) => rule.state === FEDERAL).map((rule) => ({ ...rule, to: null }));
  const found = ruleOn(known, ask);
  const value = valueFor(topic, found);
  if (found === undefined || value === undefined) throw new Error(`no ${topic} for ${form ?? 'payments'} in ${year}`);
  return { value, source: found.source, isStated: ruleOn(rules, ask) !== undefined };
}

/** Returns the pairs of rules for the same purpose that cover the same day. */
export function overlapping(rules: readonly LawRule[]): [LawRule, LawRule][] {
  const isSame = (a: LawRule, b: LawRule) =>
    a.state === b.state &&
    a.topic === b.topic &&
    a.forFrequency === b.forFrequency &&
    a.forForm === b.forForm &&
    a.isOwn === b.isOwn;
  const ends = (rule: LawRule) => rule.to ?? '9999-12-31';
  return rules.flatMap((a, at) =>
    rules
      .slice(at + 1)
      .filter((b) => isSame(a, b) && a.from <= ends(b) && b.from <= ends(a))
      .map((b): [LawRule, LawRule] => [a, b]),
  );
}

/**
 * Returns the discount for a return that is filed and paid in time, in cents rounded half away from zero. A refund
 * has a discount of 0.
 */
export function timelyDiscount(rule: Extract<LawValue, { topic: 'discount' }>, tax: Cents): Cents {
  if (tax <= 0) return ZERO;
  const first = rule.upTo === null ? tax : minCents(tax, rule.upTo);
  const rest = cents(tax - first);
  const exact = toDecimal(first).times(rule.percent).plus(toDecimal(rest).times(rule.restPercent)).div(100);
  const discount = toCents(exact);
  return rule.most === null ? discount : minCents(discount, rule.most);
}

/** Returns the due date of a period that ends on a date, before weekends and holidays are considered. */
export function statedDueDate(rule: { months: number; day: number }, periodEnd: IsoDate): IsoDate {
  const month = addMonths(startOfMonth(periodEnd), rule.months);
  const last = endOfMonth(month);
  return rule.day > daysBetween(month, last) ? last : addDays(month, rule.day - 1);
}

const nth = (number: number): string => `${number}${['th', 'st', 'nd', 'rd'][number] ?? 'th'}`;

const percentText = (percent: Decimal): string => `${percent.toString()}%`;

/** Returns a value in words, for example "Day 20 of the month after the period". */
export function lawWords(value: LawValue): string {
  switch (value.topic) {
    case 'frequency': {
      const frequency = filingFrequencies.find(({ id }) => id === value.frequency)?.displayName ?? '';
      return value.firstMonth === 1 ? frequency : `${frequency}, periods start in ${monthName(value.firstMonth)}`;
    }
    case 'due': {
      const day = value.day >= 31 ? 'Last day' : `Day ${value.day}`;
      return `${day} of the ${value.months === 1 ? '' : `${nth(value.months)} `}month after the period`;
    }
    case 'discount':
      return discountWords(value);
    case 'prepayment':
      return [
        value.percent === null ? '' : percentText(value.percent),
        value.threshold === null ? '' : `from ${formatUsd(value.threshold)}`,
      ]
        .filter(Boolean)
        .join(' ');
    case 'basis':
      return labelIn(lawBases, value.basis);
    case 'rounding':
      return labelIn(taxRoundings, value.rounding);
    case 'badDebt':
      return labelIn(badDebtOrders, value.order);
    case 'threshold':
      return `${formatUsd(value.threshold)} or more`;
    case 'withholding':
      return percentText(value.percent);
  }
}

/** Returns a discount in words, for example "0.75% of the tax, at most $100.00". */
export function discountWords({ percent, upTo, restPercent, most }: Extract<LawValue, { topic: 'discount' }>): string {
  const limit = most === null ? '' : `, at most ${formatUsd(most)}`;
  if (upTo === null) return `${percentText(percent)} of the tax${limit}`;
  const rest = restPercent.eq(0) ? '' : ` and ${percentText(restPercent)} of the rest`;
  return `${percentText(percent)} of the first ${formatUsd(upTo)}${rest}${limit}`;
}

function labelIn(list: readonly { id: string; label: string }[], id: string): string {
  return list.find((each) => each.id === id)?.label ?? '';
}

const monthName = (month: number): string => MONTHS[month - 1] ?? '';

/** A company's own rule as entered. */
export interface CheckableRule {
  state: string;
  forFrequency: number | null;
  forForm: FormPart | null;
  /** Null until it is entered. */
  from: IsoDate | null;
  value: LawValue | null;
  source: string;
}

const isPercent = (percent: Decimal): boolean => percent.gte(0) && percent.lte(100);
const isWholeIn = (value: number, first: number, last: number): boolean =>
  Number.isInteger(value) && value >= first && value <= last;

/** Returns the validation messages for a company's own rule by field path. */
export function checkLawRule(rule: CheckableRule): FieldMessages {
  const { state, value, source } = rule;
  const fields: FieldMessages = {};
  if (!/^[A-Z]{2}$/.test(state)) fields['state'] = 'Please Select a State';
  if (source.trim() === '') fields['source'] = 'Please enter the source, for example a statute or an official page';
  if (value === null) return { ...fields, value: 'Please enter the rule' };
  Object.assign(fields, placeFaults(rule, value));
  if (value.topic === 'frequency') {
    if (!filingFrequencies.some(({ id }) => id === value.frequency))
      fields['value.frequency'] = 'Please Select a Frequency';
    if (!isWholeIn(value.firstMonth, 1, 12)) fields['value.firstMonth'] = 'Please select a month';
  }
  if (value.topic === 'due') {
    if (!isWholeIn(value.months, 1, 12)) fields['value.months'] = 'Please enter a number from 1 to 12';
    if (!isWholeIn(value.day, 1, 31)) fields['value.day'] = 'Please enter a day from 1 to 31';
  }
  if (value.topic === 'discount') {
    if (!isPercent(value.percent)) fields['value.percent'] = 'Please enter a percentage from 0 to 100';
    if (!isPercent(value.restPercent)) fields['value.restPercent'] = 'Please enter a percentage from 0 to 100';
    if (value.upTo !== null && value.upTo <= 0) fields['value.upTo'] = 'Please enter an amount above 0';
    if (value.most !== null && value.most < 0) fields['value.most'] = 'Please enter an amount of at least 0';
  }
  if (value.topic === 'prepayment') {
    if (value.percent !== null && !isPercent(value.percent))
      fields['value.percent'] = 'Please enter a percentage from 0 to 100';
    if (value.threshold === null && value.percent === null) fields['value.threshold'] = 'Please enter an amount';
    if (value.threshold !== null && value.threshold < 0)
      fields['value.threshold'] = 'Please enter an amount of at least 0';
  }
  if (value.topic === 'threshold' && value.threshold <= 0) fields['value.threshold'] = 'Please enter an amount above 0';
  if (value.topic === 'withholding' && !isPercent(value.percent))
    fields['value.percent'] = 'Please enter a percentage from 0 to 100';
  return fields;
}

/** Returns the messages about the topic, box, frequency, and first day of a rule. */
function placeFaults({ state, forFrequency, forForm, from }: CheckableRule, { topic }: LawValue): FieldMessages {
  const isFederal = state === FEDERAL;
  const fields: FieldMessages = {};
  if (!lawTopicsOf(state).some(({ id }) => id === topic)) fields['value.topic'] = 'Please select a rule for this state';
  const parts = isFederal ? lawParts(topic) : [];
  if (parts.length > 0 && (forForm === null || !parts.includes(forForm)))
    fields['forForm'] = topic === 'due' ? 'Please select a form' : 'Please select a box';
  if (parts.length === 0 && forForm !== null) fields['forForm'] = 'This rule applies to all forms';
  if (isFederal && forFrequency !== null) fields['forFrequency'] = 'This rule applies to all frequencies';
  if (isFederal && from !== null && !from.endsWith('-01-01'))
    fields['from'] = 'Please enter January 1, because the rule applies to calendar years';
  return fields;
}

/** Returns the initial value for a topic in a form. */
export function blankLaw(topic: LawTopic): LawValue {
  switch (topic) {
    case 'frequency':
      return { topic, frequency: 3, firstMonth: 1 };
    case 'due':
      return { topic, months: 1, day: 20 };
    case 'discount':
      return { topic, percent: decimal(0), upTo: null, restPercent: decimal(0), most: null };
    case 'prepayment':
      return { topic, threshold: null, percent: null };
    case 'basis':
      return { topic, basis: 'accrual' };
    case 'rounding':
      return { topic, rounding: 'item' };
    case 'badDebt':
      return { topic, order: 'proportion' };
    case 'threshold':
      return { topic, threshold: ZERO };
    case 'withholding':
      return { topic, percent: decimal(0) };
  }
}

/** A value with the fields of all topics, as used by the API and the forms. Fields of other topics are null. */
export interface LawFields {
  topic: LawTopic;
  frequency: number | null;
  firstMonth: number | null;
  months: number | null;
  day: number | null;
  percent: Decimal | null;
  upTo: Cents | null;
  restPercent: Decimal | null;
  most: Cents | null;
  threshold: Cents | null;
  basis: (typeof lawBasisIds)[number] | null;
  rounding: (typeof taxRoundingIds)[number] | null;
  order: (typeof badDebtOrderIds)[number] | null;
}

/** Returns a value with the fields of all topics. */
export function lawFields(value: LawValue): LawFields {
  return {
    frequency: null,
    firstMonth: null,
    months: null,
    day: null,
    percent: null,
    upTo: null,
    restPercent: null,
    most: null,
    threshold: null,
    basis: null,
    rounding: null,
    order: null,
    ...value,
  };
}

/**
 * Returns the value with only its topic's fields. Missing numbers become invalid numbers, for which `checkLawRule` has
 * a message.
 */
export function lawValueOf(
  fields: { [K in keyof LawFields]?: LawFields[K] | undefined } & Pick<LawFields, 'topic'>,
): LawValue {
  const { topic } = fields;
  switch (topic) {
    case 'frequency':
      return { topic, frequency: fields.frequency ?? -1, firstMonth: fields.firstMonth ?? 1 };
    case 'due':
      return { topic, months: fields.months ?? 1, day: fields.day ?? 0 };
    case 'discount':
      return {
        topic,
        percent: fields.percent ?? decimal(-1),
        upTo: fields.upTo ?? null,
        restPercent: fields.restPercent ?? decimal(0),
        most: fields.most ?? null,
      };
    case 'prepayment':
      return { topic, threshold: fields.threshold ?? null, percent: fields.percent ?? null };
    case 'basis':
      return { topic, basis: fields.basis ?? 'accrual' };
    case 'rounding':
      return { topic, rounding: fields.rounding ?? 'item' };
    case 'badDebt':
      return { topic, order: fields.order ?? 'proportion' };
    case 'threshold':
      return { topic, threshold: fields.threshold ?? ZERO };
    case 'withholding':
      return { topic, percent: fields.percent ?? decimal(-1) };
  }
}
