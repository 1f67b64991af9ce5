import { authCalls } from '@evenkeel/contract/auth';
import { signIn } from './session.ts';
import { call, joined } from './transport.ts';

/**
 * Goes on in another company of the same person, in every tab of this browser: to each it is a change of identity, as a
 * sign-in of another person is. The session that is left ends once the other one is here, so that an answer that never
 * comes signs nobody out, and no tab that has not heard of it yet writes on.
 */
export function enterCompany(companyId: number): Promise<void> {
  return joined(`enter company ${companyId}`, async () => {
    const next = await call(authCalls.enterCompany, { body: { companyId } });
    call(authCalls.logout, { query: { only: 'this' } }).catch(() => undefined);
    signIn(next);
  });
}
