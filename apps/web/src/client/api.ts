import { type Endpoint, type ReplyOf, takesKey } from '@evenkeel/contract/endpoint';
import { addressOf, type AnyInput, type CallInput } from '@evenkeel/contract/request';
import { encode } from '@evenkeel/contract/wire';
import {
  hashKey,
  type Query,
  QueryCache,
  QueryClient,
  type UseBaseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { alerts } from '../ui/alerts/store.ts';
import { readUnanswered, type SendPlace, type Unanswered } from '../ui/hooks/draft.ts';
import { readLocal, writeLocal } from '../ui/hooks/localState.ts';
import { tabId } from '../ui/hooks/tab.ts';
import { readFailed, readSucceeded } from './failedRead.ts';
import { onIdentityChange, onPermissionsChange, sessionEpoch } from './session.ts';
import { ApiError, call, joined, logout, NEVER, NoAnswer, rehearse } from './transport.ts';

/** Reads and writes for screens, with cached responses and error messages. */

/** Returns a new idempotency key. A key is created before the first attempt and kept until a response arrives. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

declare module '@tanstack/react-query' {
  interface Register {
    /** The endpoint of a read, which determines how failedRead.ts handles a failure. */
    queryMeta: { endpoint: Endpoint };
  }
}

/** The time in ms that a response stays fresh. */
const FRESH_MS = 15_000;
/** The time in ms during which a failure also applies to components that mount later and use the same read. */
const FAILED_MS = 5000;

/**
 * Creates the cache for responses, which is cleared when the user or company changes. A request is retried
 * automatically only if the connection was lost.
 */
export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: (_, { queryKey }) => readSucceeded(hashKey(queryKey)),
      onError: (error, { meta, queryKey, state }) => {
        if (meta === undefined || state.data !== undefined || !(error instanceof ApiError)) return;
        const because = readFailed(meta.endpoint, hashKey(queryKey), error.status);
        if (because !== undefined) logout(because);
      },
    }),
    defaultOptions: {
      queries: {
        queryKeyHashFn: cacheHash,
        // Without a connection, a call fails immediately with a message instead of waiting silently.
        networkMode: 'always',
        staleTime: FRESH_MS,
        // Without this delay, two components that use the same read and replace each other on the screen would send
        // requests endlessly.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > FAILED_MS,
        refetchOnWindowFocus: true,
        retry: (count, error) => error instanceof NoAnswer && count < 2,
      },
      mutations: { networkMode: 'always' },
    },
  });
  onIdentityChange(() => client.clear());
  // Responses contain only data that the user may see. If a screen is no longer allowed, it closes before the data is
  // loaded again.
  onPermissionsChange(() => setTimeout(() => void client.invalidateQueries()));
  // With networkMode 'always', the library doesn't repeat reads when the connection is restored, but only when the tab
  // becomes visible.
  onNetwork(() => {
    const predicate = ({ state }: Query) => isUnanswered(state.error);
    void client.refetchQueries({ type: 'active', predicate });
    // A read that is not displayed, for example because its tab is about to open, is sent when it is displayed.
    void client.resetQueries({ type: 'inactive', predicate });
  });
  return client;
}

/** Calls `listener` when the connection is restored. Returns a function that removes the listener. */
export function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  return () => window.removeEventListener('online', listener);
}

/** A rejection counts as a response, but a 5xx status or a lost connection does not. */
function isUnanswered(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ApiError && error.status >= 500);
}

/** An API call that is ready to be sent: an endpoint with its input. */
export interface Ask<Reply> {
  endpoint: Endpoint;
  input: AnyInput;
  read: (signal: AbortSignal) => Promise<Reply>;
  once: (place: SendPlace) => Promise<Reply>;
  /** The ID of the row, for a call that reads one row of a list. */
  row?: number;
}

/**
 * Creates an API call: `ask(entityCalls.getCustomer, { params: { id } })`. The types come from the contract. To send
 * the call, use `useRead` or `send`.
 */
export function ask<E extends Endpoint>(endpoint: E, input: CallInput<E>): Ask<ReplyOf<E>> {
  return {
    endpoint,
    input,
    read: (signal) => call(endpoint, input, { signal }),
    once: (place) => sendOnce(endpoint, input, place),
  };
}

/** The message if a list no longer contains the record in the URL. */
export const GONE = 'This record no longer exists';

/**
 * Returns a call for one row of a list, for types of records that have no call for single rows. Throws the
 * missing-record error if the list doesn't have the row.
 */
export function askRow<Row>(
  list: Ask<readonly Row[] | { items: readonly Row[] }>,
  id: number,
  idOf: (row: Row) => number,
): Ask<Row> {
  const one = askFor(list, (reply) => {
    const found = ('items' in reply ? reply.items : reply).find((row) => idOf(row) === id);
    if (found === undefined) throw new Error(GONE);
    return found;
  });
  return { ...one, row: id };
}

/** Returns the same call with a function that picks part of its response. */
export function askFor<Reply, Wanted>(asked: Ask<Reply>, take: (reply: Reply) => Wanted): Ask<Wanted> {
  return {
    ...asked,
    read: async (signal) => take(await asked.read(signal)),
    once: async (place) => take(await asked.once(place)),
  };
}

/** Returns the cache key for a response. All responses from an endpoint can be invalidated by its path. */
export function asKey({ endpoint, input, row }: Ask<unknown>): readonly unknown[] {
  return row === undefined ? [endpoint.path, input] : [endpoint.path, input, row];
}

/**
 * Returns the hash under which a response is cached. It differs for each session, because React runs the effects of the
 * last render even after the session has ended, which starts the reads of that render again.
 */
export const cacheHash = (key: readonly unknown[]): string => `${sessionEpoch()} ${hashKey(key)}`;

/** Returns a function that sends a read during the current session. After that, it sends nothing and never settles. */
export function inThisSession<Input, Reply>({ needs }: Endpoint, read: (input: Input) => Promise<Reply>) {
  const epoch = sessionEpoch();
  return (input: Input): Promise<Reply> => (needs === 'public' || epoch === sessionEpoch() ? read(input) : NEVER);
}

function queryOf<Reply>(asked: Ask<Reply>) {
  const queryFn = inThisSession(asked.endpoint, ({ signal }: { signal: AbortSignal }) => asked.read(signal));
  return { queryKey: asKey(asked), queryFn, meta: { endpoint: asked.endpoint } };
}

/**
 * Returns a function that reads on demand and always sends a request, for example for a document. If a request fails,
 * the function throws immediately.
 */
export function useReadNow(): <Reply>(asked: Ask<Reply>) => Promise<Reply> {
  const client = useQueryClient();
  return (asked) => client.fetchQuery({ ...queryOf(asked), staleTime: 0, gcTime: 0, retry: false });
}

interface Asking {
  /** Whether to send the read now. If false, the read waits. */
  enabled?: boolean;
  /** Whether to show the last response until the next one arrives. */
  keep?: boolean;
  /**
   * Whether to send a new request each time the component mounts. The response is discarded when it is no longer shown.
   */
  isFresh?: boolean;
  /** The polling interval in ms while the page is visible. */
  everyMs?: number;
  /** The alert for a failure, which is shown once. Omitted if the failure is shown only in place. */
  alert?: string;
  /** Whether the alert offers Retry, for failures that aren't shown in place. */
  retryInAlert?: boolean;
}

/** The options for the alert about a failure. */
export type Told = Pick<Asking, 'alert' | 'retryInAlert'>;

/**
 * Returns the options for a read whose failure isn't shown in place, such as the read of a field's options. The alert
 * offers Retry.
 */
export const inAlert = (alert: string) => ({ alert, retryInAlert: true });

/** A read that is loading, has failed, or has a value. The value stays while the read is repeated. */
export interface Read<T> {
  /** The value. Undefined until a response arrives. */
  value: T | undefined;
  /** The error message. Can be set while an earlier value is shown. */
  error: string | undefined;
  /** Sends the request again. Resolves with the response. */
  retry: () => Promise<void>;
  /** Whether the read is loading and has no value yet. */
  isLoading: boolean;
  /** Whether the value belongs to the previous request. */
  isStale: boolean;
  /** Whether a response or a failure has arrived, even if the read is currently being repeated. */
  isAnswered: boolean;
}

/** Loads and caches a response. */
export function useRead<Reply>(asked: Ask<Reply>, { enabled = true, keep = false, ...more }: Asking = {}): Read<Reply> {
  const query = useQuery<Reply>({
    ...queryOf(asked),
    enabled,
    refetchInterval: more.everyMs ?? false,
    // After a change to another endpoint, the old rows are not kept, because they would appear under the wrong columns.
    ...(keep && { placeholderData: (last, from) => (from?.meta?.['endpoint'] === asked.endpoint ? last : undefined) }),
    ...(more.isFresh === true && { staleTime: 0, gcTime: 0 }),
  });
  return useTold(query, more);
}

/** Returns the time when the cached response arrived, in epoch milliseconds, or 0 before the first one. */
export function useReadAt(asked: Ask<unknown>): number {
  return useQuery({ ...queryOf(asked), enabled: false }).dataUpdatedAt;
}

/** Shows the alert for a failure only once. Returns the state of the query. */
export function useTold<T>(query: UseBaseQueryResult<T>, { alert, retryInAlert }: Told) {
  const { data, error, refetch, isLoading, isPlaceholderData, isFetched } = query;
  const retry = async () => void (await refetch());
  const tell = useEffectEvent((words: string) => {
    alerts.error(words, retryInAlert === true ? { action: { label: 'Retry', run: () => void retry() } } : {});
  });
  useEffect(() => {
    if (error !== null && alert !== undefined) tell(alert);
  }, [error, alert]);
  return {
    value: data,
    error: error === null ? undefined : messageOf(error),
    retry,
    isLoading,
    isStale: isPlaceholderData,
    isAnswered: isFetched,
  } satisfies Read<T>;
}

/** Loads and caches several responses. Returns undefined for responses that are still loading. */
export function useReads<Reply>(asked: readonly Ask<Reply>[]): readonly (Reply | undefined)[] {
  return useQueries({ queries: asked.map((one) => queryOf(one)), combine: answersOf<Reply> });
}

const answersOf = <Reply>(reads: readonly { data: Reply | undefined }[]) => reads.map(({ data }) => data);

/**
 * Sends a write that takes effect only once. A form passes the storage location of its draft. For other calls, the
 * request is stored under the call's URL.
 */
export function send<Reply>(asked: Ask<Reply>, place?: SendPlace): Promise<Reply> {
  return asked.once(place ?? placeOf(asked));
}

/**
 * Thrown if an earlier request that got no response turns out to have been saved, and the form has changed since then.
 */
export class SavedEarlier extends Error {
  constructor() {
    super('Your first attempt was saved, but without your latest changes. Close this form and open the saved record.');
    this.name = 'SavedEarlier';
  }
}

/** Thrown by a write that was only rehearsed, so that no code treats the response as a saved record. */
export class RehearsedInstead extends Error {
  constructor() {
    super('the request was only rehearsed');
    this.name = 'RehearsedInstead';
  }
}

/**
 * Sends a write so that it takes effect only once. The idempotency key is created before the first attempt and kept
 * until a response arrives. The request always contains the values on the screen. If the values belong to one record (a
 * form's draft), a request that is changed after an attempt without a response uses the key of that attempt. The server
 * then either saves the request or reports that the first attempt was saved (SavedEarlier). The server never saves
 * both, and never saves the outdated version.
 */
export async function sendOnce<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  place: SendPlace,
): Promise<ReplyOf<E>> {
  if (place.rehearse !== undefined) {
    await place.rehearse((reply) => rehearse(endpoint, input, reply));
    throw new RehearsedInstead();
  }
  const body = endpoint.body === undefined ? '' : JSON.stringify(encode(endpoint.body, input.body));
  const request = `${addressOf(endpoint, input)} ${body}`;
  return joined(`${endpoint.method} ${request}`, () => sendUnderKey(endpoint, input, place, request));
}

async function sendUnderKey<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  place: SendPlace,
  request: string,
): Promise<ReplyOf<E>> {
  // Public calls have no keys and contain passwords and links, so their requests are not stored.
  if (!takesKey(endpoint) || endpoint.needs === 'public') return call(endpoint, input);
  const before = place.read();
  const isSame = before !== undefined && (place.isOneRecord || before.request === request);
  const sent = { key: isSame ? before.key : newKey(), request };
  place.write(sent);
  try {
    const answer = await call(endpoint, input, { idempotencyKey: sent.key });
    place.write(undefined);
    return answer;
  } catch (error) {
    if (error instanceof ApiError && error.body.code === 'key_reused') throw new SavedEarlier();
    if (isClearNo(error)) place.write(undefined);
    throw error;
  }
}

/** Returns whether the server rejected the request. If so, a later attempt is a new request. */
export function isClearNo(error: unknown): boolean {
  return error instanceof ApiError && !isUnanswered(error);
}

/**
 * Returns the location on this device where this tab stores writes that have no draft. `row` distinguishes between
 * writes to the same URL.
 */
export function placeOf({ endpoint, input }: Pick<Ask<unknown>, 'endpoint' | 'input'>, row?: number): SendPlace {
  const name = `sent:${addressOf(endpoint, input)}${row === undefined ? '' : `:${row}`}~${tabId()}`;
  return {
    read: () => readUnanswered(JSON.parse(readLocal(name) ?? 'null')),
    write: (sent) => writeLocal(name, sent === undefined ? undefined : JSON.stringify(sent)),
    isOneRecord: false,
  };
}

/**
 * Returns a function that sends the record of a small form that stores no draft. After an attempt without a response,
 * the next request is for the same record and has the current values. After a reload, an identical request still counts
 * as a repeat of the first.
 */
export function useSendOne(): <Reply>(asked: Ask<Reply>) => Promise<Reply> {
  const isTried = useRef(false);
  return (asked) => {
    const kept = placeOf(asked);
    const write = (sent: Unanswered | undefined) => {
      isTried.current = sent !== undefined;
      kept.write(sent);
    };
    return send(asked, { read: kept.read, write, isOneRecord: isTried.current });
  };
}

/**
 * Returns a function to call after a write. The function marks all reads as outdated and repeats the reads on the
 * screen, except reads of `removed`, whose panel may still be visible although the record no longer exists.
 */
export function useStale(): (removed?: Ask<unknown>) => void {
  const client = useQueryClient();
  return useCallback(
    (removed) => {
      const gone = removed === undefined ? undefined : cacheHash(asKey(removed));
      void client.invalidateQueries({ predicate: ({ queryHash }) => queryHash !== gone });
      if (removed !== undefined) void client.invalidateQueries({ queryKey: asKey(removed), refetchType: 'none' });
    },
    [client],
  );
}

/**
 * Returns a function that removes a cached response after a write has changed its data, so that a form waits for the
 * new response.
 */
export function useClearCache(): (asked: Ask<unknown>) => void {
  const client = useQueryClient();
  return useCallback((asked) => client.removeQueries({ queryKey: asKey(asked), exact: true }), [client]);
}

/**
 * Sends each write to an endpoint so that it takes effect only once (see sendOnce), and then marks all reads as
 * outdated. If a form has a draft, pass the draft's `place`.
 */
export function useWrite<E extends Endpoint>(endpoint: E, place?: SendPlace) {
  const stale = useStale();
  return useMutation({
    mutationFn: (input: CallInput<E>): Promise<ReplyOf<E>> =>
      sendOnce(endpoint, input, place ?? placeOf({ endpoint, input })),
    onSuccess: () => stale(),
  });
}

/** Returns the user-visible message for an error from a call. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
