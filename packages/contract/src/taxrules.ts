import { formPartIds, taxRoundingIds } from '@evenkeel/core/taxes/ids';
import { badDebtOrderIds, lawBasisIds, lawTopicIds } from '@evenkeel/core/taxes/law';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField, decimalField, Done, Id, IdText, LineId, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/**
 * Sales tax rules of the states, and federal rules for 1099 forms: the rules that the product includes, and a company's
 * own rules.
 */

const Percent = decimalField(6, 1_000_000);

/** The value of a rule. `topic` determines which fields have a value. The other fields are null. */
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
  /**
   * Discount: the percentage of the tax, or of its first `upTo`. Prepayment: the percentage of the period's tax. Backup
   * withholding: the rate.
   */
  percent: Percent.nullable(),
  upTo: Usd.nullable(),
  /** Discount: the percentage of the tax above `upTo`. */
  restPercent: Percent.nullable(),
  /** Discount: the largest discount. Null means unlimited. */
  most: Usd.nullable(),
  /** The amount at which prepayments become due, or at which payments to a vendor are reported on a 1099 form. */
  threshold: Usd.nullable(),
  basis: z.enum(lawBasisIds).nullable(),
  rounding: z.enum(taxRoundingIds).nullable(),
  order: z.enum(badDebtOrderIds).nullable(),
});

/** Fields for other topics can be omitted. */
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
  /** 0 for a rule that the product includes. */
  id: Id,
  /** The abbreviation of the state, or US for a federal rule. */
  state: z.string(),
  topic: z.enum(lawTopicIds),
  /** The filing frequency that the rule applies to. Null for all frequencies. */
  forFrequency: z.number().int().nullable(),
  /** The 1099 form or box that a federal rule applies to. Null for other rules. */
  forForm: z.enum(formPartIds).nullable(),
  /** The first and last day that the rule covers. */
  from: DateField,
  to: DateField.nullable(),
  /** Null if no value could be found in an official source. `note` says why. */
  value: LawValueField.nullable(),
  note: z.string(),
  source: z.string(),
  /** Whether the rule is the company's own. */
  isOwn: z.boolean(),
  /** The administrator who saved a company's own rule, and the time. */
  changedBy: z.string().nullable(),
  changedAt: Moment.nullable(),
  rowVersion: RowVersion,
});
export type TaxRule = z.output<typeof TaxRule>;

export const TaxRuleInput = z.object({
  id: maybe(LineId),
  state: text(20),
  forFrequency: maybe(z.number().int().min(0).max(3)),
  /** Required for a federal threshold (the box) and due date (the form). */
  forForm: maybe(z.enum(formPartIds)),
  /** January 1 for a federal rule. */
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
    summary:
      "Lists the tax rules for states and for 1099 forms: the company's own rules, followed by the included rules.",
    reply: z.array(TaxRule),
  }),
  createTaxRule: endpoint({
    method: 'POST',
    path: '/taxrule',
    needs: 'Administrator',
    summary: "Creates one of the company's own tax rules, or updates the one with this ID.",
    body: TaxRuleInput,
    names: 'id',
    reply: TaxRule,
  }),
  updateTaxRule: endpoint({
    method: 'PUT',
    path: '/taxrule/{id}',
    needs: 'Administrator',
    summary: "Updates one of the company's own tax rules. Filed returns and forms don't change.",
    params: z.object({ id: IdText }),
    body: TaxRuleInput,
    reply: TaxRule,
  }),
  deleteTaxRule: endpoint({
    method: 'DELETE',
    path: '/taxrule/{id}',
    needs: 'Administrator',
    summary: "Deletes one of the company's own tax rules. The included rule then applies again.",
    params: z.object({ id: IdText }),
    reply: Done,
  }),
};
