import { ProductCategory } from '@evenkeel/contract/catalogue';
import { conflict, Failure, notFound, refuse } from '@evenkeel/core/failure';
import { CATEGORY_TAKEN } from '@evenkeel/core/products';
import { audit } from '../db/audit.ts';
import { isUniqueViolation } from '../db/errors.ts';
import type { Runnable } from '../db/query.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { categorySql, deleteSql, insertSql, listSql, releaseSql, renameSql, usedSql } from './categories.sql.ts';

const SUBJECT = 'productcategory';

/** Product categories by name. */
export async function listCategories(ctx: Ctx): Promise<ProductCategory[]> {
  return ctx.tx.rows(listSql(ctx.companyId));
}

/** Creates a category; 409 when another one has the name, whatever its case. */
export async function createCategory(ctx: Ctx, name: string | null | undefined): Promise<ProductCategory> {
  const category = await saved(ctx, insertSql(ctx.companyId, requireName(name)));
  audit(ctx, { action: 'create', subjectType: SUBJECT, subjectId: category.productCategoryID, after: category });
  return category;
}

export interface CategoryEdit {
  productCategoryID: number;
  categoryName?: string | null | undefined;
  rowVersion?: number | null | undefined;
}

/** Renames a category. 404, 409 'stale', 409 when another one has the name. */
export async function updateCategory(ctx: Ctx, edit: CategoryEdit): Promise<ProductCategory> {
  const name = requireName(edit.categoryName);
  const id = edit.productCategoryID;
  const before = await required(ctx, id);
  requireFresh(ProductCategory, before, edit.rowVersion);
  const after = await saved(ctx, renameSql(ctx.companyId, id, name));
  audit(ctx, { action: 'update', subjectType: SUBJECT, subjectId: id, before, after });
  return after;
}

/** Removes a category. 404, or 409 while an active product uses it. */
export async function deleteCategory(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const before = await required(ctx, id);
  const use = await ctx.tx.row(usedSql(ctx.companyId, id));
  if (use?.used !== false) throw conflict('Products use this category; give them another one first');
  ctx.tx.atEnd(releaseSql(ctx.companyId, id));
  ctx.tx.atEnd(deleteSql(ctx.companyId, id));
  audit(ctx, { action: 'delete', subjectType: SUBJECT, subjectId: id, before });
  return { ok: true };
}

function requireName(given: string | null | undefined): string {
  const name = (given ?? '').trim();
  if (name === '') throw refuse('Please enter a name', { categoryName: 'Please enter a name' });
  return name;
}

async function required(ctx: Ctx, id: number): Promise<ProductCategory> {
  const category = await ctx.tx.row(categorySql(ctx.companyId, id));
  if (category === undefined) throw notFound('Category');
  return category;
}

/** Writes at once, so that a taken name is known here; the unique index is the judge. */
async function saved(ctx: Ctx, query: Runnable<ProductCategory>): Promise<ProductCategory> {
  try {
    const category = await ctx.tx.row(query);
    if (category === undefined) throw notFound('Category');
    return category;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Failure('conflict', CATEGORY_TAKEN, { categoryName: CATEGORY_TAKEN });
  }
}
