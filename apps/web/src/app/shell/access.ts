import type { Permission } from '@evenkeel/contract/areas';
import { isAdministrator, may, type SessionUser } from '../../client/session.ts';

/**
 * The requirement for opening a screen: a permission, the administrator role, permission to change anything, or only a
 * session.
 */
export type ScreenNeeds = Permission | 'Administrator' | 'changes' | 'session';

export function mayOpen(user: SessionUser | null, needs: ScreenNeeds): boolean {
  if (needs === 'session') return user !== null;
  if (needs === 'changes') return user !== null && user.permissions.some((each) => each.startsWith('Manage '));
  return needs === 'Administrator' ? isAdministrator(user) : may(user, needs);
}
