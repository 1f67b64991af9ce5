import { Company, type CompanyInput } from '@evenkeel/contract/settings';
import { encode } from '@evenkeel/contract/wire';
import { isEmailAddress } from '@evenkeel/core/email';
import { type FieldMessages, notFound, refuse } from '@evenkeel/core/failure';
import { countries, UNITED_STATES } from '@evenkeel/core/geography.data';
import { isTimeZone } from '../clock.ts';
import { audit } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { type CompanyRow, companySql, propertiesSql, updateCompanySql, updateTimeZoneSql } from './company.sql.ts';

/** The user's own company; with an id, 404 unless it is that one. */
export async function getCompany(ctx: Ctx, id: number = ctx.companyId): Promise<Company> {
  return toCompany(await load(ctx, id, false));
}

/**
 * Saves the company; what the input does not mention stays. A new time zone holds from the next request of each of its
 * users. 404 for another id, 409 'stale', 422 for a blank name, a bad e-mail, an unknown time zone or country.
 */
export async function updateCompany(ctx: Ctx, id: number, input: CompanyInput): Promise<Company> {
  const stored = await load(ctx, id, true);
  const before = toCompany(stored);
  requireFresh(Company, before, input.rowVersion);
  const row = applied(stored, input);
  requireGood(row);
  const after = toCompany(row);
  ctx.tx.last(updateCompanySql(ctx.companyId, row));
  if (row.timeZone !== stored.timeZone) ctx.tx.last(updateTimeZoneSql(ctx.companyId, row.timeZone));
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

function toCompany({ details, ...row }: CompanyRow): Company {
  return {
    ...row,
    name: row.displayname,
    emailAddress: details.emailAddress ?? '',
    phone: details.phone ?? '',
    address1: details.address1 ?? '',
    address2: details.address2 ?? '',
    city: details.city ?? '',
    state: details.state ?? '',
    zipCode: details.zipCode ?? '',
    countryId: details.countryId ?? UNITED_STATES,
  };
}

function applied(stored: CompanyRow, input: CompanyInput): CompanyRow {
  const before = toCompany(stored);
  return {
    ...stored,
    displayname: input.displayname ?? stored.displayname,
    timeZone: input.timeZone ?? stored.timeZone,
    details: {
      emailAddress: input.emailAddress ?? before.emailAddress,
      phone: input.phone ?? before.phone,
      address1: input.address1 ?? before.address1,
      address2: input.address2 ?? before.address2,
      city: input.city ?? before.city,
      state: input.state ?? before.state,
      zipCode: input.zipCode ?? before.zipCode,
      countryId: input.countryId || before.countryId,
    },
    rowVersion: stored.rowVersion + 1,
  };
}

function requireGood({ displayname, timeZone, details }: CompanyRow): void {
  const fields: FieldMessages = {};
  const email = details.emailAddress ?? '';
  if (displayname === '') fields['displayname'] = 'Please enter a Company name';
  if (!isTimeZone(timeZone)) fields['timeZone'] = 'Please select a time zone';
  // A company may have none: nothing is sent to it, it is printed on invoices.
  if (email !== '' && !isEmailAddress(email)) fields['emailAddress'] = 'Please enter a valid email address';
  if (!countries.some((country) => country.countryId === details.countryId)) {
    fields['countryId'] = 'Please Select a Country';
  }
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}
