import type { AuditChange, auditCalls } from '@evenkeel/contract/audit';
import { calls } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { conflict, notFound, present } from '@evenkeel/core/failure';
import { actWord, auditKindOf } from '@evenkeel/core/words/audit';
import { auditPermission } from '../../features/audit/audit-log.ts';
import { type AuditRow, lastAuditSql, listAuditSql } from '../../features/audit/audit-log.sql.ts';
import { changesOf, keyOf } from '../../features/audit/changes.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Input, Preparing, Route } from '../../platform/http/route.ts';
import {
  fieldsOf,
  type Operation,
  operationOf,
  performOperation,
  prepareOperation,
  type WireInput,
} from '../agents/operations.ts';
import { requirePermission } from '../../platform/http/session.ts';
import { canUndo, ways } from '../../features/audit/ways.ts';

/** Undoes changes in the audit log by the calls that a user would make on the record's own screen. */

/** Returns the audit log entry. Throws 404 if the entry doesn't exist. */
async function entryOf({ tx }: Ctx, id: number): Promise<AuditRow> {
  const [entry] = await tx.rows(listAuditSql({ entry: id }));
  if (entry === undefined) throw notFound('Audit log entry');
  return entry;
}

/** Returns the permissions required to read the history of the entry's record. */
export async function changePermission(ctx: Ctx, id: number) {
  const { kind, recordId } = await entryOf(ctx, id);
  return auditPermission(ctx, { kind, record: recordId });
}

type Routes = () => readonly Route[];
type UndoInput = Input<typeof auditCalls.undoChange>;

/** Prepares the call that undoes a change before the transaction starts, for example decodes a restored logo. */
export const prepareUndo =
  (routes: Routes) =>
  async (preparing: Preparing, input: UndoInput): Promise<unknown> => {
    const operation = await preparing.read((ctx) => undoingOperation(routes, ctx, input));
    return prepareOperation(preparing, operation);
  };

/**
 * Undoes a change in the transaction of `ctx`. Throws 403 without the permission to make the call that undoes it, and
 * 409 with the reason if the change can't be undone. The call's own errors are passed on, for example if a payment
 * depends on the record.
 */
export const undoChange =
  (routes: Routes) =>
  async (ctx: Ctx, input: UndoInput, prepared: unknown): Promise<{ operation: string }> => {
    const operation = await undoingOperation(routes, ctx, input);
    await performOperation(ctx, operation, prepared);
    return { operation: operation.name };
  };

/** Returns the call that undoes a change, with its decoded input and the reason for changing closed books. */
async function undoingOperation(routes: Routes, ctx: Ctx, { params, body }: UndoInput): Promise<Operation> {
  const entry = await entryOf(ctx, params.id);
  const endpoint = undoingCall(entry);
  requirePermission(ctx, endpoint);
  const read = async (reading: Endpoint) =>
    performOperation(ctx, operationOf(routes(), reading, idsFor(reading, entry.recordId)));
  const given = await undoingInput(ctx, { entry, endpoint, read });
  const reason = body.closingOverrideReason;
  const override = reason === undefined || reason === null ? {} : { closingOverrideReason: reason };
  return operationOf(routes(), endpoint, {
    ...given,
    ...(endpoint.method === 'DELETE'
      ? { query: { ...given.query, ...override } }
      : { body: { ...fieldsOf(given.body), ...override } }),
  });
}

/** Returns the call that undoes a change. Throws 409 with the reason if there is none. */
function undoingCall(entry: AuditRow): Endpoint {
  const { action, kind } = entry;
  if (action === 'delete') {
    throw conflict('A deleted record can’t be restored. Its values are listed here, so that you can enter it again.');
  }
  if (!canUndo(entry)) {
    throw conflict(`This kind of change can’t be undone here: ${auditKindOf(kind).label}, ${actWord(action)}`);
  }
  if (kind === 'journal') return calls.reverseTransaction;
  const { save, remove } = ways[kind] ?? {};
  return present(action === 'create' ? remove : save, 'the call that undoes the change');
}

interface Undoing {
  entry: AuditRow;
  endpoint: Endpoint;
  read: (endpoint: Endpoint) => Promise<unknown>;
}

/** Returns the input of the call that undoes a change. Throws 409 with the reason if a newer change is in the way. */
async function undoingInput(ctx: Ctx, { entry, endpoint, read }: Undoing): Promise<WireInput> {
  const { action, kind, recordId, after } = entry;
  const { label } = auditKindOf(kind);
  if (kind === 'journal') {
    const [first] = listOf(fieldsOf(after)['generalLedgerEntries']);
    const postingDate = fieldsOf(first)['postingDate'] ?? ctx.today;
    return { params: { transactionId: recordId }, body: { postingDate } };
  }
  const { read: reading, bodyOf = fieldsOf, bodyId, masked } = ways[kind] ?? {};
  const latest = await ctx.tx.row(lastAuditSql(kind, recordId));
  if (latest?.action === 'delete') throw conflict(`${label} ${entry.title} has been deleted`);
  if (action === 'create') return idsFor(endpoint, recordId);
  const last = fieldsOf(latest?.after);
  const now = reading === undefined ? last : fieldsOf(await read(reading));
  if (differences(after, now, recordId).length > 0) {
    throw conflict(`${label} ${entry.title} has been changed since then. Undo the newer changes first.`);
  }
  if (masked !== undefined && fieldsOf(entry.before)[masked] !== now[masked]) {
    throw conflict(
      'The log contains only the last digits of an account number, so the earlier number can’t be restored.',
    );
  }
  const rowVersion = now['rowVersion'] ?? last['rowVersion'];
  const ownId = bodyId === undefined ? {} : { [bodyId]: recordId };
  return {
    ...idsFor(endpoint, recordId),
    body: { ...bodyOf(fieldsOf(restored(entry.before, now))), ...ownId, rowVersion },
  };
}

/** Returns a record's ID in the path and query parameters of a call. */
function idsFor({ path, query }: Endpoint, id: number): WireInput {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, id] as const);
  const keys = Object.keys(query?.shape ?? {}).filter((key) => /id$/i.test(key));
  return { params: Object.fromEntries(params), query: Object.fromEntries(keys.map((key) => [key, id])) };
}

/** The fields with the ID of an item in a list. */
const ITEM_IDS = new Set(['id', 'phoneID', 'addressID', 'packageLineItemID']);

/**
 * Returns the values before a change, to be saved over the current ones. An item that the change removed is added as a
 * new item, without its former ID.
 */
function restored(before: unknown, now: unknown): unknown {
  if (Array.isArray(before)) {
    const [old, current] = [before, listOf(now)];
    const idOf = keyOf(old, current);
    const kept = new Map(current.map((each, at) => [idOf(each, at), each]));
    return old.map((each, at) => {
      const id = idOf(each, at);
      return kept.has(id) ? restored(each, kept.get(id)) : withoutId(each);
    });
  }
  if (typeof before !== 'object' || before === null) return before;
  return Object.fromEntries(Object.entries(before).map(([key, value]) => [key, restored(value, fieldsOf(now)[key])]));
}

/**
 * Returns the fields that differ between two states of a record. The IDs of its items don't count, because an undo adds
 * removed items as new ones.
 */
export const differences = (before: unknown, after: unknown, recordId: number): AuditChange[] =>
  changesOf(withoutItemIds(before), withoutItemIds(after), recordId, () => undefined);

function withoutItemIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutItemIds(withoutId(each)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutItemIds(inner)]));
}

const withoutId = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).filter(([key]) => !ITEM_IDS.has(key)))
    : item;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
