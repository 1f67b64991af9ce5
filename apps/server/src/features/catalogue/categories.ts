import { ProductCategory } from '@evenkeel/contract/catalogue';
import { CATEGORY_TAKEN } from '@evenkeel/core/documents/products';
import type { RecordKind } from '../../platform/db/records.ts';
import { table } from '../../platform/db/table.ts';

/** Product categories, as configured for platform/db/records.ts. */
export const productCategories: RecordKind<ProductCategory> = {
  label: 'Category',
  table: table('product_category', {
    productCategoryID: 'id',
    categoryName: 'category_name',
    active: 'active',
    rowVersion: 'row_version',
  }),
  schema: ProductCategory,
  id: 'productCategoryID',
  name: 'categoryName',
  blank: { productCategoryID: 0, categoryName: '', active: true, rowVersion: 0 },
  taken: CATEGORY_TAKEN,
};
