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
  rowVersion: 'row_version',
}).typed<{ details: Partial<CompanyDetails> }>();

export type CompanyRow = RowOf<typeof companies>;
