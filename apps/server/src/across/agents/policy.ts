import {
  type AgentPolicy,
  DEFAULT_POLICY,
  POLICY_GROUPS,
  type PolicyGroup,
  type PolicyRule,
  policyGroups,
} from '@evenkeel/contract/agents';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { accountLabel, accountTypeInfo } from '@evenkeel/core/books/accounts';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import type { AccountRow } from '../../books/ledger/accounts.sql.ts';
import { fieldsOf } from './operations.ts';
import type { Watched } from '../../books/ledger/journal.ts';

/** An API key's policy, which determines the changes that an agent may commit and the changes that need approval. */

/**
 * The group of operations that create or update records, by the first segment of the path. Paths that are not listed
 * belong to `other`.
 */
const GROUPS: Readonly<Record<string, PolicyGroup>> = {
  billinginvoice: 'invoices',
  billingpayment: 'payments',
  billingpayments: 'payments',
  expenseinvoice: 'bills',
  expensepayment: 'payBills',
  expensepayments: 'payBills',
  billingcredit: 'writeOffs',
  writeoff: 'writeOffs',
  sending: 'send',
  reports: 'send',
};

/** The group of each action on a bank transaction. Actions that are not listed belong to `other`. */
const BANK_ACTIONS: Readonly<Record<string, PolicyGroup>> = {
  match: 'match',
  add: 'categorize',
  transfer: 'categorize',
  pay: 'payBills',
};

/** Returns the group of an operation in a policy. `body` is the operation's decoded body. */
export function groupOf({ method, path }: Endpoint, body: unknown): PolicyGroup {
  const fields = fieldsOf(body);
  const [, first = ''] = path.split('/');
  if (method === 'DELETE' || path.includes('/ReverseTransaction/')) return 'delete';
  if (first === 'bankline') return BANK_ACTIONS[String(fields['action'])] ?? 'other';
  if (path.endsWith('/PostTransaction')) return 'journal';
  // A void invoice or bill keeps its number.
  if (fields['void'] === true || fields['isVoid'] === true) return 'delete';
  // A negative payment is a refund.
  const amount = fields['paymentAmount'];
  if (typeof amount === 'number' && amount < 0) return 'writeOffs';
  return GROUPS[first] ?? 'other';
}

/** Returns a group's rule. Changes in a group without a rule need approval. */
export function ruleOf({ rules }: AgentPolicy, group: PolicyGroup): PolicyRule {
  const none: PolicyRule = { group, mode: 'approval', each: null, day: null, count: null };
  return rules.find((rule) => rule.group === group) ?? none;
}

/** Returns whether an account is off limits to every API key: equity, opening balances, suspense, or rounding. */
export function isLocked({ type, name }: Pick<AccountRow, 'type' | 'name'>): boolean {
  return accountTypeInfo(type).root === 'Equity' || /\b(suspense|rounding)\b/i.test(name);
}

/** Returns the amount of a change: its total debits, on the accrual or cash basis, whichever is higher. */
export function amountOf({ transactions }: Pick<Watched, 'transactions'>): Cents {
  const lines = transactions.flatMap((transaction) => transaction.lines);
  const debits = (basis: ReportBasis): Cents =>
    sum(
      lines
        .filter((line) => line.amount > 0 && line.basis !== (basis === 'accrual' ? 'C' : 'A'))
        .map(({ amount }) => amount),
    );
  return cents(Math.max(debits('accrual'), debits('cash')));
}

/** The changes in a group that a key committed today without approval. */
export interface Used {
  amount: Cents;
  count: number;
}

export interface PolicyChange {
  group: PolicyGroup;
  amount: Cents;
  /** The accounts on the lines of the change. */
  accountIds: ReadonlySet<number>;
}

export interface Verdict {
  /** `approval` means that a person must approve the change. */
  decision: 'allowed' | 'approval' | 'refused';
  why: string | null;
}

const refused = (why: string): Verdict => ({ decision: 'refused', why });
const approval = (why: string): Verdict => ({ decision: 'approval', why });
const allowed: Verdict = { decision: 'allowed', why: null };

/** The advice for a change that can't be approved. */
const PERSON = 'A user can make this change in Evenkeel.';

/** Decides whether a key may commit a change. `accounts` are all accounts of the company. */
export function judge(
  policy: AgentPolicy,
  { group, amount, accountIds }: PolicyChange,
  { used, accounts, useNumbers }: { used: Used; accounts: readonly AccountRow[]; useNumbers: boolean },
): Verdict {
  const { label, isCounted } = POLICY_GROUPS[group];
  const touched = accounts.filter(({ id }) => accountIds.has(id));
  const locked = touched.find(isLocked);
  if (locked !== undefined)
    return refused(`API keys can't post to the account ${accountLabel(locked, useNumbers)}. ${PERSON}`);
  const excluded = touched.find(({ id }) => policy.accountIds.includes(id));
  if (excluded !== undefined) {
    return refused(`The policy of this API key excludes the account ${accountLabel(excluded, useNumbers)}. ${PERSON}`);
  }
  const rule = ruleOf(policy, group);
  if (rule.mode === 'never') return refused(`The policy of this API key excludes "${label}". ${PERSON}`);
  if (rule.mode === 'approval') return approval(`"${label}" always needs approval`);
  if (isCounted) {
    const count = rule.count ?? 0;
    return used.count < count ? allowed : approval(`More than the maximum of ${count} per day for "${label}"`);
  }
  const each = rule.each ?? cents(0);
  const day = rule.day ?? cents(0);
  if (amount > each) return approval(`Above the maximum of ${formatAmount(each)} per change for "${label}"`);
  const total = cents(used.amount + amount);
  if (total <= day) return allowed;
  const today = formatAmount(total);
  return approval(
    `Above the maximum of ${formatAmount(day)} per day for "${label}", because today's total would be ${today}`,
  );
}

const RANKS = { never: 0, approval: 1, upTo: 2 } as const;

/** Returns whether a policy allows anything that another policy doesn't allow. */
export function isLooser(now: AgentPolicy, before: AgentPolicy = DEFAULT_POLICY): boolean {
  if (before.accountIds.some((id) => !now.accountIds.includes(id))) return true;
  return policyGroups.some((group) => {
    const [a, b] = [ruleOf(now, group), ruleOf(before, group)];
    if (a.mode !== b.mode) return RANKS[a.mode] > RANKS[b.mode];
    return (a.each ?? 0) > (b.each ?? 0) || (a.day ?? 0) > (b.day ?? 0) || (a.count ?? 0) > (b.count ?? 0);
  });
}
