import { LawValueField, TaxRule, type TaxRuleInput } from '@evenkeel/contract/taxrules';
import { encode } from '@evenkeel/contract/wire';
import { notFound, refuseFields } from '@evenkeel/core/failure';
import { checkLawRule, lawFields, type LawRule, lawValueOf } from '@evenkeel/core/taxes/law';
import { includedLaw } from '@evenkeel/core/taxes/law.data';
import { sql } from 'kysely';
import { type OwnRule, ownRules, taxRules } from '../../books/tax-rules.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';

const subject: Subject<typeof TaxRule> = { name: 'tax rule', schema: TaxRule, idOf: ({ id }) => id };

const shown = ({ value, ...rule }: LawRule) => ({ ...rule, value: value && lawFields(value) });

const included = (rule: LawRule): TaxRule => ({
  ...shown(rule),
  id: 0,
  changedBy: null,
  changedAt: null,
  rowVersion: 0,
});

function own({ id, rowVersion, person, changedAt, ...rule }: OwnRule): TaxRule {
  return { ...shown(rule), id, rowVersion, changedBy: person, changedAt: changedAt.toISOString() };
}

/** Returns the company's own tax rules, followed by the included ones. */
export async function listTaxRules(ctx: Ctx): Promise<TaxRule[]> {
  return [...(await ownRules(ctx)).map(own), ...includedLaw.map(included)];
}

async function find(ctx: Ctx, id: number): Promise<TaxRule> {
  const found = (await ownRules(ctx)).find((rule) => rule.id === id);
  if (found === undefined) throw notFound('Tax rule');
  return own(found);
}

/** Returns the columns of a rule. Throws 422 with the invalid fields. */
function columnsOf(ctx: Ctx, input: TaxRuleInput) {
  const { state, from, source, note } = input;
  const place = { forFrequency: input.forFrequency ?? null, forForm: input.forForm ?? null };
  const value = lawValueOf(input.value);
  refuseFields(checkLawRule({ state, ...place, from, value, source }));
  return {
    state,
    topic: value.topic,
    ...place,
    from,
    value: encode(LawValueField, lawFields(value)),
    note: note ?? '',
    source,
    person: ctx.by.person,
    changedAt: sql`now()`,
  };
}

/**
 * Creates a tax rule for the company. Throws 422 with the invalid fields, and 409 if the company already has a rule for
 * the same state, topic, frequency or form, and first day.
 */
export async function createTaxRule(ctx: Ctx, input: TaxRuleInput): Promise<TaxRule> {
  const { id } = await ctx.tx.one(taxRules.insert(columnsOf(ctx, input), ['id']));
  return record(ctx, subject, { after: await find(ctx, id) });
}

/** Saves one of the company's tax rules. Throws 404, 409 'stale', and the same errors as createTaxRule. */
export async function updateTaxRule(ctx: Ctx, id: number, input: TaxRuleInput): Promise<TaxRule> {
  await ctx.tx.rows(taxRules.find({ id }, { lock: 'for update' }));
  const before = await find(ctx, id);
  requireFresh(TaxRule, before, input.rowVersion);
  await ctx.tx.rows(taxRules.update({ id }, { ...columnsOf(ctx, input), rowVersion: before.rowVersion + 1 }));
  return record(ctx, subject, { before, after: await find(ctx, id) });
}

/** Deletes one of the company's tax rules. Throws 404 if the rule does not exist. */
export async function deleteTaxRule(ctx: Ctx, id: number): Promise<{ ok: true }> {
  await ctx.tx.rows(taxRules.find({ id }, { lock: 'for update' }));
  record(ctx, subject, { before: await find(ctx, id), write: taxRules.delete({ id }) });
  return { ok: true };
}
