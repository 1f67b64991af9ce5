import { type Endpoint, type ErrorBody, ErrorReply, type ReplyOf, takesKey } from '@evenkeel/contract/endpoint';
import { Rehearsed } from '@evenkeel/contract/rehearsal';
import { addressOf, type AnyInput, type CallInput } from '@evenkeel/contract/request';
import { decode, encode, REHEARSE_HEADER } from '@evenkeel/contract/wire';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';

/** Thrown if the server rejects a call. The message comes from the server. */
export class Refused extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = 'Refused';
    this.status = status;
    this.body = body;
  }
}

/**
 * Thrown if no response arrives. `isUnsure` is true for a write without an idempotency key, which may or may not have
 * taken effect.
 */
export class Unreachable extends Error {
  readonly isUnsure: boolean;

  constructor(address: string, isUnsure: boolean, cause: unknown) {
    super(`No response from ${address}`, { cause });
    this.name = 'Unreachable';
    this.isUnsure = isUnsure;
  }
}

export interface ClientOptions {
  /** The address of the server, for example http://127.0.0.1:3000. */
  address: string;
  /** An API key or a session token. Public calls need neither. */
  key?: string | undefined;
  /** The number of attempts for a call that can be repeated safely. The default is 3. */
  attempts?: number;
}

/** The file to upload, for a call that takes a file. */
export interface FileInput {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A call in the API's format: amounts in dollars, and dates as YYYY-MM-DD. */
export interface WireCall {
  /** The path and query, which start with /api. */
  address: string;
  body?: unknown;
  file?: FileInput;
  isRehearsed?: boolean;
  /** Identifies a write, so that repeating it has one effect. The default is a new key. */
  idempotencyKey?: string;
}

/** The longest wait in ms that a server may request between two attempts. */
const LONGEST_WAIT_MS = 30_000;

/** The statuses that ask the client to try again: too many requests, or an unavailable database. */
const AGAIN = new Set([429, 503]);

/**
 * A client for one company, typed by the contract. If no response arrives or the server asks the client to try again,
 * the client repeats reads, and also writes that take an idempotency key.
 */
export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Makes a call. Amounts are Cents. Throws Refused if the server rejects the call, and Unreachable if no response
   * arrives.
   */
  async call<E extends Endpoint>(endpoint: E, input: CallInput<E> & { file?: FileInput }): Promise<ReplyOf<E>>;
  async call(endpoint: Endpoint, input: AnyInput & { file?: FileInput }): Promise<unknown> {
    const response = await this.send(endpoint, wireCall(endpoint, input));
    if (typeof endpoint.reply !== 'string') return decode(endpoint.reply, await response.json());
    const bytes = new Uint8Array(await response.arrayBuffer());
    return endpoint.reply === 'file' ? { bytes, contentType: response.headers.get('content-type') ?? '' } : bytes;
  }

  /** Makes a call that the server rolls back. Returns the effects that the call would have without the rollback. */
  async rehearse<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<z.output<typeof Rehearsed>>;
  async rehearse(endpoint: Endpoint, input: AnyInput): Promise<unknown> {
    const response = await this.send(endpoint, { ...wireCall(endpoint, input), isRehearsed: true });
    return decode(Rehearsed, await response.json());
  }

  /** Makes a call in the API's format. Returns the response if the server accepts the call. */
  async send(endpoint: Endpoint, call: WireCall): Promise<Response> {
    const isKeyed = takesKey(endpoint) && endpoint.needs !== 'public' && endpoint.needs !== 'session';
    const isRepeatable = isKeyed || endpoint.method === 'GET' || endpoint.reads === true || call.isRehearsed === true;
    const idempotencyKey = isKeyed ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const attempts = isRepeatable ? (this.#options.attempts ?? 3) : 1;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#try(endpoint, call, idempotencyKey);
      const isLast = attempt >= attempts;
      if (answer instanceof Response && answer.ok) return answer;
      if (!(answer instanceof Response)) {
        if (isLast) throw new Unreachable(this.#options.address, !isRepeatable, answer.error);
      } else if (isLast || !AGAIN.has(answer.status)) throw new Refused(answer.status, await errorIn(answer));
      // A response that is never read would keep its connection open.
      if (answer instanceof Response) await answer.body?.cancel();
      await sleep(waitOf(answer, attempt));
    }
  }

  async #try(endpoint: Endpoint, call: WireCall, idempotencyKey?: string): Promise<Response | { error: unknown }> {
    const headers = new Headers();
    if (this.#options.key !== undefined) headers.set('authorization', `Bearer ${this.#options.key}`);
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    if (call.isRehearsed === true) headers.set(REHEARSE_HEADER, 'true');
    const init: RequestInit = { method: endpoint.method, headers };
    if (call.file !== undefined) {
      init.body = new FormData();
      init.body.append('file', new Blob([call.file.bytes]), call.file.name);
    } else if (call.body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(call.body);
    }
    try {
      return await fetch(new URL(call.address, this.#options.address), init);
    } catch (error) {
      return { error };
    }
  }
}

function wireCall(endpoint: Endpoint, { file, ...input }: AnyInput & { file?: FileInput }): WireCall {
  const address = addressOf(endpoint, input);
  if (file !== undefined) return { address, file };
  return endpoint.body === undefined ? { address } : { address, body: encode(endpoint.body, input.body) };
}

/**
 * Returns the wait in ms before the next attempt: the time that the server requests or, if it requests none, half a
 * second, doubled with each attempt.
 */
function waitOf(answer: Response | { error: unknown }, attempt: number): number {
  const asked = answer instanceof Response ? Number(answer.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
  return Math.min(Number.isFinite(asked) ? asked * 1000 : 250 * 2 ** attempt, LONGEST_WAIT_MS);
}

async function errorIn(response: Response): Promise<ErrorBody> {
  const text = await response.text();
  const parsed = ErrorReply.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const message = `The server returned an error (${response.status})`;
  return { code: String(response.status), message, requestId: '' };
}

/** Returns undefined for text that is not JSON, such as a proxy's error page. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
