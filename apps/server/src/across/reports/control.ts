import { accountTypeInfo, isControlAccount } from '@evenkeel/core/books/accounts';
import type { ReportAccount } from '@evenkeel/core/reports/balances';
import { type ReportContext, type ReportSource, sourceOf } from '@evenkeel/core/reports/report';
import type { Side } from '@evenkeel/core/documents/side';
import type { Books } from './books.ts';

/** The accounts that the documents of a side stand on. */
export function controlAccountIds(side: Side, accounts: readonly ReportAccount[]): number[] {
  return accounts
    .filter(({ type, contra }) => type === side.controlType && isControlAccount(accountTypeInfo(type, contra)))
    .map(({ id }) => id);
}

/**
 * The lines on the control accounts of a side of a customer's or vendor's documents and payments; of null those of
 * journal entries, whomever they name, because these are a row of their own (docs/accounting.md, "Reports").
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
