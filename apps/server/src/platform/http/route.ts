import type { BodyOf, DrawnType, Endpoint, ErrorBody, ParamsOf, QueryOf, ReplyOf } from '@evenkeel/contract/endpoint';
import type { Permission } from '@evenkeel/contract/areas';
import type { Actor, Ctx, Services, SessionUser } from './context.ts';
import type { AnyCreation, Creation, New } from './creation.ts';
import type { Outcomes } from './idempotency.ts';
import type { Upload } from './upload.ts';
import type * as z from 'zod';

/** The decoded input of a call. */
export interface Input<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  /** The uploaded file, if the endpoint accepts a file. The file is closed when the call ends. */
  body: E extends { takes: 'file' } ? Upload : BodyOf<E>;
}

/** The caller of a handler that runs outside any company. */
export interface OpenCtx {
  services: Services;
  /** The caller's network (networkOf), for limits. */
  address: string;
  /** The `User-Agent` header. */
  agent: string | undefined;
  /** The caller, which is set for calls that are not public. */
  user: SessionUser | undefined;
  /** The Idempotency-Key, if the handler uses it directly. */
  key?: string | undefined;
}

/** An endpoint with its handler, which http/serve runs. */
export type Route =
  | {
      endpoint: Endpoint;
      kind: 'company';
      handler: (ctx: Ctx, input: Input<Endpoint>, prepared?: unknown) => Promise<unknown>;
      /** Runs before the transaction starts. */
      prepare?: (preparing: Preparing, input: Input<Endpoint>) => Promise<unknown>;
      /** Runs instead of the handler if the body of a POST refers to a saved record. */
      save?: (ctx: Ctx, input: Input<Endpoint>, id: number, prepared?: unknown) => Promise<unknown>;
      command?: Command;
      permits?: Permits<Endpoint> | undefined;
      gate?: Gate | undefined;
      isShort?: ((input: Input<Endpoint>) => boolean) | undefined;
    }
  | { endpoint: Endpoint; kind: 'open'; handler: (ctx: OpenCtx, input: Input<Endpoint>) => Promise<unknown> };

/**
 * The context of a call before its transaction starts. A call in this state holds neither a turn nor a connection,
 * except while it reads.
 */
export interface Preparing extends Actor {
  readonly services: Services;
  /** Returns whether the client has disconnected. */
  readonly isGone: () => boolean;
  /** Runs `work` in a separate read transaction. */
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
}

/**
 * The gate that a read passes before the gate for readers, because the read computes for a long time. A long read may
 * also return thousands of lines, so it is converted to JSON text in parts, after the transaction.
 */
type Gate = 'long' | 'review';

/** Creates records in their company's batches. */
export interface InBatches {
  creation: AnyCreation;
  /** Decides whether the record in a body is created in a batch. If not, the handler runs. */
  takes?: (body: unknown) => boolean;
}

/** Creates the records of several requests together in one transaction, with a result for each. */
interface Together {
  createEach: (ctx: Ctx, news: readonly New<unknown>[]) => Promise<Outcomes<unknown>>;
  /** Decides whether a request may share a transaction. If not, the handler runs. */
  shares: (body: unknown) => boolean;
}

/** Creates each record in a list in its own transaction. */
export interface Apart {
  /** Returns the result for one of several records, in the API format. */
  told: (input: unknown, outcome: Told) => unknown;
}

/** Describes how a POST creates new records. */
type Command = InBatches | Together | Apart;

/** The result for one of several records: its response as JSON, or its error. */
export type Told<V = unknown> = { made: V; error?: undefined } | { made?: undefined; error: ErrorBody };

/** Creates a file after the transaction ends, because this takes a long time and would otherwise hold a connection. */
export type Drawing = () => Promise<Drawn>;

/** The bytes of the file, optionally with the file name (without its extension). */
export type Drawn = Uint8Array | { name: string; drawn: Uint8Array };

/** A stored or generated file of any type. The bytes are read after the transaction ends. */
export interface StoredFile {
  name: string;
  contentType: string;
  /** Undefined while the file is being generated. */
  size?: number;
  bytes: () => AsyncIterable<Uint8Array>;
}

/** The result of a handler: the response, or the data that a file is created from. */
export type Made<E extends Endpoint> = E['reply'] extends DrawnType
  ? Drawing
  : E['reply'] extends 'file'
    ? StoredFile
    : ReplyOf<E>;

/**
 * Reads the record and returns its permissions. The caller needs at least one of them. Throws 404 if the record doesn't
 * exist.
 */
type Permits<E extends Endpoint> = (ctx: Ctx, input: Input<E>) => Promise<'allowed' | readonly Permission[]>;

/** A call that creates a record, or saves the record that its body refers to. */
type Making = Endpoint & { names: string };

type Save<E extends Endpoint> = (ctx: Ctx, input: Input<E>, id: number) => Promise<Made<E>>;

interface How<E extends Endpoint> {
  /** Runs instead of the handler, as PUT does, if the body of a POST refers to a saved record. */
  save?: E extends Making ? Save<E> : never;
  /** Reads the record's permissions before the handler runs, for an endpoint whose permission is 'by record'. */
  permits?: E extends { needs: 'by record' } ? Permits<E> : never;
  gate?: E extends { method: 'GET' } | { reads: true } ? Gate : never;
  /** Decides whether a request needs so little time that it doesn't pass the gate. */
  isShort?: (input: Input<E>) => boolean;
}

/** Connects an endpoint for signed-in users to its handler. The call runs in one transaction in the user's company. */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
  how: How<E> = {},
): Route {
  return { endpoint, kind: 'company', handler, ...how } as Route;
}

/**
 * Connects an endpoint whose call waits for more than the database, such as a thread that reads a file. `prepare` does
 * the waiting before the transaction begins. The handler gets its result, which may be outdated by then. A repeated
 * request gets its stored response and prepares nothing. `save` has the same meaning as in `route`.
 */
export function preparedRoute<E extends Endpoint, P>(
  endpoint: E,
  prepare: (preparing: Preparing, input: Input<E>) => Promise<P>,
  handler: (ctx: Ctx, input: Input<E>, prepared: P) => Promise<Made<E>>,
  save?: (ctx: Ctx, input: Input<E>, id: number, prepared: P) => Promise<Made<E>>,
): Route {
  return { endpoint, kind: 'company', prepare, handler, ...(save && { save }) } as Route;
}

/** Returns a route that reads the permissions of its record, for an endpoint whose permission is 'by record'. */
export function withPermits(given: Route, permits: Permits<Endpoint>): Route {
  return { ...given, permits } as Route;
}

/** Creates records without locks. A new record is created in its company's next batch. */
interface Batched<E extends Making, F, R> {
  creation: Creation<BodyOf<E>, F, R, ReplyOf<E>>;
  /** Excludes bodies that `save` handles in a transaction. */
  takes?: (body: BodyOf<E>) => boolean;
  save: Save<E>;
}

/**
 * Creates records that lock others. Requests from one user that wait for a turn at the same time share one transaction
 * of
 * `createEach`, each with its own key and response. Without a key, or if `shares` rejects the body, `create` uses a
 * separate transaction.
 */
interface Shared<E extends Making> {
  create: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>;
  createEach: (ctx: Ctx, news: readonly New<BodyOf<E>>[]) => Promise<Outcomes<Made<E>>>;
  shares: (body: BodyOf<E>) => boolean;
  save: Save<E>;
}

type Lists<I extends z.ZodType, V> = Endpoint & {
  method: 'POST';
  body: z.ZodArray<I>;
  reply: z.ZodType<{ record?: V | undefined }[]>;
};

/** An endpoint that accepts one record or a list. */
type OneOrMany<I, V, T> = Endpoint & { method: 'POST'; body: z.ZodType<I | I[]>; reply: z.ZodType<V | T[]> };

/**
 * Creates one record in the request's transaction. The records in a list are created one after another, each in a
 * separate transaction. `told` returns the result for each record. If the client disconnects, the remaining records are
 * skipped.
 */
interface Separate<I, V, T> {
  create: (ctx: Ctx, input: I) => Promise<V>;
  told: (input: I, outcome: Told<V>) => T;
}

/**
 * Connects a POST endpoint that creates records, as described by `Batched`, `Shared`, or `Separate`. Each record in a
 * list has its own result, and a key derived from the request's key. A rejected record doesn't affect the others.
 */
export function commandRoute<E extends Making, F, R>(endpoint: E, command: Batched<E, F, R>): Route;
export function commandRoute<E extends Making>(endpoint: E, command: Shared<E>): Route;
export function commandRoute<I, V, T>(endpoint: OneOrMany<I, V, T>, command: Separate<I, V, T>): Route;
export function commandRoute<I extends z.ZodType, F, R, V>(
  endpoint: Lists<I, V>,
  command: { creation: Creation<z.output<I>, F, R, V> },
): Route;
export function commandRoute(endpoint: Endpoint, given: object): Route {
  type Handler = (ctx: Ctx, input: unknown) => Promise<unknown>;
  const { save, create = save, ...command } = given as Command & { create?: Handler; save?: Handler };
  const handler = (ctx: Ctx, input: { body: unknown }) => {
    if (create === undefined) throw new Error('the records of a list are created in batches');
    return create(ctx, 'told' in command ? input.body : input);
  };
  return { endpoint, kind: 'company', handler, save, command } as Route;
}

/** Connects an endpoint whose call has no company transaction (sign-in, registration, public documents). */
export function openRoute<E extends Endpoint>(
  endpoint: E,
  handler: (ctx: OpenCtx, input: Input<E>) => Promise<ReplyOf<E>>,
): Route {
  return { endpoint, kind: 'open', handler: handler as (ctx: OpenCtx, input: Input<Endpoint>) => Promise<unknown> };
}
