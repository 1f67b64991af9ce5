import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { openApi } from '@evenkeel/contract/openapi';
import { Failure } from '@evenkeel/core/failure';
import type { Config } from '../config.ts';
import type { QueueMeter } from '../db/company-queue.ts';
import type { Pool } from '../db/connect.ts';
import { isMigrated } from '../db/migrate.ts';
import { apiPage } from './api-page.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The metrics of this process. */
    metrics: Registry;
  }
}

interface Operations {
  pool: Pool;
  registry: Registry;
  endpoints: readonly Endpoint[];
  metrics: Config['metrics'];
}

/** Serves the operator's endpoints: liveness, readiness, metrics, and the API document. */
export function serveOperations(app: FastifyInstance, { pool, registry, endpoints, metrics }: Operations): void {
  app.get('/healthz', async () => ({ status: 'up' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = !app.leaving.begun && (await isMigrated((text) => pool.query(text)).catch(() => false));
    if (ready) return { status: 'ready' };
    return reply.code(503).header('retry-after', '2').send({ status: 'not ready' });
  });
  app.decorate('metrics', registry);
  app.get('/metrics', async ({ headers }, reply) => {
    // A proxy in front of this address would show the metrics to everyone.
    const isOwn = metrics === 'auto' && headers['x-forwarded-for'] === undefined && isLoopback(app.server.address());
    if (metrics !== 'on' && !isOwn) throw new Failure('not_found', 'Not found');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  let documentText: string | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    documentText ??= JSON.stringify(openApi(endpoints));
    return reply.type('application/json; charset=utf-8').send(documentText);
  });
  let pageText: string | undefined;
  app.get('/api/docs', async (_request, reply) => {
    pageText ??= apiPage(endpoints);
    return reply.type('text/html; charset=utf-8').send(pageText);
  });
}

/** Returns whether a server can be reached only from its own machine. A server that isn't listening has no address. */
function isLoopback(address: ReturnType<Server['address']>): boolean {
  return address === null || typeof address === 'string' || /^(127\.|::1$|::ffff:127\.)/.test(address.address);
}

const WAIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Measures how long transactions wait at the pool's gates, and how many are waiting. */
export function measureGates(registry: Registry, { gates }: Pool): void {
  const registers = [registry];
  const labelNames = ['gate'] as const;
  const seconds = new Histogram({
    name: 'database_turn_wait_seconds',
    help: "Time that a transaction waited for its company's turn",
    labelNames,
    buckets: WAIT_SECONDS,
    registers,
  });
  const named = Object.entries(gates);
  const gauge: Gauge<'gate'> = new Gauge({
    name: 'database_turns_waiting',
    help: "Transactions waiting for their company's turn",
    labelNames,
    registers,
    collect: () => named.forEach(([name, gate]) => gauge.set({ gate: name }, gate.waiting)),
  });
  for (const [name, gate] of named) {
    gate.onEntered = (milliseconds) => seconds.observe({ gate: name }, milliseconds / 1000);
  }
}

/**
 * Serves the metrics on a separate address (METRICS=HOST:PORT). Returns the address and a function that stops the
 * service.
 */
export async function serveMetrics(
  { metrics }: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen({ host, port });
  await once(server, 'listening');
  const address = server.address();
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { port: typeof address === 'object' && address !== null ? address.port : port, close };
}

/** Returns a meter for the size of posting batches and for the time that requests wait for a batch. */
export function batchMeter(registry: Registry): QueueMeter {
  const registers = [registry];
  const members = new Histogram({
    name: 'posting_batch_members',
    help: 'Requests in a posting batch',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  });
  const seconds = new Histogram({
    name: 'posting_wait_seconds',
    help: 'Time that a posting waited for its batch to start',
    buckets: WAIT_SECONDS,
    registers,
  });
  const watch = (waiting: () => number): void => {
    const help = 'Postings waiting for their batch';
    const gauge: Gauge = new Gauge({ name: 'posting_waiting', help, registers, collect: () => gauge.set(waiting()) });
  };
  return {
    batch: (count) => members.observe(count),
    waited: (milliseconds) => seconds.observe(milliseconds / 1000),
    watch,
  };
}
