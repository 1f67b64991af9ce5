import { useOpenRecord } from '../../records/openRecord.ts';

/** The record types with a panel next to a document list. Only one panel is open at a time. */
const BESIDE = ['invoice', 'payment', 'credit', 'estimate', 'writtenoff'] as const;

/** URL parameters that close the panel next to the list. */
export const NOTHING_BESIDE: Readonly<Record<string, undefined>> = Object.fromEntries(
  BESIDE.map((name) => [name, undefined]),
);

/**
 * Returns the record of the given type whose panel is open next to the list. Opening a record closes panels of other
 * types.
 */
export const useBeside = (name: (typeof BESIDE)[number]) =>
  useOpenRecord(name, { other: BESIDE.filter((one) => one !== name), hasNew: false });
