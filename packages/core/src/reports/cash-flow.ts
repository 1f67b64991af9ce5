import { type AccountType, type AccountTypeInfo, isProfitAndLoss } from '../books/accounts.ts';
import type { IsoDate } from '../dates.ts';
import { addDays } from '../dates.ts';
import { type Cents, cents, negate, sum, ZERO } from '../money.ts';
import {
  type AccountAmount,
  inAccountOrder,
  namedAccount,
  outOfBalance,
  type ReportAccount,
  rowsOf,
  visible,
} from './balances.ts';
import type { Column, Columns } from './compare.ts';
import { type Report, type ReportContext, type ReportSource, sourceOf, together } from './report.ts';
import { comparedStatement, type StatementRow, type StatementSpec } from './statement.ts';

/**
 * An account's change over a period, and the part of it that comes from sales or purchases of assets. Amounts are debit
 * − credit.
 */
export interface CashFlowFigure extends AccountAmount {
  ofAssets: Cents;
  /** The account's balance before the period and at its end. Set only for cash accounts. */
  opening: Cents;
  closing: Cents;
}

const OPERATING = 'Operating Activities';
const INVESTING = 'Investing Activities';
const FINANCING = 'Financing Activities';
const OPENING = 'Cash at Beginning of Period';
const CHANGE = [OPERATING, INVESTING, FINANCING];

const CASH_FLOW: StatementSpec = {
  parts: [
    { section: OPERATING, totalTitle: 'Net Cash from Operating Activities', always: true },
    { section: INVESTING, totalTitle: 'Net Cash from Investing Activities' },
    { section: FINANCING, totalTitle: 'Net Cash from Financing Activities' },
    { title: 'Net Change in Cash', of: CHANGE, root: 'Income' },
    { section: OPENING, totalTitle: OPENING },
  ],
  summary: { title: 'Cash at End of Period', of: [...CHANGE, OPENING], root: 'Income' },
};

/**
 * Returns the indirect statement of cash flows over context.from … context.asOf on the accrual basis. Every non-cash
 * line in the period is in exactly one section, so the sections add up to the change in cash. If the ledger has a
 * different closing balance, the difference is shown as "Out of balance".
 */
export function cashFlow(
  { columns, ...rest }: Columns<CashFlowFigure>,
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const filled = columns.map((column) => ({ ...column, figures: flowRows(column, accounts) }));
  const report = comparedStatement(CASH_FLOW, { columns: filled, ...rest }, context);
  const wrong = columns.flatMap(({ figures, context: own }, at) => {
    const closing = sum(figures.map((figure) => figure.closing));
    const stated = sum((filled[at]?.figures ?? []).map(({ amount }) => negate(amount)));
    return outOfBalance(cents(closing - stated), own);
  });
  return { ...report, reportSummaries: [...report.reportSummaries, ...wrong] };
}

/**
 * Returns the effect of an account's change on cash, which has the opposite sign of the account's lines. Money in is
 * positive, so all rows are credits.
 */
const flow = (section: string, type: AccountType): StatementRow['info'] => ({ section, type, root: 'Income' });

function flowRows({ figures, context }: Column<CashFlowFigure>, accounts: readonly ReportAccount[]): StatementRow[] {
  const { from = context.fiscalYearStart, asOf } = context;
  const byId = new Map(figures.map((figure) => [figure.accountId, figure]));
  const rows = rowsOf(figures, accounts).toSorted(inAccountOrder);
  const behind = (accountId: number, range: { from?: IsoDate | undefined; to: IsoDate }) =>
    sourceOf(context, { accountIds: [accountId], ...range });
  const period = (id: number): ReportSource => behind(id, { from, to: asOf });
  const earned = rows.filter(({ info }) => isProfitAndLoss(info));
  const others = rows.filter(({ info }) => !isProfitAndLoss(info) && info.cashFlow !== 'Cash');
  const netIncome: StatementRow = {
    account: namedAccount('Net Income', 'Equity'),
    info: flow(OPERATING, 'Equity'),
    amount: sum(earned.map((row) => row.amount)),
    source: together(earned.map(({ account }) => period(account.id))),
    isFirst: true,
  };
  const sold = rows.flatMap((row): StatementRow[] => {
    const ofAssets = byId.get(row.account.id)?.ofAssets ?? ZERO;
    if (ofAssets === 0) return [];
    // If a row shows only part of an account's lines, the row's source excludes the other lines.
    const source = { ...period(row.account.id), ...(ofAssets === row.amount ? {} : { ofAssets: 'only' as const }) };
    const asset = { account: row.account, info: flow(INVESTING, row.info.type), amount: ofAssets, source };
    const less = { ...asset, info: flow(OPERATING, row.info.type), amount: negate(ofAssets) };
    return isProfitAndLoss(row.info) ? [less, asset] : [asset];
  });
  const changed = others.flatMap((row): StatementRow[] => {
    const ofAssets = byId.get(row.account.id)?.ofAssets ?? ZERO;
    const amount = cents(row.amount - ofAssets);
    if (amount === 0) return [];
    const source = { ...period(row.account.id), ...(ofAssets === 0 ? {} : { ofAssets: 'without' as const }) };
    return [{ account: row.account, info: flow(sectionOf(row.info), row.info.type), amount, source }];
  });
  const cash = visible(
    rowsOf(
      figures.map(({ accountId, opening }) => ({ accountId, amount: opening })),
      accounts,
    ),
  );
  const opening = cash.map((row): StatementRow => {
    const source = behind(row.account.id, { to: addDays(from, -1) });
    return { account: row.account, info: flow(OPENING, row.info.type), amount: negate(row.amount), source };
  });
  return [
    ...(netIncome.amount === 0 ? [] : [netIncome]),
    ...[...sold, ...changed].toSorted(inAccountOrder),
    ...opening,
  ];
}

function sectionOf({ cashFlow: section }: AccountTypeInfo): string {
  return section === 'Investing' ? INVESTING : section === 'Financing' ? FINANCING : OPERATING;
}
