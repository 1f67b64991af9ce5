import { encode } from '@evenkeel/contract/wire';
import { type Cents, decimal, sum, toCents } from '@evenkeel/core/money';
import { kinds } from '@evenkeel/core/documents/side';
import type { AuditFields } from '@evenkeel/core/kinds/kind';
import { auditKinds } from '@evenkeel/core/words/audit';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { Ctx } from '../http/context.ts';
import { COMPANY, type Runnable } from './query.ts';
import { table } from './table.ts';

export const auditLog = table('audit_log', {
  id: 'id',
  userId: 'user_id',
  action: 'action',
  subjectType: 'subject_type',
  subjectId: 'subject_id',
  before: 'before',
  after: 'after',
  reason: 'reason',
  person: 'person',
  byKind: 'by_kind',
  byName: 'by_name',
  sessionId: 'session_id',
  title: 'title',
  amount: 'amount_cents',
});

/** The caller as a row of the log keeps it. */
export const signed = ({ userId, by }: Pick<Ctx, 'userId' | 'by'>) => ({
  userId,
  person: by.person,
  byKind: by.kind,
  byName: by.name,
  sessionId: by.sessionId ?? null,
});

/** The person who changed a record last, as the log names them; none where the server did, or nobody has. */
export function lastChange(subjectType: string, subjectId: number): Runnable<{ person: string }> {
  return sql`
    select person from audit_log
    where company_id = ${COMPANY} and subject_type = ${subjectType} and subject_id = ${subjectId}
    order by id desc limit 1`;
}

/** Actions on a record. */
export type Action = 'create' | 'update' | 'delete' | 'post' | 'reverse';

/** A kind of record: its name in the audit log, how the API shows it (amounts in dollars), and which one it is. */
export interface Subject<S extends z.ZodType> {
  readonly name: string;
  readonly schema: S;
  readonly idOf: (record: z.output<S>) => number;
}

/** A change of a record. Without `action` it follows: no `before` is a create, no `after` a delete. */
export interface Change<V> {
  action?: Action;
  before?: V | undefined;
  after?: V | undefined;
  reason?: string | undefined;
  /**
   * The statements that write it, with the commit; none when that was done already (for an id, or a name that may be
   * taken).
   */
  write?: Runnable<unknown> | readonly Runnable<unknown>[];
}

/** Writes a change and its row of the audit log with the commit; answers the record as it is then. */
export function record<S extends z.ZodType, C extends Change<z.output<S>>>(
  ctx: Pick<Ctx, 'tx' | 'userId' | 'by'>,
  subject: Subject<S>,
  change: C,
): C['after'] {
  const { write = [] } = change;
  ctx.tx.atEnd(...(Array.isArray(write) ? write : [write]), auditLog.insert(rowOf(ctx, subject, change)));
  return change.after;
}

/** Records the creation of many records of a kind, as `record` does for one. */
export function recordCreated<S extends z.ZodType>(
  ctx: Pick<Ctx, 'tx' | 'userId' | 'by'>,
  subject: Subject<S>,
  created: readonly z.output<S>[],
  reason?: string,
): void {
  const rows = created.map((after) => rowOf(ctx, subject, { after, reason }));
  if (rows.length > 0) ctx.tx.atEnd(auditLog.insertMany(rows, ['id']));
}

function rowOf<S extends z.ZodType>(
  caller: Pick<Ctx, 'userId' | 'by'>,
  { name, schema, idOf }: Subject<S>,
  { before, after, reason, ...change }: Omit<Change<z.output<S>>, 'write'>,
) {
  const subject = before ?? after;
  if (subject === undefined) throw new Error(`a change of no ${name}`);
  const shown = (value: z.output<S> | undefined): unknown => (value === undefined ? null : encode(schema, value));
  const action = change.action ?? (before === undefined ? 'create' : after === undefined ? 'delete' : 'update');
  const shownNow = { before: shown(before), after: shown(after) };
  return {
    ...signed(caller),
    ...faceOf(name, shownNow.after ?? shownNow.before),
    ...shownNow,
    action,
    subjectType: name,
    subjectId: idOf(subject),
    reason: reason ?? null,
  };
}

const FIELDS: Readonly<Record<string, AuditFields>> = auditKinds;

const MOST_LETTERS = 200;

/** The name and the amount of a record, of what the API shows of it (dollars). */
export function faceOf(kind: string, shown: unknown): { title: string; amount: Cents | null } {
  const { title, amount } = FIELDS[kind] ?? kinds.get(kind)?.audit ?? {};
  const fields: Readonly<Record<string, unknown>> = typeof shown === 'object' && shown !== null ? { ...shown } : {};
  const named = title === undefined ? '' : fields[title];
  const isName = typeof named === 'string' || typeof named === 'number';
  return {
    title: isName ? String(named).slice(0, MOST_LETTERS) : '',
    amount: amount === undefined ? debitsOf(fields['generalLedgerEntries']) : inCents(fields[amount]),
  };
}

function inCents(dollars: unknown): Cents | null {
  return typeof dollars === 'number' ? toCents(decimal(dollars)) : null;
}

/** The debits of a journal entry; null for what is none. */
function debitsOf(entries: unknown): Cents | null {
  if (!Array.isArray(entries)) return null;
  return sum(entries.flatMap((each: { debitAmount?: unknown }) => inCents(each.debitAmount) ?? []));
}
