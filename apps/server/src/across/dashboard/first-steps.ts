import { FIRST_STEPS, type FirstStep, type FirstStepKey, STEP_NEEDS } from '@evenkeel/contract/dashboard';
import { OPENING_BALANCE_EQUITY } from '@evenkeel/core/books/accounts';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { ADMINISTRATOR, holds, isAdministrator } from '../../platform/http/session.ts';
import { dismissals } from './dashboard.sql.ts';

interface Row extends Record<Exclude<FirstStepKey, 'colleagues'>, boolean> {
  /** The steps are hidden in the demo company and for users who dismissed them. */
  isOver: boolean;
  /** The sales tax scenario that a new company has. */
  scenarioId: number | null;
  bankId: number | null;
}

/**
 * Returns the first steps that the user can take, and whether the books show that each one is complete. Returns an
 * empty list after the user has dismissed the steps.
 */
export async function firstSteps(ctx: Ctx): Promise<FirstStep[]> {
  const [books, people] = await Promise.all([ctx.tx.row(selectSteps(ctx.userId)), ctx.tx.row(countPeople())]);
  // Imported books and opening balances both include the balances of the old books.
  const hasBalances = books !== undefined && (books.moveIn || books.openingBalances);
  const colleagues = (people?.count ?? 0) > 1;
  const row = books && { ...books, moveIn: hasBalances, openingBalances: hasBalances, colleagues };
  if (row === undefined) throw new Error('the company no longer exists');
  if (row.isOver) return [];
  const ids: Partial<Record<FirstStepKey, number | null>> = {
    companyInfo: ctx.companyId,
    salesTax: row.scenarioId,
    bank: row.bankId,
  };
  const stepOf = (key: FirstStepKey) => ({ key, done: row[key], id: ids[key] ?? null });
  return FIRST_STEPS.filter((key) => mayTake(ctx, key)).map(stepOf);
}

function mayTake(ctx: Ctx, key: FirstStepKey): boolean {
  const needs = STEP_NEEDS[key];
  return needs === ADMINISTRATOR ? isAdministrator(ctx) : holds(ctx, needs);
}

/** Dismisses the steps for the user or shows them again, regardless of their current state. */
export async function dismissFirstSteps({ tx, userId }: Ctx, { dismissed }: { dismissed: boolean }) {
  if (dismissed) {
    tx.atEnd(sql`
      insert into first_steps_dismissal (company_id, user_id) values (${COMPANY}, ${userId}) on conflict do nothing`);
  } else tx.atEnd(dismissals.delete({ userId }));
  return { dismissed };
}

const countPeople = () => sql<{ count: number }>`
  select count(*) from membership m where m.company_id = ${COMPANY}`;

/**
 * Returns whether each step is complete. Uses only index lookups. A draft counts as an invoice, and a reversed entry
 * does not count.
 */
function selectSteps(userId: number): RawBuilder<Row> {
  return sql<Row>`
    select
      c.demo or exists (
        select from first_steps_dismissal f
        where f.company_id = ${COMPANY} and f.user_id = ${userId}) as "isOver",
      exists (
        select from jsonb_array_elements(coalesce(c.details -> 'addresses', '[]'::jsonb)) a
        where coalesce(a ->> 'address1', '') <> ''
      ) and exists (
        select from attachment_link l
        where l.company_id = ${COMPANY} and l.owner_kind = 'company' and l.owner_id = c.company_id) as "companyInfo",
      (select min(s.id) from sales_tax_scenario s where s.company_id = ${COMPANY}) as "scenarioId",
      exists (
        select from sales_tax_item i where i.company_id = ${COMPANY} and not i.deleted) as "salesTax",
      exists (select from opening_balance o where o.company_id = ${COMPANY}) or exists (
        select from ledger_total g
        where g.company_id = ${COMPANY} and g.grain = 'M' and g.account_id = ${OPENING_BALANCE_EQUITY}
        group by g.account_id having sum(g.amount_cents) <> 0) as "openingBalances",
      exists (
        select from move_in m where m.company_id = ${COMPANY} and m.status = 'imported') as "moveIn",
      exists (
        select from banking_account b
        where b.company_id = ${COMPANY} and b.active
          and (b.account_number <> '' or b.account_number_box is not null)) as "bank",
      (select min(b.id) from banking_account b where b.company_id = ${COMPANY} and b.active) as "bankId",
      exists (
        select from document d
        where d.company_id = ${COMPANY} and d.side = ${RECEIVABLE.name} and not d.deleted
          and d.opening is null) as "invoice"
    from company c
    where c.company_id = ${COMPANY}`;
}
