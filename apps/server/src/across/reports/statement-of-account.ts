import { addDays, formatDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';
import {
  type Report,
  type ReportContext,
  reportHeader,
  type ReportSource,
  sourceOf,
} from '@evenkeel/core/reports/report';
import { tableSection, type TableSpec } from '@evenkeel/core/reports/table';
import { itemLabel, RECEIVABLE } from '@evenkeel/core/documents/side';
import { inOneGo } from '@evenkeel/core/steps';
import { inTurns } from '../../platform/http/turns.ts';
import { type AccountItemRow, type AgedRow, selectAccountItems, selectAging } from '../../books/documents/aging.sql.ts';
import { type AgeColumn, ageColumns } from './age-columns.ts';
import { customerNameSql } from './books.sql.ts';
import type { Running } from './books.ts';
import { controlSource } from './control.ts';

/** A line on a statement: an invoice, a payment, or the opening balance. Each line has the balance after it. */
export interface AccountLine {
  words: readonly [date: string, type: string, number: string, due: string];
  amount: Cents | undefined;
  balance: Cents;
  source: ReportSource | undefined;
}

/** A customer's statement for a date range, as shown in the report and the letter. */
export interface CustomerAccount {
  customer: string;
  context: ReportContext;
  lines: readonly AccountLine[];
  /** The balance at the end of the range. */
  balance: Cents;
  /** The open amounts by days past due. Undefined if nothing is open. */
  aged: AgedRow | undefined;
  source: ReportSource;
  ageColumns: readonly AgeColumn[];
}

/**
 * Returns a customer's statement for a date range: opening balance, invoices and payments, closing balance, and aging.
 * Throws 404 if the customer doesn't belong to the company.
 */
export async function readCustomerAccount({ ctx, ask, books, context }: Running): Promise<CustomerAccount> {
  const { customerId } = ask;
  if (customerId === undefined) throw refuse('Please Select a Customer', { customerid: 'Please Select a Customer' });
  const { from = context.fiscalYearStart, asOf } = context;
  const [customer, items, [aged]] = await Promise.all([
    ctx.tx.row(customerNameSql(customerId)),
    ctx.tx.rows(selectAccountItems(RECEIVABLE, customerId, asOf)),
    ctx.tx.rows(selectAging(RECEIVABLE, asOf, { entityId: customerId })),
  ]);
  if (customer === undefined) throw notFound('Customer');
  const control = controlSource(RECEIVABLE, books, context);
  const source = control(customerId);
  const opening = sum(items.filter(({ dated }) => dated < from).map(({ amount }) => amount));
  const forward: AccountLine = {
    words: [formatDate(from), 'Opening balance', '', ''],
    amount: undefined,
    balance: opening,
    source: { ...source, to: addDays(from, -1) },
  };
  let balance = opening;
  const lines = items
    .filter(({ dated }) => dated >= from)
    .map((item): AccountLine => {
      balance = cents(balance + item.amount);
      return lineOf(item, balance, itemSource(item, context));
    });
  return {
    customer: customer.name,
    context,
    lines: [forward, ...lines],
    balance,
    aged,
    source,
    ageColumns: ageColumns(RECEIVABLE, { ...context, from: undefined }, control(null)),
  };
}

/** Returns the statement of account as a report. */
export async function runCustomerStatement(running: Running): Promise<Report> {
  const { customer, context, lines, balance, aged, ...behind } = await readCustomerAccount(running);
  const account = await inTurns(tableSection(ACCOUNT, lines, context.title));
  const own = aged === undefined ? [] : [aged];
  return {
    title: context.title,
    reportHeaderItems: [...reportHeader(context), { headerText: customer }],
    reportSections: [account, inOneGo(tableSection(ages(behind.source, behind.ageColumns), own, LATE))],
    reportSummaries: [{ description: 'Balance', amount: balance, source: behind.source }],
  };
}

function itemSource({ transactionId, dated }: AccountItemRow, context: ReportContext): ReportSource | undefined {
  return transactionId === null
    ? undefined
    : { ...sourceOf(context, { accountIds: [], from: dated, to: dated }), transactionId };
}

function lineOf(
  { sourceType, isDiscount, number, dated, dueDate, amount }: AccountItemRow,
  balance: Cents,
  source: AccountLine['source'],
): AccountLine {
  const type = isDiscount ? 'Discount' : itemLabel(sourceType, amount);
  const due = dueDate === null ? '' : formatDate(dueDate);
  return { words: [formatDate(dated), type, number, due], amount, balance, source };
}

const ACCOUNT: TableSpec<AccountLine> = {
  columns: [
    ...['Date', 'Type', 'No.', 'Due'].map((head, at) => ({
      title: head,
      text: ({ words }: AccountLine) => words[at] ?? '',
    })),
    { title: 'Amount', amount: ({ amount }) => amount },
    { title: 'Balance', amount: ({ balance }) => balance, running: true },
  ],
  source: ({ source }) => source,
};

const LATE = 'Days past due';

const ages = (source: ReportSource, columns: readonly AgeColumn[]): TableSpec<AgedRow> => ({
  columns: [
    { title: LATE, text: () => 'Open' },
    ...columns,
    { title: 'Total', amount: ({ current, thirty, sixty, ninety }) => sum([current, thirty, sixty, ninety, ZERO]) },
  ],
  source: () => source,
});
