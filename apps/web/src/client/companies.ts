import { authCalls } from '@evenkeel/contract/auth';
import { signIn } from './session.ts';
import { call, joined } from './transport.ts';

/**
 * Switches the user to another company in every tab of this browser. Each tab handles the switch like a sign-in by
 * another user. The old session is ended only after the new one exists. Therefore, a lost response doesn't sign the
 * user out, and a tab that doesn't know about the switch yet can't write to the old company.
 */
export function enterCompany(companyId: number): Promise<void> {
  return joined(`enter company ${companyId}`, async () => {
    const next = await call(authCalls.enterCompany, { body: { companyId } });
    call(authCalls.logout, { query: { only: 'this' } }).catch(() => undefined);
    signIn(next);
  });
}
