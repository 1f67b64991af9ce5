import type { Side } from '@evenkeel/core/side';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { type DocumentRow, documents, lineTables } from './settlement.sql.ts';

/** Everything that a document's head holds and the program sets. */
export type DocumentRecord = Omit<DocumentRow, 'rowVersion' | 'deleted'>;

/** The lines of a side's documents, as that side's table writes them. */
export interface LineWriter<L> {
  insertMany(rows: readonly L[]): Runnable<unknown>;
  updateMany(rows: readonly L[], by: readonly 'id'[]): Runnable<unknown>;
}

/** New documents with their lines. */
export function insertDocuments<L>(
  lines: LineWriter<NoInfer<L>>,
  heads: readonly DocumentRecord[],
  own: readonly L[],
): Runnable<unknown>[] {
  return [documents.insertMany(heads), ...(own.length === 0 ? [] : [lines.insertMany(own)])];
}

interface Rewrite<L> {
  head: DocumentRecord;
  own: readonly L[];
  stored: readonly { id: number }[];
}

/** Writes the head and the live lines; stored ones that are not among them are marked as deleted. */
export function updateDocument<L extends { id: number }>(
  side: Side,
  lines: LineWriter<NoInfer<L>>,
  { head, own, stored }: Rewrite<L>,
): Runnable<unknown>[] {
  const { name, document } = lineTables[side.name];
  const before = new Set(stored.map(({ id }) => id));
  const kept = own.filter(({ id }) => before.has(id));
  const added = own.filter(({ id }) => !before.has(id));
  return [
    documents.update({ id: head.id }, { ...head, rowVersion: sql`row_version + 1` }),
    sql`
      update ${sql.id(name)} set deleted = true
      where company_id = ${COMPANY} and ${sql.id(document)} = ${head.id} and not deleted
        and id <> all(${kept.map(({ id }) => id)}::bigint[])`,
    ...(kept.length === 0 ? [] : [lines.updateMany(kept, ['id'])]),
    ...(added.length === 0 ? [] : [lines.insertMany(added)]),
  ];
}

export function markDeleted(id: number): Runnable<unknown> {
  const none = { applied: sql`0`, openAmount: sql`0` };
  return documents.update({ id }, { deleted: true, ...none, rowVersion: sql`row_version + 1` });
}
