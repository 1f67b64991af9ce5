import type { AuditEntry } from '@evenkeel/contract/audit';
import type { Permission } from '@evenkeel/contract/areas';
import { auditKindOf } from '@evenkeel/core/words/audit';
import { faceOf } from '../../platform/db/audit.ts';
import { pageOf } from '../../platform/db/page.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { isAdministrator } from '../../platform/http/session.ts';
import { type AuditRequest, type AuditRow, countAuditSql, listAuditSql, namesSql } from './audit-log.sql.ts';
import { canUndo } from './ways.ts';
import { changesOf, meaningOf, type NameOf, referencesIn } from './changes.ts';

/**
 * Returns the permissions required to read the log. Administrators can read all of it. Other users can read the history
 * of records that they can view.
 */
export async function auditPermission(ctx: Ctx, { kind, record }: AuditRequest): Promise<'allowed' | Permission[]> {
  if (isAdministrator(ctx)) return 'allowed';
  const { area } = auditKindOf(kind ?? '');
  return record === undefined || area === undefined ? [] : [`View ${area}`];
}

/**
 * Returns the requested part of the log, oldest first, with each change in words. Only administrators see devices. For
 * a change that a program made for a user, all users see which API key was used.
 */
export async function listAudit(ctx: Ctx, request: AuditRequest) {
  const [found, count] = await Promise.all([ctx.tx.rows(listAuditSql(request)), ctx.tx.row(countAuditSql(request))]);
  const rows = found.map((row) => {
    return { ...row, before: meaningOf(row.kind, row.before), after: meaningOf(row.kind, row.after) };
  });
  const nameOf = await namesFor(ctx, rows);
  const sees = isAdministrator(ctx);
  return pageOf(request, { rows, total: count?.total ?? 0 }, (row): AuditEntry => {
    const { sortKey: _, before, after, at, byKind, byName, ...entry } = row;
    // Entries from older versions may contain a payment of 0.00.
    const face = entry.amount === 0 ? faceOf(entry.kind, after ?? before) : {};
    const by = sees || byKind === 'key' ? { byKind, byName } : { byKind: '', byName: '' };
    const changes = changesOf(before, after, row.recordId, nameOf);
    return { ...entry, ...face, ...by, at: at.toISOString(), changes, canUndo: canUndo(entry) };
  });
}

async function namesFor({ tx }: Ctx, rows: readonly AuditRow[]): Promise<NameOf> {
  const found = referencesIn(rows.flatMap(({ before, after }) => [before, after]));
  if (found.size === 0) return () => undefined;
  const names = new Map((await tx.rows(namesSql(found))).map(({ kind, id, name }) => [`${kind} ${id}`, name]));
  return (kind, id) => names.get(`${kind} ${id}`);
}
