import { csvText } from '@evenkeel/core/csv';
import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import type { Column } from './columns.ts';
import { csvRows } from './saveCsv.ts';

interface Owed {
  name: string;
  due: string | null;
  open: number;
}

const COLUMNS: readonly Column<Owed>[] = [
  { id: 'pay', header: 'Pay', kind: 'action' },
  { id: 'name', header: 'Customer', value: (row) => row.name },
  { id: 'due', header: 'Due', kind: 'date', value: (row) => row.due },
  { id: 'open', header: 'Unpaid', kind: 'amount', value: (row) => cents(row.open) },
];

// Promise (input): A list or report in CSV has plain amounts and no cell that a spreadsheet would execute. [14
// prefixes]
it('a CSV list has plain amounts, quotes where needed, and neutralized spreadsheet formulas', () => {
  const dangerous = [
    '=1+1',
    '+cmd',
    '-2',
    '@sum',
    '\tTab',
    '\uff1d1',
    '\uff0b1',
    '\uff0d1',
    '\uff20a',
    ' =1',
    '\u200b=1',
  ];
  const broken = ['\rReturn', '\nLine', '\n=1'];
  const rows = [
    { name: 'O"Hara, Sons', due: '2026-06-12', open: -123_450 },
    ...[...dangerous, ...broken].map((name) => ({ name, due: null, open: 5 })),
  ];
  expect(csvText(csvRows(COLUMNS, rows))).toBe(
    [
      'Customer,Due,Unpaid',
      '"O""Hara, Sons",6/12/2026,-1234.50',
      ...dangerous.map((name) => `'${name},,0.05`),
      ...broken.map((name) => `"'${name}",,0.05`),
      '',
    ].join('\r\n'),
  );
});
