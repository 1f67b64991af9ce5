import { sql } from 'kysely';
import { COMPANY } from '../db/query.ts';
import { FROM_THE_FUTURE } from '../http/limits.ts';
import { hashOf, isFactorMissing, memberships, sessions, users } from '../http/session.ts';

export interface SignInRow {
  userId: number;
  companyId: number;
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string | null;
  isVerified: boolean;
  termsVersion: string | null;
  roleId: number;
  roleName: string;
  permissions: string[];
  secondFactorMissing: boolean;
}

export const findForSignIn = (email: string) => sql<SignInRow>`
  select ${users.columns('u', ['email', 'firstName', 'lastName', 'passwordHash', 'termsVersion'])},
    ${memberships.columns('m', ['userId', 'companyId', 'roleId', 'roleName', 'permissions'])},
    u.email_verified_at is not null as "isVerified", ${isFactorMissing} as "secondFactorMissing"
  from app_user u join membership m on m.user_id = u.id
  where lower(u.email) = ${email}`;

const now = sql`now()`;

/** Days that a network is remembered after a sign-in. */
const PLACE_DAYS = 90;

/** One row when the user of this address has signed in from the network. */
export const isPlaceOf = (email: string, network: string) => sql<{ userId: number }>`
  select p.user_id as "userId"
  from app_user u join sign_in_place p on p.user_id = u.id
  where lower(u.email) = ${email} and p.network = ${network}
    and p.last_at between now() - make_interval(days => ${PLACE_DAYS}) and ${FROM_THE_FUTURE}`;

export const rememberPlace = (userId: number, network: string) => sql`
  insert into sign_in_place as p (user_id, network) values (${userId}, ${network})
  on conflict (user_id, network) do update set last_at = now()
    where p.last_at not between now() - interval '1 day' and ${FROM_THE_FUTURE}`;

export const noteSignIn = (userId: number) => users.update({ id: userId }, { lastSignInAt: now });

export const deleteOldPlaces = () => sql`
  delete from sign_in_place where last_at < now() - make_interval(days => ${PLACE_DAYS})`;

/** Facts of a session's company. */
export const companyOf = (companyId: number) => sql<{ setupCompleted: boolean; companySince: string }>`
  select setup_completed as "setupCompleted",
    (extract(epoch from created_at) * 1000000)::bigint::text as "companySince"
  from company where company_id = ${companyId}`;

export const deleteSession = (tokenHash: Buffer) => sessions.delete({ tokenHash });

export const deleteOtherSessionsOf = (userId: number, tokenHash: Buffer) =>
  sql`delete from session where user_id = ${userId} and token_hash <> ${tokenHash}`;

export const deleteSessionsOf = (userId: number) => sessions.delete({ userId });

/** A new token for the same session; nothing when the old one is gone. */
export const rotateSession = (oldHash: Buffer, token: string) =>
  sessions.update({ tokenHash: oldHash }, { tokenHash: hashOf(token) }, ['userId']);

/** An address that was verified once keeps its day. */
const verified = sql`coalesce(email_verified_at, now())`;

export const acceptTerms = (id: number, termsVersion: string) =>
  users.update({ id }, { termsVersion, termsAcceptedAt: now });

export const verifyEmail = (id: number) => users.update({ id }, { emailVerifiedAt: verified });

/** A new password; whoever has the link has the mailbox, so the address is verified too. */
export const resetPassword = (id: number, passwordHash: string) =>
  users.update({ id }, { passwordHash, emailVerifiedAt: verified });

export const changePassword = (id: number, passwordHash: string) => users.update({ id }, { passwordHash });

/** Who has an account: the address, the company and the password's hash. */
export const findOwner = (userId: number) => sql<Owner>`
  select ${users.columns('u', ['email', 'passwordHash'])}, m.user_id as "userId", m.company_id as "companyId"
  from app_user u join membership m on m.user_id = u.id where u.id = ${userId}`;

export interface Owner {
  userId: number;
  companyId: number;
  email: string;
  passwordHash: string | null;
}

export const companyName = () => sql<{ name: string }>`
  select displayname as name from company where company_id = ${COMPANY}`;

export const completeInvitation = (
  id: number,
  user: { firstName: string; lastName: string; passwordHash: string; termsVersion: string },
) => users.update({ id }, { ...user, emailVerifiedAt: now, termsAcceptedAt: now, rowVersion: sql`row_version + 1` });
