import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Ctx } from '../http/context.ts';

/** The closing date; posting checks it again under the head's lock. */
export function selectClosingDate(companyId: number): RawBuilder<{ closingDate: IsoDate | null }> {
  return sql<{ closingDate: IsoDate | null }>`
    select closing_date as "closingDate" from ledger_head where company_id = ${companyId}`;
}

/** An administrator who types a reason may change what lies on or before the closing date (decisions: Accounting). */
export function mayPostClosed(ctx: Ctx, reason: string | null | undefined): boolean {
  return ctx.user.systemRole && ctx.user.roleName === 'Administrator' && (reason ?? '') !== '';
}

/** The reason belongs to the audit row only where it was needed and allowed. */
export function overrideReason(ctx: Ctx, reason: string | null | undefined): { reason?: string } {
  return mayPostClosed(ctx, reason) && reason !== null && reason !== undefined ? { reason } : {};
}
