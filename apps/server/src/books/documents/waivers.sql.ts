import { kinds, namesOf } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';

/** The kinds of documents that reduce an open balance without a payment. */
export const waivers = namesOf([...kinds.values()].filter(({ waives }) => waives === true));

/** Whether a payment `p` does nothing but apply a write-off, which is itself a document. */
export const APPLIES_WAIVER = sql`(p.amount_cents = 0 and exists (
  select from payment_application a join document w on w.company_id = ${COMPANY} and w.id = a.document_id
  where a.company_id = ${COMPANY} and a.payment_id = p.id and w.kind = any(${waivers}::text[])))`;

/**
 * Whether a payment `p` moves money. A payment of 0.00 only applies a credit memo, a vendor credit, or a write-off.
 * Lists show those documents instead of the payment.
 */
export const MOVES_MONEY = sql`p.amount_cents <> 0`;

/**
 * Returns the condition that a payment `p` changes the balance, either through money or through an early-payment
 * discount of `taken` cents.
 */
export const changesBalance = (taken: RawBuilder<unknown>) =>
  sql`(${MOVES_MONEY} or (${taken} <> 0 and not ${APPLIES_WAIVER}))`;
