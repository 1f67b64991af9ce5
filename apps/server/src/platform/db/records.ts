import { isTrue } from '@evenkeel/contract/endpoint';
import { Failure, notFound, refuse } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { record, type Subject } from './audit.ts';
import { isUniqueViolation } from './errors.ts';
import { pageClauses, pageOf, type PageRequest, searchClause, type SortColumn } from './page.ts';
import type { Runnable } from './query.ts';
import type { Table } from './table.ts';

/** A record in a short list, such as a profit center, location, or category. */
interface Kept {
  rowVersion: number;
  active: boolean;
}

/** Describes a kind of record. `R` is the stored row, which has the API format. */
export interface RecordKind<R extends Kept> {
  /** The name that users see, and its lowercase form for the audit log. */
  label: string;
  table: Table<R, keyof R>;
  schema: z.ZodType<R>;
  id: keyof R & string;
  name: keyof R & string;
  /** The defaults of a new record. */
  blank: R;
  /**
   * The error message if another record already has the name (in any letter case). Undefined if several records may
   * have the same name.
   */
  taken?: string;
}

/** The fields in a request. Omitted fields keep their values or, for a new record, use `blank`. */
export type Given<R> = { [K in keyof R]?: R[K] | null | undefined };

/** Lists the active records or all records, sorted by name. */
export function listRecords<R extends Kept>(ctx: Ctx, kind: RecordKind<R>, withInactive: boolean): Promise<R[]> {
  const { table, id, name } = kind;
  const orderBy = sql`lower(${table.ref(name)}), ${table.ref(id)}`;
  return ctx.tx.rows(table.find(withInactive ? {} : whereOf<R>('active', true), { orderBy }));
}

interface ListQuery extends PageRequest {
  q?: string | undefined;
  inactive?: string | undefined;
}

/** Lists records as an array or a page. Sorting and searching use the name. */
export async function pageOfRecords<R extends Kept>(ctx: Ctx, kind: RecordKind<R>, ask: ListQuery) {
  const { table, id, name } = kind;
  const where = isTrue(ask.inactive) ? {} : whereOf<R>('active', true);
  const initial: SortColumn = { expression: sql`lower(${table.ref(name)})`, type: 'text' };
  const page = pageClauses(ask, {}, { id: table.ref(id), initial });
  const matching = searchClause(ask.q, { texts: [table.ref(name)] });
  const [rows, count] = await Promise.all([
    ctx.tx.rows(
      table.find(where, {
        and: sql`${matching} ${page.after}`,
        also: sql`, ${table.ref(id)} as id, ${page.key}`,
        page: sql`${page.orderBy} ${page.limit}`,
      }) as Runnable<R & { id: number; sortKey: string }>,
    ),
    ask.limit === undefined ? undefined : ctx.tx.row(table.count(where, matching)),
  ]);
  return pageOf(ask, { rows, total: count?.total ?? 0 }, (row): R => row);
}

/**
 * Creates a record or, if the ID is positive, saves the existing record. `active: true` makes an inactive record
 * active. Throws 404 if the record doesn't exist, 409 'stale' if the version is outdated, 409 if the name is taken, and
 * 422 if the name is empty.
 */
export async function saveRecord<R extends Kept>(ctx: Ctx, kind: RecordKind<R>, given: Given<R>): Promise<R> {
  const { table, id, name } = kind;
  const key = Math.max(0, Number(given[id] ?? 0));
  const before = key === 0 ? undefined : await lockRecord(ctx, kind, key);
  if (before !== undefined) requireFresh(kind.schema, before, given.rowVersion);
  const wanted = {
    ...(before ?? kind.blank),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)),
    [id]: before?.[id],
    rowVersion: (before?.rowVersion ?? 0) + 1,
    active: before === undefined || (given.active ?? before.active),
  } as R;
  if (wanted[name] === '') throw refuse('Please enter a name', { [name]: 'Please enter a name' });
  const write = before === undefined ? table.insert(wanted, [id]) : table.update(whereOf<R>(id, key), wanted, [id]);
  const made = await written(ctx, kind, write);
  return record(ctx, subjectOf(kind), { before, after: { ...wanted, ...made } });
}

/** Saves the record in a PUT request. Throws 404 if the ID is missing. */
export function updateRecord<R extends Kept>(ctx: Ctx, kind: RecordKind<R>, given: Given<R>): Promise<R> {
  if (Number(given[kind.id] ?? 0) <= 0) throw notFound(kind.label);
  return saveRecord(ctx, kind, given);
}

/** Deletes a record, or makes it inactive if another record refers to it. Throws 404 if the record doesn't exist. */
export async function removeRecord<R extends Kept>(ctx: Ctx, kind: RecordKind<R>, id: number): Promise<{ ok: true }> {
  const { table } = kind;
  const where = whereOf<R>(kind.id, id);
  const [[before], [use]] = await ctx.tx.inOrder([table.find(where, { lock: 'for update' }), table.isUsed(id)]);
  if (before === undefined) throw notFound(kind.label);
  const kept = { active: false, rowVersion: before.rowVersion + 1 } as Partial<R>;
  const write = use?.used === false ? table.delete(where) : table.update(where, kept);
  record(ctx, subjectOf(kind), { before, write });
  return { ok: true };
}

async function lockRecord<R extends Kept>(ctx: Ctx, kind: RecordKind<R>, id: number): Promise<R> {
  const stored = await ctx.tx.row(kind.table.find(whereOf<R>(kind.id, id), { lock: 'for update' }));
  if (stored === undefined) throw notFound(kind.label);
  return stored;
}

/** The record is written immediately to find out whether its name is taken. The unique index decides. */
async function written<V>(
  ctx: Ctx,
  kind: { name: string; taken?: string },
  write: Runnable<V>,
): Promise<V | undefined> {
  try {
    return await ctx.tx.row(write);
  } catch (error) {
    if (kind.taken === undefined || !isUniqueViolation(error)) throw error;
    throw new Failure('conflict', kind.taken, { [kind.name]: kind.taken });
  }
}

function subjectOf<R extends Kept>({ label, schema, id }: RecordKind<R>): Subject<z.ZodType<R>> {
  return { name: label.toLowerCase(), schema, idOf: (record) => Number(record[id]) };
}

function whereOf<R>(field: keyof R, value: unknown): Partial<R> {
  return { [field]: value } as Partial<R>;
}
