import { encode } from '@evenkeel/contract/wire';
import { type Cents, decimal, sum, toCents } from '@evenkeel/core/money';
import { kinds } from '@evenkeel/core/documents/side';
import type { AuditFields } from '@evenkeel/core/kinds/kind';
import { auditKinds } from '@evenkeel/core/words/audit';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { By, Ctx } from '../http/context.ts';
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
  requestId: 'request_id',
  idempotencyKey: 'idempotency_key',
});

/** Returns the caller's columns for an audit log row. */
export const signed = ({ userId, by }: Pick<Ctx, 'userId' | 'by'>) => ({
  userId,
  person: by.person,
  byKind: by.kind,
  byName: by.name,
  sessionId: by.sessionId ?? null,
  requestId: by.requestId ?? null,
  idempotencyKey: by.idempotencyKey ?? null,
});

/**
 * Selects the name of the last user who changed a record, as shown in the audit log. Selects nothing if the server made
 * the last change or if no change was recorded.
 */
export function lastChange(subjectType: string, subjectId: number): Runnable<{ person: string }> {
  return sql`
    select person from audit_log
    where company_id = ${COMPANY} and subject_type = ${subjectType} and subject_id = ${subjectId}
    order by id desc limit 1`;
}

/** The actions that can be performed on a record. */
export type Action = 'create' | 'update' | 'delete' | 'post' | 'reverse';

/** A kind of record: its name in the audit log, its API schema (amounts in dollars), and its ID. */
export interface Subject<S extends z.ZodType> {
  readonly name: string;
  readonly schema: S;
  readonly idOf: (record: z.output<S>) => number;
}

/**
 * A change to a record. If `action` is undefined, a change without `before` is a creation, and a change without `after`
 * is a deletion.
 */
export interface Change<V> {
  action?: Action;
  before?: V | undefined;
  after?: V | undefined;
  reason?: string | undefined;
  /**
   * The statements that write the record at commit. Undefined if they have already run, for example because an ID was
   * needed or a name had to be checked.
   */
  write?: Runnable<unknown> | readonly Runnable<unknown>[];
}

/** Writes a change and its audit log row at commit. Returns the record after the change. */
export function record<S extends z.ZodType, C extends Change<z.output<S>>>(
  ctx: Pick<Ctx, 'tx' | 'userId' | 'by'>,
  subject: Subject<S>,
  change: C,
): C['after'] {
  const { write = [] } = change;
  ctx.tx.atEnd(...(Array.isArray(write) ? write : [write]), auditLog.insert(rowOf(ctx, subject, change)));
  return change.after;
}

/** Like `record`, but records the creation of several records of one kind. `by` replaces the caller. */
export function recordCreated<S extends z.ZodType>(
  ctx: Pick<Ctx, 'tx' | 'userId' | 'by'>,
  subject: Subject<S>,
  created: readonly { after: z.output<S>; reason?: string | undefined; by?: By | undefined }[],
): void {
  const rows = created.map(({ by = ctx.by, ...change }) => rowOf({ userId: ctx.userId, by }, subject, change));
  if (rows.length > 0) ctx.tx.atEnd(auditLog.insertMany(rows, ['id']));
}

function rowOf<S extends z.ZodType>(
  caller: Pick<Ctx, 'userId' | 'by'>,
  { name, schema, idOf }: Subject<S>,
  { before, after, reason, ...change }: Omit<Change<z.output<S>>, 'write'>,
) {
  const subject = before ?? after;
  if (subject === undefined) throw new Error(`a change to a ${name} does not name the record`);
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

/** Returns the title and the amount of a record from its API format (in dollars). */
export function faceOf(kind: string, shown: unknown): { title: string; amount: Cents | null } {
  const { title, amount } = FIELDS[kind] ?? kinds.get(kind)?.audit ?? {};
  const fields: Readonly<Record<string, unknown>> = typeof shown === 'object' && shown !== null ? { ...shown } : {};
  const named = title === undefined ? '' : fields[title];
  const isName = typeof named === 'string' || typeof named === 'number';
  const credit = appliedCredit(fields);
  if (credit !== null && isName) return { title: `${named} (credit applied)`, amount: credit };
  return {
    title: isName ? String(named).slice(0, MOST_LETTERS) : '',
    amount: amount === undefined ? debitsOf(fields['generalLedgerEntries']) : inCents(fields[amount]),
  };
}

/** Returns the credit amount that a payment of 0.00 applies, or null for other records. */
function appliedCredit({ paymentAmount, paymentApplications: all }: Readonly<Record<string, unknown>>): Cents | null {
  if (paymentAmount !== 0 || !Array.isArray(all)) return null;
  const amounts = all.flatMap(({ amount }: { amount?: unknown }) => inCents(amount) ?? []);
  return sum(amounts.filter((amount) => amount > 0));
}

function inCents(dollars: unknown): Cents | null {
  return typeof dollars === 'number' ? toCents(decimal(dollars)) : null;
}

/** Returns the total debits of a journal entry, or null if the value isn't a journal entry. */
function debitsOf(entries: unknown): Cents | null {
  if (!Array.isArray(entries)) return null;
  return sum(entries.flatMap((each: { debitAmount?: unknown }) => inCents(each.debitAmount) ?? []));
}
