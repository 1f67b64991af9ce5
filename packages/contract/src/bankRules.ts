import * as z from 'zod';
import { DateField, decimalField, Id, LineId, maybe, RowVersion, text, Usd } from './fields.ts';

/** The states of a bank transaction. A bank transaction is for review until a user or an automatic rule handles it. */
export const LINE_STATES = ['review', 'matched', 'added', 'transferred', 'excluded'] as const;
export type LineState = (typeof LINE_STATES)[number];

/** A line in a rule with its share of the amount, in percent. The shares add up to 100. */
const RuleLine = z.object({
  accountID: Id,
  percent: decimalField(2, 100),
  profitcenterid: Id.nullable(),
  locationid: Id.nullable(),
});
const RuleLineInput = z.object({
  accountID: Id,
  percent: decimalField(2, 100),
  profitcenterid: maybe(Id),
  locationid: maybe(Id),
});

const ruleWords = {
  direction: z.enum(['in', 'out', 'both']),
  operator: z.enum(['contains', 'is', 'begins']),
};

/** A rule that categorizes bank transactions without a match. The first matching rule by position applies. */
export const BankRule = z.object({
  id: Id,
  name: z.string(),
  /** The rule's position, starting with 1. */
  position: z.number().int(),
  active: z.boolean(),
  /** The bank account that the rule is limited to. Null for all accounts. */
  bankAccountId: Id.nullable(),
  ...ruleWords,
  /** The text to look for, ignoring case and repeated white space. An empty string matches every text. */
  text: z.string(),
  /** The minimum and maximum amount, without a sign. Null means no limit. */
  from: Usd.nullable(),
  to: Usd.nullable(),
  lines: z.array(RuleLine),
  entityId: Id.nullable(),
  /** The description of the posted transaction. If empty, the bank's text is used. */
  memo: z.string(),
  /** If false, the rule only makes suggestions. If true, the rule posts automatically when a statement is imported. */
  posts: z.boolean(),
  rowVersion: RowVersion,
});
export type BankRule = z.output<typeof BankRule>;

export const ruleInputFields = {
  bankAccountId: maybe(Id),
  direction: maybe(ruleWords.direction),
  operator: maybe(ruleWords.operator),
  text: maybe(text(200)),
  from: maybe(Usd),
  to: maybe(Usd),
  lines: z.array(RuleLineInput).max(20),
  entityId: maybe(Id),
  memo: maybe(text(500)),
};

/**
 * A rule in a request. By default, a rule applies to all accounts and both directions, uses "contains", has the last
 * position, and only makes suggestions.
 */
export const BankRuleInput = z.object({
  id: maybe(LineId),
  name: maybe(text(100)),
  position: maybe(z.number().int().min(1).max(10_000)),
  active: maybe(z.boolean()),
  ...ruleInputFields,
  posts: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type BankRuleInput = z.output<typeof BankRuleInput>;

/** A rule that is suggested after a user categorizes two bank transactions in the same way. */
export const RuleOffer = z.object({ text: z.string(), bankAccountId: Id, line: RuleLine, accountLabel: z.string() });

/** A preview of a rule: its effect on the bank transactions from the last 12 months. */
export const Rehearsal = z.object({
  from: DateField,
  to: DateField,
  count: z.number().int(),
  sum: Usd,
  /**
   * The first 500 bank transactions, newest first. `now` contains the current accounts and is empty if the transaction
   * is for review.
   */
  lines: z.array(
    z.object({ id: Id, date: DateField, amount: Usd, text: z.string(), state: z.enum(LINE_STATES), now: z.string() }),
  ),
  /** Profit & Loss accounts whose totals would change. `change` has the account's natural sign. */
  accounts: z.array(z.object({ accountID: Id, displayAccountLabel: z.string(), change: Usd })),
  netIncome: Usd,
});
export type Rehearsal = z.output<typeof Rehearsal>;
