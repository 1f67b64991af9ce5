import type { ListPart } from '@evenkeel/contract/endpoint';
import type { CreditPart, CreditRow } from '@evenkeel/contract/credits';
import { documentKinds, RECEIVABLE, type SourceType } from '@evenkeel/core/documents/side';
import type { Cents } from '@evenkeel/core/money';
import { type RawBuilder, sql } from 'kysely';
import { pageClauses, type PageRequest, searchClause, type SortColumn } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { idList } from '../../books/documents/settlement.sql.ts';

/** The page and the filter of a credit list. */
export interface CreditFilter extends PageRequest {
  q?: string | undefined;
  status?: CreditPart | undefined;
}

const MEMO = documentKinds.creditmemo.source;
const WRITE_OFF = documentKinds.writeoff.source;

/** A row of the list. Documents and payments can have the same ID, so `id` is unique only in this list. */
export interface ListedCredit extends Pick<
  CreditRow,
  'kind' | 'number' | 'date' | 'customerId' | 'customerDisplayName' | 'reason' | 'checkNumber' | 'amount'
> {
  id: number;
  recordId: number;
  sortKey: string;
  /** The status and the total of a credit memo. */
  status: number | null;
  remainingAmount: Cents;
}

/**
 * The list contains all credit memos and write-offs, whose totals are negative, and all refunds, which are negative
 * payments.
 */
const CREDITS = sql`(
      select 2 * d.id as id, d.id as record_id, d.kind,
        d.document_number as number, coalesce(d.invoice_date, d.document_date) as date, d.entity_id,
        -d.total_cents as amount, case when d.kind = ${MEMO} then -d.open_cents else 0 end as remaining,
        case when d.kind = ${MEMO} then d.status end as status, d.note as reason, '' as check_number
      from document d
      where d.company_id = ${COMPANY} and d.side = ${RECEIVABLE.name} and not d.deleted
        and d.kind = any(${[MEMO, WRITE_OFF]}::text[])
      union all
      select 2 * p.id + 1, p.id, 'refund', p.payment_number, p.payment_date, p.entity_id, -p.amount_cents, 0, null, '',
        p.check_number
      from payment p
      where p.company_id = ${COMPANY} and p.side = ${RECEIVABLE.name} and not p.deleted and p.amount_cents < 0) c`;

const BY_DATE: SortColumn = { expression: sql`c.date`, type: 'date' };

/** The columns that the list can be sorted by, keyed by their API names. */
const COLUMNS: Record<string, SortColumn> = {
  date: BY_DATE,
  number: { expression: sql`lpad(c.number, 20, '0')`, type: 'text' },
  kind: { expression: sql`c.kind`, type: 'text' },
  customerDisplayName: { expression: sql`lower(e.displayname)`, type: 'text' },
  amount: { expression: sql`c.amount`, type: 'bigint' },
  remainingAmount: { expression: sql`c.remaining`, type: 'bigint' },
};

const inPart = (part: CreditPart): RawBuilder<unknown> =>
  part === 'remaining' ? sql`c.remaining > 0` : sql`c.kind = ${part}`;

function matching({ q, status }: CreditFilter): RawBuilder<unknown> {
  return sql`from ${CREDITS} join entity e on e.company_id = ${COMPANY} and e.id = c.entity_id
    where ${status === undefined ? sql`true` : inPart(status)}
      ${searchClause(q, {
        texts: [sql`c.number`, sql`e.displayname`, sql`c.reason`, sql`c.check_number`],
        dates: [sql`c.date`],
        amounts: [sql`c.amount`, sql`c.remaining`],
      })}`;
}

/** Selects a page of the credits, or all of them. */
export function selectCredits(filter: CreditFilter): RawBuilder<ListedCredit> {
  const page = pageClauses(filter, COLUMNS, { id: sql`c.id`, initial: BY_DATE });
  return sql<ListedCredit>`
    select c.id, c.record_id as "recordId", c.kind, c.number, c.date, c.entity_id as "customerId",
      e.displayname as "customerDisplayName", c.reason, c.check_number as "checkNumber", c.amount, c.status,
      c.remaining as "remainingAmount", ${page.key}
    ${matching(filter)} ${page.after} ${page.orderBy} ${page.limit}`;
}

/** Selects the number of credits in a list, and their remaining credit. */
export function countCredits(filter: CreditFilter): RawBuilder<{ total: number; remainingAmount: Cents }> {
  return sql`
    select count(*) as total, coalesce(sum(c.remaining), 0)::bigint as "remainingAmount" ${matching(filter)}`;
}

/**
 * Selects the number and amount of the credits for each filter. For the first filter, the amount is the remaining
 * credit.
 */
export function selectCreditParts(): RawBuilder<Record<CreditPart | 'all', ListPart>> {
  const part = (name: CreditPart | 'all') => {
    const own = name === 'all' ? sql`true` : inPart(name);
    const amount = name === 'remaining' ? sql`c.remaining` : sql`c.amount`;
    return sql`json_build_object('count', count(*) filter (where ${own}),
      'amount', coalesce(sum(${amount}) filter (where ${own}), 0)) as ${sql.id(name)}`;
  };
  const parts = (['all', 'remaining', 'creditmemo', 'writeoff', 'refund'] as const).map(part);
  return sql`select ${sql.join(parts)} ${matching({})}`;
}

/** The document or payment that a credit was used for. */
export interface Used {
  id: number;
  kind: SourceType;
  number: string;
}

/** An application of a credit memo or write-off: the amount, and whether a refund pays the amount back. */
export interface CreditUse {
  id: number;
  amount: Cents;
  isRefund: boolean;
}

/** The amount that each payment applies from each of these credits, without reversed applications. */
const appliedOf = (documentIds: readonly number[]) => sql`(
    select a.document_id, a.payment_id, -sum(a.amount_cents)::bigint as amount from payment_application a
    where a.company_id = ${COMPANY} and a.document_id = any(${idList(documentIds)})
    group by a.document_id, a.payment_id having sum(a.amount_cents) <> 0)`;

/** Selects the amounts of credit memos and write-offs that payments apply and refunds pay back. */
export const selectUses = (documentIds: readonly number[]): Runnable<CreditUse> => sql<CreditUse>`
  select u.document_id as id, u.amount, p.amount_cents < 0 as "isRefund"
  from ${appliedOf(documentIds)} u join payment p on p.company_id = ${COMPANY} and p.id = u.payment_id`;

/** Selects the documents that credit memos and write-offs are applied to, sorted by number. */
export const selectAppliedTo = (documentIds: readonly number[]): Runnable<Used> => sql<Used>`
  select u.document_id as id, w.kind, w.document_number as number
  from ${appliedOf(documentIds)} u
  join payment_application o on o.company_id = ${COMPANY} and o.payment_id = u.payment_id
  join document w on w.company_id = ${COMPANY} and w.id = o.document_id
  where w.total_cents > 0
  group by u.document_id, w.id, w.kind, w.document_number
  having sum(o.amount_cents) <> 0
  order by w.id`;

/** Selects the credit memos and payments that refunds pay back. */
export const selectPaidBack = (refundIds: readonly number[]): Runnable<Used> => sql<Used>`
  select a.payment_id as id, w.kind, w.document_number as number
  from payment_application a join document w on w.company_id = ${COMPANY} and w.id = a.document_id
  where a.company_id = ${COMPANY} and a.payment_id = any(${idList(refundIds)})
  group by a.payment_id, w.id, w.kind, w.document_number having sum(a.amount_cents) <> 0
  union all
  select f.refund_id, ${RECEIVABLE.payment.source}, p.payment_number
  from payment_refund f join payment p on p.company_id = ${COMPANY} and p.id = f.payment_id
  where f.company_id = ${COMPANY} and f.refund_id = any(${idList(refundIds)})`;
