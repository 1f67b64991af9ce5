import type { Permission } from '@evenkeel/contract/areas';
import type { LoginReply } from '@evenkeel/contract/auth';
import { permissionsVersion } from '@evenkeel/contract/wire';
import { useSyncExternalStore } from 'react';
import type * as z from 'zod';
import { alerts } from '../ui/alerts/store.ts';
import { keepFor } from '../ui/hooks/localState.ts';

/** The user who is signed in on this device. The token stays here and travels in the Authorization header only. */
export type SessionUser = z.output<typeof LoginReply>;

const KEY = 'user';
/** Why the last session ended; the sign-in page says it once. */
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
 * One person in one company: what is read and kept in the browser belongs to it. Another installation at this address
 * has the same ids, and a company that was made at another moment.
 */
export function identityOf(user: SessionUser | null): string | undefined {
  if (user === null) return undefined;
  const { companyId, id, companySince } = user;
  return [companyId, id, ...(companySince === undefined ? [] : [companySince])].join('.');
}

/** Takes over who is signed in; when that is another identity, everything of the last one is forgotten first. */
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

/** A sign-in or sign-out in another tab holds for this one; without a key all storage was removed. */
window.addEventListener('storage', (event) => {
  if (event.key === KEY || event.key === null) become(read());
});

/** Called at each change of identity, in whatever way and in whichever tab, before anything is drawn for the next. */
export function onIdentityChange(listener: () => void): void {
  identityListeners.add(listener);
}

/** Called after the same person's permissions in the same company have changed, in whichever tab. */
export function onPermissionsChange(listener: () => void): void {
  permissionsListeners.add(listener);
}

/** Counts changes of identity: what was asked for in an earlier one is not for the present one. */
export function sessionEpoch(): number {
  return epoch;
}

export function sessionUser(): SessionUser | null {
  return current;
}

/** The token to send: another tab may have a newer one of the same person, of which this tab has not heard yet. */
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

/** Changes what is known of the signed-in user: a new token after the terms, a new name. */
export function updateSession(change: Partial<SessionUser>): void {
  if (current !== null) set({ ...current, ...change });
}

/**
 * Forgets the session; drafts stay. `because` is shown on the sign-in page. A session that another tab has begun since
 * is not ended by the end of this tab's one, but taken over.
 */
export function signOut(because?: string): void {
  const stored = read();
  const isForced = because !== undefined;
  const isNewer = stored !== null && stored.token !== current?.token;
  if (isNewer && (isForced || identityOf(stored) !== identityOf(current))) return become(stored);
  if (isForced) sessionStorage.setItem(REASON_KEY, because);
  if (current !== null) set(null);
}

/** The reason of the last forced sign-out, once. */
export function takeSignOutReason(): string | null {
  const reason = sessionStorage.getItem(REASON_KEY);
  sessionStorage.removeItem(REASON_KEY);
  return reason;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The signed-in user, or null; components follow sign-in and sign-out. */
export function useSession(): SessionUser | null {
  return useSyncExternalStore(subscribe, sessionUser);
}

export function isAdministrator(user: SessionUser | null): boolean {
  return user?.userRole === 'Administrator' && may(user, 'Manage Accounting');
}

/** Whether the session has a permission, as the server computed it at sign-in; Manage includes View. */
export function may(user: SessionUser | null, permission: Permission): boolean {
  if (user === null) return false;
  const manage = permission.replace(/^View /, 'Manage ');
  return user.permissions.includes(permission) || user.permissions.includes(manage);
}

/** `useMay()('Manage Billing')`: the menu and the buttons follow it, so that no forbidden call is ever sent. */
export function useMay(): (permission: Permission) => boolean {
  const user = useSession();
  return (permission) => may(user, permission);
}
