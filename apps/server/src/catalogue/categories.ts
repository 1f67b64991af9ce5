import { ProductCategory } from '@evenkeel/contract/catalogue';
import { conflict, Failure, notFound, refuse } from '@evenkeel/core/failure';
import { CATEGORY_TAKEN } from '@evenkeel/core/products';
import { sql } from 'kysely';
import { record, type Subject } from '../db/audit.ts';
import { isUniqueViolation } from '../db/errors.ts';
import type { Runnable } from '../db/query.ts';
import { table } from '../db/table.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { products } from './products.sql.ts';

const categories = table('product_category', {
  productCategoryID: 'id',
  categoryName: 'category_name',
  rowVersion: 'row_version',
});
const subject: Subject<typeof ProductCategory> = {
  name: 'productcategory',
  schema: ProductCategory,
  idOf: (category) => category.productCategoryID,
};

/** Product categories by name. */
export async function listCategories(ctx: Ctx): Promise<ProductCategory[]> {
  return ctx.tx.rows(categories.find({}, { orderBy: sql`lower(category_name), id` }));
}

/** Creates a category; 409 when another one has the name, whatever its case. */
export async function createCategory(ctx: Ctx, name: string | null | undefined): Promise<ProductCategory> {
  return record(ctx, subject, { after: await saved(ctx, categories.insert({ categoryName: requireName(name) }, ALL)) });
}

export interface CategoryEdit {
  productCategoryID: number;
  categoryName?: string | null | undefined;
  rowVersion?: number | null | undefined;
}

/** Renames a category. 404, 409 'stale', 409 when another one has the name. */
export async function updateCategory(ctx: Ctx, edit: CategoryEdit): Promise<ProductCategory> {
  const categoryName = requireName(edit.categoryName);
  const { productCategoryID } = edit;
  const before = await lock(ctx, productCategoryID);
  requireFresh(ProductCategory, before, edit.rowVersion);
  const changes = { categoryName, rowVersion: before.rowVersion + 1 };
  const after = await saved(ctx, categories.update({ productCategoryID }, changes, ALL));
  return record(ctx, subject, { before, after });
}

/** Removes a category. 404, or 409 while an active product uses it; deactivated ones let go of it. */
export async function deleteCategory(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const before = await lock(ctx, id);
  const uses = await ctx.tx.row(products.find({ productCategoryID: id, active: true }));
  if (uses !== undefined) throw conflict('Products use this category; give them another one first');
  const release = products.update({ productCategoryID: id }, { productCategoryID: sql`null` });
  record(ctx, subject, { before, write: [release, categories.delete({ productCategoryID: id })] });
  return { ok: true };
}

const ALL = ['productCategoryID', 'categoryName', 'rowVersion'] as const;

function requireName(given: string | null | undefined): string {
  const name = (given ?? '').trim();
  if (name === '') throw refuse('Please enter a name', { categoryName: 'Please enter a name' });
  return name;
}

async function lock(ctx: Ctx, productCategoryID: number): Promise<ProductCategory> {
  const category = await ctx.tx.row(categories.find({ productCategoryID }, { lock: 'for update' }));
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
