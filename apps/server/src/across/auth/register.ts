import { setTimeout as sleep } from 'node:timers/promises';
import { authCalls } from '@evenkeel/contract/auth';
import { isEmailAddress } from '@evenkeel/core/email';
import { refuse } from '@evenkeel/core/failure';
import { monotonic } from '../../platform/clock.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, inInstallation, installation } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import { type Limit, take } from '../../platform/http/limits.ts';
import { type Input, openRoute, type OpenCtx } from '../../platform/http/route.ts';
import { createCompany, isKnownAddress } from '../setup/company.ts';
import { deviceOf } from './device.ts';
import { letter } from './letters.ts';
import { accept } from './members.sql.ts';
import { ownerOf, wordsAbout } from './own-password.ts';
import { requireNewPassword, hashPassword } from './passwords.ts';
import { checkProofs, passSecondFactor, requireSameProofs } from './second-factor.ts';
import * as signIn from './signin.sql.ts';
import * as tokens from './tokens.sql.ts';

/** Limits the number of registrations and attempts to use links from each network address. */
export const links: Limit = { name: 'links', most: 100, seconds: 3600 };
const forgotPerAccount: Limit = { name: 'forgot', most: 5, seconds: 3600 };

const REGISTERED = 'Registration successful, please check your email for verification instructions';
const EXPIRED_RESET = 'This password reset link is no longer valid. Request a new link.';
const EXPIRED_INVITATION = 'This registration link is no longer valid. Ask for a new link.';

type Registration = Input<typeof authCalls.register>['body'];

/**
 * Runs the work, and then waits until a minimum time has passed, so that known and unknown addresses can't be
 * distinguished.
 */
export async function evenly<T>({ tuning }: Services, work: () => Promise<T>): Promise<T> {
  const began = monotonic();
  try {
    return await work();
  } finally {
    await sleep(Math.max(0, tuning.answerFloorMs - (monotonic() - began)));
  }
}

function required(value: string | null | undefined, field: string, message: string): string {
  if (value === null || value === undefined || value === '') throw refuse(message, { [field]: message });
  return value;
}

/** Returns a new address in lowercase. Throws 422 with the form's message if it is invalid. */
export function readAddress(value: string | null | undefined, message = 'Email is invalid'): string {
  const address = (value ?? '').trim().toLowerCase();
  if (!isEmailAddress(address)) throw refuse(message, { email: message });
  return address;
}

async function register({ services, address }: OpenCtx, { body }: Input<typeof authCalls.register>) {
  await take(services.pool, links, address);
  return evenly(services, async () => {
    const firstName = required(body.firstname, 'firstname', 'First Name is required');
    const lastName = required(body.lastname, 'lastname', 'Last Name is required');
    await requireNewPassword(body, services.config.passwordMin, [body.email ?? '', body.companyName ?? '']);
    if (body.acceptedterms !== true) {
      throw refuse('Accept Terms & Conditions is required', { acceptedterms: 'Accept Terms & Conditions is required' });
    }
    const person = { firstName, lastName };
    const secret = body.token ?? '';
    if (secret === '') return registerOpenly(services, body, person);
    const [token] = await installation(services.pool, tokens.findLiveToken(secret, ['invite', 'first']));
    if (token === undefined) throw refuse(EXPIRED_INVITATION, { token: EXPIRED_INVITATION });
    if (token.kind === 'first') return registerFirst(services, { body, secret }, person);
    return acceptInvitation(services, { body, secret, token }, person);
  });
}

interface Person {
  firstName: string;
  lastName: string;
}

async function acceptInvitation(
  services: Services,
  { body, secret, token: found }: { body: Registration; secret: string; token: tokens.LiveToken },
  person: Person,
) {
  const { pool, config, tuning, legal } = services;
  const companyId = found.joinsCompanyId;
  const invited = await ownerOf(pool, found.userId, companyId);
  if (invited === undefined || invited.companyId !== companyId)
    throw refuse(EXPIRED_INVITATION, { token: EXPIRED_INVITATION });
  await requireNewPassword(body, config.passwordMin, await wordsAbout(pool, invited));
  const passwordHash = await hashPassword(body.password, tuning.passwordCost);
  await inInstallation(pool, async (run) => {
    // The user must be locked first. Otherwise, two requests with links for one user would deadlock when each of them
    // invalidates the other's link.
    await run(signIn.lockProofs(invited.userId));
    const [token] = await run(tokens.useToken(secret, ['invite']));
    if (token === undefined || token.userId === null) throw refuse(EXPIRED_INVITATION, { token: EXPIRED_INVITATION });
    const user = { ...person, passwordHash, termsVersion: legal.termsVersion };
    const [completed] = await run(signIn.completeInvitation(token.userId, user));
    const [joined] = await run(accept(token.userId, companyId));
    if (completed === undefined || joined === undefined)
      throw refuse(EXPIRED_INVITATION, { token: EXPIRED_INVITATION });
    await run(tokens.retireTokens(token.userId, ['invite', 'reset', 'verify']));
  });
  return { message: 'Registration successful, you can now login' };
}

/**
 * Creates the company and its administrator together and uses up the link. Only one of two simultaneous requests
 * succeeds.
 */
async function registerFirst(
  services: Services,
  { body, secret }: { body: Registration; secret: string },
  person: Person,
) {
  const email = readAddress(required(body.email, 'email', 'Email is required'));
  const displayname = required(body.companyName, 'companyName', 'Company Name is required');
  const passwordHash = await hashPassword(body.password, services.tuning.passwordCost);
  const { pool, legal } = services;
  const [token] = await installation(pool, tokens.useToken(secret, ['first']));
  if (token === undefined) throw refuse(EXPIRED_INVITATION, { token: EXPIRED_INVITATION });
  try {
    const administrator = { ...person, email, passwordHash, isVerified: true, termsVersion: legal.termsVersion };
    await createCompany(pool, { displayname, timeZone: body.timeZone ?? undefined, administrator });
  } catch (error) {
    await installation(pool, tokens.reviveToken(secret));
    throw error;
  }
  return { message: 'Registration successful, you can now login' };
}

/**
 * Registers a company if SIGN_UP is `open`. For an address with an account, the response is the same, and its owner
 * gets an email.
 */
async function registerOpenly(services: Services, body: Registration, person: Person) {
  const { pool, config, tuning, legal } = services;
  if (config.signUp !== 'open') {
    throw refuse('You need an invitation to register. Open the link in your invitation email.');
  }
  const email = readAddress(required(body.email, 'email', 'Email is required'));
  const displayname = required(body.companyName, 'companyName', 'Company Name is required');
  const passwordHash = await hashPassword(body.password, tuning.passwordCost);
  const administrator = { ...person, email, passwordHash, isVerified: false, termsVersion: legal.termsVersion };
  try {
    const made = await createCompany(pool, { displayname, timeZone: body.timeZone ?? undefined, administrator });
    await sendLetter(services, 'verify', made);
  } catch (error) {
    if (!isKnownAddress(error)) throw error;
    const [owner] = await installation(pool, signIn.findForSignIn(email));
    if (owner !== undefined) await sendLetter(services, 'known', owner);
  }
  return { message: REGISTERED };
}

type Recipient = { companyId: number; userId: number };

export async function sendLetter(
  { pool }: Services,
  kind: 'verify' | 'reset' | 'known' | 'invite',
  { companyId, userId }: Recipient,
) {
  await inCompany(pool, companyId, async (tx) => enqueue(tx, letter(kind, userId)));
}

async function forgotPassword({ services, address }: OpenCtx, { body }: Input<typeof authCalls.forgotPassword>) {
  const email = body.Email;
  await Promise.all([take(services.pool, links, address), take(services.pool, forgotPerAccount, email)]);
  return evenly(services, async () => {
    const [user] = await installation(services.pool, signIn.findForSignIn(email));
    // A user who has not registered yet has no password to reset. The invitation is sent again instead.
    const kind = user?.passwordHash === null ? 'invite' : 'reset';
    if (user !== undefined && !user.hasEnded) await sendLetter(services, kind, user);
    return { message: 'Please check your email for password reset instructions' };
  });
}

const expiredReset = () => refuse(EXPIRED_RESET, { token: EXPIRED_RESET });

/** Returns whether the email address in the request, if any, matches the link. */
function isFor(token: { email: string | null }, email: string | null | undefined): boolean {
  return email === null || email === undefined || email === '' || token.email === email.trim().toLowerCase();
}

async function validateResetToken(
  { services, address }: OpenCtx,
  { body }: Input<typeof authCalls.validateResetToken>,
) {
  await take(services.pool, links, address);
  return evenly(services, async () => {
    const [token] = await installation(services.pool, tokens.findLiveToken(body.token, ['reset']));
    if (token === undefined || !isFor(token, body.email)) throw expiredReset();
    return { message: 'This link is valid' };
  });
}

async function resetPassword({ services, address, agent }: OpenCtx, { body }: Input<typeof authCalls.resetPassword>) {
  const { pool, config, tuning } = services;
  await take(pool, links, address);
  return evenly(services, async () => {
    await requireNewPassword(body, config.passwordMin, []);
    const [found] = await installation(pool, tokens.findLiveToken(body.token, ['reset']));
    const owner = await ownerOf(pool, found?.userId ?? null);
    if (found === undefined || owner === undefined || !isFor(found, body.email)) throw expiredReset();
    await requireNewPassword(body, config.passwordMin, await wordsAbout(pool, owner));
    await checkProofs(pool, owner.email, { ...body, address });
    await passSecondFactor(services, owner, { ...body, address });
    const passwordHash = await hashPassword(body.password, tuning.passwordCost);
    const { userId } = owner;
    await inCompany(pool, owner.companyId, async (tx) => {
      await requireSameProofs(tx, owner);
      const token = await tx.row(tokens.useToken(body.token, ['reset']));
      if (token?.userId !== userId) throw expiredReset();
      tx.atEnd(
        signIn.resetPassword(userId, passwordHash),
        tokens.retireTokens(userId, signIn.PASSWORD_LINK_KINDS),
        signIn.deleteSessionsOf(userId),
        signIn.rememberPlace(userId, address, deviceOf(agent)),
      );
      enqueue(tx, letter('changed', userId));
    });
    return { message: 'Password reset successful, you can now login' };
  });
}

async function invitation({ services, address }: OpenCtx, { body }: Input<typeof authCalls.invitation>) {
  await take(services.pool, links, address);
  return evenly(services, async () => {
    const [found] = await installation(services.pool, tokens.findInvitation(body.token));
    if (found === undefined) throw refuse(EXPIRED_INVITATION, { token: EXPIRED_INVITATION });
    return found;
  });
}

export const registerRoutes = [
  openRoute(authCalls.invitation, invitation),
  openRoute(authCalls.register, register),
  openRoute(authCalls.forgotPassword, forgotPassword),
  openRoute(authCalls.validateResetToken, validateResetToken),
  openRoute(authCalls.resetPassword, resetPassword),
];
