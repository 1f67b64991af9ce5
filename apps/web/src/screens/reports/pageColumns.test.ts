import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { denseColumns } from './pageColumns.ts';
import type { PageRow } from './reportRows.ts';

/** Returns a statement with a column for each of 13 months and their total. */
function months(amount: number): PageRow[] {
  const texts = ['Account', ...Array.from({ length: 13 }, (_, at) => `Month ${at}`), 'Total'];
  const heads = { key: 'heads', look: 'heads', cells: texts.map((text) => ({ text })) } as const;
  const amounts = texts.slice(1).map((text) => ({ amount: cents(text === 'Total' ? amount * 13 : amount) }));
  return [heads, { key: 'sales', look: 'line', cells: [{ text: 'Sales' }, ...amounts] }];
}

const widthOf = (widths: readonly number[] = []) => widths.reduce((all, width) => all + width, 0);

it('13 months and a total, with cents, fit in the pane of a 1440 px screen', () => {
  const dense = denseColumns(months(1_989_145), 15, 1224);
  expect(dense).toMatchObject({ isWhole: false });
  expect(widthOf(dense?.widths)).toBeLessThanOrEqual(1224);
});

it('13 months and a total, in whole dollars, fit in the pane of a 1280 px screen', () => {
  const dense = denseColumns(months(1_989_145), 15, 1064);
  expect(dense).toMatchObject({ isWhole: true });
  expect(widthOf(dense?.widths)).toBeLessThanOrEqual(1064);
});

it('columns with amounts of 9,999,999.99 keep their full width, and the table scrolls', () => {
  const dense = denseColumns(months(999_999_999), 15, 1064);
  expect(dense?.isWhole).toBe(true);
  expect(widthOf(dense?.widths)).toBeGreaterThan(1064);
  expect(dense?.widths[1]).toBeGreaterThanOrEqual(76);
});

it('a statement with six columns does not use the dense layout', () => {
  const rows = months(100).map((row) => ({ ...row, cells: row.cells.slice(0, 6) }));
  expect(denseColumns(rows, 6, 1224)).toBeUndefined();
});
