import { type IsoDate, isoDate } from '../dates.ts';
import { decimal, toCents } from '../money.ts';
import type { FormPart } from './ids.ts';
import { FEDERAL, type LawRule, type LawValue } from './law.ts';

/**
 * The tax rules that the product includes. Each value was taken from the source that the rule cites. A value that
 * could not be found in an official source is omitted, and companies can enter their own value.
 */

/** The first day that the rules cover. The laws themselves are older. */
const STATED: IsoDate = isoDate('2026-01-01');

const ANNUALLY = 0;
const SEMIANNUALLY = 1;
const QUARTERLY = 2;
const MONTHLY = 3;

interface More {
  forFrequency?: number;
  forForm?: FormPart;
  from?: IsoDate;
  to?: IsoDate;
  note?: string;
}

const rule = (state: string, value: LawValue, source: string, more: More = {}): LawRule => ({
  state,
  topic: value.topic,
  forFrequency: null,
  forForm: null,
  from: STATED,
  to: null,
  value,
  note: '',
  source,
  isOwn: false,
  ...more,
});

/** Returns a rule whose value the product doesn't know. */
const unknown = (state: string, topic: LawRule['topic'], note: string): LawRule => ({
  state,
  topic,
  forFrequency: null,
  forForm: null,
  from: STATED,
  to: null,
  value: null,
  note,
  source: '',
  isOwn: false,
});

const due = (day: number, months = 1): LawValue => ({ topic: 'due', months, day });
const frequency = (id: number, firstMonth = 1): LawValue => ({ topic: 'frequency', frequency: id, firstMonth });
const dollars = (amount: number) => toCents(decimal(amount));
const discount = (
  percent: string,
  { upTo = null, rest = '0', most = null }: { upTo?: number | null; rest?: string; most?: number | null } = {},
): LawValue => ({
  topic: 'discount',
  percent: decimal(percent),
  upTo: upTo === null ? null : dollars(upTo),
  restPercent: decimal(rest),
  most: most === null ? null : dollars(most),
});

/**
 * The rules for 1099 forms are federal. The year of the payments determines which rule applies. From 2027, IRC 6041(h)
 * adjusts $2,000 each year. The regulation on attorneys states its amount itself, and the amendment of IRC 6041(a)
 * doesn't change it.
 */
const federal = (
  value: LawValue,
  source: string,
  { forms, from = '2020-01-01', to }: { forms: readonly (FormPart | null)[]; from?: string; to?: string },
): LawRule[] =>
  forms.map((forForm) => ({
    ...rule(FEDERAL, value, source, { from: isoDate(from) }),
    forForm,
    to: to === undefined ? null : isoDate(to),
  }));
const threshold = (amount: number): LawValue => ({ topic: 'threshold', threshold: dollars(amount) });
const IN_2026 = { from: '2026-01-01', to: '2026-12-31' };
const REPORTED: readonly FormPart[] = ['misc1', 'misc3', 'misc6'];

const federalLaw: readonly LawRule[] = [
  ...federal(threshold(600), 'IRC 6041A(a)', { forms: ['nec1'], to: '2025-12-31' }),
  ...federal(threshold(600), 'IRC 6041(a)', { forms: REPORTED, to: '2025-12-31' }),
  ...federal(threshold(2000), 'IRC 6041A(a) as amended by Pub. L. 119-21', { forms: ['nec1'], ...IN_2026 }),
  ...federal(threshold(2000), 'IRC 6041(a) as amended by Pub. L. 119-21', { forms: REPORTED, ...IN_2026 }),
  ...federal(threshold(10), 'IRC 6050N(a)', { forms: ['misc2'] }),
  ...federal(threshold(600), 'Treas. Reg. 1.6045-5(a)(1)', { forms: ['misc10'] }),
  ...federal({ topic: 'withholding', percent: decimal(24) }, 'IRC 3406(a)(1) and 1(j)(2)(C)', {
    forms: [null],
    from: '2018-01-01',
  }),
  ...federal(due(31), 'IRC 6071(c)', { forms: ['nec'] }),
  // The last day for electronic filing. Recipients' copies are due by January 31 (IRC 6041(d)).
  ...federal(due(31, 3), 'IRC 6071(b)', { forms: ['misc'] }),
];

export const includedLaw: readonly LawRule[] = [
  ...federalLaw,

  rule('TX', frequency(MONTHLY), 'Tex. Tax Code 151.401(a)', {
    note: 'Quarterly if the tax is less than $500 for a month or $1,500 for a quarter (151.401(b))',
  }),
  rule('TX', due(20), 'Tex. Tax Code 151.401'),
  rule('TX', discount('0.5'), 'Tex. Tax Code 151.423'),
  rule('TX', { topic: 'prepayment', threshold: null, percent: decimal('90') }, 'Tex. Tax Code 151.424', {
    note: 'Voluntary. A prepayment of at least 90% earns a further discount of 1.25% of the prepayment',
  }),

  rule('NY', frequency(QUARTERLY, 3), 'N.Y. Tax Law 1136(a), (b)', {
    note: 'Also monthly if taxable receipts are $300,000 or more in a quarter (1136(a)(2))',
  }),
  rule('NY', due(20), 'N.Y. Tax Law 1136(b)'),
  rule('NY', discount('5', { most: 200 }), 'N.Y. Tax Law 1137(f)', { forFrequency: QUARTERLY }),
  rule('NY', discount('5', { most: 200 }), 'N.Y. Tax Law 1137(f)', { forFrequency: ANNUALLY }),
  rule('NY', { topic: 'badDebt', order: 'oldest' }, '20 NYCRR 534.7'),

  rule('CA', frequency(QUARTERLY), 'Cal. Rev. & Tax. Code 6451'),
  rule('CA', due(31), 'Cal. Rev. & Tax. Code 6451', { forFrequency: QUARTERLY }),
  rule('CA', { topic: 'prepayment', threshold: dollars(17_000), percent: null }, 'Cal. Rev. & Tax. Code 6471', {
    note: 'The threshold applies to the expected measure of tax liability (taxable sales) per month',
  }),
  rule('CA', { topic: 'basis', basis: 'accrual' }, 'Cal. Code Regs. tit. 18, 1641(c)'),
  rule('CA', { topic: 'badDebt', order: 'proportion' }, 'Cal. Code Regs. tit. 18, 1642', {
    note: 'The contract of sale may provide another order',
  }),

  rule('WA', frequency(MONTHLY), 'RCW 82.32.045(1)', { note: 'The department may assign a longer period' }),
  rule('WA', due(25), 'RCW 82.32.045(1)', { forFrequency: MONTHLY }),
  rule('WA', due(31), 'RCW 82.32.045(2)', { forFrequency: QUARTERLY }),
  rule('WA', due(31), 'RCW 82.32.045(2)', { forFrequency: SEMIANNUALLY }),
  rule('WA', due(15, 4), 'RCW 82.32.045(3)', { forFrequency: ANNUALLY }),
  rule('WA', { topic: 'rounding', rounding: 'combined' }, 'RCW 82.08.054'),
  rule('WA', { topic: 'badDebt', order: 'priceAndTax' }, 'RCW 82.08.037'),

  rule('OH', frequency(MONTHLY), 'Ohio R.C. 5739.12(A)(1)'),
  rule('OH', due(23), 'Ohio R.C. 5739.12(A)(1)', { forFrequency: MONTHLY }),
  rule('OH', discount('0.75'), 'Ohio R.C. 5739.12', {
    from: isoDate('2025-01-01'),
    to: isoDate('2025-12-31'),
  }),
  unknown('OH', 'discount', 'House Bill 96 of 2025 limits the discount. Enter the rate and limit from the department.'),
  rule('OH', { topic: 'prepayment', threshold: dollars(75_000), percent: decimal('75') }, 'Ohio R.C. 5739.122', {
    note: 'The threshold is the tax of a calendar year, and payments start in the second year after it',
  }),
  rule('OH', { topic: 'rounding', rounding: 'combined' }, 'Ohio R.C. 5739.025(E)'),

  rule('MD', frequency(MONTHLY), 'COMAR 03.06.03.03(A)(1)'),
  rule('MD', due(20), 'COMAR 03.06.03.03(A)(1)'),
  rule('MD', discount('1.2', { upTo: 6000, rest: '0.9', most: 500 }), 'Md. Code, Tax-Gen. 11-105'),
  rule('MD', { topic: 'basis', basis: 'accrual' }, 'COMAR 03.06.03.07(A)'),
  rule('MD', { topic: 'badDebt', order: 'proportion' }, 'COMAR 03.06.03.07(C)'),

  rule('FL', frequency(MONTHLY), 'Fla. Stat. 212.11(1)(b)', {
    note:
      'For the last four quarters, quarterly up to $1,000, semiannually up to $500, and annually up to $100 ' +
      '(212.11(1)(c))',
  }),
  rule('FL', due(20), 'Fla. Stat. 212.11(1)(b)'),
  rule('FL', discount('2.5', { upTo: 1200 }), 'Fla. Stat. 212.12(1)(a)', {
    note: 'Only for returns that are filed and paid electronically',
  }),
  rule('FL', { topic: 'prepayment', threshold: null, percent: decimal('60') }, 'Fla. Stat. 212.11(1)(a)', {
    note: 'Tax paid in advance, which the department requires of larger dealers',
  }),

  rule('NC', frequency(MONTHLY), 'N.C. G.S. 105-164.16(b1)', {
    note: 'Quarterly if the tax is consistently less than $100 a month (105-164.16(b))',
  }),
  rule('NC', due(20), 'N.C. G.S. 105-164.16(b1)', { forFrequency: MONTHLY }),
  rule('NC', due(31), 'N.C. G.S. 105-164.16(b)', { forFrequency: QUARTERLY }),
  rule('NC', { topic: 'prepayment', threshold: dollars(20_000), percent: decimal('65') }, 'N.C. G.S. 105-164.16(b2)', {
    note: 'The threshold is the tax of a month',
  }),
  rule('NC', { topic: 'basis', basis: 'either' }, 'N.C. G.S. 105-164.20'),
];

/** The states for which rules are included. */
export const includedStates: readonly string[] = [
  ...new Set(includedLaw.map(({ state }) => state).filter((state) => state !== FEDERAL)),
];
