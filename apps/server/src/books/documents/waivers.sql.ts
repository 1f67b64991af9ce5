import { kinds, namesOf } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';

/** The kinds of documents that reduce an open balance without money. */
export const waivers = namesOf([...kinds.values()].filter(({ waives }) => waives === true));

/**
 * Whether a payment `p` only applies a write-off. Lists don't include these payments because the write-off is listed
 * among the documents.
 */
export const APPLIES_WAIVER = sql`(p.amount_cents = 0 and exists (
  select from payment_application a join document w on w.company_id = ${COMPANY} and w.id = a.document_id
  where a.company_id = ${COMPANY} and a.payment_id = p.id and w.kind = any(${waivers}::text[])))`;
