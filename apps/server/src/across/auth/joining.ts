import { todayIn } from '../../platform/clock.ts';
import { record } from '../../platform/db/audit.ts';
import { inCompany, installation, type Tx } from '../../platform/db/tx.ts';
import type { By, Services } from '../../platform/http/context.ts';
import { serverActor } from '../../platform/http/session.ts';
import * as rows from './members.sql.ts';
import { requireSameProofs } from './second-factor.ts';
import { findForSignIn, lockProofs, type SignInRow } from './signin.sql.ts';
import { findLiveToken } from './tokens.sql.ts';
import { getUser, userSubject } from './users.ts';

/** Invitations to another company. An invited user joins the company only by accepting the invitation. */

interface Joining {
  userId: number;
  companyId: number;
  by: By;
}

/**
 * Accepts an invitation. Returns false if the invitation no longer exists. `proved` runs first and throws if the user
 * may not accept the invitation.
 */
export function join(
  services: Services,
  { userId, companyId, by }: Joining,
  proved?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return inCompany(services.pool, companyId, async (tx) => {
    const ctx = { ...serverActor({ companyId, userId }, todayIn('UTC')), by, tx, services };
    await (proved === undefined ? tx.rows(lockProofs(userId)) : proved(tx));
    const [invited] = await tx.rows(rows.findInvited(userId, companyId));
    if (invited === undefined) return false;
    const before = await getUser(ctx, userId);
    await tx.rows(rows.accept(userId, companyId));
    const write = rows.retireInvitations(userId, companyId);
    record(ctx, userSubject, { before, after: await getUser(ctx, userId), write });
    return true;
  });
}

/**
 * Lets an authenticated user accept an invitation through its link and continue in that company. A link that is invalid
 * or belongs to someone else is ignored.
 */
export async function joinByLink(
  services: Services,
  user: SignInRow,
  { secret, device }: { secret: string; device: string },
): Promise<SignInRow> {
  const { userId, email, proofs } = user;
  const [link] = await installation(services.pool, findLiveToken(secret, ['join']));
  if (link?.userId !== userId || link.joinsCompanyId === null) return user;
  const by: By = { kind: 'session', name: device, person: `${user.firstName} ${user.lastName}`.trim() };
  const joining = { userId, companyId: link.joinsCompanyId, by };
  if (!(await join(services, joining, (tx) => requireSameProofs(tx, user)))) return user;
  const [joined] = await installation(services.pool, findForSignIn(email, link.joinsCompanyId));
  // Uses the proofs from the sign-in, even if the account has changed since then.
  return joined === undefined ? user : { ...joined, proofs };
}
