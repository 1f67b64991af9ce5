import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { type DocumentRow, type DocumentLines, documents, HEAD } from './settlement.sql.ts';

/** The columns of a document head that the server writes. */
export type DocumentRecord = Omit<DocumentRow, 'rowVersion' | 'deleted' | 'isPosted'>;

/**
 * A head to be written, with the row versions of its company and its customer or vendor. Printed documents use these
 * versions to keep the names and addresses.
 */
export interface DocumentHead extends DocumentRecord {
  entityVersion: number;
  companyVersion: number;
}

/** The document heads with those row versions. */
export const heads = table('document', {
  ...HEAD,
  entityVersion: 'entity_version',
  companyVersion: 'company_version',
}).typed<{
  side: DocumentRow['side'];
  taxSnapshot: DocumentRow['taxSnapshot'];
}>();

/** The fields of a head without a discount, an origin, and a customer's answer. */
export const OF_NOTHING = {
  discountPercent: null,
  discountUntil: null,
  creditedId: null,
  estimateId: null,
  answeredBy: '',
  answerNote: '',
  answeredAt: null,
  note: '',
  poNumber: '',
};

/** The table of a document kind's lines, and its statements. */
export interface LineStore<L> {
  table: DocumentLines;
  /** Selects the current lines of one document, in line order. */
  select: (documentId: number) => Runnable<L>;
  insertMany: (rows: readonly OwnLine<L>[]) => Runnable<unknown>;
  updateMany: (rows: readonly OwnLine<L>[], by: readonly 'id'[]) => Runnable<unknown>;
}

/** A line with the ID of its document. */
export type OwnLine<L> = L & { documentId: number };

/** Returns the statements that insert new documents with their lines. */
export function insertDocuments<L>(
  { insertMany }: Pick<LineStore<L>, 'insertMany'>,
  records: readonly DocumentHead[],
  own: readonly OwnLine<L>[],
): Runnable<unknown>[] {
  return [heads.insertMany(records), ...(own.length === 0 ? [] : [insertMany(own)])];
}

interface Rewrite<L> {
  head: DocumentHead;
  own: readonly OwnLine<L>[];
  stored: readonly { id: number }[];
}

/**
 * Returns the statements that write the head and the current lines. Stored lines that are not current are marked as
 * deleted.
 */
export function updateDocument<L extends { id: number }>(
  { table: { name, document }, insertMany, updateMany }: LineStore<L>,
  { head, own, stored }: Rewrite<L>,
): Runnable<unknown>[] {
  const before = new Set(stored.map(({ id }) => id));
  const kept = own.filter(({ id }) => before.has(id));
  const added = own.filter(({ id }) => !before.has(id));
  return [
    heads.update({ id: head.id }, { ...head, rowVersion: sql`row_version + 1` }),
    sql`
      update ${sql.id(name)} set deleted = true
      where company_id = ${COMPANY} and ${sql.id(document)} = ${head.id} and not deleted
        and id <> all(${kept.map(({ id }) => id)}::bigint[])`,
    ...(kept.length === 0 ? [] : [updateMany(kept, ['id'])]),
    ...(added.length === 0 ? [] : [insertMany(added)]),
  ];
}

export function markDeleted(id: number): Runnable<unknown> {
  const none = { applied: sql`0`, openAmount: sql`0` };
  return documents.update({ id }, { deleted: true, ...none, rowVersion: sql`row_version + 1` });
}
