import { catalogueCalls as calls } from '@evenkeel/contract/catalogue';
import { pageOfRecords, removeRecord, saveRecord, updateRecord } from '../../platform/db/records.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { productCategories } from './categories.ts';
import { createDiscount, deleteDiscount, getDiscount, listDiscounts, updateDiscount } from './discounts.ts';
import { createPackage, deletePackage, getPackage, listPackages, updatePackage } from './packages.ts';
import { createProduct, deleteProduct, getProduct, listProducts, updateProduct } from './products.ts';
import { listProductsAndPackages } from './sellable.ts';

export const catalogueRoutes: Route[] = [
  route(calls.listProducts, (ctx, { query }) => listProducts(ctx, query)),
  route(calls.getProduct, (ctx, { params }) => getProduct(ctx, params.id)),
  route(calls.createProduct, (ctx, { body }) => createProduct(ctx, body), {
    save: (ctx, { body }) => updateProduct(ctx, body),
  }),
  route(calls.updateProduct, (ctx, { body }) => updateProduct(ctx, body)),
  route(calls.deleteProduct, (ctx, { query }) => deleteProduct(ctx, query.ProductID)),
  route(calls.listDiscounts, (ctx, { query }) => listDiscounts(ctx, query)),
  route(calls.getDiscount, (ctx, { params }) => getDiscount(ctx, params.id)),
  route(calls.createDiscount, (ctx, { body }) => createDiscount(ctx, body), {
    save: (ctx, { body }) => updateDiscount(ctx, body),
  }),
  route(calls.updateDiscount, (ctx, { body }) => updateDiscount(ctx, body)),
  route(calls.deleteDiscount, (ctx, { query }) => deleteDiscount(ctx, query.DiscountID)),
  route(calls.listPackages, (ctx, { query }) => listPackages(ctx, query)),
  route(calls.getPackage, (ctx, { params }) => getPackage(ctx, params.id)),
  route(calls.createPackage, (ctx, { body }) => createPackage(ctx, body), {
    save: (ctx, { body }) => updatePackage(ctx, body),
  }),
  route(calls.updatePackage, (ctx, { body }) => updatePackage(ctx, body)),
  route(calls.deletePackage, (ctx, { query }) => deletePackage(ctx, query.PackageID)),
  route(calls.listProductsAndPackages, (ctx) => listProductsAndPackages(ctx)),
  route(calls.listCategories, (ctx, { query }) => pageOfRecords(ctx, productCategories, query)),
  route(calls.createCategory, (ctx, { body: { categoryID, ...body } }) =>
    saveRecord(ctx, productCategories, { ...body, productCategoryID: categoryID }),
  ),
  route(calls.updateCategory, (ctx, { body }) => updateRecord(ctx, productCategories, body)),
  route(calls.deleteCategory, (ctx, { query }) => removeRecord(ctx, productCategories, query.ProductCategoryID)),
];
