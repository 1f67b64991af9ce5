import { Button, Popover, Switch, useMantineColorScheme } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ICON_SMALL } from '../show/icons.ts';

export interface AccountSettingsProps {
  /** Two letters of the person signed in. */
  initials: string;
  /** Name or e-mail, shown in the popover. */
  person?: string | undefined;
  onLogout: () => void;
  /** Further entries, e.g. Help on a phone. */
  children?: ReactNode;
}

/** The round initials button and its popover: Dark Mode and Logout (Specification part 1 §2). */
export function AccountSettings({ initials, person, onLogout, children }: AccountSettingsProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className="ek-initials" aria-label={`Account Settings, ${initials}`}>
          {initials}
        </button>
      </Popover.Target>
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
          <Button variant="default" leftSection={<IconLogout {...ICON_SMALL} />} onClick={onLogout}>
            Logout
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
