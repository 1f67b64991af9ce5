import type { BankRule, BankRuleInput } from '@evenkeel/contract/bankRules';
import type { statementCalls as calls } from '@evenkeel/contract/statements';
import type { CallInput } from '@evenkeel/contract/request';
import type { FieldMessages } from '@evenkeel/core/failure';
import { checkRule } from '@evenkeel/core/banking/matching/rules';
import { decimal } from '@evenkeel/core/money';
import * as z from 'zod';
import { asForm, blankOf, Money } from '../../../records/formFields.ts';

/** The data of the rule form, its validation, and its preview and save requests. */

const RuleLineForm = z.object({
  id: z.number(),
  accountID: z.number().nullable(),
  percent: z.number().nullable(),
  profitcenterid: z.number().nullable(),
  locationid: z.number().nullable(),
});
export type RuleLineForm = z.output<typeof RuleLineForm>;

export const RuleForm = z.object({
  name: z.string(),
  active: z.boolean(),
  bankAccountId: z.number().nullable(),
  direction: z.enum(['in', 'out', 'both']),
  operator: z.enum(['contains', 'is', 'begins']),
  text: z.string(),
  from: Money.nullable(),
  to: Money.nullable(),
  lines: z.array(RuleLineForm),
  entityId: z.number().nullable(),
  memo: z.string(),
  posts: z.boolean(),
  rowVersion: z.number().nullable(),
});
export type RuleForm = z.output<typeof RuleForm>;

const WHOLE = 100;

/** Returns a form line. Its number distinguishes it from other lines. */
export const ruleLine = (id: number, given: Partial<RuleLineForm> = {}): RuleLineForm => ({
  id,
  accountID: null,
  percent: WHOLE,
  profitcenterid: null,
  locationid: null,
  ...given,
});

export function ruleFormOf(saved: BankRule | undefined, starts: Partial<RuleForm> = {}): RuleForm {
  const first = { active: true, direction: 'out' as const, operator: 'contains' as const, lines: [ruleLine(1)] };
  if (saved === undefined) return blankOf(RuleForm, { ...first, ...starts });
  const lines = saved.lines.map(({ percent, ...line }, at) => ({ ...line, id: at + 1, percent: percent.toNumber() }));
  return asForm(RuleForm, { ...saved, lines });
}

const hundredths = (percent: number | null): number => Math.round((percent ?? 0) * WHOLE);

/** Returns messages by field. The messages are the same as the server's. */
export function ruleFaults(form: RuleForm): FieldMessages {
  const lines = form.lines.map(({ accountID, percent }) => ({
    accountId: accountID ?? 0,
    percentHundredths: hundredths(percent),
  }));
  return checkRule({ ...form, lines });
}

export type RehearsalAsk = CallInput<typeof calls.rehearseBankRule>['body'];

/**
 * Returns the part of the request that determines which bank transactions a rule matches and how it categorizes them.
 */
export function rehearsalInput(form: RuleForm): RehearsalAsk {
  const { bankAccountId, direction, operator, text, from, to, entityId, memo } = form;
  const lines = form.lines.map(({ id: _, accountID, percent, ...line }) => ({
    ...line,
    accountID: accountID ?? 0,
    percent: decimal(percent ?? 0),
  }));
  return { bankAccountId, direction, operator, text, from, to, entityId, memo, lines };
}

export function ruleInput(form: RuleForm): BankRuleInput {
  const { name, active, posts, rowVersion } = form;
  return { ...rehearsalInput(form), name, active, posts, rowVersion };
}

/** Returns the request that moves a rule to another position without any other change. */
export function movedRule(rule: BankRule, position: number): BankRuleInput {
  return { ...ruleInput(ruleFormOf(rule)), position };
}

/** Returns the form with another line, which takes the remaining percentage. */
export function withRuleLine(form: RuleForm): RuleForm {
  const taken = form.lines.reduce((all, { percent }) => all + hundredths(percent), 0);
  const id = Math.max(0, ...form.lines.map((line) => line.id)) + 1;
  const percent = Math.max(0, WHOLE * WHOLE - taken) / WHOLE;
  return { ...form, lines: [...form.lines, ruleLine(id, { percent })] };
}
