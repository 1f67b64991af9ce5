import { type Route, route } from '../../platform/http/route.ts';
import { scheduledBills, scheduledInvoices, scheduledJournals, type TemplateKind } from './kinds.ts';
import { templateCalls } from './templates.ts';

function routesOf<One, Body>(kind: TemplateKind<One, Body>): Route[] {
  const { calls } = kind;
  const own = templateCalls(kind);
  return [
    route(calls.list, (ctx) => own.list(ctx)),
    route(calls.get, (ctx, { params }) => own.get(ctx, params.id)),
    route(calls.create, (ctx, { body }) => own.create(ctx, body), { save: (ctx, { body }) => own.update(ctx, body) }),
    route(calls.update, (ctx, { body }) => own.update(ctx, body)),
    route(calls.remove, (ctx, { params }) => own.remove(ctx, params.id)),
    route(calls.act, (ctx, { params, body }) => own.act(ctx, params.id, body)),
  ];
}

export const scheduledRoutes: Route[] = [
  ...routesOf(scheduledInvoices),
  ...routesOf(scheduledBills),
  ...routesOf(scheduledJournals),
];
