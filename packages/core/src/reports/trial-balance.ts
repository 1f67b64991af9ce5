import { cents, negate, sum, toPlain } from '../money.ts';
import type { Cents } from '../money.ts';
import { closeVirtually, visible } from './balances.ts';
import type { AccountBalance, ReportAccount, ReportRow } from './balances.ts';
import { moneyCell, reportHeader, section, sourceOf, textCell, together } from './report.ts';
import type { ColumnSummaryLine, Report, ReportContext, ReportLine } from './report.ts';

const TITLE = 'Trial Balance';

/**
 * Account, debit, credit: the net of each account on its one side, totals equal (accounting: A10). Income and expense
 * are those of the fiscal year, retained earnings contain the years before (A8). A dimension filter filters lines.
 */
export function trialBalance(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const { lasting, ofYear } = closeVirtually(balances, accounts, context.retainedEarningsAccountId);
  const rows = visible([
    ...lasting.map((row) => withSource(row, context)),
    ...ofYear.map((row) => withSource(row, context, true)),
  ]);
  const debits = sum(rows.filter((row) => row.amount > 0).map((row) => row.amount));
  const credits = negate(sum(rows.filter((row) => row.amount < 0).map((row) => row.amount)));
  return {
    title: TITLE,
    reportHeaderItems: reportHeader(TITLE, { ...context, from: undefined }),
    reportSections: [table(rows, debits, credits)],
    reportSummaries: outOfBalance(cents(debits - credits), context),
  };
}

function withSource(row: ReportRow, context: ReportContext, ofYear = false): ReportRow {
  const from = ofYear ? context.fiscalYearStart : undefined;
  const source = sourceOf(context, { accountId: row.account.id, from, to: context.asOf });
  if (row.account.id !== context.retainedEarningsAccountId) return { ...row, source };
  return { ...row, source: { ...source, earningsBefore: context.fiscalYearStart } };
}

function table(rows: readonly ReportRow[], debits: Cents, credits: Cents): Report['reportSections'][number] {
  return section({
    title: TITLE,
    totalTitle: 'Total',
    total: cents(debits - credits),
    hasColumnHeaders: true,
    columnHeaders: [
      { headerText: 'Account', isCurrency: false },
      { headerText: 'Debit', isCurrency: true },
      { headerText: 'Credit', isCurrency: true },
    ],
    displayHeader: false,
    hasColumnSummary: true,
    columnSummaryLines: [totals(rows, debits, credits)],
    reportBlocks: [
      {
        blockTitle: '',
        displayHeader: false,
        displayFooter: false,
        total: cents(debits - credits),
        reportLines: rows.map(tableLine),
      },
    ],
  });
}

function tableLine({ account, amount, source }: ReportRow): ReportLine {
  const debit = moneyCell(amount > 0 ? amount : undefined);
  const credit = moneyCell(amount < 0 ? negate(amount) : undefined);
  return { lineItems: [textCell(account.label), debit, credit], source };
}

function totals(rows: readonly ReportRow[], debits: Cents, credits: Cents): ColumnSummaryLine {
  const onSide = (side: 1 | -1) => together(rows.filter((row) => row.amount * side > 0).map((row) => row.source));
  return {
    columnSummaryItems: [
      { headerText: 'Total', isCurrency: false, rightAlign: false },
      { headerText: toPlain(debits), isCurrency: true, rightAlign: true, source: onSide(1) },
      { headerText: toPlain(credits), isCurrency: true, rightAlign: true, source: onSide(-1) },
    ],
  };
}

/** Under a dimension filter the lines need not balance; without one a difference is shown in so many words. */
function outOfBalance(difference: Cents, context: ReportContext): Report['reportSummaries'] {
  const filtered = context.profitCenter !== undefined || context.location !== undefined;
  return difference === 0 || filtered ? [] : [{ description: 'Out of balance', amount: difference }];
}
