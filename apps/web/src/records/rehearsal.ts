import { type Rehearsal, Rehearsed } from '@evenkeel/contract/rehearsal';
import type * as z from 'zod';
import { RehearsedInstead } from '../client/api.ts';
import type { SendPlace } from '../ui/hooks/draft.ts';

/** Stores nothing, because a rehearsal is never repeated under a key. */
const REHEARSAL: SendPlace = {
  read: () => undefined,
  write: () => undefined,
  isOneRecord: false,
  rehearsal: Rehearsed,
};

/**
 * Sends a form's request as a rehearsal and returns its effects. `send` must pass the place on to the request. Throws
 * the request's own error if it is rejected.
 */
export async function rehearsed(send: (place: SendPlace) => Promise<unknown>): Promise<Rehearsal> {
  try {
    await send(REHEARSAL);
  } catch (error) {
    if (error instanceof RehearsedInstead) return (error.response as z.output<typeof Rehearsed>).rehearsal;
    throw error;
  }
  throw new Error('a form sent its request instead of rehearsing it');
}
