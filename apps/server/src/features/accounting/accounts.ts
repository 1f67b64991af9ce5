import type { AccountItem, ChartAccount } from '@evenkeel/contract/ledger';
import {
  accountItem,
  accountLabel,
  accountTypeInfo,
  isProfitAndLoss,
  masterAccounts,
  naturalAmount,
} from '@evenkeel/core/books/accounts';
import { fiscalYearStart } from '@evenkeel/core/dates';
import { cents, type Cents } from '@evenkeel/core/money';
import type { AccountBalance } from '@evenkeel/core/reports/balances';
import { listRecords } from '../../platform/db/records.ts';
import { holds } from '../../platform/http/session.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { companySettings, settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { type AccountChoice, type AccountRow, accountsSql } from '../../books/ledger/accounts.sql.ts';
import { accountCategories } from './dimensions.ts';
import { balancesAt } from '../../books/ledger/balances.sql.ts';

/** Returns active accounts or all accounts for a picker. Labels depend on the company's useAccountNumbers setting. */
export async function listAccounts(ctx: Ctx, choice: AccountChoice, withInactive: boolean): Promise<AccountItem[]> {
  const read = ctx.tx.rows(accountsSql(choice, withInactive));
  const [settings, accounts] = await Promise.all([ctx.tx.rows(settingsSql()), read]);
  const { useAccountNumbers } = toCompanySettings(settings);
  return accounts.map((account) => accountItem(account, useAccountNumbers));
}

/**
 * Returns the chart of accounts. Balances are included only for users who can view accounting. The balances are as of
 * today, have the natural sign, and use the company's basis. The balances of income and expense accounts start with the
 * fiscal year.
 */
export async function chartOfAccounts(ctx: Ctx, withInactive: boolean): Promise<ChartAccount[]> {
  const accountsRead = ctx.tx.rows(accountsSql('every', withInactive));
  const [settings, accounts] = await Promise.all([companySettings(ctx), accountsRead]);
  const balances = holds(ctx, 'View Accounting') ? await balancesToday(ctx, settings) : undefined;
  return accounts.map((account) => ({
    ...accountItem(account, settings.useAccountNumbers),
    description: account.description,
    masterAccountID: account.masterAccountId,
    accountCategoryId: account.categoryId,
    categoryName: account.categoryName,
    system: account.system,
    ...(balances === undefined ? {} : { balance: naturalBalance(account, balances.get(account.id)) }),
    rowVersion: account.rowVersion,
  }));
}

async function balancesToday(
  ctx: Ctx,
  settings: { fyStartMonth: number; reportingAccountingBasis: 0 | 1 },
): Promise<Map<number, AccountBalance>> {
  const rows = await ctx.tx.rows(
    balancesAt({
      basis: settings.reportingAccountingBasis === 1 ? 'cash' : 'accrual',
      date: ctx.today,
      fiscalYearStart: fiscalYearStart(ctx.today, settings.fyStartMonth),
    }),
  );
  return new Map(rows.map((row) => [row.accountId, row]));
}

function naturalBalance(account: AccountRow, balance: AccountBalance | undefined): Cents {
  if (balance === undefined) return cents(0);
  const info = accountTypeInfo(account.type, account.contra);
  const amount = isProfitAndLoss(info) ? cents(balance.toDate - balance.beforeYear) : balance.toDate;
  return naturalAmount(info, amount);
}

/** Returns the master chart that company accounts are based on, with the company's own categories. */
export async function listMasterAccounts(ctx: Ctx) {
  const [categories, { useAccountNumbers }] = await Promise.all([
    listRecords(ctx, accountCategories, false),
    companySettings(ctx),
  ]);
  const categoryIds = new Map(categories.map((category) => [category.categoryName.toLowerCase(), category.id]));
  return masterAccounts.map((account) => ({
    id: account.id,
    accountNumber: account.accountNumber,
    accountName: account.accountName,
    accountLabel: accountLabel({ number: account.accountNumber, name: account.accountName }, useAccountNumbers),
    accountTypeLabel: account.accountTypeLabel,
    accountCategoryId: categoryIds.get(account.category.toLowerCase()) ?? 0,
  }));
}
