import { AREAS } from '@evenkeel/contract/areas';
import { conflict, Failure, refuse } from '@evenkeel/core/failure';
import { roles } from '../auth/roles.sql.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { memberships } from '../../platform/http/session.ts';
import { isTimeZone } from '../../platform/clock.ts';
import { isUniqueViolation } from '../../platform/db/errors.ts';
import { inCompany, installation, type Tx } from '../../platform/db/tx.ts';
import { companies } from '../../features/settings/company.sql.ts';
import { sql } from 'kysely';
import * as rows from './company.sql.ts';

const everything = AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`]);

/** A bookkeeper's permissions: Manage in every area except Dashboard and Reports, which a bookkeeper can only view. */
const books = AREAS.flatMap((area) =>
  area === 'Dashboard' || area === 'Reports' ? [`View ${area}`] : [`View ${area}`, `Manage ${area}`],
);

const ADMINISTRATOR_ROLE = { roleName: 'Administrator', systemRole: true, roleProperties: everything };

/** The roles that every company has. */
const SYSTEM_ROLES = [
  ADMINISTRATOR_ROLE,
  { roleName: 'Superuser', systemRole: true, roleProperties: everything },
  { roleName: 'Bookkeeper', systemRole: true, roleProperties: books },
  { roleName: 'Read Only', systemRole: true, roleProperties: AREAS.map((area) => `View ${area}`) },
];

export interface NewCompany {
  displayname: string;
  /** The IANA name of the time zone. Defaults to the schema's default. */
  timeZone?: string | undefined;
  /** A new user, or a user who already has an account. */
  administrator: rows.NewAdministrator | rows.KnownAdministrator;
}

export interface CreatedCompany {
  companyId: number;
  userId: number;
  email: string;
}

const DEFAULT_TIME_ZONE = 'America/New_York';

/**
 * Creates a company with the default chart of accounts, settings, system roles, payment types, a Checking account, a
 * sales tax scenario without items, and its administrator, in one transaction. Throws 422 for a blank name or an
 * unknown time zone, and 409 for an email address that already has an account.
 */
export async function createCompany(pool: Pool, wanted: NewCompany): Promise<CreatedCompany> {
  const timeZone = wanted.timeZone ?? DEFAULT_TIME_ZONE;
  if (wanted.displayname === '')
    throw refuse('Please enter a Company name', { companyName: 'Company Name is required' });
  if (!isTimeZone(timeZone)) throw refuse(`The time zone ${timeZone} doesn't exist`, { timeZone: 'is not known' });
  const [reserved] = await installation(pool, rows.nextCompanyId());
  if (reserved === undefined) throw new Error('no company ID was given');
  const { companyId } = reserved;
  try {
    return await inCompany(pool, companyId, async (tx) => {
      const created = await writeCompany(tx, { ...wanted, timeZone });
      tx.atEnd(rows.retireFirstLink());
      return created;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'app_user_email')) throw conflict('A user with this email address already exists');
    throw error;
  }
}

/** Returns whether an error means that the email address already has an account. */
export function isKnownAddress(error: unknown): boolean {
  return error instanceof Failure && error.code === 'conflict';
}

/**
 * Writes the company's rows without invalidating the first-start link, which must stay valid after a demo company is
 * created. The company uses its administrator's email address until a user sets another one.
 */
export async function writeCompany(tx: Tx, wanted: NewCompany & { timeZone: string }): Promise<CreatedCompany> {
  const { companyId } = tx;
  const { displayname, timeZone, administrator } = wanted;
  const [, , categories, made, [user]] = await tx.inOrder([
    companies.insert({ id: companyId, displayname, timeZone, details: { emailAddress: administrator.email } }),
    rows.ledgerHeads.insert({ companyId }),
    rows.insertCategories(),
    roles.insertMany(SYSTEM_ROLES, ['id', 'roleName']),
    'userId' in administrator ? rows.findAdministrator(administrator) : rows.insertAdministrator(administrator),
  ]);
  const role = made.find((each) => each.roleName === ADMINISTRATOR_ROLE.roleName);
  if (role === undefined || user === undefined) throw new Error('the administrator was not created');
  const { roleProperties: permissions, ...administration } = ADMINISTRATOR_ROLE;
  tx.atEnd(
    rows.insertAccounts(new Map(categories.map((row) => [row.categoryName, row.id]))),
    rows.insertSettings(),
    rows.insertPaymentTypes(),
    rows.insertChecking(),
    rows.insertSalesTax(),
    memberships.insert({
      ...administration,
      userId: user.id,
      companyId,
      companyName: displayname,
      roleId: role.id,
      timeZone,
      permissions,
      acceptedAt: sql`now()`,
      requestKey: 'userId' in administrator ? (administrator.requestKey ?? null) : null,
    }),
  );
  return { companyId, userId: user.id, email: administrator.email };
}
