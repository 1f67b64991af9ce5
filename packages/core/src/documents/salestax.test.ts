import { describe, expect, it } from 'vitest';
import { decimal } from '../money.ts';
import { checkSalesTax, displayPercentage, taxItemLabel } from './salestax.ts';

describe('sales tax labels', () => {
  it.each([
    ['5.75', '5.75%'],
    ['1', '1.00%'],
    ['0', '0.00%'],
    ['7.5', '7.50%'],
    ['0.000001', '0.000001%'],
    ['100', '100.00%'],
  ])('a tax percentage of %s is shown as %s', (value, text) => {
    expect(displayPercentage(decimal(value))).toBe(text);
  });

  it('a tax item without a label is shown with its type', () => {
    expect([0, 1, 2, 3].map((salesTaxType) => taxItemLabel({ label: '', salesTaxType }))).toEqual([
      'State',
      'City',
      'County',
      'Other',
    ]);
    expect(taxItemLabel({ label: 'Ohio', salesTaxType: 0 })).toBe('Ohio');
  });
});

describe('checkSalesTax', () => {
  it('a sales tax scenario requires an account and a frequency', () => {
    expect(checkSalesTax({ salesTaxItems: [] })).toEqual({
      glAccountId: 'Please Select an Account',
      filingFrequency: 'Please Select a Frequency',
    });
  });

  it('checkSalesTax accepts 0% and 100%, rejects 100.000001%, and ignores deleted items', () => {
    const item = (percentage: string, deleted = false) => ({ percentage: decimal(percentage), deleted });
    const salesTaxItems = [item('0'), item('100'), item('100.000001'), item('-5', true)];
    const fields = checkSalesTax({ glAccountId: 123, filingFrequency: 0, salesTaxItems });
    expect(Object.keys(fields)).toEqual(['salesTaxItems.2.percentage']);
  });
});
