import { accountTypeInfo } from '@evenkeel/core/books/accounts';
import { formatDate } from '@evenkeel/core/dates';
import { sourceOf } from '@evenkeel/core/reports/report';
import { kindOf } from '@evenkeel/core/documents/side';
import { type Running, scopeOf } from './books.ts';
import { selectSpent, selectSpentByCategory, selectSpentByVendor, type SpentAsk } from './expenses.sql.ts';
import { entryList, list, listedBy, postedWith, type Runs } from './list.ts';

/**
 * The reports include every cost that reduces profit on the Profit & Loss: cost of goods sold, expenses, and other
 * expenses, as in the ledger.
 */
const askOf = ({ ask, books, context }: Running): SpentAsk => {
  const { from = context.fiscalYearStart, asOf: to } = context;
  const isSpent = ({ type, contra }: { type: string; contra: boolean }) =>
    accountTypeInfo(type, contra).root === 'Expense';
  const accountIds = books.accounts.filter(isSpent).map(({ id }) => id);
  return { ...scopeOf(context), accountIds, from, to, only: ask.only };
};

/** The expense reports. */
export const expenseReports = {
  expensesByVendor: list(
    (running) => selectSpentByVendor(askOf(running)),
    ({ context }) => ({
      columns: [
        { title: 'Vendor', text: ({ name }) => name },
        { title: 'Expenses', amount: ({ amount }) => amount },
      ],
      source: ({ only }) => listedBy(context, 'expensesByVendorDetail', { only }),
    }),
  ),
  expensesByVendorDetail: entryList(
    (running, limit) => selectSpent(askOf(running), limit),
    ({ books, context }) => ({
      columns: [
        { title: 'Date', text: ({ dated }) => formatDate(dated) },
        { title: 'Type', text: ({ sourceType }) => kindOf(sourceType).label },
        { title: 'No.', text: ({ number }) => number },
        { title: 'Account', text: ({ accountId }) => books.accounts.find(({ id }) => id === accountId)?.label ?? '' },
        { title: 'Description', text: ({ description }) => description },
        { title: 'Expenses', amount: ({ amount }) => amount },
      ],
      groupBy: ({ name }) => name,
      source: (row) => postedWith(context, row),
    }),
  ),
  /** A category links to the entries in its accounts. */
  expensesByCategory: list(
    (running) => selectSpentByCategory(askOf(running)),
    ({ context }) => ({
      columns: [
        { title: 'Category', text: ({ name }) => name },
        { title: 'Expenses', amount: ({ amount }) => amount },
      ],
      source: ({ accountIds }) =>
        sourceOf(context, { accountIds, from: context.from ?? context.fiscalYearStart, to: context.asOf }),
    }),
  ),
} satisfies Runs;
