import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Failure } from '@evenkeel/core/failure';
import type { Pool } from '../db/connect.ts';
import { isDiskFull, isSilent, isTimeout, isUnavailable } from '../db/errors.ts';
import { TurnedAway, type Visitor } from '../db/gate.ts';
import { COMPANY } from '../db/query.ts';
import { table } from '../db/table.ts';
import { inCompany, readCompany, type Turn, type Tx } from '../db/tx.ts';

/** A write that must happen once however often it is sent. */
export interface Once {
  companyId: number;
  userId: number;
  /** As stored: the client's key behind the user's id, so that two users never share one. */
  key: string;
  requestHash: Buffer;
}

interface Stored {
  requestHash: Buffer;
  reply: string;
}

export const answers = table('idempotency', {
  key: 'key',
  userId: 'user_id',
  requestHash: 'request_hash',
  status: 'status',
  reply: 'reply',
  auditId: 'audit_id',
});

/** Carries the first answer out of a transaction that must be undone. */
class AlreadyAnswered extends Error {
  readonly stored: Stored;
  constructor(stored: Stored) {
    super('answered before');
    this.stored = stored;
  }
}

/** Digest of what was asked: method, path and body. */
export function requestHash(method: string, url: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method}\n${url.toLowerCase()}\n${JSON.stringify(body) ?? ''}`)
    .digest();
}

/** Answers that were given under these keys before. */
function lookup(onces: readonly Once[]) {
  return sql<Stored>`
    select i.request_hash as "requestHash", coalesce(i.reply, a.after::text) as reply
    from idempotency i
    left join audit_log a on a.company_id = ${COMPANY} and a.id = i.audit_id
    where i.company_id = ${COMPANY} and i.key = any(${onces.map(({ key }) => key)}::text[])`;
}

/**
 * Runs `work` (→ the JSON text of the reply) in one transaction and stores its answer with the commit. The key is
 * looked up in the round trip that begins; a request that was answered before gets that answer, and what this one did
 * is undone. The first commit of several at once wins, and the others answer as it did.
 */
export async function onlyOnce(pool: Pool, turn: Turn, once: Once, work: (tx: Tx) => Promise<string>): Promise<string> {
  try {
    const [answer] = await inCompany(pool, turn, (tx) => attempt(tx, [once], async () => [made(await work(tx))]));
    return valueOf(answer);
  } catch (error) {
    return answerInstead(pool, once, error);
  }
}

/** The stored reply to a repeated request; undefined for a new one. Throws 409 where its key was used for another. */
export async function answeredBefore(pool: Pool, turn: Turn, once: Once): Promise<string | undefined> {
  const stored = await readCompany(pool, turn, (tx) => tx.row(lookup([once])));
  return stored === undefined ? undefined : answerOf(stored, once);
}

/** Answers of several requests in their order, each made or refused. */
export type Outcomes<T> = PromiseSettledResult<T>[];

const made = <T>(value: T): PromiseSettledResult<T> => ({ status: 'fulfilled', value });

/** Throws what refused the request. */
export function valueOf<T>(outcome: PromiseSettledResult<T> | undefined): T {
  if (outcome === undefined) throw new Error('a request was left without an answer');
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Those that were made. */
export const valuesOf = <T>(outcomes: Outcomes<T>): T[] =>
  outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));

/** Turns those that were made into something else. */
export const eachMade = <T, U>(outcomes: Outcomes<T>, turn: (value: T) => U): Outcomes<U> =>
  outcomes.map((each) => (each.status === 'fulfilled' ? made(turn(each.value)) : each));

/** Answers a request that failed: as an earlier one of its key, or else by throwing the error. */
async function answerInstead(pool: Pool, once: Once, error: unknown): Promise<string> {
  if (error instanceof AlreadyAnswered) return answerOf(error.stored, once);
  if (isSilent(error) || error instanceof TurnedAway) throw error;
  // A request of the same key may have succeeded meanwhile, or this one's commit although its answer was lost.
  const stored = await readCompany(pool, once.companyId, (tx) => tx.row(lookup([once]))).catch(() => undefined);
  if (stored === undefined) throw error;
  return answerOf(stored, once);
}

/** Does the work of requests with these keys, and stores the answer of each that was made. */
async function attempt(
  tx: Tx,
  onces: readonly Once[],
  work: () => Promise<Outcomes<string>>,
): Promise<Outcomes<string>> {
  const earlier = tx.row(lookup(onces));
  earlier.catch(() => undefined);
  const result = await work().then(
    (outcomes) => ({ outcomes }),
    (error: unknown) => ({ error }),
  );
  const stored = await earlier;
  if (stored !== undefined) throw new AlreadyAnswered(stored);
  if ('error' in result) throw result.error;
  const rows = onces.flatMap(({ key, userId, requestHash }, at) => {
    const outcome = result.outcomes[at];
    return outcome?.status === 'fulfilled' ? [{ key, userId, requestHash, status: 200, reply: outcome.value }] : [];
  });
  if (rows.length > 0) tx.atEnd(answers.insertMany(rows));
  return result.outcomes;
}

/** Requests that share a transaction at most: the first of them waits for the work of all. */
const MOST_SHARERS = 16;

/** A request that may share its transaction with others of its group. */
export interface Sharer<I> {
  turn: Visitor;
  once: Once;
  input: I;
  /** Those with the same words may go together; the work of any of them does it for all. */
  group: string;
  /** Handles several in one transaction; one that is refused hinders no other. */
  work: (tx: Tx, inputs: readonly I[]) => Promise<Outcomes<string>>;
}

interface Waiting<I> extends Sharer<I> {
  answer: (answer: Promise<string>) => void;
}

/**
 * As onlyOnce, for requests that may share a transaction: each waits for its turn at the gate, and whoever comes in
 * takes along those of its group that wait.
 */
export class SharedTurns<I> {
  readonly #pool: Pool;
  readonly #waiting = new Set<Waiting<I>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  onlyOnce(sharer: Sharer<I>): Promise<string> {
    return new Promise((resolve) => {
      const waiting = { ...sharer, answer: resolve };
      this.#waiting.add(waiting);
      void this.#serve(waiting);
    });
  }

  async #serve(first: Waiting<I>): Promise<void> {
    let taken: Waiting<I>[] = [];
    const isGone = (): boolean => !this.#waiting.has(first) || first.turn.isGone?.() === true;
    try {
      const outcomes = await inCompany(this.#pool, { ...first.turn, isGone }, async (tx) => {
        if (taken.length === 0) taken = this.#take(first);
        const onces = taken.map(({ once }) => once);
        const inputs = taken.map(({ input }) => input);
        return taken.length === 0 ? [] : attempt(tx, onces, () => first.work(tx, inputs));
      });
      for (const [at, each] of taken.entries()) each.answer(this.#told(each, outcomes[at]));
    } catch (error) {
      if (this.#waiting.delete(first)) taken = [first];
      // A database in trouble is not asked again for each.
      const isOver = taken.length === 1 || isUnavailable(error) || isDiskFull(error) || isTimeout(error);
      for (const each of taken) each.answer(isOver ? answerInstead(this.#pool, each.once, error) : this.#alone(each));
    }
  }

  /** Takes the first and others of its group behind it, each key once: its twin is answered later, as it was. */
  #take(first: Waiting<I>): Waiting<I>[] {
    const taken = new Map<string, Waiting<I>>();
    for (const each of [...(this.#waiting.has(first) ? [first] : []), ...this.#waiting]) {
      if (taken.size === MOST_SHARERS) break;
      if (each.group !== first.group || taken.has(each.once.key)) continue;
      if (each !== first && each.turn.isGone?.() === true) continue;
      taken.set(each.once.key, each);
      this.#waiting.delete(each);
    }
    return [...taken.values()];
  }

  async #told({ once }: Waiting<I>, outcome: PromiseSettledResult<string> | undefined): Promise<string> {
    try {
      return valueOf(outcome);
    } catch (error) {
      return answerInstead(this.#pool, once, error);
    }
  }

  /** Nothing of a failed transaction is there: what was wrong with one hurts that one alone. */
  #alone({ turn, once, input, work }: Waiting<I>): Promise<string> {
    return onlyOnce(this.#pool, turn, once, async (tx) => valueOf((await work(tx, [input]))[0]));
  }
}

/** The stored answer; throws 409 when the key was used for something else. */
export function answerOf(stored: Stored, once: Once): string {
  if (stored.requestHash.equals(once.requestHash)) return stored.reply;
  throw new Failure('key_reused', 'This Idempotency-Key was already used for a different request');
}
