import type { SalesTaxScenario } from '@evenkeel/contract/settings';
import { isoDate } from '@evenkeel/core/dates';
import { cents, decimal } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { placeLine } from './companyForm.ts';
import { changedSettings, financialFaults, financialFormOf, placedSettings, FinancialForm } from './financialForm.ts';
import {
  taxFaults,
  taxFormOf,
  taxInput,
  totalPercentage,
  withLaterRate,
  withNewItem,
  withoutTaxItem,
  TaxForm,
} from './taxForm.ts';
import { taxRuleFaults, taxRuleFormOf, taxRuleInput, withState, withTopic } from './taxRuleForm.ts';

const scenario: SalesTaxScenario = {
  id: 1,
  name: '',
  glAccountId: 122,
  filingFrequency: 3,
  taxRounding: 'item',
  rowVersion: 2,
  salesTaxItems: [
    {
      id: 11,
      label: 'Ohio',
      salesTaxType: 0,
      percentage: decimal('5.75'),
      rates: [{ from: isoDate('2027-01-01'), percentage: decimal('6') }],
      deleted: false,
      displayLabel: 'Ohio',
      displayValue: '5.75%',
    },
  ],
};

it('a tax rule for 1099 forms requires a box, starts on January 1, and drops the filing frequency of the state', () => {
  const blank = taxRuleFormOf(undefined, { from: isoDate('2026-07-31') });
  const quarterly = { ...blank, state: 'OH', forFrequency: 2, source: 'Letter' };
  const federal = withState(quarterly, 'US');
  expect(federal).toMatchObject({ topic: 'due', forFrequency: null, from: '2026-01-01' });
  const threshold = { ...withTopic(federal, 'threshold'), threshold: cents(210_000) };
  expect(taxRuleFaults(threshold)).toEqual({ forForm: 'Please select a box' });
  expect(taxRuleInput({ ...threshold, forForm: 'nec1' }, isoDate('2026-01-01'))).toMatchObject({
    state: 'US',
    forForm: 'nec1',
    forFrequency: null,
    value: { topic: 'threshold' },
  });
  expect(withState({ ...threshold, forForm: 'nec1' }, 'OH')).toMatchObject({ topic: 'frequency', forForm: null });
  expect(withState(quarterly, 'TX')).toEqual({ ...quarterly, state: 'TX' });
});

it("an address's city, state, and ZIP code are formatted as one line", () => {
  expect(placeLine({ city: 'Akron', state: 'OH', zipCode: '44313' })).toBe('Akron, OH 44313');
});

it('a company without settings defaults to month 1, the accrual basis, and accounts 138 and 139', () => {
  const form = financialFormOf([]);
  expect(form).toMatchObject({ fyStartMonth: '1', reportingAccountingBasis: '0' });
  expect([form.defaultARAccountId, form.defaultAPAccountId]).toEqual(['138', '139']);
  expect(financialFaults(form)).toEqual({});
});

it('each missing or invalid choice is reported', () => {
  const form = { ...financialFormOf([]), defaultREAccountId: '', fyStartMonth: '13', closingDate: '2026-02-30' };
  expect(financialFaults(form)).toEqual({
    defaultREAccountId: 'Please Select an Account',
    fyStartMonth: 'Please select a month from 1 to 12',
    closingDate: 'Please enter a valid date',
  });
});

it('only the 2 changed settings are sent, and a rejection of the second setting appears at its field', () => {
  const stored = financialFormOf([]);
  const sent = changedSettings({ ...stored, useLocations: 'true', defaultARAccountId: '140' }, stored);
  expect(sent).toEqual([
    { settingName: 'useLocations', settingValue: 'true' },
    { settingName: 'defaultARAccountId', settingValue: '140' },
  ]);
  const refused = { '1.settingValue': 'Please Select an Account' };
  expect(placedSettings(refused, sent)).toEqual({ defaultARAccountId: 'Please Select an Account' });
});

it('a draft of the settings is restored either completely or not at all', () => {
  const form = financialFormOf([{ settingName: 'useLocations', settingValue: 'true' }]);
  expect(FinancialForm.safeParse(JSON.parse(JSON.stringify(form))).data).toEqual(form);
  expect(FinancialForm.safeParse({ useLocations: 'true' }).success).toBe(false);
});

it('a new sales tax requires an account and a frequency', () => {
  expect(taxFaults(taxFormOf(undefined))).toEqual({
    glAccountId: 'Please Select an Account',
    filingFrequency: 'Please Select a Frequency',
  });
});

it('a new item has the type State, a rate of 0%, and the ID -1, and the next item has the ID -2', () => {
  const form = withNewItem(withNewItem(taxFormOf(scenario)));
  expect(form.items.slice(1).map(({ id, salesTaxType, percentage }) => [id, salesTaxType, percentage])).toEqual([
    [-1, 0, 0],
    [-2, 0, 0],
  ]);
});

it('a saved item that is deleted is sent as deleted without validation, and a new one is simply removed', () => {
  const bad = withNewItem(taxFormOf(scenario));
  const form = { ...bad, items: bad.items.map((item) => ({ ...item, percentage: 120 })) };
  const message = 'Please enter a percentage from 0 to 100';
  expect(taxFaults(form)).toEqual({ 'salesTaxItems.0.percentage': message, 'salesTaxItems.1.percentage': message });
  const less = withoutTaxItem(withoutTaxItem(form, -1), 11);
  expect(taxFaults(less)).toEqual({});
  expect(taxInput(less).salesTaxItems).toMatchObject([{ id: 11, deleted: true }]);
});

it('a tax item requires a percentage and a type', () => {
  const form = taxFormOf(scenario);
  const [item] = form.items;
  if (item === undefined) throw new Error('expected an item');
  expect(taxFaults({ ...form, items: [{ ...item, percentage: null, salesTaxType: null }] })).toEqual({
    'salesTaxItems.0.percentage': 'Please enter a percentage from 0 to 100',
    'salesTaxItems.0.salesTaxType': 'Please Select a Sales Tax Type',
  });
});

it('a later rate requires an effective date and a percentage', () => {
  const form = taxFormOf(scenario);
  const items = form.items.map((item) => withLaterRate({ ...item, percentage: null }));
  expect(taxFaults({ ...form, items })).toEqual({
    'salesTaxItems.0.percentage': 'Please enter a percentage from 0 to 100',
    'salesTaxItems.0.rates.1.from': 'Please enter a date',
    'salesTaxItems.0.rates.1.percentage': 'Please enter a percentage from 0 to 100',
  });
  expect(taxInput(form).salesTaxItems[0]?.rates).toEqual(scenario.salesTaxItems[0]?.rates);
});

it('5.75% and 1% add up to 6.75%', () => {
  expect(totalPercentage([decimal('5.75'), decimal(1)])).toBe('6.75%');
  expect(totalPercentage([])).toBe('0.00%');
  expect(TaxForm.safeParse(JSON.parse(JSON.stringify(taxFormOf(scenario)))).data).toEqual(taxFormOf(scenario));
});
