import { conflict, Failure, type FieldMessages, refuse } from '@evenkeel/core/failure';
import type { PasskeyAnswer } from '@evenkeel/contract/passkeys';
import type { Place } from '../../platform/db/box.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, installation, type Tx } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import { check, forgive, type Limit, take } from '../../platform/http/limits.ts';
import { letter } from './letters.ts';
import { judgePasskey } from './passkey-proof.ts';
import * as passkeys from './passkeys.sql.ts';
import { hashCode } from './passwords.ts';
import * as rows from './second-factor.sql.ts';
import { isPlaceOf, lockProofs, proofsOf } from './signin.sql.ts';
import { matchingStep, readCode } from './totp.ts';

/**
 * Limits the codes tried for one account. Each network with an earlier sign-in has its own limit, and all other
 * networks share a limit. Guesses from many addresses therefore share a limit, and nobody can lock the owner out of a
 * known network. At any time, three of the million six-digit codes are correct.
 */
const here: Limit = { name: 'factor', most: 10, seconds: 900 };
const elsewhere: Limit = { name: 'factor-elsewhere', most: 10, seconds: 3600 };

const ASKED = 'Enter the code from your authenticator app, or a recovery code';
const PASSKEY_ASKED = 'Use your passkey to continue';
const NO_PASSKEY = 'This passkey is not set up for your account. Try another passkey.';
const LAST =
  'Your company requires two-step verification. Add another method first, or ask an ' +
  'administrator to remove this one.';
const NOT_RIGHT = 'This code is incorrect or was already used. Enter the latest code.';

/** A user who has two-step verification. */
export interface FactorOwner {
  userId: number;
  companyId: number;
  email: string;
}

/** A code as the user entered it, or a passkey's response, and the network that sent it. */
export interface GivenProof {
  code?: string | null | undefined;
  passkey?: PasskeyAnswer | null | undefined;
  address: string;
}

type Counted = [limit: Limit, who: string];

async function limitOf(pool: Pool, email: string, address: string): Promise<Counted> {
  const places = await installation(pool, isPlaceOf(email, address));
  return places.length > 0 ? [here, `${email} ${address}`] : [elsewhere, email];
}

/** Throws 429 after too many attempts. Must be called before the password check, which is expensive. */
export async function checkProofs(pool: Pool, email: string, given: GivenProof): Promise<void> {
  const { code, passkey, address } = given;
  if (!isBlank(code) || isGiven(passkey)) await check(pool, ...(await limitOf(pool, email, address)));
}

const isGiven = (passkey: GivenProof['passkey']): passkey is PasskeyAnswer => passkey !== null && passkey !== undefined;

const isBlank = (code: string | null | undefined): code is null | undefined => (code ?? '').trim() === '';

/** Returns the context for encrypting a user's secret. */
export function secretPlace({ boxCompanyId, userId }: Pick<rows.Factor, 'boxCompanyId' | 'userId'>): Place {
  return { companyId: boxCompanyId, table: 'second_factor', column: 'secret_box', rowId: userId };
}

/**
 * Returns the authenticator required at sign-in. Returns undefined if there is none, or if no code has confirmed it.
 */
export async function liveFactor(pool: Pool, userId: number): Promise<rows.Factor | undefined> {
  const [factor] = await installation(pool, rows.findFactor(userId));
  return factor?.confirmedAt === null ? undefined : factor;
}

/** Returns the user's two-step methods: a confirmed authenticator, and passkeys. */
async function factorsOf(pool: Pool, userId: number) {
  const [factor, [keys]] = await Promise.all([
    liveFactor(pool, userId),
    installation(pool, passkeys.countPasskeys(userId)),
  ]);
  return { factor, hasKeys: (keys?.total ?? 0) > 0 };
}

export async function hasSecondFactor(pool: Pool, userId: number): Promise<boolean> {
  const { factor, hasKeys } = await factorsOf(pool, userId);
  return factor !== undefined || hasKeys;
}

/**
 * Returns the reason why two-step verification failed, by field: `code`, `passkey`, or both. Returns undefined if
 * two-step verification is off or if it succeeded, in which case the code is used up.
 */
async function faultOf(services: Services, owner: FactorOwner, given: GivenProof): Promise<FieldMessages | undefined> {
  const { code, passkey, address } = given;
  const { userId } = owner;
  const { factor, hasKeys } = await factorsOf(services.pool, userId);
  if (factor === undefined && !hasKeys) return undefined;
  if (isGiven(passkey)) {
    const right = async () => (await judgePasskey(services, passkey, { purpose: 'prove', userId })) !== undefined;
    return (await accepts(services, owner, { address, right })) ? undefined : { passkey: NO_PASSKEY };
  }
  if (isBlank(code)) return { ...(factor && { code: ASKED }), ...(hasKeys && { passkey: PASSKEY_ASKED }) };
  const right = () => uses(services, owner, { factor, typed: code });
  return (await accepts(services, owner, { address, right })) ? undefined : { code: NOT_RIGHT };
}

/**
 * Checks two-step verification after the password at sign-in. Throws 401 `code_required` if the code or passkey is
 * missing or wrong.
 */
export async function passSecondFactor(services: Services, owner: FactorOwner, given: GivenProof): Promise<void> {
  const fault = await faultOf(services, owner, given);
  if (fault !== undefined) throw new Failure('code_required', Object.values(fault)[0] ?? ASKED, fault);
}

/** Checks two-step verification in a session. Throws 422 for the code or passkey field. */
export async function requireFactor(services: Services, owner: FactorOwner, given: GivenProof): Promise<void> {
  const fault = await faultOf(services, owner, given);
  if (fault !== undefined) throw refuse(Object.values(fault)[0] ?? ASKED, fault);
}

/**
 * Throws 409 if the user has no method left and one of the user's companies requires one. Must run after a method is
 * removed.
 */
export async function requireStillEnough(tx: Tx, userId: number): Promise<void> {
  const member = await tx.one(rows.findMissing(userId));
  if (member.isMissing) throw conflict(LAST);
}

const CHANGED = 'Your account was just changed. Try again.';

/**
 * Checks that the password and the two-step settings haven't changed since they were verified. Throws 409 if they have.
 * Keeps the account locked until the commit.
 */
export async function requireSameProofs(tx: Tx, owner: { userId: number; proofs: string }): Promise<void> {
  const { userId, proofs } = owner;
  const [, [now]] = await tx.inOrder([lockProofs(userId), proofsOf(userId)]);
  if (now?.proofs !== proofs) throw conflict(CHANGED);
}

/** Throws 422 for `code` if the code is wrong. The session stays open. */
export async function requireCode(services: Services, owner: FactorOwner, trial: Trial): Promise<void> {
  if (!(await accepts(services, owner, trial))) throw refuse(NOT_RIGHT, { code: NOT_RIGHT });
}

/** The network that sent a code, and whether the code is correct. */
interface Trial {
  address: string;
  right: () => Promise<boolean>;
}

/**
 * Counts the attempt before checking it, so that parallel requests can't exceed the limit (429). A correct code resets
 * the count.
 */
async function accepts({ pool }: Services, { email }: FactorOwner, { address, right }: Trial): Promise<boolean> {
  const counted = await limitOf(pool, email, address);
  await take(pool, ...counted);
  const isRight = await right();
  if (isRight) await forgive(pool, ...counted);
  return isRight;
}

interface Tried {
  factor: rows.Factor;
  typed: string;
}

/** Returns the time step that matches an entered authenticator code, according to the authenticator's secret. */
export function stepTyped(services: Services, { factor, typed }: Tried): number | undefined {
  const code = readCode(typed);
  const secret = services.box.open(secretPlace(factor), factor.secretBox);
  if (code === undefined || secret === undefined || !('totp' in code)) return undefined;
  return matchingStep(secret, code.totp, factor.now);
}

/** The salt for users without recovery codes, such as users with only passkeys. */
const NO_SALT = Buffer.alloc(16);

/** Uses up a code. Only one of two simultaneous requests succeeds. If it is a recovery code, the user gets an email. */
export async function uses(
  services: Services,
  owner: FactorOwner,
  { factor, typed }: { factor: rows.Factor | undefined; typed: string },
): Promise<boolean> {
  const step = factor && stepTyped(services, { factor, typed });
  if (factor !== undefined && step !== undefined)
    return (await installation(services.pool, rows.consumeTimeStep(factor, step))).length > 0;
  const code = readCode(typed);
  if (code !== undefined && 'totp' in code) return false;
  // Computes one hash for any input, so that the timing does not reveal which codes exist.
  const hash = await hashCode(code?.recovery ?? '', factor?.salt ?? NO_SALT, services.tuning.passwordCost);
  return inCompany(services.pool, owner.companyId, async (tx) => {
    const used = await tx.row(rows.useCode(owner.userId, hash));
    if (used !== undefined) enqueue(tx, letter('recovery', owner.userId));
    return used !== undefined;
  });
}
