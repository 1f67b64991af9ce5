import type { FactorRule } from '@evenkeel/contract/account';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { EntityDetails } from './entity-details.ts';

/** The details of a company in one JSON value. */
export interface CompanyDetails extends EntityDetails {
  /** Only where it is not the display name. */
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

/** The company's time zone, for work that no session begins: a session has it from its membership. */
export function zoneSql(): Runnable<{ timeZone: string }> {
  return sql<{ timeZone: string }>`select time_zone as "timeZone" from company where company_id = ${COMPANY}`;
}

export type CompanyRow = RowOf<typeof companies>;
