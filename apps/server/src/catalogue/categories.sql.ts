import type { ProductCategory } from '@evenkeel/contract/catalogue';
import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';

/** Statements on product categories. */

export function listSql(companyId: number): Runnable<ProductCategory> {
  return sql<ProductCategory>`
    select id as "productCategoryID", category_name as "categoryName", row_version as "rowVersion"
    from product_category where company_id = ${companyId} order by lower(category_name), id`;
}

export function categorySql(companyId: number, id: number): Runnable<ProductCategory> {
  return sql<ProductCategory>`
    select id as "productCategoryID", category_name as "categoryName", row_version as "rowVersion"
    from product_category where company_id = ${companyId} and id = ${id} for update`;
}

export function insertSql(companyId: number, name: string): Runnable<ProductCategory> {
  return sql<ProductCategory>`
    insert into product_category (company_id, category_name) values (${companyId}, ${name})
    returning id as "productCategoryID", category_name as "categoryName", row_version as "rowVersion"`;
}

export function renameSql(companyId: number, id: number, name: string): Runnable<ProductCategory> {
  return sql<ProductCategory>`
    update product_category set category_name = ${name}, row_version = row_version + 1
    where company_id = ${companyId} and id = ${id}
    returning id as "productCategoryID", category_name as "categoryName", row_version as "rowVersion"`;
}

export function usedSql(companyId: number, id: number): Runnable<{ used: boolean }> {
  return sql<{ used: boolean }>`
    select exists (select from product
      where company_id = ${companyId} and product_category_id = ${id} and active) as used`;
}

/** Deactivated products let go of the category, so that it can be removed. */
export function releaseSql(companyId: number, id: number): Runnable<unknown> {
  return sql`
    update product set product_category_id = null
    where company_id = ${companyId} and product_category_id = ${id} and not active`;
}

export function deleteSql(companyId: number, id: number): Runnable<unknown> {
  return sql`delete from product_category where company_id = ${companyId} and id = ${id}`;
}
