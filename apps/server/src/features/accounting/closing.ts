import type { ClosingChecklist } from '@evenkeel/contract/closing';
import {
  accountLabel,
  accountTypeInfo,
  isProfitAndLoss,
  naturalAmount,
  OPENING_BALANCE_EQUITY,
  UNCATEGORIZED_EXPENSE,
  UNDEPOSITED,
} from '@evenkeel/core/books/accounts';
import { fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { documentKinds } from '@evenkeel/core/documents/side';
import type { Ctx } from '../../platform/http/context.ts';
import { companySettings } from '../../books/company-settings.ts';
import { balancesAt } from '../../books/ledger/balances.sql.ts';
import {
  draftsSql,
  type DraftsRow,
  reviewSql,
  scheduledSql,
  unreconciledSql,
  type WaitingAccount,
  waitingAccountsSql,
} from './closing.sql.ts';

/** The clearing accounts that every company has. */
const CLEARING = [UNDEPOSITED, OPENING_BALANCE_EQUITY, UNCATEGORIZED_EXPENSE];

const titles = new Map<string, string>(Object.values(documentKinds).map(({ source, words }) => [source, words.title]));

const labeled = (row: DraftsRow) => ({ ...row, label: titles.get(row.kind) ?? row.kind });

/**
 * Returns the open items on a date, for an administrator who closes the books through it. Balances use the company's
 * basis, like its reports. Income and expense cover the fiscal year of the date. Open items never prevent closing.
 */
export async function closingChecklist(ctx: Ctx, date: IsoDate): Promise<ClosingChecklist> {
  const { tx } = ctx;
  const settings = await companySettings(ctx);
  const basis = settings.reportingAccountingBasis === 1 ? 'cash' : 'accrual';
  const [bankAccounts, review, drafts, scheduled, accounts, balances] = await Promise.all([
    tx.rows(unreconciledSql(date)),
    tx.rows(reviewSql(date)),
    tx.rows(draftsSql(date)),
    tx.rows(scheduledSql(date)),
    tx.rows(waitingAccountsSql(CLEARING)),
    tx.rows(balancesAt({ basis, date, fiscalYearStart: fiscalYearStart(date, settings.fyStartMonth) })),
  ]);
  const byAccount = new Map(balances.map((balance) => [balance.accountId, balance]));
  const open = (waiting: readonly WaitingAccount[]) =>
    waiting.flatMap((account) => {
      const info = accountTypeInfo(account.type, account.contra);
      const { toDate = 0, beforeYear = 0 } = byAccount.get(account.id) ?? {};
      const amount = naturalAmount(info, cents(isProfitAndLoss(info) ? toDate - beforeYear : toDate));
      const label = accountLabel(account, settings.useAccountNumbers);
      return amount === 0 ? [] : [{ accountId: account.id, label, amount }];
    });
  return {
    date,
    bankAccounts,
    review,
    drafts: drafts.map(labeled),
    scheduled: scheduled.map(labeled),
    clearingAccounts: open(accounts.filter(({ isTax }) => !isTax)),
    salesTax: open(accounts.filter(({ isTax }) => isTax)),
  };
}
