import { accountTypeInfo, isControlAccount } from '@evenkeel/core/accounts';
import { formatDate } from '@evenkeel/core/dates';
import { type Cents, sum } from '@evenkeel/core/money';
import type { ReportAccount } from '@evenkeel/core/reports/balances';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { type Report, type ReportContext, type ReportSource, sourceOf } from '@evenkeel/core/reports/report';
import { type TableColumn, tableReport } from '@evenkeel/core/reports/table';
import { capital, PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/side';
import { type AgedRow, type OpenItemRow, selectAging, selectOpenItems } from '../subledger/aging.sql.ts';
import type { Books, Running } from './books.ts';

const total = ({ current, thirty, sixty, ninety }: AgedRow): Cents => sum([current, thirty, sixty, ninety]);

/** The lines of a customer or vendor on the control accounts of a side. */
export function controlSource(
  side: Side,
  { accounts }: Pick<Books, 'accounts'>,
  context: ReportContext,
): (entityId: number) => ReportSource {
  const accountIds = controlAccountIds(side, accounts);
  return (entityId) => ({ ...sourceOf(context, { accountIds, to: context.asOf }), entityId });
}

/** The specification's four columns of days past due; behind each are the documents that the detail has there. */
export function ageColumns(side: Side, context: ReportContext): TableColumn<AgedRow>[] {
  const isCustomer = side === RECEIVABLE;
  const { id: reportId } = isCustomer ? reportKinds.customerAgingDetail : reportKinds.vendorAgingDetail;
  const by = isCustomer ? 'customer' : 'vendor';
  const column = (title: string, amount: (row: AgedRow) => Cents, columns: string[]): TableColumn<AgedRow> => ({
    title,
    amount,
    source: ({ entityId }) =>
      entityId === null
        ? undefined
        : { ...sourceOf(context, { to: context.asOf }), detail: { reportId, only: { by, id: entityId }, columns } },
  });
  const [current, thirty, sixty, ...older] = BUCKETS.map(({ title }) => title);
  return [
    column('Current', (row) => row.current, [current ?? '']),
    column('30', (row) => row.thirty, [thirty ?? '']),
    column('60', (row) => row.sixty, [sixty ?? '']),
    column('90+', (row) => row.ninety, older),
  ];
}

/** What is open on a side as of the report date, by days past due. */
export function runAging(side: Side, title: string) {
  return async ({ ctx, books, context }: Running): Promise<Report> => {
    const behind = controlSource(side, books, context);
    const columns = [
      { title: capital(side.words.entity), text: (row: AgedRow) => row.name },
      ...ageColumns(side, context),
      { title: 'Total', amount: total },
    ];
    const source = ({ entityId }: AgedRow) => (entityId === null ? undefined : behind(entityId));
    const rows = await ctx.tx.rows(selectAging(side, context.asOf));
    return tableReport({ title, columns, source }, rows, context);
  };
}

/** What each customer owes or each vendor is owed, without ages. */
export function runEntityBalances(side: Side, title: string) {
  return async ({ ctx, books, context }: Running): Promise<Report> => {
    const behind = controlSource(side, books, context);
    const columns = [
      { title: capital(side.words.entity), text: (row: AgedRow) => row.name },
      { title: 'Balance', amount: total },
    ];
    const source = ({ entityId }: AgedRow) => (entityId === null ? undefined : behind(entityId));
    const rows = await ctx.tx.rows(selectAging(side, context.asOf));
    return tableReport({ title, columns, source }, rows, context);
  };
}

/** What is behind an open item: the transaction that it was posted with. */
const behindItem = (context: ReportContext) => {
  return ({ dated, transactionId }: OpenItemRow) =>
    transactionId === null ? undefined : { ...sourceOf(context, { accountIds: [], to: dated }), transactionId };
};

/** What vendors are owed bill by bill, less their credits and what is left on payments (accounting: A10). */
export async function runUnpaidBills({ ctx, context }: Running): Promise<Report> {
  const { title } = reportKinds.unpaidBills;
  const words = { document: '', payment: `${PAYABLE.payment.label} `, journal: 'Journal entry ' };
  const columns: TableColumn<OpenItemRow>[] = [
    { title: 'Invoice No.', text: ({ kind, number }) => `${words[kind]}${number}` },
    { title: 'Invoice Date', text: ({ dated }) => formatDate(dated) },
    { title: 'Due Date', text: ({ dueDate }) => (dueDate === null ? '' : formatDate(dueDate)) },
    { title: 'Days Past Due', text: ({ kind, late }) => (kind === 'document' && late > 0 ? String(late) : '') },
    { title: 'Amount', amount: ({ total: whole }) => whole },
    { title: 'Open Amount', amount: ({ amount }) => amount },
  ];
  const rows = await ctx.tx.rows(selectOpenItems(PAYABLE, context.asOf));
  return tableReport({ title, columns, groupBy: (row) => row.name, source: behindItem(context) }, rows, context);
}

const BUCKETS = [
  { title: 'Current', most: 0 },
  { title: '1–30', most: 30 },
  { title: '31–60', most: 60 },
  { title: '61–90', most: 90 },
  { title: 'Over 90', most: Infinity },
] as const;

/** The same document by document, in five columns of days past due. */
export function runAgingDetail(side: Side, title: string) {
  return async ({ ctx, ask, context }: Running): Promise<Report> => {
    const words = { document: side.document.label, payment: side.payment.label, journal: 'Journal entry' };
    const columns: TableColumn<OpenItemRow>[] = [
      { title: 'Date', text: ({ dated }) => formatDate(dated) },
      { title: 'Type', text: ({ kind }) => words[kind] },
      { title: 'No.', text: ({ number }) => number },
      { title: 'Due', text: ({ dueDate }) => (dueDate === null ? '' : formatDate(dueDate)) },
      ...BUCKETS.map(({ title, most }, at) => ({
        title,
        amount: ({ late, amount }: OpenItemRow) =>
          late <= most && (at === 0 || late > (BUCKETS[at - 1]?.most ?? 0)) ? amount : undefined,
      })),
      { title: 'Open', amount: ({ amount }) => amount },
    ];
    const source = behindItem(context);
    const rows = await ctx.tx.rows(selectOpenItems(side, context.asOf));
    const own = rows.filter(({ entityId }) => ask.only === undefined || entityId === ask.only.id);
    return tableReport({ title, columns, groupBy: (row) => row.name, source }, own, context);
  };
}

/** The accounts that the documents of a side stand on. */
export function controlAccountIds(side: Side, accounts: readonly ReportAccount[]): number[] {
  return accounts
    .filter(({ type, contra }) => type === side.controlType && isControlAccount(accountTypeInfo(type, contra)))
    .map(({ id }) => id);
}
