import { settingsCalls } from '@evenkeel/contract/settings';
import { IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { ask, type Read, useRead } from '../../client/api.ts';
import { logout, serverNow } from '../../client/transport.ts';
import type { SessionUser } from '../../client/session.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import { TodayProvider } from '../../ui/hooks/today.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { SearchBox, type SearchBoxProps } from '../search/SearchBox.tsx';
import { menuFor } from './menu.ts';

/** The app's frame around the screens: company name, the menu of what the session permits, sign-out. */
export default function AppShell({ user }: { user: SessionUser }) {
  const company = useRead(ask(settingsCalls.getCompany, {}));
  const [showsKeys, setShowsKeys] = useState(false);
  const actions: SearchBoxProps['actions'] = [
    { id: 'account', text: 'Account', also: 'change password security e-mail', icon: IconUserCircle, to: '/account' },
    { id: 'keys', text: 'Keys', also: 'keyboard shortcuts help', icon: IconKeyboard, run: () => setShowsKeys(true) },
    { id: 'logout', text: 'Logout', also: 'sign out', icon: IconLogout, run: () => logout() },
  ];
  return (
    <AppFrame
      company={company.value?.displayname ?? ''}
      initials={user.initials}
      person={user.email}
      menu={menuFor(user)}
      search={<SearchBox actions={actions} sheet={{ isOpen: showsKeys, set: setShowsKeys }} />}
      onLogout={() => logout()}
      onKeys={() => setShowsKeys(true)}
      account="/account"
    >
      <Today company={company} />
    </AppFrame>
  );
}

/** The screen, once the company's time zone is known: it is kept, so that only the very first visit waits for it. */
function Today({ company: { value, error, retry } }: { company: Read<{ timeZone: string }> }) {
  const timeZone = value?.timeZone;
  useEffect(() => {
    if (timeZone !== undefined) writeLocal('timeZone', timeZone);
  }, [timeZone]);
  const known = timeZone ?? readLocal('timeZone');
  if (known === undefined) return error === undefined ? null : <ErrorState message={error} onRetry={retry} />;
  return (
    <TodayProvider timeZone={known} now={serverNow}>
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
    </TodayProvider>
  );
}
