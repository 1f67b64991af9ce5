import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { By } from '../http/context.ts';
import { faceOf } from './audit.ts';
import { COMPANY, type Runnable, takeIds } from './query.ts';

/** A webhook event that has no row in the audit log. */
export interface RecordEvent {
  /** The kind of record and the action, such as `invoice pay`. */
  act: string;
  kind: string;
  recordId: number;
  /** The record in the API format. */
  data: unknown;
  by: By;
}

/** Returns a new event ID, which is sent to the receivers. */
export const newWebhookId = (): string => `evt_${randomBytes(16).toString('hex')}`;

/**
 * Returns the statement that queues events for the webhooks that subscribe to them. The IDs are from the audit log's
 * sequence, so that the events for a record stay in order. Run the statement while the record is locked.
 */
export function queueEvents(events: readonly RecordEvent[]): Runnable<unknown> {
  const texts = (of: (event: RecordEvent) => string | null) => sql`${events.map(of)}::text[]`;
  return sql`
    insert into webhook_delivery (company_id, endpoint_id, event_id, act, subject_type, subject_id, webhook_id, title,
      data, request_id, idempotency_key)
    select e.company_id, e.id, (${takeIds('audit_log_id_seq', events.length)} ->> (r.no - 1)::int)::bigint, r.act,
      r.kind, r.record, r.webhook_id, r.title, r.data::json, r.request_id, r.idempotency_key
    from webhook_endpoint e
    cross join unnest(${texts(({ act }) => act)}, ${texts(({ kind }) => kind)},
      ${events.map(({ recordId }) => recordId)}::bigint[], ${texts(newWebhookId)},
      ${texts(({ kind, data }) => faceOf(kind, data).title)}, ${texts(({ data }) => JSON.stringify(data))},
      ${texts(({ by }) => by.requestId ?? null)}, ${texts(({ by }) => by.idempotencyKey ?? null)})
      with ordinality r (act, kind, record, webhook_id, title, data, request_id, idempotency_key, no)
    where e.company_id = ${COMPANY} and r.act = any(e.acts)`;
}
