import { conflict, Failure, refuse } from '@evenkeel/core/failure';
import type { Place } from '../db/box.ts';
import type { Pool } from '../db/connect.ts';
import { enqueue } from '../db/jobs.ts';
import { inCompany, installation, type Tx } from '../db/tx.ts';
import type { Services } from '../http/context.ts';
import { check, forgive, type Limit, take } from '../http/limits.ts';
import { letter } from './letters.ts';
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

const ASKED = 'Please enter the code of your authenticator, or a recovery code';
const NOT_RIGHT = 'This code is not right. Each code works once.';

/** The user who has the factor. */
export interface FactorOwner {
  userId: number;
  companyId: number;
  email: string;
}

/** A code as it was typed, and the network that it came from. */
export interface GivenCode {
  code: string | null | undefined;
  address: string;
}

type Counted = [limit: Limit, who: string];

async function limitOf(pool: Pool, email: string, address: string): Promise<Counted> {
  const places = await installation(pool, isPlaceOf(email, address));
  return places.length > 0 ? [here, `${email} ${address}`] : [elsewhere, email];
}

/** 429 for a code where too many were tried; called before the password, which is dear to check. */
export async function checkCodes(pool: Pool, email: string, { code, address }: GivenCode): Promise<void> {
  if (!isBlank(code)) await check(pool, ...(await limitOf(pool, email, address)));
}

const isBlank = (code: string | null | undefined): code is null | undefined => (code ?? '').trim() === '';

/** The place of a user's secret in the box. */
export function secretPlace({ companyId, userId }: FactorOwner): Place {
  return { companyId, table: 'second_factor', column: 'secret_box', rowId: userId };
}

/** The factor that is asked for at sign-in; undefined where there is none, or one that no code has confirmed. */
export async function liveFactor(pool: Pool, userId: number): Promise<rows.Factor | undefined> {
  const [factor] = await installation(pool, rows.findFactor(userId));
  return factor?.confirmedAt === null ? undefined : factor;
}

/**
 * At sign-in, behind the password: 401 `code_required` unless the user has no second factor or the code is a right one,
 * which is then used up.
 */
export async function passSecondFactor(services: Services, owner: FactorOwner, given: GivenCode): Promise<void> {
  const { code, address } = given;
  const factor = await liveFactor(services.pool, owner.userId);
  if (factor === undefined) return;
  if (isBlank(code)) throw asked(ASKED);
  if (!(await accepts(services, owner, { address, right: () => uses(services, owner, { factor, typed: code }) }))) {
    throw asked(NOT_RIGHT);
  }
}

const CHANGED = 'Your account was changed a moment ago. Please try again.';

/**
 * Behind what was proved by the password and the second factor: 409 when either is another one by now. The account
 * stays locked until the commit, so that nothing is opened by what it no longer asks for.
 */
export async function requireSameProofs(tx: Tx, owner: { userId: number; proofs: string }): Promise<void> {
  const { userId, proofs } = owner;
  const [, [now]] = await tx.inOrder([lockProofs(userId), proofsOf(userId)]);
  if (now?.proofs !== proofs) throw conflict(CHANGED);
}

const asked = (message: string): Failure => new Failure('code_required', message, { code: message });

/** In a session, which goes on: 422 at the field unless `right` is true. */
export async function requireCode(services: Services, owner: FactorOwner, trial: Trial): Promise<void> {
  if (!(await accepts(services, owner, trial))) throw refuse(NOT_RIGHT, { code: NOT_RIGHT });
}

/** In a session: 422 at the code unless the user has no second factor or the code is a right one, which is used up. */
export async function requireFactor(services: Services, owner: FactorOwner, given: GivenCode): Promise<void> {
  const { code, address } = given;
  const factor = await liveFactor(services.pool, owner.userId);
  if (factor === undefined) return;
  if (isBlank(code)) throw refuse(ASKED, { code: ASKED });
  await requireCode(services, owner, { address, right: () => uses(services, owner, { factor, typed: code }) });
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
export function stepTyped(services: Services, owner: FactorOwner, { factor, typed }: Tried): number | undefined {
  const code = readCode(typed);
  const secret = services.box.open(secretPlace(owner), factor.secretBox);
  if (code === undefined || secret === undefined || !('totp' in code)) return undefined;
  return matchingStep(secret, code.totp, factor.now);
}

/** Uses a code up: of two at once one is right. A recovery code is told of by letter. */
export async function uses(services: Services, owner: FactorOwner, tried: Tried): Promise<boolean> {
  const { factor, typed } = tried;
  const step = stepTyped(services, owner, tried);
  if (step !== undefined) return (await installation(services.pool, rows.takeStep(factor, step))).length > 0;
  const code = readCode(typed);
  if (code !== undefined && 'totp' in code) return false;
  // One hash for whatever was typed, so that its time does not tell what there is.
  const hash = await hashCode(code?.recovery ?? '', factor.salt, services.tuning.passwordCost);
  return inCompany(services.pool, owner.companyId, async (tx) => {
    const used = await tx.row(rows.useCode(owner.userId, hash));
    if (used !== undefined) enqueue(tx, letter('recovery', owner.userId));
    return used !== undefined;
  });
}
