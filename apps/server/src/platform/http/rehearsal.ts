import { canRehearse, type Endpoint } from '@evenkeel/contract/endpoint';
import { Rehearsal, type Rehearsal as Effects } from '@evenkeel/contract/rehearsal';
import { encode } from '@evenkeel/contract/wire';
import { Failure } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import type { Pool } from '../db/connect.ts';
import { inCompany, type Turn, type Tx } from '../db/tx.ts';
import type { Ctx } from './context.ts';

/** Starts recording a transaction's postings. Returns a function that describes the effects of these postings. */
export type Describe = (ctx: Ctx) => () => Promise<Effects>;

const notOffered = (): Failure => new Failure('rule', "This call can't be rehearsed");

/**
 * Returns whether the header's value requests a rehearsal. Throws 400 for a value other than `true` or `false`. Throws
 * 422 for a call that can't be rehearsed because it only reads, accepts or returns a file, or isn't a single
 * transaction in a company.
 */
export function isRehearsal(value: string | string[], endpoint: Endpoint, isOneTransaction: boolean): boolean {
  if (value === 'false') return false;
  if (value !== 'true') throw new Failure('malformed', 'Evenkeel-Rehearse must be true or false');
  if (!canRehearse(endpoint) || !isOneTransaction) throw notOffered();
  return true;
}

/** Carries the result of a rehearsal out of the transaction as an error, which rolls the transaction back. */
class Ended extends Error {
  readonly text: string;
  constructor(text: string) {
    super('a rehearsal ended');
    this.text = text;
  }
}

/**
 * Replaces the pool in a rehearsal. A call that uses another transaction can't be rolled back, so it is stopped before
 * it changes anything.
 */
const noPool = new Proxy(
  {},
  {
    get: () => {
      throw notOffered();
    },
  },
) as Pool;

/**
 * The maximum time that a rehearsal waits for another request's lock, in milliseconds. The rehearsal holds locks while
 * it waits, so it gives up sooner than a write. Including the wait for its turn, a rehearsal waits no longer than a
 * read.
 */
const LOCK_MS = 2000;

/**
 * Runs a call in its own transaction, describes its effects, and rolls everything back. Returns the JSON text of the
 * response. Record IDs come from sequences and are provisional. `work` returns the JSON text of the call's usual
 * response.
 */
export async function rehearse(
  { pool, turn, describe }: { pool: Pool; turn: Turn; describe: Describe },
  contextOf: (tx: Tx) => Ctx,
  work: (ctx: Ctx) => Promise<string>,
): Promise<string> {
  const visitor = typeof turn === 'number' ? { companyId: turn } : turn;
  try {
    await pool.gates.rehearsal.pass(visitor, () =>
      inCompany(pool, turn, async (tx) => {
        const ctx = contextOf(tx);
        const effects = describe(ctx);
        const [, reply] = await Promise.all([
          tx.rows(sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`),
          work({ ...ctx, services: { ...ctx.services, pool: noPool } }),
        ]);
        throw new Ended(`{"reply":${reply},"rehearsal":${JSON.stringify(encode(Rehearsal, await effects()))}}`);
      }),
    );
  } catch (error) {
    if (error instanceof Ended) return error.text;
    throw error;
  }
  throw new Error('a rehearsal was not rolled back');
}
