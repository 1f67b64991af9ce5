import { authCalls } from '@evenkeel/contract/auth';
import { Failure, refuse } from '@evenkeel/core/failure';
import { isUniqueViolation } from '../../platform/db/errors.ts';
import { installation } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import { type Limit, take } from '../../platform/http/limits.ts';
import { type Input, openRoute, type OpenCtx } from '../../platform/http/route.ts';
import { memberships } from '../../platform/http/session.ts';
import { createCompany } from '../setup/company.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';
import { signedInUser } from './own-password.ts';

/**
 * Creates another company for a user who has an account. The rules for open sign-up apply, but no second account is
 * created.
 */

/** Limits the companies that one user can create. */
const perPerson: Limit = { name: 'new company', most: 10, seconds: 86_400 };

/** Returns whether a user with this address can create another company, which requires open sign-up. */
export const mayAddCompany = ({ config }: Services, email: string): boolean =>
  config.signUp === 'open' && email !== DEMO_EMAIL;

/**
 * Creates a company with the requesting user as its administrator. A repeated request returns the company that was
 * created first. Throws 422 if the name is missing, the time zone is unknown, or registration is closed. Throws 429
 * after 10 companies a day, and 409 if the idempotency key belongs to another request.
 */
async function addCompany(ctx: OpenCtx, { body }: Input<typeof authCalls.addCompany>) {
  const { services, key } = ctx;
  const { userId, email } = signedInUser(ctx);
  if (!mayAddCompany(services, email))
    throw refuse('Only the operator of this installation can add a company. Ask the operator to add yours.');
  const displayname = body.companyName ?? '';
  if (displayname === '') throw refuse('Company Name is required', { companyName: 'Company Name is required' });
  const asked = { userId, requestKey: key, companyName: displayname };
  const made = await madeBefore(services, asked);
  if (made !== undefined) return made;
  await take(services.pool, perPerson, String(userId));
  try {
    const administrator = { userId, email, requestKey: key };
    const { companyId } = await createCompany(services.pool, {
      displayname,
      timeZone: body.timeZone ?? undefined,
      administrator,
    });
    return { companyId };
  } catch (error) {
    const twin = isUniqueViolation(error, 'membership_request') ? await madeBefore(services, asked) : undefined;
    if (twin === undefined) throw error;
    return twin;
  }
}

interface Asked {
  userId: number;
  requestKey: string | undefined;
  companyName: string;
}

async function madeBefore({ pool }: Services, { userId, requestKey, companyName }: Asked) {
  if (requestKey === undefined) return undefined;
  const [made] = await installation(pool, memberships.find({ userId, requestKey }));
  if (made === undefined) return undefined;
  if (made.companyName === companyName) return { companyId: made.companyId };
  throw new Failure('key_reused', 'This Idempotency-Key was already used for a different request');
}

export const newCompanyRoutes = [openRoute(authCalls.addCompany, addCompany)];
