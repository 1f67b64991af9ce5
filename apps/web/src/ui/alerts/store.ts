/** Alerts close after 3000 ms and fade for 250 ms. */
export const ALERT_CLOSE_MS = 3000;
export const ALERT_FADE_MS = 250;
const PAST_MAX = 30;

export type AlertKind = 'Success' | 'Error' | 'Info' | 'Warning';

export interface AlertOptions {
  /** False keeps the alert until it is dismissed. */
  autoClose?: boolean;
  /** Whether the alert survives one navigation. Defaults to true only for a success alert. */
  keepAfterRouteChange?: boolean;
  /** A single action, for example Undo or Retry. */
  action?: { label: string; run: () => void };
}

export interface Alert extends AlertOptions {
  id: number;
  kind: AlertKind;
  text: string;
  /** Whether the alert is fading out. */
  leaving: boolean;
  /** The time in epoch milliseconds. */
  at: number;
}

export interface AlertsState {
  shown: readonly Alert[];
  /** The past alerts, newest first. At most 30 are kept. */
  past: readonly Alert[];
}

export interface AlertStore {
  success: (text: string, options?: AlertOptions) => void;
  error: (text: string, options?: AlertOptions) => void;
  info: (text: string, options?: AlertOptions) => void;
  warning: (text: string, options?: AlertOptions) => void;
  /** Starts to fade out an alert. */
  dismiss: (id: number) => void;
  /** Stops the timers while the pointer or focus is on the alerts. */
  pause: () => void;
  resume: () => void;
  /** Called on navigation. Removes all alerts except those that are marked to survive one navigation. */
  routeChanged: () => void;
  clearPast: () => void;
  /** Clears current and past alerts when another user signs in. */
  forget: () => void;
  state: () => AlertsState;
  subscribe: (changed: () => void) => () => void;
}

/** Creates the store of alerts with their timers. A duplicate of a visible alert only restarts its timer. */
export function createAlertStore(): AlertStore {
  let state: AlertsState = { shown: [], past: [] };
  let nextId = 1;
  let paused = false;
  const clocks = new Map<number, ReturnType<typeof setTimeout>>();
  const subscribers = new Set<() => void>();

  const publish = (next: Partial<AlertsState>) => {
    state = { ...state, ...next };
    for (const changed of subscribers) changed();
  };
  const stop = (id: number) => {
    clearTimeout(clocks.get(id));
    clocks.delete(id);
  };
  const after = (id: number, ms: number, run: () => void) => {
    stop(id);
    clocks.set(id, setTimeout(run, ms));
  };
  const remove = (id: number) => {
    stop(id);
    publish({ shown: state.shown.filter((alert) => alert.id !== id) });
  };
  const dismiss = (id: number) => {
    publish({ shown: state.shown.map((alert) => (alert.id === id ? { ...alert, leaving: true } : alert)) });
    after(id, ALERT_FADE_MS, () => remove(id));
  };
  const startClock = (alert: Alert) => {
    if (paused || alert.autoClose === false || alert.leaving) return;
    after(alert.id, ALERT_CLOSE_MS, () => dismiss(alert.id));
  };
  const show = (kind: AlertKind, text: string, options: AlertOptions = {}) => {
    for (const same of state.shown) if (same.kind === kind && same.text === text) stop(same.id);
    const alert: Alert = { ...options, id: nextId++, kind, text, leaving: false, at: Date.now() };
    const others = (all: readonly Alert[]) => all.filter((one) => one.kind !== kind || one.text !== text);
    publish({ shown: [...others(state.shown), alert], past: [alert, ...others(state.past)].slice(0, PAST_MAX) });
    startClock(alert);
  };
  const routeChanged = () => {
    for (const alert of state.shown) if (alert.keepAfterRouteChange !== true) stop(alert.id);
    const kept = state.shown.filter((alert) => alert.keepAfterRouteChange === true);
    publish({ shown: kept.map((alert) => ({ ...alert, keepAfterRouteChange: false })) });
  };
  return {
    // Saving often leads to another page, so the success message stays visible there.
    success: (text, options) => show('Success', text, { keepAfterRouteChange: true, ...options }),
    error: (text, options) => show('Error', text, options),
    info: (text, options) => show('Info', text, options),
    warning: (text, options) => show('Warning', text, options),
    dismiss,
    pause: () => {
      paused = true;
      for (const alert of state.shown) if (!alert.leaving) stop(alert.id);
    },
    resume: () => {
      paused = false;
      for (const alert of state.shown) startClock(alert);
    },
    routeChanged,
    clearPast: () => publish({ past: [] }),
    forget: () => {
      for (const alert of state.shown) stop(alert.id);
      publish({ shown: [], past: [] });
    },
    state: () => state,
    subscribe: (changed) => {
      subscribers.add(changed);
      return () => subscribers.delete(changed);
    },
  };
}

/** The app's alerts, which code outside components can also use. */
export const alerts: AlertStore = createAlertStore();
