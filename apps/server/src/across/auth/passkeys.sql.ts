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

/** 'create' makes a passkey, 'sign in' opens a session by it alone, 'prove' is the second factor. */
export type Purpose = 'create' | 'sign in' | 'prove';

export const challenges = table('passkey_challenge', {
  challenge: 'challenge',
  purpose: 'purpose',
  userId: 'user_id',
  userHandle: 'user_handle',
  proofs: 'proofs',
  createdAt: 'created_at',
}).typed<{ purpose: Purpose }>();

/** Minutes in which a challenge is answered. */
export const CHALLENGE_MINUTES = 5;

interface Challenge {
  userId: number | null;
  userHandle: Buffer | null;
  proofs: string | null;
}

/** Only its hash is kept: like other secrets that are handed out, a challenge stands nowhere in clear. */
const hashed = (challenge: Buffer): Buffer => createHash('sha256').update(challenge).digest();

export const keepChallenge = (challenge: Buffer, begun: { purpose: Purpose } & Partial<Challenge>) =>
  challenges.insert({ challenge: hashed(challenge), ...begun });

/** Uses a challenge up, whatever comes of it: of two at once one gets the row. */
export const useChallenge = (challenge: Buffer, purpose: Purpose) => sql<Challenge>`
  delete from passkey_challenge c where c.challenge = ${hashed(challenge)} and c.purpose = ${purpose}
    and c.created_at between now() - make_interval(mins => ${CHALLENGE_MINUTES}) and ${FROM_THE_FUTURE}
  returning ${challenges.columns('c', ['userId', 'userHandle', 'proofs'])}`;

export const deleteOldChallenges = () => sql`
  delete from passkey_challenge
  where created_at not between now() - make_interval(mins => ${CHALLENGE_MINUTES}) and ${FROM_THE_FUTURE}`;

/** A passkey with who it signs in. */
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
 * Notes a use; no row when the count did not grow, as that of a copy does not (WebAuthn, 6.1.1): of two answers with
 * one count one gets it. An authenticator that does not count says 0 each time.
 */
export const countUse = (id: number, signCount: number) => sql<{ id: number }>`
  update passkey set sign_count = ${signCount}, last_used_at = now()
  where id = ${id} and (sign_count < ${signCount} or sign_count = 0 and ${signCount} = 0)
  returning id`;

export const passkeysOf = (userId: number) => passkeys.find({ userId }, { orderBy: sql`id` });

export const countPasskeys = (userId: number) => passkeys.count({ userId });

export const deletePasskeysOf = (userId: number) => passkeys.delete({ userId });

/** No row for a passkey that is known already. */
export const addPasskey = (key: Omit<Known, 'id' | 'companyId' | 'email'> & { credentialId: Buffer }) => sql<{
  id: number;
}>`
  ${passkeys.insert(key)} on conflict (credential_id) do nothing returning id`;

export const removePasskey = (userId: number, id: number) => sql<{ id: number }>`
  delete from passkey where user_id = ${userId} and id = ${id} returning id`;
