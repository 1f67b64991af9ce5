import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { PasskeyAnswer } from '@evenkeel/contract/passkeys';
import { record, type Subject } from '../../platform/db/audit.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, installation } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import { letter } from './letters.ts';
import * as rows from './passkeys.sql.ts';
import { challengeOf, partyOf, readAnswer, toBytes, toText } from './webauthn.ts';

/** Passkey challenges and the responses to them. */

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = rows.CHALLENGE_MINUTES * 60_000;

/** A passkey in the audit log. It contains no secret. */
const Shown = z.object({ id: z.number(), name: z.string(), signCount: z.number() });
export const passkeySubject: Subject<typeof Shown> = { name: 'passkey', schema: Shown, idOf: ({ id }) => id };

/** The user who gets a passkey challenge, and the proof that the user gave. */
interface Begun {
  userId: number;
  userHandle: Buffer;
  proofs: string;
}

/** Creates a challenge in base64url format. It is valid for one response within a few minutes. */
export async function newChallenge({ pool }: Services, purpose: rows.Purpose, begun?: Begun) {
  const challenge = randomBytes(CHALLENGE_BYTES);
  await installation(pool, rows.keepChallenge(challenge, { purpose, ...begun }));
  return { challenge: toText(challenge), timeout: TIMEOUT_MS };
}

/**
 * Returns the options for a passkey request. For a sign-in with only a passkey, the passkey must verify its user. If
 * the user has already entered a password, the user's presence is enough.
 */
export async function askPasskey(services: Services, purpose: 'sign in' | 'prove') {
  const userVerification = purpose === 'sign in' ? ('required' as const) : ('preferred' as const);
  return { ...(await newChallenge(services, purpose)), rpId: partyOf(services.config).id, userVerification };
}

interface Asked {
  purpose: 'sign in' | 'prove';
  /** The user who must own the passkey. If missing, any user can own it. */
  userId?: number;
}

/**
 * Returns the passkey used in a response and records its use. Returns undefined for an expired or used challenge, a
 * wrong page, an unknown passkey, another user's passkey, or a wrong signature. Also returns undefined, and notifies
 * the user, if the use count did not increase.
 */
export async function judgePasskey(services: Services, answer: PasskeyAnswer, { purpose, userId }: Asked) {
  const { pool, config } = services;
  const challenge = challengeOf(answer.response.clientDataJSON);
  if (challenge === undefined) return undefined;
  const [[begun], [known]] = await Promise.all([
    installation(pool, rows.useChallenge(challenge, purpose)),
    installation(pool, rows.findByCredential(toBytes(answer.id))),
  ]);
  if (begun === undefined || known === undefined || (userId ?? known.userId) !== known.userId) return undefined;
  if ((answer.response.userHandle ?? toText(known.userHandle)) !== toText(known.userHandle)) return undefined;
  const judged = { challenge, publicKey: known.publicKey, isUserVerified: purpose === 'sign in' };
  const signCount = await readAnswer(config, answer, judged);
  if (signCount === undefined) return undefined;
  const [used] = await installation(pool, rows.countUse(known.id, signCount));
  if (used === undefined) return tellCopy(services, known, signCount);
  return known;
}

/** A count that did not increase means that either this passkey or the passkey used earlier is a copy. */
async function tellCopy({ pool }: Services, known: rows.Known, signCount: number): Promise<undefined> {
  const { userId, companyId } = known;
  await inCompany(pool, companyId, async (tx) => {
    const kept = await tx.row(rows.passkeys.find({ id: known.id }));
    if (kept === undefined) return;
    const shown = { id: kept.id, name: kept.name, signCount: kept.signCount };
    const reason =
      `Sign-in rejected: the passkey's counter is ${signCount} but the last known value is ` +
      `${kept.signCount}, so the passkey may have been copied`;
    // The requester might not be this user.
    const by = { kind: 'server', name: '', person: '' } as const;
    record({ tx, userId, by }, passkeySubject, { before: shown, after: shown, reason });
    enqueue(tx, letter('passkeyCopied', userId));
  });
  return undefined;
}
