import type { DateRange } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

/** SQL statements that store the days for which invoice lines charge interest on overdue invoices. */

const charges = table('finance_charge', {
  lineId: 'line_id',
  invoiceId: 'invoice_id',
  from: 'from_date',
  to: 'to_date',
});

const chargedDays = table('finance_charge_day', { lineId: 'line_id' });

/**
 * The overdue invoice on which a line of another invoice charges interest, and the days for which it charges interest.
 * A line on a void invoice charges no interest.
 */
export interface LineCharge extends DateRange {
  invoiceId: number;
  isHeld: boolean;
}

/** The interest that a line `l` charges, or null if it charges none. */
export const CHARGE_OF_LINE = sql`(
  select jsonb_build_object('invoiceId', f.invoice_id, 'from', f.from_date, 'to', f.to_date, 'isHeld', exists (
    select from finance_charge_day y where y.company_id = ${COMPANY} and y.line_id = f.line_id))
  from finance_charge f where f.company_id = ${COMPANY} and f.line_id = l.id)`;

interface Charging {
  id: number;
  charge: LineCharge | null;
}

const held = (lines: readonly Charging[]): number[] =>
  lines.flatMap(({ id, charge }) => (charge?.isHeld === true ? [id] : []));

/**
 * Inserts the days for which lines charge interest. A day that has already been charged for violates the primary key.
 */
const takeDays = (lineIds: readonly number[]): Runnable<unknown> => sql`
  insert into finance_charge_day (company_id, invoice_id, day, line_id)
  select h.company_id, f.invoice_id, n::date, f.line_id
  from ledger_head h
  join finance_charge f on f.company_id = ${COMPANY} and f.line_id = any(${lineIds}::bigint[])
  cross join lateral generate_series(f.from_date, f.to_date, interval '1 day') n
  where h.company_id = ${COMPANY}`;

/** Saves the days for which the lines of new invoices charge interest. */
export function keepCharges(lines: readonly Charging[]): Runnable<unknown>[] {
  const rows = lines.flatMap(({ id, charge }) =>
    charge === null ? [] : [{ lineId: id, invoiceId: charge.invoiceId, from: charge.from, to: charge.to }],
  );
  return rows.length === 0 ? [] : [charges.insertMany(rows), takeDays(held(lines))];
}

/**
 * Releases the days for which removed lines charged interest. If an invoice is reopened, its lines charge interest for
 * their days again.
 */
export function moveCharges(stored: readonly Charging[], kept: readonly Charging[]): Runnable<unknown>[] {
  const [before, after] = [held(stored), held(kept)];
  const freed = before.filter((id) => !after.includes(id));
  const taken = after.filter((id) => !before.includes(id));
  return [
    ...(freed.length === 0 ? [] : [chargedDays.delete({ lineId: freed })]),
    ...(taken.length === 0 ? [] : [takeDays(taken)]),
  ];
}
