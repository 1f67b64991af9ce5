import { webhookEvents } from '@evenkeel/core/words/webhooks';
import * as z from 'zod';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { Done, Id, IdText, Moment, maybe, text } from './fields.ts';

/** Webhooks, which notify other programs of changes in a company (Standard Webhooks, docs/webhooks.md). */

/** The maximum number of webhooks per company. */
export const MOST_WEBHOOKS = 20;

export const Webhook = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  /** The chosen events, for example `invoice.sent`. */
  events: z.array(z.string()),
  status: z.enum(['active', 'paused']),
  pausedAt: Moment.nullable(),
  /** Whether the webhook was paused because of its failures and not by a user. */
  pausedByFailures: z.boolean(),
  /**
   * The number of failed attempts since the last successful attempt. The webhook is paused when this number reaches
   * 100.
   */
  failures: z.number().int(),
  /** Until this time, deliveries are also signed with the previous secret. Null unless the secret was rotated. */
  oldSecretUntil: Moment.nullable(),
  createdAt: Moment,
  createdBy: z.string(),
});
export type Webhook = z.output<typeof Webhook>;

const WebhookBody = z.object({
  name: maybe(text(100)),
  /** The HTTPS address to which events are sent. */
  url: maybe(text(2000)),
  events: z.array(z.string().max(100)).max(500),
});

/** The data of a new or rotated secret, which only this response contains. */
const WithSecret = z.object({ secret: z.string(), record: Webhook });

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const;

export const WebhookDelivery = z.object({
  /** The ID of the event. The ID is the same for each webhook that receives the event. */
  id: Id,
  /** The value of the `webhook-id` header. The value is the same for each attempt. */
  webhookId: z.string(),
  event: z.string(),
  /** The kind of record in the audit log, and the record's number or name at the time of the event. */
  kind: z.string(),
  recordId: Id,
  title: z.string(),
  at: Moment,
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.number().int(),
  /** The time of the next attempt. Null if no further attempt is planned. */
  nextAt: Moment.nullable(),
  /** The last attempt: its time, the status of the response (null if there was none), and its duration. */
  sentAt: Moment.nullable(),
  responseStatus: z.number().int().nullable(),
  milliseconds: z.number().int().nullable(),
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookAttempt = z.object({
  attempt: z.number().int(),
  at: Moment,
  milliseconds: z.number().int(),
  status: z.number().int().nullable(),
  /** The reason why the receiver did not respond, or why its response counts as a failure. */
  error: z.string().nullable(),
  /** The beginning of the response. */
  response: z.string().nullable(),
  /** The value of the `webhook-signature` header. */
  signature: z.string(),
});
export type WebhookAttempt = z.output<typeof WebhookAttempt>;

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  /** The body, exactly as it is sent. */
  payload: z.string(),
  /** The request that caused the event, and its idempotency key. */
  requestId: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  log: z.array(WebhookAttempt),
});
export type WebhookDeliveryDetail = z.output<typeof WebhookDeliveryDetail>;

const byId = z.object({ id: IdText });
const byEvent = z.object({ id: IdText, eventId: IdText });

export const webhookCalls = {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/webhooks',
    needs: 'Administrator',
    summary: "Lists the company's webhooks, sorted by name.",
    reply: z.array(Webhook),
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/webhooks',
    needs: 'Administrator',
    summary: 'Creates a webhook. Only this response contains the secret that signs events.',
    body: WebhookBody,
    reply: WithSecret,
    answersSecret: true,
    noRehearsal: true,
  }),
  updateWebhook: endpoint({
    method: 'PUT',
    path: '/webhooks/{id}',
    needs: 'Administrator',
    summary: "Changes a webhook's name, URL, and events.",
    params: byId,
    body: WebhookBody,
    reply: Webhook,
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/webhooks/{id}',
    needs: 'Administrator',
    summary: 'Deletes a webhook and its log. Waiting events are not sent.',
    params: byId,
    reply: Done,
  }),
  pauseWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/{id}/pause',
    needs: 'Administrator',
    summary: 'Pauses a webhook. Its events wait until it is resumed, for at most 30 days.',
    params: byId,
    reply: Webhook,
  }),
  resumeWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/{id}/resume',
    needs: 'Administrator',
    summary: 'Resumes a paused webhook and sends the waiting events.',
    params: byId,
    reply: Webhook,
  }),
  rotateWebhookSecret: endpoint({
    method: 'POST',
    path: '/webhooks/{id}/secret',
    needs: 'Administrator',
    summary: 'Creates a new secret. For 24 hours, events are signed with both secrets.',
    params: byId,
    reply: WithSecret,
    answersSecret: true,
    noRehearsal: true,
  }),
  sendTestEvent: endpoint({
    method: 'POST',
    path: '/webhooks/{id}/test',
    needs: 'Administrator',
    summary: 'Sends an event of the type `test` to a webhook.',
    params: byId,
    reply: WebhookDelivery,
  }),
  listWebhookDeliveries: endpoint({
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    needs: 'Administrator',
    summary: "Returns a webhook's log of the last 30 days, newest first.",
    params: byId,
    query: PageQuery.extend({ status: z.enum(['failed', 'retrying']).optional() }),
    reply: listOf(WebhookDelivery),
  }),
  getWebhookDelivery: endpoint({
    method: 'GET',
    path: '/webhooks/{id}/deliveries/{eventId}',
    needs: 'Administrator',
    summary: 'Returns an event with its payload and all attempts to deliver it.',
    params: byEvent,
    reply: WebhookDeliveryDetail,
  }),
  resendWebhookDelivery: endpoint({
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{eventId}/resend',
    needs: 'Administrator',
    summary: 'Sends an event again, with the same ID.',
    params: byEvent,
    reply: WebhookDelivery,
  }),
};

/** Returns the types of all events. */
export const eventTypes = (): string[] => webhookEvents().map(({ type }) => type);
