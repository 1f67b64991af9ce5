import { accountTypeInfo, isControlAccount } from '@evenkeel/core/accounts';
import { type Cents, sum } from '@evenkeel/core/money';
import type { ReportAccount } from '@evenkeel/core/reports/balances';
import { type Report, type ReportContext, sourceOf } from '@evenkeel/core/reports/report';
import { tableReport } from '@evenkeel/core/reports/table';
import { capital, type Side } from '@evenkeel/core/side';
import type { Ctx } from '../http/context.ts';
import { type AgedRow, selectAging } from '../subledger/aging.sql.ts';

const total = ({ current, thirty, sixty, ninety }: AgedRow): Cents => sum([current, thirty, sixty, ninety]);

/** What is open on a side as of the report date, by days past due; always accrual and of the whole company. */
export async function aging(
  ctx: Ctx,
  side: Side,
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Promise<Report> {
  const rows = await ctx.tx.rows(selectAging(side, context.asOf));
  const whole = { ...context, basis: 'accrual' as const, profitCenter: undefined, location: undefined };
  const accountIds = accounts
    .filter(({ type, contra }) => type === side.controlType && isControlAccount(accountTypeInfo(type, contra)))
    .map(({ id }) => id);
  const entity = capital(side.words.entity);
  const columns = [
    { title: entity, text: (row: AgedRow) => row.name },
    { title: 'Current', amount: (row: AgedRow) => row.current },
    { title: '30', amount: (row: AgedRow) => row.thirty },
    { title: '60', amount: (row: AgedRow) => row.sixty },
    { title: '90+', amount: (row: AgedRow) => row.ninety },
    { title: 'Total', amount: total },
  ];
  const source = ({ entityId }: AgedRow) =>
    entityId === null ? undefined : { ...sourceOf(whole, { accountIds, to: whole.asOf }), entityId };
  return tableReport({ title: `${entity} Aging Report`, columns, source }, rows, whole);
}
