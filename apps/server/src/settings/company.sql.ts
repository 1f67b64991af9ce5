import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';
import { table } from '../db/table.ts';
import type { EntityDetails } from './entity-details.ts';

/** What is kept of a company in one JSON value. */
export interface CompanyDetails extends EntityDetails {
  /** Only where it is not the display name. */
  name?: string;
  emailAddress: string;
  accountNumber: string;
  isIndividual: boolean;
}

export interface CompanyRow {
  id: number;
  displayname: string;
  timeZone: string;
  /** A company that nobody has saved yet has none. */
  details: Partial<CompanyDetails>;
  setupCompleted: boolean;
  rowVersion: number;
}

export const companies = table('company', {
  id: 'company_id',
  displayname: 'displayname',
  timeZone: 'time_zone',
  details: 'details',
  setupCompleted: 'setup_completed',
  rowVersion: 'row_version',
}).typed<{ details: Partial<CompanyDetails> }>();

export function companySql(companyId: number, lock = false): Runnable<CompanyRow> {
  return sql<CompanyRow>`
    select company_id as id, displayname, time_zone as "timeZone", details, setup_completed as "setupCompleted",
      row_version as "rowVersion"
    from company where company_id = ${companyId} ${lock ? sql`for update` : sql``}`;
}

export function updateCompanySql(companyId: number, row: CompanyRow): Runnable<unknown> {
  return sql`
    update company set displayname = ${row.displayname}, time_zone = ${row.timeZone},
      details = ${JSON.stringify(row.details)}, row_version = ${row.rowVersion}
    where company_id = ${companyId}`;
}

/** Memberships carry the time zone, so that one read finds session and today's date. */
export function updateTimeZoneSql(companyId: number, timeZone: string): Runnable<unknown> {
  return sql`update membership set time_zone = ${timeZone} where company_id = ${companyId}`;
}

/** Extended properties defined for customers (0), vendors (1) or the company (2). */
export function propertiesSql(
  companyId: number,
  kind: number,
): Runnable<{ id: number; displayName: string; dataType: number }> {
  return sql<{ id: number; displayName: string; dataType: number }>`
    select id, display_name as "displayName", data_type as "dataType"
    from extended_property where company_id = ${companyId} and kind = ${kind} order by lower(display_name), id`;
}
