import { type RawBuilder, sql } from 'kysely';
import { auditLog } from '../../platform/db/audit.ts';
import { COMPANY, type Runnable, listOf, takeIds } from '../../platform/db/query.ts';
import type { RowOf } from '../../platform/db/table.ts';
import { answers } from '../../platform/http/idempotency.ts';
import { type Opening, OPENING } from './journal.ts';

/** An answer that was given before; the digest in hexadecimal digits. */
export interface StoredRow {
  key: string;
  requestHash: string;
  reply: string;
}

/** Facts that a batch is judged by: the answers known by now, and each kind's own by its name. */
export type FactsRow = Opening & { stored: StoredRow[] } & Record<string, unknown>;

/** All of it in one statement. Run it behind the lock: started before, it could see what another posting changes. */
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

/** Ids for so many rows of the log. A sequence stands in no statement with tables: a distributed one would run it. */
export function takeLogIds(count: number): Runnable<{ ids: number[] }> {
  return sql<{ ids: number[] }>`select ${takeIds('audit_log_id_seq', count)} as ids`;
}

/** A record's audit row, and the key under which its document is the stored answer. */
export interface LogRow extends RowOf<typeof auditLog> {
  once: { key: string; requestHash: Buffer } | undefined;
}

/** Audit rows and stored answers: the document stands in the audit row alone. */
export function writeLog(log: readonly LogRow[]): Runnable<unknown>[] {
  const keyed = log.flatMap(({ once, id, userId }) =>
    once === undefined ? [] : [{ key: once.key, userId, requestHash: once.requestHash, status: 200, auditId: id }],
  );
  const rows = log.map(({ once: _, ...row }) => row);
  return [auditLog.insertMany(rows), ...(keyed.length === 0 ? [] : [answers.insertMany(keyed)])];
}
