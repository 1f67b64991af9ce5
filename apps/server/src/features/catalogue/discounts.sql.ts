import type { CatalogueQuery, Discount } from '@evenkeel/contract/catalogue';
import { isTrue } from '@evenkeel/contract/endpoint';
import type { Decimal } from '@evenkeel/core/money';
import { type RawBuilder, sql } from 'kysely';
import { pageClauses, searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

/** SQL statements for discounts. */

/** The columns of discounts. When discounts are read, the category name is joined (see discountSql). */
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

/** A discount as read from the database. The percentage is text without trailing zeros. */
export type DiscountRow = Omit<Discount, 'discountPercentage'> & { discountPercentage: Decimal | string };

export interface ListedDiscount extends DiscountRow {
  id: number;
  sortKey: string;
}

const columns = sql`
    d.id as "discountID", d.company_id as "entityID", d.name, d.description, d.discount_type as "discountType",
    d.discount_type_target as "discountTypeTarget", trim_scale(d.discount_percentage)::text as "discountPercentage",
    d.flat_cents as "discountFlatValue", d.product_category_id as "productCategoryID",
    coalesce(c.category_name, '') as "categoryName", d.gl_account_id as "GLAccountID",
    d.profit_center_id as "profitCenterID", d.start_date as "startDate", d.start_date is not null as "startDateInUse",
    d.end_date as "endDate", d.end_date is not null as "endDateInUse", not d.active as deleted,
    d.row_version as "rowVersion"`;

const joined = sql`
  from discount d
  left join product_category c on c.company_id = ${COMPANY} and c.id = d.product_category_id
  where d.company_id = ${COMPANY}`;

const CATEGORY = sql`coalesce(c.category_name, '')`;
const NAME = { expression: sql`lower(d.name)`, type: 'text' } as const;
const SORTS = {
  name: NAME,
  description: { expression: sql`lower(d.description)`, type: 'text' },
  categoryName: { expression: sql`lower(${CATEGORY})`, type: 'text' },
} as const;

function found({ q, inactive }: CatalogueQuery): RawBuilder<unknown> {
  return sql`${joined} ${isTrue(inactive) ? sql`` : sql`and d.active`}
    ${searchClause(q, { texts: [sql`d.name`, sql`d.description`, CATEGORY] })}`;
}

/** Lists discounts. Reads one more row than `limit`. */
export function listSql(ask: CatalogueQuery): Runnable<ListedDiscount> {
  const page = pageClauses(ask, SORTS, { id: sql`d.id`, initial: NAME });
  return sql<ListedDiscount>`
    select ${columns}, d.id, ${page.key} ${found(ask)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export function countSql(ask: CatalogueQuery): Runnable<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total ${found(ask)}`;
}

/** Returns one discount, active or inactive. With `lock`, the discount stays locked until the commit. */
export function discountSql(id: number, lock = false): Runnable<DiscountRow> {
  return sql<DiscountRow>`select ${columns} ${joined} and d.id = ${id} ${lock ? sql`for update of d` : sql``}`;
}
