import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

/** The counters, the end of the chain, and the closing date. There is one row per company. */
export const ledgerHeads = table('ledger_head', { companyId: 'company_id', closingDate: 'closing_date' });

/** A record that a journal line may name, and whether it is active. */
export interface ReferenceRow {
  kind: 'profitCenter' | 'location' | 'entity';
  id: number;
  name: string;
  active: boolean;
}

export interface References {
  profitCenterIds: readonly number[];
  locationIds: readonly number[];
  entityIds: readonly number[];
}

/** Selects the named profit centers, locations, customers, and vendors that belong to the company. */
export function referencesSql(ids: References): Runnable<ReferenceRow> {
  return sql<ReferenceRow>`
    select 'profitCenter' as kind, id, name, active from profit_center
    where company_id = ${COMPANY} and id = any(${ids.profitCenterIds}::bigint[])
    union all
    select 'location', id, name, active from location
    where company_id = ${COMPANY} and id = any(${ids.locationIds}::bigint[])
    union all
    select 'entity', id, displayname, not deleted from entity
    where company_id = ${COMPANY} and id = any(${ids.entityIds}::bigint[])`;
}

/** Selects the deposit that contains a line of a transaction. Read it under the lock of the ledger head. */
export function depositOfEntry(transactionId: number): Runnable<{ number: string }> {
  return sql<{ number: string }>`
    select d.bank_document_number as number
    from journal_line l
    join deposit_receipt r on r.company_id = ${COMPANY} and r.line_id = l.id
    join bank_document d on d.company_id = ${COMPANY} and d.id = r.deposit_id
    where l.company_id = ${COMPANY} and l.transaction_id = ${transactionId}
    limit 1`;
}
