import { requireNewPassword, hashPassword } from '../../across/auth/passwords.ts';
import { readAddress } from '../../across/auth/register.ts';
import { findForSignIn } from '../../across/auth/signin.sql.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { installation } from '../../platform/db/tx.ts';
import { productionTuning } from '../../platform/http/context.ts';
import { createCompany } from '../../across/setup/company.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';
import { type Command, type CommandContext, optionalOption, requiredOption, UsageError } from './command.ts';

const text = { type: 'string' } as const;

/**
 * Creates a company with the default chart of accounts and its administrator. A new user has a verified email address
 * and has not accepted the terms. An existing account is not changed.
 */
export const companyCreate: Command = {
  name: 'company create',
  usage: '--name N --email E [--password P --first-name F --last-name L, for a new user] [--time-zone TZ]',
  options: {
    name: text,
    email: text,
    password: text,
    'first-name': text,
    'last-name': text,
    'time-zone': text,
  },
  run: async (context) => {
    const displayname = requiredOption(context, 'name').trim();
    const email = readAddress(requiredOption(context, 'email'));
    const timeZone = optionalOption(context, 'time-zone');
    const isNew = PERSON.some((option) => optionalOption(context, option) !== undefined);
    const administrator = isNew ? await newcomer(context, { email, displayname }) : undefined;
    const { pool } = await context.database();
    const made = { displayname, timeZone, administrator: administrator ?? (await known(pool, email)) };
    return { result: await createCompany(pool, made) };
  },
};

const PERSON = ['password', 'first-name', 'last-name'] as const;

async function newcomer(context: CommandContext, { email, displayname }: { email: string; displayname: string }) {
  const password = requiredOption(context, 'password');
  const firstName = requiredOption(context, 'first-name').trim();
  const lastName = requiredOption(context, 'last-name').trim();
  await requireNewPassword({ password, confirmPassword: password }, context.config.passwordMin, [email, displayname]);
  const passwordHash = await hashPassword(password, productionTuning.passwordCost);
  return { email, firstName, lastName, passwordHash, isVerified: true, termsVersion: null };
}

/** Returns the registered user with this email address. */
async function known(pool: Pool, email: string) {
  const [user] = await installation(pool, findForSignIn(email));
  if (user !== undefined && user.passwordHash !== null && email !== DEMO_EMAIL) return { userId: user.userId, email };
  throw new UsageError(`--password is required because no user is registered with ${email}`);
}
