import type { Endpoint } from '@evenkeel/contract/endpoint';
import { Failure } from '@evenkeel/core/failure';
import type { SessionUser } from './context.ts';

export const ADMINISTRATOR = 'Administrator';
export const SUPERUSER = 'Superuser';

export function isAdministrator(user: SessionUser): boolean {
  return user.systemRole && user.roleName === ADMINISTRATOR;
}

/** True when the user's role holds the permission; Manage includes View (decisions: "Access"). */
export function holds(user: SessionUser, permission: string): boolean {
  if (user.systemRole && (user.roleName === ADMINISTRATOR || user.roleName === SUPERUSER)) return true;
  return (
    user.permissions.includes(permission) ||
    (permission.startsWith('View ') && user.permissions.includes(permission.replace('View ', 'Manage ')))
  );
}

/** Throws 401, 403 or 409 `terms_required` unless the caller may use the endpoint. */
export function authorise({ needs }: Endpoint, user: SessionUser | undefined): void {
  if (needs === 'public') return;
  if (user === undefined) throw new Failure('unauthenticated', 'Please sign in');
  if (needs === 'session') return;
  if (!user.termsAccepted) throw new Failure('terms_required', 'Please accept the terms of service first');
  if (needs === 'signed-in' || needs === 'by record') return;
  if (needs !== ADMINISTRATOR) requireOneOf(user, typeof needs === 'string' ? [needs] : needs);
  else if (!isAdministrator(user)) throw forbidden();
}

const forbidden = (): Failure => new Failure('forbidden', 'Your access has changed. Please sign in again.');

/** Throws 403 unless the caller holds one of the permissions. */
export function requireOneOf(user: SessionUser, permissions: readonly string[]): void {
  if (!permissions.some((permission) => holds(user, permission))) throw forbidden();
}
