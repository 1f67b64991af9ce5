import { calls } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { vi } from 'vitest';
import { sampleOf } from './sample.ts';

/** A failure of a read: a status, or no answer. */
export type Failure = number | 'silence';

export interface AnyServer {
  /** Counts each call, by method and address. */
  asked: Map<string, number>;
  /** Calls that fail, by method and path, whatever the query. */
  failing: Map<string, Failure>;
}

/** A screen that asks on and on gets no answer any more, so that its test ends. */
const MOST = 50;

const endpoints: readonly Endpoint[] = Object.values(calls);

const patterns = endpoints.map((endpoint) => {
  const path = endpoint.path.replace(/\{\w+\}/g, '[^/]+');
  return { endpoint, name: new RegExp(`^${endpoint.method} /api${path}$`) };
});

/** A server of which every call answers, with one of everything; in the place of the network alone. */
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
