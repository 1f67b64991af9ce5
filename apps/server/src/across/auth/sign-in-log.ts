import * as z from 'zod';
import { Failure } from '@evenkeel/core/failure';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { By, Services } from '../../platform/http/context.ts';
import type { OpenCtx } from '../../platform/http/route.ts';
import type { Origin } from '../../platform/http/session.ts';
import { tellEvent } from '../../platform/http/security-log.ts';

/** Records sign-ins in the server's log and in the company's audit log. */

/** A sign-in in the audit log. The network is the pseudonym from the server's log, not the address. */
const SignIn = z.object({
  userId: z.number(),
  method: z.string(),
  device: z.string(),
  isNewPlace: z.boolean(),
  network: z.string(),
});
const signInSubject: Subject<typeof SignIn> = { name: 'sign-in', schema: SignIn, idOf: ({ userId }) => userId };

/** The user who signs in, and the method. */
export interface SigningIn {
  userId: number;
  companyId: number;
  email: string;
  firstName: string;
  lastName: string;
  /** The method, for example "password and code". */
  method: string;
  origin: Origin;
}

/**
 * Records a sign-in in the transaction that opens the session. Returns a function that writes the sign-in to the
 * server's log after the commit.
 */
export function recordSignIn(services: Services, tx: Tx, user: SigningIn): () => void {
  const { userId, companyId, email, method, origin } = user;
  const { device, isNewPlace, network } = origin;
  const by: By = { kind: 'session', name: device, person: `${user.firstName} ${user.lastName}`.trim() };
  const after = { userId, method, device, isNewPlace, network: services.pseudonym(network) };
  record({ tx, userId, by }, signInSubject, { after });
  return () => tellEvent(services, 'signed in', { account: email, network, userId, companyId, method, device });
}

/**
 * Logs a rejected sign-in with its reason and rethrows the error. Exceeded limits are logged where they are checked.
 */
export async function tellingRefusals<T>(
  { services, address }: Pick<OpenCtx, 'services' | 'address'>,
  tried: { account?: string; method: string },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Failure && error.code !== 'rate_limited') {
      tellEvent(services, 'sign-in refused', { ...tried, network: address, reason: error.code });
    }
    throw error;
  }
}
