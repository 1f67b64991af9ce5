import { sql } from 'kysely';
import { hashOf, memberships, sessions, users } from '../http/session.ts';

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
}

export const findForSignIn = (email: string) => sql<SignInRow>`
  select ${users.columns('u', ['email', 'firstName', 'lastName', 'passwordHash', 'termsVersion'])},
    ${memberships.columns('m', ['userId', 'companyId', 'roleId', 'roleName', 'permissions'])},
    u.email_verified_at is not null as "isVerified"
  from app_user u join membership m on m.user_id = u.id
  where lower(u.email) = ${email}`;

/** What a session says of its company. */
export const companyOf = (companyId: number) => sql<{ setupCompleted: boolean; companySince: string }>`
  select setup_completed as "setupCompleted",
    (extract(epoch from created_at) * 1000000)::bigint::text as "companySince"
  from company where company_id = ${companyId}`;

export const deleteSession = (tokenHash: Buffer) => sessions.delete({ tokenHash });

export const deleteSessionsOf = (userId: number) => sessions.delete({ userId });

/** A new token for the same session; nothing when the old one is gone. */
export const rotateSession = (oldHash: Buffer, token: string) =>
  sessions.update({ tokenHash: oldHash }, { tokenHash: hashOf(token) }, ['userId']);

const now = sql`now()`;
/** An address that was verified once keeps its day. */
const verified = sql`coalesce(email_verified_at, now())`;

export const acceptTerms = (id: number, termsVersion: string) =>
  users.update({ id }, { termsVersion, termsAcceptedAt: now });

export const verifyEmail = (id: number) => users.update({ id }, { emailVerifiedAt: verified });

/** A new password; whoever has the link has the mailbox, so the address is verified too. */
export const setPassword = (id: number, passwordHash: string) =>
  users.update({ id }, { passwordHash, emailVerifiedAt: verified });

export const completeInvitation = (
  id: number,
  user: { firstName: string; lastName: string; passwordHash: string; termsVersion: string },
) => users.update({ id }, { ...user, emailVerifiedAt: now, termsAcceptedAt: now, rowVersion: sql`row_version + 1` });
