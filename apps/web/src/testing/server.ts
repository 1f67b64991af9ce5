import { calls } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { vi } from 'vitest';
import { sampleOf } from './sample.ts';

/** A failed read: an HTTP status, or no response. */
export type Failure = number | 'silence';

export interface AnyServer {
  /** The number of requests for each call, by method and URL. */
  asked: Map<string, number>;
  /** The calls that fail, by method and path, regardless of the query. */
  failing: Map<string, Failure>;
}

/**
 * The maximum number of requests for a call. The server doesn't respond to further requests, so that a screen in a loop
 * ends its test.
 */
const MOST = 50;

const endpoints: readonly Endpoint[] = Object.values(calls);

const patterns = endpoints.map((endpoint) => {
  const path = endpoint.path.replace(/\{\w+\}/g, '[^/]+');
  return { endpoint, name: new RegExp(`^${endpoint.method} /api${path}$`) };
});

/** A server that replaces only the network and responds to every call with a sample. */
export function anyServer(): AnyServer {
  const server: AnyServer = { asked: new Map(), failing: new Map() };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const asked = `${init.method ?? 'GET'} ${address}`;
    const times = (server.asked.get(asked) ?? 0) + 1;
    server.asked.set(asked, times);
    if (times > MOST) await new Promise(() => undefined);
    const name = asked.replace(/\?.*/, '');
    const failure = server.failing.get(name);
    if (failure === 'silence') throw new TypeError('Failed to fetch');
    if (failure !== undefined) {
      const body = { code: 'error', message: 'No disk', requestId: '1' };
      return Response.json(body, { status: failure });
    }
    const found = patterns.find((one) => one.name.test(name));
    if (found === undefined) throw new Error(`no call ${name}`);
    const { reply } = found.endpoint;
    return typeof reply === 'string' ? new Response('file') : Response.json(sampleOf(reply));
  });
  return server;
}
