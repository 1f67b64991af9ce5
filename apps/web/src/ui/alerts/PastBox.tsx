import '../theme/overlayStyles.ts';
import { Popover } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { type OpenerButton, usePopOverAtOnce } from '../lazy/Opener.tsx';
import { AlertBox } from './AlertBox.tsx';
import type { AlertStore } from './store.ts';

const CLOCK = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

export interface PastBoxProps {
  store: AlertStore;
  /** Whether the list is inside another popover. */
  isInner: boolean;
}

/** The list of past alerts, loaded as a separate chunk. */
export function PastBox({ store, isInner, ...props }: PastBoxProps & { button: OpenerButton }) {
  const { past } = useSyncExternalStore(store.subscribe, store.state);
  const { opened, onChange, button } = usePopOverAtOnce(props.button);
  return (
    <Popover
      position="bottom-end"
      width={360}
      trapFocus
      returnFocus
      withinPortal={!isInner}
      opened={opened}
      onChange={onChange}
    >
      <Popover.Target>{button}</Popover.Target>
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
