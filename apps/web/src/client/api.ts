import { authCalls } from '@evenkeel/contract/auth';
import type { BodyOf, Endpoint, ErrorBody, ParamsOf, QueryOf, ReplyOf } from '@evenkeel/contract/endpoint';
import { decode, encode, readWithoutEval } from '@evenkeel/contract/wire';
import {
  hashKey,
  keepPreviousData,
  QueryCache,
  QueryClient,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type * as z from 'zod';
import { readFailed, readSucceeded } from './failedRead.ts';
import { readUnanswered, type SendPlace, type Unanswered } from '../ui/hooks/draft.ts';
import { readClockBehind, readLocal, writeClockBehind, writeLocal } from '../ui/hooks/localState.ts';
import { tabId } from '../ui/hooks/tab.ts';
import { currentToken, onIdentityChange, sessionEpoch, sessionUser, signOut } from './session.ts';

readWithoutEval();

/** The whole client: every call, its address, input and answer follow from the contract's table. */

type Part<Name extends string, T> = T extends undefined ? { [K in Name]?: undefined } : { [K in Name]: T };
/** What a call takes: exactly the parts that its endpoint declares; money as Cents, dates as IsoDate. */
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>>;

/** An answer that says no, in the one error shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }

  /** Messages by field path ("lineItems.0.description"). */
  get fields(): Record<string, string> {
    return this.body.fields ?? {};
  }
}

/**
 * No answer came: what was sent may or may not have happened. Another try is safe of a read, and under the same key;
 * any other write has to be looked for first.
 */
export class NoAnswer extends Error {
  constructor({ isUnsure = false } = {}) {
    super(
      isUnsure
        ? 'The connection was lost. This may have been saved; look before trying again.'
        : 'The connection was lost. Nothing you typed is lost; please try again.',
    );
    this.name = 'NoAnswer';
  }
}

export const ACCESS_CHANGED = 'Your access has changed. Please sign in again.';
export const SESSION_ENDED = 'Your session has ended. Please sign in again.';

function addressOf(endpoint: Endpoint, input: AnyInput): string {
  const params = record(endpoint.params, input.params);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(record(endpoint.query, input.query))) {
    if (typeof value === 'string' ? value !== '' : typeof value === 'number') query.set(name, String(value));
  }
  const text = query.toString();
  return `/api${path}${text === '' ? '' : `?${text}`}`;
}

function record(schema: z.ZodType | undefined, value: unknown): Record<string, unknown> {
  return schema === undefined || value === undefined ? {} : (encode(schema, value) as Record<string, unknown>);
}

interface Sending {
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/**
 * Sends one call. Throws ApiError for an answer that says no, NoAnswer when none came. 401 and 403 end the session with
 * drafts kept (Specification part 1 §4); the sign-in calls themselves, which have no session yet, only fail.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  sending: Sending = {},
): Promise<ReplyOf<E>> {
  return heard(endpoint, () => request(endpoint, input, sending));
}

/** Hears what a request answers as the answer of every call is heard; for a request that is not sent by `call`. */
export async function heard<E extends Endpoint>(endpoint: E, request: () => Promise<Response>): Promise<ReplyOf<E>> {
  const { token, epoch } = { token: currentToken(), epoch: sessionEpoch() };
  try {
    const response = await request();
    if (!response.ok) throw await refusal(endpoint, response, token);
    if (typeof endpoint.reply !== 'string') return decode(endpoint.reply, await response.json()) as ReplyOf<E>;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const contentType = response.headers.get('content-type') ?? '';
    return (endpoint.reply === 'file' ? { bytes, contentType } : bytes) as ReplyOf<E>;
  } finally {
    // What comes after the identity has changed, good or bad, is never heard: nothing goes on in another's session.
    if (endpoint.needs !== 'public' && epoch !== sessionEpoch()) await NEVER;
  }
}

const NEVER = new Promise<never>(() => undefined);

interface AnyInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** Who asks, and under which key. */
export function headersOf(endpoint: Endpoint, { idempotencyKey }: Sending): Headers {
  const headers = new Headers();
  const token = sessionUser()?.token;
  if (token !== undefined && endpoint.needs !== 'public') headers.set('authorization', `Bearer ${token}`);
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  return headers;
}

async function request(endpoint: Endpoint, input: AnyInput, sending: Sending): Promise<Response> {
  const headers = headersOf(endpoint, sending);
  const init: RequestInit = { method: endpoint.method, headers };
  if (sending.signal !== undefined) init.signal = sending.signal;
  if (endpoint.body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(encode(endpoint.body, input.body));
  }
  try {
    const response = await fetch(addressOf(endpoint, input), init);
    setClock(response.headers.get('date'));
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new NoAnswer({ isUnsure: isWrite(endpoint) && sending.idempotencyKey === undefined });
  }
}

/** A call that changes the books; the public ones change nothing that could be looked at. */
const isWrite = ({ method, reads, needs }: Endpoint): boolean =>
  method !== 'GET' && reads !== true && needs !== 'public';

/** Ends the session here at once and on the server as soon as it hears of it; `because` is told on the sign-in page. */
export function logout(because?: string): void {
  call(authCalls.logout, {}).catch(() => undefined);
  signOut(because);
}

/**
 * Whoever a mailed link is for signs in next: another who is still signed in here would take them in without a word,
 * into books that are not theirs.
 */
export function endSession(): void {
  if (sessionUser() !== null) logout();
}

/** How far this device's clock is behind the server's, in milliseconds, as the last answer told. */
let clockBehind = readClockBehind();
/** Less than this is the way of the answer and the header's whole seconds. */
const CLOCK_STEP_MS = 60_000;

function setClock(date: string | null): void {
  const told = Date.parse(date ?? '');
  if (!Number.isFinite(told)) return;
  clockBehind = told - Date.now();
  if (Math.abs(clockBehind - readClockBehind()) < CLOCK_STEP_MS) return;
  writeClockBehind(Math.abs(clockBehind) < CLOCK_STEP_MS ? 0 : clockBehind);
}

/** The server's time, epoch milliseconds, on a device whose clock may be wrong. */
export function serverNow(): number {
  return Date.now() + clockBehind;
}

async function refusal(endpoint: Endpoint, response: Response, token: string | undefined): Promise<ApiError> {
  const text = await response.text();
  const body = readError(text) ?? {
    code: String(response.status),
    message: text === '' ? `The server answered ${response.status}` : text.slice(0, 200),
    requestId: '',
  };
  // A token that has been replaced since says nothing of the session there is now.
  if (endpoint.needs !== 'public' && token === sessionUser()?.token) {
    if (response.status === 401) signOut(SESSION_ENDED);
    if (response.status === 403) signOut(ACCESS_CHANGED);
  }
  return new ApiError(response.status, body);
}

function readError(text: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'message' in value ? (value as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

/** A fresh idempotency key; made before the first try and kept until an answer came. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

declare module '@tanstack/react-query' {
  interface Register {
    /** Whose answer a read is: what its failure leads to follows from it (failedRead.ts). */
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
  /** Of a list: which row is meant. */
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
export const GONE = 'This is not there any more';

/** One row of a list that has no call for one; it fails as a missing record does. */
export function askRow<Row>(
  list: Ask<readonly Row[] | { items: readonly Row[] }>,
  id: number,
  idOf: (row: Row) => number,
): Ask<Row> {
  const find = (reply: readonly Row[] | { items: readonly Row[] }): Row => {
    const found = ('items' in reply ? reply.items : reply).find((row) => idOf(row) === id);
    if (found === undefined) throw new Error(GONE);
    return found;
  };
  const { endpoint, input, read, once } = list;
  const one = { read: async (signal: AbortSignal) => find(await read(signal)), row: id };
  return { endpoint, input, ...one, once: async (place) => find(await once(place)) };
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
  /** Asks again this often while the page is looked at. */
  everyMs?: number;
}

/** Reads and keeps the answer. */
export function useAsk<Reply>(
  asked: Ask<Reply>,
  { enabled = true, keep = false, everyMs }: Asking = {},
): UseQueryResult<Reply> {
  const shared = { ...queryOf(asked), enabled, refetchInterval: everyMs ?? (false as const) };
  return useQuery<Reply>(keep ? { ...shared, placeholderData: keepPreviousData } : shared);
}

/** Reads several and keeps the answers; undefined for what is not here yet. */
export function useAsks<Reply>(asked: readonly Ask<Reply>[]): readonly (Reply | undefined)[] {
  return useQueries({ queries: asked.map((one) => queryOf(one)), combine: answersOf<Reply> });
}

const answersOf = <Reply>(reads: readonly UseQueryResult<Reply>[]) => reads.map(({ data }) => data);

/** `useAsk` of an endpoint and its input. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: Asking = {},
): UseQueryResult<ReplyOf<E>> {
  return useAsk(ask(endpoint, input), options);
}

/** Sends a write once; a form gives the place beside its draft, else the endpoint has one on the device. */
export function send<Reply>(asked: Ask<Reply>, place?: SendPlace): Promise<Reply> {
  return asked.once(place ?? placeOfEndpoint(asked.endpoint));
}

/** The try whose answer was lost had been saved, and the form has changed since. */
export class SavedEarlier extends Error {
  constructor() {
    super('Your first try was saved after all, without your last changes. Please close this and open what was saved.');
    this.name = 'SavedEarlier';
  }
}

/**
 * Sends a write so that it happens once: the idempotency key is made before the first try and kept until an answer
 * comes. What is sent is always what is on the screen. Where all is one record (a form's draft), a request that was
 * changed after a try without an answer goes under that try's key: the server then makes it, or says that the first
 * try stands (SavedEarlier); it never makes two, nor the version that was abandoned.
 */
export async function sendOnce<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  place: SendPlace,
): Promise<ReplyOf<E>> {
  // The public calls know no keys, and carry passwords and links: nothing of them is kept.
  const takesKey = endpoint.method === 'POST' || endpoint.makes === true;
  if (!takesKey || endpoint.needs === 'public') return call(endpoint, input);
  const body = endpoint.body === undefined ? '' : JSON.stringify(encode(endpoint.body, input.body));
  const request = `${addressOf(endpoint, input)} ${body}`;
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

/** What is sent after a clear no is another request. */
export function isClearNo(error: unknown): boolean {
  return error instanceof ApiError && !isUnanswered(error);
}

/** Where the POSTs of an endpoint are kept that belong to no draft: on the device, for this tab. */
function placeOfEndpoint(endpoint: Endpoint): SendPlace {
  const name = `sent:${endpoint.path}~${tabId()}`;
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
    const kept = placeOfEndpoint(asked.endpoint);
    const write = (sent: Unanswered | undefined) => {
      isTried.current = sent !== undefined;
      kept.write(sent);
    };
    return send(asked, { read: kept.read, write, isOneRecord: isTried.current });
  };
}

/**
 * One rule after a write: everything that was read is stale. What is on screen is read again at once, but for what was
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

/** Writes by an endpoint, once (see sendOnce); a form's own draft is the better `place`. Afterwards all is stale. */
export function useWrite<E extends Endpoint>(endpoint: E, place?: SendPlace) {
  const stale = useStale();
  return useMutation({
    mutationFn: (input: CallInput<E>): Promise<ReplyOf<E>> =>
      sendOnce(endpoint, input, place ?? placeOfEndpoint(endpoint)),
    onSuccess: () => stale(),
  });
}

/** The sentence that a person sees for an error of a call. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
