import { formatDate } from '@evenkeel/core/dates';
import { kindOf } from '@evenkeel/core/documents/side';
import { entryList, postedWith, type Runs } from './list.ts';
import { selectUncleared } from './uncleared.sql.ts';

/** The report of bank entries that do not appear on a statement yet. */
export const unclearedReports = {
  unclearedTransactions: entryList(
    ({ context }, limit) => selectUncleared(context.asOf, limit),
    ({ context }) => ({
      columns: [
        { title: 'Date', text: ({ dated }) => formatDate(dated) },
        { title: 'Type', text: ({ sourceType }) => kindOf(sourceType).label },
        { title: 'No.', text: ({ number }) => number },
        { title: 'Name', text: ({ name }) => name },
        { title: 'Description', text: ({ description }) => description },
        { title: 'Amount', amount: ({ amount }) => amount },
      ],
      groupBy: ({ bank }) => bank,
      source: (row) => postedWith(context, row),
    }),
    { param: 'reportdate', way: 'Reconcile your bank accounts first.' },
  ),
} satisfies Runs;
