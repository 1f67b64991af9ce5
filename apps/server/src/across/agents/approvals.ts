import type { agentCalls, Approval } from '@evenkeel/contract/agents';
import { Rehearsal } from '@evenkeel/contract/rehearsal';
import { decode } from '@evenkeel/contract/wire';
import { formatDate } from '@evenkeel/core/dates';
import { Failure, notFound } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { accountsSql } from '../../books/ledger/accounts.sql.ts';
import { record } from '../../platform/db/audit.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { Actor, Ctx } from '../../platform/http/context.ts';
import type { Input, Preparing, Route } from '../../platform/http/route.ts';
import { hasOneOf } from '../../platform/http/session.ts';
import {
  type Operation,
  operationNamed,
  operations,
  prepareOperation,
  requirePermission,
  undoOf,
} from './operations.ts';
import { isLocked } from './policy.ts';
import {
  accountsIn,
  approvals,
  namedIn,
  type Outcome,
  rehearseOperation,
  runOperation,
  shownApproval,
  shownTo,
  undoOne,
} from './proposals.ts';
import { type ProposalRow, proposals, type ProposalStatus } from './proposals.sql.ts';

/** Approvals: people decide on the changes of agents that exceed the policy of their key. */

type Routes = () => readonly Route[];

/** Returns whether a person could make the operation, and may therefore see and decide its proposals. */
function mayDecide(actor: Actor, { operation }: Pick<ProposalRow, 'operation'>): boolean {
  const needs = operations.get(operation.toLowerCase())?.needs;
  if (needs === undefined) return false;
  return needs === 'by record' || hasOneOf(actor, Array.isArray(needs) ? needs : [needs as string]);
}

interface KeyFace {
  id: number;
  prefix: string;
  userName: string;
}

/** Selects the beginning and the user of each key. */
function keysSql(): Runnable<KeyFace> {
  return sql<KeyFace>`
    select k.id, k.prefix, trim(u.first_name || ' ' || u.last_name) as "userName"
    from api_key k join app_user u on u.id = k.user_id where k.company_id = ${COMPANY}`;
}

/** The statuses behind a tab. What was undone stays with the approved ones. */
const STATUSES: Readonly<Record<string, readonly ProposalStatus[]>> = {
  waiting: ['waiting'],
  approved: ['approved', 'undone'],
  rejected: ['rejected'],
};

/** The decided proposals that are listed, newest first. */
const MOST_LISTED = 200;

export async function listApprovals(ctx: Ctx, { query }: Input<typeof agentCalls.listApprovals>): Promise<Approval[]> {
  const statuses = STATUSES[query.status ?? 'waiting'] ?? [];
  const and = sql`and status = any(${statuses}::text[]) and committed_on is null`;
  const [rows, keys] = await Promise.all([
    ctx.tx.rows(proposals.find({}, { and, orderBy: sql`id desc`, page: sql`limit ${MOST_LISTED}` })),
    ctx.tx.rows(keysSql()),
  ]);
  return rows
    .filter((row) => mayDecide(ctx, row))
    .map((row) =>
      shownApproval(
        row,
        keys.find(({ id }) => id === row.keyId),
      ),
    );
}

/** Returns the number of waiting changes that the person may decide. Null if no key has a policy and none waits. */
export async function countApprovals(ctx: Ctx): Promise<{ waiting: number | null }> {
  const [rows, [key]] = await Promise.all([
    ctx.tx.rows(
      sql<{ operation: string; count: number }>`
        select operation, count(*)::int as count from agent_proposal
        where company_id = ${COMPANY} and status = 'waiting' group by operation`,
    ),
    ctx.tx.rows(
      sql<{ hasPolicy: boolean }>`
        select exists (
          select from api_key where company_id = ${COMPANY} and policy is not null and revoked_at is null) as "hasPolicy"`,
    ),
  ]);
  const waiting = rows.filter((row) => mayDecide(ctx, row)).reduce((total, { count }) => total + count, 0);
  return { waiting: waiting > 0 || key?.hasPolicy === true ? waiting : null };
}

/** Throws 404 for a proposal that the person may not see, and 409 for a decided one. */
function requireWaiting(actor: Actor, row: ProposalRow | undefined): ProposalRow {
  if (row === undefined || row.status === 'proposed' || row.committedOn !== null || !mayDecide(actor, row)) {
    throw notFound('Approval');
  }
  if (row.status === 'waiting') return row;
  const did = row.status === 'rejected' ? 'rejected' : row.status === 'undone' ? 'undid' : 'approved';
  const day = row.decidedAt === null ? '' : ` on ${formatDate(row.decidedAt.toISOString().slice(0, 10) as never)}`;
  throw new Failure('conflict', `${row.decidedPerson ?? 'Someone else'} already ${did} this change${day}`);
}

const findById = (id: number, isLocked = false): Runnable<ProposalRow> =>
  proposals.find({ id }, isLocked ? { lock: 'for update' } : {});

interface Opened {
  operation: Operation;
  prepared: unknown;
}

/** Finds a waiting change and prepares its operation before the transaction. */
const prepareWaiting = async (
  routes: Routes,
  preparing: Preparing,
  id: number,
): Promise<Opened & { row: ProposalRow }> => {
  const row = requireWaiting(preparing, await preparing.read(({ tx }) => tx.row(findById(id))));
  const operation = operationNamed(routes(), row.operation, row.input);
  requirePermission(preparing, operation.route.endpoint);
  return { row, operation, prepared: await prepareOperation(preparing, operation) };
};

/** Rehearses a waiting change again. */
export const prepareOpen =
  (routes: Routes) =>
  async (
    preparing: Preparing,
    { params }: Input<typeof agentCalls.openApproval>,
  ): Promise<Outcome & { row: ProposalRow }> => {
    const { row, operation, prepared } = await prepareWaiting(routes, preparing, params.id);
    return { row, ...(await rehearseOperation(preparing, operation, prepared)) };
  };

export async function openApproval(
  ctx: Ctx,
  _: Input<typeof agentCalls.openApproval>,
  { row, rehearsal, digest }: Outcome & { row: ProposalRow },
) {
  const keys = await ctx.tx.rows(keysSql());
  return {
    approval: shownApproval(
      row,
      keys.find(({ id }) => id === row.keyId),
    ),
    rehearsal: shownTo(ctx, rehearsal),
    proposed: shownTo(ctx, decode(Rehearsal, row.effects)),
    hasMoved: !digest.equals(row.digest),
    seen: digest.toString('hex'),
  };
}

export const prepareApprove =
  (routes: Routes) =>
  (preparing: Preparing, { params }: Input<typeof agentCalls.approve>) =>
    prepareWaiting(routes, preparing, params.id);

/**
 * Makes a waiting change with the rights of the person who approves it. If two people approve it at the same time, the
 * second one gets 409. Throws 409 if the effects are not those that the person saw.
 */
export async function approve(
  ctx: Ctx,
  { params, body }: Input<typeof agentCalls.approve>,
  { operation, prepared }: Opened,
): Promise<Approval> {
  const { tx } = ctx;
  const { id } = params;
  const row = requireWaiting(ctx, await tx.row(findById(id, true)));
  const { reply, posted, digest } = await runOperation(namedIn(ctx, row), operation, prepared);
  if (digest.toString('hex') !== body.seen) {
    throw new Failure('stale', 'The books have changed. Check the change again before you approve it.');
  }
  const used = accountsIn(posted);
  const locked = (await tx.rows(accountsSql('every', true))).find(
    (account) => used.has(account.id) && isLocked(account),
  );
  if (locked !== undefined) throw new Failure('forbidden', `API keys can't use the account ${locked.name}`);
  const decided = { status: 'approved' as const, undo: undoOf(operation, reply, ctx.today), ...decidedBy(ctx) };
  tx.atEnd(proposals.update({ id }, { ...decided, decidedAt: sql`now()` }));
  return decide(ctx, row, { ...row, ...decided });
}

const decidedBy = (ctx: Ctx) => ({ decidedBy: ctx.userId, decidedPerson: ctx.by.person });

/** Records a decision in the audit log and returns it. */
function decide(ctx: Ctx, row: ProposalRow, changed: ProposalRow): Approval {
  const [before, after] = [shownApproval(row), shownApproval(changed)];
  record(namedIn(ctx, row), approvals, { before, after });
  return after;
}

export async function rejectApproval(
  ctx: Ctx,
  { params: { id }, body }: Input<typeof agentCalls.rejectApproval>,
): Promise<Approval> {
  const row = requireWaiting(ctx, await ctx.tx.row(findById(id, true)));
  const decided = { status: 'rejected' as const, reason: body.reason ?? null, ...decidedBy(ctx) };
  ctx.tx.atEnd(proposals.update({ id }, { ...decided, decidedAt: sql`now()` }));
  return decide(ctx, row, { ...row, ...decided });
}

/** Undoes an approved change. Throws 409 for any other one. */
export const undoApproval =
  (routes: Routes) =>
  async (ctx: Ctx, { params: { id } }: Input<typeof agentCalls.undoApproval>): Promise<Approval> => {
    const row = await ctx.tx.row(findById(id, true));
    if (row === undefined || !mayDecide(ctx, row)) throw notFound('Approval');
    if (row.status !== 'approved') throw new Failure('conflict', 'Only an approved change can be undone');
    await undoOne(routes, ctx, row);
    return decide(ctx, row, { ...row, status: 'undone', ...decidedBy(ctx) });
  };
