import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import type { Endpoint, ErrorBody, ReplyOf } from '@evenkeel/contract/endpoint';
import { addressOf, type AnyInput, type CallInput } from '@evenkeel/contract/request';
import {
  COMPANY_HEADER,
  decode,
  encode,
  PERMISSIONS_HEADER,
  permissionsVersion,
  readWithoutEval,
  REHEARSE_HEADER,
} from '@evenkeel/contract/wire';
import type * as z from 'zod';
import { readClockBehind, writeClockBehind } from '../ui/hooks/localState.ts';
import { SAME_PRESS_MS } from '../ui/hooks/once.ts';
import { currentToken, onIdentityChange, sessionEpoch, sessionUser, signOut, updateSession } from './session.ts';

readWithoutEval();

/** Sends one API call, whose URL, input, and response type are defined in the contract. */

/** A rejection, in the API's only error format. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }

  /** Returns the messages by field path ("lineItems.0.description"). */
  get fields(): Record<string, string> {
    return this.body.fields ?? {};
  }
}

/**
 * Thrown if no response arrives, in which case the request may or may not have succeeded. A read, or a write with the
 * same key, can be repeated safely. For any other write, the result must be checked first.
 */
export class NoAnswer extends Error {
  constructor({ isUnsure = false } = {}) {
    super(
      isUnsure
        ? 'The connection was lost. Your changes may have been saved. Check before you try again.'
        : 'The connection was lost. Your changes are still here. Try again.',
    );
    this.name = 'NoAnswer';
  }
}

export const ACCESS_CHANGED = 'Your permissions have changed. Sign in again.';
export const ACCOUNT_DELETED = 'Your account was deleted.';
export const SESSION_ENDED = 'Your session has expired. Sign in again.';

/** A write in progress, or the last completed write. */
interface Sent {
  request: string;
  answer: Promise<unknown>;
  /**
   * The time when the write was last sent or its response arrived, as given by `performance.now()`, because the clock
   * may change in between.
   */
  at: number;
}

const underWay = new Map<string, Sent>();
let lastAnswered: Sent | undefined;

/** Forgets the writes of another user or company, so that their responses are not reused. */
export function forgetWrites(): void {
  underWay.clear();
  lastAnswered = undefined;
}
onIdentityChange(forgetWrites);

/**
 * Returns the first request's response for repeated requests. A write is not sent again while it is in progress, or
 * right after its response unless another write came in between. This prevents double-clicks on any button from sending
 * the write twice, even before React shows the button as busy.
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

/** Keeps a completed write as long as a second click could still repeat it, and forgets a failed write. */
async function ended(sent: Sent): Promise<void> {
  const isAnswered = await sent.answer.then(
    () => true,
    () => false,
  );
  if (underWay.get(sent.request) !== sent) return;
  underWay.delete(sent.request);
  if (isAnswered) lastAnswered = { ...sent, at: performance.now() };
}

export interface Sending {
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Whether the server rolls the call back and returns its effects. */
  isRehearsed?: boolean;
  /** Called with the number of bytes received while a file downloads. */
  onBytes?: (received: number) => void;
}

/**
 * Sends one call. Throws ApiError for a rejection, and NoAnswer if no response arrives. 401 and 403 end the session and
 * keep drafts. For sign-in calls, which have no session yet, these statuses are ordinary errors.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  sending: Sending = {},
): Promise<ReplyOf<E>> {
  return heard(endpoint, () => request(endpoint, input, sending), sending.onBytes);
}

/** Sends one call that the server rolls back. Returns the response, parsed with the given schema. */
export function rehearse<R>(endpoint: Endpoint, input: AnyInput, reply: z.ZodType<R>): Promise<R> {
  return heard({ ...endpoint, reply }, () => request(endpoint, input, { isRehearsed: true }));
}

/** Handles a response in the same way as `call`, for a request that was not sent by `call`. */
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
    // Responses that arrive after a change of identity are never delivered, so that nothing continues in another user's
    // session.
    if (endpoint.needs !== 'public' && epoch !== sessionEpoch()) await NEVER;
  }
}

/** The version for which permissions were last read. Undefined after a response that has the session's own version. */
let readFor: string | undefined;
onIdentityChange(() => (readFor = undefined));

/**
 * Reads the role and permissions again when a response has another version, so that the menu and the open screen
 * reflect a change immediately. All late responses from before the change together cause only one read. 401 and 403 end
 * the session.
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

/** Never settles, so that nothing that waits for it continues in another session. */
export const NEVER = new Promise<never>(() => undefined);

/** Returns the headers with the session token and the idempotency key. */
export function headersOf(endpoint: Endpoint, { idempotencyKey, isRehearsed }: Sending): Headers {
  const headers = new Headers();
  const { token, companyId } = sessionUser() ?? {};
  if (token !== undefined && endpoint.needs !== 'public') {
    headers.set('authorization', `Bearer ${token}`);
    headers.set(COMPANY_HEADER, String(companyId));
  }
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (isRehearsed === true) headers.set(REHEARSE_HEADER, 'true');
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

/** Returns whether a call changes the books. Public calls change nothing that a user could check. */
const isWrite = ({ method, reads, needs }: Endpoint): boolean =>
  method !== 'GET' && reads !== true && needs !== 'public';

/**
 * Ends the session on this device immediately, and on the server as soon as the request arrives there. The sign-in page
 * shows `because`.
 */
export function logout(because?: string): void {
  call(authCalls.logout, { query: {} }).catch(() => undefined);
  signOut(because);
}

/**
 * Ends the session before the recipient of an emailed link signs in. Otherwise, the recipient would unknowingly work in
 * the books of the user who is still signed in.
 */
export function endSession(): void {
  if (sessionUser() !== null) logout();
}

/** The number of milliseconds by which the device's clock is behind the server's, according to the last response. */
let clockBehind = readClockBehind();
/** Smaller differences come from network latency and from the Date header, which has no fractions of a second. */
const CLOCK_STEP_MS = 60_000;

function setClock(date: string | null): void {
  const told = Date.parse(date ?? '');
  if (!Number.isFinite(told)) return;
  clockBehind = told - Date.now();
  if (Math.abs(clockBehind - readClockBehind()) < CLOCK_STEP_MS) return;
  writeClockBehind(Math.abs(clockBehind) < CLOCK_STEP_MS ? 0 : clockBehind);
}

/** Returns the server's time in epoch milliseconds, even if the device's clock is wrong. */
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
  // A 401 for a token that was replaced says nothing about the current session.
  if (endpoint.needs !== 'public' && token === sessionUser()?.token) {
    if (response.status === 401) signOut(SESSION_ENDED);
    if (response.status === 403) signOut(ACCESS_CHANGED);
    // The company now requires two-step verification, so Private opens the setup page next.
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
