import type { FactorRule } from '@evenkeel/contract/account';
import { type RowOf, table } from '../db/table.ts';
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

export type CompanyRow = RowOf<typeof companies>;
