import { addDays, formatDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';
import { type Report, reportHeader, type ReportSource, sourceOf } from '@evenkeel/core/reports/report';
import { type TableColumn, tableSection, type TableSpec } from '@evenkeel/core/reports/table';
import { RECEIVABLE } from '@evenkeel/core/side';
import { inOneGo } from '@evenkeel/core/steps';
import { inTurns } from '../http/turns.ts';
import { type AccountItemRow, type AgedRow, selectAccountItems, selectAging } from '../subledger/aging.sql.ts';
import { ageColumns } from './age-columns.ts';
import { customerNameSql } from './books.sql.ts';
import type { Running } from './books.ts';
import { controlSource } from './control.ts';

interface Line {
  words: readonly [date: string, type: string, number: string, due: string];
  amount: Cents | undefined;
  balance: Cents;
  source: ReportSource | undefined;
}

/**
 * A customer's invoices and payments over a range from what was open before it to what is open at its end, and that by
 * days past due. 404 for a customer that is not the company's.
 */
export async function runCustomerStatement({ ctx, ask, books, context }: Running): Promise<Report> {
  const { customerId } = ask;
  if (customerId === undefined) throw refuse('Please Select a Customer', { customerid: 'Please Select a Customer' });
  const { from = context.fiscalYearStart, asOf } = context;
  const [customer, items, aged] = await Promise.all([
    ctx.tx.row(customerNameSql(customerId)),
    ctx.tx.rows(selectAccountItems(RECEIVABLE, customerId, asOf)),
    ctx.tx.rows(selectAging(RECEIVABLE, asOf)),
  ]);
  if (customer === undefined) throw notFound('Customer');
  const control = controlSource(RECEIVABLE, books, context);
  const behind = control(customerId);
  const before = items.filter(({ dated }) => dated < from);
  const opening = sum(before.map(({ amount }) => amount));
  const forward: Line = {
    words: [formatDate(from), 'Opening balance', '', ''],
    amount: undefined,
    balance: opening,
    source: { ...behind, to: addDays(from, -1) },
  };
  let balance = opening;
  const lines = items
    .filter(({ dated }) => dated >= from)
    .map((item): Line => {
      balance = cents(balance + item.amount);
      return lineOf(item, balance, itemSource(item));
    });
  function itemSource({ transactionId, dated }: AccountItemRow): ReportSource | undefined {
    return transactionId === null
      ? undefined
      : { ...sourceOf(context, { accountIds: [], from: dated, to: dated }), transactionId };
  }
  const account = await inTurns(tableSection(ACCOUNT, [forward, ...lines], context.title));
  const own = aged.filter(({ entityId }) => entityId === customerId);
  const columns = ageColumns(RECEIVABLE, { ...context, from: undefined }, control(null));
  return {
    title: context.title,
    reportHeaderItems: [...reportHeader(context), { headerText: customer.name }],
    reportSections: [account, inOneGo(tableSection(ages(behind, columns), own, LATE))],
    reportSummaries: [{ description: 'Balance', amount: balance, source: behind }],
  };
}

function lineOf(
  { kind, number, dated, dueDate, amount }: AccountItemRow,
  balance: Cents,
  source: Line['source'],
): Line {
  const type = kind === 'document' ? RECEIVABLE.document.label : RECEIVABLE.payment.label;
  const due = dueDate === null ? '' : formatDate(dueDate);
  return { words: [formatDate(dated), type, number, due], amount, balance, source };
}

const ACCOUNT: TableSpec<Line> = {
  columns: [
    ...['Date', 'Type', 'No.', 'Due'].map((head, at) => ({ title: head, text: ({ words }: Line) => words[at] ?? '' })),
    { title: 'Amount', amount: ({ amount }) => amount },
    { title: 'Balance', amount: ({ balance }) => balance, running: true },
  ],
  source: ({ source }) => source,
};

const LATE = 'Days past due';

const ages = (source: ReportSource, columns: readonly TableColumn<AgedRow>[]): TableSpec<AgedRow> => ({
  columns: [
    { title: LATE, text: () => 'Open' },
    ...columns,
    { title: 'Total', amount: ({ current, thirty, sixty, ninety }) => sum([current, thirty, sixty, ninety, ZERO]) },
  ],
  source: () => source,
});
