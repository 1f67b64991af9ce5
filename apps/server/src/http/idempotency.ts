import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Failure } from '@evenkeel/core/failure';
import type { Pool } from '../db/connect.ts';
import { isSilent } from '../db/errors.ts';
import { TurnedAway } from '../db/gate.ts';
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

function lookup(once: Once) {
  return sql<Stored>`
    select i.request_hash as "requestHash", coalesce(i.reply, a.after::text) as reply
    from idempotency i
    left join audit_log a on a.company_id = i.company_id and a.id = i.audit_id
    where i.company_id = ${COMPANY} and i.key = ${once.key}`;
}

/**
 * Runs `work` (→ the JSON text of the reply) in one transaction and stores its answer with the commit. The key is
 * looked up in the round trip that begins; a request that was answered before gets that answer, and what this one did
 * is undone. The first commit of several at once wins, and the others answer as it did.
 */
export async function onlyOnce(pool: Pool, turn: Turn, once: Once, work: (tx: Tx) => Promise<string>): Promise<string> {
  try {
    return await inCompany(pool, turn, (tx) => attempt(tx, once, work));
  } catch (error) {
    if (error instanceof AlreadyAnswered) return answerOf(error.stored, once);
    if (isSilent(error) || error instanceof TurnedAway) throw error;
    // A request of the same key may have succeeded meanwhile, or this one's commit although its answer was lost.
    const stored = await readCompany(pool, once.companyId, (tx) => tx.row(lookup(once))).catch(() => undefined);
    if (stored === undefined) throw error;
    return answerOf(stored, once);
  }
}

async function attempt(tx: Tx, once: Once, work: (tx: Tx) => Promise<string>): Promise<string> {
  const earlier = tx.row(lookup(once));
  earlier.catch(() => undefined);
  const result = await work(tx).then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
  const stored = await earlier;
  if (stored !== undefined) throw new AlreadyAnswered(stored);
  if ('error' in result) throw result.error;
  const { key, userId, requestHash } = once;
  tx.atEnd(answers.insert({ key, userId, requestHash, status: 200, reply: result.reply }));
  return result.reply;
}

/** The stored answer; throws 409 when the key was used for something else. */
export function answerOf(stored: Stored, once: Once): string {
  if (stored.requestHash.equals(once.requestHash)) return stored.reply;
  throw new Failure('key_reused', 'This Idempotency-Key was used for another request');
}
