import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import type { Endpoint, ErrorBody, ReplyOf } from '@evenkeel/contract/endpoint';
import {
  COMPANY_HEADER,
  decode,
  encode,
  PERMISSIONS_HEADER,
  permissionsVersion,
  readWithoutEval,
} from '@evenkeel/contract/wire';
import type * as z from 'zod';
import { readClockBehind, writeClockBehind } from '../ui/hooks/localState.ts';
import { SAME_PRESS_MS } from '../ui/hooks/once.ts';
import { currentToken, onIdentityChange, sessionEpoch, sessionUser, signOut, updateSession } from './session.ts';

readWithoutEval();

/** Sends one call: its address, input and answer follow from the contract's table. */

type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? { [K in Name]: z.output<Schema> }
  : { [K in Name]?: undefined };
/** The input of a call: exactly the parts that its endpoint declares; money as Cents, dates as IsoDate. */
export type CallInput<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>;

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
        ? 'The connection was lost. Your changes may have been saved. Check before you try again.'
        : 'The connection was lost. Your entries are still here. Try again.',
    );
    this.name = 'NoAnswer';
  }
}

export const ACCESS_CHANGED = 'Your permissions have changed. Sign in again.';
export const ACCOUNT_DELETED = 'Your account was deleted.';
export const SESSION_ENDED = 'Your session has expired. Sign in again.';

export function addressOf(endpoint: Endpoint, input: AnyInput): string {
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

/** A write under way, or the last one that was answered. */
interface Sent {
  request: string;
  answer: Promise<unknown>;
  /** The last moment at which it was requested or answered, by `performance.now()`: a clock may be set in between. */
  at: number;
}

const underWay = new Map<string, Sent>();
let lastAnswered: Sent | undefined;

/** Forgets the writes of another person or company: what was answered there is not answered here. */
export function forgetWrites(): void {
  underWay.clear();
  lastAnswered = undefined;
}
onIdentityChange(forgetWrites);

/**
 * Gives a repeated press the answer of the first one. A write that is requested again while it is under way, or right
 * after its answer with no other write in between, is not sent again. This covers every button, even if React has not
 * drawn it as busy yet.
 */
export function joined<T>(request: string, begin: () => Promise<T>): Promise<T> {
  const now = performance.now();
  const last = lastAnswered?.request === request && now - lastAnswered.at < SAME_PRESS_MS ? lastAnswered : undefined;
  const same = underWay.get(request) ?? last;
  if (same !== undefined) {
    same.at = now;
    return same.answer as Promise<T>;
  }
  lastAnswered = undefined;
  const answer = begin();
  const sent: Sent = { request, answer, at: now };
  underWay.set(request, sent);
  void ended(sent);
  return answer;
}

/** Keeps a write that was answered for as long as a press may still belong to it, and forgets a failed one. */
async function ended(sent: Sent): Promise<void> {
  const isAnswered = await sent.answer.then(
    () => true,
    () => false,
  );
  if (underWay.get(sent.request) !== sent) return;
  underWay.delete(sent.request);
  if (isAnswered) lastAnswered = { ...sent, at: performance.now() };
}

interface Sending {
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Hears while a file comes how many of its bytes are here. */
  onBytes?: (received: number) => void;
}

/**
 * Sends one call. Throws ApiError for an answer that says no, NoAnswer when none came. 401 and 403 end the session with
 * drafts kept; the sign-in calls themselves, which have no session yet, only fail.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  sending: Sending = {},
): Promise<ReplyOf<E>> {
  return heard(endpoint, () => request(endpoint, input, sending), sending.onBytes);
}

/** Hears what a request answers as the answer of every call is heard; for a request that is not sent by `call`. */
export async function heard<E extends Endpoint>(
  endpoint: E,
  request: () => Promise<Response>,
  onBytes?: Sending['onBytes'],
): Promise<ReplyOf<E>> {
  const { token, epoch } = { token: currentToken(), epoch: sessionEpoch() };
  try {
    const response = await request();
    if (endpoint.needs !== 'public' && token === sessionUser()?.token) followPermissions(endpoint, response);
    if (!response.ok) throw await refusal(endpoint, response, token);
    if (typeof endpoint.reply !== 'string') return decode(endpoint.reply, await response.json()) as ReplyOf<E>;
    const bytes = await bytesOf(response, onBytes);
    const contentType = response.headers.get('content-type') ?? '';
    return (endpoint.reply === 'file' ? { bytes, contentType } : bytes) as ReplyOf<E>;
  } finally {
    // Answers after a change of identity are never delivered: nothing goes on in another's session.
    if (endpoint.needs !== 'public' && epoch !== sessionEpoch()) await NEVER;
  }
}

/** The version for which permissions were last read; undefined after a response with the session's own version. */
let readFor: string | undefined;
onIdentityChange(() => (readFor = undefined));

/**
 * Reads role and permissions again when a response has another version, so that the menu and the open screen follow a
 * change immediately. Late responses from before the change cause one read in total. 401 and 403 end the session.
 */
function followPermissions(endpoint: Endpoint, { status, headers }: Response): void {
  const version = headers.get(PERMISSIONS_HEADER);
  const user = sessionUser();
  if (version === null || user === null || status === 401 || status === 403) return;
  if (endpoint === accountCalls.getAccount) return;
  const isOwn = version === permissionsVersion(user);
  if (isOwn) readFor = undefined;
  if (isOwn || version === readFor) return;
  readFor = version;
  call(accountCalls.getAccount, {}).then(
    ({ roleId, userRole, permissions }) => updateSession({ roleId, userRole, permissions }),
    () => (readFor = undefined),
  );
}

async function bytesOf(response: Response, onBytes: Sending['onBytes']): Promise<Uint8Array> {
  if (onBytes === undefined || response.body === null) return new Uint8Array(await response.arrayBuffer());
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = response.body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parts.push(read.value);
      onBytes((received += read.value.length));
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new NoAnswer();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const NEVER = new Promise<never>(() => undefined);

export interface AnyInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** Who asks, and under which key. */
export function headersOf(endpoint: Endpoint, { idempotencyKey }: Sending): Headers {
  const headers = new Headers();
  const { token, companyId } = sessionUser() ?? {};
  if (token !== undefined && endpoint.needs !== 'public') {
    headers.set('authorization', `Bearer ${token}`);
    headers.set(COMPANY_HEADER, String(companyId));
  }
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
  call(authCalls.logout, { query: {} }).catch(() => undefined);
  signOut(because);
}

/**
 * Whoever a mailed link is for signs in next: another who is still signed in here would take them in without a word,
 * into books that are not theirs.
 */
export function endSession(): void {
  if (sessionUser() !== null) logout();
}

/** Milliseconds by which this device's clock is behind the server's, by the last answer. */
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
    message: text === '' ? `The server returned an error (${response.status})` : text.slice(0, 200),
    requestId: '',
  };
  // A token that has been replaced since says nothing of the session there is now.
  if (endpoint.needs !== 'public' && token === sessionUser()?.token) {
    if (response.status === 401) signOut(SESSION_ENDED);
    if (response.status === 403) signOut(ACCESS_CHANGED);
    // The company has come to require it: its page is next (Private).
    if (body.code === 'second_factor_required') updateSession({ secondFactorMissing: true });
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
