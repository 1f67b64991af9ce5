import { type AgentPolicy, AgentPolicy as PolicySchema, DEFAULT_POLICY } from '@evenkeel/contract/agents';
import type { PolicyGroup, ProposalStatus } from '@evenkeel/contract/agents';
import { decode } from '@evenkeel/contract/wire';
import { Failure, notFound } from '@evenkeel/core/failure';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Undo, WireInput } from './operations.ts';
import type { Used } from './policy.ts';

export const proposals = table('agent_proposal', {
  id: 'id',
  keyId: 'key_id',
  keyName: 'key_name',
  userId: 'user_id',
  tokenHash: 'token_hash',
  operation: 'operation',
  input: 'input',
  group: 'policy_group',
  title: 'title',
  amount: 'amount_cents',
  digest: 'digest',
  effects: 'effects',
  client: 'client',
  message: 'message',
  status: 'status',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  committedOn: 'committed_on',
  undo: 'undo',
  why: 'why',
  decidedAt: 'decided_at',
  decidedBy: 'decided_by',
  decidedPerson: 'decided_person',
  reason: 'reason',
  rowVersion: 'row_version',
  sentInput: 'sent_input',
  changedAt: 'changed_at',
  changedBy: 'changed_by',
  changedPerson: 'changed_person',
}).typed<{
  input: WireInput;
  sentInput: WireInput | null;
  group: PolicyGroup;
  amount: Cents;
  /** The effects in the API's format. */
  effects: unknown;
  status: ProposalStatus;
  undo: Undo | null;
  committedOn: IsoDate | null;
}>();
export type ProposalRow = RowOf<typeof proposals>;

/** Whether agents can connect. */
export const access = table('agent_access', { isOn: 'is_on' });

/** Throws 403 if agents are switched off in the company. */
export async function requireAccess(tx: Tx): Promise<void> {
  const row = await tx.row(access.find({}));
  if (row?.isOn === true) return;
  throw new Failure('forbidden', 'Agents are switched off. An administrator can switch them on in Settings.');
}

/** A key with its saved policy, which can be null. */
interface StoredPolicy {
  name: string;
  policy: unknown;
  rowVersion: number;
}

/** Selects one of the company's keys. Locks the key if its commits must run one at a time. */
export function keySql(keyId: number, isLocked = false): Runnable<StoredPolicy> {
  return sql<StoredPolicy>`
    select name, policy, row_version as "rowVersion" from api_key where company_id = ${COMPANY} and id = ${keyId}
    ${sql.raw(isLocked ? 'for no key update' : '')}`;
}

/** Returns the policy of a key. If the key has none, every change needs approval. Throws 404 for an unknown key. */
export async function policyOf(
  tx: Tx,
  keyId: number,
  isLocked = false,
): Promise<StoredPolicy & { policy: AgentPolicy; isSaved: boolean }> {
  const row = await tx.row(keySql(keyId, isLocked));
  if (row === undefined) throw notFound('API key');
  const isSaved = row.policy !== null;
  return { ...row, isSaved, policy: isSaved ? decode(PolicySchema, row.policy) : DEFAULT_POLICY };
}

/**
 * Selects the totals, by group, of the changes that a key committed without approval on a day. Undone changes count
 * too.
 */
export function usedSql(keyId: number, day: IsoDate): Runnable<Used & { group: PolicyGroup }> {
  return sql<Used & { group: PolicyGroup }>`
    select policy_group as "group", sum(amount_cents)::bigint as amount, count(*)::int as count
    from agent_proposal
    where company_id = ${COMPANY} and key_id = ${keyId} and committed_on = ${day}
    group by policy_group`;
}

interface LastDays {
  committed: number;
  approved: number;
  rejected: number;
  undone: number;
}

/**
 * Counts a key's changes in the last 30 days. A change that was undone later counts both as made and as undone, as in
 * the totals by day.
 */
export function lastDaysSql(keyId: number): Runnable<LastDays> {
  return sql<LastDays>`
    select count(*) filter (where committed_on is not null)::int as committed,
      count(*) filter (where committed_on is null and status in ('approved', 'undone'))::int as approved,
      count(*) filter (where status = 'rejected')::int as rejected,
      count(*) filter (where status = 'undone')::int as undone
    from agent_proposal
    where company_id = ${COMPANY} and key_id = ${keyId} and created_at > now() - interval '30 days'`;
}

/** The number of days for which proposals are stored after they end. */
const KEPT_DAYS = 90;

/**
 * Deletes the proposals that ended long ago: expired, committed, approved, rejected, or undone. Waiting proposals stay
 * until a person decides. The audit log keeps every change.
 */
export const deleteOldProposals = (): Runnable<unknown> => sql`
  delete from agent_proposal
  where company_id = ${COMPANY} and status <> 'waiting'
    and greatest(expires_at, decided_at) < now() - make_interval(days => ${KEPT_DAYS})`;

/** Locks a proposal by the hash of its token. */
export const lockSql = (tokenHash: Buffer): Runnable<ProposalRow & { hasExpired: boolean }> => {
  const also = sql`, expires_at < now() as "hasExpired"`;
  return proposals.find({ tokenHash }, { also, lock: 'for update' }) as Runnable<ProposalRow & { hasExpired: boolean }>;
};
