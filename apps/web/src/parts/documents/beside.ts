import { kinds } from '@evenkeel/core/documents/side';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useWide } from '../../ui/hooks/media.ts';

/** Returns the URL parameters for the panels next to a list of documents. Only one panel is open at a time. */
export const besideKeys = (): string[] => [...new Set(shown().map(({ screen }) => screen.key))];

const shown = () =>
  [...kinds.values()].flatMap(({ screen, records }) =>
    screen !== undefined && (records === 'document' || records === 'payment') ? [{ screen }] : [],
  );

/** URL parameters that close the panel next to the list. */
export const nothingBeside = (): Record<string, undefined> =>
  Object.fromEntries(besideKeys().map((name) => [name, undefined]));

/** Returns the change to the URL for a navigation state that identifies a document. */
export const besideAsked = (idOf: (name: string) => number | undefined): Record<string, number | undefined> =>
  Object.fromEntries(shown().map(({ screen }) => [screen.key, idOf(screen.state)]));

/**
 * Returns the record of a kind that is open in the panel next to the list. Opening a record closes the other panels.
 */
export const useBeside = (name: string) =>
  useOpenRecord(name, { other: besideKeys().filter((one) => one !== name), hasNew: false });

/** Returns whether a panel takes up part of the list's space. */
export function useIsBeside(): boolean {
  const { query } = usePlace();
  const isWide = useWide();
  return isWide && besideKeys().some((name) => query.has(name));
}
