import type { TaxRule, TaxRuleInput } from '@evenkeel/contract/taxrules';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { decimal } from '@evenkeel/core/money';
import { formPartIds, taxRoundingIds } from '@evenkeel/core/taxes/ids';
import {
  badDebtOrderIds,
  blankLaw,
  checkLawRule,
  FEDERAL,
  lawBasisIds,
  lawFields,
  type LawTopic,
  lawTopicIds,
  lawTopicsOf,
  lawValueOf,
} from '@evenkeel/core/taxes/law';
import * as z from 'zod';
import { Day, Money } from '../../records/formFields.ts';

/** The data of a tax rule's form, its validation, and its request. */

const Whole = z.number().nullable();

export const TaxRuleForm = z.object({
  state: z.string().nullable(),
  topic: z.enum(lawTopicIds),
  /** Null for all frequencies. */
  forFrequency: Whole,
  forForm: z.enum(formPartIds).nullable(),
  from: Day.nullable(),
  note: z.string(),
  source: z.string(),
  rowVersion: Whole,
  frequency: Whole,
  firstMonth: Whole,
  months: Whole,
  day: Whole,
  percent: Whole,
  upTo: Money.nullable(),
  restPercent: Whole,
  most: Money.nullable(),
  threshold: Money.nullable(),
  basis: z.enum(lawBasisIds).nullable(),
  rounding: z.enum(taxRoundingIds).nullable(),
  order: z.enum(badDebtOrderIds).nullable(),
});
export type TaxRuleForm = z.output<typeof TaxRuleForm>;

/** Returns the form fields for a rule's value. The fields of other topics are null. */
function valueFields(value: NonNullable<TaxRule['value']>) {
  const { percent, restPercent, ...fields } = value;
  return {
    ...fields,
    percent: percent && Number(percent),
    restPercent: restPercent && Number(restPercent),
  };
}

/** Returns the form for another topic, with that topic's blank fields. */
export function withTopic(form: TaxRuleForm, topic: LawTopic): TaxRuleForm {
  return { ...form, forForm: null, ...valueFields(lawFields(blankLaw(topic))) };
}

/**
 * Returns the form for another state. Federal rules have other topics and no frequency, and they start on January 1.
 */
export function withState(form: TaxRuleForm, state: string | null): TaxRuleForm {
  const topics = lawTopicsOf(state);
  const isSame = (form.state === FEDERAL) === (state === FEDERAL);
  if (isSame) return { ...form, state };
  const topic = topics.find(({ id }) => id === form.topic)?.id ?? topics[0]?.id ?? 'due';
  const from = form.from !== null && state === FEDERAL ? firstDay(form.from) : form.from;
  return { ...withTopic(form, topic), state, forFrequency: null, from };
}

const firstDay = (date: IsoDate): IsoDate => isoDate(`${date.slice(0, 4)}-01-01`);

/**
 * Returns the form for a company's own rule. For a new one, `from` is its first day, and `based` is the included rule
 * that it replaces.
 */
export function taxRuleFormOf(
  saved: TaxRule | undefined,
  { from, based }: { from: IsoDate; based?: TaxRule | undefined },
): TaxRuleForm {
  const rule = saved ?? based;
  const topic = rule?.topic ?? 'due';
  return {
    state: rule?.state ?? null,
    forFrequency: rule?.forFrequency ?? null,
    forForm: rule?.forForm ?? null,
    from: saved?.from ?? (rule?.state === FEDERAL ? firstDay(from) : from),
    note: saved?.note ?? '',
    source: saved?.source ?? '',
    rowVersion: saved?.rowVersion ?? null,
    ...valueFields(rule?.value ?? lawFields(blankLaw(topic))),
  };
}

export function taxRuleInput(form: TaxRuleForm, from: IsoDate): TaxRuleInput {
  const {
    state,
    topic,
    forFrequency,
    forForm,
    note,
    source,
    rowVersion,
    percent,
    restPercent,
    from: _,
    ...fields
  } = form;
  const exact = (typed: number | null) => (typed === null ? null : decimal(typed));
  const value = lawFields(lawValueOf({ ...fields, topic, percent: exact(percent), restPercent: exact(restPercent) }));
  return {
    state: state ?? '',
    forFrequency,
    forForm,
    from,
    value,
    note,
    source,
    ...(rowVersion === null ? {} : { rowVersion }),
  };
}

/** Returns messages by form field (core/taxes/law). */
export function taxRuleFaults(form: TaxRuleForm): FieldMessages {
  const { percent, restPercent, topic, ...fields } = form;
  const exact = (typed: number | null) => (typed === null ? null : decimal(typed));
  const value = lawValueOf({ ...fields, topic, percent: exact(percent), restPercent: exact(restPercent) });
  const faults = checkLawRule({ ...form, state: form.state ?? '', value });
  return placedTaxRule({ ...faults, ...(form.from === null && { from: 'Please enter a date' }) });
}

/** Maps the paths of a request to the fields of the form. */
export function placedTaxRule(fields: FieldMessages): FieldMessages {
  return Object.fromEntries(Object.entries(fields).map(([path, message]) => [path.replace(/^value\./, ''), message]));
}
