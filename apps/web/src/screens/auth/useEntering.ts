import { useState } from 'react';
import { messageOf } from '../../client/api.ts';
import { enterCompany } from '../../client/companies.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';

/** Switches to another company. `busy` is the ID of the company that the user is switching to. */
export function useEntering() {
  const alerts = useAlerts();
  const [busy, setBusy] = useState<number>();
  const enter = async (companyId: number) => {
    if (busy !== undefined) return;
    setBusy(companyId);
    try {
      await enterCompany(companyId);
    } catch (error) {
      alerts.error(messageOf(error));
    } finally {
      setBusy(undefined);
    }
  };
  return { busy, enter: (companyId: number) => void enter(companyId) };
}
