import { ledgerCalls } from '@evenkeel/contract/ledger';
import { lineRequirements } from '@evenkeel/core/invoice';
import { useRead } from '../api.ts';
import { useLoadAlert } from '../records/reads.ts';
import { useBooksSettings } from './booksSettings.ts';
import type { Choice } from './choice.ts';

export interface Dimensions {
  /** False: what can be chosen is not known yet. */
  isLoaded: boolean;
  /** Undefined where there is nothing to choose: the switch is off, or there is none. Fields are then not shown. */
  profitCenters: Choice[] | undefined;
  locations: Choice[] | undefined;
  /** Which of the two a line must name: those that can be chosen. */
  required: ReturnType<typeof lineRequirements>;
}

/** Profit centers and locations, each while its switch is on and one exists. */
export function useDimensions(): Dimensions {
  const switches = useBooksSettings();
  const readCenters = useRead(ledgerCalls.listProfitCenters, { query: {} }, { enabled: switches.useProfitCenters });
  const readLocations = useRead(ledgerCalls.listLocations, { query: {} }, { enabled: switches.useLocations });
  useLoadAlert(readCenters.error, 'Error Loading Pfcs');
  useLoadAlert(readLocations.error, 'Error Loading locations');
  const [centers, locations] = [readCenters.data ?? [], readLocations.data ?? []];
  const required = lineRequirements(switches, { profitCenters: centers.length, locations: locations.length });
  return {
    isLoaded: switches.isLoaded && !readCenters.isLoading && !readLocations.isLoading,
    required,
    profitCenters: required.useProfitCenters
      ? centers.map((one) => ({ id: one.profitcenterid, label: one.profitcentername }))
      : undefined,
    locations: required.useLocations
      ? locations.map((one) => ({ id: one.locationId, label: one.locationName }))
      : undefined,
  };
}
