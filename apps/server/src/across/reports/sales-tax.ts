import { formatDate } from '@evenkeel/core/dates';
import { decimal } from '@evenkeel/core/money';
import { sourceOf } from '@evenkeel/core/reports/report';
import type { TableColumn } from '@evenkeel/core/reports/table';
import { displayPercentage, exemptReasons, taxItemLabel } from '@evenkeel/core/documents/salestax';
import { entryList, list, listedBy, postedWith, type Runs } from './list.ts';
import { askOf } from './sales.ts';
import { selectExempt, selectTaxed, selectTaxLiability, type Taxed } from './sales-tax.sql.ts';

const percent = (rate: string): string => displayPercentage(decimal(rate));

/** All tax items on an invoice share these amounts, so the columns have totals only in a report on one item. */
const salesColumns = (isShared: boolean): TableColumn<Taxed>[] => [
  { title: 'Gross Sales', isShared, amount: ({ gross }) => gross ?? undefined },
  { title: 'Non-taxable', isShared, amount: ({ exempt }) => exempt ?? undefined },
  { title: 'Taxable', isShared, amount: ({ taxable }) => taxable ?? undefined },
];

/** The sales tax reports. */
export const salesTaxReports = {
  /**
   * This report's total equals the balance of the sales tax accounts at the end of the range (docs/accounting.md,
   * "Reports").
   */
  salesTaxLiability: list(
    (running) => selectTaxLiability(askOf(running)),
    ({ context }) => {
      const listed = (column: string) => (row: Taxed) =>
        row.kind === 'tax'
          ? listedBy(context, 'salesTaxDetail', { only: { by: 'tax', id: row.id }, columns: [column] })
          : row.kind === 'opening'
            ? sourceOf(context, { accountIds: [row.id], to: row.dated })
            : postedWith(context, row);
      return {
        columns: [
          { title: 'Tax Item', text: (row) => (row.kind === 'tax' ? taxItemLabel(row) : row.label) },
          ...salesColumns(true).map((column) => ({ ...column, source: listed(column.title) })),
          { title: 'Rate', text: ({ rates }) => rates.map(percent).join(', ') },
          { title: 'Tax Due', amount: ({ due }) => due ?? undefined },
          { title: 'Payments', amount: ({ paid }) => paid ?? undefined },
          { title: 'Balance', amount: ({ balance }) => balance },
        ],
        source: listed('Tax Due'),
      };
    },
  ),
  salesTaxDetail: entryList(
    (running, limit) => selectTaxed(askOf(running), limit),
    ({ ask, context }) => ({
      columns: [
        { title: 'Date', text: ({ dated }) => formatDate(dated) },
        { title: 'Type', text: ({ type }) => type },
        { title: 'No.', text: ({ number }) => number },
        { title: 'Customer', text: ({ customer }) => customer },
        ...salesColumns(ask.only === undefined),
        { title: 'Rate', text: ({ rate }) => (rate === null ? '' : percent(rate)) },
        { title: 'Tax Due', amount: ({ due }) => due ?? undefined },
      ],
      groupBy: taxItemLabel,
      source: (row) => postedWith(context, row),
    }),
  ),
  exemptSales: entryList(
    (running, limit) => selectExempt(askOf(running), limit),
    ({ context }) => ({
      columns: [
        { title: 'Date', text: ({ dated }) => formatDate(dated) },
        { title: 'Type', text: ({ type }) => type },
        { title: 'No.', text: ({ number }) => number },
        { title: 'Customer', text: ({ customer }) => customer },
        { title: 'Certificate', text: ({ certificate }) => certificate },
        { title: 'Valid Through', text: ({ validThrough }) => (validThrough === null ? '' : formatDate(validThrough)) },
        { title: 'Gross Sales', amount: ({ gross }) => gross },
      ],
      groupBy: ({ reason }) => exemptReasons.find(({ id }) => id === reason)?.label ?? 'No reason entered',
      source: (row) => postedWith(context, row),
    }),
  ),
} satisfies Runs;
