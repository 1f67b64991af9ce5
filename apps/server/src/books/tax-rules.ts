import { LawValueField } from '@evenkeel/contract/taxrules';
import { decode } from '@evenkeel/contract/wire';
import { addDays } from '@evenkeel/core/dates';
import { includedLaw } from '@evenkeel/core/taxes/law.data';
import type { FormPart } from '@evenkeel/core/taxes/ids';
import { type LawRule, type LawTopic, lawValueOf } from '@evenkeel/core/taxes/law';
import { sql } from 'kysely';
import type { Ctx } from '../platform/http/context.ts';
import { type RowOf, table } from '../platform/db/table.ts';

/** A company's own tax rules, and the rules that come with Evenkeel. */

export const taxRules = table('tax_rule', {
  id: 'id',
  state: 'state',
  topic: 'topic',
  forFrequency: 'for_frequency',
  forForm: 'for_form',
  from: 'effective_from',
  value: 'value',
  note: 'note',
  source: 'source',
  person: 'person',
  changedAt: 'changed_at',
  rowVersion: 'row_version',
}).typed<{ topic: LawTopic; forForm: FormPart | null }>();
export type TaxRuleRow = RowOf<typeof taxRules>;

/** A tax rule that the company added. */
export type OwnRule = LawRule & Pick<TaxRuleRow, 'id' | 'person' | 'changedAt' | 'rowVersion'>;

/** Returns the company's own rules, latest first. Each rule applies until the day before the next rule. */
export async function ownRules({ tx }: Pick<Ctx, 'tx'>): Promise<OwnRule[]> {
  const rows = await tx.rows(
    taxRules.find({}, { orderBy: sql`state, topic, for_frequency, for_form, effective_from desc` }),
  );
  return rows.map((row, at) => {
    const next = rows[at - 1];
    const isNext =
      next?.state === row.state &&
      next.topic === row.topic &&
      next.forFrequency === row.forFrequency &&
      next.forForm === row.forForm
        ? next
        : undefined;
    const value = lawValueOf(decode(LawValueField, row.value));
    return { ...row, value, to: isNext === undefined ? null : addDays(isNext.from, -1), isOwn: true };
  });
}

/** Returns all rules: the company's own rules and the included ones. */
export async function lawRules(ctx: Pick<Ctx, 'tx'>): Promise<readonly LawRule[]> {
  return [...(await ownRules(ctx)), ...includedLaw];
}
