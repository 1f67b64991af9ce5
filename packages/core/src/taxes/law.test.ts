import { describe, expect, it, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { cents, decimal } from '../money.ts';
import { includedLaw, includedStates } from './law.data.ts';
import {
  blankLaw,
  checkLawRule,
  FEDERAL,
  lawFields,
  type LawRule,
  lawValueOf,
  lawOn,
  lawTopics,
  lawTopicsOf,
  lawWords,
  overlapping,
  ruleOn,
  statedDueDate,
  timelyDiscount,
} from './law.ts';

const day = isoDate('2026-06-30');
const discountIn = (state: string, frequency = 3) =>
  lawOn(includedLaw, { state, topic: 'discount', frequency, date: day });

describe('the included rules', () => {
  it('the included tax rules cover eight states, and no two rules conflict on the same day', () => {
    expect(includedStates.toSorted()).toEqual(['CA', 'FL', 'MD', 'NC', 'NY', 'OH', 'TX', 'WA']);
    expect(overlapping(includedLaw)).toEqual([]);
  });

  it.each(includedLaw.map((rule) => [`${rule.state} ${rule.topic} from ${rule.from}`, rule] as const))(
    'the rule %s has a source and a valid value, or a note instead of a value',
    (_name, rule) => {
      if (rule.value === null) expect(rule.note).not.toBe('');
      else expect(checkLawRule(rule)).toEqual({});
      expect(rule.value?.topic ?? rule.topic).toBe(rule.topic);
      if (rule.value !== null) expect(lawWords(rule.value)).not.toBe('');
    },
  );

  it('every state has a usual filing frequency and a due date for that frequency', () => {
    for (const state of includedStates) {
      const usual = lawOn(includedLaw, { state, topic: 'frequency', date: day });
      expect(lawOn(includedLaw, { state, topic: 'due', frequency: usual?.frequency, date: day })).toBeDefined();
    }
  });
});

describe('timelyDiscount', () => {
  const cases = [
    ['TX', 3, 100_000, 500],
    ['NY', 2, 49_120, 2456],
    ['NY', 2, 500_000, 20_000],
    ['MD', 3, 600_000, 7200],
    ['MD', 3, 700_000, 8100],
    ['MD', 3, 9_000_000, 50_000],
    ['FL', 3, 500_000, 3000],
    ['FL', 3, 100_000, 2500],
  ] as const;
  it.each(cases)(
    'in %s with frequency %i, the filing discount on %i cents is %i',
    (state, frequency, tax, discount) => {
      const rule = discountIn(state, frequency);
      expect(rule && timelyDiscount(rule, cents(tax))).toBe(discount);
    },
  );

  it('the filing discount is 0 for a refund, and unknown if no rule is included', () => {
    const rule = discountIn('TX');
    expect(rule && timelyDiscount(rule, cents(-500))).toBe(0);
    expect(discountIn('CA')).toBeUndefined();
    expect(discountIn('NY', 3)).toBeUndefined();
    expect(discountIn('OH')).toBeUndefined();
    const before = lawOn(includedLaw, { state: 'OH', topic: 'discount', date: isoDate('2025-12-31') });
    expect(before && timelyDiscount(before, cents(286_788))).toBe(2151);
  });
});

describe('statedDueDate', () => {
  it.each([
    [{ months: 1, day: 20 }, '2026-05-31', '2026-06-20'],
    [{ months: 1, day: 31 }, '2026-03-31', '2026-04-30'],
    [{ months: 1, day: 31 }, '2026-06-30', '2026-07-31'],
    [{ months: 1, day: 30 }, '2026-01-31', '2026-02-28'],
    [{ months: 4, day: 15 }, '2025-12-31', '2026-04-15'],
  ])('with the rule %j, the return for a period through %s is due on %s', (rule, end, due) => {
    expect(statedDueDate(rule, isoDate(end))).toBe(due);
  });
});

describe('ruleOn', () => {
  const own: LawRule = {
    state: 'TX',
    topic: 'discount',
    forFrequency: null,
    forForm: null,
    from: isoDate('2026-07-01'),
    to: null,
    value: { topic: 'discount', percent: decimal(1), upTo: null, restPercent: decimal(0), most: null },
    note: '',
    source: 'Letter from the Comptroller',
    isOwn: true,
  };
  const rules = [...includedLaw, own];

  it("a company's own tax rule applies starting on its first day, and the included rule applies before then", () => {
    const on = (date: string) => ruleOn(rules, { state: 'TX', topic: 'discount', date: isoDate(date) })?.isOwn;
    expect(on('2026-06-30')).toBe(false);
    expect(on('2026-07-01')).toBe(true);
    expect(on('2025-12-31')).toBeUndefined();
  });

  it('overlapping finds two tax rules that cover the same day', () => {
    expect(overlapping([...rules, { ...own, from: isoDate('2027-01-01') }])).toHaveLength(1);
  });
});

const ENTERED = { state: '', forFrequency: null, forForm: null, from: isoDate('2026-01-01'), source: 'x' };

test('due dates and thresholds are described in words', () => {
  const due = (months: number, day: number) => lawWords({ topic: 'due', months, day });
  expect(due(1, 20)).toBe('Day 20 of the month after the period');
  expect(due(3, 31)).toBe('Last day of the 3rd month after the period');
  expect(due(12, 15)).toBe('Day 15 of the 12th month after the period');
  expect(lawWords({ topic: 'threshold', threshold: cents(200_000) })).toBe('$2,000.00 or more');
});

test("a tax rule's value is unchanged after conversion to API fields and back, and missing fields are invalid", () => {
  for (const { value } of includedLaw) if (value !== null) expect(lawValueOf(lawFields(value))).toEqual(value);
  for (const { id } of lawTopics) expect(lawValueOf(lawFields(blankLaw(id)))).toEqual(blankLaw(id));
  const paths = (topic: 'due' | 'discount' | 'frequency') =>
    Object.keys(checkLawRule({ ...ENTERED, state: 'PA', value: lawValueOf({ topic }) }));
  expect([paths('due'), paths('discount'), paths('frequency')]).toEqual([
    ['value.day'],
    ['value.percent'],
    ['value.frequency'],
  ]);
});

describe('checkLawRule', () => {
  it('a new tax rule requires a state and a source, and its numbers must be in range', () => {
    for (const { id } of lawTopics) {
      expect(checkLawRule({ ...ENTERED, value: blankLaw(id), source: '' })).toMatchObject({
        state: 'Please Select a State',
        source: 'Please enter the source, for example a statute or an official page',
      });
    }
    const faults = (value: LawRule['value']) => Object.keys(checkLawRule({ ...ENTERED, state: 'PA', value }));
    expect(faults({ topic: 'due', months: 0, day: 32 })).toEqual(['value.months', 'value.day']);
    expect(faults({ topic: 'frequency', frequency: 9, firstMonth: 13 })).toEqual([
      'value.frequency',
      'value.firstMonth',
    ]);
    expect(faults(blankLaw('prepayment'))).toEqual(['value.threshold']);
    expect(faults(null)).toEqual(['value']);
    const percent = decimal(101);
    expect(faults({ topic: 'discount', percent, upTo: cents(0), restPercent: percent, most: cents(-1) })).toEqual([
      'value.percent',
      'value.restPercent',
      'value.upTo',
      'value.most',
    ]);
  });

  it('a federal rule names its box or form, starts on January 1, and has no filing frequency', () => {
    const faults = (change: Partial<Parameters<typeof checkLawRule>[0]>) =>
      checkLawRule({ ...ENTERED, state: FEDERAL, value: blankLaw('due'), ...change });
    expect(faults({ forForm: 'nec' })).toEqual({});
    expect(faults({})).toEqual({ forForm: 'Please select a form' });
    expect(faults({ value: { topic: 'threshold', threshold: cents(0) } })).toEqual({
      forForm: 'Please select a box',
      'value.threshold': 'Please enter an amount above 0',
    });
    expect(faults({ value: { topic: 'threshold', threshold: cents(1) }, forForm: 'nec' })).toEqual({
      forForm: 'Please select a box',
    });
    const percent = decimal(101);
    expect(Object.keys(faults({ value: { topic: 'withholding', percent }, forForm: 'nec1' }))).toEqual([
      'forForm',
      'value.percent',
    ]);
    expect(Object.keys(faults({ forForm: 'misc', forFrequency: 3, from: isoDate('2026-07-01') }))).toEqual([
      'forFrequency',
      'from',
    ]);
  });

  it('states have no federal rules, and the federal rules are only those for 1099 forms', () => {
    expect(checkLawRule({ ...ENTERED, state: 'PA', value: { topic: 'threshold', threshold: cents(100) } })).toEqual({
      'value.topic': 'Please select a rule for this state',
    });
    expect(checkLawRule({ ...ENTERED, state: 'PA', value: blankLaw('due'), forForm: 'nec' })).toEqual({
      forForm: 'This rule applies to all forms',
    });
    expect(Object.keys(checkLawRule({ ...ENTERED, state: FEDERAL, value: blankLaw('basis') }))).toEqual([
      'value.topic',
    ]);
    expect(lawTopicsOf(FEDERAL).map(({ id }) => id)).toEqual(['due', 'threshold', 'withholding']);
  });
});
