import { type Rehearsal, Rehearsed } from '@evenkeel/contract/rehearsal';
import { RehearsedInstead } from '../client/api.ts';
import type { SendPlace } from '../ui/hooks/draft.ts';

/**
 * Sends a form's request as a rehearsal and returns its effects. `send` must pass its place on to the request. If the
 * request is rejected, throws the request's own error.
 */
export async function rehearsed(send: (place: SendPlace) => Promise<unknown>): Promise<Rehearsal> {
  let effects: Rehearsal | undefined;
  // This location stores no request, because a rehearsal is never repeated with its key.
  const place: SendPlace = {
    read: () => undefined,
    write: () => undefined,
    isOneRecord: false,
    rehearse: async (ask) => void (effects = (await ask(Rehearsed)).rehearsal),
  };
  try {
    await send(place);
  } catch (error) {
    if (!(error instanceof RehearsedInstead)) throw error;
  }
  if (effects === undefined) throw new Error('a form sent its request instead of rehearsing it');
  return effects;
}
