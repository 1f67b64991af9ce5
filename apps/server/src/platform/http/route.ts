import type { BodyOf, DrawnType, Endpoint, ErrorBody, ParamsOf, QueryOf, ReplyOf } from '@evenkeel/contract/endpoint';
import type { Permission } from '@evenkeel/contract/areas';
import type { Actor, Ctx, Services, SessionUser } from './context.ts';
import type { AnyCreation, Creation, New } from './creation.ts';
import type { Outcomes } from './idempotency.ts';
import type { Upload } from './upload.ts';
import type * as z from 'zod';

/** Decoded input of a call. */
export interface Input<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  /** The upload of an endpoint that takes a file is closed when the call ends. */
  body: E extends { takes: 'file' } ? Upload : BodyOf<E>;
}

/** The caller as a handler without a company knows it. */
export interface OpenCtx {
  services: Services;
  /** Network of the caller (networkOf), for limits. */
  address: string;
  /** The header `User-Agent`. */
  agent: string | undefined;
  /** Present on calls that are not public. */
  user: SessionUser | undefined;
  /** The Idempotency-Key, which the handler itself minds. */
  key?: string | undefined;
}

/** An endpoint bound to its handler; http/serve turns it into a running one. */
export type Route =
  | {
      endpoint: Endpoint;
      kind: 'company';
      handler: (ctx: Ctx, input: Input<Endpoint>, prepared?: unknown) => Promise<unknown>;
      /** Runs before the transaction. */
      prepare?: (preparing: Preparing, input: Input<Endpoint>) => Promise<unknown>;
      /** Instead, where the body of a POST names a saved record. */
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

/** The context of a call before its transaction. It holds no turn and no connection, except while it reads. */
export interface Preparing extends Actor {
  readonly services: Services;
  /** True once nobody waits for the reply. */
  readonly isGone: () => boolean;
  /** Runs `work` in a read transaction of its own. */
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
}

/** The record that a call creates in its company's batches, and the bodies without an id that it takes. */
interface Queued {
  creation: AnyCreation;
  takes: (body: unknown) => boolean;
}

/** The records that a call creates in its company's batches, each by itself. */
interface Many {
  creation: AnyCreation;
  input: z.ZodType;
}

/** The way to tell a client of one of several. */
interface Several {
  told: (input: unknown, outcome: Told) => unknown;
}

/** The answer to one of several, as it would be alone and as JSON says it, or why it was refused. */
export type Told<V = unknown> = { made: V; error?: undefined } | { made?: undefined; error: ErrorBody };

/** Makes new records of several requests in one transaction, each answered by itself; `shares` says which may. */
interface Shared {
  createEach: (ctx: Ctx, news: readonly New<unknown>[]) => Promise<Outcomes<unknown>>;
  shares: (body: unknown) => boolean;
}

/** A file that is drawn when the transaction has ended: drawing takes long, and a connection would wait for it. */
export type Drawing = () => Promise<Drawn>;

/** The bytes alone, or with the name that they are saved under, without its ending. */
export type Drawn = Uint8Array | { name: string; drawn: Uint8Array };

/** Bytes of whatever type, stored or made; they are read when the transaction has ended. */
export interface StoredFile {
  name: string;
  contentType: string;
  /** Absent while it is being made. */
  size?: number;
  bytes: () => AsyncIterable<Uint8Array>;
}

/** The result of a handler: the reply, or the file that it is made into. */
export type Made<E extends Endpoint> = E['reply'] extends DrawnType
  ? Drawing
  : E['reply'] extends 'file'
    ? StoredFile
    : ReplyOf<E>;

/** Asks the record itself: permissions of which the caller needs one; throws 404 where there is none to ask. */
type Permits<E extends Endpoint> = (ctx: Ctx, input: Input<E>) => Promise<'allowed' | readonly Permission[]>;

/** Binds a call of a signed-in user: it runs in one transaction of the user's company. */
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

/** A call that makes a record, or saves the one that its body names. */
type Making = Endpoint & { names: string };

type Save<E extends Endpoint> = (ctx: Ctx, input: Input<E>, id: number) => Promise<Made<E>>;

/** Binds a POST that makes a record, or saves the one that its body names, as PUT does. */
export function savingRoute<E extends Making>(
  endpoint: E,
  create: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
  save: Save<E>,
): Route {
  return { ...route(endpoint, create), save } as Route;
}

/**
 * Binds a read that may have thousands of lines: a company has one of them at a time. A reply in JSON is made into text
 * in pieces, after the transaction.
 */
export function longRoute<E extends Endpoint & { reads: true }>(
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
): Route {
  return { ...gatedRoute('report', endpoint, handler), isLong: true } as Route;
}

/** Binds a read that computes long inside its transaction. It passes a gate that leaves turns to other reads. */
export function gatedRoute<E extends Endpoint>(
  gate: 'report' | 'review',
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Promise<Made<E>>,
): Route {
  return { ...route(endpoint, handler), gate } as Route;
}

/** Binds a call of an endpoint whose permission is 'by record': `permits` asks the record before the handler runs. */
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
 * Binds a POST as `savingRoute` does. A new record goes with its company's next batch. Bodies that name a saved one, or
 * that `takes` declines, are handled in a transaction of their own by `save`.
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
 * Binds a POST as `savingRoute` does, whose new records lock others. Those of one person that wait for a turn at the
 * same time share a transaction of `createEach`, each with its own key and answer. Without a key, or where `shares`
 * declines the body, `create` makes one in a transaction of its own.
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
 * Binds a POST that makes many records of one kind: each goes to its company's batches by itself, with a key of its own
 * behind the request's, and is answered in its place, made or refused. One that is refused hinders no other.
 */
export function manyRoute<I extends z.ZodType, F, R, V>(
  endpoint: Endpoint & { method: 'POST'; body: z.ZodArray<I>; reply: z.ZodType<{ record?: V | undefined }[]> },
  creation: Creation<z.output<I>, F, R, V>,
): Route {
  const handler = () => Promise.reject(new Error('records of a list are made in batches'));
  const many = { creation: creation as AnyCreation, input: endpoint.body.element };
  return { endpoint, kind: 'company', handler, many };
}

/**
 * Binds a POST that takes one or a list. One is handled in the request's transaction. The members of a list have a
 * transaction each, one after the other, under a key derived from the request's, and `told` answers each in its place:
 * one that is refused hinders no other, and those behind it are left when the client goes.
 */
export function severalRoute<I, V, T>(
  endpoint: Endpoint & { method: 'POST'; body: z.ZodType<I | I[]>; reply: z.ZodType<V | T[]> },
  one: (ctx: Ctx, input: I) => Promise<V>,
  told: (input: I, outcome: Told<V>) => T,
): Route {
  const handler = (ctx: Ctx, { body }: { body: unknown }) => one(ctx, body as I);
  return { endpoint, kind: 'company', handler, several: { told } as Several };
}
