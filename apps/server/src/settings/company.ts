import { Company, type CompanyInput } from '@evenkeel/contract/settings';
import { encode } from '@evenkeel/contract/wire';
import { checkEntity, COMPANY } from '@evenkeel/core/entities';
import { type FieldMessages, notFound, refuse } from '@evenkeel/core/failure';
import { countries } from '@evenkeel/core/geography.data';
import { isTimeZone } from '../clock.ts';
import { audit } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { applied, toCompany } from './company-record.ts';
import { type CompanyRow, companySql, propertiesSql, updateCompanySql, updateTimeZoneSql } from './company.sql.ts';
import { requireProperties } from './entity-details.ts';

/** The user's own company; with an id, 404 unless it is that one. */
export async function getCompany(ctx: Ctx, id: number = ctx.companyId): Promise<Company> {
  return toCompany(await load(ctx, id, false));
}

/**
 * Saves the company; what the input does not mention stays. A new time zone holds from the next request of each of its
 * users. 404 for another id, 409 'stale', 422 by core/entities' rules, for an unknown time zone or property.
 */
export async function updateCompany(ctx: Ctx, id: number, input: CompanyInput): Promise<Company> {
  const [stored, properties] = await Promise.all([
    load(ctx, id, true),
    ctx.tx.rows(propertiesSql(ctx.companyId, COMPANY)),
  ]);
  const before = toCompany(stored);
  requireFresh(Company, before, input.rowVersion);
  const row = applied(stored, input);
  requireGood(row, input);
  if (input.extendedProperties) {
    requireProperties(
      row.details,
      properties.map((property) => property.id),
    );
  }
  const after = toCompany(row);
  ctx.tx.atEnd(updateCompanySql(ctx.companyId, row));
  if (row.timeZone !== stored.timeZone) ctx.tx.atEnd(updateTimeZoneSql(ctx.companyId, row.timeZone));
  const change = { before: encode(Company, before), after: encode(Company, after) };
  audit(ctx, { action: 'update', subjectType: 'company', subjectId: id, ...change });
  return after;
}

/** Extended property definitions of an entity kind (0 customer, 1 vendor, 2 company); 404 for another kind. */
export async function entityDetails(ctx: Ctx, kind: number) {
  if (kind > 2) throw notFound('Entity kind');
  return ctx.tx.rows(propertiesSql(ctx.companyId, kind));
}

async function load(ctx: Ctx, id: number, lock: boolean): Promise<CompanyRow> {
  const row = id === ctx.companyId ? await ctx.tx.row(companySql(id, lock)) : undefined;
  if (row === undefined) throw notFound('Company');
  return row;
}

function requireGood({ displayname, timeZone, details }: CompanyRow, input: CompanyInput): void {
  const { emailAddress, isIndividual } = details;
  const { name, ...fields }: FieldMessages = checkEntity(
    { ...input, name: details.name ?? displayname, emailAddress, isIndividual },
    COMPANY,
  );
  // A form without a field for the legal name finds the sentence at the name that it has.
  if (name !== undefined) fields[typeof input.name === 'string' ? 'name' : 'displayname'] = name;
  if (!isTimeZone(timeZone)) fields['timeZone'] = 'Please select a time zone';
  if (!input.addresses && input.countryId && !countries.some((each) => each.countryId === input.countryId)) {
    fields['countryId'] = 'Please Select a Country';
  }
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}
