import type { Permission } from '@evenkeel/contract/areas';
import type { LoginReply } from '@evenkeel/contract/auth';
import { permissionsVersion } from '@evenkeel/contract/wire';
import { useSyncExternalStore } from 'react';
import type * as z from 'zod';
import { alerts } from '../ui/alerts/store.ts';
import { keepFor } from '../ui/hooks/localState.ts';

/** The user signed in on this device. The token stays here and is sent only in the Authorization header. */
export type SessionUser = z.output<typeof LoginReply>;

const KEY = 'user';
/** The storage key for the reason why the last session ended, which the sign-in page shows once. */
const REASON_KEY = 'signedOutBecause';

const listeners = new Set<() => void>();
const identityListeners = new Set<() => void>();
const permissionsListeners = new Set<() => void>();
let current: SessionUser | null = read();
let epoch = 0;
keepFor(identityOf(current));

function read(): SessionUser | null {
  try {
    const text = localStorage.getItem(KEY);
    const value: unknown = text === null ? null : JSON.parse(text);
    return isSessionUser(value) ? value : null;
  } catch {
    return null;
  }
}

function isSessionUser(value: unknown): value is SessionUser {
  if (typeof value !== 'object' || value === null) return false;
  const isSomeone = 'id' in value && typeof value.id === 'number' && 'companyId' in value;
  return isSomeone && 'token' in value && typeof value.token === 'string' && 'permissions' in value;
}

/**
 * Returns the identity of a user in a company. All data that was read or stored in the browser belongs to an identity.
 * The identity includes the time when the company was created, because another installation at this URL can have the
 * same IDs.
 */
export function identityOf(user: SessionUser | null): string | undefined {
  if (user === null) return undefined;
  const { companyId, id, companySince } = user;
  return [companyId, id, ...(companySince === undefined ? [] : [companySince])].join('.');
}

/**
 * Sets the signed-in user. If the identity changes, all data that belongs to the previous identity is cleared first.
 */
function become(next: SessionUser | null): void {
  const isOther = identityOf(next) !== identityOf(current);
  const hasOtherPermissions =
    next !== null && current !== null && permissionsVersion(next) !== permissionsVersion(current);
  current = next;
  if (isOther) {
    epoch += 1;
    keepFor(identityOf(next));
    alerts.forget();
    for (const listener of identityListeners) listener();
  }
  for (const listener of listeners) listener();
  if (hasOtherPermissions && !isOther) for (const listener of permissionsListeners) listener();
}

function set(user: SessionUser | null): void {
  if (user === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(user));
  become(user);
}

/**
 * Applies a sign-in or sign-out that happened in another tab. An event without a key means that all storage was
 * cleared.
 */
window.addEventListener('storage', (event) => {
  if (event.key === KEY || event.key === null) become(read());
});

/**
 * Registers a listener for every change of identity, in any tab. The listener runs before anything is rendered for the
 * new identity.
 */
export function onIdentityChange(listener: () => void): void {
  identityListeners.add(listener);
}

/** Called when the permissions of the signed-in user in the current company have changed, in any tab. */
export function onPermissionsChange(listener: () => void): void {
  permissionsListeners.add(listener);
}

/** Returns the number of identity changes so far. Responses to requests from before the last change must be dropped. */
export function sessionEpoch(): number {
  return epoch;
}

export function sessionUser(): SessionUser | null {
  return current;
}

/**
 * Returns the token to send. Another tab may have a newer token for the same user that this tab doesn't know about yet.
 */
export function currentToken(): string | undefined {
  const stored = read();
  const isNewer = stored !== null && stored.token !== current?.token;
  if (isNewer && identityOf(stored) === identityOf(current)) become(stored);
  return current?.token;
}

export function signIn(user: SessionUser): void {
  sessionStorage.removeItem(REASON_KEY);
  set(user);
}

/** Updates the signed-in user, for example with a new name, or with a new token after the user accepted the terms. */
export function updateSession(change: Partial<SessionUser>): void {
  if (current !== null) set({ ...current, ...change });
}

/**
 * Ends the session on this device and keeps drafts. The sign-in page shows `because`. If another tab has started a
 * newer session, this tab uses it instead.
 */
export function signOut(because?: string): void {
  const stored = read();
  const isForced = because !== undefined;
  const isNewer = stored !== null && stored.token !== current?.token;
  if (isNewer && (isForced || identityOf(stored) !== identityOf(current))) return become(stored);
  if (isForced) sessionStorage.setItem(REASON_KEY, because);
  if (current !== null) set(null);
}

/** Returns the reason for the last forced sign-out. Later calls return nothing. */
export function takeSignOutReason(): string | null {
  const reason = sessionStorage.getItem(REASON_KEY);
  sessionStorage.removeItem(REASON_KEY);
  return reason;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the signed-in user or null, and renders again when the user signs in or out. */
export function useSession(): SessionUser | null {
  return useSyncExternalStore(subscribe, sessionUser);
}

export function isAdministrator(user: SessionUser | null): boolean {
  return user?.userRole === 'Administrator' && may(user, 'Manage Accounting');
}

/**
 * Returns whether the session has a permission. The server determines the permissions at sign-in. Manage includes View.
 */
export function may(user: SessionUser | null, permission: Permission): boolean {
  if (user === null) return false;
  const manage = permission.replace(/^View /, 'Manage ');
  return user.permissions.includes(permission) || user.permissions.includes(manage);
}

/**
 * Returns a permission check: `useMay()('Manage Billing')`. The menu and buttons use it so that forbidden calls are
 * never sent.
 */
export function useMay(): (permission: Permission) => boolean {
  const user = useSession();
  return (permission) => may(user, permission);
}
