import { MOST_WEBHOOKS, Webhook, type WebhookDelivery, type webhookCalls } from '@evenkeel/contract/webhooks';
import type { ListPart } from '@evenkeel/contract/endpoint';
import { notFound, refuse } from '@evenkeel/core/failure';
import { ZERO } from '@evenkeel/core/money';
import { eventOf, TEST_ACT, webhookEvents } from '@evenkeel/core/words/webhooks';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Box, Place } from '../../platform/db/box.ts';
import { newWebhookId } from '../../platform/db/events.ts';
import { pageOf } from '../../platform/db/page.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Input } from '../../platform/http/route.ts';
import { newSecret } from './post.ts';
import { targetFault } from './targets.ts';
import {
  countDeliveriesSql,
  deliveries,
  type DeliveryRow,
  endpoints,
  type FullDeliveryRow,
  listDeliveriesSql,
  selectAttempts,
  selectDelivery,
  selectEndpoints,
  type ShownEndpoint,
  takeEventId,
} from './webhooks.sql.ts';

export const subject: Subject<typeof Webhook> = { name: 'webhook', schema: Webhook, idOf: ({ id }) => id };

/** The number of hours after a rotation during which events are also signed with the previous secret. */
const ROTATION_HOURS = 24;

type SecretColumn = 'secret_box' | 'old_secret_box';

/** The location of a webhook's encrypted secret. */
export function webhookSecretPlace(companyId: number, rowId: number, column: SecretColumn = 'secret_box'): Place {
  return { companyId, table: 'webhook_endpoint', column, rowId };
}

/** Returns the secrets that sign events, the current one first. Undefined if the key is missing. */
export function secretsOf(
  box: Box,
  companyId: number,
  {
    id,
    secretBox,
    oldSecretBox,
    hasOldSecret,
  }: Pick<ShownEndpoint, 'id' | 'secretBox' | 'oldSecretBox' | 'hasOldSecret'>,
): string[] | undefined {
  const sealed = [
    { box: secretBox, place: webhookSecretPlace(companyId, id) },
    ...(hasOldSecret ? [{ box: oldSecretBox, place: webhookSecretPlace(companyId, id, 'old_secret_box') }] : []),
  ];
  const opened = sealed.map((each) => (each.box === null ? undefined : box.open(each.place, each.box)));
  return opened.every((secret) => secret !== undefined) ? opened : undefined;
}

export function shown({ id, name, url, acts, person, failures, hasOldSecret, ...row }: ShownEndpoint): Webhook {
  return {
    id,
    name,
    url,
    events: acts.map(eventOf),
    status: row.pausedAt === null ? 'active' : 'paused',
    pausedAt: row.pausedAt?.toISOString() ?? null,
    pausedByFailures: row.pausedByFailures,
    failures,
    oldSecretUntil: hasOldSecret ? (row.oldSecretUntil?.toISOString() ?? null) : null,
    createdAt: row.createdAt.toISOString(),
    createdBy: person,
  };
}

export async function listWebhooks({ tx }: Ctx): Promise<Webhook[]> {
  return (await tx.rows(selectEndpoints())).map(shown);
}

/** Locks a webhook. Throws 404 if it does not exist. */
async function lock({ tx }: Ctx, id: number): Promise<ShownEndpoint> {
  const [, [row]] = await tx.inOrder([endpoints.find({ id }, { lock: 'for no key update' }), selectEndpoints(id)]);
  if (row === undefined) throw notFound('Webhook');
  return row;
}

type Body = Input<typeof webhookCalls.createWebhook>['body'];

/** Checks the name, address, and events of a webhook. Throws 422 if one of them is invalid. */
function checked({ services }: Ctx, body: Body): { name: string; url: string; acts: string[] } {
  const [name, url] = [(body.name ?? '').trim(), (body.url ?? '').trim()];
  if (name === '') throw refuse('Please enter a name', { name: 'Please enter a name' });
  const fault = targetFault(url, services.config.webhookPrivateTargets);
  if (fault !== '') throw refuse(fault, { url: fault });
  const known = webhookEvents();
  const unknown = body.events.find((type) => known.every((event) => event.type !== type));
  const wrong = unknown === undefined ? undefined : `The event "${unknown}" does not exist`;
  const message = body.events.length === 0 ? 'Please select at least one event' : wrong;
  if (message !== undefined) throw refuse(message, { events: message });
  const chosen = new Set(body.events);
  return { name, url, acts: known.filter(({ type }) => chosen.has(type)).map(({ act }) => act) };
}

/** Creates a webhook. The response contains the secret, which is encrypted when it is stored and never shown again. */
export async function createWebhook(ctx: Ctx, { body }: Input<typeof webhookCalls.createWebhook>) {
  const { tx, services, companyId } = ctx;
  const wanted = checked(ctx, body);
  if ((await tx.rows(selectEndpoints())).length >= MOST_WEBHOOKS) {
    throw refuse(`A company can have at most ${MOST_WEBHOOKS} webhooks`);
  }
  const { id } = await tx.one(endpoints.insert({ ...wanted, createdBy: ctx.userId }, ['id']));
  const secret = newSecret();
  await tx.rows(endpoints.update({ id }, { secretBox: services.box.seal(webhookSecretPlace(companyId, id), secret) }));
  return { secret, record: record(ctx, subject, { after: shown(await tx.one(selectEndpoints(id))) }) };
}

/** Updates a locked webhook and records the change. */
async function change(ctx: Ctx, before: ShownEndpoint, changes: Parameters<typeof endpoints.update>[1]) {
  const [, [after]] = await ctx.tx.inOrder([endpoints.update({ id: before.id }, changes), selectEndpoints(before.id)]);
  if (after === undefined) throw notFound('Webhook');
  return record(ctx, subject, { before: shown(before), after: shown(after) });
}

export async function updateWebhook(ctx: Ctx, { params, body }: Input<typeof webhookCalls.updateWebhook>) {
  const before = await lock(ctx, params.id);
  return change(ctx, before, checked(ctx, body));
}

/** Deletes a webhook and its log. A delivery in progress may still arrive. */
export async function deleteWebhook(ctx: Ctx, { params: { id } }: Input<typeof webhookCalls.deleteWebhook>) {
  const before = await lock(ctx, id);
  const write = [endpoints.delete({ id }), deliveries.delete({ endpointId: id })];
  record(ctx, subject, { before: shown(before), write });
  return { ok: true as const };
}

/** Pauses a webhook. Pausing it again changes nothing. */
export async function pauseWebhook(ctx: Ctx, { params: { id } }: Input<typeof webhookCalls.pauseWebhook>) {
  const before = await lock(ctx, id);
  if (before.pausedAt !== null) return shown(before);
  return change(ctx, before, { pausedAt: sql`now()`, pausedByFailures: false });
}

/** Resumes a webhook and makes its waiting events due. Resuming it again changes nothing. */
export async function resumeWebhook(ctx: Ctx, { params: { id } }: Input<typeof webhookCalls.resumeWebhook>) {
  const before = await lock(ctx, id);
  if (before.pausedAt === null) return shown(before);
  ctx.tx.atEnd(deliveries.update({ endpointId: id, status: 'waiting' }, { dueAt: sql`now()` }));
  return change(ctx, before, { pausedAt: null, pausedByFailures: false, failures: 0 });
}

/** Creates a new secret. For 24 hours, events are also signed with the previous secret. */
export async function rotateSecret(ctx: Ctx, { params: { id } }: Input<typeof webhookCalls.rotateWebhookSecret>) {
  const { box } = ctx.services;
  const before = await lock(ctx, id);
  const [old] = secretsOf(box, ctx.companyId, { ...before, hasOldSecret: false }) ?? [];
  const secret = newSecret();
  const after = await change(ctx, before, {
    secretBox: box.seal(webhookSecretPlace(ctx.companyId, id), secret),
    oldSecretBox: old === undefined ? null : box.seal(webhookSecretPlace(ctx.companyId, id, 'old_secret_box'), old),
    oldSecretUntil: old === undefined ? null : sql`now() + make_interval(hours => ${ROTATION_HOURS})`,
  });
  return { secret, record: after };
}

function requireActive({ pausedAt }: ShownEndpoint): void {
  if (pausedAt !== null) throw refuse('This webhook is paused. Resume it first.');
}

/** Queues a test event. The event belongs to no record, so it never waits for other events. */
export async function sendTest(ctx: Ctx, { params: { id } }: Input<typeof webhookCalls.sendTestEvent>) {
  requireActive(await lock(ctx, id));
  const [eventId = 0] = (await ctx.tx.one(takeEventId())).ids;
  const test = { endpointId: id, eventId, act: TEST_ACT, kind: TEST_ACT, recordId: eventId, webhookId: newWebhookId() };
  await ctx.tx.rows(deliveries.insert(test));
  return deliveryView(await ctx.tx.one(selectDelivery(id, eventId)));
}

export async function listDeliveries(
  ctx: Ctx,
  { params: { id }, query }: Input<typeof webhookCalls.listWebhookDeliveries>,
) {
  const [endpoint, rows, counted] = await Promise.all([
    ctx.tx.row(endpoints.find({ id })),
    ctx.tx.rows(listDeliveriesSql(id, query)),
    ctx.tx.one(countDeliveriesSql(id, query)),
  ]);
  if (endpoint === undefined) throw notFound('Webhook');
  const { total, ...counts } = counted;
  const part = (count: number): ListPart => ({ count, amount: ZERO });
  const parts = { all: part(counts.all), failed: part(counts.failed), retrying: part(counts.retrying) };
  return pageOf(query, { rows, total, parts }, deliveryView);
}

function deliveryView(row: Omit<DeliveryRow, 'sortKey'>): WebhookDelivery {
  const { id, webhookId, kind, recordId, title, attempts, responseStatus, milliseconds } = row;
  const status = row.status === 'delivered' || row.status === 'failed' ? row.status : 'waiting';
  return {
    id,
    webhookId,
    kind,
    recordId,
    title,
    status,
    attempts,
    responseStatus,
    milliseconds,
    event: eventOf(row.act),
    at: row.at.toISOString(),
    nextAt: row.dueAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
  };
}

/** The fields of an event that its body contains. */
type Told = Pick<FullDeliveryRow, 'act' | 'at' | 'data' | 'requestId' | 'idempotencyKey'>;

/**
 * Returns the body of an event, which is the same for each attempt. The record is in the state that the API returned
 * when the event was created.
 */
export function payloadOf(companyId: number, { act, at, data, requestId, idempotencyKey }: Told): string {
  const head = { type: eventOf(act), timestamp: at.toISOString(), companyId, requestId, idempotencyKey };
  return `${JSON.stringify(head).slice(0, -1)},"data":${data ?? '{}'}}`;
}

export async function getDelivery(
  { tx, companyId }: Ctx,
  { params: { id, eventId } }: Input<typeof webhookCalls.getWebhookDelivery>,
) {
  const [row, log] = await Promise.all([tx.row(selectDelivery(id, eventId)), tx.rows(selectAttempts(id, eventId))]);
  if (row === undefined) throw notFound('Event');
  const { requestId, idempotencyKey } = row;
  return {
    ...deliveryView(row),
    payload: payloadOf(companyId, row),
    requestId,
    idempotencyKey,
    log: log.map(({ at, ...each }) => ({ ...each, at: at.toISOString() })),
  };
}

/** Queues an event again. The event keeps its ID, and the log gets another attempt. */
export async function resend(ctx: Ctx, { params: { id, eventId } }: Input<typeof webhookCalls.resendWebhookDelivery>) {
  requireActive(await lock(ctx, id));
  const again = { status: 'waiting', dueAt: sql`now()`, tries: 0 };
  const [, [row]] = await ctx.tx.inOrder([
    deliveries.update({ endpointId: id, eventId }, again),
    selectDelivery(id, eventId),
  ]);
  if (row === undefined) throw notFound('Event');
  return deliveryView(row);
}
