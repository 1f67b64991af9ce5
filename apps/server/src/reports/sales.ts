import { formatDate } from '@evenkeel/core/dates';
import { cents, sum } from '@evenkeel/core/money';
import { recognise } from '@evenkeel/core/posting';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { grouped, type Report, type Subject, sourceOf } from '@evenkeel/core/reports/report';
import { type TableColumn, tableReport } from '@evenkeel/core/reports/table';
import type { Running } from './books.ts';
import { atMost, MOST_LINES } from './journal.ts';
import {
  type PaidInvoice,
  type SalesAsk,
  selectPaid,
  selectSales,
  selectSold,
  type SoldEntry,
  type SoldRow,
} from './sales.sql.ts';

const askOf = ({ ask, context }: Running): SalesAsk => {
  const { from = context.fiscalYearStart, asOf: to, profitCenter, location } = context;
  return { from, to, profitCenterId: profitCenter?.id, locationId: location?.id, only: ask.only };
};

/**
 * What was sold over a range, without tax: by accrual what was invoiced, by invoice date; by cash what payments
 * recognised of it, by the day on which they did (accounting: A5, A10).
 */
export function runSales(by: 'customer' | 'product') {
  const isProduct = by === 'product';
  const { title } = isProduct ? reportKinds.salesByProduct : reportKinds.salesByCustomer;
  return async (running: Running): Promise<Report> => {
    const { ctx, context } = running;
    const isCash = context.basis === 'cash';
    const columns: TableColumn<SoldRow>[] = [
      { title: isProduct ? 'Product' : 'Customer', text: ({ name }) => name },
      { title: 'Invoices', text: ({ invoices }) => String(invoices) },
      ...(isProduct && !isCash ? [{ title: 'Quantity', text: ({ quantity }: SoldRow) => quantity }] : []),
      { title: 'Sales', amount: ({ sales }) => sales },
    ];
    const wanted = askOf(running);
    const rows = isCash ? totals(by, await paidEntries(running)) : await ctx.tx.rows(selectSales(by, wanted));
    const { id: reportId } = isProduct ? reportKinds.salesByProductDetail : reportKinds.salesByCustomerDetail;
    const range = sourceOf(context, { from: wanted.from, to: wanted.to });
    const source = ({ only }: SoldRow) => ({ ...range, detail: { reportId, only } });
    return tableReport({ title, columns, source }, rows, context);
  };
}

/** The same line by line, a block for each customer or product; each line leads to what it was posted with. */
export function runSalesDetail(by: 'customer' | 'product') {
  const isProduct = by === 'product';
  const { title } = isProduct ? reportKinds.salesByProductDetail : reportKinds.salesByCustomerDetail;
  const columns: TableColumn<SoldEntry>[] = [
    { title: 'Date', text: ({ dated }) => formatDate(dated) },
    { title: 'Type', text: ({ type }) => type },
    { title: 'No.', text: ({ number }) => number },
    { title: isProduct ? 'Customer' : 'Product', text: (row) => (isProduct ? row.customer : row.product) },
    { title: 'Description', text: ({ description }) => description },
    { title: 'Sales', amount: ({ amount }) => amount },
  ];
  return async (running: Running): Promise<Report> => {
    const { ctx, context } = running;
    const rows =
      context.basis === 'cash'
        ? await paidEntries(running)
        : await ctx.tx.rows(selectSold(askOf(running), MOST_LINES + 1));
    const source = ({ dated, transactionId }: SoldEntry) =>
      transactionId === null ? undefined : { ...sourceOf(context, { accountIds: [], to: dated }), transactionId };
    const sorted = atMost(rows).toSorted((a, b) => nameOf(by, a).localeCompare(nameOf(by, b)));
    return tableReport({ title, columns, groupBy: (row) => nameOf(by, row), source }, sorted, context);
  };
}

const nameOf = (by: 'customer' | 'product', { customer, product }: SoldEntry): string =>
  by === 'customer' ? customer : product;

/** What payments of a range recognised of each sold part, as it was posted. */
async function paidEntries(running: Running): Promise<SoldEntry[]> {
  const wanted = askOf(running);
  const invoices = await running.ctx.tx.rows(selectPaid(wanted));
  const entries = invoices.flatMap(entriesOf).filter((entry) => isWanted(wanted, entry));
  return entries.toSorted((a, b) => (a.dated < b.dated ? -1 : Number(a.dated > b.dated)));
}

function entriesOf({ parts, taxes, applied, total, ...invoice }: PaidInvoice): SoldEntry[] {
  if (total === 0) return parts.map((part) => ({ ...part, ...invoice, type: 'Invoice', number: invoice.invoice }));
  const components = [...parts.map(({ amount }) => ({ amount })), ...taxes.map((amount) => ({ amount }))];
  return applied.flatMap(({ amount, before, ...payment }) => {
    const shares = recognise(components, before, cents(before + amount));
    return parts.map((part, at): SoldEntry => {
      const description = `Invoice ${invoice.invoice}: ${part.description}`;
      const amount = shares[at] ?? cents(0);
      return { ...part, ...payment, type: 'Payment', invoice: invoice.invoice, description, amount };
    });
  });
}

function isWanted({ profitCenterId, locationId, only }: SalesAsk, part: SoldEntry): boolean {
  if (part.amount === 0) return false;
  if (profitCenterId !== undefined && part.profitCenterId !== profitCenterId) return false;
  if (locationId !== undefined && part.locationId !== locationId) return false;
  if (only === undefined) return true;
  const own = keyOf(only.by === 'customer' ? 'customer' : 'product', part);
  return own.by === only.by && own.id === only.id;
}

function keyOf(by: 'customer' | 'product', { customerId, productId, isDiscount }: SoldEntry): Subject {
  if (by === 'customer') return { by, id: customerId };
  return isDiscount ? { by: 'discounts', id: 0 } : { by, id: productId };
}

/** Entries summed by customer or product, in the order of their names. */
function totals(by: 'customer' | 'product', entries: readonly SoldEntry[]): SoldRow[] {
  const groups = grouped(entries, (entry) => JSON.stringify(keyOf(by, entry)));
  return [...groups.values()]
    .flatMap((own): SoldRow[] => {
      const [first] = own;
      if (first === undefined) return [];
      const invoices = new Set(own.map(({ invoice }) => invoice)).size;
      const sales = sum(own.map(({ amount }) => amount));
      return [{ only: keyOf(by, first), name: nameOf(by, first), invoices, quantity: '', sales }];
    })
    .toSorted((a, b) => Number(a.only.id === 0) - Number(b.only.id === 0) || a.name.localeCompare(b.name));
}
