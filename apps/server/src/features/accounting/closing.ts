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
import { draftsSql, unreconciledSql, type WaitingAccount, waitingAccountsSql } from './closing.sql.ts';

/** The accounts in every company that hold amounts only temporarily. */
const CLEARING = [UNDEPOSITED, OPENING_BALANCE_EQUITY, UNCATEGORIZED_EXPENSE];

const titles = new Map<string, string>(Object.values(documentKinds).map(({ source, words }) => [source, words.title]));

/**
 * Returns the work that is unfinished on a date, before a user closes the books through it. Balances use the company's
 * basis, as its reports do. Income and expense cover the date's fiscal year. The list never prevents closing.
 */
export async function closingChecklist(ctx: Ctx, date: IsoDate): Promise<ClosingChecklist> {
  const { tx } = ctx;
  const settings = await companySettings(ctx);
  const basis = settings.reportingAccountingBasis === 1 ? 'cash' : 'accrual';
  const [bankAccounts, drafts, accounts, balances] = await Promise.all([
    tx.rows(unreconciledSql(date)),
    tx.rows(draftsSql(date)),
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
    drafts: drafts.map((draft) => ({ ...draft, label: titles.get(draft.kind) ?? draft.kind })),
    clearingAccounts: open(accounts.filter(({ isTax }) => !isTax)),
    salesTax: open(accounts.filter(({ isTax }) => isTax)),
  };
}
