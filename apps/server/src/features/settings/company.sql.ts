import type { FactorRule } from '@evenkeel/contract/account';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { EntityDetails } from './entity-details.ts';

/** A company's details in one JSON value. */
export interface CompanyDetails extends EntityDetails {
  /** The legal name, set only if it differs from the display name. */
  name?: string;
  emailAddress: string;
  accountNumber: string;
  isIndividual: boolean;
}

export const companies = table('company', {
  id: 'company_id',
  displayname: 'displayname',
  timeZone: 'time_zone',
  details: 'details',
  setupCompleted: 'setup_completed',
  secondFactorRule: 'second_factor_rule',
  rowVersion: 'row_version',
}).typed<{ details: Partial<CompanyDetails>; secondFactorRule: FactorRule }>();

/**
 * Returns the company's time zone for work that runs without a session. A session gets the time zone from its
 * membership.
 */
export function zoneSql(): Runnable<{ timeZone: string }> {
  return sql<{ timeZone: string }>`select time_zone as "timeZone" from company where company_id = ${COMPANY}`;
}

export type CompanyRow = RowOf<typeof companies>;
