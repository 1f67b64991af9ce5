import type { agentCalls, AgentPolicy, PolicyRule } from '@evenkeel/contract/agents';
import { POLICY_GROUPS, type PolicyGroup, policyGroups } from '@evenkeel/contract/agents';
import type { BodyOf } from '@evenkeel/contract/endpoint';
import type { PasskeyAnswer } from '@evenkeel/contract/passkeys';
import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import { Money } from '../../records/formFields.ts';

/** The data of the form for an agent's policy, its validation, and its request. */

const RuleForm = z.object({
  mode: z.enum(['never', 'approval', 'upTo']),
  each: Money.nullable(),
  day: Money.nullable(),
  count: z.number().nullable(),
});
export type RuleForm = z.output<typeof RuleForm>;

export const PolicyForm = z.object({
  rules: z.record(z.string(), RuleForm),
  accountIds: z.array(z.number()),
  rowVersion: z.number(),
});
export type PolicyForm = z.output<typeof PolicyForm>;

/** Returns whether a policy can allow a group without approval. */
export const canBeAllowed = (group: PolicyGroup): boolean => group !== 'other';

const NOTHING: RuleForm = { mode: 'approval', each: null, day: null, count: null };

export const ruleIn = ({ rules }: PolicyForm, group: PolicyGroup): RuleForm => rules[group] ?? NOTHING;

export const policyFormOf = ({ policy, rowVersion }: { policy: AgentPolicy; rowVersion: number }): PolicyForm => ({
  rules: Object.fromEntries(policy.rules.map(({ group, ...rule }) => [group, rule])),
  accountIds: policy.accountIds,
  rowVersion,
});

const AMOUNT = 'Please enter an amount greater than 0.00';

/** Returns messages by field, such as `bills.each`. */
export function policyFaults(form: PolicyForm): FieldMessages {
  const faults: FieldMessages = {};
  for (const group of policyGroups) {
    const { mode, each, day, count } = ruleIn(form, group);
    if (mode !== 'upTo') continue;
    if (POLICY_GROUPS[group].isCounted) {
      if ((count ?? 0) < 1) faults[`${group}.count`] = 'Please enter a number greater than 0';
      continue;
    }
    if ((each ?? 0) <= 0) faults[`${group}.each`] = AMOUNT;
    if ((day ?? 0) <= 0) faults[`${group}.day`] = AMOUNT;
    if ((each ?? 0) > 0 && (day ?? 0) > 0 && (day ?? 0) < (each ?? 0)) {
      faults[`${group}.day`] = "The maximum per day can't be less than the maximum per change";
    }
  }
  return faults;
}

/** The password or passkey that confirms a looser policy. */
export interface PolicyProof {
  password: string;
  passkey?: PasskeyAnswer | undefined;
}

/** Returns the request. Groups without a rule need approval. */
export function policyInput(
  form: PolicyForm,
  { password, passkey }: PolicyProof,
): BodyOf<typeof agentCalls.setKeyPolicy> {
  const rules = policyGroups.flatMap((group): PolicyRule[] => {
    const { mode, each, day, count } = ruleIn(form, group);
    if (mode === 'approval') return [];
    if (mode === 'never') return [{ group, mode, each: null, day: null, count: null }];
    const limits = POLICY_GROUPS[group].isCounted ? { each: null, day: null, count } : { each, day, count: null };
    return [{ group, mode, ...limits }];
  });
  const { accountIds, rowVersion } = form;
  const proof = passkey === undefined ? (password === '' ? {} : { password }) : { passkey };
  return { rules, accountIds, rowVersion, ...proof };
}
