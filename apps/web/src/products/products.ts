import { catalogueCalls, type Product, type ProductInput } from '@evenkeel/contract/catalogue';
import { ask, useRead } from '../api.ts';
import { useAccountChoices } from '../choices/accounts.ts';
import { keeping } from '../choices/choice.ts';
import { useDimensions } from '../choices/dimensions.ts';
import { useLoadAlert } from '../records/reads.ts';
import { records } from '../records/records.ts';

const LOADING = 'Error Loading Items';

/** Products and services (Specification part 2 §2 "Products area"). */
export const products = records<Product, Product, ProductInput>({
  words: { one: 'item', many: 'items', loadAll: LOADING, loadOne: LOADING },
  idOf: (one) => one.productID,
  list: (_, query) => ask(catalogueCalls.listProducts, { query }),
  get: (id) => ask(catalogueCalls.getProduct, { params: { id } }),
  create: (body) => ask(catalogueCalls.createProduct, { body }),
  update: (productID, body) => ask(catalogueCalls.updateProduct, { body: { ...body, productID } }),
  remove: (ProductID) => ask(catalogueCalls.deleteProduct, { query: { ProductID } }),
});

/** What the form picks from; an account of another type that a product was given elsewhere stays to be seen. */
export function useProductChoices(current: Product | undefined) {
  const read = useRead(catalogueCalls.listCategories, { query: {} });
  useLoadAlert(read.error, LOADING);
  const { revenue, accounts } = useAccountChoices();
  const { profitCenters } = useDimensions();
  const account = accounts.find((each) => each.id === current?.GLAccountID);
  const categories = (read.data ?? []).map((one) => ({ id: one.productCategoryID, label: one.categoryName }));
  return { categories, accounts: keeping(revenue, account), profitCenters };
}
export type ProductChoices = ReturnType<typeof useProductChoices>;
