import type { Cents } from '@evenkeel/core/money';
import type { ReportContext, ReportSource } from '@evenkeel/core/reports/report';
import type { Side } from '@evenkeel/core/documents/side';
import type { AgedRow } from '../../books/documents/aging.sql.ts';
import { listedBy } from './list.ts';

const CURRENT = 'Current';

/** The age columns in a detail report. */
export const AGES = [CURRENT, '1–30', '31–60', '61–90', 'Over 90'] as const;

const VENDORS = ['vendorAgingDetail', 'vendor'] as const;

/** An age column, with the function that returns its amount for a row. */
export interface AgeColumn {
  title: string;
  amount: (row: AgedRow) => Cents;
  source: (row: AgedRow) => ReportSource | undefined;
}

/**
 * Returns the four age columns. Each amount links to the documents in the detail report. Amounts from journal entries,
 * which are all current, link to the entries.
 */
export function ageColumns(side: Side, context: ReportContext, journals: ReportSource): AgeColumn[] {
  const [detail, by] = side.sign === 1 ? (['customerAgingDetail', 'customer'] as const) : VENDORS;
  const column = (title: string, amount: AgeColumn['amount'], columns: string[]): AgeColumn => ({
    title,
    amount,
    source: ({ entityId: id }) => {
      if (id === null) return title === CURRENT ? journals : undefined;
      return listedBy(context, detail, { only: { by, id }, columns });
    },
  });
  const [current, thirty, sixty, ...older] = AGES;
  return [
    column(CURRENT, (row) => row.current, [current]),
    column('30', (row) => row.thirty, [thirty]),
    column('60', (row) => row.sixty, [sixty]),
    column('90+', (row) => row.ninety, older),
  ];
}
