import { sql } from 'kysely';
import { CHECKING, masterAccounts, SALES, SALES_TAX_PAYABLE } from '@evenkeel/core/books/accounts';
import { present } from '@evenkeel/core/failure';
import { settingNames, settingRule } from '@evenkeel/core/settings';
import { tokens } from '../auth/tokens.sql.ts';
import { users } from '../../platform/http/session.ts';
import { bankingAccounts } from '../../features/banking/accounts.sql.ts';
import { paymentTypes } from '../../features/banking/payment-types.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { accounts } from '../../books/ledger/accounts.sql.ts';
import { accountCategories } from '../../features/accounting/dimensions.ts';
import { scenarios } from '../../features/settings/salestax.sql.ts';
import { settings } from '../../books/company-settings.ts';

/** The initial rows of a company. Each function returns one SQL statement. IDs that rules refer to are fixed. */

export const nextCompanyId = () =>
  sql<{ companyId: number }>`select nextval(pg_get_serial_sequence('company', 'company_id')) as "companyId"`;

/** The counters and the end of the hash chain. There is one row per company. */
export const ledgerHeads = table('ledger_head', { companyId: 'company_id' });

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

/** A company's initial settings, without a closing date. */
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

/** One quarterly scenario without items, so that no tax is charged until the company enters its rates. */
export const insertSalesTax = () => scenarios.insert({ glAccountId: SALES_TAX_PAYABLE, filingFrequency: 2 });

export interface NewAdministrator {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  isVerified: boolean;
  /** The version that the user accepted, or null if the user has not accepted yet. */
  termsVersion: string | null;
}

/** A user with an account who becomes the administrator of another company. */
export interface KnownAdministrator {
  userId: number;
  email: string;
  /** The request's idempotency key. A second company with the same key violates `membership_request`. */
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

/** Invalidates the first-start link as soon as the first company is created in any way. */
export const retireFirstLink = () => tokens.update({ kind: 'first', usedAt: null }, { usedAt: sql`now()` });

/** Returns the sales account for a first product: Sales, or the first income account if Sales is inactive. */
export const salesAccount = () =>
  sql<{ id: number }>`
    select a.id from account a
    where a.company_id = ${COMPANY} and a.active and a.root = 'Income' and not a.contra
    order by a.id <> ${SALES}, a.id limit 1`;
