import { settingsCalls } from '@evenkeel/contract/settings';
import { Suspense, useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { logout, serverNow, useRead } from '../../client/api.ts';
import type { SessionUser } from '../../client/session.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import { TodayProvider } from '../../ui/hooks/today.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { menuFor } from './menu.ts';

const ChangePassword = lazyPart(async () => (await import('./ChangePassword.tsx')).ChangePassword);

/** The app's frame around the screens: company name, the menu of what the session permits, sign-out. */
export default function AppShell({ user }: { user: SessionUser }) {
  const company = useRead(settingsCalls.getCompany, {});
  const [changesPassword, setChangesPassword] = useState(false);
  return (
    <AppFrame
      company={company.data?.displayname ?? ''}
      initials={user.initials}
      person={user.email}
      menu={menuFor(user)}
      onLogout={() => logout()}
      onPassword={() => setChangesPassword(true)}
    >
      {changesPassword && (
        <Suspense fallback={null}>
          <ChangePassword
            email={user.email}
            company={company.data?.displayname ?? ''}
            onClose={() => setChangesPassword(false)}
          />
        </Suspense>
      )}
      <Today timeZone={company.data?.timeZone} error={company.error} onRetry={() => void company.refetch()} />
    </AppFrame>
  );
}

interface TodayProps {
  timeZone: string | undefined;
  error: Error | null;
  onRetry: () => void;
}

/** The screen, once the company's time zone is known: it is kept, so that only the very first visit waits for it. */
function Today({ timeZone, error, onRetry }: TodayProps) {
  useEffect(() => {
    if (timeZone !== undefined) writeLocal('timeZone', timeZone);
  }, [timeZone]);
  const known = timeZone ?? readLocal('timeZone');
  if (known === undefined) return error === null ? null : <ErrorState message={error.message} onRetry={onRetry} />;
  return (
    <TodayProvider timeZone={known} now={serverNow}>
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
    </TodayProvider>
  );
}
