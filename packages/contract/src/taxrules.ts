import { taxRoundingIds } from '@evenkeel/core/taxes/ids';
import { badDebtOrderIds, lawBasisIds, lawTopicIds } from '@evenkeel/core/taxes/law';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField, decimalField, Done, Id, IdText, LineId, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/** The rules of sales tax law: those that the product includes, and a company's own. */

const Percent = decimalField(6, 1_000_000);

/** The value of a rule. `topic` says which fields it has, and the others are null. */
export const LawValueField = z.object({
  topic: z.enum(lawTopicIds),
  /** Frequency: 0 annually, 1 semiannually, 2 quarterly, 3 monthly. */
  frequency: z.number().int().nullable(),
  /** Frequency: a month (1 to 12) in which a period starts. */
  firstMonth: z.number().int().nullable(),
  /** Due date: the number of months from the period's last month to the month in which the return is due. */
  months: z.number().int().nullable(),
  /** Due date: the day of that month. 31 is the last day. */
  day: z.number().int().nullable(),
  /** Discount: the percentage of the tax, or of its first `upTo`. Prepayment: the percentage of the period's tax. */
  percent: Percent.nullable(),
  upTo: Usd.nullable(),
  /** Discount: the percentage of the tax above `upTo`. */
  restPercent: Percent.nullable(),
  /** Discount: the largest discount. Null for an unlimited one. */
  most: Usd.nullable(),
  /** Prepayment: the amount from which prepayments are due. */
  threshold: Usd.nullable(),
  basis: z.enum(lawBasisIds).nullable(),
  rounding: z.enum(taxRoundingIds).nullable(),
  order: z.enum(badDebtOrderIds).nullable(),
});

/** Fields of other topics can be omitted. */
const LawValueInput = z.object({
  topic: z.enum(lawTopicIds),
  frequency: maybe(z.number().int()),
  firstMonth: maybe(z.number().int()),
  months: maybe(z.number().int()),
  day: maybe(z.number().int()),
  percent: maybe(Percent),
  upTo: maybe(Usd),
  restPercent: maybe(Percent),
  most: maybe(Usd),
  threshold: maybe(Usd),
  basis: maybe(z.enum(lawBasisIds)),
  rounding: maybe(z.enum(taxRoundingIds)),
  order: maybe(z.enum(badDebtOrderIds)),
});

export const TaxRule = z.object({
  /** 0 for an included rule. */
  id: Id,
  /** The abbreviation of the state. */
  state: z.string(),
  topic: z.enum(lawTopicIds),
  /** The filing frequency that the rule applies to. Null for all of them. */
  forFrequency: z.number().int().nullable(),
  /** The first and last day for which the rule is stated. */
  from: DateField,
  to: DateField.nullable(),
  /** Null if no value could be found in an official source. `note` says why. */
  value: LawValueField.nullable(),
  note: z.string(),
  source: z.string(),
  /** Whether the rule is the company's own. */
  isOwn: z.boolean(),
  /** The administrator who saved a company's own rule, and when. */
  changedBy: z.string().nullable(),
  changedAt: Moment.nullable(),
  rowVersion: RowVersion,
});
export type TaxRule = z.output<typeof TaxRule>;

export const TaxRuleInput = z.object({
  id: maybe(LineId),
  state: text(20),
  forFrequency: maybe(z.number().int().min(0).max(3)),
  from: DateField,
  value: LawValueInput,
  note: maybe(text(300)),
  source: text(200),
  rowVersion: maybe(RowVersion),
});
export type TaxRuleInput = z.output<typeof TaxRuleInput>;

export const taxRuleCalls = {
  listTaxRules: endpoint({
    method: 'GET',
    path: '/taxrule',
    needs: 'signed-in',
    summary: "Lists the rules of sales tax law: the included ones and the company's own, which come first.",
    reply: z.array(TaxRule),
  }),
  createTaxRule: endpoint({
    method: 'POST',
    path: '/taxrule',
    needs: 'Administrator',
    summary: "Creates a company's own rule of sales tax law, or updates the one with this ID.",
    body: TaxRuleInput,
    names: 'id',
    reply: TaxRule,
  }),
  updateTaxRule: endpoint({
    method: 'PUT',
    path: '/taxrule/{id}',
    needs: 'Administrator',
    summary: "Updates a company's own rule of sales tax law. Filed returns don't change.",
    params: z.object({ id: IdText }),
    body: TaxRuleInput,
    reply: TaxRule,
  }),
  deleteTaxRule: endpoint({
    method: 'DELETE',
    path: '/taxrule/{id}',
    needs: 'Administrator',
    summary: "Deletes a company's own rule, after which the included one applies again.",
    params: z.object({ id: IdText }),
    reply: Done,
  }),
};
