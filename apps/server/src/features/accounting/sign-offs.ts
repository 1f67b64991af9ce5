import { AccountSignOff, type closingCalls } from '@evenkeel/contract/closing';
import type { BodyOf, ReplyOf } from '@evenkeel/contract/endpoint';
import { accountLabel, accountTypeInfo, isProfitAndLoss, naturalAmount } from '@evenkeel/core/books/accounts';
import { fiscalYearStart, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { conflict, notFound, present } from '@evenkeel/core/failure';
import { cents, formatUsd } from '@evenkeel/core/money';
import { type CompanySettings, companySettings } from '../../books/company-settings.ts';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { accountSum } from '../../books/ledger/balances.sql.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { lockNextPostingSql } from './closing.sql.ts';
import { accountSignOffsSql, lastSignOffsSql, lastTransactionSql, type SignOffRow, signOffs } from './sign-offs.sql.ts';

/** Sign-offs of account balances. Each sign-off keeps the balance as it was known at the time of the sign-off. */

const subject: Subject<typeof AccountSignOff> = {
  name: 'account sign-off',
  schema: AccountSignOff,
  idOf: ({ id }) => id,
};

function shown(row: SignOffRow, { useAccountNumbers }: Pick<CompanySettings, 'useAccountNumbers'>): AccountSignOff {
  const info = accountTypeInfo(row.type, row.contra);
  const [balance, current] = [naturalAmount(info, row.balance), naturalAmount(info, row.current)];
  return {
    id: row.id,
    accountId: row.accountId,
    label: accountLabel(row, useAccountNumbers),
    date: row.date,
    from: row.from,
    basis: row.basis === 'C' ? 1 : 0,
    balance,
    current,
    change: cents(current - balance),
    since: row.lastTransactionId,
    note: row.note,
    signedBy: row.person,
    signedAt: row.at.toISOString(),
  };
}

/** Returns each account's latest sign-off dated on or before a date, for the closing checklist. */
export async function lastSignOffs(ctx: Ctx, date: IsoDate, settings: CompanySettings): Promise<AccountSignOff[]> {
  return (await ctx.tx.rows(lastSignOffsSql(date))).map((row) => shown(row, settings));
}

/**
 * Returns an account's balance on a date, on the company's basis, and the account's sign-offs. Throws 404 if the
 * account does not exist.
 */
export async function accountSignOffs(
  ctx: Ctx,
  accountId: number,
  date: IsoDate,
): Promise<ReplyOf<typeof closingCalls.accountSignOffs>> {
  const [settings, known] = await Promise.all([companySettings(ctx), ctx.tx.rows(accountSignOffsSql(accountId))]);
  const { info, balance } = await balanceOn(ctx, { accountId, date, settings });
  return { date, balance: naturalAmount(info, balance), signOffs: known.map((row) => shown(row, settings)) };
}

interface OnDate {
  accountId: number;
  date: IsoDate;
  settings: CompanySettings;
}

/**
 * Returns an account's balance on a date. Income and expenses start with the fiscal year. Throws 404 if the account
 * does not exist.
 */
async function balanceOn({ tx }: Ctx, { accountId, date, settings }: OnDate) {
  const [account] = await tx.rows(accountsByIdSql([accountId]));
  if (account === undefined) throw notFound('Account');
  const info = accountTypeInfo(account.type, account.contra);
  const from = isProfitAndLoss(info) ? fiscalYearStart(date, settings.fyStartMonth) : null;
  const basis = settings.reportingAccountingBasis === 1 ? 'cash' : 'accrual';
  const sum = await tx.one(accountSum({ basis, accountId, from: from ?? undefined, to: date }));
  return { info, from, basis, balance: cents(sum.amount) };
}

/**
 * Signs off on an account's balance as of a date. The ledger is locked, so that the balance includes all earlier
 * postings and no later ones. A repeated request changes nothing. Throws 404, or 409 if the balance differs from the
 * one that the user saw, or if the account is already signed off through this date.
 */
export async function signOffAccount(
  ctx: Ctx,
  input: BodyOf<typeof closingCalls.signOffAccount>,
): Promise<AccountSignOff> {
  const { tx, userId, by } = ctx;
  const { accountId, date } = input;
  const note = (input.note ?? '').trim();
  const settings = await companySettings(ctx);
  const [, [last], known] = await tx.inOrder([
    lockNextPostingSql(),
    lastTransactionSql(),
    signOffs.find({ accountId, date }),
  ]);
  const { info, from, basis, balance } = await balanceOn(ctx, { accountId, date, settings });
  const [earlier] = known;
  if (earlier !== undefined) {
    const isRepeated = earlier.createdBy === userId && earlier.note === note && earlier.balance === balance;
    if (isRepeated) return found(ctx, accountId, earlier.id, settings);
    throw conflict(
      `${earlier.person} already signed off this account through ${formatDate(date)}. Withdraw that sign-off first.`,
    );
  }
  const natural = naturalAmount(info, balance);
  if (natural !== input.balance) {
    throw conflict(`The balance is now ${formatUsd(natural)}. Review the account and sign it off again.`);
  }
  const { id } = await tx.one(
    signOffs.insert(
      {
        accountId,
        date,
        from,
        basis: basis === 'cash' ? 'C' : 'A',
        balance,
        lastTransactionId: present(last, 'the ledger head').id,
        note,
        createdBy: userId,
        person: by.person,
      },
      ['id'],
    ),
  );
  return record(ctx, subject, { after: await found(ctx, accountId, id, settings) });
}

async function found(ctx: Ctx, accountId: number, id: number, settings: CompanySettings): Promise<AccountSignOff> {
  const row = (await ctx.tx.rows(accountSignOffsSql(accountId))).find((each) => each.id === id);
  return shown(present(row, 'the sign-off'), settings);
}

/** Withdraws a sign-off. The audit log still shows it. Throws 404 if the sign-off does not exist. */
export async function withdrawSignOff(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const { tx } = ctx;
  const [row] = await tx.rows(signOffs.find({ id }, { lock: 'for update' }));
  if (row === undefined) throw notFound('Sign-off');
  const before = await found(ctx, row.accountId, id, await companySettings(ctx));
  record(ctx, subject, { before, write: signOffs.delete({ id }) });
  return { ok: true };
}
