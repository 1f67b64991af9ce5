import { TaxAgency, type TaxAgencyInput } from '@evenkeel/contract/taxreturns';
import { ACCOUNT_INACTIVE } from '@evenkeel/core/books/accounts';
import { filingFrequencies } from '@evenkeel/core/documents/salestax';
import { conflict, type FieldMessages, notFound, refuseFields } from '@evenkeel/core/failure';
import { periodOf } from '@evenkeel/core/taxes/due';
import { lawOn } from '@evenkeel/core/taxes/law';
import { lawRules } from '../../books/tax-rules.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { agencies, agenciesSql, agencyItems, knownItemsSql, liabilityAccount, returns } from './taxes.sql.ts';

const subject: Subject<typeof TaxAgency> = { name: 'tax agency', schema: TaxAgency, idOf: ({ id }) => id };

/** Returns the agencies, sorted by name. */
export function listTaxAgencies(ctx: Ctx): Promise<TaxAgency[]> {
  return ctx.tx.rows(agenciesSql());
}

/** Returns one agency. Throws 404 if it does not exist. */
export async function taxAgency(ctx: Ctx, id: number): Promise<TaxAgency> {
  const row = await ctx.tx.row(agenciesSql(id));
  if (row === undefined) throw notFound('Tax agency');
  return row;
}

/** Returns an agency's columns. Throws 422 with the invalid fields. */
async function columnsOf(ctx: Ctx, input: TaxAgencyInput) {
  const { name, state, accountId, itemIds, frequency, basis, startDate } = input;
  const [account, known, rules] = await Promise.all([
    ctx.tx.row(liabilityAccount(accountId)),
    ctx.tx.rows(knownItemsSql(itemIds)),
    lawRules(ctx),
  ]);
  const fields: FieldMessages = {};
  const firstMonth = input.firstMonth ?? 1;
  if (name === '') fields['name'] = 'Please enter a name';
  if (!/^[A-Z]{2}$/.test(state)) fields['state'] = 'Please Select a State';
  if (!filingFrequencies.some(({ id }) => id === frequency)) fields['frequency'] = 'Please Select a Frequency';
  if (firstMonth < 1 || firstMonth > 12) fields['firstMonth'] = 'Please select a month';
  if (account?.active !== true) {
    fields['accountId'] = account === undefined ? 'Please Select an Account' : ACCOUNT_INACTIVE;
  }
  if (itemIds.length === 0) fields['itemIds'] = 'Please select the tax items that you report to the agency';
  else if (known.length < new Set(itemIds).size) fields['itemIds'] = "A selected tax item doesn't exist";
  const asked = { state, frequency, date: ctx.today };
  if (basis === 'cash' && lawOn(rules, { ...asked, topic: 'basis' })?.basis === 'accrual') {
    fields['basis'] = 'This state requires the accrual basis';
  }
  refuseFields(fields);
  const { from } = periodOf({ frequency, firstMonth }, startDate);
  return { name, state, accountId, frequency, firstMonth, basis, startDate: from };
}

const rowsOf = (agencyId: number, itemIds: readonly number[]) =>
  [...new Set(itemIds)].map((itemId) => ({ agencyId, itemId }));

/**
 * Creates an agency, whose first period contains the start date. Throws 422 with the invalid fields, and 409 if a tax
 * item belongs to another agency.
 */
export async function createTaxAgency(ctx: Ctx, input: TaxAgencyInput): Promise<TaxAgency> {
  const columns = await columnsOf(ctx, input);
  const { id } = await ctx.tx.one(agencies.insert(columns, ['id']));
  await ctx.tx.rows(agencyItems.insertMany(rowsOf(id, input.itemIds)));
  return record(ctx, subject, { after: await taxAgency(ctx, id) });
}

/**
 * Saves an agency. Throws 404, 409 'stale', and the errors of createTaxAgency. After the first return is filed, only
 * the name can change, because its periods and documents depend on the rest (409).
 */
export async function updateTaxAgency(ctx: Ctx, id: number, input: TaxAgencyInput): Promise<TaxAgency> {
  await ctx.tx.rows(agencies.find({ id }, { lock: 'for update' }));
  const before = await taxAgency(ctx, id);
  requireFresh(TaxAgency, before, input.rowVersion);
  const columns = await columnsOf(ctx, input);
  const { name: _, rowVersion: __, id: ___, itemIds, ...terms } = before;
  const isSame =
    Object.entries(terms).every(([field, value]) =>
      Object.entries(columns).some(([f, v]) => f === field && v === value),
    ) && itemIds.join(' ') === [...new Set(input.itemIds)].toSorted((a, b) => a - b).join(' ');
  if (!isSame && (await ctx.tx.row(returns.find({ agencyId: id }))) !== undefined) {
    throw conflict('This agency has filed returns, so you can change only its name. Add another agency instead.');
  }
  await ctx.tx.rows(agencies.update({ id }, { ...columns, rowVersion: before.rowVersion + 1 }));
  await ctx.tx.rows(agencyItems.delete({ agencyId: id }));
  await ctx.tx.rows(agencyItems.insertMany(rowsOf(id, input.itemIds)));
  return record(ctx, subject, { before, after: await taxAgency(ctx, id) });
}
