import type { Endpoint, ReplyOf } from '@evenkeel/contract/endpoint';
import { useState } from 'react';
import { ApiError, call, type CallInput, newKey } from '../api.ts';
import { readLocal, writeLocal } from '../ui/hooks/localState.ts';

export interface Create<E extends Endpoint> {
  busy: boolean;
  send: (input: CallInput<E>) => Promise<ReplyOf<E>>;
  /** The draft was discarded: what comes next is another record. */
  forget: () => void;
}

/**
 * A POST whose idempotency key is kept beside the draft on this device until an answer came: a save that is tried again
 * after a lost connection happens once, also when the page was loaded anew in between.
 */
export function useCreate<E extends Endpoint>(endpoint: E, draftKey: string | undefined): Create<E> {
  const place = `${draftKey ?? 'draft:nobody'}:key`;
  const [busy, setBusy] = useState(false);
  const forget = () => writeLocal(place, undefined);
  const send = async (input: CallInput<E>): Promise<ReplyOf<E>> => {
    const key = readLocal(place) ?? newKey();
    writeLocal(place, key);
    setBusy(true);
    try {
      const answer = await call(endpoint, input, { idempotencyKey: key });
      forget();
      return answer;
    } catch (error) {
      // A clear no is an answer: what is sent next is another request. 5xx and silence are not.
      if (error instanceof ApiError && error.status < 500) forget();
      throw error;
    } finally {
      setBusy(false);
    }
  };
  return { busy, send, forget };
}
