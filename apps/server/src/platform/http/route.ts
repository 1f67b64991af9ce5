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
  /** The upload of an endpoint that accepts a file. It is closed when the call ends. */
  body: E extends { takes: 'file' } ? Upload : BodyOf<E>;
}

/** The caller of a handler without a company. */
export interface OpenCtx {
  services: Services;
  /** The network of the caller (networkOf), for limits. */
  address: string;
  /** The `User-Agent` header. */
  agent: string | undefined;
  /** Set for calls that are not public. */
  user: SessionUser | undefined;
  /** The Idempotency-Key, which the handler itself uses. */
  key?: string | undefined;
}

/** An endpoint with its handler. http/serve runs it. */
export type Route =
  | {
      endpoint: Endpoint;
      kind: 'company';
      handler: (ctx: Ctx, input: Input<Endpoint>, prepared?: unknown) => Promise<unknown>;
      /** Runs before the transaction starts. */
      prepare?: (preparing: Preparing, input: Input<Endpoint>) => Promise<unknown>;
      /** Runs instead of the handler if the body of a POST names a saved record. */
      save?: (ctx: Ctx, input: Input<Endpoint>, id: number, prepared?: unknown) => Promise<unknown>;
      queue?: Queued | undefined;
      many?: Many | undefined;
      several?: Several | undefined;
      shared?: Shared | undefined;
      permits?: Permits<Endpoint> | undefined;
      isLong?: boolean;
      /** The gate that a read passes before the gate of readers. */
      gate?: 'report' | 'review';
    }
  | { endpoint: Endpoint; kind: 'open'; handler: (ctx: OpenCtx, input: Input<Endpoint>) => Promise<unknown> };

/** The context of a call before its transaction starts. It holds no turn and no connection, except while it reads. */
export interface Preparing extends Actor {
  readonly services: Services;
  /** Returns whether the client has left. */
  readonly isGone: () => boolean;
  /** Runs `work` in a separate read transaction. */
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
}

/** The record that a call creates in its company's batches, and the bodies without an ID that it accepts. */
interface Queued {
  creation: AnyCreation;
  takes: (body: unknown) => boolean;
}

/** The records that a call creates in its company's batches, each independently. */
interface Many {
  creation: AnyCreation;
  input: z.ZodType;
}

/** The function that reports a result of one of several records to the client. */
interface Several {
  told: (input: unknown, outcome: Told) => unknown;
}

/** The result of one of several records: its reply as JSON, or its error. */
export type Told<V = unknown> = { made: V; error?: undefined } | { made?: undefined; error: ErrorBody };

/**
 * Creates new records for several requests in one transaction, with a result for each. `shares` decides which requests
 * may share.
 */
interface Shared {
  createEach: (ctx: Ctx, news: readonly New<unknown>[]) => Promise<Outcomes<unknown>>;
  shares: (body: unknown) => boolean;
}

/** Creates a file after the transaction ends. Creating it takes a long time and would otherwise hold a connection. */
export type Drawing = () => Promise<Drawn>;

/** The bytes of the file, or the bytes with the file name without its extension. */
export type Drawn = Uint8Array | { name: string; drawn: Uint8Array };

/** A stored or generated file of any type. Its bytes are read after the transaction ends. */
export interface StoredFile {
  name: string;
  contentType: string;
  /** Undefined while the file is being generated. */
  size?: number;
  bytes: () => AsyncIterable<Uint8Array>;
}

/** The result of a handler: the reply, or the file that it is made into. */
export type Made<E extends Endpoint> = E['reply'] extends DrawnType
  ? Drawing
  : E['reply'] extends 'file'
    ? StoredFile
    : ReplyOf<E>;

/**
 * Reads the record and returns the permissions. The caller needs one of them. Throws 404 if the record doesn't exist.
 */
type Permits<E extends Endpoint> = (ctx: Ctx, input: Input<E>) => Promise<'allowed' | readonly Permission[]>;

/** Binds a call of a signed-in user. It runs in one transaction of the user's company. */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
): Route {
  return {
    endpoint,
    kind: 'company',
    handler: handler as (ctx: Ctx, input: Input<Endpoint>) => Promise<unknown>,
  };
}

/**
 * Binds a call that waits for more than the database, such as a thread that reads a file. `prepare` waits before the
 * transaction begins, and the handler gets its result, which may be outdated by then. A repeated request gets its
 * stored reply and prepares nothing. `save` is that of `savingRoute`.
 */
export function preparedRoute<E extends Endpoint, P>(
  endpoint: E,
  prepare: (preparing: Preparing, input: Input<E>) => Promise<P>,
  handler: (ctx: Ctx, input: Input<E>, prepared: P) => Promise<Made<E>>,
  save?: (ctx: Ctx, input: Input<E>, id: number, prepared: P) => Promise<Made<E>>,
): Route {
  return { endpoint, kind: 'company', prepare, handler, ...(save && { save }) } as Route;
}

/** A call that creates a record, or saves the one that its body names. */
type Making = Endpoint & { names: string };

type Save<E extends Endpoint> = (ctx: Ctx, input: Input<E>, id: number) => Promise<Made<E>>;

/** Binds a POST that creates a record, or saves the one that its body names, like PUT. */
export function savingRoute<E extends Making>(
  endpoint: E,
  create: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
  save: Save<E>,
): Route {
  return { ...route(endpoint, create), save } as Route;
}

/**
 * Binds a read that may return thousands of lines. A company runs one such read at a time. A JSON reply is converted to
 * text in pieces, after the transaction.
 */
export function longRoute<E extends Endpoint & { reads: true }>(
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
): Route {
  return { ...gatedRoute('report', endpoint, handler), isLong: true } as Route;
}

/**
 * Binds a read that computes for a long time inside its transaction. It passes a gate that leaves turns for other
 * reads.
 */
export function gatedRoute<E extends Endpoint>(
  gate: 'report' | 'review',
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
): Route {
  return { ...route(endpoint, handler), gate } as Route;
}

/**
 * Binds a call to an endpoint whose permission is 'by record': `permits` reads the record's permissions before the
 * handler runs.
 */
export function recordRoute<E extends Endpoint & { needs: 'by record' }>(
  endpoint: E,
  permits: Permits<E>,
  handler: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
): Route {
  return { ...route(endpoint, handler), permits: permits as Permits<Endpoint> } as Route;
}

/** Binds a call that has no company transaction (sign-in, registration, public documents). */
export function openRoute<E extends Endpoint>(
  endpoint: E,
  handler: (ctx: OpenCtx, input: Input<E>) => Promise<ReplyOf<E>>,
): Route {
  return { endpoint, kind: 'open', handler: handler as (ctx: OpenCtx, input: Input<Endpoint>) => Promise<unknown> };
}

/**
 * Binds a POST like `savingRoute`. A new record goes into its company's next batch. If the body names a saved record,
 * or `takes` declines it, `save` handles it in a separate transaction.
 */
export function queuedRoute<E extends Making, F, R>(
  endpoint: E,
  creation: Creation<BodyOf<E>, F, R, ReplyOf<E>>,
  other: { takes?: (body: BodyOf<E>) => boolean; save: (ctx: Ctx, input: Input<E>) => Promise<Made<E>> },
): Route {
  const takes = (other.takes ?? (() => true)) as Queued['takes'];
  return {
    ...savingRoute(endpoint, other.save, other.save),
    queue: { creation: creation as AnyCreation, takes },
  } as Route;
}

/**
 * Binds a POST like `savingRoute` whose new records lock other records. Requests of one user that wait for a turn at
 * the same time share a transaction of `createEach`, each with its own key and response. Without a key, or if `shares`
 * declines the body, `create` uses a separate transaction.
 */
export function sharedRoute<E extends Making>(
  endpoint: E,
  creation: {
    create: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>;
    createEach: (ctx: Ctx, news: readonly New<BodyOf<E>>[]) => Promise<Outcomes<Made<E>>>;
    shares: (body: BodyOf<E>) => boolean;
  },
  save: Save<E>,
): Route {
  const { create, ...shared } = creation;
  return { ...savingRoute(endpoint, create, save), shared: shared as Shared } as Route;
}

/**
 * Binds a POST that creates many records of one kind. Each record goes into its company's batches with a key derived
 * from the request's, and gets its own result. A rejected one doesn't affect the others.
 */
export function manyRoute<I extends z.ZodType, F, R, V>(
  endpoint: Endpoint & { method: 'POST'; body: z.ZodArray<I>; reply: z.ZodType<{ record?: V | undefined }[]> },
  creation: Creation<z.output<I>, F, R, V>,
): Route {
  const handler = () => Promise.reject(new Error('records in a list are created in batches'));
  const many = { creation: creation as AnyCreation, input: endpoint.body.element };
  return { endpoint, kind: 'company', handler, many };
}

/**
 * Binds a POST that accepts one record or a list. A single record is handled in the request's transaction. The records
 * of a list run one after the other, each in a separate transaction with a key derived from the request's. `told`
 * returns the result of each. A rejected record doesn't affect the others. If the client leaves, the remaining records
 * are skipped.
 */
export function severalRoute<I, V, T>(
  endpoint: Endpoint & { method: 'POST'; body: z.ZodType<I | I[]>; reply: z.ZodType<V | T[]> },
  one: (ctx: Ctx, input: I) => Promise<V>,
  told: (input: I, outcome: Told<V>) => T,
): Route {
  const handler = (ctx: Ctx, { body }: { body: unknown }) => one(ctx, body as I);
  return { endpoint, kind: 'company', handler, several: { told } as Several };
}
