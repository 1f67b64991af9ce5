import { isProfitAndLoss, UNAPPLIED_CASH_EXPENSE, UNAPPLIED_CASH_INCOME } from '../books/accounts.ts';
import { kinds, PAYABLE, RECEIVABLE } from '../documents/side.ts';
import { type Cents, cents } from '../money.ts';
import { type AccountAmount, type ReportAccount, rowsOf, visible, withSource } from './balances.ts';
import type { Column } from './compare.ts';
import { PROFIT_AND_LOSS } from './profit-loss.ts';
import type { Report, ReportContext } from './report.ts';
import { comparedStatement, type StatementRow } from './statement.ts';

/** The bridge from the cash basis to the accrual basis, account by account. */

/** The reasons for a difference between the bases, in the order of their columns. */
export const bridgeParts = ['receivables', 'payables', 'unapplied', 'tax', 'other', 'rest'] as const;
export type BridgePart = (typeof bridgeParts)[number];

const TITLES: Readonly<Record<BridgePart, string>> = {
  receivables: 'Change in Receivables',
  payables: 'Change in Payables',
  unapplied: 'Unapplied Payments',
  tax: 'Tax',
  other: 'Other Entries',
  rest: 'Rest',
};

/** An account's total of lines on only one basis (debits less credits), by the kind of document that posted them. */
export interface OneBasisAmount extends AccountAmount {
  source: string;
  basis: string;
}

/** The amounts for a period by account (debits less credits). They are read separately. */
export interface BridgeAmounts {
  cash: readonly AccountAmount[];
  accrual: readonly AccountAmount[];
  oneBasis: readonly OneBasisAmount[];
  /** The accounts to which sales tax is posted. */
  taxAccountIds: readonly number[];
}

/**
 * Returns the reason for a difference. Money that is not applied to a document is in separate accounts, no matter which
 * document posts it. Other entries are journal entries and opening balances on one basis.
 */
function partOf({ accountId, source }: OneBasisAmount, taxAccountIds: readonly number[]): BridgePart {
  if (accountId === UNAPPLIED_CASH_INCOME || accountId === UNAPPLIED_CASH_EXPENSE) return 'unapplied';
  if (taxAccountIds.includes(accountId)) return 'tax';
  const side = kinds.get(source)?.side;
  if (side === RECEIVABLE.name) return 'receivables';
  return side === PAYABLE.name ? 'payables' : 'other';
}

/**
 * Returns the amounts that must be added to the cash basis to get the accrual basis, by reason and account. The rest is
 * the part that the reasons don't explain. The rest is always empty, because each line is on one basis or on both.
 */
export function bridgeOf({
  cash,
  accrual,
  oneBasis,
  taxAccountIds,
}: BridgeAmounts): Record<BridgePart, AccountAmount[]> {
  const parts: Record<BridgePart, Map<number, Cents>> = {
    receivables: new Map(),
    payables: new Map(),
    unapplied: new Map(),
    tax: new Map(),
    other: new Map(),
    rest: new Map(),
  };
  const add = (part: BridgePart, accountId: number, amount: number) =>
    parts[part].set(accountId, cents((parts[part].get(accountId) ?? 0) + amount));
  for (const { accountId, amount } of accrual) add('rest', accountId, amount);
  for (const { accountId, amount } of cash) add('rest', accountId, -amount);
  for (const row of oneBasis) {
    const amount = row.basis === 'A' ? row.amount : -row.amount;
    add(partOf(row, taxAccountIds), row.accountId, amount);
    add('rest', row.accountId, -amount);
  }
  const listed = (part: BridgePart) =>
    [...parts[part]].flatMap(([accountId, amount]) => (amount === 0 ? [] : [{ accountId, amount }]));
  return {
    receivables: listed('receivables'),
    payables: listed('payables'),
    unapplied: listed('unapplied'),
    tax: listed('tax'),
    other: listed('other'),
    rest: listed('rest'),
  };
}

/**
 * Returns the Profit & Loss on both bases, with the reasons for the difference between them. Reasons without amounts
 * have no column.
 */
export function bridgeReport(
  amounts: BridgeAmounts,
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const { from = context.fiscalYearStart } = context;
  const bridge = bridgeOf(amounts);
  const earned = (some: readonly AccountAmount[]) =>
    visible(rowsOf(some, accounts)).filter(({ info }) => isProfitAndLoss(info));
  const on = (basis: ReportContext['basis'], title: string): Column<StatementRow> => {
    const of = { ...context, from, basis };
    return { title, context: of, figures: earned(amounts[basis]).map((row) => withSource(row, of, from)) };
  };
  const ofReasons = bridgeParts.flatMap((part): Column<StatementRow>[] => {
    const figures = earned(bridge[part]);
    return figures.length === 0 ? [] : [{ title: TITLES[part], context, figures }];
  });
  const columns = [on('cash', 'Cash Basis'), ...ofReasons, on('accrual', 'Accrual Basis')];
  const report = comparedStatement(PROFIT_AND_LOSS, { columns, main: columns.length - 1 }, { ...context, from });
  return {
    ...report,
    // The column titles name the bases.
    reportHeaderItems: report.reportHeaderItems.map((item) =>
      item.headerText === 'Accrual basis' ? { headerText: 'Profit & Loss, account by account' } : item,
    ),
  };
}
