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

/** Who is invited to a further company joins it by an act of one's own, never by being invited. */

interface Joining {
  userId: number;
  companyId: number;
  by: By;
}

/**
 * Accepts an invitation; false where there is none any more. `proved` runs first, and throws where the person may not.
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
 * Who has proved to be this user joins by the link of an invitation, and goes on in that company. A link that is dead,
 * or another's, leads where a sign-in without one does.
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
  // The proofs stay those of this sign-in, whatever the account says by now.
  return joined === undefined ? user : { ...joined, proofs };
}
