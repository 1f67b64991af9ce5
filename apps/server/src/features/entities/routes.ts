import { entityCalls as calls } from '@evenkeel/contract/entities';
import { type Route, route } from '../../platform/http/route.ts';
import { createEntity, customers, getEntity, removeEntity, updateEntity, vendors } from './entities.ts';
import { entityChoices, listEntities } from './list.ts';

export const entityRoutes: Route[] = [
  route(calls.listCustomers, (ctx, { query }) => listEntities(ctx, customers, query)),
  route(calls.chooseCustomer, (ctx, { query }) => entityChoices(ctx, customers, query)),
  route(calls.getCustomer, (ctx, { params }) => getEntity(ctx, customers, params.id)),
  route(calls.createCustomer, (ctx, { body }) => createEntity(ctx, customers, body), {
    save: (ctx, { body }, id) => updateEntity(ctx, customers, { id, input: body }),
  }),
  route(calls.updateCustomer, (ctx, { params, body }) => updateEntity(ctx, customers, { id: params.id, input: body })),
  route(calls.deleteCustomer, (ctx, { params }) => removeEntity(ctx, customers, params.id)),
  route(calls.listVendors, (ctx, { query }) => listEntities(ctx, vendors, query)),
  route(calls.chooseVendor, (ctx, { query }) => entityChoices(ctx, vendors, query)),
  route(calls.getVendor, (ctx, { params }) => getEntity(ctx, vendors, params.id)),
  route(calls.createVendor, (ctx, { body }) => createEntity(ctx, vendors, body), {
    save: (ctx, { body }, id) => updateEntity(ctx, vendors, { id, input: body }),
  }),
  route(calls.updateVendor, (ctx, { params, body }) => updateEntity(ctx, vendors, { id: params.id, input: body })),
  route(calls.deleteVendor, (ctx, { params }) => removeEntity(ctx, vendors, params.id)),
];
