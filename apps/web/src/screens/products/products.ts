import {
  catalogueCalls,
  type Discount,
  type DiscountInput,
  type PackageDeal,
  type PackageDealInput,
  type Product,
  type ProductRow,
  type ProductCategory,
  type ProductInput,
} from '@evenkeel/contract/catalogue';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { useAccountChoices } from '../../parts/choices/accounts.ts';
import { keeping } from '../../parts/choices/choice.ts';
import { useDimensions } from '../../parts/choices/dimensions.ts';
import { inactiveQuery, wholeList } from '../../records/reads.ts';
import { listedRecords, records } from '../../records/records.ts';
import type { Restoring } from '../../records/shortList.tsx';

const LOADING = 'Error Loading Items';

const wordsOf = (one: string, many: string) => ({ one, many, loadAll: LOADING, loadOne: LOADING });

/** Products and services. */
export const products = records<ProductRow, Product, ProductInput>({
  words: wordsOf('item', 'items'),
  idOf: (one) => one.productID,
  list: (inactive, page) => ask(catalogueCalls.listProducts, { query: { ...page, ...inactiveQuery(inactive) } }),
  get: (id) => ask(catalogueCalls.getProduct, { params: { id } }),
  create: (body) => ask(catalogueCalls.createProduct, { body }),
  update: (productID, body) => ask(catalogueCalls.updateProduct, { body: { ...body, productID } }),
  remove: (ProductID) => ask(catalogueCalls.deleteProduct, { query: { ProductID } }),
});

export const discounts = records<Discount, Discount, DiscountInput>({
  words: wordsOf('discount', 'discounts'),
  idOf: (one) => one.discountID,
  list: (inactive, page) => ask(catalogueCalls.listDiscounts, { query: { ...page, ...inactiveQuery(inactive) } }),
  get: (id) => ask(catalogueCalls.getDiscount, { params: { id } }),
  create: (body) => ask(catalogueCalls.createDiscount, { body }),
  update: (discountID, body) => ask(catalogueCalls.updateDiscount, { body: { ...body, discountID } }),
  remove: (DiscountID) => ask(catalogueCalls.deleteDiscount, { query: { DiscountID } }),
});

export const packages = records<PackageDeal, PackageDeal, PackageDealInput>({
  words: wordsOf('package deal', 'package deals'),
  idOf: (one) => one.packageID,
  list: (inactive, page) => ask(catalogueCalls.listPackages, { query: { ...page, ...inactiveQuery(inactive) } }),
  get: (id) => ask(catalogueCalls.getPackage, { params: { id } }),
  create: (body) => ask(catalogueCalls.createPackage, { body }),
  update: (packageID, body) => ask(catalogueCalls.updatePackage, { body: { ...body, packageID } }),
  remove: (PackageID) => ask(catalogueCalls.deletePackage, { query: { PackageID } }),
});

interface CategoryName {
  categoryName: string;
  rowVersion: number | null;
}

export const categories = listedRecords<ProductCategory, CategoryName | Restoring>({
  words: wordsOf('category', 'categories'),
  idOf: (one) => one.productCategoryID,
  list: (inactive, page) => ask(catalogueCalls.listCategories, { query: { ...page, ...inactiveQuery(inactive) } }),
  create: (body) => ask(catalogueCalls.createCategory, { body: { ...body, categoryID: 0 } }),
  update: (productCategoryID, body) => ask(catalogueCalls.updateCategory, { body: { ...body, productCategoryID } }),
  remove: (ProductCategoryID) => ask(catalogueCalls.deleteCategory, { query: { ProductCategoryID } }),
});

/** The records that an item refers to, which the modals need even if they are inactive. */
interface Referring {
  GLAccountID: number;
  productCategoryID: number | null;
  categoryName: string;
}

/** Loads the options for the form. An account of another type that was set elsewhere stays visible. */
export function useProductChoices(current: Referring | undefined) {
  const read = useRead(ask(catalogueCalls.listCategories, { query: {} }), inAlert(LOADING));
  const { revenue, accounts, isLoadingAccounts } = useAccountChoices();
  const { profitCenters } = useDimensions();
  const account = accounts.find((each) => each.id === current?.GLAccountID);
  const offered = (wholeList(read.value) ?? []).map((one) => ({ id: one.productCategoryID, label: one.categoryName }));
  const categoryID = current?.productCategoryID ?? null;
  const category = categoryID === null ? undefined : { id: categoryID, label: current?.categoryName ?? '' };
  return {
    categories: keeping(offered, category),
    isLoadingCategories: read.isLoading,
    isLoadingAccounts,
    accounts: keeping(revenue, account),
    profitCenters,
  };
}
export type ProductChoices = ReturnType<typeof useProductChoices>;
