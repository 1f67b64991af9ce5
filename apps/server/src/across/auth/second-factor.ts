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
 * Codes that are tried for one account: from a network where it signed in before, and from all others together. So many
 * addresses guess no more than one, and nobody locks the owner out of a place that is known. A code of six digits has
 * three right values in a million.
 */
const here: Limit = { name: 'factor', most: 10, seconds: 900 };
const elsewhere: Limit = { name: 'factor-elsewhere', most: 10, seconds: 3600 };

const ASKED = 'Enter the code from your authenticator app, or a recovery code';
const PASSKEY_ASKED = 'Use your passkey to continue';
const NO_PASSKEY = 'This passkey is not set up for your account. Try another one.';
const LAST =
  'Your company requires two-step verification. Add another method first, or ask an ' +
  'administrator to remove this one.';
const NOT_RIGHT = 'This code is incorrect or was already used. Enter the latest code.';

/** The user who has the factor. */
export interface FactorOwner {
  userId: number;
  companyId: number;
  email: string;
}

/** A code as it was typed, or the answer of a passkey, and the network that it came from. */
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

/** 429 for a proof where too many were tried; called before the password, which is dear to check. */
export async function checkProofs(pool: Pool, email: string, given: GivenProof): Promise<void> {
  const { code, passkey, address } = given;
  if (!isBlank(code) || isGiven(passkey)) await check(pool, ...(await limitOf(pool, email, address)));
}

const isGiven = (passkey: GivenProof['passkey']): passkey is PasskeyAnswer => passkey !== null && passkey !== undefined;

const isBlank = (code: string | null | undefined): code is null | undefined => (code ?? '').trim() === '';

/** The place of a user's secret in the box. */
export function secretPlace({ boxCompanyId, userId }: Pick<rows.Factor, 'boxCompanyId' | 'userId'>): Place {
  return { companyId: boxCompanyId, table: 'second_factor', column: 'secret_box', rowId: userId };
}

/** The factor that is asked for at sign-in; undefined where there is none, or one that no code has confirmed. */
export async function liveFactor(pool: Pool, userId: number): Promise<rows.Factor | undefined> {
  const [factor] = await installation(pool, rows.findFactor(userId));
  return factor?.confirmedAt === null ? undefined : factor;
}

/** The second factors of a user: an authenticator whose code was confirmed, passkeys. */
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
 * The reason why a second factor is not passed, at `code`, `passkey` or both, as the user has them; nothing where there
 * is none or the proof is right, which is then used up.
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

/** At sign-in, behind the password: 401 `code_required` unless the second factor is passed. */
export async function passSecondFactor(services: Services, owner: FactorOwner, given: GivenProof): Promise<void> {
  const fault = await faultOf(services, owner, given);
  if (fault !== undefined) throw new Failure('code_required', Object.values(fault)[0] ?? ASKED, fault);
}

/** In a session: 422 at the proof unless the second factor is passed. */
export async function requireFactor(services: Services, owner: FactorOwner, given: GivenProof): Promise<void> {
  const fault = await faultOf(services, owner, given);
  if (fault !== undefined) throw refuse(Object.values(fault)[0] ?? ASKED, fault);
}

/** Behind the removal of a factor: 409 when the company requires one of the user, and this was the last. */
export async function requireStillEnough(tx: Tx, userId: number): Promise<void> {
  const member = await tx.one(rows.findMissing(userId));
  if (member.isMissing) throw conflict(LAST);
}

const CHANGED = 'Your account was just changed. Try again.';

/**
 * Behind what was proved by the password and the second factor: 409 when either is another one by now. The account
 * stays locked until the commit, so that nothing is opened by what it no longer asks for.
 */
export async function requireSameProofs(tx: Tx, owner: { userId: number; proofs: string }): Promise<void> {
  const { userId, proofs } = owner;
  const [, [now]] = await tx.inOrder([lockProofs(userId), proofsOf(userId)]);
  if (now?.proofs !== proofs) throw conflict(CHANGED);
}

/** In a session, which goes on: 422 at the field unless `right` is true. */
export async function requireCode(services: Services, owner: FactorOwner, trial: Trial): Promise<void> {
  if (!(await accepts(services, owner, trial))) throw refuse(NOT_RIGHT, { code: NOT_RIGHT });
}

/** The network that a code came from, and whether it is right. */
interface Trial {
  address: string;
  right: () => Promise<boolean>;
}

/** A try is counted before it is looked at, so that no burst outruns the limit (429); a right one begins anew. */
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

/** The step of the authenticator whose code was typed, by the factor's own secret. */
export function stepTyped(services: Services, { factor, typed }: Tried): number | undefined {
  const code = readCode(typed);
  const secret = services.box.open(secretPlace(factor), factor.secretBox);
  if (code === undefined || secret === undefined || !('totp' in code)) return undefined;
  return matchingStep(secret, code.totp, factor.now);
}

/** The salt of who has no recovery codes, as passkeys alone have none. */
const NO_SALT = Buffer.alloc(16);

/** Uses a code up: of two at once one is right. A recovery code is told of by letter. */
export async function uses(
  services: Services,
  owner: FactorOwner,
  { factor, typed }: { factor: rows.Factor | undefined; typed: string },
): Promise<boolean> {
  const step = factor && stepTyped(services, { factor, typed });
  if (factor !== undefined && step !== undefined)
    return (await installation(services.pool, rows.takeStep(factor, step))).length > 0;
  const code = readCode(typed);
  if (code !== undefined && 'totp' in code) return false;
  // One hash for whatever was typed, so that its time does not tell what there is.
  const hash = await hashCode(code?.recovery ?? '', factor?.salt ?? NO_SALT, services.tuning.passwordCost);
  return inCompany(services.pool, owner.companyId, async (tx) => {
    const used = await tx.row(rows.useCode(owner.userId, hash));
    if (used !== undefined) enqueue(tx, letter('recovery', owner.userId));
    return used !== undefined;
  });
}
