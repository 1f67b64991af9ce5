import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { accountCalls, SignInRules } from '@evenkeel/contract/account';
import { conflict } from '@evenkeel/core/failure';
import { record, type Subject } from '../../platform/db/audit.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, installation, type Tx } from '../../platform/db/tx.ts';
import type { Ctx, Services, SessionUser } from '../../platform/http/context.ts';
import { type Input, openRoute, type OpenCtx, route } from '../../platform/http/route.ts';
import { actorOf, memberships } from '../../platform/http/session.ts';
import { companies } from '../../features/settings/company.sql.ts';
import { letter } from './letters.ts';
import { confirmed, signedInUser } from './own-password.ts';
import { hashCode } from './passwords.ts';
import * as rows from './second-factor.sql.ts';
import * as factor from './second-factor.ts';
import { deleteOtherSessionsOf, lockProofs, type Owner } from './signin.sql.ts';
import { newRecoveryCodes, newTotpSecret, totpAddress } from './totp.ts';
import { getUser, userSubject } from './users.ts';

/**
 * The user's own two-step verification. Each change requires confirmation, sends an email, is audited, and ends other
 * sessions.
 */

const SALT_BYTES = 16;
const IS_ON = 'Two-step verification is already on';
const IS_OFF = 'Two-step verification is already off';
const BEGIN = 'This setup has expired. Start again.';

/** Returns ten recovery codes, and the hashes that are stored for them. */
async function makeCodes({ tuning }: Services, salt: Buffer) {
  const codes = newRecoveryCodes();
  return { codes, hashes: await Promise.all(codes.map((code) => hashCode(code, salt, tuning.passwordCost))) };
}

/**
 * Creates a secret and recovery codes, which take effect when the user confirms them with a code. Starting setup again
 * replaces the earlier ones. A user with a passkey must confirm with the passkey, because the password alone is not
 * enough to add another method.
 */
async function begin(ctx: OpenCtx, { body }: Input<typeof accountCalls.beginFactor>) {
  const { services, address } = ctx;
  const { owner } = await confirmed(ctx, body.password);
  if ((await factor.liveFactor(services.pool, owner.userId)) !== undefined) throw conflict(IS_ON);
  await factor.requireFactor(services, owner, { ...body, address });
  const [secret, salt] = [newTotpSecret(), randomBytes(SALT_BYTES)];
  const { codes, hashes } = await makeCodes(services, salt);
  const boxCompanyId = owner.companyId;
  const secretBox = services.box.seal(factor.secretPlace({ ...owner, boxCompanyId }), secret);
  await inCompany(services.pool, owner.companyId, async (tx) => {
    const begun = await tx.row(rows.beginFactor(owner.userId, { boxCompanyId, secretBox, salt }));
    if (begun === undefined) throw conflict(IS_ON);
    await replaceCodes(tx, owner.userId, hashes);
  });
  return { secret, address: totpAddress(secret, owner.email), recoveryCodes: codes };
}

function replaceCodes(tx: Tx, userId: number, hashes: readonly Buffer[]) {
  return tx.inOrder([rows.deleteCodes(userId), rows.insertCodes(userId, hashes)]);
}

/**
 * Turns two-step verification on or off, records the change, ends other sessions, and sends an email. `owner` is the
 * user who was authenticated.
 */
async function change(
  { services }: OpenCtx,
  user: SessionUser,
  { isOn, owner, write }: { isOn: boolean; owner?: Owner; write: (tx: Tx) => Promise<void> },
): Promise<void> {
  const { userId } = user;
  await inCompany(services.pool, user.companyId, async (tx) => {
    const ctx: Ctx = { ...actorOf(user), tx, services };
    await (owner === undefined ? tx.rows(lockProofs(userId)) : factor.requireSameProofs(tx, owner));
    await write(tx);
    const after = { ...(await getUser(ctx, userId)), secondFactor: isOn };
    record(ctx, userSubject, { before: { ...after, secondFactor: !isOn }, after });
    tx.atEnd(deleteOtherSessionsOf(userId, user.tokenHash));
    enqueue(tx, letter(isOn ? 'factorOn' : 'factorOff', userId));
  });
}

/**
 * Turns the method on with a code from the latest secret. If the first response was lost, repeating the request
 * succeeds. A code from an earlier setup is rejected.
 */
async function confirm(ctx: OpenCtx, { body }: Input<typeof accountCalls.confirmFactor>) {
  const { services, address } = ctx;
  const user = signedInUser(ctx);
  const [begun] = await installation(services.pool, rows.findFactor(user.userId));
  if (begun === undefined) throw conflict(BEGIN);
  const step = factor.stepTyped(services, { factor: begun, typed: body.code });
  await factor.requireCode(services, user, { address, right: async () => step !== undefined });
  if (begun.confirmedAt === null) {
    const write = async (tx: Tx) => {
      const on = await tx.row(rows.confirmFactor(begun, step ?? 0));
      if (on === undefined) throw conflict(BEGIN);
    };
    await change(ctx, user, { isOn: true, write });
  }
  return { ok: true as const };
}

/**
 * Turns the authenticator off. Requires the password and a verification code, recovery code, or passkey. Throws 409 if
 * a user who must use two-step verification would remove the last method.
 */
async function remove(ctx: OpenCtx, { body }: Input<typeof accountCalls.removeFactor>) {
  const { user, owner } = await proven(ctx, body);
  const write = async (tx: Tx) => {
    const [removed] = await tx.rows(rows.deleteFactor(user.userId));
    if (removed === undefined) throw conflict(IS_OFF);
    await factor.requireStillEnough(tx, user.userId);
  };
  await change(ctx, user, { isOn: false, owner, write });
  return { ok: true as const };
}

/**
 * Returns the user after checking the password and two-step verification. Throws 409 if two-step verification is off.
 */
async function proven(ctx: OpenCtx, body: Input<typeof accountCalls.removeFactor>['body']) {
  const { services, address } = ctx;
  const { user, owner } = await confirmed(ctx, body.password);
  const live = await factor.liveFactor(services.pool, user.userId);
  if (live === undefined) throw conflict(IS_OFF);
  await factor.requireFactor(services, owner, { ...body, address });
  return { user, owner, live };
}

const RecoveryCodes = z.object({ id: z.number(), codesLeft: z.number() });
const codesSubject: Subject<typeof RecoveryCodes> = {
  name: 'recovery codes',
  schema: RecoveryCodes,
  idOf: ({ id }) => id,
};

async function renewCodes(ctx: OpenCtx, { body }: Input<typeof accountCalls.newRecoveryCodes>) {
  const { services } = ctx;
  const { user, owner, live } = await proven(ctx, body);
  const { codes, hashes } = await makeCodes(services, live.salt);
  const { userId } = user;
  await inCompany(services.pool, user.companyId, async (tx) => {
    await factor.requireSameProofs(tx, owner);
    const [kept, before] = await Promise.all([tx.row(rows.lockFactor(userId)), tx.one(rows.countCodes(userId))]);
    if (kept === undefined || !kept.salt.equals(live.salt)) throw conflict(IS_OFF);
    await replaceCodes(tx, userId, hashes);
    const after = { id: userId, codesLeft: codes.length };
    record({ ...actorOf(user), tx }, codesSubject, { before: { id: userId, ...before }, after });
    tx.atEnd(deleteOtherSessionsOf(userId, user.tokenHash));
    enqueue(tx, letter('codes', userId));
  });
  return { recoveryCodes: codes };
}

const rulesOf = (companyId: number): Subject<typeof SignInRules> => ({
  name: 'sign-in rules',
  schema: SignInRules,
  idOf: () => companyId,
});

async function getRules({ tx, companyId }: Ctx) {
  return { secondFactor: (await tx.one(companies.find({ id: companyId }))).secondFactorRule };
}

/** Each membership stores a copy of the rule, so that it takes effect with the member's next request. */
async function saveRules(ctx: Ctx, { body }: Input<typeof accountCalls.saveSignInRules>) {
  const { companyId, tx } = ctx;
  const { secondFactorRule } = await tx.one(companies.find({ id: companyId }, { lock: 'for no key update' }));
  const changed = { secondFactorRule: body.secondFactor };
  const write = [companies.update({ id: companyId }, changed), memberships.update({ companyId }, changed)];
  return record(ctx, rulesOf(companyId), { before: { secondFactor: secondFactorRule }, after: body, write });
}

export const ownFactorRoutes = [
  openRoute(accountCalls.beginFactor, begin),
  openRoute(accountCalls.confirmFactor, confirm),
  openRoute(accountCalls.removeFactor, remove),
  openRoute(accountCalls.newRecoveryCodes, renewCodes),
  route(accountCalls.getSignInRules, getRules),
  route(accountCalls.saveSignInRules, saveRules),
];
