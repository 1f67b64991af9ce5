import { createHash } from 'node:crypto';
import { type agentCalls, type AgentPolicy, Approval } from '@evenkeel/contract/agents';
import { type Rehearsal, Rehearsal as RehearsalSchema } from '@evenkeel/contract/rehearsal';
import { decode, encode } from '@evenkeel/contract/wire';
import { Failure, notFound, refuse } from '@evenkeel/core/failure';
import { ZERO } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { companySettings } from '../../books/company-settings.ts';
import { accountsSql } from '../../books/ledger/accounts.sql.ts';
import { postedIn, type Watched } from '../../books/ledger/journal.ts';
import { describePosting } from '../../books/ledger/rehearsal.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Actor, Ctx } from '../../platform/http/context.ts';
import { rehearse } from '../../platform/http/rehearsal.ts';
import type { Input, Preparing, Route } from '../../platform/http/route.ts';
import { requireFew } from '../../platform/http/serve.ts';
import { hashOf, holds, newSecret, requirePermission } from '../../platform/http/session.ts';
import { fieldsOf, type Operation, operationNamed, performOperation, prepareOperation, undoOf } from './operations.ts';
import { amountOf, groupOf, judge, type PolicyChange, type Verdict } from './policy.ts';
import { lockSql, policyOf, type ProposalRow, proposals, requireAccess, usedSql } from './proposals.sql.ts';

/** The lifetime of a proposal's token. */
const MINUTES = 15;

/** Returns the key that makes a proposal. Throws 403 for a person, who makes changes without a proposal. */
function keyOf({ by }: Actor): number {
  if (by.kind === 'key' && by.keyId !== undefined) return by.keyId;
  throw new Failure('forbidden', 'Only an API key can propose a change');
}

/** The effects of an operation. */
export interface Outcome {
  reply: unknown;
  /** All effects. `shownTo` removes the effects that an actor may not see. */
  rehearsal: Rehearsal;
  posted: Watched;
  digest: Buffer;
}

/**
 * Runs an operation in the transaction of `ctx` and describes its effects. The digest covers the posted lines, the
 * balances that change, the numbers, possible duplicates, and the version of a saved record, so that two runs have the
 * same digest only if everything in the books that affects the operation is the same.
 */
export async function runOperation(ctx: Ctx, operation: Operation, prepared: unknown): Promise<Outcome> {
  // The digest must not depend on what the actor may see.
  const effects = describePosting({ ...ctx, permissions: [...ctx.permissions, 'View Reports'] });
  const reply = await performOperation(ctx, operation, prepared);
  const rehearsal = await effects();
  const posted = postedIn(ctx.tx);
  const { accounts, entities, duplicates, numbers } = rehearsal;
  const lines = posted.transactions.map((transaction) => [
    transaction.postingDate,
    transaction.description,
    transaction.lines.map((line) => [line.accountId, line.amount, line.basis, line.description, line.entityId]),
  ]);
  const bound = [lines, accounts, entities, duplicates, numbers, fieldsOf(reply)['rowVersion'] ?? null];
  const digest = createHash('sha256').update(JSON.stringify(bound)).digest();
  return { reply, rehearsal, posted, digest };
}

type Asked = Pick<ProposalRow, 'operation' | 'input'>;

/** Returns the effects that an actor may see. This limit applies to every rehearsal. */
export function shownTo(actor: Actor, rehearsal: Rehearsal): Rehearsal {
  if (holds(actor, 'View Accounting') || holds(actor, 'View Reports')) return rehearsal;
  return { ...rehearsal, transactions: [], accounts: [], netIncome: null };
}

/** Rehearses an operation: runs it in a transaction that is rolled back. */
export async function rehearseOperation(
  preparing: Preparing,
  operation: Operation,
  prepared: unknown,
): Promise<Outcome> {
  const { services, companyId } = preparing;
  const isGone = () => preparing.isGone();
  let outcome: Outcome | undefined;
  await rehearse(
    { pool: services.pool, turn: { companyId, isGone }, describe: describePosting },
    (tx) => ({ ...preparing, tx, services }),
    async (ctx) => {
      outcome = await runOperation(ctx, operation, prepared);
      return 'null';
    },
  );
  if (outcome === undefined) throw new Error('a rehearsal returned no outcome');
  return outcome;
}

interface Touching {
  transactions: readonly { lines: readonly { accountId: number }[] }[];
}

/** Returns the accounts of all lines. */
export const accountsIn = ({ transactions }: Touching): Set<number> =>
  new Set(transactions.flatMap(({ lines }) => lines.map(({ accountId }) => accountId)));

/** Returns the amount and accounts of a saved proposal. */
function storedIn({ amount, effects }: ProposalRow): Pick<PolicyChange, 'amount' | 'accountIds'> {
  return { amount, accountIds: accountsIn(decode(RehearsalSchema, effects)) };
}

/** Decides in the transaction whether the key may commit a change. */
export async function verdictIn(
  ctx: Ctx,
  { policy, keyId }: { policy: AgentPolicy; keyId: number },
  change: PolicyChange,
): Promise<Verdict> {
  const [accounts, settings, rows] = await Promise.all([
    ctx.tx.rows(accountsSql('every', true)),
    companySettings(ctx),
    ctx.tx.rows(usedSql(keyId, ctx.today)),
  ]);
  const used = rows.find((row) => row.group === change.group) ?? { amount: ZERO, count: 0 };
  return judge(policy, change, { used, accounts, useNumbers: settings.useAccountNumbers });
}

/** A rehearsed proposal that isn't saved yet. */
interface Rehearsed {
  keyId: number;
  operation: Operation;
  row: Asked;
  outcome: Outcome;
}

/** Rehearses a proposal. Runs before the transaction that saves the proposal. */
export const prepareProposal =
  (routes: () => readonly Route[]) =>
  async (preparing: Preparing, { body }: Input<typeof agentCalls.propose>): Promise<Rehearsed> => {
    const keyId = keyOf(preparing);
    const { again } = body;
    const earlier = await preparing.read(async ({ tx }) => {
      await requireAccess(tx);
      return again === undefined || again === null ? undefined : tx.row(proposals.find({ tokenHash: hashOf(again) }));
    });
    if (again !== undefined && again !== null && earlier?.keyId !== keyId) throw notFound('Proposal');
    const name = earlier?.operation ?? body.operation ?? '';
    if (name === '') throw refuse('Please enter an operation', { operation: 'Please enter an operation' });
    const { params = {}, query = {} } = body;
    // An agent proposes only its own input, even if a person changed the earlier proposal.
    const own = earlier?.sentInput ?? earlier?.input;
    const input = own ?? { params, query, ...(body.body === undefined ? {} : { body: body.body }) };
    const operation = operationNamed(routes(), name, input);
    requirePermission(preparing, operation.route.endpoint);
    await requireFew(preparing.services, operation.route.endpoint, preparing);
    const row = { operation: operation.name, input };
    const prepared = await prepareOperation(preparing, operation);
    return { keyId, operation, row, outcome: await rehearseOperation(preparing, operation, prepared) };
  };

/** Saves a rehearsed proposal and returns its token, which only this response contains. */
export async function propose(
  ctx: Ctx,
  { body }: Input<typeof agentCalls.propose>,
  { keyId, operation, row, outcome }: Rehearsed,
) {
  const { reply, rehearsal, posted } = outcome;
  const { name: keyName, policy } = await policyOf(ctx.tx, keyId);
  const described = describedBy(operation, outcome);
  const { group, amount } = described;
  const verdict = await verdictIn(ctx, { policy, keyId }, { group, amount, accountIds: accountsIn(posted) });
  const token = newSecret();
  const { id, expiresAt } = await ctx.tx.one(
    proposals.insert(
      {
        ...row,
        keyId,
        keyName,
        userId: ctx.userId,
        tokenHash: hashOf(token),
        ...described,
        client: body.client ?? '',
        message: body.message ?? '',
        expiresAt: sql`now() + make_interval(mins => ${MINUTES}::int)`,
      },
      ['id', 'expiresAt'],
    ),
  );
  return {
    proposalId: id,
    token,
    expiresAt: expiresAt.toISOString(),
    operation: row.operation,
    group,
    amount,
    commit: verdict.decision,
    why: verdict.why,
    reply,
    rehearsal: shownTo(ctx, rehearsal),
  };
}

/** Returns the columns of a proposal that depend on its input and its effects. */
export function describedBy(
  { route: { endpoint }, input }: Operation,
  { rehearsal, posted, digest }: Outcome,
): Pick<ProposalRow, 'group' | 'title' | 'amount' | 'digest' | 'effects'> {
  return {
    group: groupOf(endpoint, input.body),
    title: titleOf(endpoint.summary, posted),
    amount: amountOf(posted),
    digest,
    effects: encode(RehearsalSchema, rehearsal),
  };
}

/** Returns the description of the first transaction, or the first sentence of the operation's summary. */
function titleOf(summary: string, { transactions: [first] }: Pick<Watched, 'transactions'>): string {
  const said = first?.description ?? '';
  return (said === '' ? (summary.split(/[.,:(]/)[0] ?? summary).trim() : said).slice(0, 200);
}

/** Returns a locked proposal by its token. Throws 404 for another key's token. */
async function lockByToken(tx: Tx, token: string, keyId: number): Promise<ProposalRow & { hasExpired: boolean }> {
  const row = await tx.row(lockSql(hashOf(token)));
  if (row === undefined || row.keyId !== keyId) throw notFound('Proposal');
  return row;
}

const stale = (message: string): Failure => new Failure('stale', message);
const MOVED = 'The books have changed since the proposal. Propose the change again.';

/** Returns the context that records a proposal and the agent's program in the audit log. */
export const namedIn = (ctx: Ctx, { id, client }: Pick<ProposalRow, 'id' | 'client'>): Ctx => {
  const name = [ctx.by.name, ...(client === '' ? [] : [client]), `proposal ${id}`].join(', ');
  return { ...ctx, by: { ...ctx.by, name } };
};

/** Prepares a proposal's operation. Runs before the transaction that commits the proposal. */
export const prepareCommit =
  (routes: () => readonly Route[]) =>
  async (preparing: Preparing, { body }: Input<typeof agentCalls.commit>) => {
    const keyId = keyOf(preparing);
    const row = await preparing.read(async ({ tx }) => {
      await requireAccess(tx);
      return tx.row(proposals.find({ tokenHash: hashOf(body.token) }));
    });
    if (row === undefined || row.keyId !== keyId) throw notFound('Proposal');
    const operation = operationNamed(routes(), row.operation, row.input);
    requirePermission(preparing, operation.route.endpoint);
    await requireFew(preparing.services, operation.route.endpoint, preparing);
    return { keyId, operation, prepared: await prepareOperation(preparing, operation) };
  };

/**
 * Commits a proposal. The key's row is locked first, so that two commits with one key never use the same remainder of a
 * limit. Everything is checked in this transaction: the token, the policy, and whether the books have changed. A change
 * that exceeds the policy isn't made. Instead, it waits for approval, and its token no longer expires.
 */
export async function commit(
  ctx: Ctx,
  { body }: Input<typeof agentCalls.commit>,
  { keyId, operation, prepared }: { keyId: number; operation: Operation; prepared: unknown },
) {
  const { tx } = ctx;
  await requireAccess(tx);
  const { policy } = await policyOf(tx, keyId, true);
  const row = await lockByToken(tx, body.token, keyId);
  const { id } = row;
  if (row.status === 'waiting') return { proposalId: id, status: 'waiting' as const, why: row.why, reply: null };
  if (row.status !== 'proposed') throw new Failure('conflict', endOf(row));
  if (row.hasExpired) throw stale('This proposal has expired. Propose the change again.');
  const foreseen = await verdictIn(ctx, { policy, keyId }, { group: row.group, ...storedIn(row) });
  if (foreseen.decision === 'refused') throw new Failure('forbidden', foreseen.why ?? '');
  if (foreseen.decision === 'approval') return wait(ctx, row, foreseen.why);
  const outcome = await runOperation(namedIn(ctx, row), operation, prepared);
  if (!outcome.digest.equals(row.digest)) throw stale(MOVED);
  // The lines are the proposal's, but the limit counts the amounts that were actually posted.
  const change = { group: row.group, amount: amountOf(outcome.posted), accountIds: accountsIn(outcome.posted) };
  const { decision, why } = await verdictIn(ctx, { policy, keyId }, change);
  if (decision !== 'allowed') throw new Failure('forbidden', why ?? '');
  const undo = undoOf(operation, outcome.reply, ctx.today);
  tx.atEnd(proposals.update({ id }, { status: 'committed', amount: change.amount, committedOn: ctx.today, undo }));
  return { proposalId: id, status: 'committed' as const, why: null, reply: outcome.reply };
}

/** Returns how a proposal ended, for an agent that tries to commit it again. */
function endOf({ status, reason }: ProposalRow): string {
  if (status !== 'rejected') return `This proposal was already ${status}`;
  return `A user rejected this proposal${reason === null ? '' : `: ${reason}`}`;
}

/**
 * The maximum number of one key's changes that can wait for approval, so that one agent can't crowd out the changes of
 * others.
 */
const MOST_WAITING = 100;

/** Sends a change for approval. Throws 409 if too many of the key's changes are waiting. */
async function wait(ctx: Ctx, row: ProposalRow, why: string | null) {
  const { id, keyId } = row;
  const { total } = await ctx.tx.one(proposals.count({ keyId, status: 'waiting' }));
  if (total >= MOST_WAITING) {
    throw new Failure(
      'conflict',
      `${MOST_WAITING} changes from this API key are waiting for approval. A user must approve or reject some first.`,
    );
  }
  const write = proposals.update({ id }, { status: 'waiting', why });
  record(namedIn(ctx, row), approvals, { after: shownApproval({ ...row, status: 'waiting', why }), write });
  return { proposalId: id, status: 'waiting' as const, why, reply: null };
}

/**
 * Returns the state of a proposal made with the key. Throws 404 for another key's proposal, and if a person makes the
 * request.
 */
export async function getProposal(ctx: Ctx, { params: { id } }: Input<typeof agentCalls.getProposal>) {
  const row = await ctx.tx.row(proposals.find({ id }));
  if (row === undefined || ctx.by.kind !== 'key' || row.keyId !== ctx.by.keyId) throw notFound('Proposal');
  const { operation, title, amount, status, why, reason, createdAt, decidedAt, input, changedPerson, changedAt } = row;
  return {
    proposalId: row.id,
    operation,
    title,
    amount,
    status,
    why,
    reason,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    input,
    changedBy: changedPerson,
    changedAt: changedAt?.toISOString() ?? null,
  };
}

export const approvals: Subject<typeof Approval> = { name: 'approval', schema: Approval, idOf: ({ id }) => id };

/** The information that identifies a proposal's key to people. */
interface KeyFace {
  prefix: string;
  userName: string;
}

/** Returns a proposal as people see it. */
export function shownApproval(row: ProposalRow, { prefix, userName }: Partial<KeyFace> = {}): Approval {
  const { id, keyId, keyName, client, operation, group, title, amount, why, message, createdAt, decidedAt } = row;
  return {
    id,
    keyId,
    keyName,
    keyPrefix: prefix ?? '',
    userName: userName ?? '',
    client,
    operation,
    group,
    title,
    amount,
    why: why ?? '',
    message,
    createdAt: createdAt.toISOString(),
    status: row.status === 'proposed' || row.status === 'committed' ? 'waiting' : row.status,
    decidedBy: row.decidedPerson,
    decidedAt: decidedAt?.toISOString() ?? null,
    reason: row.reason,
    changedBy: row.changedPerson,
    changedAt: row.changedAt?.toISOString() ?? null,
    canUndo: row.status === 'approved' && row.undo !== null,
  };
}

/**
 * Undoes the changes that a key committed on a day, newest first, in one transaction, so that either all or none are
 * undone. Each change is undone by Evenkeel's own operation, which posts a reversal.
 */
export const undoProposals =
  (routes: () => readonly Route[]) =>
  async (ctx: Ctx, { body }: Input<typeof agentCalls.undoProposals>) => {
    const keyId = keyOf(ctx);
    const day = body.day ?? ctx.today;
    await requireAccess(ctx.tx);
    await policyOf(ctx.tx, keyId, true);
    const rows = await ctx.tx.rows(
      proposals.find({ keyId, committedOn: day, status: 'committed' }, { lock: 'for update' }),
    );
    const newest = rows.toSorted((a, b) => b.id - a.id);
    const changes = newest.map(({ id, operation, title, amount }) => ({ proposalId: id, operation, title, amount }));
    if (body.confirm !== true) return { day, isUndone: false, changes };
    for (const row of newest) {
      await undoOne(routes, ctx, row);
      ctx.tx.atEnd(proposals.update({ id: row.id }, { status: 'undone' }));
    }
    return { day, isUndone: true, changes };
  };

/** Runs the operation that undoes a change. Throws 422 if the change can't be undone. */
export async function undoOne(routes: () => readonly Route[], ctx: Ctx, row: ProposalRow): Promise<void> {
  const { id, undo } = row;
  if (undo === null)
    throw refuse(`Proposal ${id} (${row.operation}) can't be undone. A user must reverse the change manually.`);
  const { operation: name, ...input } = undo;
  const operation = operationNamed(routes(), name, input);
  requirePermission(ctx, operation.route.endpoint);
  await performOperation(namedIn(ctx, row), operation);
}
