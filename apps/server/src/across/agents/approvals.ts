import { isDeepStrictEqual } from 'node:util';
import {
  type agentCalls,
  APPROVAL_PARTS,
  type Approval,
  ApprovalForm,
  type ApprovalPart,
  ChangedApproval,
} from '@evenkeel/contract/agents';
import { AREAS } from '@evenkeel/contract/areas';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { identityOf, inputFields, spelled } from '@evenkeel/contract/inputform';
import { Rehearsal } from '@evenkeel/contract/rehearsal';
import { decode } from '@evenkeel/contract/wire';
import { Failure, notFound, refuse } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { now } from '../../platform/clock.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { Actor, Ctx } from '../../platform/http/context.ts';
import { stale } from '../../platform/http/fresh.ts';
import { apiKeys, keyHasEnded } from '../../platform/http/keys.ts';
import type { Input, Preparing, Route } from '../../platform/http/route.ts';
import { requireFew } from '../../platform/http/serve.ts';
import { hasOneOf, isOpen, users, requirePermission } from '../../platform/http/session.ts';
import { type Operation, operationNamed, operations, prepareOperation, undoOf, type WireInput } from './operations.ts';
import {
  accountsIn,
  approvals,
  describedBy,
  namedIn,
  type Outcome,
  rehearseOperation,
  runOperation,
  shownApproval,
  shownTo,
  undoOne,
  verdictIn,
} from './proposals.ts';
import { policyOf, type ProposalRow, proposals, requireAccess } from './proposals.sql.ts';

/** Approvals: people approve or reject agents' changes that exceed their key's policy. */

type Routes = () => readonly Route[];

/** Returns whether a person may make the change, and may therefore see its proposals and decide on them. */
function mayDecide(actor: Actor, { operation }: Pick<ProposalRow, 'operation'>): boolean {
  const needs = operations.get(operation.toLowerCase())?.needs;
  if (needs === undefined || needs === 'by record') return false;
  return hasOneOf(actor, [needs].flat());
}

interface KeyRow {
  id: number;
  prefix: string;
  firstName: string;
  lastName: string;
  isRevoked: boolean;
  hasEnded: boolean;
}

/** Selects the company's keys, each with its user and whether it is still valid. */
const keysSql = (): Runnable<KeyRow> => sql<KeyRow>`
  select ${apiKeys.columns('k', ['id', 'prefix'])}, ${users.columns('u', ['firstName', 'lastName'])},
    k.revoked_at is not null as "isRevoked", ${keyHasEnded} or not ${isOpen} as "hasEnded"
  from api_key k
  join app_user u on u.id = k.user_id
  join membership m on m.user_id = k.user_id and m.company_id = k.company_id
  where k.company_id = ${COMPANY}`;

/** Returns a proposal as people see it, with its key. */
function withKey(row: ProposalRow, keys: readonly KeyRow[]): Approval {
  const key = keys.find(({ id }) => id === row.keyId);
  return shownApproval(row, key && { prefix: key.prefix, userName: `${key.firstName} ${key.lastName}`.trim() });
}

/** The statuses of the proposals in each list. Undone changes stay in the list of approved changes. */
const STATUSES = { waiting: ['waiting'], approved: ['approved', 'undone'], rejected: ['rejected'] } as const;

/**
 * The maximum number of decided proposals in a list, which shows the newest first. All waiting proposals are listed.
 */
const MOST_LISTED = 200;

/** Selects the proposals that people decide on. Changes that a key committed without approval are excluded. */
const decidable = sql`and committed_on is null`;

export async function listApprovals(ctx: Ctx, { query }: Input<typeof agentCalls.listApprovals>): Promise<Approval[]> {
  const { status: part = 'waiting' } = query;
  const page = part === 'waiting' ? sql`order by id` : sql`order by decided_at desc, id desc limit ${MOST_LISTED}`;
  const [rows, keys] = await Promise.all([
    ctx.tx.rows(proposals.find({ status: STATUSES[part] }, { and: decidable, page })),
    ctx.tx.rows(keysSql()),
  ]);
  return rows.filter((row) => mayDecide(ctx, row)).map((row) => withKey(row, keys));
}

/**
 * Counts, by state, the changes that the person has permission to make. `hasAgents` is true if an API key has a policy
 * for agents, but always false for people who can't change anything.
 */
export async function countApprovals(ctx: Ctx) {
  const [rows, agents] = await Promise.all([
    ctx.tx.rows(
      sql<{ operation: string; status: string; count: number }>`
        select operation, status, count(*)::int as count from agent_proposal
        where company_id = ${COMPANY} and status <> 'proposed' ${decidable} group by operation, status`,
    ),
    ctx.tx.rows(
      sql<{ id: number }>`
        select id from api_key
        where company_id = ${COMPANY} and policy is not null and revoked_at is null limit 1`,
    ),
  ]);
  const own = rows.filter((row) => mayDecide(ctx, row));
  const countOf = (part: ApprovalPart): number => {
    const statuses: readonly string[] = STATUSES[part];
    return own.filter(({ status }) => statuses.includes(status)).reduce((total, { count }) => total + count, 0);
  };
  const [waiting = 0, approved = 0, rejected = 0] = APPROVAL_PARTS.map(countOf);
  return { waiting, approved, rejected, hasAgents: agents.length > 0 && changesSomething(ctx) };
}

const changesSomething = (actor: Actor): boolean =>
  hasOneOf(
    actor,
    AREAS.map((area) => `Manage ${area}`),
  );

/** Throws 404 for a proposal that the person may not see, and 409 for one that has already been decided. */
function requireWaiting(actor: Actor, row: ProposalRow | undefined): ProposalRow {
  if (row === undefined || row.status === 'proposed' || row.committedOn !== null || !mayDecide(actor, row)) {
    throw notFound('Approval');
  }
  if (row.status === 'waiting') return row;
  const did = row.status === 'undone' ? 'undid' : row.status;
  throw new Failure('conflict', `${row.decidedPerson ?? 'Someone else'} already ${did} this change`);
}

interface Opened {
  row: ProposalRow;
  operation: Operation;
  prepared: unknown;
}

/** Finds a waiting change and prepares its operation before the transaction starts. */
async function prepareWaiting(routes: Routes, preparing: Preparing, id: number): Promise<Opened> {
  const row = requireWaiting(preparing, await preparing.read(({ tx }) => tx.row(proposals.find({ id }))));
  const operation = operationNamed(routes(), row.operation, row.input);
  requirePermission(preparing, operation.route.endpoint);
  return { row, operation, prepared: await prepareOperation(preparing, operation) };
}

interface Rehearsed {
  row: ProposalRow;
  operation: Operation;
  /** The current effects, or the reason why the operation fails. */
  outcome: Outcome | string;
}

/** Rehearses a waiting change again. */
export const prepareOpen =
  (routes: Routes) =>
  async (preparing: Preparing, { params }: Input<typeof agentCalls.openApproval>): Promise<Rehearsed> => {
    const { row, operation, prepared } = await prepareWaiting(routes, preparing, params.id);
    try {
      return { row, operation, outcome: await rehearseOperation(preparing, operation, prepared) };
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'unavailable') throw error;
      return { row, operation, outcome: error.message };
    }
  };

export async function openApproval(ctx: Ctx, _: unknown, { row, operation, outcome }: Rehearsed) {
  const { endpoint } = operation.route;
  const keys = await ctx.tx.rows(keysSql());
  const ended = await endOf(ctx, keys, row);
  const found = typeof outcome === 'string' ? undefined : outcome;
  const isSame = found !== undefined && found.digest.equals(row.digest);
  const form = formOf(row, endpoint);
  const canChange = ended === null && form.fields.some(({ kind }) => kind !== 'fixed');
  return {
    approval: withKey(row, keys),
    summary: /^[^.]*\./.exec(endpoint.summary)?.[0] ?? endpoint.summary,
    input: row.input,
    sent: row.sentInput,
    form: canChange ? form : null,
    rehearsal: found === undefined ? null : shownTo(ctx, found.rehearsal),
    proposed: shownTo(ctx, decode(Rehearsal, row.effects)),
    hasMoved: !isSame,
    problem: ended ?? (typeof outcome === 'string' ? outcome : (await judged(ctx, row, outcome)).problem),
    seen: found === undefined ? '' : seenOf(row, found),
  };
}

/** Returns the input of a waiting change as a form. */
function formOf({ rowVersion, input: given }: ProposalRow, endpoint: Endpoint): ApprovalForm {
  const input = spelled(endpoint, given);
  return { rowVersion, input, fields: inputFields(endpoint, input) };
}

/** Identifies the effects and, by its version, the input that a person has seen. */
const seenOf = ({ rowVersion }: ProposalRow, { digest }: Outcome): string => `${digest.toString('hex')}.${rowVersion}`;

/**
 * Returns the reason why none of a key's changes can be approved: agents were switched off, or the key was revoked or
 * has expired.
 */
async function endOf(ctx: Ctx, keys: readonly KeyRow[], { keyId }: Pick<ProposalRow, 'keyId'>): Promise<string | null> {
  try {
    await requireAccess(ctx.tx);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined || key.isRevoked) return 'The API key was revoked, so its changes can only be rejected';
  return key.hasEnded ? 'The API key has expired, so its changes can only be rejected' : null;
}

/** Returns the reason why the policy never allows a change, or the reason why the change needs approval. */
async function judged(ctx: Ctx, { keyId, group, amount }: ProposalRow, { posted }: Pick<Outcome, 'posted'>) {
  const { policy } = await policyOf(ctx.tx, keyId);
  const { decision, why } = await verdictIn(ctx, { policy, keyId }, { group, amount, accountIds: accountsIn(posted) });
  return decision === 'refused' ? { problem: why, why: null } : { problem: null, why };
}

/** Throws 403 for a change that can only be rejected. Returns the reason why the change needs approval. */
async function requireApprovable(ctx: Ctx, row: ProposalRow, outcome: Outcome): Promise<string | null> {
  const ended = await endOf(ctx, await ctx.tx.rows(keysSql()), row);
  const { problem, why } = ended === null ? await judged(ctx, row, outcome) : { problem: ended, why: null };
  if (problem !== null) throw new Failure('forbidden', problem);
  return why;
}

/** A change with its new input, which was rehearsed. */
interface Changed {
  operation: Operation;
  outcome: Outcome;
  /** The new input in the contract's spelling. */
  input: WireInput;
}

/** Validates and rehearses the new input of a waiting change, before the transaction that saves the input. */
export const prepareChange =
  (routes: Routes) =>
  async (preparing: Preparing, { params: { id }, body }: Input<typeof agentCalls.changeApproval>): Promise<Changed> => {
    const row = requireWaiting(preparing, await preparing.read(({ tx }) => tx.row(proposals.find({ id }))));
    const operation = operationNamed(routes(), row.operation, body.input);
    const { endpoint } = operation.route;
    requirePermission(preparing, endpoint);
    requireCurrent(row, endpoint, body.rowVersion);
    const input = spelled(endpoint, body.input);
    if (identityOf(endpoint, input) !== identityOf(endpoint, spelled(endpoint, row.input))) {
      throw refuse("You can't change which record a proposal is about");
    }
    try {
      const prepared = await prepareOperation(preparing, operation);
      return { operation, input, outcome: await rehearseOperation(preparing, operation, prepared) };
    } catch (error) {
      // The form is up to date. The record that the operation changes is not.
      throw error instanceof Failure && error.code === 'stale' ? new Failure('conflict', error.message) : error;
    }
  };

/** Throws 409 `stale` with the current input if the input was changed after the person opened it. */
function requireCurrent(row: ProposalRow, endpoint: Endpoint, seen: number): void {
  if (row.rowVersion !== seen) throw stale(ApprovalForm, formOf(row, endpoint));
}

const changedApprovals: Subject<typeof ChangedApproval> = { ...approvals, schema: ChangedApproval };

/** The reason for approval of a change that would not need it if the agent had proposed it. */
const WITHIN = "Within the policy's limits now, but a user changed it, so it still needs approval";

/**
 * Saves the new input of a waiting change with its effects. The agent's own input is kept. If two people change a
 * proposal at the same time, the second person gets 409 `stale` with the first person's input.
 */
export async function changeApproval(
  ctx: Ctx,
  { params: { id }, body }: Input<typeof agentCalls.changeApproval>,
  { operation, outcome, input }: Changed,
) {
  const row = await lockWaiting(ctx, id);
  const { endpoint } = operation.route;
  requireCurrent(row, endpoint, body.rowVersion);
  if (isDeepStrictEqual(input, spelled(endpoint, row.input))) {
    return openApproval(ctx, undefined, { row, operation, outcome });
  }
  const change = {
    input,
    ...describedBy(operation, outcome),
    sentInput: row.sentInput ?? row.input,
    rowVersion: row.rowVersion + 1,
    changedAt: now(),
    changedBy: ctx.userId,
    changedPerson: ctx.by.person,
  };
  const why = (await requireApprovable(ctx, { ...row, ...change }, outcome)) ?? WITHIN;
  const changed = { ...row, ...change, why };
  record(namedIn(ctx, row), changedApprovals, {
    before: { ...shownApproval(row), input: row.input },
    after: { ...shownApproval(changed), input },
    write: proposals.update({ id }, { ...change, why }),
  });
  return openApproval(ctx, undefined, { row: changed, operation, outcome });
}

export const prepareApprove =
  (routes: Routes) =>
  async (preparing: Preparing, { params }: Input<typeof agentCalls.approve>): Promise<Opened> => {
    const opened = await prepareWaiting(routes, preparing, params.id);
    await requireFew(preparing.services, opened.operation.route.endpoint, preparing);
    return opened;
  };

/**
 * Makes a waiting change with the permissions of the person who approves it. The key's row is locked first, so that its
 * policy can't change in the meantime. If two people approve the change at the same time, the second person gets 409.
 * Throws 409 `stale` if the effects differ from what the person saw.
 */
export async function approve(
  ctx: Ctx,
  { params: { id }, body }: Input<typeof agentCalls.approve>,
  { row: { keyId, rowVersion }, operation, prepared }: Opened,
): Promise<Approval> {
  const { tx } = ctx;
  await policyOf(tx, keyId, true);
  const row = await lockWaiting(ctx, id);
  if (row.rowVersion !== rowVersion || !body.seen.endsWith(`.${rowVersion}`)) {
    throw new Failure('stale', `${row.changedPerson ?? 'Someone else'} changed this proposal. Check it again.`);
  }
  const outcome = await runOperation(namedIn(ctx, row), operation, prepared);
  await requireApprovable(ctx, row, outcome);
  if (seenOf(row, outcome) !== body.seen) {
    throw new Failure('stale', 'The books have changed. Check the change again before you approve it.');
  }
  return decide(ctx, row, { status: 'approved', undo: undoOf(operation, outcome.reply, ctx.today) });
}

/** Returns a waiting change and locks it. */
async function lockWaiting(ctx: Ctx, id: number): Promise<ProposalRow> {
  return requireWaiting(ctx, await ctx.tx.row(lockSql(id)));
}

const lockSql = (id: number) => proposals.find({ id }, { lock: 'for update' });

/** Saves a decision and its audit log row. */
function decide(
  ctx: Ctx,
  row: ProposalRow,
  change: Pick<ProposalRow, 'status'> & Partial<Pick<ProposalRow, 'undo' | 'reason'>>,
): Approval {
  const decided = { ...change, decidedAt: now(), decidedBy: ctx.userId, decidedPerson: ctx.by.person };
  const after = shownApproval({ ...row, ...decided });
  const write = proposals.update({ id: row.id }, decided);
  return record(namedIn(ctx, row), approvals, { before: shownApproval(row), after, write });
}

export async function rejectApproval(
  ctx: Ctx,
  { params: { id }, body }: Input<typeof agentCalls.rejectApproval>,
): Promise<Approval> {
  const reason = (body.reason ?? '').trim();
  return decide(ctx, await lockWaiting(ctx, id), { status: 'rejected', reason: reason === '' ? null : reason });
}

/** Undoes an approved change with Evenkeel's own reversal operation. Throws 409 for any other change. */
export const undoApproval =
  (routes: Routes) =>
  async (ctx: Ctx, { params: { id } }: Input<typeof agentCalls.undoApproval>): Promise<Approval> => {
    const row = await ctx.tx.row(lockSql(id));
    if (row === undefined || !mayDecide(ctx, row)) throw notFound('Approval');
    if (row.status !== 'approved') {
      throw new Failure('conflict', `Only an approved change can be undone. This change is ${row.status}.`);
    }
    await undoOne(routes, ctx, row);
    return decide(ctx, row, { status: 'undone' });
  };
