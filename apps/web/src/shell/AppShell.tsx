import { authCalls } from '@evenkeel/contract/auth';
import { settingsCalls } from '@evenkeel/contract/settings';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useCallback } from 'react';
import { Outlet } from 'react-router';
import { call, useRead } from '../api.ts';
import { type SessionUser, signOut } from '../session.ts';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { menuFor } from './menu.ts';

/** The app's frame around the screens: company name, the menu of what the session permits, sign-out. */
export default function AppShell({ user }: { user: SessionUser }) {
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
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
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
