import type { CatalogueQuery, Product, ProductRow } from '@evenkeel/contract/catalogue';
import { isTrue } from '@evenkeel/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { linksOf } from '../../books/attachments/attachments.sql.ts';
import { pageClauses, searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

/** SQL statements for products and services. */

/** The columns of products and services. When products are read, the category name is joined (see productSql). */
export const products = table('product', {
  productID: 'id',
  name: 'name',
  description: 'description',
  version: 'version',
  salesPrice: 'sales_price_cents',
  taxable: 'taxable',
  productCategoryID: 'product_category_id',
  GLAccountID: 'gl_account_id',
  profitCenterID: 'profit_center_id',
  startDate: 'start_date',
  endDate: 'end_date',
  productServiceType: 'product_service_type',
  active: 'active',
  rowVersion: 'row_version',
});

export interface ListedProduct extends ProductRow {
  id: number;
  sortKey: string;
}

const columns = sql`
  p.id as "productID", p.company_id as "entityID", p.name, p.description, p.version,
  p.sales_price_cents as "salesPrice", p.taxable, p.product_category_id as "productCategoryID",
  coalesce(c.category_name, '') as "categoryName",
  p.gl_account_id as "GLAccountID", p.profit_center_id as "profitCenterID", p.start_date as "startDate",
  p.start_date is not null as "startDateInUse", p.end_date as "endDate", p.end_date is not null as "endDateInUse",
  p.product_service_type as "productServiceType", not p.active as deleted,
  ${linksOf('product', sql`p.id`)} as "documentLinks", p.row_version as "rowVersion"`;

const joined = sql`
  from product p left join product_category c on c.company_id = ${COMPANY} and c.id = p.product_category_id`;

const NAME = { expression: sql`lower(p.name)`, type: 'text' } as const;
const SORTS = {
  name: NAME,
  description: { expression: sql`lower(p.description)`, type: 'text' },
  version: { expression: sql`lower(p.version)`, type: 'text' },
  categoryName: { expression: sql`lower(coalesce(c.category_name, ''))`, type: 'text' },
  salesPrice: { expression: sql`p.sales_price_cents`, type: 'bigint' },
} as const;

function found({ q, inactive }: CatalogueQuery): RawBuilder<unknown> {
  const texts = [sql`p.name`, sql`p.description`, sql`p.version`, sql`coalesce(c.category_name, '')`];
  const matches = searchClause(q, { texts, amounts: [sql`p.sales_price_cents`] });
  return sql`${joined} where p.company_id = ${COMPANY} ${isTrue(inactive) ? sql`` : sql`and p.active`}
    ${matches}`;
}

/** Lists products. Reads one more row than `limit`. */
export function listSql(ask: CatalogueQuery): Runnable<ListedProduct> {
  const page = pageClauses(ask, SORTS, { id: sql`p.id`, initial: NAME });
  return sql<ListedProduct>`
    select p.id, p.id as "productID", p.name, p.description, p.version, p.sales_price_cents as "salesPrice",
      coalesce(c.category_name, '') as "categoryName", not p.active as deleted,
      ${page.key} ${found(ask)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export function countSql(ask: CatalogueQuery): Runnable<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total ${found(ask)}`;
}

/**
 * Returns one product, active or inactive. With `lock`, other requests can't change or use the product until the
 * commit.
 */
export function productSql(id: number, lock = false): Runnable<Product> {
  return sql<Product>`
    select ${columns} ${joined} where p.company_id = ${COMPANY} and p.id = ${id}
    ${lock ? sql`for update of p` : sql``}`;
}
