import type { BodyOf } from '@evenkeel/contract/endpoint';
import type { Webhook, webhookCalls } from '@evenkeel/contract/webhooks';
import type { FieldMessages } from '@evenkeel/core/failure';
import { grouped } from '@evenkeel/core/reports/report';
import { type WebhookEvent, webhookEvents } from '@evenkeel/core/words/webhooks';
import * as z from 'zod';

/** The data of a webhook's form, its validation, and its request. */

export const WebhookForm = z.object({ name: z.string(), url: z.string(), events: z.array(z.string()) });
export type WebhookForm = z.output<typeof WebhookForm>;

/** Returns the form for a webhook. A new webhook gets all events. */
export const webhookFormOf = (saved: Webhook | undefined): WebhookForm => ({
  name: saved?.name ?? '',
  url: saved?.url ?? '',
  events: saved?.events ?? webhookEvents().map(({ type }) => type),
});

export function webhookFaults({ name, url, events }: WebhookForm): FieldMessages {
  return {
    ...(name.trim() === '' ? { name: 'Please enter a name' } : {}),
    ...(/^https?:\/\/./i.test(url.trim()) ? {} : { url: 'Please enter a URL that begins with https://' }),
    ...(events.length === 0 ? { events: 'Please select at least one event' } : {}),
  };
}

export const webhookInput = ({ name, url, events }: WebhookForm): BodyOf<typeof webhookCalls.createWebhook> => ({
  name: name.trim(),
  url: url.trim(),
  events,
});

/** Returns the events by kind of record, in the order in which the form shows them. */
export const eventGroups = (): [label: string, events: WebhookEvent[]][] => [
  ...grouped(webhookEvents(), ({ label }) => label),
];

/** Returns the label of an event within its kind: "Created" for `invoice.created`. */
export function actionWord(type: string): string {
  const word = type.split('.')[1] ?? type;
  return word.charAt(0).toUpperCase() + word.slice(1);
}
