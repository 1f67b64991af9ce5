import type { WebhookAttempt, WebhookDelivery } from '@evenkeel/contract/webhooks';
import { auditKindOf } from '@evenkeel/core/words/audit';
import { dateIn, deviceToday } from '../../ui/hooks/today.tsx';

/** The labels of the webhook log. */

const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit' });
const DATE_AND_TIME = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Formats a timestamp in the device's time zone. Includes the date, before the time, unless it is today. */
export function momentWords(at: string, now = new Date()): string {
  const moment = new Date(at);
  return dateIn(undefined, moment) === deviceToday(now) ? TIME.format(moment) : DATE_AND_TIME.format(moment);
}

/** Returns the name of an event's record, for example "Invoice 10465". A test event has no record. */
export function recordWords({ kind, title, recordId, event }: WebhookDelivery): string {
  if (event === 'test') return 'None';
  const { label } = auditKindOf(kind);
  return title === '' ? `${label} ${recordId}` : `${label} ${title}`;
}

const SECONDS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Formats a duration. A duration of one second or more is in seconds. */
export const durationWords = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${SECONDS.format(milliseconds / 1000)} s`;

/** Returns the result of an attempt: the status of the response, or a note that no response arrived. */
export const resultWords = ({ status }: Pick<WebhookAttempt, 'status'>): string =>
  status === null ? 'No response' : String(status);

/** Returns the request and idempotency key that caused an event. */
export function causeWords({ requestId, idempotencyKey }: { requestId: string | null; idempotencyKey: string | null }) {
  if (requestId === null) return 'Evenkeel';
  return idempotencyKey === null ? `Request ${requestId}` : `Request ${requestId}, key ${idempotencyKey}`;
}
