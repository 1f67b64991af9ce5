import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { table } from '../../platform/db/table.ts';
import { FROM_THE_FUTURE } from '../../platform/http/limits.ts';
import { memberOf } from '../../platform/http/session.ts';

export const passkeys = table('passkey', {
  id: 'id',
  userId: 'user_id',
  userHandle: 'user_handle',
  credentialId: 'credential_id',
  publicKey: 'public_key',
  signCount: 'sign_count',
  name: 'name',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
});

/** 'create' adds a passkey, 'sign in' opens a session with only a passkey, and 'prove' is two-step verification. */
export type Purpose = 'create' | 'sign in' | 'prove';

export const challenges = table('passkey_challenge', {
  challenge: 'challenge',
  purpose: 'purpose',
  userId: 'user_id',
  userHandle: 'user_handle',
  proofs: 'proofs',
  createdAt: 'created_at',
}).typed<{ purpose: Purpose }>();

/** The number of minutes during which a challenge can be used. */
export const CHALLENGE_MINUTES = 5;

interface Challenge {
  userId: number | null;
  userHandle: Buffer | null;
  proofs: string | null;
}

/** Only the hash is stored. Like other secrets, a challenge is never stored in plain text. */
const hashed = (challenge: Buffer): Buffer => createHash('sha256').update(challenge).digest();

export const keepChallenge = (challenge: Buffer, begun: { purpose: Purpose } & Partial<Challenge>) =>
  challenges.insert({ challenge: hashed(challenge), ...begun });

/**
 * Deletes a challenge, whether or not it was answered correctly. Only one of two simultaneous requests gets the row.
 */
export const useChallenge = (challenge: Buffer, purpose: Purpose) => sql<Challenge>`
  delete from passkey_challenge c where c.challenge = ${hashed(challenge)} and c.purpose = ${purpose}
    and c.created_at between now() - make_interval(mins => ${CHALLENGE_MINUTES}) and ${FROM_THE_FUTURE}
  returning ${challenges.columns('c', ['userId', 'userHandle', 'proofs'])}`;

export const deleteOldChallenges = () => sql`
  delete from passkey_challenge
  where created_at not between now() - make_interval(mins => ${CHALLENGE_MINUTES}) and ${FROM_THE_FUTURE}`;

/** A passkey with its user. */
export interface Known {
  id: number;
  userId: number;
  companyId: number;
  email: string;
  userHandle: Buffer;
  publicKey: Buffer;
  signCount: number;
  name: string;
}

export const findByCredential = (credentialId: Buffer) => sql<Known>`
  select ${passkeys.columns('k', ['id', 'userId', 'userHandle', 'publicKey', 'signCount', 'name'])},
    u.email, m.company_id as "companyId"
  from passkey k join app_user u on u.id = k.user_id join ${memberOf(sql`u.id`)}
  where k.credential_id = ${credentialId}`;

/**
 * Records a use. Returns no row if the count did not increase, as with a copied passkey (WebAuthn, 6.1.1). If two
 * responses have the same count, only one succeeds. An authenticator without a counter always reports 0.
 */
export const countUse = (id: number, signCount: number) => sql<{ id: number }>`
  update passkey set sign_count = ${signCount}, last_used_at = now()
  where id = ${id} and (sign_count < ${signCount} or sign_count = 0 and ${signCount} = 0)
  returning id`;

export const passkeysOf = (userId: number) => passkeys.find({ userId }, { orderBy: sql`id` });

export const countPasskeys = (userId: number) => passkeys.count({ userId });

export const deletePasskeysOf = (userId: number) => passkeys.delete({ userId });

/** Returns no row if the passkey already exists. */
export const addPasskey = (key: Omit<Known, 'id' | 'companyId' | 'email'> & { credentialId: Buffer }) => sql<{
  id: number;
}>`
  ${passkeys.insert(key)} on conflict (credential_id) do nothing returning id`;

export const removePasskey = (userId: number, id: number) => sql<{ id: number }>`
  delete from passkey where user_id = ${userId} and id = ${id} returning id`;
