import type { Basis } from '@evenkeel/core/books/ledger';
import type { MonthSum } from '@evenkeel/core/books/proof';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** A line of the journal with all columns that the hash of its transaction covers. */
export interface ProofLine {
  id: number;
  no: number;
  date: string;
  source: string;
  sourceId: number;
  by: number;
  /** ISO format in UTC with microseconds. */
  at: string;
  text: string;
  hash: string;
  line: [
    id: number,
    accountId: number,
    cents: number,
    basis: Basis,
    entityId: number | null,
    profitCenterId: number | null,
    locationId: number | null,
    reverses: number | null,
    description: string,
  ];
}

/** Selects the hash of the last transaction, which covers the whole journal. */
export function selectRoot(): Runnable<{ root: string }> {
  return sql<{ root: string }>`select encode(last_hash, 'hex') as root from ledger_head where company_id = ${COMPANY}`;
}

/** Sums the entries by month and account, on both bases. */
export function selectMonthSums(): Runnable<MonthSum> {
  return sql<MonthSum>`
    select begins as month, account_id as "accountId",
      coalesce(sum(amount_cents) filter (where basis <> 'C'), 0)::bigint as accrual,
      coalesce(sum(amount_cents) filter (where basis <> 'A'), 0)::bigint as cash
    from ledger_total where company_id = ${COMPANY} and grain = 'M'
    group by 1, 2 order by 1, 2`;
}

/** Opens a cursor over all lines in posting order. The cursor is open until the transaction ends. */
export function openProofLines(): Runnable<unknown> {
  return sql`
    declare proof_lines no scroll cursor for
    select t.id, t.posting_no as no, t.posting_date as date, t.source_type as source, t.source_id as "sourceId",
      t.created_by as by, to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      t.description as text, encode(t.hash, 'hex') as hash,
      json_build_array(l.id, l.account_id, l.amount_cents, l.basis, l.entity_id, l.profit_center_id, l.location_id,
        l.reverses, l.description) as line
    from journal_transaction t
    join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = t.id
    where t.company_id = ${COMPANY}
    order by t.posting_no, l.line_no`;
}

export function fetchProofLines(): Runnable<ProofLine> {
  return sql<ProofLine>`fetch forward 2000 from proof_lines`;
}
