import { randomUUID } from 'node:crypto';
import fastifyCompress from '@fastify/compress';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { monotonic } from '../platform/clock.ts';
import type { Pool } from '../platform/db/connect.ts';
import { BODY_BYTES, readJson } from '../platform/http/body.ts';
import { refuseBytes } from '../platform/http/client-error.ts';
import type { Services } from '../platform/http/context.ts';
import { importUnderway } from '../across/moving/waits.ts';
import { aboutOf, answerLogged, errorAnswer } from '../platform/http/errors.ts';
import { letLeave, securityHeaders, setHeaders } from '../platform/http/headers.ts';
import { batchMeter, measureGates, serveOperations } from '../platform/http/operations.ts';
import { LimitReached, networkOf } from '../platform/http/limits.ts';
import type { Route } from '../platform/http/route.ts';
import { serveRoutes } from '../platform/http/serve.ts';
import { serveWeb } from '../platform/http/web.ts';
import { createWithin, openBatches } from '../books/ledger/batch.ts';
import { describePosting } from '../books/ledger/rehearsal.ts';
import { allRoutes } from './routes.ts';
import { serveMcp } from '../across/agents/mcp.ts';
import { serveHooks } from '../across/online/events.ts';
import { serveLinks } from '../across/sending/public.ts';

interface Table {
  endpoints: readonly Endpoint[];
  routes: readonly Route[];
  /** The folder that contains the built web app. Undefined for the default folder. */
  webFolder?: string;
}

/** Builds the server without listening. Throws if the contract and the routes don't match. */
export async function buildApp(
  services: Services,
  table: Table = { endpoints, routes: allRoutes },
): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = services.log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES,
    // Disconnects clients that send a request too slowly. The time limit is long enough for the largest file at one
    // megabit per second.
    requestTimeout: Math.max(120_000, services.config.maxUploadMb * 8_500),
    clientErrorHandler: refuseBytes,
    // If there is one proxy, only the address that the proxy adds is trusted. Addresses in the client's own header are
    // not.
    trustProxy: services.config.trustProxy ? (_address, hop) => hop === 0 : false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 200 },
    // Rejects paths that can't be decoded, before any hook runs.
    frameworkErrors: (error, request, reply) => {
      const { status, body } = errorAnswer(error, request.id);
      reply.hijack();
      const headers = { ...securityHeaders(services.config), 'content-type': 'application/json; charset=utf-8' };
      reply.raw.writeHead(status, headers).end(JSON.stringify(body));
    },
    // Requests that were accepted before the server closes still get a response.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  const registry = new Registry();
  measure(app, registry, services.pool);
  measureGates(registry, services.pool);
  letLeave(app);
  setHeaders(app, services.config);
  limitFlood(app, services.tuning.requestsPerMinute);
  readBodies(app);
  answerErrors(app, services);
  await app.register(fastifyCompress, { global: true, threshold: 4096, encodings: ['gzip', 'identity'] });
  const { metrics } = services.config;
  serveOperations(app, { pool: services.pool, registry, endpoints: table.endpoints, metrics });
  serveRoutes(app, services, {
    ...table,
    submit: openBatches(services.pool, batchMeter(registry)),
    rehearsing: { describe: describePosting, createWithin },
  });
  serveLinks(app, services);
  serveHooks(app, services);
  serveMcp(app, services);
  await serveWeb(app, { folder: table.webFolder, chatWidgetUrl: services.config.chatWidgetUrl });
  logRequests(app);
  await app.ready();
  return app;
}

function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json(;|$)/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => readJson(body, request.headers['content-type']),
  );
}

function answerErrors(app: FastifyInstance, services: Services): void {
  app.setErrorHandler(async (error, request, reply) => {
    const waited = await importUnderway(services.pool, request.caller?.companyId, error);
    const { status, headers, body } = answerLogged(services, waited ?? error, aboutOf(request));
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
  });
}

/** Logs one line per request, with the route pattern instead of the path, and without the token or body. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    app.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        userId: request.caller?.userId,
        companyId: request.caller?.companyId,
      },
      'request',
    );
  });
}

/** Measures pool usage, and the number and duration of requests by route and status. */
function measure(app: FastifyInstance, registry: Registry, pool: Pool): void {
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'];
  const requests = new Counter({ name: 'http_requests_total', help: 'Requests served', labelNames, registers });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const states = { total: () => pool.totalCount, idle: () => pool.idleCount, waiting: () => pool.waitingCount };
  for (const [state, read] of Object.entries(states)) {
    const gauge: Gauge = new Gauge({
      name: `database_connections_${state}`,
      help: `Pool connections: ${state}`,
      registers,
      collect: () => gauge.set(read()),
    });
  }
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request);
    requests.inc({ method: request.method, route, status: reply.statusCode });
    seconds.observe({ method: request.method, route }, reply.elapsedTime / 1000);
  });
}

/** Returns the route pattern, because complete paths would create one metric series per ID. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}

const MINUTE = 60_000;

/**
 * Rejects requests from a network that sends more than `most` requests per minute. This limit protects only this
 * process, so the requests are counted in memory. Limits that protect accounts are counted in the database
 * (http/limits).
 */
function limitFlood(app: FastifyInstance, most: number): void {
  const counts = new Map<string, number>();
  let windowStart = monotonic();
  app.addHook('onRequest', async (request) => {
    if (monotonic() - windowStart > MINUTE) {
      counts.clear();
      windowStart = monotonic();
    }
    const network = networkOf(request.ip);
    const seen = (counts.get(network) ?? 0) + 1;
    counts.set(network, seen);
    if (seen <= most) return;
    const retryAfterSeconds = (MINUTE - (monotonic() - windowStart)) / 1000;
    throw new LimitReached(
      { name: 'requests', message: 'Too many requests. Wait a moment and try again.' },
      retryAfterSeconds,
    );
  });
}
