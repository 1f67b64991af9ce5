import type { DocumentCalls, PaidBy } from '@evenkeel/contract/subledger';
import type { QueryOf, ReplyOf } from '@evenkeel/contract/endpoint';
import type { SettledKind } from '@evenkeel/core/documents/side';
import type { Ctx } from '../../platform/http/context.ts';
import type { Creation } from '../../platform/http/creation.ts';
import { commandRoute, type Route, route } from '../../platform/http/route.ts';

type Lists<Row> = DocumentCalls<Row, unknown, unknown>['list'];

/** The calls for one kind of document. */
export interface Documents<Row, One, Body, F, R> {
  kind: SettledKind;
  creation: Creation<Body, F, R, One>;
  /** Creates the document in a separate transaction, because creating it locks other documents. */
  create?: (ctx: Ctx, input: { body: Body }) => Promise<One>;
  list: (ctx: Ctx, query: QueryOf<Lists<Row>>) => Promise<ReplyOf<Lists<Row>>>;
  get: (ctx: Ctx, id: number) => Promise<One>;
  paidBy: (ctx: Ctx, id: number) => Promise<PaidBy[]>;
  update: (ctx: Ctx, body: Body) => Promise<One>;
  remove: (ctx: Ctx, id: number, overrideReason: string | undefined) => Promise<{ ok: true }>;
}

/**
 * Returns the routes for the endpoints that every kind of document has. Offers, such as estimates, don't have the
 * endpoints for payments.
 */
export function documentRoutes<Row, One, Body, F, R>(
  calls: DocumentCalls<Row, One, Body>,
  documents: Documents<Row, One, Body, F, R>,
): Route[] {
  const { kind, creation, create } = documents;
  const save = (ctx: Ctx, { body }: { body: Body }) => documents.update(ctx, body);
  return [
    route(calls.list, (ctx, { query }) => documents.list(ctx, query)),
    route(calls.get, (ctx, { params }) => documents.get(ctx, params.id)),
    ...(kind.offer ? [] : [route(calls.paidBy, (ctx, { params }) => documents.paidBy(ctx, params.id))]),
    create ? route(calls.create, create, { save }) : commandRoute(calls.create, { creation, save }),
    route(calls.update, save),
    route(calls.remove, (ctx, { params, query }) => documents.remove(ctx, params.id, query.closingOverrideReason)),
  ];
}
