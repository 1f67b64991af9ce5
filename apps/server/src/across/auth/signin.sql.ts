import type { IsoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import type { Config } from '../../platform/config.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { FROM_THE_FUTURE } from '../../platform/http/limits.ts';
import {
  hasEnded,
  hashOf,
  isAlive,
  isFactorMissing,
  memberOf,
  memberships,
  sessions,
  users,
} from '../../platform/http/session.ts';

export interface SignInRow {
  userId: number;
  companyId: number;
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string | null;
  proofs: string;
  isVerified: boolean;
  termsVersion: string | null;
  roleId: number;
  roleName: string;
  permissions: string[];
  secondFactorMissing: boolean;
  endsOn: IsoDate | null;
  hasEnded: boolean;
  /** The invitation to the company was accepted. */
  isAccepted: boolean;
}

/** The password, second factor and passkeys of a user `u`: another text as soon as one of them is another. */
const proofs = sql`md5(concat_ws(' ', u.password_hash,
  (select encode(f.secret_box, 'hex') from second_factor f where f.user_id = u.id and f.confirmed_at is not null),
  (select string_agg(k.id::text, ' ' order by k.id) from passkey k where k.user_id = u.id)))`;

/** Locks a user, so that what is proved at sign-in changes for one at a time; read behind it by `proofsOf`. */
export const lockProofs = (userId: number) => sql`select id from app_user where id = ${userId} for no key update`;

export const proofsOf = (userId: number) => sql<{ proofs: string }>`
  select ${proofs} as proofs from app_user u where u.id = ${userId}`;

/** The user of an address in the company that is named, else in the one entered last. */
export const findForSignIn = (email: string, companyId: number | null = null) => sql<SignInRow>`
  select ${users.columns('u', ['email', 'firstName', 'lastName', 'passwordHash', 'termsVersion'])},
    ${memberships.columns('m', ['userId', 'companyId', 'roleId', 'roleName', 'permissions', 'endsOn'])},
    ${proofs} as proofs, u.email_verified_at is not null as "isVerified", ${isFactorMissing} as "secondFactorMissing",
    ${hasEnded} as "hasEnded", m.accepted_at is not null as "isAccepted"
  from app_user u join ${memberOf(sql`u.id`, companyId)}
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

export const rememberPlace = (userId: number, network: string, device = '') => sql`
  insert into sign_in_place as p (user_id, network, device) values (${userId}, ${network}, ${device})
  on conflict (user_id, network) do update set last_at = now(), device = excluded.device
    where p.last_at not between now() - interval '1 day' and ${FROM_THE_FUTURE} or p.device <> excluded.device`;

/**
 * One row when the user has signed in before, and neither from this network nor with such a device. One without a name
 * is never known, since it could be another one.
 */
export const isNewPlaceOf = (userId: number, { network, device }: { network: string; device: string }) => sql<{
  userId: number;
}>`
  select p.user_id as "userId" from sign_in_place p where p.user_id = ${userId}
  group by p.user_id having not bool_or(p.network = ${network} or p.device = ${device} and p.device <> '')`;

export const noteSignIn = ({ userId, companyId }: { userId: number; companyId: number }) =>
  memberships.update({ userId, companyId }, { lastSignInAt: now });

export const deleteOldPlaces = () => sql`
  delete from sign_in_place where last_at < now() - make_interval(days => ${PLACE_DAYS})`;

/** Facts of a session's company. */
export const companyOf = (companyId: number) => sql<{ setupCompleted: boolean; companySince: string }>`
  select setup_completed as "setupCompleted",
    (extract(epoch from created_at) * 1000000)::bigint::text as "companySince"
  from company where company_id = ${companyId}`;

export const deleteSession = (tokenHash: Buffer) => sessions.delete({ tokenHash });

/** A session and those of other companies that one of them was entered from. */
export const deleteSessionFamily = (tokenHash: Buffer) => sql`
  delete from session where family = (select s.family from session s where s.token_hash = ${tokenHash})`;

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
  users.update({ id }, { ...newPassword(passwordHash), emailVerifiedAt: verified });

export const changePassword = (id: number, passwordHash: string) => users.update({ id }, newPassword(passwordHash));

/** An address that waits was perhaps asked for by who knew the password of before: it is dropped. */
const newPassword = (passwordHash: string) => ({ passwordHash, passwordChangedAt: now, newEmail: null });

/** The links that die with a password. */
export const LINKS_OF_PASSWORD = ['reset', 'verify', 'invite', 'email'] as const;

/** Asks for another address; the newest alone is waited for. */
export const askForEmail = (id: number, newEmail: string | null) => users.update({ id }, { newEmail });

/**
 * Takes an address while it is the one that is waited for; answers the one of before. Broken by `app_user_email` where
 * it is taken.
 */
export const takeNewEmail = (id: number, newEmail: string) => sql<{ oldEmail: string }>`
  update app_user u set email = u.new_email, new_email = null, email_verified_at = now(), row_version = row_version + 1
  from (select id, email from app_user where id = ${id} for update) old
  where u.id = old.id and u.new_email = ${newEmail}
  returning old.email as "oldEmail"`;

/** The living sessions of a user, the newest used first. */
export const sessionsOf = (userId: number, config: Config) => sql<SessionOf>`
  select ${sessions.columns('s', ['id', 'tokenHash', 'device', 'network', 'isNewPlace', 'lastSeenAt', 'createdAt'])}
  from session s where s.user_id = ${userId} and ${isAlive(config)} order by s.last_seen_at desc, s.id desc`;

export interface SessionOf {
  id: number;
  tokenHash: Buffer;
  device: string;
  network: string;
  isNewPlace: boolean;
  lastSeenAt: Date;
  createdAt: Date;
}

/**
 * A row when a session's user signed in within so many minutes. A session in another company keeps the end of the one
 * that it was entered from, and so tells when the user signed in.
 */
export const isFreshSignIn = (tokenHash: Buffer, minutes: number, { sessionMaxDays }: Config) => sql<{ id: number }>`
  select s.id from session s
  where s.token_hash = ${tokenHash}
    and s.expires_at - make_interval(days => ${sessionMaxDays}) > now() - make_interval(mins => ${minutes})`;

/** Ends one session of a user. */
export const endSession = (userId: number, id: number) => sql<{ id: number }>`
  delete from session where user_id = ${userId} and id = ${id} returning id`;

/**
 * Who has an account: the address, the password's hash, and the company that is named, else the one entered last;
 * nobody whose last day is over there.
 */
export const findOwner = (userId: number, companyId: number | null = null) => sql<Owner>`
  select ${users.columns('u', ['email', 'passwordHash'])}, m.user_id as "userId", m.company_id as "companyId",
    ${proofs} as proofs
  from app_user u join ${memberOf(sql`u.id`, companyId)} where u.id = ${userId} and not ${hasEnded}`;

export interface Owner {
  userId: number;
  companyId: number;
  email: string;
  passwordHash: string | null;
  proofs: string;
}

export const companyName = () => sql<{ name: string }>`
  select displayname as name from company where company_id = ${COMPANY}`;

/** No row for who has registered: the password of an account is changed by who knows it, or by a reset. */
export const completeInvitation = (
  id: number,
  user: { firstName: string; lastName: string; passwordHash: string; termsVersion: string },
) =>
  users.update(
    { id, passwordHash: null },
    { ...user, passwordChangedAt: now, emailVerifiedAt: now, termsAcceptedAt: now, rowVersion: sql`row_version + 1` },
    ['id'],
  );
