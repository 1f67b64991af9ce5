import { authCalls } from '@evenkeel/contract/auth';
import { Failure, refuse } from '@evenkeel/core/failure';
import { deviceOf } from '../../across/auth/device.ts';
import { hasSecondFactor } from '../../across/auth/second-factor.ts';
import { signedIn } from '../../across/auth/signin.ts';
import { findForSignIn } from '../../across/auth/signin.sql.ts';
import { findLiveToken } from '../../across/auth/tokens.sql.ts';
import { isLocked, isTimeout } from '../../platform/db/errors.ts';
import { installation } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import { type Limit, take } from '../../platform/http/limits.ts';
import { type Input, openRoute, type OpenCtx, type Route } from '../../platform/http/route.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';
import { createDemo, findDemo } from './demo.ts';

/**
 * Limits requests per network, because creating two years of books is expensive and a visitor needs them only once or
 * twice.
 */
const perAddress: Limit = { name: 'demo', most: 20, seconds: 3600 };

const HAS_FACTOR =
  'The demo company asks for a second factor. Please sign in as its user, or reset it with "demo --reset".';

/**
 * "Look around a demo company": signs in with the first-start link, which stays valid for creating a company. Throws
 * 422 for an invalid link or another kind of link, and 401 if the demo user has two-step verification.
 */
async function lookAround({ services, address, agent }: OpenCtx, { body }: Input<typeof authCalls.lookAround>) {
  await take(services.pool, perAddress, address);
  const [token] = await installation(services.pool, findLiveToken(body.token, ['first']));
  if (token === undefined) throw refuse('This link is no longer valid', { token: 'This link is no longer valid' });
  if ((await findDemo(services)) === undefined) await makeOnce(services);
  const [user] = await installation(services.pool, findForSignIn(DEMO_EMAIL));
  if (user === undefined) throw new Error('the demo company has no administrator');
  if (await hasSecondFactor(services.pool, user.userId)) throw new Failure('code_required', HAS_FACTOR);
  const origin = { network: address, device: deviceOf(agent), isNewPlace: false };
  return signedIn(services, user, { origin, method: 'first link' });
}

const making = new WeakMap<Services, Promise<void>>();

/**
 * Creates the demo company once. In the same process, a second visitor waits here, where no statement can time out. In
 * another process, the second request waits for the first request's lock and retries if the wait times out.
 */
export function makeOnce(services: Services): Promise<void> {
  const begun = making.get(services);
  if (begun !== undefined) return begun;
  const made = make(services).finally(() => making.delete(services));
  making.set(services, made);
  return made;
}

const MOST_TRIES = 24;

async function make(services: Services): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await createDemo(services));
    } catch (error) {
      if (error instanceof Failure && error.code === 'conflict') return;
      const isUnderWay = isTimeout(error) || isLocked(error);
      if (!isUnderWay || tries === MOST_TRIES) throw error;
    }
  }
}

export const demoRoutes: Route[] = [openRoute(authCalls.lookAround, lookAround)];
