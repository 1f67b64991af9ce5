import type { Product, ProductOrPackage } from '@evenkeel/contract/catalogue';
import { type RawBuilder, sql } from 'kysely';
import { containsPattern, pageClauses, type PageRequest } from '../db/page.ts';
import type { Runnable } from '../db/query.ts';

/** Statements on products and services. */

export interface ProductAsk extends PageRequest {
  q?: string | undefined;
}

export interface ListedProduct extends Product {
  id: number;
  sortKey: string;
}

const columns = sql`
  p.id as "productID", p.company_id as "entityID", p.name, p.description, p.version,
  p.sales_price_cents as "salesPrice", p.taxable, p.product_category_id as "productCategoryID",
  coalesce(c.category_name, '') as "categoryName",
  p.gl_account_id as "GLAccountID", p.profit_center_id as "profitCenterID", p.start_date as "startDate",
  p.start_date is not null as "startDateInUse", p.end_date as "endDate", p.end_date is not null as "endDateInUse",
  p.product_service_type as "productServiceType", '[]'::jsonb as "documentLinks", not p.active as deleted,
  p.row_version as "rowVersion"`;

const joined = sql`
  from product p left join product_category c on c.company_id = p.company_id and c.id = p.product_category_id`;

const NAME = { expression: sql`lower(p.name)`, type: 'text' } as const;
const SORTS = {
  name: NAME,
  description: { expression: sql`lower(p.description)`, type: 'text' },
  version: { expression: sql`lower(p.version)`, type: 'text' },
  categoryName: { expression: sql`lower(coalesce(c.category_name, ''))`, type: 'text' },
  salesPrice: { expression: sql`p.sales_price_cents`, type: 'bigint' },
} as const;

function found(companyId: number, { q }: ProductAsk): RawBuilder<unknown> {
  const pattern = q === undefined || q.trim() === '' ? undefined : containsPattern(q.trim());
  const matches = sql`
    and (p.name ilike ${pattern} or p.description ilike ${pattern} or p.version ilike ${pattern}
      or c.category_name ilike ${pattern})`;
  return sql`${joined} where p.company_id = ${companyId} and p.active ${pattern === undefined ? sql`` : matches}`;
}

/** Active products, one more than `limit`. */
export function listSql(companyId: number, ask: ProductAsk): Runnable<ListedProduct> {
  const page = pageClauses(ask, SORTS, { id: sql`p.id`, initial: NAME });
  return sql<ListedProduct>`
    select ${columns}, p.id, ${page.key} ${found(companyId, ask)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export function countSql(companyId: number, ask: ProductAsk): Runnable<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total ${found(companyId, ask)}`;
}

/** One product, also a deactivated one; `lock` keeps others from changing or using it until the commit. */
export function productSql(companyId: number, id: number, lock = false): Runnable<Product> {
  return sql<Product>`
    select ${columns} ${joined} where p.company_id = ${companyId} and p.id = ${id}
    ${lock ? sql`for update of p` : sql``}`;
}

/** What can be picked on a billing line: active products by name. */
export function pickableSql(companyId: number): Runnable<ProductOrPackage> {
  return sql<ProductOrPackage>`
    select 'product-' || id as "itemKey", id, name, description, true as "isProduct", false as "isPackage",
      false as "isDiscount", '' as "discountDisplay", sales_price_cents as "calculatedTotal", taxable,
      gl_account_id as "GLAccountID", profit_center_id as "profitCenterID",
      product_service_type as "productServiceType", start_date as "startDate", end_date as "endDate"
    from product where company_id = ${companyId} and active order by lower(name), id`;
}

export interface ProductReferences {
  /** The account is the company's, of root Income, and active. */
  account: boolean;
  profitCenter: boolean;
  /** Name of the category; null when the company has none with that id. */
  categoryName: string | null;
}

/** What a product's body may refer to. */
export function referencesSql(
  companyId: number,
  ids: { account: number; profitCenter: number; category: number },
): Runnable<ProductReferences> {
  return sql<ProductReferences>`
    select
      exists (select from account
        where company_id = ${companyId} and id = ${ids.account} and root = 'Income' and active) as account,
      exists (select from profit_center
        where company_id = ${companyId} and id = ${ids.profitCenter} and active) as "profitCenter",
      (select category_name from product_category
        where company_id = ${companyId} and id = ${ids.category}) as "categoryName"`;
}

export function insertProductSql(companyId: number, product: Product): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    insert into product (company_id, name, description, version, sales_price_cents, taxable, product_service_type,
      product_category_id, gl_account_id, profit_center_id, start_date, end_date)
    values (${companyId}, ${product.name}, ${product.description}, ${product.version}, ${product.salesPrice},
      ${product.taxable}, ${product.productServiceType}, ${product.productCategoryID}, ${product.GLAccountID},
      ${product.profitCenterID}, ${product.startDate}, ${product.endDate})
    returning id`;
}

/** Saves the product; its rowVersion is the new one. */
export function updateProductSql(companyId: number, product: Product): Runnable<unknown> {
  return sql`
    update product set name = ${product.name}, description = ${product.description}, version = ${product.version},
      sales_price_cents = ${product.salesPrice}, taxable = ${product.taxable},
      product_service_type = ${product.productServiceType}, product_category_id = ${product.productCategoryID},
      gl_account_id = ${product.GLAccountID}, profit_center_id = ${product.profitCenterID},
      start_date = ${product.startDate}, end_date = ${product.endDate}, active = ${!product.deleted},
      row_version = ${product.rowVersion}
    where company_id = ${companyId} and id = ${product.productID}`;
}

export function historySql(companyId: number, id: number): Runnable<{ used: boolean }> {
  return sql<{ used: boolean }>`
    select exists (select from invoice_line where company_id = ${companyId} and product_id = ${id}) as used`;
}

export function deleteProductSql(companyId: number, id: number): Runnable<unknown> {
  return sql`delete from product where company_id = ${companyId} and id = ${id}`;
}
