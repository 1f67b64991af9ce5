import { type Endpoint, type ReplyOf, takesKey } from '@evenkeel/contract/endpoint';
import { encode } from '@evenkeel/contract/wire';
import {
  hashKey,
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
import { onIdentityChange, onPermissionsChange } from './session.ts';
import { addressOf, type AnyInput, ApiError, call, type CallInput, joined, logout, NoAnswer } from './transport.ts';

/** Reads and writes of screens: the request, the cache of its answer, and the words of a failure. */

/** A fresh idempotency key; made before the first try and kept until an answer came. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

declare module '@tanstack/react-query' {
  interface Register {
    /** The endpoint of a read, which decides where its failure leads (failedRead.ts). */
    queryMeta: { endpoint: Endpoint };
  }
}

/** An answer is good for so long; ms. */
const FRESH_MS = 15_000;
/** A failure stands for so long, though a part of the screen that reads it too comes after it; ms. */
const FAILED_MS = 5000;

/**
 * The cache of what was read; another identity finds it empty. Only a lost connection is worth a second try by itself.
 */
export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: (_, { queryHash }) => readSucceeded(queryHash),
      onError: (error, { meta, queryHash, state }) => {
        if (meta === undefined || state.data !== undefined || !(error instanceof ApiError)) return;
        const because = readFailed(meta.endpoint, queryHash, error.status);
        if (because !== undefined) logout(because);
      },
    }),
    defaultOptions: {
      queries: {
        // Without a network a call fails at once and says so, instead of waiting in silence until there is one.
        networkMode: 'always',
        staleTime: FRESH_MS,
        // Two parts that read the same and take turns on the screen would ask without end.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > FAILED_MS,
        refetchOnWindowFocus: true,
        retry: (count, error) => error instanceof NoAnswer && count < 2,
      },
      mutations: { networkMode: 'always' },
    },
  });
  onIdentityChange(() => client.clear());
  // Responses contain only data that the user may see. A screen that is no longer allowed closes before the reload.
  onPermissionsChange(() => setTimeout(() => void client.invalidateQueries()));
  // With networkMode 'always' the library does not ask again when the network is back; it does when the tab is seen.
  onNetwork(() => void client.refetchQueries({ type: 'active', predicate: ({ state }) => isUnanswered(state.error) }));
  return client;
}

/** Calls when the network is back; answers how to stop it. */
export function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  return () => window.removeEventListener('online', listener);
}

/** A clear no is an answer; 5xx and silence are not. */
function isUnanswered(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ApiError && error.status >= 500);
}

/** A call that is ready to be made: an endpoint with what goes with it. */
export interface Ask<Reply> {
  endpoint: Endpoint;
  input: AnyInput;
  read: (signal: AbortSignal) => Promise<Reply>;
  once: (place: SendPlace) => Promise<Reply>;
  /** The row of a list. */
  row?: number;
}

/** `ask(entityCalls.getCustomer, { params: { id } })`: typed by the contract, sent by `useAsk` or `send`. */
export function ask<E extends Endpoint>(endpoint: E, input: CallInput<E>): Ask<ReplyOf<E>> {
  return {
    endpoint,
    input,
    read: (signal) => call(endpoint, input, { signal }),
    once: (place) => sendOnce(endpoint, input, place),
  };
}

/** Told where a list no longer has the record that the address names. */
export const GONE = 'This record no longer exists';

/** One row of a list that has no call for one; it fails as a missing record does. */
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

/** Asks the same, and takes from the answer what is wanted. */
export function askFor<Reply, Wanted>(asked: Ask<Reply>, take: (reply: Reply) => Wanted): Ask<Wanted> {
  return {
    ...asked,
    read: async (signal) => take(await asked.read(signal)),
    once: async (place) => take(await asked.once(place)),
  };
}

/** Under what an answer is kept: a whole endpoint can be named by its path. */
export function asKey({ endpoint, input, row }: Ask<unknown>): readonly unknown[] {
  return row === undefined ? [endpoint.path, input] : [endpoint.path, input, row];
}

function queryOf<Reply>(asked: Ask<Reply>) {
  const queryFn = ({ signal }: { signal: AbortSignal }) => asked.read(signal);
  return { queryKey: asKey(asked), queryFn, meta: { endpoint: asked.endpoint } };
}

/** Reads at a click, anew each time, e.g. a document; a failure is told at once. */
export function useReadNow(): <Reply>(asked: Ask<Reply>) => Promise<Reply> {
  const client = useQueryClient();
  return (asked) => client.fetchQuery({ ...queryOf(asked), staleTime: 0, gcTime: 0, retry: false });
}

interface Asking {
  /** False waits. */
  enabled?: boolean;
  /** Shows the last answer until the next one is there. */
  keep?: boolean;
  /** Asks anew each time: no answer is good for longer than it is shown. */
  isFresh?: boolean;
  /** Asks again this often while the page is looked at. */
  everyMs?: number;
  /** The alert that tells a failure, once; absent where its place alone tells it. */
  alert?: string;
  /** True where a failure has no place of its own: the alert then offers Retry. */
  retryInAlert?: boolean;
}

/** The place and words that tell a failure. */
export type Told = Pick<Asking, 'alert' | 'retryInAlert'>;

/** Told of what has no place of its own, such as the choices of a field: the alert offers Retry. */
export const inAlert = (alert: string) => ({ alert, retryInAlert: true });

/** A read: it is on its way, it has failed, or its value is there. A value stays while it is read again. */
export interface Read<T> {
  /** Undefined until there is an answer. */
  value: T | undefined;
  /** The sentence of a failure, also beside a value that was read before. */
  error: string | undefined;
  /** Asks again, and ends with the answer. */
  retry: () => Promise<void>;
  /** It is on its way, and nothing is known of it. */
  isLoading: boolean;
  /** The value answers the question before. */
  isStale: boolean;
  /** There was an answer or a failure, though it may be asked again. */
  isAnswered: boolean;
}

/** Reads and keeps the answer. */
export function useRead<Reply>(asked: Ask<Reply>, { enabled = true, keep = false, ...more }: Asking = {}): Read<Reply> {
  const query = useQuery<Reply>({
    ...queryOf(asked),
    enabled,
    refetchInterval: more.everyMs ?? false,
    // A page that goes on with another list would show the rows of one under the columns of the other.
    ...(keep && { placeholderData: (last, from) => (from?.meta?.['endpoint'] === asked.endpoint ? last : undefined) }),
    ...(more.isFresh === true && { staleTime: 0, gcTime: 0 }),
  });
  return useTold(query, more);
}

/** When the answer that is kept came, epoch milliseconds; 0 before the first. */
export function useReadAt(asked: Ask<unknown>): number {
  return useQuery({ ...queryOf(asked), enabled: false }).dataUpdatedAt;
}

/** Tells a failure by its alert, once; and what has come of a query so far. */
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

/** Reads several and keeps the answers; undefined for what is not here yet. */
export function useReads<Reply>(asked: readonly Ask<Reply>[]): readonly (Reply | undefined)[] {
  return useQueries({ queries: asked.map((one) => queryOf(one)), combine: answersOf<Reply> });
}

const answersOf = <Reply>(reads: readonly { data: Reply | undefined }[]) => reads.map(({ data }) => data);

/** Sends a write once; a form gives the place beside its draft, else the address has one on the device. */
export function send<Reply>(asked: Ask<Reply>, place?: SendPlace): Promise<Reply> {
  return asked.once(place ?? placeOf(asked));
}

/** The try whose answer was lost had been saved, and the form has changed since. */
export class SavedEarlier extends Error {
  constructor() {
    super('Your first attempt was saved, but without your latest changes. Close this form and open the saved record.');
    this.name = 'SavedEarlier';
  }
}

/**
 * Sends a write so that it happens once: the idempotency key is made before the first try and kept until an answer
 * comes. The request always sends the values on the screen. If all of them are one record (a form's draft), a request
 * that was changed after a try without an answer goes under that try's key: the server then makes it, or says that the
 * first try stands (SavedEarlier); it never makes two, nor the version that was abandoned.
 */
export async function sendOnce<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  place: SendPlace,
): Promise<ReplyOf<E>> {
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
  // The public calls know no keys, and carry passwords and links: nothing of them is kept.
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

/** Whether the server said a clear no: a later try is then another request. */
export function isClearNo(error: unknown): boolean {
  return error instanceof ApiError && !isUnanswered(error);
}

/**
 * The place of an address's writes that belong to no draft: on the device, for this tab; of `row` alone, where
 * an address writes many and one is given.
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
 * Sends what a small form without a draft makes: after a try without an answer, what is sent from it next is the same
 * record, as it is on the screen by then. After a reload the same request is still the same.
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
 * One rule after a write: everything that was read is stale. The reads on screen are repeated at once, but for what was
 * `removed`: its panel may stand for a moment longer, and there is nothing to read any more.
 */
export function useStale(): (removed?: Ask<unknown>) => void {
  const client = useQueryClient();
  return useCallback(
    (removed) => {
      const gone = removed === undefined ? undefined : hashKey(asKey(removed));
      void client.invalidateQueries({ predicate: ({ queryHash }) => queryHash !== gone });
      if (removed !== undefined) void client.invalidateQueries({ queryKey: asKey(removed), refetchType: 'none' });
    },
    [client],
  );
}

/** Forgets an answer that a write has made another one: a form that begins with it waits for the next. */
export function useForget(): (asked: Ask<unknown>) => void {
  const client = useQueryClient();
  return useCallback((asked) => client.removeQueries({ queryKey: asKey(asked), exact: true }), [client]);
}

/** Writes by an endpoint, once (see sendOnce); a form's own draft is the better `place`. Afterwards all is stale. */
export function useWrite<E extends Endpoint>(endpoint: E, place?: SendPlace) {
  const stale = useStale();
  return useMutation({
    mutationFn: (input: CallInput<E>): Promise<ReplyOf<E>> =>
      sendOnce(endpoint, input, place ?? placeOf({ endpoint, input })),
    onSuccess: () => stale(),
  });
}

/** The sentence that a person sees for an error of a call. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
