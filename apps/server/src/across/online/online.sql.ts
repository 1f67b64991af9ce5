import type { IsoDate } from '@evenkeel/core/dates';
import { documentKinds } from '@evenkeel/core/documents/side';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { MovementKind } from './provider.ts';

/** SQL statements for online payments. */

export const connections = table('online_connection', {
  provider: 'provider',
  keyBox: 'key_box',
  secretBox: 'secret_box',
  keyHint: 'key_hint',
  isLive: 'is_live',
  connectedAt: 'connected_at',
  connectedBy: 'connected_by',
  lastEventAt: 'last_event_at',
  clearingBankId: 'clearing_bank_id',
  payoutBankId: 'payout_bank_id',
  feeAccountId: 'fee_account_id',
  reviewAccountId: 'review_account_id',
  paymentTypeId: 'payment_type_id',
  paysNow: 'pays_now',
  leastPart: 'least_part_cents',
  mostByCard: 'most_by_card_cents',
  rowVersion: 'row_version',
});
export type ConnectionRow = RowOf<typeof connections>;

export const sessions = table('online_session', {
  id: 'id',
  documentId: 'document_id',
  amount: 'amount_cents',
  openAmount: 'open_cents',
  key: 'key',
  providerId: 'provider_id',
  url: 'url',
  status: 'status',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  combination: 'combination',
  isBankDebit: 'is_bank_debit',
});
export type SessionRow = RowOf<typeof sessions>;

export const events = table('online_event', {
  id: 'id',
  eventId: 'event_id',
  type: 'type',
  objectId: 'object_id',
  createdAt: 'created_at',
  receivedAt: 'received_at',
  handledAt: 'handled_at',
  error: 'error',
});

export const movements = table('online_movement', {
  id: 'id',
  kind: 'kind',
  amount: 'amount_cents',
  fee: 'fee_cents',
  happenedOn: 'happened_on',
  postedOn: 'posted_on',
  sourceId: 'source_id',
  chargeId: 'charge_id',
  clearingBankId: 'clearing_bank_id',
  paymentId: 'payment_id',
  transferId: 'transfer_id',
  entryId: 'entry_id',
  documentId: 'document_id',
}).typed<{ kind: MovementKind }>();
export type MovementRow = RowOf<typeof movements>;

export const reviews = table('online_review', {
  id: 'id',
  reason: 'reason',
  about: 'about',
  amount: 'amount_cents',
  entityId: 'entity_id',
  documentId: 'document_id',
  paymentId: 'payment_id',
  createdAt: 'created_at',
  doneAt: 'done_at',
  doneBy: 'done_by',
});

/** Stores an event, unless it is stored already. Returns its ID, or no row. */
export const addEvent = (event: { eventId: string; type: string; objectId: string; createdAt: Date }) =>
  sql<{ id: number }>`${events.insert(event)} on conflict (company_id, event_id) do nothing returning id`;

/** A payment page to open. A page for several invoices has a row for each of them. */
export type NewSession = Pick<
  SessionRow,
  'documentId' | 'amount' | 'openAmount' | 'key' | 'expiresAt' | 'combination' | 'isBankDebit'
>;

/** Opens a payment page, unless one is open for the same amounts. */
export const addSession = (session: NewSession) =>
  sql`
    ${sessions.insert(session)}
    on conflict (company_id, document_id, amount_cents, open_cents, combination) where status = 'open' do nothing`;

/** Selects the payment pages of these invoices, and the page from which the customer returns. */
export const sessionsOfCustomer = (
  customerId: number,
  { documentIds, sessionId }: { documentIds: readonly number[]; sessionId: number },
): Runnable<SessionRow> => sql<SessionRow>`
  select ${sessions.columns('s')} from online_session s
  join document d on d.company_id = ${COMPANY} and d.id = s.document_id and d.entity_id = ${customerId}
  where s.company_id = ${COMPANY} and s.status <> 'expired'
    and (s.document_id = any(${documentIds}::bigint[])
      or s.key = (select o.key from online_session o where o.company_id = ${COMPANY} and o.id = ${sessionId}))
  order by s.id`;

/** Marks a payment page as paid, including its rows for other invoices. */
export const paidSession = (sessionId: number, documentIds: readonly number[]) => sql`
  update online_session set status = 'paid'
  where company_id = ${COMPANY} and key = (
    select o.key from online_session o
    where o.company_id = ${COMPANY} and o.id = ${sessionId} and o.document_id = any(${documentIds}::bigint[]))`;

/** Adds a review, unless there is already one with the same reason and subject. */
export const addReview = (
  review: Partial<Pick<RowOf<typeof reviews>, 'entityId' | 'documentId' | 'paymentId'>> &
    Pick<RowOf<typeof reviews>, 'reason' | 'about' | 'amount'>,
) => sql`${reviews.insert(review)} on conflict (company_id, reason, about) do nothing`;

/** Selects the IDs of the given movements that were posted. */
export const postedSql = (ids: readonly string[]): Runnable<{ id: string }> => sql<{ id: string }>`
  select id from online_movement where company_id = ${COMPANY} and id = any(${ids}::text[])`;

/** An invoice that a charge pays, with its current open balance. */
export interface ChargedRow {
  id: number;
  entityId: number;
  number: string;
  open: Cents;
  isDeleted: boolean;
  isVoid: boolean;
}

export const chargedSql = (documentIds: readonly number[], kind: string): Runnable<ChargedRow> => sql<ChargedRow>`
  select d.id, d.entity_id as "entityId", d.document_number as number,
    case when d.is_posted and not d.deleted then greatest(d.open_cents, 0) else 0 end::bigint as open,
    d.deleted as "isDeleted", not d.is_posted as "isVoid"
  from document d
  where d.company_id = ${COMPANY} and d.id = any(${documentIds}::bigint[]) and d.kind = ${kind}
  order by d.id`;

/** The total of the movements in one clearing account, by kind. */
export interface SumRow {
  kind: MovementKind;
  amount: Cents;
  fee: Cents;
}

export const sumsSql = (clearingBankId: number): Runnable<SumRow> => sql<SumRow>`
  select kind, sum(amount_cents)::bigint as amount, sum(fee_cents)::bigint as fee from online_movement
  where company_id = ${COMPANY} and clearing_bank_id = ${clearingBankId} group by kind`;

/** Selects whether a clearing account has entries from before it was chosen as the clearing account. */
export const hasOtherEntriesSql = (bankId: number): Runnable<{ has: boolean }> => sql<{ has: boolean }>`
  select exists (
    select from journal_line l
    join banking_account b on b.company_id = ${COMPANY} and b.id = ${bankId}
    where l.company_id = ${COMPANY} and l.account_id = b.gl_account_id)
  and not exists (
    select from online_movement m where m.company_id = ${COMPANY} and m.clearing_bank_id = ${bankId}) as has`;

/** Queues the waiting events, for example after the company reconnects or after a long outage. */
export const waitingEventsSql = (): Runnable<{ id: number }> => sql<{ id: number }>`
  select id from online_event where company_id = ${COMPANY} and handled_at is null order by id limit 1000`;

export const eventCountsSql = () => sql<{ waiting: number; error: string | null }>`
  select count(*)::int as waiting,
    (select e.error from online_event e where e.company_id = ${COMPANY} and e.handled_at is null and e.error is not null
      order by e.id limit 1) as error
  from online_event w where w.company_id = ${COMPANY} and w.handled_at is null`;

export interface ReviewRow {
  id: number;
  reason: string;
  amount: Cents;
  customerId: number | null;
  customerDisplayName: string | null;
  documentId: number | null;
  documentNumber: string | null;
  paymentId: number | null;
  createdAt: Date;
}

/** Selects the open reviews, oldest first, or only the review with this ID. */
export const openReviewsSql = (id: number | null = null): Runnable<ReviewRow> => sql<ReviewRow>`
  select r.id, r.reason, r.amount_cents as amount, r.entity_id as "customerId", e.displayname as "customerDisplayName",
    r.document_id as "documentId", d.document_number as "documentNumber", r.payment_id as "paymentId",
    r.created_at as "createdAt"
  from online_review r
  left join entity e on e.company_id = ${COMPANY} and e.id = r.entity_id
  left join document d on d.company_id = ${COMPANY} and d.id = r.document_id
  where r.company_id = ${COMPANY} and r.done_at is null and (${id}::bigint is null or r.id = ${id})
  order by r.id limit 200`;

export const onlineReviewCountSql = (): Runnable<{ count: number }> => sql<{ count: number }>`
  select count(*)::int as count from online_review where company_id = ${COMPANY} and done_at is null`;

/** Deletes events that were handled, and pages that expired, more than 90 days ago. */
export const deleteOldSql = (): Runnable<unknown>[] => [
  sql`delete from online_event where company_id = ${COMPANY} and handled_at < now() - interval '90 days'`,
  sql`
    delete from online_session where company_id = ${COMPANY} and status <> 'complete'
      and expires_at < now() - interval '90 days'`,
];

const [PAYMENT, TRANSFER, JOURNAL] = [documentKinds.payment, documentKinds.transfer, documentKinds.journal].map(
  ({ source }) => source,
);

/** Selects movements that don't equal the sum of their records in the clearing account. */
export const movementFaultsSql = (most: number) => sql<{ id: string; wanted: Cents; posted: Cents; entryId: number }>`
  with source as (
    select id, ${PAYMENT}::text as type, payment_id as source_id from online_movement
      where company_id = ${COMPANY} and payment_id is not null
    union all
    select id, ${TRANSFER}, transfer_id from online_movement where company_id = ${COMPANY} and transfer_id is not null
    union all
    select id, ${JOURNAL}, entry_id from online_movement where company_id = ${COMPANY} and entry_id is not null),
  posted as (
    select s.id, sum(l.amount_cents)::bigint as amount
    from source s
    join online_movement m on m.company_id = ${COMPANY} and m.id = s.id
    join banking_account b on b.company_id = ${COMPANY} and b.id = m.clearing_bank_id
    join journal_transaction t on t.company_id = ${COMPANY} and t.source_type = s.type and t.source_id = s.source_id
    join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = t.id and l.account_id = b.gl_account_id
      and l.basis <> 'C'
    group by s.id)
  select m.id, (m.amount_cents - m.fee_cents)::bigint as wanted, coalesce(p.amount, 0)::bigint as posted,
    coalesce(m.entry_id, 0)::bigint as "entryId"
  from online_movement m left join posted p on p.id = m.id
  where m.company_id = ${COMPANY} and coalesce(p.amount, 0) <> m.amount_cents - m.fee_cents
  order by m.id limit ${most}`;

/** The closing date and time zone, which determine a movement's posting date. */
export const datesSql = (): Runnable<{ closingDate: IsoDate | null; timeZone: string }> =>
  sql<{ closingDate: IsoDate | null; timeZone: string }>`
    select h.closing_date as "closingDate", c.time_zone as "timeZone"
    from ledger_head h join company c on c.company_id = ${COMPANY} where h.company_id = ${COMPANY}`;
