import { authCalls } from '@evenkeel/contract/auth';
import { settingsCalls } from '@evenkeel/contract/settings';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { call, useRead } from '../api.ts';
import { type SessionUser, signOut, useSession } from '../session.ts';
import { EmptyState } from '../ui/show/EmptyState.tsx';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { mayOpen, menuFor, type ScreenNeeds } from './menu.ts';

/**
 * What a private route asks for first (Specification part 1 §4 "Access flow"): a session, else /login and back again;
 * accepted terms, else /TOS.
 */
export function Private() {
  const user = useSession();
  const location = useLocation();
  if (user === null) return <Navigate to="/login" replace state={{ from: location.pathname + location.search }} />;
  if (!user.termsAccepted) return <Navigate to="/TOS" replace />;
  return <Shell user={user} />;
}

function Shell({ user }: { user: SessionUser }) {
  const company = useRead(settingsCalls.getCompany, {});
  const logout = useLogout();
  return (
    <AppFrame
      company={company.data?.displayname ?? ''}
      initials={user.initials}
      person={user.email}
      menu={menuFor(user)}
      onLogout={logout}
    >
      <Outlet />
    </AppFrame>
  );
}

/** Ends the session here at once and on the server as soon as it hears of it; what was read is forgotten. */
function useLogout(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    call(authCalls.logout, {}).catch(() => undefined);
    signOut();
    client.clear();
  }, [client]);
}

/** A screen that the session does not permit says so without sending a call. */
export function Guard({ needs }: { needs: ScreenNeeds }) {
  const user = useSession();
  return mayOpen(user, needs) ? <Outlet /> : <EmptyState title="You do not have access to this" />;
}
