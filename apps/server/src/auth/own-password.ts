import { authCalls } from '@evenkeel/contract/auth';
import { Failure, refuse } from '@evenkeel/core/failure';
import type { Pool } from '../db/connect.ts';
import { enqueue } from '../db/jobs.ts';
import { inCompany, installation, readCompany } from '../db/tx.ts';
import { forgive, type Limit, take } from '../http/limits.ts';
import { type Input, openRoute, type OpenCtx } from '../http/route.ts';
import { letter } from './letters.ts';
import { hashPassword, matchesPassword, requireNewPassword } from './passwords.ts';
import * as rows from './signin.sql.ts';
import { retireTokens } from './tokens.sql.ts';

/** Whoever holds a session that is not his must not guess its password here. */
const attempts: Limit = { name: 'own-password', most: 10, seconds: 900 };

const NOT_RIGHT = 'The current password is not right';
const UNCHANGED = 'This is the password that you have';

/** The user of an account; undefined where there is none, or for a link that belongs to nobody. */
export async function ownerOf(pool: Pool, userId: number | null): Promise<rows.Owner | undefined> {
  if (userId === null) return undefined;
  const [owner] = await installation(pool, rows.findOwner(userId));
  return owner;
}

/** The address and the company's name: no password may be one of them. */
export async function wordsAbout(pool: Pool, owner: rows.Owner | undefined): Promise<string[]> {
  if (owner === undefined) return [];
  const company = await readCompany(pool, owner.companyId, (tx) => tx.row(rows.companyName()));
  return [owner.email, company?.name ?? ''];
}

/**
 * Changes one's own password: every other session ends, links die, and an e-mail tells of it. This session goes on
 * under its token, so that an answer that never comes, or another tab, signs nobody out.
 */
async function changePassword({ services, user }: OpenCtx, { body }: Input<typeof authCalls.changePassword>) {
  const { pool, config, tuning } = services;
  if (user === undefined) throw new Failure('unauthenticated', 'Please sign in');
  const { userId, companyId } = user;
  await take(pool, attempts, String(userId));
  const owner = await ownerOf(pool, userId);
  const isRight = await matchesPassword(owner?.passwordHash, body.currentPassword, tuning.passwordCost);
  if (!isRight) throw refuse(NOT_RIGHT, { currentPassword: NOT_RIGHT });
  await forgive(pool, attempts, String(userId));
  if (body.password === body.currentPassword) throw refuse(UNCHANGED, { password: UNCHANGED });
  requireNewPassword(body, config.passwordMin, await wordsAbout(pool, owner));
  const passwordHash = await hashPassword(body.password, tuning.passwordCost);
  await inCompany(pool, companyId, async (tx) => {
    tx.atEnd(
      rows.changePassword(userId, passwordHash),
      retireTokens(userId, ['reset', 'verify', 'invite']),
      rows.deleteOtherSessionsOf(userId, user.tokenHash),
    );
    enqueue(tx, letter('changed', userId));
  });
  return { ok: true as const };
}

export const ownPasswordRoutes = [openRoute(authCalls.changePassword, changePassword)];
