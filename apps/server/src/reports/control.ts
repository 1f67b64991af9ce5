import { accountTypeInfo, isControlAccount } from '@evenkeel/core/accounts';
import type { ReportAccount } from '@evenkeel/core/reports/balances';
import { type ReportContext, type ReportSource, sourceOf } from '@evenkeel/core/reports/report';
import type { Side } from '@evenkeel/core/side';
import type { Books } from './books.ts';

/** The accounts that the documents of a side stand on. */
export function controlAccountIds(side: Side, accounts: readonly ReportAccount[]): number[] {
  return accounts
    .filter(({ type, contra }) => type === side.controlType && isControlAccount(accountTypeInfo(type, contra)))
    .map(({ id }) => id);
}

/** The lines of a customer or vendor on the control accounts of a side. */
export function controlSource(
  side: Side,
  { accounts }: Pick<Books, 'accounts'>,
  context: ReportContext,
): (entityId: number) => ReportSource {
  const accountIds = controlAccountIds(side, accounts);
  return (entityId) => ({ ...sourceOf(context, { accountIds, to: context.asOf }), entityId });
}
