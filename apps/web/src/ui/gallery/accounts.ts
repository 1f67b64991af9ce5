import type { PickerOption } from '../fields/pickerOptions.ts';

export const ACCOUNTS: readonly PickerOption<number>[] = [
  { id: 1000, label: '1000 – Checking', group: 'Assets' },
  { id: 1540, label: '1540 – Machinery & Equipment', group: 'Assets' },
  { id: 2100, label: '2100 – Credit Card', group: 'Liabilities' },
  { id: 4100, label: '4100 – Service Income', group: 'Income', aside: 'Income' },
  { id: 4800, label: '4800 – Discounts Given', group: 'Income', aside: 'Income' },
];
