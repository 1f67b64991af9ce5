import { type Cents, cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import type { Column } from './columns.ts';
import { fitColumns } from './fitColumns.ts';

interface Row {
  amount: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'pay', header: 'Post Payment', kind: 'action', render: () => null },
  { id: 'number', header: 'Number', width: '134px', value: () => '10001' },
  { id: 'customer', header: 'Customer', value: () => 'Oak Hollow' },
  { id: 'email', header: 'Email', quiet: true, value: () => 'oak@hollow.example' },
  { id: 'status', header: 'Status', kind: 'status', value: () => 'Open' },
  { id: 'date', header: 'Date', kind: 'date', value: () => '2026-03-02' },
  { id: 'amount', header: 'Amount', kind: 'amount', width: '120px', value: (row) => row.amount, total: 'sum' },
];

const ids = (room: number, rows: readonly Row[] = [{ amount: 12345 }]) =>
  fitColumns(COLUMNS, rows, room).map(({ column }) => column.id);

it('columns are hidden by rank, but never the amount or the first text column', () => {
  expect(ids(0)).toHaveLength(7);
  expect(ids(1200)).toHaveLength(7);
  expect(ids(764)).toEqual(['pay', 'number', 'customer', 'status', 'date', 'amount']);
  expect(ids(648)).toEqual(['pay', 'number', 'customer', 'status', 'amount']);
  expect(ids(524)).toEqual(['pay', 'number', 'customer', 'amount']);
  expect(ids(50)).toEqual(['number', 'amount']);
});

it('a name keeps 160 px and takes the remaining space', () => {
  const padding = 24;
  for (const room of [524, 600, 648, 700, 764]) {
    const fitted = fitColumns(COLUMNS, [{ amount: 12345 }], room);
    const others = fitted.filter(({ column }) => column.id !== 'customer');
    expect(fitted.find(({ column }) => column.id === 'customer')?.width).toBeUndefined();
    const taken = others.reduce((sum, { width }) => sum + (width === undefined ? 54 : Number.parseInt(width, 10)), 0);
    expect(room - taken).toBeGreaterThanOrEqual(160 + padding);
  }
});

it('columns with percentage widths leave the other columns the space that those columns need', () => {
  const text = (id: string, width?: string): Column<Row> => ({
    id,
    header: id,
    value: () => 'Text',
    ...(width && { width }),
  });
  const columns = [text('name', '26%'), text('email', '40%'), text('role'), text('last', '204px')];
  const widthsAt = (room: number) => fitColumns(columns, [], room).map(({ width }) => width);
  expect(widthsAt(1600)).toEqual(['416px', '640px', undefined, '204px']);
  expect(widthsAt(0)).toEqual(['26%', '40%', undefined, '204px']);
  for (const width of widthsAt(816)) expect(Number.parseInt(width ?? '184', 10)).toBeGreaterThanOrEqual(184);
});

it('an explicit column rank takes precedence over the default rank', () => {
  const ranked = COLUMNS.map((column) => (column.id === 'date' ? { ...column, rank: 0 } : column));
  expect(fitColumns(ranked, [], 50).map(({ column }) => column.id)).toEqual(['number', 'date', 'amount']);
});

it('the last amount fits inside the page’s edge: 10,574,999.99 needs 36 px around it', () => {
  const width = fitColumns(COLUMNS, [{ amount: 10_574_999_99 }], 1200).at(-1)?.width;
  // Ten digits of 8.6 px and three separators of 4.4 px, and parentheses for a negative amount.
  expect(Number(width?.slice(0, -2))).toBeGreaterThanOrEqual(10 * 8.6 + 3 * 4.4 + 36);
});

it('an amount column fits its widest amount or total: 13 digits and separators need more than 120 px', () => {
  const width = (rows: readonly Row[]) => Number((fitColumns(COLUMNS, rows, 1200).at(-1)?.width ?? '').slice(0, -2));
  expect(width([{ amount: 100 }])).toBe(120);
  expect(width([{ amount: 1_234_567_890_12 }])).toBeGreaterThan(140);
  const many = Array.from({ length: 1000 }, () => ({ amount: 99_999_999 }));
  expect(width(many)).toBeGreaterThan(width(many.slice(0, 1)));
});

it('a column leaves space for a total that is received before all of the rows are loaded', () => {
  const widthOf = (total: 'sum' | Cents) => {
    const column: Column<Row> = { id: 'amount', header: 'Debit', kind: 'amount', value: (row) => row.amount, total };
    return fitColumns([{ ...column, width: '106px' }], [{ amount: 52500 }], 600)[0]?.width;
  };
  expect(widthOf('sum')).toBe('106px');
  expect(Number(widthOf(cents(13_791_827_78))?.slice(0, -2))).toBeGreaterThan(130);
});
