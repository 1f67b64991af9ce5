import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { ICON } from '../show/icons.ts';
import { AlertBox } from './AlertBox.tsx';
import { type AlertStore, alerts as applicationAlerts } from './store.ts';

const CLOCK = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** Opens the list of the alerts that were shown, newest first: nothing is lost after its three seconds. */
export function PastAlerts({
  asButton = false,
  store = applicationAlerts,
}: {
  asButton?: boolean;
  store?: AlertStore;
}) {
  const { past } = useSyncExternalStore(store.subscribe, store.state);
  return (
    <Popover position="bottom-end" width={360} trapFocus returnFocus withinPortal={!asButton}>
      <Popover.Target>
        {asButton ? (
          <Button variant="default" leftSection={<IconBell {...ICON} />}>
            Past alerts
          </Button>
        ) : (
          <ActionIcon aria-label="Past alerts">
            <IconBell {...ICON} />
          </ActionIcon>
        )}
      </Popover.Target>
      <Popover.Dropdown aria-label="Past alerts">
        {past.length === 0 ? (
          <p className="ek-muted">No alerts yet</p>
        ) : (
          <ul className="ek-past" tabIndex={0} aria-label="Past alerts">
            {past.map((one) => (
              <li key={one.id}>
                <AlertBox kind={one.kind} aside={<span className="ek-past-time">{CLOCK.format(one.at)}</span>}>
                  {one.text}
                </AlertBox>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
