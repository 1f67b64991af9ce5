import { authCalls } from '@evenkeel/contract/auth';
import { Failure, notFound } from '@evenkeel/core/failure';
import { record } from '../../platform/db/audit.ts';
import { inCompany, installation } from '../../platform/db/tx.ts';
import { type Input, openRoute, type OpenCtx } from '../../platform/http/route.ts';
import { actorOf, newSecret, serverActor, sessionBeside } from '../../platform/http/session.ts';
import { todayIn } from '../../platform/clock.ts';
import { deviceOf } from './device.ts';
import { join } from './joining.ts';
import * as rows from './members.sql.ts';
import { mayAddCompany } from './new-company.ts';
import { signedInUser } from './own-password.ts';
import { recordSignIn } from './sign-in-log.ts';
import { describeUser } from './signin.ts';
import { companyOf, findForSignIn, lockProofs, noteSignIn } from './signin.sql.ts';
import { getUser, userSubject } from './users.ts';

/**
 * A user's companies. The user can switch between them without signing in again, but joins a company only by accepting
 * an invitation.
 */

const shown = ({ companyId, companyName, roleName, endsOn }: rows.CompanyOf) => ({
  companyId,
  companyName,
  userRole: roleName,
  endsOn,
});

async function listCompanies(ctx: OpenCtx) {
  const user = signedInUser(ctx);
  const all = await installation(ctx.services.pool, rows.companiesOf(user.userId));
  const [companies, invitations] = [all.filter((one) => one.isAccepted), all.filter((one) => !one.isAccepted)];
  return {
    companies: companies.map((one) => ({ ...shown(one), isThis: one.companyId === user.companyId })),
    invitations: invitations.map(shown),
    mayAdd: mayAddCompany(ctx.services, user.email),
  };
}

const signInAgain = () => new Failure('unauthenticated', 'Sign in to continue');

/**
 * Opens a session in another of the user's companies, without a new sign-in. The new session has its own token, so that
 * a browser tab for one company can't write to another. The session ends no later than the current one. The user is
 * locked, so that no change that ends the session or the membership is missed. Throws 404 if the user is not a member
 * of the company, and 401 if the current session has ended.
 */
async function enterCompany(ctx: OpenCtx, { body }: Input<typeof authCalls.enterCompany>) {
  const { services, address, agent } = ctx;
  const from = signedInUser(ctx);
  const { userId, email, tokenHash } = from;
  const { companyId } = body;
  const token = newSecret();
  const origin = { device: deviceOf(agent), network: address, isNewPlace: false };
  const opened = { token, companyId, ...origin };
  let tell = (): void => undefined;
  const company = await inCompany(services.pool, companyId, async (tx) => {
    const [, [open], [found]] = await tx.inOrder([
      lockProofs(userId),
      rows.findOpen(userId, companyId),
      companyOf(companyId),
    ]);
    if (open === undefined || found === undefined) throw notFound('Company');
    if ((await tx.row(sessionBeside(tokenHash, opened))) === undefined) throw signInAgain();
    tx.atEnd(noteSignIn({ userId, companyId }));
    tell = recordSignIn(services, tx, { ...from, companyId, origin, method: 'session in another company' });
    return found;
  });
  tell();
  const [user] = await installation(services.pool, findForSignIn(email, companyId));
  if (user === undefined) throw signInAgain();
  return { ...describeUser(user, services), token, ...company };
}

async function acceptInvitation(ctx: OpenCtx, { params }: Input<typeof authCalls.acceptInvitation>) {
  const user = signedInUser(ctx);
  const { userId } = user;
  const joined = await join(ctx.services, { userId, companyId: params.companyId, by: actorOf(user).by });
  if (!joined) throw notFound('Invitation');
  return { ok: true as const };
}

async function declineInvitation({ services, ...ctx }: OpenCtx, { params }: Input<typeof authCalls.declineInvitation>) {
  const user = signedInUser({ services, ...ctx });
  const { userId } = user;
  const { companyId } = params;
  await inCompany(services.pool, companyId, async (tx) => {
    const as = { ...serverActor({ companyId, userId }, todayIn('UTC')), by: actorOf(user).by, tx, services };
    const [, [invited]] = await tx.inOrder([lockProofs(userId), rows.findInvited(userId, companyId)]);
    if (invited === undefined) throw notFound('Invitation');
    record(as, userSubject, { before: await getUser(as, userId), write: rows.removeMember(userId, companyId) });
  });
  return { ok: true as const };
}

export const memberRoutes = [
  openRoute(authCalls.listCompanies, listCompanies),
  openRoute(authCalls.enterCompany, enterCompany),
  openRoute(authCalls.acceptInvitation, acceptInvitation),
  openRoute(authCalls.declineInvitation, declineInvitation),
];
