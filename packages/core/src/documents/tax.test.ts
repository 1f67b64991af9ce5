import { describe, expect, it } from 'vitest';
import { isoDate } from '../dates.ts';
import { Dice } from '../dice.ts';
import { cents, decimal, sum, toDecimal } from '../money.ts';
import { priceInvoice } from './invoice.ts';
import { rateOn } from './tax.ts';

/** Prices taxable lines with a quantity of 1. Amounts are cents, and rates are thousandths of a percent. */
function priced(amounts: readonly number[], rates: readonly number[], combined: boolean) {
  return priceInvoice(
    amounts.map((amount) => ({ itemPrice: toDecimal(cents(amount)), quantity: decimal(1), taxable: true })),
    rates.map((rate, id) => ({ id, label: '', salesTaxType: 0, percentage: decimal(rate).div(1000), combined })),
  );
}

describe('the combined rate', () => {
  it('tax at the combined rate of 6.5% and 3.7% on 1.50 is rounded once, to 0.15 instead of 0.16', () => {
    const shares = (combined: boolean) => priced([150], [6500, 3700], combined).taxItems.map(({ total }) => total);
    expect(shares(false)).toEqual([10, 6]);
    expect(shares(true)).toEqual([10, 5]);
  });

  it('in 10,000 cases, combined tax follows the Washington and Ohio rule, and its items add up', () => {
    const dice = new Dice(20_261_128);
    for (let run = 0; run < 10_000; run += 1) {
      const amounts = Array.from({ length: dice.between(1, 4) }, () => dice.between(1, 200_000));
      const rates = [dice.between(1, 9999), dice.between(0, 4999)];
      // Both statutes calculate the tax to the third decimal place of a dollar and round half a cent up.
      const exact = BigInt(sum(amounts.map((each) => cents(each)))) * BigInt((rates[0] ?? 0) + (rates[1] ?? 0));
      const tax = Number((exact + 50_000n) / 100_000n);
      const { salesTaxAmount, taxItems, invoiceAmount, lines } = priced(amounts, rates, true);
      const whole = amounts.reduce((all, each) => all + each, 0);
      const found = {
        tax: salesTaxAmount,
        items: sum(taxItems.map(({ total }) => total)),
        total: invoiceAmount,
        farFromRate: taxItems.filter(({ total }, index) => {
          return Math.abs(total - (whole * (rates[index] ?? 0)) / 100_000) >= 1;
        }),
      };
      const total = sum(lines.map(({ lineItemAmount }) => lineItemAmount)) + tax;
      expect([amounts, rates, found]).toEqual([amounts, rates, { tax, items: tax, total, farFromRate: [] }]);
    }
  });

  it('an invoice without tax has tax items of 0.00', () => {
    expect(priced([150], [0, 0], true).taxItems.map(({ total }) => total)).toEqual([0, 0]);
  });
});

describe('rateOn', () => {
  const item = {
    id: 1,
    percentage: '6',
    rates: [
      { from: isoDate('2026-07-01'), percentage: '6.25' },
      { from: isoDate('2027-01-01'), percentage: '6.5' },
    ],
  };

  it.each([
    ['2026-06-30', '6'],
    ['2026-07-01', '6.25'],
    ['2026-12-31', '6.25'],
    ['2027-01-01', '6.5'],
  ])('on %s, the sales tax rate is %s%%', (date, percentage) => {
    expect(rateOn(item, isoDate(date))).toEqual({ id: 1, percentage });
  });
});
