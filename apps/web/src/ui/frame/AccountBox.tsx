import '../theme/overlayStyles.ts';
import '../theme/fieldStyles.ts';
import { Button, Popover, Switch, useMantineColorScheme } from '@mantine/core';
import { IconKey, IconLogout } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type OpenerButton, usePopOverAtOnce } from '../lazy/Opener.tsx';
import { ICON_SMALL } from '../show/icons.ts';

export interface AccountBoxProps {
  /** Name or e-mail, shown in the popover. */
  person?: string | undefined;
  onLogout: () => void;
  /** Offers to change the password. */
  onPassword?: (() => void) | undefined;
  /** Further entries, e.g. Help on a phone. */
  children?: ReactNode;
}

/** The open part of Account Settings, in a chunk of its own. */
export function AccountBox({
  person,
  onLogout,
  onPassword,
  children,
  ...props
}: AccountBoxProps & { button: OpenerButton }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { opened, onChange, button } = usePopOverAtOnce(props.button);
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus opened={opened} onChange={onChange}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label="Account Settings">
        <div className="ek-account">
          <div>
            <h2 className="ek-account-title">Account Settings</h2>
            {person !== undefined && <p className="ek-account-name">{person}</p>}
          </div>
          <Switch
            label="Dark Mode"
            checked={colorScheme === 'dark'}
            onChange={(event) => setColorScheme(event.currentTarget.checked ? 'dark' : 'light')}
          />
          {children}
          {onPassword !== undefined && (
            <Button
              variant="default"
              leftSection={<IconKey {...ICON_SMALL} />}
              onClick={() => {
                onChange(false);
                onPassword();
              }}
            >
              Change Password
            </Button>
          )}
          <Button variant="default" leftSection={<IconLogout {...ICON_SMALL} />} onClick={onLogout}>
            Logout
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
