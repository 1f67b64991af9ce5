import { sql } from 'kysely';
import { CHECKING, masterAccounts, SALES, SALES_TAX_PAYABLE } from '@evenkeel/core/books/accounts';
import { present } from '@evenkeel/core/failure';
import { settingNames, settingRule } from '@evenkeel/core/settings';
import { tokens } from '../auth/tokens.sql.ts';
import { users } from '../../platform/http/session.ts';
import { bankingAccounts } from '../../features/banking/accounts.sql.ts';
import { paymentTypes } from '../../features/banking/payment-types.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { accounts } from '../../books/ledger/accounts.sql.ts';
import { accountCategories } from '../../features/accounting/dimensions.ts';
import { scenarios } from '../../features/settings/salestax.sql.ts';
import { settings } from '../../books/company-settings.ts';

/** The rows a company starts with. Each function answers one statement; ids that rules name are fixed. */

export const nextCompanyId = () =>
  sql<{ companyId: number }>`select nextval(pg_get_serial_sequence('company', 'company_id')) as "companyId"`;

const categoryNames = [...new Set(masterAccounts.map((account) => account.category))];

export const insertCategories = () =>
  accountCategories.table.insertMany(
    categoryNames.map((categoryName) => ({ categoryName })),
    ['id', 'categoryName'],
  );

export function insertAccounts(categoryIds: ReadonlyMap<string, number>): Runnable<unknown> {
  return accounts.insertMany(
    masterAccounts.map((account) => ({
      id: account.id,
      masterAccountId: account.id,
      number: account.accountNumber,
      name: account.accountName,
      type: account.accountTypeLabel,
      root: account.root,
      contra: account.contra,
      system: account.system,
      categoryId: present(categoryIds.get(account.category), `category ${account.category}`),
    })),
  );
}

/** The first settings of a company; a closing date comes later. */
export const insertSettings = () =>
  settings.insertMany(
    settingNames
      .filter((name) => name !== 'closingDate')
      .map((name) => ({ id: settingRule(name).id, settingName: name, settingValue: settingRule(name).initial })),
  );

const PAYMENT_TYPES = ['Cash', 'Check', 'Credit Card', 'ACH', 'Wire', 'Other'];

export const insertPaymentTypes = () =>
  paymentTypes.table.insertMany(PAYMENT_TYPES.map((displayName, index) => ({ id: index + 1, displayName })));

export const insertChecking = () => bankingAccounts.insert({ name: 'Checking', glAccountId: CHECKING });

/** One scenario without items, quarterly: no tax is charged until the company enters its rates. */
export const insertSalesTax = () => scenarios.insert({ glAccountId: SALES_TAX_PAYABLE, filingFrequency: 2 });

export interface NewAdministrator {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  isVerified: boolean;
  /** The version accepted by the user's own act; null when that is still to come. */
  termsVersion: string | null;
}

/** Who has an account, and is a further company's administrator from now on. */
export interface KnownAdministrator {
  userId: number;
  email: string;
  /** The key of the request: another with the same one breaks `membership_request`. */
  requestKey?: string | undefined;
}

export const findAdministrator = ({ userId }: KnownAdministrator): Runnable<{ id: number }> => sql<{ id: number }>`
  select id from app_user where id = ${userId} for no key update`;

export function insertAdministrator({ isVerified, ...user }: NewAdministrator): Runnable<{ id: number }> {
  const now = sql`now()`;
  const emailVerifiedAt = isVerified ? now : null;
  const termsAcceptedAt = user.termsVersion === null ? null : now;
  return users.insert({ ...user, emailVerifiedAt, termsAcceptedAt }, ['id']);
}

/** The link of the first start dies with the first company, however that came to be. */
export const retireFirstLink = () => tokens.update({ kind: 'first', usedAt: null }, { usedAt: sql`now()` });

/** The account that a first product is sold on: Sales, or the first income account where that was removed. */
export const salesAccount = () =>
  sql<{ id: number }>`
    select a.id from account a
    where a.company_id = ${COMPANY} and a.active and a.root = 'Income' and not a.contra
    order by a.id <> ${SALES}, a.id limit 1`;
