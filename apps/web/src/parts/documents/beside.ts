import { kinds } from '@evenkeel/core/documents/side';
import { useOpenRecord } from '../../records/openRecord.ts';

/** The names under which addresses have the records beside a list of documents, one at a time. */
export const besideKeys = (): string[] => [...new Set(shown().map(({ screen }) => screen.key))];

const shown = () =>
  [...kinds.values()].flatMap(({ screen, records }) =>
    screen !== undefined && (records === 'document' || records === 'payment') ? [{ screen }] : [],
  );

/** URL parameters that close the panel next to the list. */
export const nothingBeside = (): Record<string, undefined> =>
  Object.fromEntries(besideKeys().map((name) => [name, undefined]));

/** Returns the change of the address that a navigation state asks for, if it names a document. */
export const besideAsked = (idOf: (name: string) => number | undefined): Record<string, number | undefined> =>
  Object.fromEntries(shown().map(({ screen }) => [screen.key, idOf(screen.state)]));

/** The record of a kind whose panel is beside the list. Opening it closes those of the others. */
export const useBeside = (name: string) =>
  useOpenRecord(name, { other: besideKeys().filter((one) => one !== name), hasNew: false });
