import { cents } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import type { Report } from '@evenkeel/core/reports/report';
import { type TableColumn, tableReport } from '@evenkeel/core/reports/table';
import type { Running } from './books.ts';
import { salesSql, type SoldRow } from './lines.sql.ts';

/** What was invoiced over a range, without tax, by invoice date. */
export function runSales(by: 'customer' | 'product') {
  const isProduct = by === 'product';
  const { title } = isProduct ? reportKinds.salesByProduct : reportKinds.salesByCustomer;
  const columns: TableColumn<SoldRow>[] = [
    { title: isProduct ? 'Product' : 'Customer', text: ({ name }) => name },
    { title: 'Invoices', text: ({ invoices }) => String(invoices) },
    ...(isProduct ? [{ title: 'Quantity', text: ({ quantity }: SoldRow) => String(Number(quantity)) }] : []),
    { title: 'Sales', amount: ({ sales }) => cents(sales) },
  ];
  return async ({ ctx, context }: Running): Promise<Report> => {
    const { from = context.fiscalYearStart, asOf: to } = context;
    const rows = await ctx.tx.rows(salesSql(by, { from, to }));
    return tableReport({ title, columns, source: () => undefined }, rows, context);
  };
}
