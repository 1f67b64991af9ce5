import { ledgerCalls } from '@evenkeel/contract/ledger';
import { lineRequirements } from '@evenkeel/core/documents/invoice';
import { useMemo } from 'react';
import { ask, inAlert, type Read, useRead } from '../../client/api.ts';
import { useBooksSettings } from './booksSettings.ts';
import type { Choice } from './choice.ts';

export interface Dimensions {
  /** False: what can be chosen is not known yet. */
  isLoaded: boolean;
  /** The choices are loaded, or loading failed with an alert. */
  isAnswered: boolean;
  /** With the deactivated ones. Undefined where the switch is off, or there is none: fields are then not shown. */
  profitCenters: Choice[] | undefined;
  locations: Choice[] | undefined;
  /** The dimensions that a line must name: those that can be chosen. */
  required: ReturnType<typeof lineRequirements>;
}

const ALL = { query: { inactive: 'true' } } as const;
const activeOf = (choices: readonly Choice[]): number => choices.filter(({ isRetired }) => isRetired !== true).length;

/**
 * Profit centers and locations, each while its switch is on and one exists. If all are deactivated the fields stay: a
 * saved line with one says so, and it can be taken off. One object until something of it changes.
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
 * Returns the record of a form with profit centers or locations for its LoadedModal. The form waits for these lists,
 * because a field that appears later moves the others.
 */
export function useWithDimensions<One>(id: number, read: Read<One>): { id?: number; read: Read<One> } {
  return useDimensions().isAnswered ? { id, read } : { read: { ...read, value: undefined } };
}
