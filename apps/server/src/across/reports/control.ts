import { accountTypeInfo, isControlAccount } from '@evenkeel/core/books/accounts';
import type { ReportAccount } from '@evenkeel/core/reports/balances';
import { type ReportContext, type ReportSource, sourceOf } from '@evenkeel/core/reports/report';
import type { Side } from '@evenkeel/core/documents/side';
import type { Books } from './books.ts';

/** Returns the control accounts on a side. */
export function controlAccountIds(side: Side, accounts: readonly ReportAccount[]): number[] {
  return accounts
    .filter(({ type, contra }) => type === side.controlType && isControlAccount(accountTypeInfo(type, contra)))
    .map(({ id }) => id);
}

/**
 * Returns the source for the control account lines from a customer's or vendor's documents and payments. For null,
 * returns the lines from journal entries with any customer or vendor, because they are in a separate row
 * (docs/accounting.md, "Reports").
 */
export function controlSource(
  side: Side,
  { accounts }: Pick<Books, 'accounts'>,
  context: ReportContext,
): (entityId: number | null) => ReportSource {
  const source = sourceOf(context, { accountIds: controlAccountIds(side, accounts), to: context.asOf });
  return (entityId) =>
    entityId === null ? { ...source, journals: 'only' } : { ...source, entityId, journals: 'without' };
}
