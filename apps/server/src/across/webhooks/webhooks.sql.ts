import { TEST_ACT, type WebhookEvent, webhookEvents } from '@evenkeel/core/words/webhooks';
import { sql } from 'kysely';
import type { WebhookAttempt } from '@evenkeel/contract/webhooks';
import { pageClauses, searchClause, type PageRequest } from '../../platform/db/page.ts';
import { PEOPLE } from '../../platform/db/people.ts';
import { COMPANY, type Runnable, takeIds, VARIES } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { ADMINISTRATOR, isOpen } from '../../platform/http/session.ts';

export const endpoints = table('webhook_endpoint', {
  id: 'id',
  name: 'name',
  url: 'url',
  acts: 'acts',
  secretBox: 'secret_box',
  oldSecretBox: 'old_secret_box',
  oldSecretUntil: 'old_secret_until',
  createdAt: 'created_at',
  createdBy: 'created_by',
  pausedAt: 'paused_at',
  pausedByFailures: 'paused_by_failures',
  failures: 'failures',
  lease: 'lease',
  leasedUntil: 'leased_until',
});
export type EndpointRow = RowOf<typeof endpoints>;

export const deliveries = table('webhook_delivery', {
  endpointId: 'endpoint_id',
  eventId: 'event_id',
  act: 'act',
  kind: 'subject_type',
  recordId: 'subject_id',
  webhookId: 'webhook_id',
  at: 'at',
  status: 'status',
  dueAt: 'due_at',
  attempts: 'attempts',
  tries: 'tries',
});

/** The request that caused an event. If the event has a row in the audit log, that row identifies the request. */
const CAUSE = sql`coalesce(d.request_id, l.request_id) as "requestId",
  coalesce(d.idempotency_key, l.idempotency_key) as "idempotencyKey"`;

export const attempts = table('webhook_attempt', {
  endpointId: 'endpoint_id',
  eventId: 'event_id',
  attempt: 'attempt',
  at: 'at',
  milliseconds: 'milliseconds',
  status: 'status',
  error: 'error',
  response: 'response',
  signature: 'signature',
});

export type ShownEndpoint = EndpointRow & { person: string; hasOldSecret: boolean };

export function selectEndpoints(id: number | null = null): Runnable<ShownEndpoint> {
  return sql<ShownEndpoint>`
    select ${endpoints.columns('e')}, coalesce(e.old_secret_until > now(), false) as "hasOldSecret",
      coalesce((select u.name from ${PEOPLE} u where u.id = e.created_by), '') as person
    from webhook_endpoint e
    where e.company_id = ${COMPANY} and (${id}::bigint is null or e.id = ${id}) order by lower(e.name), e.id`;
}

/** Assigns an ID from the audit log's sequence, because most events have the ID of their audit row. */
export const takeEventId = (): Runnable<{ ids: number[] }> =>
  sql<{ ids: number[] }>`select ${takeIds('audit_log_id_seq', 1)} as ids`;

/** A delivery with its record's title and its last attempt. */
export interface DeliveryRow extends RowOf<typeof deliveries> {
  id: number;
  sortKey: string;
  title: string;
  sentAt: Date | null;
  responseStatus: number | null;
  milliseconds: number | null;
}

interface DeliveryRequest extends PageRequest {
  q?: string | undefined;
  status?: 'failed' | 'retrying' | undefined;
}

const shown = sql`${deliveries.columns('d')}, d.event_id as id, coalesce(d.title, l.title, '') as title,
  a.at as "sentAt", a.status as "responseStatus", a.milliseconds`;

const withLog = sql`
  left join audit_log l on l.company_id = ${COMPANY} and l.id = d.event_id
  left join webhook_attempt a on a.company_id = ${COMPANY} and a.endpoint_id = d.endpoint_id
    and a.event_id = d.event_id and a.attempt = d.attempts`;

const isRetrying = sql`(d.status = 'waiting' and d.attempts > 0)`;

function filtered(endpointId: number, { q, status }: DeliveryRequest) {
  const texts = [sql`coalesce(d.title, l.title, '')`, sql`d.webhook_id`];
  const elsewhere = (_: unknown, word: string) => [sql`d.act = any(${actsWith(word)}::text[])`];
  const chosen =
    status === undefined ? sql`` : status === 'failed' ? sql`and d.status = 'failed'` : sql`and ${isRetrying}`;
  return sql`${VARIES} where d.company_id = ${COMPANY} and d.endpoint_id = ${endpointId} ${chosen}
    ${searchClause(q, { texts, elsewhere })}`;
}

/** Returns the actions whose event or kind contains a word. */
function actsWith(word: string): string[] {
  const wanted = word.toLowerCase();
  const has = ({ type, label }: WebhookEvent): boolean => `${type} ${label.toLowerCase()}`.includes(wanted);
  return [
    ...webhookEvents()
      .filter(has)
      .map(({ act }) => act),
    ...(TEST_ACT.includes(wanted) ? [TEST_ACT] : []),
  ];
}

export function listDeliveriesSql(endpointId: number, request: DeliveryRequest): Runnable<DeliveryRow> {
  const newest = { expression: sql`-d.event_id`, type: 'bigint' } as const;
  const page = pageClauses(request, {}, { id: sql`d.event_id`, initial: newest });
  return sql<DeliveryRow>`
    select ${shown}, ${page.key} from webhook_delivery d ${withLog}
    ${filtered(endpointId, request)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export interface DeliveryCounts {
  total: number;
  all: number;
  failed: number;
  retrying: number;
}

/** Counts the deliveries that match a request, and the deliveries in each part of the log. */
export function countDeliveriesSql(endpointId: number, request: DeliveryRequest): Runnable<DeliveryCounts> {
  const { status, q } = request;
  const isChosen = status === undefined ? sql`true` : status === 'failed' ? sql`d.status = 'failed'` : isRetrying;
  return sql<DeliveryCounts>`
    select count(*) filter (where ${isChosen})::int as total, count(*)::int as all,
      count(*) filter (where d.status = 'failed')::int as failed, count(*) filter (where ${isRetrying})::int as retrying
    from webhook_delivery d
    left join audit_log l on l.company_id = ${COMPANY} and l.id = d.event_id
    ${filtered(endpointId, { q })}`;
}

/** A delivery with its event's data. */
export interface FullDeliveryRow extends Omit<DeliveryRow, 'sortKey'> {
  data: string | null;
  requestId: string | null;
  idempotencyKey: string | null;
}

export function selectDelivery(endpointId: number, eventId: number): Runnable<FullDeliveryRow> {
  return sql<FullDeliveryRow>`
    select ${shown}, coalesce(d.data, l.after, l.before)::text as data, ${CAUSE}
    from webhook_delivery d ${withLog}
    where d.company_id = ${COMPANY} and d.endpoint_id = ${endpointId} and d.event_id = ${eventId}`;
}

export type AttemptRow = Omit<WebhookAttempt, 'at'> & { at: Date };

export function selectAttempts(endpointId: number, eventId: number): Runnable<AttemptRow> {
  return sql<AttemptRow>`
    select ${attempts.columns('a', ['attempt', 'at', 'milliseconds', 'status', 'error', 'response', 'signature'])}
    from webhook_attempt a
    where a.company_id = ${COMPANY} and a.endpoint_id = ${endpointId} and a.event_id = ${eventId} order by a.attempt`;
}

/**
 * Lists the webhooks with due deliveries in all companies. Also includes deliveries that are due more than two days
 * from now, because they were postponed while the clock was ahead.
 */
export const selectDue = (): Runnable<{ companyId: number; endpointId: number }> => sql`
  select company_id as "companyId", endpoint_id as "endpointId" from webhook_delivery d
  where due_at <= now() or due_at > now() + interval '2 days'
  group by company_id, endpoint_id limit 500`;

/** The values that determine whether this process can send to a webhook. */
export type LeasedRow = EndpointRow & { isLeased: boolean; hasOldSecret: boolean; now: Date };

/** Locks a webhook. Selects nothing while another process is taking or returning its lease. */
export const lockEndpoint = (id: number): Runnable<LeasedRow> => sql<LeasedRow>`
  select ${endpoints.columns('e')}, coalesce(e.leased_until > now(), false) as "isLeased",
    coalesce(e.old_secret_until > now(), false) as "hasOldSecret", now() as now
  from webhook_endpoint e where e.company_id = ${COMPANY} and e.id = ${id} for no key update skip locked`;

/** An event to send, with its data. */
export interface DueRow extends RowOf<typeof deliveries> {
  data: string | null;
  requestId: string | null;
  idempotencyKey: string | null;
}

/** Selects due events. For each record, only the earliest event that has not been delivered yet is selected. */
export function selectHeads(endpointId: number, limit: number): Runnable<DueRow> {
  return sql<DueRow>`
    select ${deliveries.columns('d')}, coalesce(d.data, l.after, l.before)::text as data, ${CAUSE}
    from webhook_delivery d
    left join audit_log l on l.company_id = ${COMPANY} and l.id = d.event_id
    where d.company_id = ${COMPANY} and d.endpoint_id = ${endpointId} and d.status = 'waiting'
      and (d.due_at <= now() or d.due_at > now() + interval '2 days')
      and not exists (
        select from webhook_delivery p
        where p.company_id = ${COMPANY} and p.endpoint_id = ${endpointId} and p.subject_type = d.subject_type
          and p.subject_id = d.subject_id and p.status = 'waiting' and p.event_id < d.event_id)
    order by d.event_id limit ${limit}`;
}

/**
 * Postpones due events that wait for an earlier event of the same record. They become due at the time of that event's
 * next attempt.
 */
export const parkFollowers = (endpointId: number): Runnable<unknown> => sql`
  update webhook_delivery d set due_at = coalesce((
    select max(p.due_at) from webhook_delivery p
    where p.company_id = ${COMPANY} and p.endpoint_id = ${endpointId} and p.subject_type = d.subject_type
      and p.subject_id = d.subject_id and p.status = 'waiting' and p.event_id < d.event_id), d.due_at)
  where d.company_id = ${COMPANY} and d.endpoint_id = ${endpointId} and d.status = 'waiting' and d.due_at <= now()`;

/** Marks as due the events that were waiting for the given ones. */
export function releaseFollowers(endpointId: number, done: readonly { kind: string; recordId: number }[]) {
  return sql`
    update webhook_delivery d set due_at = now()
    from unnest(${done.map(({ kind }) => kind)}::text[], ${done.map(({ recordId }) => recordId)}::bigint[])
      r (kind, record)
    where d.company_id = ${COMPANY} and d.endpoint_id = ${endpointId} and d.subject_type = r.kind
      and d.subject_id = r.record and d.status = 'waiting' and d.due_at > now()`;
}

/** The number of days for which the log is stored. */
const LOG_DAYS = 30;

/** The administrators who can resume a webhook. */
export const openAdministrators = () => sql<{ userId: number }>`
  select m.user_id as "userId" from membership m
  where m.company_id = ${COMPANY} and m.system_role and m.role_name = ${ADMINISTRATOR} and ${isOpen}
  order by m.user_id`;

/** Deletes old deliveries, including waiting ones, which can only belong to a paused webhook. */
export const deleteOldDeliveries = (): Runnable<unknown> => sql`
  delete from webhook_delivery
  where company_id = ${COMPANY} and at < now() - make_interval(days => ${LOG_DAYS})`;
