import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { notFound, present, refuse } from '@evenkeel/core/failure';
import { todayIn } from '../../platform/clock.ts';
import { record } from '../../platform/db/audit.ts';
import { isUniqueViolation } from '../../platform/db/errors.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, inInstallation, installation } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { check, type Limit, take } from '../../platform/http/limits.ts';
import { type Input, openRoute, type OpenCtx } from '../../platform/http/route.ts';
import { serverActor, users } from '../../platform/http/session.ts';
import { UNKNOWN_DEVICE } from './device.ts';
import { letterTo } from './letters.ts';
import { confirmed, ownerOf, signedInUser } from './own-password.ts';
import { passkeysOf } from './passkeys.sql.ts';
import { evenly, links, readAddress, sendLetter } from './register.ts';
import { factorState } from './second-factor.sql.ts';
import { requireFactor, requireSameProofs } from './second-factor.ts';
import * as rows from './signin.sql.ts';
import * as tokens from './tokens.sql.ts';
import { getUser, userSubject } from './users.ts';

/** The user's own account: the account page, changes of the email address, and sessions. */

async function getAccount(ctx: OpenCtx) {
  const { userId, tokenHash, roleId, roleName: userRole, permissions: held } = signedInUser(ctx);
  const { pool, config } = ctx.services;
  const [[user], [state], keys, sessions] = await Promise.all([
    installation(pool, users.find({ id: userId })),
    installation(pool, factorState(userId)),
    installation(pool, passkeysOf(userId)),
    installation(pool, rows.sessionsOf(userId, config)),
  ]);
  const { email, newEmail, passwordChangedAt } = present(user, 'user');
  const { since, codesLeft, isRequired } = present(state, 'membership');
  return {
    email,
    newEmail,
    roleId,
    userRole,
    permissions: [...held],
    passwordChangedAt: passwordChangedAt?.toISOString() ?? null,
    secondFactor: { isOn: since !== null, since: since?.toISOString() ?? null, codesLeft, isRequired },
    passkeys: keys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    sessions: sessions.map(({ tokenHash: hash, lastSeenAt, createdAt, device, ...session }) => ({
      ...session,
      device: device === '' ? UNKNOWN_DEVICE : device,
      lastSeenAt: lastSeenAt.toISOString(),
      signedInAt: createdAt.toISOString(),
      isThis: hash.equals(tokenHash),
    })),
  };
}

/** The number of minutes after a sign-in during which a user can end other sessions without further proof. */
const FRESH_MINUTES = 15;
const SIGN_IN_AGAIN =
  `You signed in more than ${FRESH_MINUTES} minutes ago. ` + 'Sign out, sign in again, and then end the sessions.';

/**
 * Throws 422 unless the user signed in a few minutes ago. Someone who finds a lost device with an open session must not
 * be able to end the other sessions.
 */
async function requireFreshSignIn({ services: { pool, config } }: OpenCtx, tokenHash: Buffer): Promise<void> {
  const [fresh] = await installation(pool, rows.isFreshSignIn(tokenHash, FRESH_MINUTES, config));
  if (fresh === undefined) throw refuse(SIGN_IN_AGAIN);
}

/** Throws 404 for an ended session or another user's session, and 422 if the sign-in was too long ago. */
async function endSession(ctx: OpenCtx, { params }: Input<typeof accountCalls.endSession>) {
  const { userId, tokenHash } = signedInUser(ctx);
  await requireFreshSignIn(ctx, tokenHash);
  const ended = await installation(ctx.services.pool, rows.endSession(userId, params.id));
  if (ended.length === 0) throw notFound('Session');
  return { ok: true as const };
}

/** Runs after the user is locked, so that sessions that are being opened from another session are included. */
async function endOtherSessions(ctx: OpenCtx) {
  const { userId, tokenHash } = signedInUser(ctx);
  await requireFreshSignIn(ctx, tokenHash);
  await inInstallation(ctx.services.pool, async (run) => {
    await run(rows.lockProofs(userId));
    await run(rows.deleteOtherSessionsOf(userId, tokenHash));
  });
  return { ok: true as const };
}

/** Limits the emails that are sent to addresses that a user claims to own. */
const asked: Limit = { name: 'email', most: 5, seconds: 3600 };

const UNCHANGED = 'This is already your email address';
const TAKEN = 'An account with this email address already exists';
const NOT_VERIFIED = 'Verification failed, you can also verify your account using the forgot password page.';

/**
 * Requests a new email address. Requires the password, and two-step verification if it is on. The address takes effect
 * when the user opens the link sent to it, and the old address is then notified. If the new address has an account, the
 * response is the same, and that account's owner gets an email.
 */
async function changeEmail(ctx: OpenCtx, { body }: Input<typeof accountCalls.changeEmail>) {
  const { services } = ctx;
  const { owner } = await confirmed(ctx, body.password);
  const email = readAddress(body.email);
  if (email === owner.email) throw refuse(UNCHANGED, { email: UNCHANGED });
  const { companyId, userId } = owner;
  // Runs before the code check, so that no code is wasted. Wrong codes send no emails and don't count toward this
  // limit.
  await check(services.pool, asked, String(userId));
  await requireFactor(services, owner, { ...body, address: ctx.address });
  await take(services.pool, asked, String(userId));
  const [other] = await installation(services.pool, rows.findForSignIn(email));
  await inCompany(services.pool, companyId, async (tx) => {
    await requireSameProofs(tx, owner);
    await tx.inOrder([rows.askForEmail(userId, email), tokens.retireTokens(userId, ['email'])]);
    if (other === undefined) enqueue(tx, letterTo(email, 'email', userId));
  });
  if (other !== undefined) await sendLetter(services, 'known', other);
  return { ok: true as const };
}

async function keepEmail(ctx: OpenCtx) {
  const { userId } = signedInUser(ctx);
  await inInstallation(ctx.services.pool, async (run) => {
    await run(rows.askForEmail(userId, null));
    await run(tokens.retireTokens(userId, ['email']));
  });
  return { ok: true as const };
}

const dead = () => refuse(NOT_VERIFIED, { token: NOT_VERIFIED });

async function verifyEmail({ services, address }: OpenCtx, { body }: Input<typeof authCalls.verifyEmail>) {
  await take(services.pool, links, address);
  return evenly(services, async () => {
    const [found] = await installation(services.pool, tokens.findLiveToken(body.token, ['verify', 'email']));
    const owner = await ownerOf(services.pool, found?.userId ?? null);
    if (found === undefined || owner === undefined) throw dead();
    await (found.kind === 'email' ? confirmNewEmail(services, owner, body.token) : verify(services, body.token));
    return { message: 'Verification success, you can now login' };
  });
}

async function verify({ pool }: Services, secret: string): Promise<void> {
  await inInstallation(pool, async (run) => {
    const [token] = await run(tokens.useToken(secret, ['verify']));
    if (token === undefined || token.userId === null) throw dead();
    await run(rows.verifyEmail(token.userId));
  });
}

/** Replaces the email address: notifies the old address and invalidates the links sent to it. Sessions stay open. */
async function confirmNewEmail(services: Services, owner: rows.Owner, secret: string): Promise<void> {
  const { userId, companyId } = owner;
  try {
    await inCompany(services.pool, companyId, async (tx) => {
      const ctx: Ctx = { ...serverActor(owner, todayIn('UTC')), tx, services };
      const before = await getUser(ctx, userId);
      const token = await tx.row(tokens.useToken(secret, ['email']));
      const email = token?.newEmail ?? '';
      const changed = email === '' ? undefined : await tx.row(rows.confirmNewEmail(userId, email));
      if (changed === undefined) throw dead();
      tx.atEnd(tokens.retireTokens(userId, rows.PASSWORD_LINK_KINDS));
      record(ctx, userSubject, { before, after: await getUser(ctx, userId) });
      enqueue(tx, letterTo(changed.oldEmail, 'emailChanged', userId));
    });
  } catch (error) {
    if (isUniqueViolation(error, 'app_user_email')) throw refuse(TAKEN, { token: TAKEN });
    throw error;
  }
}

export const accountRoutes = [
  openRoute(accountCalls.getAccount, getAccount),
  openRoute(accountCalls.endSession, endSession),
  openRoute(accountCalls.endOtherSessions, endOtherSessions),
  openRoute(accountCalls.changeEmail, changeEmail),
  openRoute(accountCalls.keepEmail, keepEmail),
  openRoute(authCalls.verifyEmail, verifyEmail),
];
