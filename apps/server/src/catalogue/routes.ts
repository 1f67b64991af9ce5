import { catalogueCalls as calls } from '@evenkeel/contract/catalogue';
import { type Route, route } from '../http/route.ts';
import { createCategory, deleteCategory, listCategories, updateCategory } from './categories.ts';
import {
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  listProductsAndPackages,
  updateProduct,
} from './products.ts';

export const catalogueRoutes: Route[] = [
  route(calls.listProducts, (ctx, { query }) => listProducts(ctx, query)),
  route(calls.getProduct, (ctx, { params }) => getProduct(ctx, params.id)),
  route(calls.createProduct, (ctx, { body }) => createProduct(ctx, body)),
  route(calls.updateProduct, (ctx, { body }) => updateProduct(ctx, body)),
  route(calls.deleteProduct, (ctx, { query }) => deleteProduct(ctx, query.ProductID)),
  route(calls.listProductsAndPackages, (ctx) => listProductsAndPackages(ctx)),
  route(calls.listCategories, (ctx) => listCategories(ctx)),
  route(calls.createCategory, (ctx, { body }) => createCategory(ctx, body.categoryName)),
  route(calls.updateCategory, (ctx, { body }) => updateCategory(ctx, body)),
  route(calls.deleteCategory, (ctx, { query }) => deleteCategory(ctx, query.ProductCategoryID)),
];
