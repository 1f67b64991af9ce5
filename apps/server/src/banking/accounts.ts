import type { BankingAccount } from '@evenkeel/contract/banking';
import { accountItem } from '@evenkeel/core/accounts';
import { notFound } from '@evenkeel/core/failure';
import { ZERO } from '@evenkeel/core/money';
import { holds } from '../http/session.ts';
import type { Ctx } from '../http/context.ts';
import { settingsSql, toCompanySettings } from '../settings/settings.ts';
import { availableAccountsSql, type BankingAccountRow, bankingAccountsSql } from './accounts.sql.ts';

/** Active banking accounts by name; numbers and balances only for those who may view banking. */
export async function listBankingAccounts(ctx: Ctx): Promise<BankingAccount[]> {
  const isSeen = holds(ctx, 'View Banking');
  const rows = await ctx.tx.rows(bankingAccountsSql(ctx.today));
  return rows.map((row) => toBankingAccount(ctx, row, isSeen));
}

/** One banking account, also a deactivated one, with its GL account's balance as of today. 404 when there is none. */
export async function getBankingAccount(ctx: Ctx, id: number): Promise<BankingAccount> {
  const row = await ctx.tx.row(bankingAccountsSql(ctx.today, id));
  if (row === undefined) throw notFound('Bank account');
  return toBankingAccount(ctx, row, true);
}

/** Bank, cash and credit card accounts that no banking account uses, and the one in use. */
export async function availableGlAccounts(ctx: Ctx, accountIdInUse: number) {
  const [rows, settings] = await Promise.all([
    ctx.tx.rows(availableAccountsSql(accountIdInUse)),
    ctx.tx.rows(settingsSql()),
  ]);
  const { useAccountNumbers } = toCompanySettings(settings);
  return rows.map((account) => accountItem(account, useAccountNumbers));
}

function toBankingAccount(ctx: Ctx, { balance, ...row }: BankingAccountRow, isSeen: boolean): BankingAccount {
  const account = { ...row, entityID: ctx.companyId, documentLinks: [], lastReconciledDate: null };
  if (!isSeen) return { ...account, accountNumber: '', routingNumber: '' };
  return { ...account, currentBalance: balance, lastReconciledBalance: ZERO };
}
