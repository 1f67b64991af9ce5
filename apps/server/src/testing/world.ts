import { sql } from 'kysely';
import { type Connection, openPool, type Pool } from '../db/connect.ts';
import { inCompany, installation } from '../db/tx.ts';
import { hashPassword } from '../auth/passwords.ts';
import { loadLegal } from '../auth/legal.ts';
import { newSecret, sessionInsert } from '../http/session.ts';
import { createCompany } from '../setup/company.ts';
import { testConfig, testTuning } from './settings.ts';

/** A person who is signed in, terms accepted. Everybody's password is PASSWORD. */
export interface Person {
  userId: number;
  companyId: number;
  email: string;
  token: string;
}

export interface WorldCompany {
  companyId: number;
  displayname: string;
  administrator: Person;
  superuser: Person;
  bookkeeper: Person;
  /** Has the role Read Only. */
  reader: Person;
  /** Has a role without any permission. */
  stranger: Person;
}

/** The world of a test: two separate companies, each with the default chart. */
export interface World {
  company: WorldCompany;
  other: WorldCompany;
}

export const PASSWORD = 'correct horse battery';

/** Writes the world into a migrated database. */
export async function buildWorld(connection: Connection): Promise<World> {
  const pool = openPool({ connection, as: 'runtime', max: 2 });
  try {
    return { company: await addCompany(pool, 'Harbor Supply'), other: await addCompany(pool, 'Second Street') };
  } finally {
    await pool.end();
  }
}

const slugOf = (name: string): string => name.toLowerCase().replace(/\W+/g, '-');

/** One more company, with a person of each role. */
export async function addCompany(pool: Pool, displayname: string): Promise<WorldCompany> {
  const slug = slugOf(displayname);
  const email = `ada@${slug}.example`;
  const { termsVersion } = await loadLegal(undefined);
  const passwordHash = await hashPassword(PASSWORD, testTuning.passwordCost);
  const administrator = { email, firstName: 'Ada', lastName: 'Admin', passwordHash, isVerified: true, termsVersion };
  const { companyId, userId } = await createCompany(pool, { displayname, administrator });
  await inCompany(pool, companyId, (tx) =>
    tx.rows(sql`
      insert into role (company_id, role_name, permissions) values (${companyId}, 'No Access', '{}')`),
  );
  const admin = await signedIn(pool, { userId, companyId, email });
  const join = (roleName: string, firstName: string) => addPerson(pool, { companyId, slug, roleName, firstName });
  return {
    companyId,
    displayname,
    administrator: admin,
    superuser: await join('Superuser', 'Sue'),
    bookkeeper: await join('Bookkeeper', 'Bob'),
    reader: await join('Read Only', 'Rita'),
    stranger: await join('No Access', 'Nora'),
  };
}

async function signedIn(pool: Pool, who: Omit<Person, 'token'>): Promise<Person> {
  const token = newSecret();
  await installation(pool, sessionInsert(token, who, testConfig()));
  return { ...who, token };
}

interface NewPerson {
  companyId: number;
  slug: string;
  roleName: string;
  firstName: string;
}

/** A user of the company with a role by its name. */
export async function addPerson(pool: Pool, { companyId, slug, roleName, firstName }: NewPerson): Promise<Person> {
  const email = `${firstName.toLowerCase()}@${slug}.example`;
  const [{ termsVersion }, hash] = await Promise.all([
    loadLegal(undefined),
    hashPassword(PASSWORD, testTuning.passwordCost),
  ]);
  const userId = await inCompany(pool, companyId, async (tx) => {
    const user = await tx.row(sql<{ id: number }>`
      insert into app_user (email, first_name, last_name, password_hash, email_verified_at, terms_version,
        terms_accepted_at)
      values (${email}, ${firstName}, 'Person', ${hash}, now(), ${termsVersion}, now()) returning id`);
    if (user === undefined) throw new Error('the person was not written');
    const member = await tx.row(sql<{ id: number }>`
      insert into membership (user_id, company_id, role_id, role_name, system_role, time_zone, permissions)
      select ${user.id}, r.company_id, r.id, r.role_name, r.system_role, c.time_zone, r.permissions
      from role r join company c on c.company_id = r.company_id
      where r.company_id = ${companyId} and r.role_name = ${roleName} returning user_id as id`);
    if (member === undefined) throw new Error(`there is no role ${roleName}`);
    return user.id;
  });
  return signedIn(pool, { userId, companyId, email });
}
