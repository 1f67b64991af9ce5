import type { ProductOrPackage } from '@evenkeel/contract/catalogue';
import { isoDate } from '@evenkeel/core/dates';
import { cents, decimal } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { soldItem } from '../../../testing/sold.ts';
import { byName } from '../../../ui/table/pasted.ts';
import { customersOf, type ItemNames, pastedCells, readRows, rowInput, textOf } from './workItemPaste.ts';

const product = (id: number, name: string, change: Partial<ProductOrPackage> = {}): ProductOrPackage =>
  soldItem(id, { name, calculatedTotal: cents(8_600), GLAccountID: 141, ...change });
const NAMES: ItemNames = {
  customers: byName([
    [5, ['Fairlawn Heights HOA']],
    [6, ['Oak Hollow']],
    [7, ['Smith']],
    [8, ['Smith']],
  ]),
  items: [
    product(24, 'Crew hour'),
    product(25, 'Ten off', {
      isProduct: false,
      isDiscount: true,
      discountType: 1,
      discountTypeTarget: 0,
      discountFlatValue: cents(1_000),
      calculatedTotal: cents(-1_000),
    }),
  ],
  profitCenters: undefined,
  locations: undefined,
  required: {},
};
const read = (text: string, account: number | null = null) =>
  readRows(pastedCells(text), NAMES, { today: isoDate('2026-06-12'), account });
const told = (text: string, account: number | null = null) => read(text, account).map((row) => row.told.join(' '));

it('the customer, item, and other pasted values can be separated by tabs or commas', () => {
  const tabs = 'Oak Hollow\tCrew hour\t5.5\t90\t6/10\tStorm cleanup\n';
  const commas = 'oak hollow,crew hour,5:30,"$90.00",2026-06-10,Storm cleanup';
  for (const text of [tabs, commas]) {
    const [row] = read(text);
    expect(row).toMatchObject({ amount: 49_500, told: [] });
    expect(row && rowInput(row)).toMatchObject({
      customerId: 6,
      productId: 24,
      quantity: decimal('5.5'),
      itemPrice: 9_000,
      serviceDate: '2026-06-10',
      workitemDate: '2026-06-10',
      description: 'Storm cleanup',
      accountId: 141,
      taxable: true,
    });
  }
});

it("missing values are filled in: quantity 1, the item's price and name, and today's date", () => {
  const [row] = read('Oak Hollow\tCrew hour');
  expect(row).toMatchObject({ amount: 8_600, told: [] });
  expect(row?.form.line).toMatchObject({
    quantity: 1,
    price: 8_600,
    serviceDate: '2026-06-12',
    description: 'Crew hour',
  });
});

it('a row without an item is posted to the account selected for such rows', () => {
  expect(told('Oak Hollow\t\t2\t45\t\tMowing')).toEqual(['Please Select an Account']);
  expect(read('Oak Hollow\t\t2\t45\t\tMowing', 140)[0]).toMatchObject({ amount: 9_000, told: [] });
});

it('the errors in each pasted row are reported', () => {
  expect(
    told(
      [
        'Nobody\tCrew hour',
        'Smith\tCrew hour',
        '\tCrew hour',
        'Oak Hollow\tSaw hour',
        'Oak Hollow\tCrew hour\ttwo\tmuch\t13/13',
        'Oak Hollow\tTen off\t1\t5',
        'Oak Hollow\tCrew hour\t-2',
      ].join('\n'),
    ),
  ).toEqual([
    'No customer is named “Nobody”.',
    'More than one customer is named “Smith”.',
    'Please Select a Customer',
    'No item is named “Saw hour”.',
    '“13/13” is not a date. “much” is not an amount. “two” is not a quantity.',
    'Ten off has its own price. Leave the rate empty.',
    '“-2” is not a quantity.',
  ]);
});

it('a heading row determines the order, and rows that are not saved are returned as text', () => {
  const rows = pastedCells('Date\tClient\tHours\tProduct\n6/1\tOak Hollow\t2\tCrew hour\n\n6/2\tSmith\t1\tCrew hour');
  expect(rows.map(({ customer, item, quantity, date }) => [customer, item, quantity, date])).toEqual([
    ['Oak Hollow', 'Crew hour', '2', '6/1'],
    ['Smith', 'Crew hour', '1', '6/2'],
  ]);
  expect(customersOf([...rows, ...rows])).toEqual(['Oak Hollow', 'Smith']);
  expect(pastedCells(textOf(rows))).toEqual(rows);
});
