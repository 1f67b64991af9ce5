import type { Permission } from '@evenkeel/contract/areas';
import type { LoginReply } from '@evenkeel/contract/auth';
import { useSyncExternalStore } from 'react';
import type * as z from 'zod';

/**
 * Who is signed in on this device (Specification part 1 §3 "Local storage keys": user). The token stays here and
 * travels in the Authorization header only.
 */
export type SessionUser = z.output<typeof LoginReply>;

const KEY = 'user';
/** Why the last session ended; the sign-in page says it once. */
const REASON_KEY = 'signedOutBecause';

const listeners = new Set<() => void>();
let current: SessionUser | null = read();

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
  return (
    'token' in value && typeof value.token === 'string' && 'permissions' in value && Array.isArray(value.permissions)
  );
}

function set(user: SessionUser | null): void {
  current = user;
  if (user === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(user));
  for (const listener of listeners) listener();
}

/** A sign-in or sign-out in another tab holds for this one. */
window.addEventListener('storage', (event) => {
  if (event.key !== KEY) return;
  current = read();
  for (const listener of listeners) listener();
});

export function sessionUser(): SessionUser | null {
  return current;
}

export function signIn(user: SessionUser): void {
  sessionStorage.removeItem(REASON_KEY);
  set(user);
}

/** Changes what is known of the signed-in user: a new token after the terms, a new name. */
export function updateSession(change: Partial<SessionUser>): void {
  if (current !== null) set({ ...current, ...change });
}

/** Forgets the session; drafts stay. `because` is shown on the sign-in page. */
export function signOut(because?: string): void {
  if (because !== undefined) sessionStorage.setItem(REASON_KEY, because);
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

/** What the session permits, as the server computed it at sign-in; Manage includes View. */
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
