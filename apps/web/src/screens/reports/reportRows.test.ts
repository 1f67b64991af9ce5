import type { ReportData } from '@evenkeel/contract/reports';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { pageRows } from '@evenkeel/core/reports/page';
import { expect, it } from 'vitest';
import { figureNamed, nameOfFigure } from './figureName.ts';
import { figureAt, linesAbove, linesOf, totalOf } from './reportRows.ts';

const source = (transactionId: number) => ({
  accountIds: [],
  from: null,
  to: isoDate('2026-06-12'),
  basis: 0,
  profitCenterId: null,
  locationId: null,
  transactionId,
});
const item = (itemText: string, isCurrency = true) => ({ itemText, isCurrency });
const line = (id: number, number: string, ...amounts: string[]) => ({
  lineItems: [item('06/01/2026', false), item('Invoice', false), item(number, false), ...amounts.map((a) => item(a))],
  source: source(id),
});
const heads = ['Date', 'Type', 'No.', 'Current', '61–90', 'Over 90'];
const sums = (words: string, ...amounts: string[]) =>
  [words, '', '', ...amounts].map((headerText, at) => ({ headerText, isCurrency: at > 2, rightAlign: at > 2 }));
const block = (blockTitle: string, reportLines: ReturnType<typeof line>[], ...amounts: string[]) => ({
  blockTitle,
  displayHeader: true,
  displayFooter: true,
  total: cents(0),
  columnTotals: sums(`Total ${blockTitle}`, ...amounts),
  reportLines,
});

const REPORT: ReportData = {
  title: 'Customer Aging Detail',
  reportHeaderItems: [],
  reportSections: [
    {
      title: '',
      totalTitle: 'Total',
      total: cents(0),
      hasColumnHeaders: true,
      columnHeaders: heads.map((headerText, at) => ({ headerText, isCurrency: at > 2 })),
      displayHeader: false,
      displayFooter: true,
      hasColumnSummary: true,
      columnSummaryLines: [{ columnSummaryItems: sums('Total', '5.00', '30.00', '4.00') }],
      reportBlocks: [
        block('Oak', [line(1, '7', '5.00', '', ''), line(2, '8', '', '10.00', '')], '5.00', '10.00', '0.00'),
        block('Elm', [line(3, '9', '', '20.00', ''), line(4, '10', '', '', '4.00')], '0.00', '20.00', '4.00'),
      ],
    },
  ],
  reportSummaries: [],
};

const told = (rows: ReturnType<typeof linesOf>) =>
  rows.map(({ cells }) => cells.map((cell) => ('amount' in cell ? cell.amount : cell.text)));

it('a total adds up its own column for the lines in its block or in the whole table', () => {
  const rows = pageRows(REPORT);
  const at = (words: string) =>
    rows.findIndex(({ cells: [first] }) => first !== undefined && 'text' in first && first.text === words);
  expect(told(linesAbove(rows, at('Total Elm'), 4))).toEqual([['06/01/2026 Invoice 9', 2000]]);
  const all = linesAbove(rows, at('Total'), 4);
  expect(told(all)).toEqual([
    ['06/01/2026 Invoice 8', 1000],
    ['06/01/2026 Invoice 9', 2000],
  ]);
  expect(totalOf(all)).toBe(3000);
});

it('a total adds up several columns of a list, or the last column if none is named', () => {
  expect(told(linesOf(REPORT, ['61–90', 'Over 90']))).toEqual([
    ['06/01/2026 Invoice 8', 1000],
    ['06/01/2026 Invoice 9', 2000],
    ['06/01/2026 Invoice 10', 400],
  ]);
  expect(told(linesOf(REPORT, undefined))).toEqual([['06/01/2026 Invoice 10', 400]]);
});

it('an amount is found by its name, even if lines were added above it or row names are repeated', () => {
  const rows = pageRows(REPORT);
  const at = rows.findIndex(({ cells: [cell] }) => cell !== undefined && 'text' in cell && cell.text === 'Total Elm');
  const [figure, twin] = [figureAt(rows, at, 4), figureAt(rows, at - 1, 5)];
  expect(figure && nameOfFigure(rows, figure)).toBe('4 Total Elm');
  expect(twin && nameOfFigure(rows, twin)).toBe('5.4 06/01/2026');
  expect(figureNamed(rows, '4 Total Elm')).toEqual(figure);
  expect(figureNamed(rows, '5.4 06/01/2026')).toEqual(twin);
  const fewer = rows.filter((row) => row.key !== rows[2]?.key);
  expect(figureNamed(fewer, '4 Total Elm')?.cell).toEqual(figure?.cell);
});

it.each(['4 Total Ash', '9 Total Elm', '0 Total Elm', 'Total Elm', '4.2 Total Elm', '', '4'])(
  'no amount is found for the name %j',
  (name) => expect(figureNamed(pageRows(REPORT), name)).toBeUndefined(),
);
