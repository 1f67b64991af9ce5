import '../theme/overlayStyles.ts';
import '../theme/fieldStyles.ts';
import { Button, Popover, Switch, useMantineColorScheme } from '@mantine/core';
import { IconHelpCircle, IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { type OpenerButton, usePopOverAtOnce } from '../lazy/Opener.tsx';
import { ICON_SMALL } from '../show/icons.ts';
import type { MenuItem } from './SideMenu.tsx';

export interface AccountBoxProps {
  /** The name or email address shown in the popover. */
  person?: string | undefined;
  /** The user's companies. `onAccount` closes the popover. */
  companies?: ComponentType<{ onAccount?: () => void }> | undefined;
  onLogout: () => void;
  /** The path of the account page. */
  account?: string | undefined;
  /** Opens the sheet of keyboard shortcuts. */
  onKeys?: (() => void) | undefined;
  /** Opens Help if the top bar has no space for its button. */
  onHelp?: (() => void) | undefined;
  /** Additional items. */
  children?: ReactNode;
}

/** The content of the Account Settings popover, loaded as a separate chunk. */
export function AccountBox({
  person,
  companies: Companies,
  onLogout,
  account,
  onKeys,
  onHelp,
  children,
  ...props
}: AccountBoxProps & { button: OpenerButton }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { opened, onChange, button } = usePopOverAtOnce(props.button);
  const thenClose = (run: () => void) => () => {
    onChange(false);
    run();
  };
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus opened={opened} onChange={onChange}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label="Account Settings">
        <div className="ek-account">
          <div>
            <h2 className="ek-account-title">Account Settings</h2>
            {person !== undefined && <p className="ek-account-name">{person}</p>}
          </div>
          {Companies !== undefined && (
            <Suspense fallback={null}>
              <Companies onAccount={() => onChange(false)} />
            </Suspense>
          )}
          <Switch
            label="Dark Mode"
            checked={colorScheme === 'dark'}
            onChange={(event) => setColorScheme(event.currentTarget.checked ? 'dark' : 'light')}
          />
          {onHelp !== undefined && <Entry icon={IconHelpCircle} label="Help" onClick={thenClose(onHelp)} />}
          {children}
          {account !== undefined && (
            <Button
              component={Link}
              to={account}
              variant="default"
              leftSection={<IconUserCircle {...ICON_SMALL} />}
              onClick={() => onChange(false)}
            >
              Account
            </Button>
          )}
          {onKeys !== undefined && <Entry icon={IconKeyboard} label="Keys" onClick={thenClose(onKeys)} />}
          <Entry icon={IconLogout} label="Logout" onClick={onLogout} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function Entry({ icon: Icon, label, onClick }: { icon: MenuItem['icon']; label: string; onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<Icon {...ICON_SMALL} />} onClick={onClick}>
      {label}
    </Button>
  );
}
