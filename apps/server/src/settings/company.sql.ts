import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';
import { type RowOf, table } from '../db/table.ts';
import type { EntityDetails } from './entity-details.ts';

/** What is kept of a company in one JSON value. */
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

/** Extended properties defined for customers (0), vendors (1) or the company (2). */
export const extendedProperties = table('extended_property', {
  id: 'id',
  kind: 'kind',
  displayName: 'display_name',
  dataType: 'data_type',
});

/** The extended properties of a kind, by name. */
export function propertiesOf(kind: number): Runnable<RowOf<typeof extendedProperties>> {
  return extendedProperties.find({ kind }, { orderBy: sql`lower(display_name), id` });
}
