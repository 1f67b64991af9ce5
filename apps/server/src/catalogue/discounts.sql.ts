import type { Discount } from '@evenkeel/contract/catalogue';
import type { Decimal } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { table } from '../db/table.ts';

/** Statements on discounts. */

/** Discounts as they are written; reading joins the category's name (see discountSql). */
export const discounts = table('discount', {
  discountID: 'id',
  name: 'name',
  description: 'description',
  discountType: 'discount_type',
  discountTypeTarget: 'discount_type_target',
  discountPercentage: 'discount_percentage',
  discountFlatValue: 'flat_cents',
  productCategoryID: 'product_category_id',
  GLAccountID: 'gl_account_id',
  profitCenterID: 'profit_center_id',
  startDate: 'start_date',
  endDate: 'end_date',
  active: 'active',
  rowVersion: 'row_version',
});

/** A discount as it is read; the percentage is text without needless zeros. */
export type DiscountRow = Omit<Discount, 'discountPercentage'> & { discountPercentage: Decimal | string };

const selected = sql`
  select d.id as "discountID", d.company_id as "entityID", d.name, d.description, d.discount_type as "discountType",
    d.discount_type_target as "discountTypeTarget", trim_scale(d.discount_percentage)::text as "discountPercentage",
    d.flat_cents as "discountFlatValue", d.product_category_id as "productCategoryID",
    coalesce(c.category_name, '') as "categoryName", d.gl_account_id as "GLAccountID",
    d.profit_center_id as "profitCenterID", d.start_date as "startDate", d.start_date is not null as "startDateInUse",
    d.end_date as "endDate", d.end_date is not null as "endDateInUse", not d.active as deleted,
    d.row_version as "rowVersion"
  from discount d
  left join product_category c on c.company_id = d.company_id and c.id = d.product_category_id
  where d.company_id = ${COMPANY}`;

/** Discounts by name, the active ones or all. */
export function listSql(withInactive: boolean): Runnable<DiscountRow> {
  return sql<DiscountRow>`${selected} ${withInactive ? sql`` : sql`and d.active`} order by lower(d.name), d.id`;
}

/** One discount, also a deactivated one, locked until the commit. */
export function discountSql(id: number): Runnable<DiscountRow> {
  return sql<DiscountRow>`${selected} and d.id = ${id} for update of d`;
}
