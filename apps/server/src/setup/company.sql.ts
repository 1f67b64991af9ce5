import { sql } from 'kysely';
import { CHECKING, masterAccounts, SALES_TAX_PAYABLE } from '@evenkeel/core/accounts';
import { db } from '../db/query.ts';

/** The rows a company starts with. Each function answers one statement; ids that rules name are fixed. */

export const nextCompanyId = () =>
  sql<{ companyId: number }>`select nextval(pg_get_serial_sequence('company', 'company_id')) as "companyId"`;

export const insertCompany = (companyId: number, company: { displayname: string; timeZone: string }) =>
  db
    .insertInto('company')
    .values({ company_id: companyId, displayname: company.displayname, time_zone: company.timeZone });

export const insertHead = (companyId: number) => db.insertInto('ledger_head').values({ company_id: companyId });

const categories = [...new Set(masterAccounts.map((account) => account.category))];

export const insertCategories = (companyId: number) =>
  db
    .insertInto('account_category')
    .values(categories.map((name) => ({ company_id: companyId, category_name: name })))
    .returning(['id', 'category_name as name']);

export const insertAccounts = (companyId: number, categoryIds: ReadonlyMap<string, number>) =>
  db.insertInto('account').values(
    masterAccounts.map((account) => ({
      company_id: companyId,
      id: account.id,
      master_account_id: account.id,
      account_number: account.accountNumber,
      account_name: account.accountName,
      account_type: account.accountTypeLabel,
      root: account.root,
      contra: account.contra,
      system: account.system,
      category_id: categoryIds.get(account.category) ?? 0,
    })),
  );

/** Names and texts as Specification part 2 §3 "Financial settings" gives them. */
const SETTINGS = {
  useAccountNumbers: 'false',
  useProfitCenters: 'false',
  useLocations: 'false',
  defaultARAccountId: '138',
  defaultAPAccountId: '139',
  defaultREAccountId: '137',
  fyStartMonth: '1',
  reportingAccountingBasis: '0',
};

export const insertSettings = (companyId: number) =>
  db.insertInto('setting').values(
    Object.entries(SETTINGS).map(([name, value], index) => ({
      company_id: companyId,
      id: index + 1,
      setting_name: name,
      setting_value: value,
    })),
  );

export interface NewRole {
  roleName: string;
  permissions: readonly string[];
}

export const insertSystemRoles = (companyId: number, roles: readonly NewRole[]) =>
  db
    .insertInto('role')
    .values(
      roles.map(({ roleName, permissions }) => ({
        company_id: companyId,
        role_name: roleName,
        system_role: true,
        permissions: [...permissions],
      })),
    )
    .returning(['id', 'role_name as roleName']);

const PAYMENT_TYPES = ['Cash', 'Check', 'Credit Card', 'ACH', 'Wire', 'Other'];

export const insertPaymentTypes = (companyId: number) =>
  db
    .insertInto('payment_type')
    .values(PAYMENT_TYPES.map((name, index) => ({ company_id: companyId, id: index + 1, display_name: name })));

export const insertChecking = (companyId: number) =>
  db.insertInto('banking_account').values({ company_id: companyId, name: 'Checking', gl_account_id: CHECKING });

/** One scenario without items, quarterly: no tax is charged until the company enters its rates. */
export const insertSalesTax = (companyId: number) =>
  db
    .insertInto('sales_tax_scenario')
    .values({ company_id: companyId, gl_account_id: SALES_TAX_PAYABLE, filing_frequency: 2 });

export interface NewAdministrator {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  isVerified: boolean;
  /** The version accepted by the user's own act; null when that is still to come. */
  termsVersion: string | null;
}

export const insertAdministrator = (user: NewAdministrator) => sql<{ id: number }>`
  insert into app_user (email, first_name, last_name, password_hash, email_verified_at, terms_version,
    terms_accepted_at)
  values (${user.email}, ${user.firstName}, ${user.lastName}, ${user.passwordHash},
    case when ${user.isVerified}::boolean then now() end, ${user.termsVersion}::text,
    case when ${user.termsVersion}::text is not null then now() end)
  returning id`;

export const insertMembership = (row: {
  userId: number;
  companyId: number;
  roleId: number;
  role: NewRole;
  timeZone: string;
}) =>
  db.insertInto('membership').values({
    user_id: row.userId,
    company_id: row.companyId,
    role_id: row.roleId,
    role_name: row.role.roleName,
    system_role: true,
    time_zone: row.timeZone,
    permissions: [...row.role.permissions],
  });

/** The link of the first start dies with the first company, however that came to be. */
export const retireFirstLink = () => sql`update token set used_at = now() where kind = 'first' and used_at is null`;
