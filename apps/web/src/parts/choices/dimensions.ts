import { ledgerCalls } from '@evenkeel/contract/ledger';
import { lineRequirements } from '@evenkeel/core/documents/invoice';
import { useMemo } from 'react';
import { ask, inAlert, type Read, useRead } from '../../client/api.ts';
import { useBooksSettings } from './booksSettings.ts';
import type { Choice } from './choice.ts';

export interface Dimensions {
  /** False while the options load. */
  isLoaded: boolean;
  /** Whether the choices are loaded, or an alert has reported that loading failed. */
  isAnswered: boolean;
  /**
   * All profit centers, including inactive ones. Undefined if the setting is off or none exist, which hides the fields.
   */
  profitCenters: Choice[] | undefined;
  locations: Choice[] | undefined;
  /** The dimensions that a line requires: all dimensions that have active options. */
  required: ReturnType<typeof lineRequirements>;
}

const ALL = { query: { inactive: 'true' } } as const;
const activeOf = (choices: readonly Choice[]): number => choices.filter(({ isRetired }) => isRetired !== true).length;

/**
 * Returns profit centers and locations, each only if its setting is on and at least one exists. If all are inactive,
 * the fields remain, so that users can see and clear saved values. The returned object stays the same until a value
 * changes.
 */
export function useDimensions(): Dimensions {
  const switches = useBooksSettings();
  const { useProfitCenters, useLocations } = switches;
  const readCenters = useRead(ask(ledgerCalls.listProfitCenters, ALL), {
    enabled: useProfitCenters,
    ...inAlert('Error Loading Pfcs'),
  });
  const readLocations = useRead(ask(ledgerCalls.listLocations, ALL), {
    enabled: useLocations,
    ...inAlert('Error Loading locations'),
  });
  const isLoaded = switches.isLoaded && !readCenters.isLoading && !readLocations.isLoading;
  const isAnswered =
    switches.isAnswered && (!useProfitCenters || readCenters.isAnswered) && (!useLocations || readLocations.isAnswered);
  return useMemo(() => {
    const centers = (readCenters.value ?? []).map(({ profitcenterid: id, profitcentername: label, active }) => {
      return { id, label, isRetired: !active };
    });
    const locations = (readLocations.value ?? []).map(({ locationId: id, locationName: label, active }) => {
      return { id, label, isRetired: !active };
    });
    const counts = { profitCenters: activeOf(centers), locations: activeOf(locations) };
    return {
      isLoaded,
      isAnswered,
      required: lineRequirements({ useProfitCenters, useLocations }, counts),
      profitCenters: useProfitCenters && centers.length > 0 ? centers : undefined,
      locations: useLocations && locations.length > 0 ? locations : undefined,
    };
  }, [isLoaded, isAnswered, useProfitCenters, useLocations, readCenters.value, readLocations.value]);
}

/**
 * Returns the record for the LoadedModal of a form that has profit centers or locations. The form waits for these
 * lists, because a field that appears later would move the other fields.
 */
export function useWithDimensions<One>(id: number, read: Read<One>): { id?: number; read: Read<One> } {
  return useDimensions().isAnswered ? { id, read } : { read: { ...read, value: undefined } };
}
