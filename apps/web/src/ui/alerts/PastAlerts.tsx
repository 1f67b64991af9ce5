import { ActionIcon, Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Opener } from '../lazy/Opener.tsx';
import { ICON } from '../show/icons.ts';
import { type AlertStore, alerts as applicationAlerts } from './store.ts';

const load = async () => (await import('./PastBox.tsx')).PastBox;

export interface PastAlertsProps {
  asButton?: boolean;
  store?: AlertStore;
}

/** Opens the list of past alerts, newest first, so that an alert can be read after it has closed. */
export function PastAlerts({ asButton = false, store = applicationAlerts }: PastAlertsProps) {
  const bell = <IconBell {...ICON} />;
  const button = asButton ? (
    <Button variant="default" leftSection={bell}>
      Past alerts
    </Button>
  ) : (
    <ActionIcon aria-label="Past alerts">{bell}</ActionIcon>
  );
  return <Opener popup="dialog" load={load} box={{ store, isInner: asButton }} button={button} />;
}
