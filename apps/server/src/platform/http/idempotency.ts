import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Failure } from '@evenkeel/core/failure';
import type { Pool } from '../db/connect.ts';
import { isDiskFull, isSilent, isTimeout, isUnavailable } from '../db/errors.ts';
import { TurnedAway, type Visitor } from '../db/gate.ts';
import { COMPANY } from '../db/query.ts';
import { table } from '../db/table.ts';
import { inCompany, readCompany, type Turn, type Tx } from '../db/tx.ts';

/** A write that must happen only once, even if it is repeated. */
export interface Once {
  companyId: number;
  userId: number;
  /** The stored key: the user ID followed by the client's key, so that two users never share a key. */
  key: string;
  requestHash: Buffer;
  /** Called if the response was stored by an earlier request with the same key. */
  onReplay?: () => void;
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

/** Carries the first response out of a transaction that must be rolled back. */
class AlreadyAnswered extends Error {
  readonly stored: Stored;
  constructor(stored: Stored) {
    super('answered before');
    this.stored = stored;
  }
}

/** A request's body, and the ID of the API key that made it. */
interface Hashed {
  body: unknown;
  keyId: number | undefined;
}

/** Returns a digest of the request: method, path, body, and API key. */
export function requestHash(method: string, url: string, { body, keyId }: Hashed): Buffer {
  const by = keyId === undefined ? '' : `\n${keyId}`;
  return createHash('sha256')
    .update(`${method}\n${url.toLowerCase()}\n${JSON.stringify(body) ?? ''}${by}`)
    .digest();
}

/** Selects the stored responses of these keys. */
function lookup(onces: readonly Once[]) {
  return sql<Stored>`
    select i.request_hash as "requestHash", coalesce(i.reply, a.after::text) as reply
    from idempotency i
    left join audit_log a on a.company_id = ${COMPANY} and a.id = i.audit_id
    where i.company_id = ${COMPANY} and i.key = any(${onces.map(({ key }) => key)}::text[])`;
}

/**
 * Runs `work` in one transaction. Its result, the response as JSON text, is stored with the commit. The key is looked
 * up in the first round trip. A repeated request gets the stored response, and its own changes are rolled back. If
 * several requests run at the same time, the first commit wins, and the others return its response.
 */
export async function onlyOnce(pool: Pool, turn: Turn, once: Once, work: (tx: Tx) => Promise<string>): Promise<string> {
  try {
    const [answer] = await inCompany(pool, turn, (tx) => attempt(tx, [once], async () => [made(await work(tx))]));
    return valueOf(answer);
  } catch (error) {
    return answerInstead(pool, once, error);
  }
}

/**
 * Returns the stored response for a repeated request, or undefined for a new request. Throws 409 if the key was used
 * for another request.
 */
export async function answeredBefore(pool: Pool, turn: Turn, once: Once): Promise<string | undefined> {
  const stored = await readCompany(pool, turn, (tx) => tx.row(lookup([once])));
  return stored === undefined ? undefined : answerOf(stored, once);
}

/**
 * The results of several requests, in the order of the requests. Each request either created a record or was rejected.
 */
export type Outcomes<T> = PromiseSettledResult<T>[];

const made = <T>(value: T): PromiseSettledResult<T> => ({ status: 'fulfilled', value });

/** Returns the value of a result, or throws the error that rejected the request. */
export function valueOf<T>(outcome: PromiseSettledResult<T> | undefined): T {
  if (outcome === undefined) throw new Error('a request ended without a response');
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Returns the values of the successful results. */
export const valuesOf = <T>(outcomes: Outcomes<T>): T[] =>
  outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));

/** Converts the values of the successful results. */
export const eachMade = <T, U>(outcomes: Outcomes<T>, turn: (value: T) => U): Outcomes<U> =>
  outcomes.map((each) => (each.status === 'fulfilled' ? made(turn(each.value)) : each));

/** Handles a failed request: returns the response from an earlier request with the key, or throws the error. */
async function answerInstead(pool: Pool, once: Once, error: unknown): Promise<string> {
  if (error instanceof AlreadyAnswered) return answerOf(error.stored, once);
  if (isSilent(error) || error instanceof TurnedAway) throw error;
  // Another request with the key may have succeeded in the meantime, or this request may have been committed even
  // though its response was lost.
  const stored = await readCompany(pool, once.companyId, (tx) => tx.row(lookup([once]))).catch(() => undefined);
  if (stored === undefined) throw error;
  return answerOf(stored, once);
}

/** Runs requests with these keys and stores the response of each successful request. */
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

/** The maximum number of requests that share a transaction. The first request waits until all of them are processed. */
const MOST_SHARERS = 16;

/** A request that may share its transaction with other requests in its group. */
export interface Sharer<I> {
  turn: Visitor;
  once: Once;
  input: I;
  /**
   * Requests in the same group may run together. The `work` function of any request in the group can run all of them.
   */
  group: string;
  /** Runs several requests in one transaction. A rejected request doesn't affect the others. */
  work: (tx: Tx, inputs: readonly I[]) => Promise<Outcomes<string>>;
}

interface Waiting<I> extends Sharer<I> {
  answer: (answer: Promise<string>) => void;
}

/**
 * Does the same as onlyOnce for requests that may share a transaction. Each request waits for a turn at the gate, and
 * the other waiting requests in its group run with it.
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
      // If the database has problems, the other requests don't retry.
      const isOver = taken.length === 1 || isUnavailable(error) || isDiskFull(error) || isTimeout(error);
      for (const each of taken) each.answer(isOver ? answerInstead(this.#pool, each.once, error) : this.#alone(each));
    }
  }

  /**
   * Takes the first request and other requests in its group, but only one request for each key. A duplicate gets the
   * same response later.
   */
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

  /**
   * A failed transaction leaves no changes. If each request then runs separately, only the request that caused the
   * error fails.
   */
  #alone({ turn, once, input, work }: Waiting<I>): Promise<string> {
    return onlyOnce(this.#pool, turn, once, async (tx) => valueOf((await work(tx, [input]))[0]));
  }
}

/** Returns the stored response. Throws 409 if the key was used for another request. */
export function answerOf(stored: Stored, once: Once): string {
  if (stored.requestHash.equals(once.requestHash)) {
    once.onReplay?.();
    return stored.reply;
  }
  throw new Failure('key_reused', 'This Idempotency-Key was already used for a different request');
}
