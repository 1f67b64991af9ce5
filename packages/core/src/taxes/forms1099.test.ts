import { describe, expect, it, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { Dice } from '../dice.ts';
import { type Cents, cents, sum } from '../money.ts';
import {
  boxWords,
  checkTaxId,
  filledBoxes,
  formDueDate,
  type FormAddress,
  missingFacts,
  type PaidPart,
  placeOfPart,
  proposedBox,
  reportable,
  type VendorForm,
  vendorForms,
} from './forms1099.ts';
import { type AccountBox, accountBoxIds, formBoxIds } from './ids.ts';
import { includedLaw } from './law.data.ts';
import { federalRule, type LawRule } from './law.ts';

const [LABOR, RENT, ROYALTY, LEGAL, WITHHOLDING, SUPPLIES] = [1, 2, 3, 4, 5, 6];
const boxes = new Map<number, AccountBox>([
  [LABOR, 'nec1'],
  [RENT, 'misc1'],
  [ROYALTY, 'misc2'],
  [LEGAL, 'misc10'],
  [WITHHOLDING, 'withheld'],
]);
const paid = (accountId: number, dollars: number, how: PaidPart['how'] = 'money'): PaidPart => ({
  vendorId: 1,
  accountId,
  how,
  amount: cents(Math.round(dollars * 100)),
});
const formsIn = (year: number, parts: readonly PaidPart[]) => vendorForms(parts, { boxes, rules: includedLaw, year });
const only = (forms: readonly VendorForm[]): VendorForm => {
  expect(forms).toHaveLength(1);
  return forms[0] as VendorForm;
};

const thresholdIn = (rules: readonly LawRule[], form: (typeof formBoxIds)[number], year: number) =>
  federalRule(rules, { topic: 'threshold', form, year });

describe('the included 1099 rules', () => {
  it('each box has a threshold for every year from 2020 on, and the backup withholding rate is 24%', () => {
    const amounts = (year: number) => formBoxIds.map((box) => thresholdIn(includedLaw, box, year).value.threshold);
    expect(amounts(2020)).toEqual([60_000, 60_000, 1000, 60_000, 60_000, 60_000]);
    expect(amounts(2026)).toEqual([200_000, 200_000, 1000, 200_000, 200_000, 60_000]);
    expect(Number(federalRule(includedLaw, { topic: 'withholding', year: 2026 }).value.percent)).toBe(24);
  });

  it('a 1099 threshold is not stated for a year whose inflation adjustment is unknown', () => {
    const later = thresholdIn(includedLaw, 'nec1', 2027);
    expect([later.value.threshold, later.isStated]).toEqual([200_000, false]);
    expect(thresholdIn(includedLaw, 'nec1', 2026).isStated).toBe(true);
    expect(thresholdIn(includedLaw, 'misc2', 2027).isStated).toBe(true);
    expect(() => thresholdIn(includedLaw, 'nec1', 2019)).toThrow('no threshold for nec1 in 2019');
  });
});

describe("a company's own 1099 rules", () => {
  const included = includedLaw.find(({ forForm, to }) => forForm === 'nec1' && to === '2026-12-31');
  const own: LawRule = {
    ...(included as LawRule),
    from: isoDate('2027-01-01'),
    to: null,
    value: { topic: 'threshold', threshold: cents(210_000) },
    source: 'Rev. Proc. 2026-40',
    isOwn: true,
  };
  const rules = [own, ...includedLaw];

  it("a company's own threshold of 2,100.00 applies to its box from its first year", () => {
    const found = thresholdIn(rules, 'nec1', 2027);
    expect([found.value.threshold, found.source, found.isStated]).toEqual([210_000, 'Rev. Proc. 2026-40', true]);
    expect(thresholdIn(rules, 'nec1', 2026).value.threshold).toBe(200_000);
    expect(thresholdIn(rules, 'misc1', 2027).value.threshold).toBe(200_000);
  });

  it("a form is due at a company's own threshold of 2,100.00, but not one cent below the threshold", () => {
    const dueAt = (dollars: number, year: number) =>
      only(vendorForms([paid(LABOR, dollars)], { boxes, rules, year })).isDue;
    expect([dueAt(2099.99, 2027), dueAt(2100, 2027), dueAt(2000, 2026)]).toEqual([false, true, true]);
  });
});

describe('vendorForms', () => {
  const thresholds = [
    [2025, LABOR, 600],
    [2026, LABOR, 2000],
    [2025, RENT, 600],
    [2026, RENT, 2000],
    [2025, ROYALTY, 10],
    [2026, ROYALTY, 10],
    [2025, LEGAL, 600],
    [2026, LEGAL, 600],
  ] as const;
  it.each(thresholds)(
    'in %i, a form for account %i is required as soon as the total reaches %d.00',
    (year, account, amount) => {
      const due = (dollars: number) => only(formsIn(year, [paid(account, dollars)]));
      expect([due(amount - 0.01), due(amount), due(amount + 0.01)].map(({ isDue }) => isDue)).toEqual([
        false,
        true,
        true,
      ]);
      expect(filledBoxes(due(amount)).map((each) => each.amount)).toEqual([amount * 100]);
      expect(filledBoxes(due(amount - 0.01))).toEqual([]);
    },
  );

  it('a 1099 form excludes card and network payments, which can bring a vendor below the threshold', () => {
    const form = only(formsIn(2026, [paid(LABOR, 1740), paid(LABOR, 600, 'card'), paid(LABOR, 300, 'network')]));
    expect([reportable(form), form.byCard, form.isDue]).toEqual([174_000, 90_000, false]);
  });

  it('a cent of withheld tax makes a 1099 form due and fills in boxes below the threshold', () => {
    const form = only(formsIn(2026, [paid(LABOR, 1410), paid(WITHHOLDING, -338.4)]));
    expect([form.withheld, form.isDue, form.form]).toEqual([33_840, true, 'nec']);
    expect(filledBoxes(form)).toEqual([{ box: 'nec1', amount: 141_000, threshold: 200_000 }]);
    expect(boxWords('nec', ['nec1'], form.withheld)).toBe('NEC 1, 4');
  });

  it('a vendor with labor and rent payments has two 1099 forms, and withheld tax is on the larger form', () => {
    const [nec, misc] = formsIn(2026, [paid(LABOR, 500), paid(RENT, 2400), paid(WITHHOLDING, -1), paid(SUPPLIES, 30)]);
    expect([nec?.form, nec?.isDue, nec?.withheld, nec?.noBox]).toEqual(['nec', false, 0, 3000]);
    expect([misc?.form, misc?.isDue, misc?.withheld, misc?.noBox]).toEqual(['misc', true, 100, 0]);
  });

  it('only boxes that reach their threshold are filled in on a 1099 form', () => {
    const form = only(formsIn(2026, [paid(RENT, 1999.99), paid(ROYALTY, 10)]));
    expect(filledBoxes(form).map(({ box }) => box)).toEqual(['misc2']);
  });

  it('refunds and credits reduce a 1099 box, and entries that move no money are not payments', () => {
    const form = only(formsIn(2025, [paid(LABOR, 700), paid(LABOR, -100.01), paid(LABOR, 9000, 'nothing')]));
    expect([reportable(form), form.isDue]).toEqual([59_999, false]);
    expect(formsIn(2025, [paid(LABOR, 9000, 'nothing')])).toEqual([]);
  });

  it('a vendor whose payments are all posted to accounts without a 1099 box is listed', () => {
    const form = only(formsIn(2026, [paid(SUPPLIES, 5000)]));
    expect([form.boxes, form.noBox, form.isDue]).toEqual([[], 500_000, false]);
  });
});

test("for each vendor, the 1099 boxes and the excluded payments add up to the vendor's payments", () => {
  const runs = Math.min(10_000, Number(process.env['TORTURE_RUNS'] ?? 200));
  for (let seed = 1; seed <= runs; seed += 1) {
    const dice = new Dice(seed);
    const mapping = new Map<number, AccountBox>();
    for (const account of [1, 2, 3, 4, 5, 6, 7])
      if (dice.chance(70)) mapping.set(account, dice.pick([...accountBoxIds]));
    const parts = Array.from({ length: dice.between(1, 40) }, (): PaidPart => ({
      vendorId: dice.between(1, 4),
      accountId: dice.between(1, 8),
      how: dice.pick(['money', 'money', 'card', 'network', 'nothing']),
      amount: cents(dice.between(-50_000, 300_000)),
    }));
    const forms = vendorForms(parts, { boxes: mapping, rules: includedLaw, year: dice.pick([2025, 2026]) });
    for (const vendorId of [1, 2, 3, 4]) {
      const own = forms.filter((form) => form.vendorId === vendorId);
      const real = parts.filter((part) => part.vendorId === vendorId && part.how !== 'nothing');
      const total = (all: readonly Cents[]): Cents => sum(all);
      const found = total(own.flatMap((form) => [reportable(form), form.byCard, form.noBox, cents(-form.withheld)]));
      expect({ seed, vendorId, found }).toEqual({ seed, vendorId, found: total(real.map(({ amount }) => amount)) });
      for (const form of own) {
        expect(filledBoxes(form).every(({ amount }) => amount > 0)).toBe(true);
        expect(filledBoxes(form).length > 0 || form.withheld > 0 || !form.isDue).toBe(true);
      }
    }
  }
});

describe('the place of a payment', () => {
  it('the reason that a payment is not reported on a 1099 form is returned', () => {
    expect(placeOfPart({ accountId: LABOR, how: 'card' }, boxes)).toEqual({
      box: 'nec1',
      isWithheld: false,
      reason: 'card',
    });
    expect(placeOfPart({ accountId: SUPPLIES, how: 'card' }, boxes).reason).toBe('noBox');
    expect(placeOfPart({ accountId: LABOR, how: 'nothing' }, boxes).reason).toBe('nothing');
  });
});

describe('facts', () => {
  const address: FormAddress = { address1: '1 Main St', address2: '', city: 'Akron', state: 'OH', zipCode: '44313' };
  const whole = { taxIdEnd: '6621', classification: 'llc' as const, address };

  it("the missing details for a vendor's 1099 form are listed", () => {
    expect(missingFacts(whole)).toEqual([]);
    expect(missingFacts({ taxIdEnd: '', classification: null, address: { ...address, zipCode: '' } })).toEqual([
      'taxId',
      'classification',
      'address',
    ]);
  });

  it('a tax ID can have nine digits with dashes, or be empty', () => {
    expect(checkTaxId({ taxId: '12-3456789', taxIdKind: 'ein' })).toEqual({});
    expect(checkTaxId({ taxId: '', taxIdKind: null })).toEqual({});
    expect(checkTaxId({ taxId: '12-345678', taxIdKind: null })).toEqual({
      taxIdKind: 'Please select EIN or SSN',
      taxId: 'Please enter nine digits, for example 12-3456789',
    });
    expect(Object.keys(checkTaxId({ taxId: '000000000', taxIdKind: 'ssn' }))).toEqual(['taxId']);
  });

  it('a 1099 box is proposed based on the name of an expense account', () => {
    const box = (name: string, root = 'Expense') => proposedBox({ name, root });
    expect(
      ['Contract Labor', 'Rent Expense', 'Legal & Professional', 'Royalties Paid'].map((name) => box(name)),
    ).toEqual(['nec1', 'misc1', 'nec1', 'misc2']);
    expect([box('Current Supplies'), box('Parent Events'), box('Rent Income', 'Income')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('the due dates of 1099 forms are moved to a business day', () => {
    expect(formDueDate(includedLaw, 'nec', 2026)).toBe('2027-02-01');
    expect(formDueDate(includedLaw, 'misc', 2026)).toBe('2027-03-31');
    expect(formDueDate(includedLaw, 'nec', 2025)).toBe('2026-02-02');
  });
});
