import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@evenkeel/contract/endpoint';
import type { Ctx, Services, SessionUser } from './context.ts';

/** Decoded input of a call. */
export interface Input<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
}

/** What a handler without a company knows of its caller. */
export interface OpenCtx {
  services: Services;
  /** Address of the caller, for limits. */
  address: string;
  /** Present on calls with needs 'session'. */
  user: SessionUser | undefined;
}

/** An endpoint bound to its handler; http/serve turns it into a running one. */
export type Route =
  | { endpoint: Endpoint; kind: 'company'; handler: (ctx: Ctx, input: Input<Endpoint>) => Promise<unknown> }
  | { endpoint: Endpoint; kind: 'open'; handler: (ctx: OpenCtx, input: Input<Endpoint>) => Promise<unknown> };

/** Binds a call of a signed-in user: it runs in one transaction of the user's company. */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Promise<ReplyOf<E>>,
): Route {
  return { endpoint, kind: 'company', handler: handler as (ctx: Ctx, input: Input<Endpoint>) => Promise<unknown> };
}

/** Binds a call that has no company transaction (sign-in, registration, public documents). */
export function openRoute<E extends Endpoint>(
  endpoint: E,
  handler: (ctx: OpenCtx, input: Input<E>) => Promise<ReplyOf<E>>,
): Route {
  return { endpoint, kind: 'open', handler: handler as (ctx: OpenCtx, input: Input<Endpoint>) => Promise<unknown> };
}
