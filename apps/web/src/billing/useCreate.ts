import type { Endpoint, ReplyOf } from '@evenkeel/contract/endpoint';
import { useState } from 'react';
import { type CallInput, type SendPlace, sendOnce, type Unanswered } from '../api.ts';
import { readLocal, writeLocal } from '../ui/hooks/localState.ts';

export interface Create<E extends Endpoint> {
  busy: boolean;
  send: (input: CallInput<E>) => Promise<ReplyOf<E>>;
  /** The draft was discarded: what comes next is another record. */
  forget: () => void;
}

/** What was sent is kept beside the draft on this device. */
function placeOf(draftName: string): SendPlace {
  const place = `draft:${draftName}:sent`;
  return {
    read: () => readSent(readLocal(place)),
    write: (sent) => writeLocal(place, sent === undefined ? undefined : JSON.stringify(sent)),
  };
}

function readSent(text: string | undefined): Unanswered | undefined {
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('key' in value) || !('body' in value)) return undefined;
  const { key, body } = value;
  return typeof key === 'string' && typeof body === 'string' ? { key, body } : undefined;
}

/**
 * A POST that is remembered beside the draft until an answer came: a save that is tried again after a lost connection
 * happens once, also when the page was loaded anew in between.
 */
export function useCreate<E extends Endpoint>(endpoint: E, draftName: string): Create<E> {
  const [busy, setBusy] = useState(false);
  const place = placeOf(draftName);
  const send = async (input: CallInput<E>): Promise<ReplyOf<E>> => {
    setBusy(true);
    try {
      return await sendOnce(endpoint, input, place);
    } finally {
      setBusy(false);
    }
  };
  return { busy, send, forget: () => place.write(undefined) };
}
