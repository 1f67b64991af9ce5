import { type RawBuilder, sql } from 'kysely';
import { encode } from '@evenkeel/contract/wire';
import { append, type Chained, type JournalEnd } from '@evenkeel/core/books/ledger';
import { present } from '@evenkeel/core/failure';
import type { Steps } from '@evenkeel/core/steps';
import { auditLog, faceOf, signed } from '../../platform/db/audit.ts';
import { CompanyQueue, type Member, type QueueMeter } from '../../platform/db/company-queue.ts';
import type { Pool } from '../../platform/db/connect.ts';
import {
  isDiskFull,
  isLocked,
  isSilent,
  isTimeout,
  isUnavailable,
  isUniqueViolation,
} from '../../platform/db/errors.ts';
import { COMPANY, listOf, type Runnable, takeIds } from '../../platform/db/query.ts';
import { JsonText, type RowOf } from '../../platform/db/table.ts';
import { inCompany, type Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { AnyCreation, Asked, Creation, New, Submit } from '../../platform/http/creation.ts';
import { answerOf, answers as storedAnswers, type Once } from '../../platform/http/idempotency.ts';
import { inTurns } from '../../platform/http/turns.ts';
import {
  closeJournal,
  hashChain,
  notePosting,
  numbersOf,
  type Opening,
  OPENING,
  openReading,
  refusalOf,
  type Watched,
} from './journal.ts';

type Waiting = Member<Asked, string>;

/**
 * Opens the queue for all records that are created without locking documents. Simultaneous requests from a company
 * share one transaction with two round trips, and therefore share the cost of its statements (database: "Posting and
 * totals").
 */
export function openBatches(pool: Pool, meter: QueueMeter): Submit {
  const queue = new CompanyQueue<Asked, string>((companyId, take) => runBatch(pool, companyId, take), meter);
  return (asked) => queue.submit(asked.actor.companyId, { input: asked, bytes: asked.bytes, isGone: asked.isGone });
}

async function runBatch(pool: Pool, companyId: number, take: () => Waiting[]): Promise<void> {
  let members: Waiting[] | undefined;
  const failure = await commit(pool, companyId, () => (members ??= take()));
  if (failure !== undefined && members !== undefined) await oneByOne(pool, companyId, { members, failure });
}

/** The error for a batch whose commit was not confirmed, and whether the commit may have succeeded anyway. */
interface BatchFailure {
  error: unknown;
  mayBeDone: boolean;
}

/** Runs one transaction for all members that have no response yet. Throws if it can't get a connection. */
async function commit(pool: Pool, companyId: number, take: () => Waiting[]): Promise<BatchFailure | undefined> {
  let isBegun = false;
  let isMade = false;
  try {
    const answers = await inCompany(pool, companyId, async (tx) => {
      isBegun = true;
      isMade = false;
      const made = await makeAll(
        tx,
        take().filter((member) => member.isOpen),
      );
      isMade = true;
      return made;
    });
    for (const tell of answers) tell();
    return undefined;
  } catch (error) {
    if (!isBegun) throw error;
    return { error, mayBeDone: isMade && isUnavailable(error) };
  }
}

/**
 * A failed batch is rolled back, and each member is retried separately, so that only invalid members fail. If the
 * commit may have succeeded, the idempotency key shows whether it did. The key is read under the lock, by which time
 * the lost transaction has ended. A request without a key gets 503 and a message that it may have been saved.
 */
async function oneByOne(
  pool: Pool,
  companyId: number,
  { members, failure: { error, mayBeDone } }: { members: readonly Waiting[]; failure: BatchFailure },
): Promise<void> {
  const isAnotherTryGood = members.length > 1 || isUnavailable(error) || isUniqueViolation(error);
  const isOver = isDiskFull(error) || isTimeout(error) || isLocked(error) || isSilent(error);
  let reason = isOver || !isAnotherTryGood ? error : undefined;
  for (const member of members) {
    if (!member.isOpen) continue;
    const isUnsure = mayBeDone && member.input.once === undefined;
    if (reason !== undefined || isUnsure) tell(member, reason ?? error);
    else {
      const again = await commit(pool, companyId, () => [member]).catch((lost: unknown) => ({ error: lost }));
      // The database is unavailable, so trying the other members is pointless.
      if (again !== undefined && isUnavailable(again.error)) reason = again.error;
      if (again !== undefined) tell(member, again.error);
    }
  }
}

function tell(member: Waiting, error: unknown): void {
  member.refuse(refusalOf(error) ?? error);
}

/** A checked record, with its position in the journal. */
interface Accepted {
  creation: AnyCreation;
  row: unknown;
  view: unknown;
  /** The response as JSON, encoded once for the client, the audit log, and the stored response. */
  text: string;
  transactions: readonly Chained[];
  numbers: Watched['numbers'];
  log: LogRow;
}

/**
 * Checks all members and plans the writes at commit for the accepted members. Returns the responses to send after the
 * commit.
 */
async function makeAll(tx: Tx, members: readonly Waiting[]): Promise<(() => void)[]> {
  const ground = await readGround(
    tx,
    members.map((member) => member.input),
  );
  // Checking a batch of long entries takes time, so other companies' requests run between the checks.
  const { all, answers } = await inTurns(judge(ground, members));
  write(tx, ground.end, all);
  return answers;
}

function* judge(
  ground: Ground,
  members: readonly Waiting[],
): Steps<{ all: readonly Accepted[]; answers: (() => void)[] }> {
  const known = new Map(ground.facts.stored.map((each) => [each.key, each]));
  const accepted = new Map<string, Accepted>();
  const all: Accepted[] = [];
  const answers: (() => void)[] = [];
  for (const member of members) {
    const { once } = member.input;
    try {
      const stored = once === undefined ? undefined : known.get(once.key);
      const twin = once === undefined ? undefined : accepted.get(once.key);
      if (once !== undefined && stored !== undefined) member.answer(answerOf(storedOf(stored), once));
      else if (once !== undefined && twin !== undefined) answers.push(() => settle(member, once, twin));
      else {
        const one = accept(ground, member.input);
        all.push(one);
        if (once !== undefined) accepted.set(once.key, one);
        answers.push(() => member.answer(one.text));
      }
    } catch (refusal) {
      member.refuse(refusal);
    }
    yield;
  }
  return { all, answers };
}

/** Returns the first request's response for another request with the same key in the same batch. */
function settle(member: Waiting, once: Once, { text, log }: Accepted): void {
  try {
    member.answer(answerOf({ requestHash: log.once?.requestHash ?? once.requestHash, reply: text }, once));
  } catch (refusal) {
    member.refuse(refusal);
  }
}

/** The data for checking a batch. Each accepted record advances the end of the journal. */
interface Ground {
  end: JournalEnd;
  facts: FactsRow;
  logIds: number[];
}

async function readGround(tx: Tx, asked: readonly Asked[]): Promise<Ground> {
  const facts = new Map<string, RawBuilder<unknown>>();
  for (const [creation, own] of grouped(asked, (each) => each.creation)) {
    const inputs = own.map((each) => each.input);
    facts.set(creation.kind, creation.facts(inputs));
  }
  const keys = asked.flatMap(({ once }) => (once === undefined ? [] : [once.key]));
  const [opened, taken] = await Promise.all([
    openReading(tx, selectFacts(keys, facts)),
    tx.row(takeLogIds(asked.length)),
  ]);
  return { ...opened, logIds: taken?.ids ?? [] };
}

/** A record for the audit log, with the record that it replaces. */
interface Replacing extends Asked {
  before?: unknown;
}

/** Accepts a record or throws its error. The end of the journal advances only if the record is accepted. */
function accept(ground: Ground, { actor, creation, input, once, before = null }: Replacing): Accepted {
  const made = creation.make(actor, input, ground.facts[creation.kind]);
  const { end, transactions, number = '' } = append(ground.end, made, { userId: actor.userId, hash: hashChain });
  const { row, view } = made.finish({ number, transactions });
  const shown = encode(creation.reply, view);
  const text = JSON.stringify(shown);
  ground.end = end;
  const log: LogRow = {
    id: present(ground.logIds.pop(), 'audit row ID'),
    ...signed(actor),
    ...faceOf(made.source.type, shown),
    action: made.action,
    subjectType: made.source.type,
    subjectId: made.source.id === 0 ? present(transactions[0]?.id, 'journal entry transaction') : made.source.id,
    before,
    after: new JsonText(text),
    reason: made.reason ?? null,
    once,
  };
  return { creation, row, view, text, transactions, numbers: numbersOf(made.number, number), log };
}

function storedOf({ requestHash, reply }: StoredRow): { requestHash: Buffer; reply: string } {
  return { requestHash: Buffer.from(requestHash, 'hex'), reply };
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function write(tx: Tx, end: JournalEnd, all: readonly Accepted[]): void {
  if (all.length === 0) return;
  const transactions = all.flatMap((one) => one.transactions);
  tx.atEnd(...closeJournal(end, transactions));
  for (const [creation, own] of grouped(all, (one) => one.creation)) {
    tx.atEnd(...creation.write(own.map((one) => one.row)));
  }
  tx.atEnd(...writeLog(all.map((one) => one.log)));
}

/**
 * Creates records of one kind in an open transaction, in order and as one batch. Returns the created records. Throws
 * the first error, so that either all or none are created.
 */
export async function createMany<I, F, R, V>(
  ctx: Ctx,
  creation: Creation<I, F, R, V>,
  news: readonly New<I>[],
): Promise<V[]>;
export async function createMany(ctx: Ctx, creation: AnyCreation, news: readonly New<unknown>[]): Promise<unknown[]> {
  const all = news.map(({ input, today }) => ({ actor: { ...ctx, today }, creation, input, bytes: 0 }));
  return (await makeWithin(ctx.tx, all)).map((one) => one.view);
}

/**
 * Creates one record, which may replace another. The audit log includes the replaced record, such as the draft from
 * which the new record was posted.
 */
export async function createWithin<I, F, R, V>(
  ctx: Ctx,
  creation: Creation<I, F, R, V>,
  { input, before }: { input: I; before?: unknown },
): Promise<V>;
export async function createWithin(
  ctx: Ctx,
  creation: AnyCreation,
  { input, before }: { input: unknown; before?: unknown },
): Promise<unknown> {
  const [one] = await makeWithin(ctx.tx, [{ actor: ctx, creation, input, before, bytes: 0 }]);
  return one?.view;
}

async function makeWithin(tx: Tx, asked: readonly Replacing[]): Promise<Accepted[]> {
  if (asked.length === 0) return [];
  const ground = await readGround(tx, asked);
  const all = asked.map((each) => accept(ground, each));
  write(tx, ground.end, all);
  const transactions = all.flatMap((one) => one.transactions);
  notePosting(tx, {
    transactions,
    numbers: all.flatMap((one) => one.numbers),
    closingDate: ground.end.closingDate,
  });
  return all;
}

/** A stored response to an earlier request. The digest is in hexadecimal. */
interface StoredRow {
  key: string;
  requestHash: string;
  reply: string;
}

/** The data for a batch: the stored responses, and the data for each kind under its name. */
type FactsRow = Opening & { stored: StoredRow[] } & Record<string, unknown>;

/**
 * Selects all data in one statement. Must run under the lock. Otherwise, it could read values that another posting is
 * about to change.
 */
function selectFacts(keys: readonly string[], facts: ReadonlyMap<string, RawBuilder<unknown>>): Runnable<FactsRow> {
  const named = [...facts].map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`);
  const stored = sql`(
    select jsonb_agg(jsonb_build_object('key', i.key, 'requestHash', encode(i.request_hash, 'hex'),
      'reply', coalesce(i.reply, a.after::text)))
    from idempotency i
    left join audit_log a on a.company_id = ${COMPANY} and a.id = i.audit_id
    where i.company_id = ${COMPANY} and i.key = any(${keys}::text[]))`;
  return sql<FactsRow>`
    select ${OPENING}, ${listOf(keys, stored)} as stored ${sql.join(named, sql``)}`;
}

/**
 * Assigns `count` IDs for the audit log. The statement uses no tables, because a distributed statement would run the
 * sequence on each node.
 */
function takeLogIds(count: number): Runnable<{ ids: number[] }> {
  return sql<{ ids: number[] }>`select ${takeIds('audit_log_id_seq', count)} as ids`;
}

/** A record's audit row, and the idempotency key for the response that the row stores. */
interface LogRow extends RowOf<typeof auditLog> {
  once: { key: string; requestHash: Buffer } | undefined;
}

/** Writes audit rows and stored responses. The created document itself is stored only in the audit row. */
function writeLog(log: readonly LogRow[]): Runnable<unknown>[] {
  const keyed = log.flatMap(({ once, id, userId }) =>
    once === undefined ? [] : [{ key: once.key, userId, requestHash: once.requestHash, status: 200, auditId: id }],
  );
  const rows = log.map(({ once: _, ...row }) => row);
  return [auditLog.insertMany(rows), ...(keyed.length === 0 ? [] : [storedAnswers.insertMany(keyed)])];
}
