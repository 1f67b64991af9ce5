import { sql } from 'kysely';
import type { Ctx } from '../http/context.ts';

/** One change, for the audit log: who and when are filled in; before and after are objects as the API shows them. */
export interface Change {
  action: 'create' | 'update' | 'delete' | 'post' | 'reverse';
  subjectType: string;
  subjectId: number;
  before?: unknown;
  after?: unknown;
  reason?: string | undefined;
}

/** Writes the audit row with the commit of the change it describes. */
export function audit(ctx: Ctx, change: Change): void {
  ctx.tx.last(sql`
    insert into audit_log (company_id, user_id, action, subject_type, subject_id, before, after, reason)
    values (${ctx.companyId}, ${ctx.userId}, ${change.action}, ${change.subjectType}, ${change.subjectId},
      ${json(change.before)}, ${json(change.after)}, ${change.reason ?? null})`);
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
