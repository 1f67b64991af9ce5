import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/**
 * Whether customers can pay invoices online. The code for the connection to the payment provider is in `across/online`.
 */

/** The rules for Pay Now. Set only if the company offers Pay Now. */
export interface PayNowRules {
  /** The smallest partial payment that a customer may make on an invoice. Null if only the whole amount can be paid. */
  leastPart: Cents | null;
}

export const payNowSql = (): Runnable<PayNowRules> => sql<PayNowRules>`
  select least_part_cents as "leastPart" from online_connection
  where company_id = ${COMPANY} and pays_now and key_box is not null`;

/** Returns a row if a bank account receives online payments or their payouts. */
export const onlineBankSql = (bankAccountId: number): Runnable<{ id: number }> => sql<{ id: number }>`
  select ${bankAccountId}::bigint as id from online_connection
  where company_id = ${COMPANY} and ${bankAccountId} in (clearing_bank_id, payout_bank_id)`;
