import { formatDate } from '@evenkeel/core/dates';
import { sum } from '@evenkeel/core/money';
import type { TableSpec } from '@evenkeel/core/reports/table';
import { capital, itemLabel, PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { type OpenItemRow, selectAging, selectOpenItems } from '../../books/documents/aging.sql.ts';
import { ageColumns, AGES } from './age-columns.ts';
import type { Running } from './books.ts';
import { controlSource } from './control.ts';
import { entryList, list, postedWith, type Run, type Runs } from './list.ts';

/** The upper limits of the age columns, in days. */
const DAYS = [0, 30, 60, 90, Infinity] as const;

/** Returns a report on customer or vendor balances as of the report date, either by age or as totals. */
const owed = (side: Side, title: string, isAged: boolean) =>
  list(
    ({ context: { asOf, ageBy } }) => selectAging(side, asOf, { ageBy }),
    ({ books, context }) => {
      const behind = controlSource(side, books, context);
      return {
        columns: [
          { title: capital(side.words.entity), text: ({ name }) => name },
          ...(isAged ? ageColumns(side, context, behind(null)) : []),
          {
            title,
            amount: ({ current, thirty, sixty, ninety }) => sum([current, thirty, sixty, ninety]),
            source: ({ entityId }) => behind(entityId),
          },
        ],
        // A column that is empty in the row for journal entries has no entries to show.
        source: ({ entityId }) => (entityId === null ? undefined : behind(entityId)),
      };
    },
  );

/**
 * Returns an as-of report on a side's open items. The report has no date range that a user could shorten to get fewer
 * items.
 */
const openItems = (side: Side, table: (running: Running) => TableSpec<OpenItemRow>): Run =>
  entryList(
    ({ ask, context: { asOf, ageBy } }, limit) => selectOpenItems(side, asOf, { entityId: ask.only?.id, ageBy, limit }),
    table,
    { param: 'reportdate', way: 'Open one customer or vendor at a time from the aging report.' },
  );

/** Returns a report that shows open amounts by document, in five age columns. */
const agingDetail = (side: Side) =>
  openItems(side, ({ context }) => ({
    columns: [
      { title: 'Date', text: ({ dated }) => formatDate(dated) },
      { title: 'Type', text: ({ sourceType, total }) => itemLabel(sourceType, total) },
      { title: 'No.', text: ({ number }) => number },
      { title: 'Due', text: dueDate },
      ...AGES.map((title, at) => ({
        title,
        amount: ({ late, amount }: OpenItemRow) => (DAYS.findIndex((most) => late <= most) === at ? amount : undefined),
      })),
      { title: 'Open', amount: ({ amount }) => amount },
    ],
    groupBy: ({ name }) => name,
    source: (row) => postedWith(context, row),
  }));

const dueDate = ({ dueDate: due }: OpenItemRow): string => (due === null ? '' : formatDate(due));

const billNumber = ({ sourceType, isDocument, number, total }: OpenItemRow): string =>
  isDocument ? number : `${itemLabel(sourceType, total)} ${number}`;

/** The amounts owed to vendors, by bill, less credits and unapplied payments. */
const unpaidBills = openItems(PAYABLE, ({ context }) => {
  return {
    columns: [
      { title: 'Invoice No.', text: billNumber },
      { title: 'Invoice Date', text: ({ dated }) => formatDate(dated) },
      { title: 'Due Date', text: dueDate },
      { title: 'Days Past Due', text: ({ isDocument, late }) => (isDocument && late > 0 ? String(late) : '') },
      { title: 'Amount', amount: ({ total }) => total },
      { title: 'Open Amount', amount: ({ amount }) => amount },
    ],
    groupBy: ({ name }) => name,
    source: (row) => postedWith(context, row),
  };
});

/** The open balance reports for both sides. */
export const agingReports = {
  customerAging: owed(RECEIVABLE, 'Total', true),
  customerAgingDetail: agingDetail(RECEIVABLE),
  customerBalances: owed(RECEIVABLE, 'Balance', false),
  unpaidBills,
  vendorAging: owed(PAYABLE, 'Total', true),
  vendorAgingDetail: agingDetail(PAYABLE),
  vendorBalances: owed(PAYABLE, 'Balance', false),
} satisfies Runs;
