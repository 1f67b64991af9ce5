import type { Endpoint, ReplyOf } from '@evenkeel/contract/endpoint';
import { useState } from 'react';
import { type CallInput, sendOnce } from '../api.ts';
import type { SendPlace } from '../ui/hooks/draft.ts';

export interface Create<E extends Endpoint> {
  busy: boolean;
  send: (input: CallInput<E>) => Promise<ReplyOf<E>>;
}

/** A POST that is remembered beside its draft until an answer came, over a reload too. */
export function useCreate<E extends Endpoint>(endpoint: E, place: SendPlace): Create<E> {
  const [busy, setBusy] = useState(false);
  const send = async (input: CallInput<E>): Promise<ReplyOf<E>> => {
    setBusy(true);
    try {
      return await sendOnce(endpoint, input, place);
    } finally {
      setBusy(false);
    }
  };
  return { busy, send };
}
