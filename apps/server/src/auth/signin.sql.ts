import { sql } from 'kysely';
import { hashOf } from '../http/session.ts';

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
  select u.id as "userId", m.company_id as "companyId", u.email, u.first_name as "firstName",
    u.last_name as "lastName", u.password_hash as "passwordHash", u.email_verified_at is not null as "isVerified",
    u.terms_version as "termsVersion", m.role_id as "roleId", m.role_name as "roleName", m.permissions
  from app_user u join membership m on m.user_id = u.id
  where lower(u.email) = ${email}`;

export const setupCompleted = (companyId: number) => sql<{ setupCompleted: boolean }>`
  select setup_completed as "setupCompleted" from company where company_id = ${companyId}`;

export const deleteSession = (tokenHash: Buffer) => sql`delete from session where token_hash = ${tokenHash}`;

export const deleteSessionsOf = (userId: number) => sql`delete from session where user_id = ${userId}`;

/** A new token for the same session; nothing when the old one is gone. */
export const rotateSession = (oldHash: Buffer, token: string) => sql<{ userId: number }>`
  update session set token_hash = ${hashOf(token)} where token_hash = ${oldHash} returning user_id as "userId"`;

export const acceptTerms = (userId: number, version: string) => sql`
  update app_user set terms_version = ${version}, terms_accepted_at = now() where id = ${userId}`;

export const verifyEmail = (userId: number) => sql`
  update app_user set email_verified_at = coalesce(email_verified_at, now()) where id = ${userId}`;

/** A new password; whoever has the link has the mailbox, so the address is verified too. */
export const setPassword = (userId: number, passwordHash: string) => sql`
  update app_user set password_hash = ${passwordHash}, email_verified_at = coalesce(email_verified_at, now())
  where id = ${userId}`;

export const completeInvitation = (
  userId: number,
  user: { firstName: string; lastName: string; passwordHash: string; termsVersion: string },
) => sql`
  update app_user set first_name = ${user.firstName}, last_name = ${user.lastName},
    password_hash = ${user.passwordHash},
    email_verified_at = now(), terms_version = ${user.termsVersion}, terms_accepted_at = now(),
    row_version = row_version + 1
  where id = ${userId}`;
