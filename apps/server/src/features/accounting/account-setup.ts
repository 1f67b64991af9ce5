import { AccountSetup, type AccountSetupInput } from '@evenkeel/contract/ledger';
import {
  accountTypeInfo,
  FIRST_USER_ACCOUNT,
  isProfitAndLoss,
  type MasterAccount,
  masterAccount,
} from '@evenkeel/core/books/accounts';
import { addDays, fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import { Failure, type FieldMessages, notFound, present, refuse } from '@evenkeel/core/failure';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import type * as z from 'zod';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { type CompanySettings, settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { type AccountUse, accountUseSql, highestAccountSql, lockCompanySql, namesakeSql } from './account-setup.sql.ts';
import { type AccountRow, accounts, accountsByIdSql, lockAccountSql } from '../../books/ledger/accounts.sql.ts';
import { accountSum } from '../../books/ledger/balances.sql.ts';
import { accountCategories } from './dimensions.ts';
import { inactive } from '../../books/ledger/references.ts';

type Setup = z.output<typeof AccountSetup>;

const subject: Subject<typeof AccountSetup> = {
  name: 'account',
  schema: AccountSetup,
  idOf: (account) => account.customerAccountID,
};

/**
 * Adds an account (ID 0) under a master account, or renames an existing account, or makes it active or inactive
 * (`selected` false). The type and base never change. Throws 404 for an unknown account, 409 if the name is taken or
 * the version is outdated, and 422 if validation fails.
 */
export async function setupAccount(ctx: Ctx, input: AccountSetupInput): Promise<Setup> {
  return input.customerAccountID <= 0 ? addAccount(ctx, input) : changeAccount(ctx, input);
}

async function addAccount(ctx: Ctx, input: AccountSetupInput): Promise<Setup> {
  const master = masterAccount(input.masterAccountID ?? 0);
  const fields: FieldMessages = {};
  if (master === undefined) fields['masterAccountID'] = 'Please Select an Account';
  if (!input.accountNameLabel) fields['accountNameLabel'] = 'Please enter a name';
  if (input.selected === false) fields['selected'] = "A new account can't be removed";
  const name = input.accountNameLabel ?? '';
  if (master === undefined || Object.keys(fields).length > 0) throw invalid(fields);
  await requireFreeName(ctx, { id: 0, name });
  const [highest, [base]] = await Promise.all([
    ctx.tx.row(highestAccountSql()),
    ctx.tx.rows(accountsByIdSql([master.id])),
  ]);
  const account: AccountRow = {
    id: Math.max(FIRST_USER_ACCOUNT, (highest?.id ?? 0) + 1),
    masterAccountId: master.id,
    number: input.accountNumberLabel ?? '',
    name,
    type: master.accountTypeLabel,
    contra: master.contra,
    system: false,
    description: input.description ?? '',
    categoryName: '',
    categoryId: input.accountCategoryId
      ? await ownCategory(ctx, input.accountCategoryId)
      : present(base?.categoryId, 'master account category'),
    active: true,
    rowVersion: 1,
  };
  return record(ctx, subject, { after: setupOf(account), write: accounts.insert({ ...account, root: master.root }) });
}

async function changeAccount(ctx: Ctx, input: AccountSetupInput): Promise<Setup> {
  const id = input.customerAccountID;
  const [[account], [use], settings] = await ctx.tx.inOrder([lockAccountSql(id), accountUseSql(id), settingsSql()]);
  if (account === undefined) throw notFound('Account');
  const before = setupOf(account);
  requireFresh(AccountSetup, before, input.rowVersion);
  requireSameBase(account, input);
  const changed = { ...account, ...wanted(account, input), rowVersion: account.rowVersion + 1 };
  if (changed.name !== account.name) await requireFreeName(ctx, changed);
  if (changed.categoryId !== account.categoryId) await ownCategory(ctx, changed.categoryId);
  if (account.active && !changed.active && use !== undefined) {
    const company = toCompanySettings(settings);
    requireUnused(account, use, company);
    await requireNoBalance(ctx, account, company);
  }
  const action = changed.active ? 'update' : 'delete';
  return record(ctx, subject, { action, before, after: setupOf(changed), write: accounts.update({ id }, changed) });
}

/** Returns the account with the requested changes. Omitted fields keep their values. */
function wanted(account: AccountRow, input: AccountSetupInput) {
  if (input.accountNameLabel === '') throw invalid({ accountNameLabel: 'Please enter a name' });
  return {
    number: input.accountNumberLabel ?? account.number,
    name: input.accountNameLabel ?? account.name,
    description: input.description ?? account.description,
    categoryId: input.accountCategoryId || account.categoryId,
    active: input.selected ?? account.active,
  };
}

function requireSameBase(account: AccountRow, input: AccountSetupInput): void {
  if (!input.masterAccountID || input.masterAccountID === account.masterAccountId) return;
  throw invalid({ masterAccountID: "The base account can't be changed" });
}

/** Locks the company's account names, then checks whether the name is available. */
async function requireFreeName(ctx: Ctx, account: { id: number; name: string }): Promise<void> {
  const [, [namesake]] = await ctx.tx.inOrder([lockCompanySql(), namesakeSql(account)]);
  if (namesake === undefined) return;
  const message = 'An account with this name already exists, account names must be unique.';
  throw new Failure('conflict', message, { accountNameLabel: message });
}

async function ownCategory(ctx: Ctx, id: number): Promise<number> {
  const [category] = await ctx.tx.rows(accountCategories.table.find({ id }));
  if (category?.active === true) return id;
  throw invalid({ accountCategoryId: category === undefined ? 'Please Select a Category' : inactive('category') });
}

/** Throws 422 if the account is still in use. */
function requireUnused(account: AccountRow, use: AccountUse, settings: CompanySettings): void {
  const { defaultARAccountId, defaultAPAccountId, defaultREAccountId } = settings;
  const { discountsGivenAccountId, purchaseDiscountsAccountId } = settings;
  const ofDiscounts = [discountsGivenAccountId, purchaseDiscountsAccountId];
  const reasons: [boolean, string][] = [
    [account.system, 'it is a system account'],
    [[defaultARAccountId, defaultAPAccountId, defaultREAccountId].includes(account.id), 'it is a default account'],
    [ofDiscounts.includes(account.id), 'early-payment discounts are posted to it'],
    [use.bankingAccount !== null, `the bank account ${use.bankingAccount} uses it`],
    [use.isTaxAccount, 'it is the sales tax account'],
    [use.product !== null, `the product ${use.product} uses it`],
    [use.discount !== null, `the discount ${use.discount} uses it`],
    [use.bankRule !== null, `the bank rule ${use.bankRule} uses it`],
    [use.chargesInterest, 'finance charges are posted to it'],
    [use.takesOnlinePayments, 'online payments are posted to it'],
  ];
  const found = reasons.find(([holds]) => holds);
  if (found !== undefined) throw removal(account, found[1]);
}

const removal = ({ name }: AccountRow, reason: string): Failure =>
  invalid({ selected: `${name} can't be removed: ${reason}` });

/**
 * Throws 422 if the account has entries after today, or a balance in the chart of accounts on either basis. The
 * balances of income and expense accounts start with the fiscal year. The account stays on reports for earlier years.
 */
async function requireNoBalance(ctx: Ctx, account: AccountRow, settings: CompanySettings): Promise<void> {
  const { id: accountId } = account;
  const isOfYear = isProfitAndLoss(accountTypeInfo(account.type, account.contra));
  const from = isOfYear ? fiscalYearStart(ctx.today, settings.fyStartMonth) : undefined;
  const own: ReportBasis = settings.reportingAccountingBasis === 1 ? 'cash' : 'accrual';
  const sumOf = (basis: ReportBasis, range: { from?: IsoDate | undefined; to?: IsoDate }) =>
    ctx.tx.row(accountSum({ accountId, basis, ...range }));
  const [toDate, later] = [{ from, to: ctx.today }, { from: addDays(ctx.today, 1) }];
  const [accrual, cash, accrualLater, cashLater] = await Promise.all([
    sumOf('accrual', toDate),
    sumOf('cash', toDate),
    sumOf('accrual', later),
    sumOf('cash', later),
  ]);
  if (accrual?.amount !== 0) {
    throw removal(account, `its balance is not zero${own === 'accrual' ? '' : ' on the accrual basis'}`);
  }
  if (cash?.amount !== 0)
    throw removal(account, `its balance is not zero${own === 'cash' ? '' : ' on the cash basis'}`);
  if (accrualLater?.amount !== 0 || cashLater?.amount !== 0) throw removal(account, 'it has entries dated after today');
}

/** The message for the first invalid field is also the message for the request. */
function invalid(fields: FieldMessages): Failure {
  return refuse(Object.values(fields)[0] ?? 'The account could not be saved', fields);
}

function setupOf(account: AccountRow): Setup {
  const master: MasterAccount | undefined = masterAccount(account.masterAccountId);
  return {
    customerAccountID: account.id,
    customerAccountId: account.id,
    description: account.description,
    accountNumberLabel: account.number,
    accountNameLabel: account.name,
    masterAccountNumberLabel: master?.accountNumber ?? '',
    masterAccountNameLabel: master?.accountName ?? '',
    masterAccountID: account.masterAccountId,
    accountCategoryId: account.categoryId,
    selected: account.active,
    rowVersion: account.rowVersion,
  };
}
