import { messageOf } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';

/** Waits for an action, and shows an alert when it succeeds or fails. */
export function useOutcome(): (begun: Promise<unknown>, words: string) => Promise<void> {
  const alerts = useAlerts();
  return async (begun, words) => {
    try {
      await begun;
      alerts.success(words);
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
}
