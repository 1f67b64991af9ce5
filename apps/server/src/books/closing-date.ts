import { CustomerSetting } from '@evenkeel/contract/company';
import type { ClosingMove } from '@evenkeel/core/books/closing';
import type { IsoDate } from '@evenkeel/core/dates';
import { settingRule } from '@evenkeel/core/settings';
import { sql } from 'kysely';
import { record, type Subject } from '../platform/db/audit.ts';
import { COMPANY, type Runnable } from '../platform/db/query.ts';
import { table } from '../platform/db/table.ts';
import type { Ctx } from '../platform/http/context.ts';

/** The closing date, which is stored in ledger_head, and the changes that led to it. */

export const closings = table('closing', {
  id: 'id',
  from: 'previous_date',
  to: 'closing_date',
  note: 'note',
  createdBy: 'created_by',
  person: 'person',
  at: 'created_at',
});

export const settingSubject: Subject<typeof CustomerSetting> = {
  name: 'setting',
  schema: CustomerSetting,
  idOf: (setting) => setting.id,
};

/** Selects the closing date. With `lock`, the date can't change until the transaction commits. */
export function closingDateSql(lock = false): Runnable<{ closingDate: IsoDate | null }> {
  return sql<{ closingDate: IsoDate | null }>`
    select closing_date as "closingDate" from ledger_head where company_id = ${COMPANY}
    ${lock ? sql`for update` : sql``}`;
}

/**
 * Selects the version of the closing date. Must run in a separate statement after the one that locks the closing date.
 */
export function closingVersionSql(): Runnable<{ version: number }> {
  return sql<{ version: number }>`
    select coalesce(max(id), 0) as version from closing where company_id = ${COMPANY}`;
}

/** Returns the closing date as a setting. */
export function closingSetting(date: IsoDate | null, version: number): CustomerSetting {
  const { id } = settingRule('closingDate');
  return { id, settingName: 'closingDate', settingValue: date ?? '', rowVersion: version };
}

/**
 * Changes the closing date, which must be locked and must still have the given version. The note becomes the reason in
 * the audit log. Returns the changed setting.
 */
export function moveClosingDate(
  ctx: Ctx,
  { from, to, note, version }: ClosingMove & { note: string; version: number },
) {
  const { person } = ctx.by;
  const write = [
    sql`update ledger_head set closing_date = ${to} where company_id = ${COMPANY}`,
    closings.insert({ id: version + 1, from, to, note, createdBy: ctx.userId, person }),
  ];
  const before = closingSetting(from, version);
  const after = closingSetting(to, version + 1);
  record(ctx, settingSubject, { before, after, reason: note === '' ? undefined : note, write });
  return after;
}
