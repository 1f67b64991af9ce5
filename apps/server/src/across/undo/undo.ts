import type { AuditChange, auditCalls } from '@evenkeel/contract/audit';
import { calls } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { conflict, notFound, present } from '@evenkeel/core/failure';
import { actWord, auditKindOf } from '@evenkeel/core/words/audit';
import { auditPermission } from '../../features/audit/audit-log.ts';
import { type AuditRow, lastAuditSql, listAuditSql } from '../../features/audit/audit-log.sql.ts';
import { changesOf, keyOf } from '../../features/audit/changes.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Input, Route } from '../../platform/http/route.ts';
import { fieldsOf, operationOf, performOperation, type WireInput } from '../agents/operations.ts';
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

/**
 * Undoes a change in the transaction of `ctx`. Throws 403 without the permission to make the call that undoes it, and
 * 409 with the reason if the change can't be undone. The call's own errors are passed on, for example if a payment
 * depends on the record.
 */
export const undoChange =
  (routes: () => readonly Route[]) =>
  async (ctx: Ctx, { params, body }: Input<typeof auditCalls.undoChange>) => {
    const entry = await entryOf(ctx, params.id);
    const reason = body.closingOverrideReason;
    const read = async (endpoint: Endpoint) =>
      performOperation(ctx, operationOf(routes(), endpoint, idsFor(endpoint, entry.recordId)));
    const [endpoint, given] = await undoing(ctx, entry, read);
    const override = reason === undefined || reason === null ? {} : { closingOverrideReason: reason };
    const operation = operationOf(routes(), endpoint, {
      ...given,
      ...(endpoint.method === 'DELETE'
        ? { query: { ...given.query, ...override } }
        : { body: { ...fieldsOf(given.body), ...override } }),
    });
    requirePermission(ctx, endpoint);
    await performOperation(ctx, operation);
    return { operation: operation.name };
  };

type Read = (endpoint: Endpoint) => Promise<unknown>;

/** Returns the call that undoes a change, with its input. Throws 409 with the reason if there is none. */
async function undoing(ctx: Ctx, entry: AuditRow, read: Read): Promise<[Endpoint, WireInput]> {
  const { action, kind, recordId, after } = entry;
  const { label } = auditKindOf(kind);
  if (action === 'delete') {
    throw conflict('A deleted record can’t be restored. Its values are listed here, so that you can enter it again.');
  }
  if (!canUndo(entry)) throw conflict(`This kind of change can’t be undone here: ${label}, ${actWord(action)}`);
  if (kind === 'journal') {
    const [first] = listOf(fieldsOf(after)['generalLedgerEntries']);
    const postingDate = fieldsOf(first)['postingDate'] ?? ctx.today;
    return [calls.reverseTransaction, { params: { transactionId: recordId }, body: { postingDate } }];
  }
  const { read: reading, save, remove, bodyId, masked } = ways[kind] ?? {};
  const latest = await ctx.tx.row(lastAuditSql(kind, recordId));
  if (latest?.action === 'delete') throw conflict(`${label} ${entry.title} has been deleted`);
  if (action === 'create') return present(remove && [remove, idsFor(remove, recordId)], 'the call that deletes');
  const saving = present(save, 'the call that saves');
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
  const body = { ...fieldsOf(restored(entry.before, now)), ...ownId, rowVersion };
  return [saving, { ...idsFor(saving, recordId), body }];
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
