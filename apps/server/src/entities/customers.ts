import type { CustomerRow } from '@evenkeel/contract/entities';
import { CUSTOMER } from '@evenkeel/core/entities';
import { pageOf } from '../db/page.ts';
import { holds } from '../http/authorise.ts';
import type { Ctx } from '../http/context.ts';
import { balanceSql, countSql, type CustomerAsk, type ListedCustomer, listSql } from './customers.sql.ts';
import type { EntityBook } from './entities.ts';

/** The book of customers, for the use cases of entities.ts. */
export const customers: EntityBook = { kind: CUSTOMER, balanceSql };

/**
 * Customers by display name, bare or a page (wire.md "Lists"); sort is displayname, emailAddress or currentbalance.
 * `currentbalance` (unpaid invoices less credit) only for those who may view customers; what decides tax for those who
 * may view customers or billing.
 */
export async function listCustomers(ctx: Ctx, ask: CustomerAsk) {
  const withBalance = holds(ctx.user, 'View Customers');
  const withTax = withBalance || holds(ctx.user, 'View Billing');
  const [rows, count] = await Promise.all([
    ctx.tx.rows(listSql(ask, { withTax, withBalance })),
    ask.limit === undefined ? undefined : ctx.tx.row(countSql(ask)),
  ]);
  return pageOf(ask, { rows, total: count?.total ?? 0 }, ({ sortKey: _, ...row }: ListedCustomer): CustomerRow => row);
}
