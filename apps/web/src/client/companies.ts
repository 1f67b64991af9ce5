import { authCalls } from '@evenkeel/contract/auth';
import { signIn } from './session.ts';
import { call, joined } from './transport.ts';

/**
 * Switches the user to another company in every tab of this browser. For each tab, this is a change of identity, like
 * another user signing in. The old session ends only when the new one exists. Therefore, a lost response signs nobody
 * out, and a tab that doesn't know of the switch yet can't write to the old company.
 */
export function enterCompany(companyId: number): Promise<void> {
  return joined(`enter company ${companyId}`, async () => {
    const next = await call(authCalls.enterCompany, { body: { companyId } });
    call(authCalls.logout, { query: { only: 'this' } }).catch(() => undefined);
    signIn(next);
  });
}
