import { formatDate } from '@evenkeel/core/dates';
import type { ReportName } from '@evenkeel/core/reports/kinds';
import type { Apart } from '@evenkeel/core/reports/table';
import { capital } from '@evenkeel/core/documents/side';
import type { Running } from './books.ts';
import { entryList, list, listedBy, postedWith, type Runs } from './list.ts';
import { type SalesAsk, selectSales, selectSold, type SoldBy } from './sales.sql.ts';

/** Returns the sales that a report covers. */
export const askOf = ({ ask, context }: Running): SalesAsk => {
  const { basis, from = context.fiscalYearStart, asOf: to, profitCenter, location, known } = context;
  const through = known?.through;
  return { basis, from, to, profitCenterId: profitCenter?.id, locationId: location?.id, only: ask.only, through };
};

/** Amounts in other accounts appear below the total, which equals the amount from documents on the Profit & Loss. */
const notIncome = ({ ask, context }: Running, detail: ReportName): Apart<{ isOther: boolean }> | undefined =>
  ask.only?.by === 'other'
    ? undefined
    : {
        title: 'Not in income accounts',
        isOf: ({ isOther }) => isOther,
        source: listedBy(context, detail, { only: { by: 'other', id: 0 } }),
      };

/**
 * Returns a report of sales over a range, without tax. On the accrual basis, it shows invoiced amounts by invoice date.
 * On the cash basis, it shows the amounts that payments recognized, by recognition date (docs/accounting.md, "What a
 * payment recognizes"). Sales that are only partly recognized have no quantity.
 */
const sales = (by: SoldBy, detail: ReportName) =>
  list(
    (running) => selectSales(by, askOf(running)),
    (running) => ({
      columns: [
        { title: capital(by), text: ({ name }) => name },
        { title: 'Invoices', text: ({ invoices }) => String(invoices) },
        ...(by === 'product' && running.context.basis === 'accrual'
          ? [{ title: 'Quantity', text: ({ quantity }: { quantity: string }) => quantity }]
          : []),
        { title: 'Sales', amount: (row) => row.sales },
      ],
      source: ({ only }) => listedBy(running.context, detail, { only }),
      apart: notIncome(running, detail),
    }),
  );

/** Returns a report of sales by line, with a block for each customer or product. Each line links to its transaction. */
const salesDetail = (by: 'customer' | 'product') =>
  entryList(
    (running, limit) => selectSold(by, askOf(running), limit),
    (running) => ({
      columns: [
        { title: 'Date', text: ({ dated }) => formatDate(dated) },
        { title: 'Type', text: ({ type }) => type },
        { title: 'No.', text: ({ number }) => number },
        by === 'product'
          ? { title: 'Customer', text: ({ customer }) => customer }
          : { title: 'Product', text: ({ product }) => product },
        { title: 'Description', text: ({ description }) => description },
        { title: 'Sales', amount: ({ amount }) => amount },
      ],
      groupBy: ({ name }) => name,
      source: (row) => postedWith(running.context, row),
      apart: notIncome(running, by === 'customer' ? 'salesByCustomerDetail' : 'salesByProductDetail'),
    }),
  );

/** The sales reports. */
export const salesReports = {
  salesByCustomer: sales('customer', 'salesByCustomerDetail'),
  salesByCustomerDetail: salesDetail('customer'),
  salesByProduct: sales('product', 'salesByProductDetail'),
  salesByProductDetail: salesDetail('product'),
  salesByCategory: sales('category', 'salesByProductDetail'),
  salesByMonth: sales('month', 'salesByCustomerDetail'),
} satisfies Runs;
