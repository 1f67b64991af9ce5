import { sql } from 'kysely';
import { installation } from '../../platform/db/tx.ts';
import { ADMINISTRATOR, hashOf, isOpen, newSecret, sessions } from '../../platform/http/session.ts';
import { companyOption } from './companies.ts';
import { type CommandContext, optionalOption, UsageError } from './command.ts';

const text = { type: 'string' } as const;

/** The options of a call on the server's own machine, which needs no API key. */
export const localOptions = { company: text, user: text } as const;

/** The name of the session in the user's list of devices, and in the audit log. */
const DEVICE = 'Command line';
const MINUTES = 10;

/**
 * Runs a call as a user of the company given by `--company`: the user given by `--user`, or the first administrator.
 * Opens a session in the database and ends it after the call. Anyone with access to the database already has these
 * rights. Returns undefined without `--company`.
 */
export async function withLocalSession<T>(
  context: CommandContext,
  use: (token: string) => Promise<T>,
): Promise<T | undefined> {
  const companyId = companyOption(context);
  const email = optionalOption(context, 'user');
  if (companyId === undefined && email !== undefined) throw new UsageError('--user requires --company');
  if (companyId === undefined) return undefined;
  const { pool } = await context.database();
  const chosen =
    email === undefined ? sql`m.system_role and m.role_name = ${ADMINISTRATOR}` : sql`lower(u.email) = lower(${email})`;
  const [user] = await installation(
    pool,
    sql<{ userId: number }>`
      select m.user_id as "userId"
      from membership m join app_user u on u.id = m.user_id
      where m.company_id = ${companyId} and ${isOpen}
        and ${chosen}
      order by m.user_id limit 1`,
  );
  if (user === undefined) {
    throw new UsageError(
      email === undefined
        ? `company ${companyId} does not exist or has no administrator`
        : `${email} is not a user of company ${companyId}`,
    );
  }
  const token = newSecret();
  const tokenHash = hashOf(token);
  const expiresAt = sql`now() + make_interval(mins => ${MINUTES})`;
  await installation(
    pool,
    sessions.insert({ tokenHash, family: tokenHash, ...user, companyId, device: DEVICE, expiresAt }),
  );
  try {
    return await use(token);
  } finally {
    await installation(pool, sql`delete from session where token_hash = ${tokenHash}`);
  }
}
