import type { BodyOf } from '@evenkeel/contract/endpoint';
import { searchCalls as calls } from '@evenkeel/contract/search';
import { type Route, route } from '../../platform/http/route.ts';
import { search } from './search.ts';

export const searchRoutes: Route[] = [route(calls.search, (ctx, { body }) => search(ctx, textOf(body)))];

/** Clients send the text either on its own or under one of two names. */
function textOf(body: BodyOf<typeof calls.search>): string {
  if (typeof body === 'string') return body;
  return body.text || (body.searchText ?? '');
}
