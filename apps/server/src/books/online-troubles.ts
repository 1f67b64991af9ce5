import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../platform/db/query.ts';

/**
 * A problem with online payments that a user must resolve: open reviews, a silent webhook, or money that was not paid
 * out.
 */
export interface OnlineTrouble {
  name: 'reviews' | 'silent' | 'unpaid';
  count: number;
  amount: Cents;
  /** The time of the oldest item that is part of the problem. */
  since: Date | null;
}

/**
 * A payment page is open for an hour, and Stripe reports when the page expires. After this many hours without an event,
 * the webhook counts as silent.
 */
const SILENT_HOURS = 3;

/** The maximum number of days between a charge and the payout that contains it. */
const PAYOUT_DAYS = 14;

export const onlineTroublesSql = (): Runnable<OnlineTrouble> => sql<OnlineTrouble>`
  with live as (
    select clearing_bank_id, greatest(last_event_at, connected_at) as heard from online_connection
    where company_id = ${COMPANY} and key_box is not null),
  payout as (
    select m.clearing_bank_id, max(m.happened_on) as last from online_movement m
    where m.company_id = ${COMPANY} and m.kind = 'payout' and m.amount_cents < 0 group by m.clearing_bank_id),
  unpaid as (
    select count(*) filter (where m.kind = 'charge')::int as count, sum(m.amount_cents - m.fee_cents)::bigint as amount
    from online_movement m
    join payout p on p.clearing_bank_id = m.clearing_bank_id
    join live l on l.clearing_bank_id = m.clearing_bank_id
    where m.company_id = ${COMPANY} and (m.kind = 'payout' or m.happened_on <= p.last - ${PAYOUT_DAYS}::int))
  select 'reviews' as name, count(*)::int as count, coalesce(sum(r.amount_cents), 0)::bigint as amount,
    min(r.created_at) as since
  from online_review r where r.company_id = ${COMPANY} and r.done_at is null having count(*) > 0
  union all
  select 'silent', count(*)::int, coalesce(sum(s.amount_cents), 0)::bigint, min(s.created_at)
  from online_session s cross join live l
  where s.company_id = ${COMPANY} and s.provider_id is not null and s.created_at > l.heard
    and s.created_at < now() - make_interval(hours => ${SILENT_HOURS})
  having count(*) > 0
  union all
  select 'unpaid', count, amount, null from unpaid where amount > 0`;

/** Returns the problem in the API format. */
export const troubleView = ({ since, ...trouble }: OnlineTrouble) => ({
  ...trouble,
  since: since?.toISOString() ?? null,
});
