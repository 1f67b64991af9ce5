import { sql } from 'kysely';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Basis } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { POSTED_DOCUMENT, POSTED_NUMBER } from '../../books/ledger/source.sql.ts';

export interface ExportAccount {
  id: number;
  number: string;
  name: string;
  type: string;
  root: string;
}

/** A line with the names of the records that it refers to. Lines are ordered by date, then by transaction. */
export interface ExportLine {
  transactionId: number;
  postingNo: number;
  postingDate: IsoDate;
  sourceType: string;
  sourceId: number;
  /** The number of the invoice or payment. */
  documentNumber: string | null;
  transactionDescription: string;
  lineId: number;
  lineNo: number;
  accountId: number;
  amount: Cents;
  basis: Basis;
  description: string;
  entityKind: 0 | 1 | null;
  entityName: string | null;
  profitCenter: string | null;
  location: string | null;
  reverses: number | null;
}

export function selectCompanyName(): Runnable<{ displayname: string }> {
  return sql<{ displayname: string }>`select displayname from company where company_id = ${COMPANY}`;
}

/** Returns all accounts, including unused ones, ordered by number. */
export function selectAccounts(): Runnable<ExportAccount> {
  return sql<ExportAccount>`
    select id, account_number as number, account_name as name, account_type as type, root
    from account where company_id = ${COMPANY}
    order by account_number = '', account_number, account_name, id`;
}

/**
 * Opens a cursor over the lines on the given bases in a date range. The cursor stays open until the transaction ends.
 */
export function openLines(
  bases: readonly Basis[],
  { from, to }: { from?: IsoDate | undefined; to?: IsoDate | undefined },
): Runnable<unknown> {
  const since = from === undefined ? sql`` : sql`and l.posting_date >= ${from}`;
  const through = to === undefined ? sql`` : sql`and l.posting_date <= ${to}`;
  return sql`
    declare export_lines no scroll cursor for
    select t.id as "transactionId", t.posting_no as "postingNo", t.posting_date as "postingDate",
      t.source_type as "sourceType", t.source_id as "sourceId",
      ${POSTED_NUMBER} as "documentNumber", t.description as "transactionDescription",
      l.id as "lineId", l.line_no as "lineNo", l.account_id as "accountId", l.amount_cents as amount, l.basis,
      l.description, e.kind as "entityKind", e.displayname as "entityName", pc.name as "profitCenter",
      lo.name as location, l.reverses
    from journal_line l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id${POSTED_DOCUMENT}
    left join entity e on e.company_id = ${COMPANY} and e.id = l.entity_id
    left join profit_center pc on pc.company_id = ${COMPANY} and pc.id = l.profit_center_id
    left join location lo on lo.company_id = ${COMPANY} and lo.id = l.location_id
    where l.company_id = ${COMPANY} and l.basis::text = any(${bases}::text[]) ${since} ${through}
    order by l.posting_date, l.transaction_id, l.line_no`;
}

export function fetchLines(): Runnable<ExportLine> {
  return sql<ExportLine>`fetch forward 2000 from export_lines`;
}
