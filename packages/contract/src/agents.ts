import * as z from 'zod';
import { endpoint, type Endpoint } from './endpoint.ts';
import { DateField, Id, IdText, maybe, Moment, text, Usd } from './fields.ts';
import { Rehearsal } from './rehearsal.ts';

/** Agents, which propose changes at /mcp and commit them within the policy of their API key. docs/agents.md. */

/** The groups of operations in a policy. `isCounted` groups have a number a day instead of amounts. */
export const POLICY_GROUPS = {
  match: { label: 'Match bank transactions', isCounted: true },
  categorize: { label: 'Categorize bank transactions', isCounted: false },
  invoices: { label: 'Create invoices', isCounted: false },
  payments: { label: 'Record customer payments', isCounted: false },
  bills: { label: 'Enter bills', isCounted: false },
  payBills: { label: 'Pay bills', isCounted: false },
  journal: { label: 'Journal entries', isCounted: false },
  send: { label: 'Send invoices and reminders', isCounted: true },
  writeOffs: { label: 'Write-offs, refunds, and credit memos', isCounted: false },
  delete: { label: 'Void or delete', isCounted: false },
  /** Only people make these changes. */
  other: { label: 'Everything else', isCounted: true },
} as const satisfies Record<string, { label: string; isCounted: boolean }>;
export type PolicyGroup = keyof typeof POLICY_GROUPS;

const isGroup = (name: string): name is PolicyGroup => Object.hasOwn(POLICY_GROUPS, name);
export const policyGroups = Object.keys(POLICY_GROUPS).filter(isGroup);

/** The highest number a day for counted groups. */
export const MOST_COUNT = 10_000;

/** Whether a key may commit the operations of a group. Only `upTo` has limits. */
const PolicyRule = z.object({
  group: z.enum(policyGroups),
  mode: z.enum(['never', 'upTo']),
  /** The highest amount of one operation. Null for counted groups. */
  each: Usd.nullable(),
  /** The highest amount a day. Null for counted groups. */
  day: Usd.nullable(),
  /** For counted groups: the highest number a day. */
  count: z.number().int().min(0).max(MOST_COUNT).nullable(),
});
export type PolicyRule = z.output<typeof PolicyRule>;

export const AgentPolicy = z.object({
  /** The key can only propose operations of groups without a rule. */
  rules: z.array(PolicyRule).max(50),
  /** Accounts that the key may never use, besides those that no key may use. */
  accountIds: z.array(Id).max(500),
});
export type AgentPolicy = z.output<typeof AgentPolicy>;

/** The policy of a key without a saved one: it can read and propose. */
export const DEFAULT_POLICY: AgentPolicy = { rules: [], accountIds: [] };

/** A key's policy, and the changes that the key has committed today. */
const KeyPolicy = z.object({
  keyId: Id,
  keyName: z.string(),
  /** Whether a policy was saved. A key with a policy writes only through proposals. */
  isSaved: z.boolean(),
  policy: AgentPolicy,
  used: z.array(z.object({ group: z.string(), amount: Usd, count: z.number().int() })),
  /** The accounts that no key may use. */
  locked: z.array(z.object({ accountId: Id, account: z.string() })),
});

export type KeyPolicy = z.output<typeof KeyPolicy>;

export const KeyPolicyRecord = z.object({ id: Id, name: z.string(), policy: AgentPolicy });

export const AgentAccess = z.object({ id: Id, isOn: z.boolean() });
export type AgentAccess = z.output<typeof AgentAccess>;

/** Input of an operation in the format of the API. */
const OperationInput = {
  params: maybe(z.record(z.string(), z.unknown())),
  query: maybe(z.record(z.string(), z.unknown())),
  body: z.unknown().optional(),
};

const Proposed = z.object({
  proposalId: Id,
  /** Commits the proposal. Valid for this key and for 15 minutes. */
  token: z.string(),
  expiresAt: Moment,
  operation: z.string(),
  group: z.string(),
  amount: Usd,
  /** Whether the policy allows the key to commit the change now, and if not, why. */
  commit: z.enum(['allowed', 'refused']),
  why: z.string().nullable(),
  /** The usual response of the operation, with provisional record IDs. */
  reply: z.unknown(),
  rehearsal: Rehearsal,
});

const Committed = z.object({
  proposalId: Id,
  /** The usual response of the operation. */
  reply: z.unknown(),
});

const Undone = z.object({
  day: DateField,
  /** Whether it was undone. Without `confirm`, the changes are only listed. */
  isUndone: z.boolean(),
  changes: z.array(z.object({ proposalId: Id, operation: z.string(), title: z.string(), amount: Usd })),
});

const params = z.object({ id: IdText });

export const agentCalls = {
  getAgentAccess: endpoint({
    method: 'GET',
    path: '/agents',
    needs: 'Administrator',
    summary: 'Returns whether agents can connect at /mcp.',
    reply: AgentAccess,
  }),
  setAgentAccess: endpoint({
    method: 'PUT',
    path: '/agents',
    needs: 'Administrator',
    summary: 'Lets agents connect at /mcp, or stops them.',
    body: z.object({ isOn: z.boolean() }),
    reply: AgentAccess,
  }),
  getKeyPolicy: endpoint({
    method: 'GET',
    path: '/apikeys/{id}/policy',
    needs: 'Administrator',
    summary: "Returns an API key's policy for agents and the amounts that the key has committed today.",
    params,
    reply: KeyPolicy,
  }),
  setKeyPolicy: endpoint({
    method: 'PUT',
    path: '/apikeys/{id}/policy',
    needs: 'Administrator',
    summary: "Sets an API key's policy for agents. A looser policy requires your password.",
    params,
    body: AgentPolicy.extend({ password: maybe(z.string().max(1000)) }),
    reply: KeyPolicyRecord,
    noRehearsal: true,
  }),
  propose: endpoint({
    method: 'POST',
    path: '/proposals',
    needs: 'by record',
    ofAgents: true,
    summary: 'Rehearses an operation for an agent and returns its effects with a token that commits them.',
    body: z.object({
      operation: maybe(text(200)),
      ...OperationInput,
      client: maybe(text(100)),
      /** The token of an earlier proposal of this key, whose operation is proposed again. */
      again: maybe(text(100)),
    }),
    reply: Proposed,
    answersSecret: true,
    noRehearsal: true,
  }),
  commit: endpoint({
    method: 'POST',
    path: '/proposals/commit',
    needs: 'by record',
    ofAgents: true,
    summary:
      'Commits a proposal within the policy of the API key. Returns 403 beyond the policy, and 409 `stale` if the ' +
      'books have changed since the proposal.',
    body: z.object({ token: text(100) }),
    reply: Committed,
    noRehearsal: true,
  }),
  undoProposals: endpoint({
    method: 'POST',
    path: '/proposals/undo',
    needs: 'by record',
    ofAgents: true,
    summary: 'Undoes all changes that the API key committed on a day, or none of them.',
    body: z.object({ day: maybe(DateField), confirm: maybe(z.boolean()) }),
    reply: Undone,
    noRehearsal: true,
  }),
} satisfies Record<string, Endpoint>;
