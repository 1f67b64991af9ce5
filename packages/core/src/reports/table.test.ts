import { expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { cents } from '../money.ts';
import { tableReport } from './table.ts';

const context = {
  title: 'Journal',
  companyName: 'Green Thumb',
  basis: 'accrual' as const,
  asOf: isoDate('2026-05-26'),
  fiscalYearStart: isoDate('2026-04-01'),
  retainedEarningsAccountId: 1,
};

test('a list of transactions is asked once for what is behind each line, however many totals it has', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => ({ id: index + 1, account: index % 4 }));
  let asked = 0;
  const report = tableReport(
    {
      columns: [
        { title: 'Account', text: ({ account }) => String(account) },
        { title: 'Debit', amount: () => cents(100) },
        { title: 'Credit', amount: () => cents(100) },
      ],
      groupBy: ({ account }) => String(account),
      source: ({ id }) => {
        asked += 1;
        return { transactionId: id, to: context.asOf, basis: context.basis };
      },
    },
    rows,
    context,
  );
  const [section] = report.reportSections;
  expect(section?.reportBlocks.map(({ reportLines }) => reportLines.length)).toEqual([250, 250, 250, 250]);
  expect(section?.columnSummaryLines[0]?.columnSummaryItems.map(({ source }) => source)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  // Once a line, and once for each of two totals of four blocks and the whole.
  expect(asked).toBe(1000 + 2 * 5);
});
