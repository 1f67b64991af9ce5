import * as z from 'zod';
import { endpoint, type Endpoint } from './endpoint.ts';
import { DateField, Id, IdText, maybe, Moment, RowVersion, text, Usd } from './fields.ts';
import { PasskeyAnswer } from './passkeys.ts';
import { Rehearsal } from './rehearsal.ts';

/** Agents, which propose changes at /mcp and commit them within their API key's policy (docs/agents.md). */

/**
 * The groups of operations in a policy. Groups with `isCounted` limit the number of operations per day instead of their
 * amounts.
 */
export const POLICY_GROUPS = {
  match: { label: 'Match bank transactions', isCounted: true },
  categorize: { label: 'Categorize bank transactions', isCounted: false },
  invoices: { label: 'Create invoices', isCounted: false },
  payments: { label: 'Record customer payments', isCounted: false },
  bills: { label: 'Enter bills', isCounted: false },
  payBills: { label: 'Pay bills', isCounted: false },
  journal: { label: 'Journal entries', isCounted: false },
  send: { label: 'Send invoices, reminders, and reports', isCounted: true },
  writeOffs: { label: 'Write-offs, refunds, and credit memos', isCounted: false },
  delete: { label: 'Void or delete', isCounted: false },
  /** Changes in this group always need approval or are never allowed. */
  other: { label: 'Everything else', isCounted: true },
} as const satisfies Record<string, { label: string; isCounted: boolean }>;
export type PolicyGroup = keyof typeof POLICY_GROUPS;

const isGroup = (name: string): name is PolicyGroup => Object.hasOwn(POLICY_GROUPS, name);
export const policyGroups = Object.keys(POLICY_GROUPS).filter(isGroup);

/** The highest limit per day for counted groups. */
export const MOST_COUNT = 10_000;

/**
 * The changes in a group that a key may commit: none, only approved changes, or changes up to a limit without approval.
 * Only `upTo` has limits, and a change that exceeds these limits needs approval.
 */
const PolicyRule = z.object({
  group: z.enum(policyGroups),
  mode: z.enum(['never', 'approval', 'upTo']),
  /** The maximum amount of one operation. Null for counted groups. */
  each: Usd.nullable(),
  /** The maximum amount per day. Null for counted groups. */
  day: Usd.nullable(),
  /** For counted groups: the maximum number per day. */
  count: z.number().int().min(0).max(MOST_COUNT).nullable(),
});
export type PolicyRule = z.output<typeof PolicyRule>;

export const AgentPolicy = z.object({
  /** Operations in groups without a rule need approval. */
  rules: z.array(PolicyRule).max(50),
  /** Accounts that the key may never use, in addition to the accounts that no key may use. */
  accountIds: z.array(Id).max(500),
});
export type AgentPolicy = z.output<typeof AgentPolicy>;

/** The policy of a key without a saved policy: the key can read and propose, and every change needs approval. */
export const DEFAULT_POLICY: AgentPolicy = { rules: [], accountIds: [] };

/** A key's policy, and the changes that the key has committed today and in the last 30 days. */
const KeyPolicy = z.object({
  keyId: Id,
  keyName: z.string(),
  /** Whether a policy was saved. A key with a policy writes only through proposals. */
  isSaved: z.boolean(),
  /** The number of times that the policy has been saved. */
  rowVersion: RowVersion,
  policy: AgentPolicy,
  used: z.array(z.object({ group: z.string(), amount: Usd, count: z.number().int() })),
  /** The accounts that no key may use. */
  locked: z.array(z.object({ accountId: Id, account: z.string() })),
  /**
   * The numbers of changes in the last 30 days: changes made without approval, changes that a person approved or
   * rejected, and changes that were undone later.
   */
  lastDays: z.object({
    committed: z.number().int(),
    approved: z.number().int(),
    rejected: z.number().int(),
    undone: z.number().int(),
  }),
});

export type KeyPolicy = z.output<typeof KeyPolicy>;

export const KeyPolicyRecord = z.object({ id: Id, name: z.string(), rowVersion: RowVersion, policy: AgentPolicy });

export const AgentAccess = z.object({ id: Id, isOn: z.boolean() });
export type AgentAccess = z.output<typeof AgentAccess>;

/** The input of an operation in the API's format. */
const OperationInput = {
  params: maybe(z.record(z.string(), z.unknown())),
  query: maybe(z.record(z.string(), z.unknown())),
  body: z.unknown().optional(),
};

const Proposed = z.object({
  proposalId: Id,
  /** The token that commits the proposal. Valid only for this key and for 15 minutes. */
  token: z.string(),
  expiresAt: Moment,
  operation: z.string(),
  group: z.string(),
  amount: Usd,
  /**
   * The result that `commit` would have now: whether the change would be made, sent for approval, or rejected. `why`
   * contains the reason.
   */
  commit: z.enum(['allowed', 'approval', 'refused']),
  why: z.string().nullable(),
  /** The operation's usual response, with provisional record IDs. */
  reply: z.unknown(),
  rehearsal: Rehearsal,
});

const Committed = z.object({
  proposalId: Id,
  /** `waiting` means that nothing was changed, and that a person must approve or reject the change in Approvals. */
  status: z.enum(['committed', 'waiting']),
  /** The reason why the change is waiting for approval. */
  why: z.string().nullable(),
  /** The operation's usual response. Null while the change is waiting for approval. */
  reply: z.unknown(),
});

const PROPOSAL_STATUSES = ['proposed', 'waiting', 'committed', 'approved', 'rejected', 'undone'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** A proposal as it is shown to the agent that made the proposal. */
const ProposalState = z.object({
  proposalId: Id,
  operation: z.string(),
  title: z.string(),
  amount: Usd,
  status: z.enum(PROPOSAL_STATUSES),
  /** The reason why the change is waiting, or was waiting, for approval. */
  why: z.string().nullable(),
  /** The reason that a person gave for rejecting the change. */
  reason: z.string().nullable(),
  createdAt: Moment,
  decidedAt: Moment.nullable(),
  /** The input of the operation in the API's format. If a person changed the proposal, this is the changed input. */
  input: z.unknown(),
  /** The person who changed the proposal before deciding. Null if the input is the one that the agent sent. */
  changedBy: z.string().nullable(),
  changedAt: Moment.nullable(),
});

const Undone = z.object({
  day: DateField,
  /** Whether the changes were undone. Without `confirm`, they are only listed. */
  isUndone: z.boolean(),
  changes: z.array(z.object({ proposalId: Id, operation: z.string(), title: z.string(), amount: Usd })),
});

export const APPROVAL_PARTS = ['waiting', 'approved', 'rejected'] as const;
export type ApprovalPart = (typeof APPROVAL_PARTS)[number];

/** The maximum length of the text that an agent can write about a change. */
const MOST_LETTERS = 500;

/** A change that is waiting, or was waiting, for a person's decision. */
export const Approval = z.object({
  id: Id,
  keyId: Id,
  keyName: z.string(),
  /** The first characters of the key, by which people recognize the key. */
  keyPrefix: z.string(),
  /** The key's user. */
  userName: z.string(),
  /** The name by which the agent's program identifies itself. */
  client: z.string(),
  operation: z.string(),
  group: z.enum(policyGroups),
  title: z.string(),
  amount: Usd,
  /** The reason why the change needs approval. */
  why: z.string(),
  /** The agent's own words. Untrusted text. */
  message: z.string(),
  createdAt: Moment,
  /** `undone` means that a person approved the change and undid it later. */
  status: z.enum([...APPROVAL_PARTS, 'undone']),
  /** The person who approved, rejected, or undid the change. */
  decidedBy: z.string().nullable(),
  decidedAt: Moment.nullable(),
  reason: z.string().nullable(),
  /** The person who last changed the input that the agent sent. */
  changedBy: z.string().nullable(),
  changedAt: Moment.nullable(),
  /** Whether Evenkeel can undo the approved change. */
  canUndo: z.boolean(),
});
export type Approval = z.output<typeof Approval>;

/** The change to a proposal as the audit log shows it. */
export const ChangedApproval = Approval.extend({ input: z.unknown() });

/** A field of an operation's input, as a form shows it. */
const InputField = z.object({
  /** The path in the input, with `#` for the position in a list: `body.lineItems.#.accountId`. */
  path: z.string(),
  /** `id` refers to another record. `fixed` can't be changed. */
  kind: z.enum(['text', 'date', 'money', 'number', 'flag', 'choice', 'id', 'fixed']),
  /** The number of decimal places of a number. */
  places: z.number().int(),
  /** The maximum length of a text. Null if it has no maximum. */
  maxLength: z.number().int().nullable(),
  choices: z.array(z.union([z.string(), z.number()])),
});
export type InputField = z.output<typeof InputField>;

/** The input of a waiting change as a form. The fields are those for which the input has a value. */
export const ApprovalForm = z.object({
  /** The number of times that the input was changed. */
  rowVersion: RowVersion,
  /** The input in the spelling of the contract, without unknown fields. */
  input: z.unknown(),
  fields: z.array(InputField),
});
export type ApprovalForm = z.output<typeof ApprovalForm>;

/** A change that is waiting for approval, with its current effects. */
const OpenApproval = z.object({
  approval: Approval,
  /** The first sentence of the operation's description. */
  summary: z.string(),
  /** The input of the operation in the API's format. Untrusted text. */
  input: z.unknown(),
  /** The input that the agent sent, if a person has changed it. Null if `input` is what the agent sent. */
  sent: z.unknown(),
  /** Null if the input can't be changed, because it has no field to change or because the key has ended. */
  form: ApprovalForm.nullable(),
  /** The current effects. Null if the change can no longer be made. */
  rehearsal: Rehearsal.nullable(),
  /** The effects at the time of the proposal, or of the last change to its input. */
  proposed: Rehearsal,
  /** Whether the current effects differ from those at that time. */
  hasMoved: z.boolean(),
  /** The reason why the change can't be approved as it is. */
  problem: z.string().nullable(),
  /** Identifies the input and its effects for `approve`. */
  seen: z.string(),
});
export type OpenApproval = z.output<typeof OpenApproval>;

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
    summary: 'Allows or blocks agent connections at /mcp.',
    body: z.object({ isOn: z.boolean() }),
    reply: AgentAccess,
  }),
  getKeyPolicy: endpoint({
    method: 'GET',
    path: '/apikeys/{id}/policy',
    needs: 'Administrator',
    summary: "Returns an API key's policy for agents and the changes that the key has committed.",
    params,
    reply: KeyPolicy,
  }),
  setKeyPolicy: endpoint({
    method: 'PUT',
    path: '/apikeys/{id}/policy',
    needs: 'Administrator',
    summary: "Sets an API key's policy for agents. Loosening the policy requires your password or a passkey.",
    params,
    body: AgentPolicy.extend({
      rowVersion: maybe(RowVersion),
      password: maybe(z.string().max(1000)),
      /** The response to a challenge for signing in, instead of the password. */
      passkey: maybe(PasskeyAnswer),
    }),
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
      /** The agent's own words for the person who may approve the change. */
      message: maybe(text(MOST_LETTERS)),
      /** The token of an earlier proposal by this key. The operation of that proposal is proposed again. */
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
      "Commits a proposal within the API key's policy. A change that exceeds the policy waits for approval. Returns " +
      '403 for a change that the policy never allows, and 409 `stale` if the books have changed since the proposal.',
    body: z.object({ token: text(100) }),
    reply: Committed,
    noRehearsal: true,
  }),
  getProposal: endpoint({
    method: 'GET',
    path: '/proposals/{id}',
    needs: 'signed-in',
    summary: "Returns the state of one of this API key's proposals, with the reason if a user rejected it.",
    params,
    reply: ProposalState,
  }),
  undoProposals: endpoint({
    method: 'POST',
    path: '/proposals/undo',
    needs: 'by record',
    ofAgents: true,
    summary: "Undoes all changes that the API key committed on a day. If any of them can't be undone, none are undone.",
    body: z.object({ day: maybe(DateField), confirm: maybe(z.boolean()) }),
    reply: Undone,
    noRehearsal: true,
  }),
  listApprovals: endpoint({
    method: 'GET',
    path: '/approvals',
    needs: 'signed-in',
    ofPerson: true,
    summary:
      "Lists agents' changes, both waiting and decided. Changes that you don't have permission to make are not " +
      'included.',
    query: z.object({ status: z.enum(APPROVAL_PARTS).optional() }),
    reply: z.array(Approval),
  }),
  openApproval: endpoint({
    method: 'POST',
    path: '/approvals/{id}/open',
    needs: 'signed-in',
    ofPerson: true,
    reads: true,
    summary: 'Rehearses a waiting change again, and returns whether its effects have changed since the proposal.',
    params,
    reply: OpenApproval,
  }),
  changeApproval: endpoint({
    method: 'POST',
    path: '/approvals/{id}/change',
    needs: 'signed-in',
    ofPerson: true,
    summary:
      'Changes the input of a waiting change and rehearses it. Returns 409 `stale` if someone else changed the input.',
    params,
    body: z.object({
      input: z.object(OperationInput),
      /** The `rowVersion` of the form that was edited. */
      rowVersion: RowVersion,
    }),
    reply: OpenApproval,
    noRehearsal: true,
  }),
  approve: endpoint({
    method: 'POST',
    path: '/approvals/{id}/approve',
    needs: 'signed-in',
    ofPerson: true,
    summary:
      'Approves a waiting change. Returns 409 `stale` if its effects differ from the effects that `open` returned.',
    params,
    body: z.object({ seen: text(100) }),
    reply: Approval,
    noRehearsal: true,
  }),
  rejectApproval: endpoint({
    method: 'POST',
    path: '/approvals/{id}/reject',
    needs: 'signed-in',
    ofPerson: true,
    summary: 'Rejects a waiting change. The agent can read the reason.',
    params,
    body: z.object({ reason: maybe(text(MOST_LETTERS)) }),
    reply: Approval,
    noRehearsal: true,
  }),
  undoApproval: endpoint({
    method: 'POST',
    path: '/approvals/{id}/undo',
    needs: 'signed-in',
    ofPerson: true,
    summary: 'Reverses an approved change.',
    params,
    reply: Approval,
    noRehearsal: true,
  }),
} satisfies Record<string, Endpoint>;
