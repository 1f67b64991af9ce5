import { entityCalls as calls } from '@evenkeel/contract/entities';
import { type Route, route } from '../http/route.ts';
import { customers, listCustomers } from './customers.ts';
import { createEntity, getEntity, removeEntity, updateEntity } from './entities.ts';

export const entityRoutes: Route[] = [
  route(calls.listCustomers, (ctx, { query }) => listCustomers(ctx, query)),
  route(calls.getCustomer, (ctx, { params }) => getEntity(ctx, customers, params.id)),
  route(calls.createCustomer, (ctx, { body }) => createEntity(ctx, customers, body)),
  route(calls.updateCustomer, (ctx, { params, body }) => updateEntity(ctx, customers, { id: params.id, input: body })),
  route(calls.deleteCustomer, (ctx, { params }) => removeEntity(ctx, customers, params.id)),
];
