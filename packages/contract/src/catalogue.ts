import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';

/** Products and services (Specification part 2 §3 "Product", §7 "Catalogue"). */

export const Product = z.object({
  productID: Id,
  entityID: Id,
  name: z.string(),
  description: z.string(),
  version: z.string(),
  salesPrice: Usd,
  taxable: z.boolean(),
  productCategoryID: Id.nullable(),
  categoryName: z.string(),
  GLAccountID: Id,
  profitCenterID: Id.nullable(),
  startDate: DateField.nullable(),
  startDateInUse: z.boolean(),
  endDate: DateField.nullable(),
  endDateInUse: z.boolean(),
  productServiceType: z.number().int(),
  documentLinks: z.array(DocumentLink),
  /** Deactivated: not offered any more, kept for the invoices that name it. */
  deleted: z.boolean(),
  rowVersion: RowVersion,
});
export type Product = z.output<typeof Product>;

/** What is required is said by core/products, whose sentences name what is missing. */
export const ProductInput = z.object({
  /** Not positive means new (Specification part 2 §4 "Record modals"). */
  productID: maybe(LineId),
  name: maybe(text(200)),
  description: maybe(text(2000)),
  version: maybe(text(100)),
  salesPrice: maybe(Usd),
  taxable: maybe(z.boolean()),
  productCategoryID: maybe(Id),
  GLAccountID: maybe(Id),
  profitCenterID: maybe(Id),
  startDate: maybe(DateField),
  startDateInUse: maybe(z.boolean()),
  endDate: maybe(DateField),
  endDateInUse: maybe(z.boolean()),
  /** 1 product, 2 service; 1 when missing or anything else. */
  productServiceType: maybe(z.unknown()),
  documentLinks: documentLinksInput,
  /** false restores a deactivated product; ignored on create. */
  deleted: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type ProductInput = z.output<typeof ProductInput>;

/** What a billing line can be made from; packages and discounts join it with their own calls. */
export const ProductOrPackage = z.object({
  itemKey: z.string(),
  id: Id,
  name: z.string(),
  description: z.string(),
  isProduct: z.boolean(),
  isPackage: z.boolean(),
  isDiscount: z.boolean(),
  discountDisplay: z.string(),
  calculatedTotal: Usd,
  taxable: z.boolean(),
  GLAccountID: Id.nullable(),
  profitCenterID: Id.nullable(),
  productServiceType: z.number().int(),
  /** First and last service date it may be picked for; null = no limit. */
  startDate: DateField.nullable(),
  endDate: DateField.nullable(),
});
export type ProductOrPackage = z.output<typeof ProductOrPackage>;

export const ProductCategory = z.object({ productCategoryID: Id, categoryName: z.string(), rowVersion: RowVersion });
export type ProductCategory = z.output<typeof ProductCategory>;

export const catalogueCalls = {
  listProducts: endpoint({
    method: 'GET',
    path: '/product',
    needs: 'signed-in',
    summary: 'Products and services by name.',
    query: PageQuery,
    reply: listOf(Product),
  }),
  getProduct: endpoint({
    method: 'GET',
    path: '/product/{id}',
    needs: 'View Products',
    summary: 'One product or service.',
    params: z.object({ id: IdText }),
    reply: Product,
  }),
  createProduct: endpoint({
    method: 'POST',
    path: '/product/CreateProduct',
    needs: 'Manage Products',
    summary: 'Creates a product or service.',
    body: ProductInput,
    reply: Product,
  }),
  updateProduct: endpoint({
    method: 'PUT',
    path: '/product/UpdateProduct',
    needs: 'Manage Products',
    summary: 'Saves a product or service; invoices already made keep theirs.',
    body: ProductInput,
    reply: Product,
  }),
  deleteProduct: endpoint({
    method: 'DELETE',
    path: '/product/DeleteProduct',
    needs: 'Manage Products',
    summary: 'Removes a product; one with history is deactivated.',
    query: z.object({ ProductID: IdText }),
    reply: Done,
  }),
  listProductsAndPackages: endpoint({
    method: 'GET',
    path: '/productsandpackages',
    needs: 'signed-in',
    summary: 'What can be picked on a billing line.',
    reply: z.array(ProductOrPackage),
  }),
  listCategories: endpoint({
    method: 'GET',
    path: '/ProductCategory',
    needs: 'signed-in',
    summary: 'Product categories by name.',
    reply: z.array(ProductCategory),
  }),
  createCategory: endpoint({
    method: 'POST',
    path: '/ProductCategory/CreateProductCategory',
    needs: 'Manage Products',
    summary: 'Creates a product category; names are unique.',
    body: z.object({ categoryID: maybe(LineId), categoryName: maybe(text(100)) }),
    reply: ProductCategory,
  }),
  updateCategory: endpoint({
    method: 'PUT',
    path: '/ProductCategory/UpdateProductCategory',
    needs: 'Manage Products',
    summary: 'Renames a product category.',
    body: z.object({ productCategoryID: Id, categoryName: maybe(text(100)), rowVersion: maybe(RowVersion) }),
    reply: ProductCategory,
  }),
  deleteCategory: endpoint({
    method: 'DELETE',
    path: '/ProductCategory/DeleteProductCategory',
    needs: 'Manage Products',
    summary: 'Removes a product category that no product uses.',
    query: z.object({ ProductCategoryID: IdText }),
    reply: Done,
  }),
};
