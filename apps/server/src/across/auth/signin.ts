import { authCalls } from '@evenkeel/contract/auth';
import type { PasskeyAnswer } from '@evenkeel/contract/passkeys';
import { formatDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, inInstallation, installation } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import { check, forgive, type Limit, note, take } from '../../platform/http/limits.ts';
import { type Input, openRoute, type OpenCtx } from '../../platform/http/route.ts';
import { tellEvent } from '../../platform/http/security-log.ts';
import { newSecret, type Origin, sessionInsert } from '../../platform/http/session.ts';
import { fromElsewhere } from './attempts.ts';
import { deviceOf } from './device.ts';
import { joinByLink } from './joining.ts';
import { letter } from './letters.ts';
import { askPasskey, judgePasskey } from './passkey-proof.ts';
import { findByCredential } from './passkeys.sql.ts';
import { matchesPassword } from './passwords.ts';
import { checkProofs, passSecondFactor, requireSameProofs } from './second-factor.ts';
import { recordSignIn, type SigningIn, tellingRefusals } from './sign-in-log.ts';
import * as rows from './signin.sql.ts';
import { readCode } from './totp.ts';
import { toBytes } from './webauthn.ts';

/**
 * Limits failed sign-ins. One limit applies to each account from each address, and the other applies to all accounts
 * from one address.
 */
const perAccount: Limit = { name: 'login', most: 10, seconds: 900 };
const perAddress: Limit = { name: 'login-address', most: 100, seconds: 900 };
const verifyAgain: Limit = { name: 'verify-again', most: 5, seconds: 3600 };

const NO_PASSKEY = "This passkey can't be used to sign in here. Try again, or use your password.";
const WRONG = 'The email address or password is incorrect';

const turns = new Map<string, Promise<unknown>>();

/**
 * Runs attempts to sign in to the same account from the same address one at a time, so that parallel requests can't
 * exceed the limit.
 */
function oneByOne<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, mine);
  const leave = (): void => {
    if (turns.get(key) === mine) turns.delete(key);
  };
  mine.then(leave, leave);
  return mine;
}

/** Returns a description, for the logs, of how a user signed in with a password. */
function methodOf({ code, passkey }: Pick<Input<typeof authCalls.login>['body'], 'code' | 'passkey'>): string {
  if (passkey !== null && passkey !== undefined) return 'password and passkey';
  const typed = readCode(code ?? '');
  if (typed === undefined) return 'password';
  return 'totp' in typed ? 'password and code' : 'password and recovery code';
}

function login(ctx: OpenCtx, input: Input<typeof authCalls.login>) {
  const method = methodOf(input.body);
  return tellingRefusals(ctx, { account: input.body.email, method }, () => loginBy(ctx, input, method));
}

/**
 * Signs in. An unknown address, a wrong password, and an unverified address get the same 401 after the same amount of
 * work. Throws 429 after 10 failures in 15 minutes, or after 30 attempts in an hour from other networks. A user with
 * two-step verification is asked for the code only after the password, and then sends both.
 */
async function loginBy({ services, address, agent }: OpenCtx, { body }: Input<typeof authCalls.login>, method: string) {
  const account = `${body.email} ${address}`;
  const user = await oneByOne(account, async () => {
    const { pool } = services;
    const [places] = await Promise.all([
      installation(pool, rows.isPlaceOf(body.email, address)),
      check(pool, perAccount, account),
      check(pool, perAddress, address),
    ]);
    if (places.length === 0) await take(pool, fromElsewhere, body.email);
    await checkProofs(pool, body.email, { ...body, address });
    const found = await findByPassword(services, body);
    if (found !== undefined) await forgive(pool, perAccount, account);
    else await Promise.all([note(pool, perAccount, account), note(pool, perAddress, address)]);
    return found;
  });
  if (user === undefined) throw new Failure('unauthenticated', WRONG);
  if (!hasLink(body)) requireMember(user);
  await passSecondFactor(services, user, { ...body, address });
  return enter(services, user, { address, agent, join: body.join, method });
}

/** Limits the challenges that one network can request. */
const asking: Limit = { name: 'passkey', most: 300, seconds: 900 };

async function challenge({ services, address }: OpenCtx, { body }: Input<typeof authCalls.passkeyChallenge>) {
  await take(services.pool, asking, address);
  return askPasskey(services, body.purpose);
}

/**
 * Signs in with only a passkey, which counts as both steps because the passkey verified its user. Every failure returns
 * the same 401 and counts toward the limit for failed passwords.
 */
function passkeyLogin(ctx: OpenCtx, input: Input<typeof authCalls.passkeyLogin>) {
  return tellingRefusals(ctx, { method: PASSKEY }, () => loginByPasskey(ctx, input));
}

const PASSKEY = 'passkey';

async function loginByPasskey({ services, address, agent }: OpenCtx, { body }: Input<typeof authCalls.passkeyLogin>) {
  const { pool } = services;
  await check(pool, perAddress, address);
  const user = await findByPasskey(services, body.passkey);
  if (user === undefined) {
    await note(pool, perAddress, address);
    throw new Failure('unauthenticated', NO_PASSKEY);
  }
  return enter(services, user, { address, agent, join: body.join, method: PASSKEY });
}

/**
 * The user must be read before the passkey is checked, so that a change made in between prevents the session from being
 * opened.
 */
async function findByPasskey(services: Services, answer: PasskeyAnswer): Promise<rows.SignInRow | undefined> {
  const [known] = await installation(services.pool, findByCredential(toBytes(answer.id)));
  const [user] = known === undefined ? [] : await installation(services.pool, rows.findForSignIn(known.email));
  const proved = await judgePasskey(services, answer, { purpose: 'sign in' });
  return proved !== undefined && user?.userId === proved.userId && user.isVerified ? user : undefined;
}

/** The network, the device, and the link of the invitation, if any, that the user accepts by signing in. */
interface Entering extends Pick<OpenCtx, 'address' | 'agent'> {
  join: string | null | undefined;
  method: string;
}

const hasLink = ({ join }: Partial<Pick<Entering, 'join'>>): boolean => (join ?? '') !== '';

/** Opens the session for a fully authenticated user and records the network and device. */
async function enter(services: Services, found: rows.SignInRow, { address, agent, join, method }: Entering) {
  const device = deviceOf(agent);
  const user = await joinByLink(services, found, { secret: join ?? '', device });
  requireMember(user);
  const origin = await originOf(services, user.userId, { network: address, device });
  await Promise.all([
    installation(services.pool, rows.rememberPlace(user.userId, address, origin.device)),
    installation(services.pool, rows.noteSignIn(user)),
  ]);
  return signedIn(services, user, { origin, method });
}

const INVITED = 'To accept the invitation, open the link in the invitation email and sign in there.';

/** Throws 401 for a user without access to any company. The user has already authenticated. */
function requireMember(user: rows.SignInRow): void {
  if (user.hasEnded) throw new Failure('unauthenticated', endedOn(user));
  if (!user.isAccepted) throw new Failure('unauthenticated', INVITED);
}

const endedOn = ({ endsOn }: rows.SignInRow): string =>
  `Your access ended on ${endsOn === null ? '' : formatDate(endsOn)}. Ask an administrator of ` +
  'your company to extend it.';

async function originOf({ pool }: Services, userId: number, from: Omit<Origin, 'isNewPlace'>): Promise<Origin> {
  const others = await installation(pool, rows.isNewPlaceOf(userId, from));
  return { ...from, isNewPlace: others.length > 0 };
}

/**
 * Opens a session for an authenticated user, and returns the user and the session. Throws 409 if the proofs have
 * changed since the sign-in.
 */
export async function signedIn(services: Services, user: rows.SignInRow, way: Pick<SigningIn, 'method' | 'origin'>) {
  return { ...describeUser(user, services), ...(await openSession(services, { ...user, ...way })) };
}

/**
 * Returns the user with this email address and password. For an unverified address, sends the email again and returns
 * undefined.
 */
async function findByPassword(services: Services, { email, password }: { email: string; password: string }) {
  const [user] = await installation(services.pool, rows.findForSignIn(email));
  const matches = await matchesPassword(user?.passwordHash, password, services.tuning.passwordCost);
  if (user === undefined || !matches) return undefined;
  if (user.isVerified) return user;
  await sendVerificationAgain(services, user);
  return undefined;
}

async function sendVerificationAgain({ pool }: Services, user: rows.SignInRow): Promise<void> {
  try {
    await take(pool, verifyAgain, user.email);
  } catch (error) {
    if (error instanceof Failure && error.code === 'rate_limited') return;
    throw error;
  }
  await inCompany(pool, user.companyId, async (tx) => enqueue(tx, letter('verify', user.userId)));
}

async function openSession(services: Services, user: rows.SignInRow & SigningIn) {
  const { pool, config } = services;
  const token = newSecret();
  let tell = (): void => undefined;
  const company = await inCompany(pool, user.companyId, async (tx) => {
    await requireSameProofs(tx, user);
    tx.atEnd(sessionInsert(token, user, config));
    tell = recordSignIn(services, tx, user);
    if (user.origin.isNewPlace) enqueue(tx, letter('place', user.userId));
    return tx.row(rows.companyOf(user.companyId));
  });
  tell();
  return { token, setupCompleted: company?.setupCompleted ?? false, companySince: company?.companySince };
}

export function describeUser(user: rows.SignInRow, { legal }: Services) {
  const { firstName, lastName } = user;
  return {
    id: user.userId,
    termsAccepted: user.termsVersion === legal.termsVersion,
    initials: `${[...firstName][0] ?? ''}${[...lastName][0] ?? ''}`.toUpperCase(),
    email: user.email,
    firstName,
    lastName,
    displayName: `${firstName} ${lastName}`.trim(),
    companyId: user.companyId,
    roleId: user.roleId,
    userRole: user.roleName,
    permissions: user.permissions,
    secondFactorMissing: user.secondFactorMissing,
  };
}

/**
 * Signs out of this session and of the sessions in other companies that were opened from it. With `only`, ends just
 * this session.
 */
async function logout({ services, user, address }: OpenCtx, { query }: Input<typeof authCalls.logout>) {
  if (user === undefined) return { ok: true as const };
  const { tokenHash, userId, companyId, email } = user;
  const isOnlyThis = query.only === 'this';
  await installation(services.pool, isOnlyThis ? rows.deleteSession(tokenHash) : rows.deleteSessionFamily(tokenHash));
  tellEvent(services, 'signed out', { account: email, network: address, userId, companyId });
  return { ok: true as const };
}

/** Records that the user accepted the terms and replaces the token, so that the earlier token becomes invalid. */
async function updateUserTerms({ services, user }: OpenCtx) {
  if (user === undefined) throw new Failure('unauthenticated', 'Please sign in');
  const token = newSecret();
  await inInstallation(services.pool, async (run) => {
    const [session] = await run(rows.rotateSession(user.tokenHash, token));
    if (session === undefined) throw new Failure('unauthenticated', 'Please sign in');
    await run(rows.acceptTerms(user.userId, services.legal.termsVersion));
  });
  return token;
}

export const signInRoutes = [
  openRoute(authCalls.login, login),
  openRoute(authCalls.passkeyChallenge, challenge),
  openRoute(authCalls.passkeyLogin, passkeyLogin),
  openRoute(authCalls.logout, logout),
  openRoute(authCalls.updateUserTerms, updateUserTerms),
];
