import { expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { cents } from '../money.ts';
import { sourceOf } from './report.ts';
import { tableReport } from './table.ts';

const context = {
  title: 'Journal',
  companyName: 'Green Thumb',
  basis: 'accrual' as const,
  asOf: isoDate('2026-05-26'),
  fiscalYearStart: isoDate('2026-04-01'),
  retainedEarningsAccountId: 1,
};

test("a list reads each row's amounts and source only once, regardless of the number of totals", () => {
  const rows = Array.from({ length: 1000 }, (_, index) => ({ id: index + 1, account: index % 4 }));
  const asked = { amounts: 0, sources: 0 };
  const amount = () => {
    asked.amounts += 1;
    return cents(100);
  };
  const spec = {
    columns: [
      { title: 'Account', text: ({ account }: { account: number }) => String(account) },
      { title: 'Debit', amount },
      { title: 'Credit', amount },
    ],
    groupBy: ({ account }: { account: number }) => String(account),
    source: ({ id }: { id: number }) => {
      asked.sources += 1;
      return { ...sourceOf(context, { accountIds: [], to: context.asOf }), transactionId: id };
    },
  };
  const making = tableReport(spec, rows, context);
  let [mostAtOnce, before] = [0, 0];
  let step = making.next();
  for (; step.done !== true; step = making.next()) {
    mostAtOnce = Math.max(mostAtOnce, asked.sources - before);
    before = asked.sources;
  }
  // The report yields after each line, so that other work can run.
  expect(mostAtOnce).toBe(1);
  const [section] = step.value.reportSections;
  expect(section?.reportBlocks.map(({ reportLines }) => reportLines.length)).toEqual([250, 250, 250, 250]);
  const totals = section?.columnSummaryLines[0]?.columnSummaryItems;
  expect(totals?.map(({ headerText, source }) => [headerText, source])).toEqual([
    ['Total', undefined],
    ['1000.00', undefined],
    ['1000.00', undefined],
  ]);
  expect(asked).toEqual({ amounts: 2000, sources: 1000 });
});
