import { useOpenRecord } from '../../records/openRecord.ts';

/** Records whose panel stands beside a list of documents, one at a time. */
const BESIDE = ['invoice', 'payment', 'credit', 'estimate', 'writtenoff'] as const;

/** A step in the address that leaves no panel beside the list. */
export const NOTHING_BESIDE: Readonly<Record<string, undefined>> = Object.fromEntries(
  BESIDE.map((name) => [name, undefined]),
);

/** The record of a kind whose panel stands beside the list; to open it closes those of the others. */
export const useBeside = (name: (typeof BESIDE)[number]) =>
  useOpenRecord(name, { other: BESIDE.filter((one) => one !== name), hasNew: false });
