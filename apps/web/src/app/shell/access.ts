import type { Permission } from '@evenkeel/contract/areas';
import { isAdministrator, may, type SessionUser } from '../../client/session.ts';

/** The right that opens a screen: a permission, or being an administrator. */
export type ScreenNeeds = Permission | 'Administrator';

export function mayOpen(user: SessionUser | null, needs: ScreenNeeds): boolean {
  return needs === 'Administrator' ? isAdministrator(user) : may(user, needs);
}
