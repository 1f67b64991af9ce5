import { type RawBuilder, sql } from 'kysely';
import { auditLog } from '../../platform/db/audit.ts';
import { COMPANY, type Runnable, listOf, takeIds } from '../../platform/db/query.ts';
import type { RowOf } from '../../platform/db/table.ts';
import { answers } from '../../platform/http/idempotency.ts';
import { type Opening, OPENING } from './journal.ts';

/** A stored response to an earlier request. The digest is hexadecimal. */
export interface StoredRow {
  key: string;
  requestHash: string;
  reply: string;
}

/** The facts for a batch: the stored responses, and each kind's facts under its name. */
export type FactsRow = Opening & { stored: StoredRow[] } & Record<string, unknown>;

/**
 * Selects all facts in one statement. Run it under the lock. Before the lock, it could read values that another posting
 * is about to change.
 */
export function selectFacts(
  keys: readonly string[],
  facts: ReadonlyMap<string, RawBuilder<unknown>>,
): Runnable<FactsRow> {
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
 * Takes `count` IDs for the audit log. The statement uses no tables because a distributed statement would run the
 * sequence on each node.
 */
export function takeLogIds(count: number): Runnable<{ ids: number[] }> {
  return sql<{ ids: number[] }>`select ${takeIds('audit_log_id_seq', count)} as ids`;
}

/** A record's audit row, and the idempotency key of the response that the row stores. */
export interface LogRow extends RowOf<typeof auditLog> {
  once: { key: string; requestHash: Buffer } | undefined;
}

/** Writes audit rows and stored responses. Only the audit row contains the document. */
export function writeLog(log: readonly LogRow[]): Runnable<unknown>[] {
  const keyed = log.flatMap(({ once, id, userId }) =>
    once === undefined ? [] : [{ key: once.key, userId, requestHash: once.requestHash, status: 200, auditId: id }],
  );
  const rows = log.map(({ once: _, ...row }) => row);
  return [auditLog.insertMany(rows), ...(keyed.length === 0 ? [] : [answers.insertMany(keyed)])];
}
