import { companyCalls } from '@evenkeel/contract/company';
import { IconHelpCircle, IconKeyboard, IconLogout, IconMoon, IconUserCircle } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { ask, type Read, useRead } from '../../client/api.ts';
import { logout, serverNow } from '../../client/transport.ts';
import type { SessionUser } from '../../client/session.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import { TodayProvider } from '../../ui/hooks/today.tsx';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { toggleTheme } from '../../ui/theme/toggleTheme.ts';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { SearchBox, type SearchBoxProps } from '../search/SearchBox.tsx';
import { mayOpen } from './access.ts';
import { chatWidgetUrl } from './chat.ts';
import { menuFor } from './menu.ts';

const HelpPanel = lazyPart(async () => (await import('../help/HelpPanel.tsx')).HelpPanel);
const CompanySwitch = lazyPart(async () => (await import('../../screens/auth/CompanySwitch.tsx')).CompanySwitch);
const WaitingCount = lazyPart(async () => (await import('../../screens/approvals/WaitingCount.tsx')).WaitingCount);
const ChatWidget = lazyPart(async () => (await import('./ChatWidget.tsx')).ChatWidget);

/** The app frame around the screens, with the company name, the menu items that the user can open, and sign-out. */
export default function AppShell({ user }: { user: SessionUser }) {
  const company = useRead(ask(companyCalls.getCompany, {}));
  const [showsKeys, setShowsKeys] = useState(false);
  const [help, setHelp] = useState<{ topic?: string }>();
  const [waiting, setWaiting] = useState(readLocal('waiting'));
  const actions: SearchBoxProps['actions'] = [
    {
      id: 'account',
      text: 'Account',
      also: 'change name password security email start page',
      icon: IconUserCircle,
      to: '/account',
    },
    {
      id: 'theme',
      text: 'Switch Between Light and Dark Mode',
      also: 'theme colors appearance settings',
      icon: IconMoon,
      run: toggleTheme,
    },
    { id: 'help', text: 'Help', also: 'manual how to', icon: IconHelpCircle, run: () => setHelp({}) },
    { id: 'keys', text: 'Keys', also: 'keyboard shortcuts help', icon: IconKeyboard, run: () => setShowsKeys(true) },
    { id: 'logout', text: 'Logout', also: 'sign out', icon: IconLogout, run: () => logout() },
  ];
  return (
    <AppFrame
      company={company.value?.displayname ?? ''}
      initials={user.initials}
      person={user.email}
      menu={menuFor(user, waiting)}
      search={
        <SearchBox
          actions={actions}
          sheet={{ isOpen: showsKeys, set: setShowsKeys }}
          onHelp={(topic) => setHelp({ topic })}
        />
      }
      onHelp={() => setHelp({})}
      companies={CompanySwitch}
      onLogout={() => logout()}
      onKeys={() => setShowsKeys(true)}
      account="/account"
      chat={chatWidgetUrl() === undefined ? undefined : ChatWidget}
    >
      <Today company={company} />
      <Suspense>
        {mayOpen(user, 'changes') && <WaitingCount onCount={setWaiting} />}
        {help !== undefined && <HelpPanel key={help.topic} topic={help.topic} onClose={() => setHelp(undefined)} />}
      </Suspense>
    </AppFrame>
  );
}

/**
 * Shows the screen as soon as the company's time zone is known. The time zone is stored, so only the first visit has to
 * wait for it.
 */
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
