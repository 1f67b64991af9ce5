import { useQueryClient } from '@tanstack/react-query';
import { type EntityChoice, type EntityChoices, entityCalls } from '@evenkeel/contract/entities';
import { useEffect, useMemo, useState } from 'react';
import { type Ask, ask, asKey, inAlert, useRead } from '../../client/api.ts';
import type { PickerProps } from '../../ui/fields/Picker.tsx';
import { useSettled } from '../../ui/hooks/settled.ts';
import type { Choice } from './choice.ts';

/** The API call that returns the customers or vendors that match a search, or the one with a given ID. */
export interface EntitySource {
  choose: (query: { q?: string; id?: number }) => Ask<EntityChoices>;
  /** The alert that is shown if the list can't be loaded. */
  loadAll: string;
}

export const CUSTOMERS: EntitySource = {
  choose: (query) => ask(entityCalls.chooseCustomer, { query }),
  loadAll: 'Error Loading Customers',
};
export const VENDORS: EntitySource = {
  choose: (query) => ask(entityCalls.chooseVendor, { query }),
  loadAll: 'Error Loading Vendors',
};

/**
 * Returns the selected customer or vendor, even if it is inactive. Undefined if none is selected, or while the record
 * loads.
 */
export function useEntityChoice(source: EntitySource, id: number | null): EntityChoice | undefined {
  const enabled = id !== null && id > 0;
  return useRead(source.choose({ id: id ?? 0 }), { ...inAlert(source.loadAll), enabled }).value?.items[0];
}

/** The pause in typing, in ms, after which a search is sent. */
const TYPING_MS = 120;

const optionOf = ({ id, displayname, namesake, emailAddress, primaryContactPhone }: EntityChoice) => ({
  id,
  label: displayname,
  detail: emailAddress === '' ? primaryContactPhone : emailAddress,
  isNamesake: namesake,
});

/**
 * Returns the options for a customer or vendor picker. A short list is loaded completely and needs no search. For a
 * long list, the server returns the first matches. Responses are cached by search text, so a late response never
 * appears for another search.
 */
export function useEntityOptions(
  source: EntitySource,
  id: number | null,
  saved?: Choice,
): Pick<PickerProps<number>, 'options' | 'chosen' | 'search' | 'isLoading'> {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim(), TYPING_MS);
  const told = inAlert(source.loadAll);
  const first = useRead(source.choose({}), told);
  const isLong = first.value?.hasMore === true;
  const found = useRead(source.choose({ q: text }), { ...told, enabled: isLong && text !== '', keep: true });
  const shown = isLong && text !== '' ? found.value : first.value;
  const options = useMemo(() => (shown?.items ?? []).map(optionOf), [shown]);
  const row = useEntityChoice(source, id);
  const picked = shown?.items.find((one) => one.id === id);
  useEffect(() => {
    // The selected customer or vendor is already loaded, so reading it by ID needs no request.
    if (picked !== undefined) {
      client.setQueryData<EntityChoices>(
        asKey(source.choose({ id: picked.id })),
        (old) => old ?? { items: [picked], hasMore: false },
      );
    }
  }, [client, source, picked]);
  const chosen = picked ?? row;
  const isAnswered = text === '' || !(found.isStale || found.isLoading);
  return {
    options,
    chosen: chosen === undefined ? saved : optionOf(chosen),
    isLoading: first.isLoading,
    // The first response shows whether the list is short or long. Text that was typed before the response arrived is
    // kept.
    search:
      isLong || first.value === undefined || first.error !== undefined
        ? {
            onType: setTyped,
            isBusy: isLong && (typed.trim() !== text || !isAnswered),
            isFailed: first.error !== undefined || found.error !== undefined,
            hasMore: shown?.hasMore === true,
          }
        : undefined,
  };
}

/**
 * Returns the options for a picker with customers and vendors, whose IDs share one sequence. If it isn't known which of
 * the two a record is, pass its ID as both.
 */
export function useEitherOptions(
  customerId: number | null,
  vendorId: number | null,
  saved?: Choice,
): ReturnType<typeof useEntityOptions> {
  const customers = useEntityOptions(CUSTOMERS, customerId, saved);
  const vendors = useEntityOptions(VENDORS, vendorId, saved);
  const searches = [customers.search, vendors.search].filter((search) => search !== undefined);
  return {
    options: [
      ...customers.options.map((option) => ({ ...option, group: 'Customers' })),
      ...vendors.options.map((option) => ({ ...option, group: 'Vendors' })),
    ],
    chosen: customerId === null ? vendors.chosen : (customers.chosen ?? vendors.chosen),
    isLoading: customers.isLoading === true || vendors.isLoading === true,
    search:
      searches.length === 0
        ? undefined
        : {
            onType: (text: string) => searches.forEach((each) => each.onType(text)),
            isBusy: searches.some(({ isBusy }) => isBusy),
            isFailed: searches.some(({ isFailed }) => isFailed),
            hasMore: searches.some(({ hasMore }) => hasMore),
          },
  };
}
