import { useEffect, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router';
import { AlertBox } from './AlertBox.tsx';
import { useFreePlace } from './freePlace.ts';
import { type Alert, type AlertStore, alerts as applicationAlerts } from './store.ts';

/** Returns the app's alerts: `useAlerts().success('Recon saved')`. */
export function useAlerts(): AlertStore {
  return applicationAlerts;
}

/**
 * The container for alerts. useFreePlace places the container where it covers no primary action or footer. Mount the
 * container once.
 */
export function Alerts({ store = applicationAlerts }: { store?: AlertStore }) {
  const { shown } = useSyncExternalStore(store.subscribe, store.state);
  const place = useRef<HTMLDivElement>(null);
  useRouteChanges(store);
  useFreePlace(place, shown);
  return createPortal(
    <div
      ref={place}
      className="ek-alerts"
      role="region"
      aria-label="Alerts"
      onMouseEnter={store.pause}
      onMouseLeave={store.resume}
      onFocus={store.pause}
      onBlur={store.resume}
    >
      <div role="alert">{shown.filter((one) => one.kind === 'Error').map((one) => show(one, store))}</div>
      <div role="status">{shown.filter((one) => one.kind !== 'Error').map((one) => show(one, store))}</div>
    </div>,
    document.body,
  );
}

function show(alert: Alert, store: AlertStore) {
  const { action } = alert;
  const close = () => store.dismiss(alert.id);
  const run = () => {
    action?.run();
    close();
  };
  return (
    <AlertBox
      key={alert.id}
      kind={alert.kind}
      leaving={alert.leaving}
      onClose={close}
      action={action === undefined ? undefined : { label: action.label, run }}
    >
      {alert.text}
    </AlertBox>
  );
}

function useRouteChanges(store: AlertStore) {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    store.routeChanged();
  }, [pathname, store]);
}
