import { Company } from '@evenkeel/contract/company';
import type { CompanyInput } from '@evenkeel/contract/settings';
import { checkEntity, COMPANY } from '@evenkeel/core/entities';
import { conflict, type FieldMessages, notFound, refuseFields } from '@evenkeel/core/failure';
import { countries } from '@evenkeel/core/geography.data';
import { isTimeZone } from '../../platform/clock.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { memberships } from '../../platform/http/session.ts';
import { type CheckedLogo, logoOf, planLogo } from './logo.ts';
import { merged, toCompany } from './company-record.ts';
import { companies, type CompanyRow } from './company.sql.ts';
import { companyParty, keepParty, OWN_PARTY } from '../../books/parties.ts';
import { definitionsOf, keptValues } from './properties.ts';

const subject: Subject<typeof Company> = { name: 'company', schema: Company, idOf: (company) => company.id };

/** Returns the user's company. Throws 404 if the given ID belongs to another company. */
export async function getCompany(ctx: Ctx, id: number = ctx.companyId): Promise<Company> {
  const [row, logo] = await Promise.all([load(ctx, id, false), logoOf(ctx)]);
  return toCompany(row, logo);
}

/**
 * Saves the company. Omitted fields keep their values. A new time zone takes effect with each user's next request.
 * Throws 404 for another company's ID, 409 'stale' for an outdated version, and 422 if validation fails (core/entities)
 * or if the time zone or a custom field is unknown.
 */
export async function updateCompany(
  ctx: Ctx,
  id: number,
  input: CompanyInput,
  checked?: CheckedLogo,
): Promise<Company> {
  const [stored, known, logo] = await Promise.all([
    load(ctx, id, true),
    ctx.tx.rows(definitionsOf(COMPANY)),
    planLogo(ctx, input.logo, checked),
  ]);
  const before = toCompany(stored, logo.before);
  requireFresh(Company, before, input.rowVersion);
  const row = merged(stored, input);
  requireGood(row, input);
  if (input.extendedProperties) {
    const { extendedProperties: sent = [] } = row.details;
    row.details.extendedProperties = keptValues(sent, before.extendedProperties, known);
  }
  const after = toCompany(row, logo.after);
  const write = [companies.update({ id }, row), ...logo.write, ...copies(ctx, stored, row), ...kept(before, after)];
  return record(ctx, subject, { before, after, write });
}

/**
 * Completes first-time setup and saves the company's name and address. Throws 409 if setup is already complete. A
 * second request that arrives at the same time waits and then gets 409.
 */
export async function endSetup(ctx: Ctx, input: CompanyInput = {}): Promise<Company> {
  const [stored, logo] = await Promise.all([load(ctx, ctx.companyId, true), logoOf(ctx)]);
  if (stored.setupCompleted) throw conflict('Setup is already complete. Your answers were not saved.');
  const row = { ...merged(stored, input), setupCompleted: true };
  const [before, after] = [toCompany(stored, logo), toCompany(row, logo)];
  const write = [companies.update({ id: ctx.companyId }, row), ...copies(ctx, stored, row), ...kept(before, after)];
  return record(ctx, subject, { before, after, write });
}

/**
 * Memberships store a copy of the name and time zone, so that one query can read a session and today's date, or all of
 * a user's companies.
 */
function copies({ companyId }: Ctx, stored: CompanyRow, { timeZone, displayname }: CompanyRow) {
  if (timeZone === stored.timeZone && displayname === stored.displayname) return [];
  return [memberships.update({ companyId }, { timeZone, companyName: displayname })];
}

const kept = (before: Company, after: Company) =>
  keepParty({
    entityId: OWN_PARTY,
    lastVersion: before.rowVersion,
    before: companyParty(before),
    after: companyParty(after),
  });

async function load(ctx: Ctx, id: number, lock: boolean): Promise<CompanyRow> {
  const row =
    id === ctx.companyId ? await ctx.tx.row(companies.find({ id }, lock ? { lock: 'for update' } : {})) : undefined;
  if (row === undefined) throw notFound('Company');
  return row;
}

function requireGood({ displayname, timeZone, details }: CompanyRow, input: CompanyInput): void {
  const { emailAddress, isIndividual } = details;
  const { name, ...fields }: FieldMessages = checkEntity(
    { ...input, name: details.name ?? displayname, emailAddress, isIndividual },
    COMPANY,
  );
  // A form that has no field for the legal name shows the message next to its name field.
  if (name !== undefined) fields[typeof input.name === 'string' ? 'name' : 'displayname'] = name;
  if (!isTimeZone(timeZone)) fields['timeZone'] = 'Please select a time zone';
  if (!input.addresses && input.countryId && !countries.some((each) => each.countryId === input.countryId)) {
    fields['countryId'] = 'Please Select a Country';
  }
  refuseFields(fields);
}
