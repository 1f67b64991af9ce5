import './frame.css';
import { ActionIcon } from '@mantine/core';
import { IconHelpCircle, IconMenu2 } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { PastAlerts } from '../alerts/PastAlerts.tsx';
import { useLocalChoice } from '../hooks/localState.ts';
import { useNarrow, useWide } from '../hooks/media.ts';
import { cannotLoad } from '../lazy/Opener.tsx';
import { ICON } from '../show/icons.ts';
import { AccountSettings } from './AccountSettings.tsx';
import type { MenuDrawerProps } from './MenuDrawer.tsx';
import { type MenuSection, SideMenu } from './SideMenu.tsx';

const loadDrawer = async () => (await import('./MenuDrawer.tsx')).MenuDrawer;

export interface AppFrameProps {
  company: string;
  initials: string;
  person?: string | undefined;
  menu: readonly MenuSection[];
  /** The search field on wide screens, or its button on narrow screens. The app uses useNarrow to decide. */
  search?: ReactNode;
  /** Opens Help. Omitted to hide the button. */
  onHelp?: (() => void) | undefined;
  /** The user's companies in Account Settings. `onAccount` closes the popover. */
  companies?: ComponentType<{ onAccount?: () => void }> | undefined;
  onLogout: () => void;
  /** The path of the account page, linked in Account Settings. */
  account?: string | undefined;
  /** Opens the sheet of keyboard shortcuts from Account Settings, on screens wide enough for a keyboard. */
  onKeys?: (() => void) | undefined;
  /** The chat widget. It is always shown, but below 768 px only while the drawer is open. */
  chat?: ComponentType<{ isShown: boolean }> | undefined;
  children: ReactNode;
}

/**
 * The top bar, side menu, and main area. The menu is a column (from 1224 px), a rail (768 to 1223 px), or a drawer
 * (below 768 px) that closes on navigation. The menu is open by default, and its state is remembered.
 */
export function AppFrame(props: AppFrameProps) {
  const narrow = useNarrow();
  const rail = !useWide() && !narrow;
  const [menu, setMenu] = useLocalChoice('drawer', ['open', 'closed'], 'open');
  const drawer = useDrawer(narrow);
  const toggle = narrow ? drawer.toggle : () => setMenu(menu === 'open' ? 'closed' : 'open');
  const expanded = narrow ? drawer.opened : menu === 'open';
  return (
    <div className="ek-app" data-menu={narrow ? 'drawer' : menu}>
      <a className="ek-skip" href="#main">
        Skip to content
      </a>
      {!narrow && menu === 'open' && (
        <div className="ek-menu">
          <SideMenu sections={props.menu} rail={rail} />
        </div>
      )}
      {narrow && drawer.Part !== undefined && (
        <drawer.Part opened={drawer.opened} onClose={drawer.close} sections={props.menu} />
      )}
      <TopBar {...props} narrow={narrow} expanded={expanded} onToggle={toggle} />
      {props.chat !== undefined && (
        <Suspense>
          <props.chat isShown={!narrow || drawer.opened} />
        </Suspense>
      )}
      <main id="main" className="ek-main" tabIndex={-1}>
        {props.children}
      </main>
    </div>
  );
}

function useDrawer(narrow: boolean) {
  const [opened, setOpened] = useState(false);
  const [Part, setPart] = useState<ComponentType<MenuDrawerProps>>();
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    setOpened(false);
  }, [pathname]);
  const first = (found: ComponentType<MenuDrawerProps>) => {
    setPart(() => found);
    setOpened(true);
  };
  const toggle = () => (Part === undefined ? void loadDrawer().then(first, cannotLoad) : setOpened(!opened));
  return { opened: narrow && opened, Part, toggle, close: () => setOpened(false) };
}

interface TopBarProps extends Omit<AppFrameProps, 'menu' | 'children'> {
  narrow: boolean;
  expanded: boolean;
  onToggle: () => void;
}

function TopBar({ company, search, onHelp, narrow, expanded, onToggle, ...props }: TopBarProps) {
  const { initials, person, companies, onLogout, account } = props;
  const onKeys = narrow ? undefined : props.onKeys;
  return (
    <header className="ek-top">
      <ActionIcon aria-label="Toggle menu" aria-expanded={expanded} onClick={onToggle}>
        <IconMenu2 {...ICON} />
      </ActionIcon>
      <span className="ek-company ek-ellipsis" title={company}>
        {company}
      </span>
      <div className="ek-top-slot">{search}</div>
      {!narrow && <PastAlerts />}
      {!narrow && onHelp !== undefined && (
        <ActionIcon aria-label="Help" onClick={onHelp}>
          <IconHelpCircle {...ICON} />
        </ActionIcon>
      )}
      <AccountSettings
        {...{ initials, person, companies, onLogout, account, onKeys }}
        onHelp={narrow ? onHelp : undefined}
      >
        {narrow && <PastAlerts asButton />}
      </AccountSettings>
    </header>
  );
}
