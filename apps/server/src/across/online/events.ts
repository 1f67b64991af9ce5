import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure, refuse } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import * as z from 'zod';
import type { JobHandler } from '../../platform/db/jobs.ts';
import { inCompany, readCompany } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import { check, type Limit, networkOf, note } from '../../platform/http/limits.ts';
import { providerOf, queueEvent, secretsOf } from './connection.ts';
import { addEvent, connections, events } from './online.sql.ts';
import { postNews } from './posting.ts';

/**
 * Receives the provider's events. An event is only stored. A job later requests the details from the provider and posts
 * them. The provider therefore gets a response within milliseconds, and a failure never loses an event.
 */

/** Limits only requests without a valid signature, because all companies' events come from the same few networks. */
const FORGED: Limit = { name: 'forged event', most: 60, seconds: 600 };

const EVENT_BYTES = 1_000_000;

/** The response hides whether the company exists and whether it has connected Stripe. */
const NOT_SIGNED = 'The signature of this event is not valid';

type Hook = FastifyRequest<{ Params: { companyId: string } }>;

/** Serves `POST /hooks/stripe/{companyId}`, whose body is read as bytes, because the signature covers the bytes. */
export function serveHooks(app: FastifyInstance, services: Services): void {
  void app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser(
      /^application\/json(;|$)/i,
      { parseAs: 'buffer', bodyLimit: EVENT_BYTES },
      async (_request: FastifyRequest, body: Buffer) => body,
    );
    hooks.post('/hooks/stripe/:companyId', async (request: Hook, reply) => {
      const network = networkOf(request.ip);
      await check(services.pool, FORGED, network);
      try {
        await receive(services, request);
      } catch (error) {
        if (error instanceof Failure && error.message === NOT_SIGNED) await note(services.pool, FORGED, network);
        throw error;
      }
      return reply.send({ ok: true });
    });
  });
}

async function receive(services: Services, { params, headers, body }: Hook): Promise<void> {
  const { pool, box } = services;
  const signature = headers['stripe-signature'];
  if (!/^\d{1,15}$/.test(params.companyId) || typeof signature !== 'string' || !Buffer.isBuffer(body)) {
    throw refuse(NOT_SIGNED);
  }
  const companyId = Number(params.companyId);
  const row = await readCompany(pool, companyId, (tx) => tx.row(connections.find({})));
  const secrets = secretsOf(box, companyId, row);
  if (secrets === undefined) throw refuse(NOT_SIGNED);
  const provider = providerOf(services);
  const {
    id: eventId,
    type,
    objectId,
    at: createdAt,
  } = await provider.readEvent({
    body,
    signature,
    secret: secrets.secret,
  });
  await inCompany(pool, companyId, async (tx) => {
    tx.atEnd(connections.update({}, { lastEventAt: sql`now()` }));
    if (!provider.events.includes(type)) return;
    const added = await tx.row(addEvent({ eventId, type, objectId, createdAt }));
    if (added !== undefined) queueEvent(tx, added.id);
  });
}

const Payload = z.object({ id: z.number().int() });

/** Returns the handler for the job that handles one event. */
export function eventHandler(services: Services): JobHandler {
  return async ({ companyId }, payload) => {
    const { id } = Payload.parse(payload);
    return () => handleEvent(services, companyId, id);
  };
}

/**
 * Posts the changes that a stored event reports. Without a connection, the event waits until Stripe is connected again.
 */
export async function handleEvent(services: Services, companyId: number, id: number): Promise<void> {
  const { pool, box } = services;
  const [row, event] = await readCompany(pool, companyId, (tx) =>
    Promise.all([tx.row(connections.find({})), tx.row(events.find({ id, handledAt: null }))]),
  );
  const secrets = secretsOf(box, companyId, row);
  if (event === undefined || secrets === undefined) return;
  const finish = (error: string | null) =>
    inCompany(pool, companyId, (tx) =>
      tx.rows(events.update({ id }, error === null ? { error, handledAt: sql`now()` } : { error })),
    );
  try {
    await postNews(services, companyId, await providerOf(services).newsOf(secrets.key, event));
    await finish(null);
  } catch (error) {
    await finish((error instanceof Error ? error.message : String(error)).slice(0, 500)).catch(() => undefined);
    throw error;
  }
}
