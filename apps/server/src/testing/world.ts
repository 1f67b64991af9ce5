import { present } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { type Connection, openPool, type Pool } from '../platform/db/connect.ts';
import { inCompany, inInstallation } from '../platform/db/tx.ts';
import { hashPassword } from '../across/auth/passwords.ts';
import { loadLegal } from '../across/auth/legal.ts';
import { newSecret, sessionInsert } from '../platform/http/session.ts';
import { createCompany } from '../across/setup/company.ts';
import { testConfig, testTuning } from './settings.ts';

/** A signed-in user who has accepted the terms. The password of all users is PASSWORD. */
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
  /** The user with the role Read Only. */
  reader: Person;
  /** The user with a role that has no permissions. */
  stranger: Person;
}

/** The test world: two separate companies, each with the default chart of accounts. */
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

/** Adds another company, with a user in each role. */
export async function addCompany(pool: Pool, displayname: string): Promise<WorldCompany> {
  const slug = slugOf(displayname);
  const email = `ada@${slug}.example`;
  const { termsVersion, passwordHash } = await everybodys();
  const administrator = { email, firstName: 'Ada', lastName: 'Admin', passwordHash, isVerified: true, termsVersion };
  const { companyId, userId } = await createCompany(pool, { displayname, administrator });
  await inCompany(pool, companyId, (tx) =>
    tx.rows(sql`
      insert into role (company_id, role_name, permissions) values (${companyId}, 'No Access', '{}')`),
  );
  const [admin] = await signedIn(pool, [{ userId, companyId, email }]);
  const [superuser, bookkeeper, reader, stranger] = await addPeople(pool, companyId, [
    { slug, roleName: 'Superuser', firstName: 'Sue' },
    { slug, roleName: 'Bookkeeper', firstName: 'Bob' },
    { slug, roleName: 'Read Only', firstName: 'Rita' },
    { slug, roleName: 'No Access', firstName: 'Nora' },
  ]);
  return {
    companyId,
    displayname,
    administrator: present(admin, 'administrator'),
    superuser: present(superuser, 'superuser'),
    bookkeeper: present(bookkeeper, 'bookkeeper'),
    reader: present(reader, 'reader'),
    stranger: present(stranger, 'stranger'),
  };
}

async function signedIn(pool: Pool, people: readonly Omit<Person, 'token'>[]): Promise<Person[]> {
  return inInstallation(pool, async (run) => {
    const all: Person[] = [];
    for (const who of people) {
      const token = newSecret();
      await run(sessionInsert(token, who, testConfig()));
      all.push({ ...who, token });
    }
    return all;
  });
}

/**
 * Returns the version of the terms and the password hash for all users. Both are computed only once, because tests
 * create thousands of users.
 */
function everybodys(): Promise<{ termsVersion: string; passwordHash: string }> {
  known ??= Promise.all([loadLegal(undefined), hashPassword(PASSWORD, testTuning.passwordCost)]).then(
    ([{ termsVersion }, passwordHash]) => ({ termsVersion, passwordHash }),
  );
  return known;
}
let known: ReturnType<typeof everybodys> | undefined;

interface NewPerson {
  slug: string;
  roleName: string;
  firstName: string;
}

/** Adds users with the given roles to the company, in that order. */
async function addPeople(pool: Pool, companyId: number, people: readonly NewPerson[]): Promise<Person[]> {
  const { termsVersion, passwordHash } = await everybodys();
  const emails = people.map(({ slug, firstName }) => `${firstName.toLowerCase()}@${slug}.example`);
  const [names, roles] = [people.map(({ firstName }) => firstName), people.map(({ roleName }) => roleName)];
  const members = await inCompany(pool, companyId, (tx) =>
    tx.rows(sql<{ userId: number; email: string }>`
      with given as (
        select * from unnest(${emails}::text[], ${names}::text[], ${roles}::text[]) g (email, first_name, role_name)
      ), made as (
        insert into app_user (email, first_name, last_name, password_hash, email_verified_at, terms_version,
          terms_accepted_at)
        select email, first_name, 'Person', ${passwordHash}, now(), ${termsVersion}, now() from given
        returning id, email
      ), joined as (
        insert into membership (user_id, company_id, company_name, role_id, role_name, system_role, time_zone,
          permissions, second_factor_rule, accepted_at)
        select made.id, r.company_id, c.displayname, r.id, r.role_name, r.system_role, c.time_zone, r.permissions,
          c.second_factor_rule, now()
        from made join given using (email)
        join role r on r.company_id = ${companyId} and r.role_name = given.role_name
        join company c on c.company_id = r.company_id
        returning user_id
      )
      select joined.user_id as "userId", made.email from joined join made on made.id = joined.user_id`),
  );
  const missing = people.filter((_, at) => !members.some(({ email }) => email === emails[at]));
  if (missing.length > 0) throw new Error(`there is no role ${missing.map(({ roleName }) => roleName).join()}`);
  const inOrder = members.toSorted((a, b) => emails.indexOf(a.email) - emails.indexOf(b.email));
  return signedIn(
    pool,
    inOrder.map((member) => ({ ...member, companyId })),
  );
}

/** Adds a user with the given role to the company. */
export async function addPerson(
  pool: Pool,
  { companyId, ...person }: NewPerson & { companyId: number },
): Promise<Person> {
  const [added] = await addPeople(pool, companyId, [person]);
  return present(added, 'person');
}
