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
  /** Whether the invitation to the company was accepted. */
  isAccepted: boolean;
}

/** A fingerprint of the password, authenticator, and passkeys of user `u`. It changes when any of them changes. */
const proofs = sql`md5(concat_ws(' ', u.password_hash,
  (select encode(f.secret_box, 'hex') from second_factor f where f.user_id = u.id and f.confirmed_at is not null),
  (select string_agg(k.id::text, ' ' order by k.id) from passkey k where k.user_id = u.id)))`;

/** Locks a user, so that the sign-in proofs change one at a time. Run `proofsOf` afterward to read them. */
export const lockProofs = (userId: number) => sql`select id from app_user where id = ${userId} for no key update`;

export const proofsOf = (userId: number) => sql<{ proofs: string }>`
  select ${proofs} as proofs from app_user u where u.id = ${userId}`;

/** Returns the user with this email address, in the given company or in the company that the user opened last. */
export const findForSignIn = (email: string, companyId: number | null = null) => sql<SignInRow>`
  select ${users.columns('u', ['email', 'firstName', 'lastName', 'passwordHash', 'termsVersion'])},
    ${memberships.columns('m', ['userId', 'companyId', 'roleId', 'roleName', 'permissions', 'endsOn'])},
    ${proofs} as proofs, u.email_verified_at is not null as "isVerified", ${isFactorMissing} as "secondFactorMissing",
    ${hasEnded} as "hasEnded", m.accepted_at is not null as "isAccepted"
  from app_user u join ${memberOf(sql`u.id`, companyId)}
  where lower(u.email) = ${email}`;

const now = sql`now()`;

/** The number of days for which a network stays known after a sign-in. */
const PLACE_DAYS = 90;

/** Returns one row if the user with this email address has signed in from the network. */
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
 * Returns one row if the user has signed in before, but neither from this network nor on a device with this name. A
 * device without a name never counts as known, because it could be any device.
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

/** Returns data about a session's company. */
export const companyOf = (companyId: number) => sql<{ setupCompleted: boolean; companySince: string }>`
  select setup_completed as "setupCompleted",
    (extract(epoch from created_at) * 1000000)::bigint::text as "companySince"
  from company where company_id = ${companyId}`;

export const deleteSession = (tokenHash: Buffer) => sessions.delete({ tokenHash });

/** Deletes a session and the sessions in other companies that were opened from it. */
export const deleteSessionFamily = (tokenHash: Buffer) => sql`
  delete from session where family = (select s.family from session s where s.token_hash = ${tokenHash})`;

export const deleteOtherSessionsOf = (userId: number, tokenHash: Buffer) =>
  sql`delete from session where user_id = ${userId} and token_hash <> ${tokenHash}`;

export const deleteSessionsOf = (userId: number) => sessions.delete({ userId });

/** Replaces the session's token. Returns no row if the old token no longer exists. */
export const rotateSession = (oldHash: Buffer, token: string) =>
  sessions.update({ tokenHash: oldHash }, { tokenHash: hashOf(token) }, ['userId']);

/** An address that was already verified keeps the date of its verification. */
const verified = sql`coalesce(email_verified_at, now())`;

export const acceptTerms = (id: number, termsVersion: string) =>
  users.update({ id }, { termsVersion, termsAcceptedAt: now });

export const verifyEmail = (id: number) => users.update({ id }, { emailVerifiedAt: verified });

/** Sets a new password. Also verifies the email address, because using the link proves access to the mailbox. */
export const resetPassword = (id: number, passwordHash: string) =>
  users.update({ id }, { ...newPassword(passwordHash), emailVerifiedAt: verified });

export const changePassword = (id: number, passwordHash: string) => users.update({ id }, newPassword(passwordHash));

/** A pending new address is canceled, because someone who knew the old password may have requested it. */
const newPassword = (passwordHash: string) => ({ passwordHash, passwordChangedAt: now, newEmail: null });

/** The links that become invalid when the password changes. */
export const PASSWORD_LINK_KINDS = ['reset', 'verify', 'invite', 'email'] as const;

/** Requests a new address. Only the latest request is pending. */
export const askForEmail = (id: number, newEmail: string | null) => users.update({ id }, { newEmail });

/**
 * Replaces the address if the new one is still pending. Returns the old address. Violates `app_user_email` if the new
 * address is taken.
 */
export const confirmNewEmail = (id: number, newEmail: string) => sql<{ oldEmail: string }>`
  update app_user u set email = u.new_email, new_email = null, email_verified_at = now(), row_version = row_version + 1
  from (select id, email from app_user where id = ${id} for update) old
  where u.id = old.id and u.new_email = ${newEmail}
  returning old.email as "oldEmail"`;

/** Returns a user's valid sessions, most recently used first. */
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
 * Returns a row if a session's user signed in within this many minutes. A session that was opened from another session
 * ends at the same time as that session, so its end shows when the user signed in.
 */
export const isFreshSignIn = (tokenHash: Buffer, minutes: number, { sessionMaxDays }: Config) => sql<{ id: number }>`
  select s.id from session s
  where s.token_hash = ${tokenHash}
    and s.expires_at - make_interval(days => ${sessionMaxDays}) > now() - make_interval(mins => ${minutes})`;

/** Ends one of a user's sessions. */
export const endSession = (userId: number, id: number) => sql<{ id: number }>`
  delete from session where user_id = ${userId} and id = ${id} returning id`;

/**
 * Returns an account: its address, its password hash, and the given company, or else the company that the user opened
 * last. Returns no row after the user's last day in that company.
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

/**
 * Returns no row for a registered user, whose password can be changed only with the old password or through a reset.
 */
export const completeInvitation = (
  id: number,
  user: { firstName: string; lastName: string; passwordHash: string; termsVersion: string },
) =>
  users.update(
    { id, passwordHash: null },
    { ...user, passwordChangedAt: now, emailVerifiedAt: now, termsAcceptedAt: now, rowVersion: sql`row_version + 1` },
    ['id'],
  );
