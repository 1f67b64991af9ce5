import { useQueryClient } from '@tanstack/react-query';
import { type EntityChoice, type EntityChoices, entityCalls } from '@evenkeel/contract/entities';
import { useEffect, useMemo, useState } from 'react';
import { type Ask, ask, asKey, inAlert, useRead } from '../../client/api.ts';
import type { PickerProps } from '../../ui/fields/Picker.tsx';
import { useSettled } from '../../ui/hooks/settled.ts';
import type { Choice } from './choice.ts';

/** The read of customers or vendors to pick from: those that match a text, or the one with an id. */
export interface EntitySource {
  choose: (query: { q?: string; id?: number }) => Ask<EntityChoices>;
  /** The alert for a list that did not come. */
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

/** The customer or vendor that is chosen, a deactivated one too; undefined for none and while it is read. */
export function useEntityChoice(source: EntitySource, id: number | null): EntityChoice | undefined {
  const enabled = id !== null && id > 0;
  return useRead(source.choose({ id: id ?? 0 }), { ...inAlert(source.loadAll), enabled }).value?.items[0];
}

/** Letters that follow each other faster than this, in ms, are looked for together. */
const TYPING_MS = 120;

const optionOf = ({ id, displayname, namesake, emailAddress, primaryContactPhone }: EntityChoice) => ({
  id,
  label: displayname,
  detail: emailAddress === '' ? primaryContactPhone : emailAddress,
  isNamesake: namesake,
});

/**
 * The options of a picker of customers or vendors. Few are all known at once, and nobody is asked while one types; of
 * many the server answers the first that match. Answers are kept by what was asked for: one that comes late is never
 * shown for another text.
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
    // The entity just picked is known: a read by its id is answered at once.
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
    // Whether few or many are looked through is known with the first answer; what is typed before it is kept.
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
