import { authCalls } from '@evenkeel/contract/auth';
import type { PasskeyAnswer } from '@evenkeel/contract/passkeys';
import { Failure, refuse } from '@evenkeel/core/failure';
import type { Pool } from '../../platform/db/connect.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, installation, readCompany } from '../../platform/db/tx.ts';
import type { SessionUser } from '../../platform/http/context.ts';
import { forgive, type Limit, take } from '../../platform/http/limits.ts';
import { type Input, openRoute, type OpenCtx } from '../../platform/http/route.ts';
import { letter } from './letters.ts';
import { judgePasskey } from './passkey-proof.ts';
import { hashPassword, matchesPassword, requireNewPassword } from './passwords.ts';
import { requireSameProofs } from './second-factor.ts';
import * as rows from './signin.sql.ts';
import { retireTokens } from './tokens.sql.ts';

/** Limits password guesses by someone who uses another user's session. */
const attempts: Limit = { name: 'own-password', most: 10, seconds: 900 };

const NOT_RIGHT = 'The current password is incorrect';
const NOT_ACCEPTED = 'This passkey was not accepted. Try again, or enter your password.';
const UNCHANGED = 'The new password must be different from the current one';

/**
 * Returns the account's user in the given company, or in the company that the user opened last. Returns undefined if no
 * such user exists or if the link has no owner.
 */
export async function ownerOf(
  pool: Pool,
  userId: number | null,
  companyId?: number | null,
): Promise<rows.Owner | undefined> {
  if (userId === null) return undefined;
  const [owner] = await installation(pool, rows.findOwner(userId, companyId));
  return owner;
}

/** Returns the email address and the company's name, which must not be used as passwords. */
export async function wordsAbout(pool: Pool, owner: rows.Owner | undefined): Promise<string[]> {
  if (owner === undefined) return [];
  const company = await readCompany(pool, owner.companyId, (tx) => tx.row(rows.companyName()));
  return [owner.email, company?.name ?? ''];
}

/** Returns the signed-in user. Routes that are not public always have a signed-in user. */
export function signedInUser({ user }: OpenCtx): SessionUser {
  if (user === undefined) throw new Failure('unauthenticated', 'Please sign in');
  return user;
}

/**
 * Returns the signed-in user after checking the password. Throws 422 for the password field, or 429 after ten attempts
 * in 15 minutes.
 */
export async function confirmed(ctx: OpenCtx, password: string, field = 'password') {
  const user = signedInUser(ctx);
  const { pool, tuning } = ctx.services;
  await take(pool, attempts, String(user.userId));
  const owner = await ownerOf(pool, user.userId, user.companyId);
  if (owner === undefined || !(await matchesPassword(owner.passwordHash, password, tuning.passwordCost))) {
    throw refuse(NOT_RIGHT, { [field]: NOT_RIGHT });
  }
  await forgive(pool, attempts, String(user.userId));
  return { user, owner };
}

/**
 * Checks the password or, if the request contains one, a passkey that verified the user. Throws 422 for the wrong
 * field, or 429 after ten attempts in 15 minutes.
 */
export async function confirmedEither(
  ctx: OpenCtx,
  { password, passkey }: { password?: string | null | undefined; passkey?: PasskeyAnswer | null | undefined },
): Promise<void> {
  if (passkey === null || passkey === undefined) {
    await confirmed(ctx, password ?? '');
    return;
  }
  const { userId } = signedInUser(ctx);
  const { pool } = ctx.services;
  await take(pool, attempts, String(userId));
  // The passkey replaces the password, so it must verify the user as it does for signing in.
  const used = await judgePasskey(ctx.services, passkey, { purpose: 'sign in', userId });
  if (used === undefined) throw refuse(NOT_ACCEPTED, { passkey: NOT_ACCEPTED });
  await forgive(pool, attempts, String(userId));
}

/**
 * Changes the user's own password: ends every other session, invalidates links, and sends an email. This session keeps
 * its token, so that a lost response or another tab does not sign the user out.
 */
async function changePassword(ctx: OpenCtx, { body }: Input<typeof authCalls.changePassword>) {
  const { services } = ctx;
  const { pool, config, tuning } = services;
  const { user, owner } = await confirmed(ctx, body.currentPassword, 'currentPassword');
  const { userId, companyId } = user;
  if (body.password === body.currentPassword) throw refuse(UNCHANGED, { password: UNCHANGED });
  await requireNewPassword(body, config.passwordMin, await wordsAbout(pool, owner));
  const passwordHash = await hashPassword(body.password, tuning.passwordCost);
  await inCompany(pool, companyId, async (tx) => {
    await requireSameProofs(tx, owner);
    tx.atEnd(
      rows.changePassword(userId, passwordHash),
      retireTokens(userId, rows.PASSWORD_LINK_KINDS),
      rows.deleteOtherSessionsOf(userId, user.tokenHash),
    );
    enqueue(tx, letter('changed', userId));
  });
  return { ok: true as const };
}

export const ownPasswordRoutes = [openRoute(authCalls.changePassword, changePassword)];
