import { catalogueCalls, type Product, type ProductCategory, type ProductInput } from '@evenkeel/contract/catalogue';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useRead, useWrite } from '../api.ts';
import { useLoadAlert, wholeList } from '../records/reads.ts';

/** All products and services, once; a save or delete changes the list in place (Specification part 2 §4 "Lists"). */
export function useProducts() {
  const read = useRead(catalogueCalls.listProducts, { query: {} });
  const error = useLoadAlert(read.error, 'Error Loading Items');
  return { rows: wholeList(read.data), error, retry: () => void read.refetch() };
}

/** One product, also a deactivated one. */
export function useProduct(id: number) {
  const read = useRead(catalogueCalls.getProduct, { params: { id } }, { enabled: id > 0 });
  const error = useLoadAlert(read.error, 'Error Loading Items');
  return { product: read.data, error, retry: () => void read.refetch() };
}

/** What the form picks from; profit centers only where the company uses them. */
export function useProductChoices(current: Product | undefined) {
  const settings = useRead(settingsCalls.getSettings, {});
  const usesProfitCenters = isOn(settings.data?.customerSettingItems, 'useProfitCenters');
  const categories = useRead(catalogueCalls.listCategories, {});
  const accounts = useRead(ledgerCalls.listRevenueAccounts, {});
  const every = useRead(ledgerCalls.listAccounts, {});
  const centers = useRead(ledgerCalls.listProfitCenters, { query: {} }, { enabled: usesProfitCenters });
  useLoadAlert(categories.error, 'Error Loading Items');
  useLoadAlert(accounts.error, 'Error Loading Revenue Accounts');
  useLoadAlert(centers.error, 'Error Loading Pfcs');
  return useMemo(() => {
    const account = every.data?.find((each) => each.customerAccountID === current?.GLAccountID);
    const revenue = accounts.data ?? [];
    // An account of another type that a product was given elsewhere stays to be seen.
    const isOther = account !== undefined && !revenue.includes(account) && !hasAccount(revenue, account);
    return {
      usesProfitCenters,
      categories: (categories.data ?? []).map((one) => ({ id: one.productCategoryID, label: one.categoryName })),
      accounts: [...(isOther ? [account] : []), ...revenue].map((one) => ({
        id: one.customerAccountID,
        label: one.displayAccountLabel,
      })),
      profitCenters: (centers.data ?? []).map((one) => ({ id: one.profitcenterid, label: one.profitcentername })),
    };
  }, [accounts.data, categories.data, centers.data, current?.GLAccountID, every.data, usesProfitCenters]);
}
export type ProductChoices = ReturnType<typeof useProductChoices>;

function hasAccount(list: readonly { customerAccountID: number }[], one: { customerAccountID: number }): boolean {
  return list.some((each) => each.customerAccountID === one.customerAccountID);
}

function isOn(items: readonly { settingName: string; settingValue: string }[] | undefined, name: string): boolean {
  return items?.some((item) => item.settingName === name && item.settingValue === 'true') ?? false;
}

type ListReply = readonly Product[] | { items: readonly Product[] } | undefined;

async function changeLists(client: QueryClient, change: (rows: readonly Product[]) => readonly Product[]) {
  const queryKey = [catalogueCalls.listProducts.path];
  await client.cancelQueries({ queryKey });
  client.setQueriesData<ListReply>({ queryKey }, (old) => (old === undefined || 'items' in old ? old : change(old)));
  await client.invalidateQueries({ queryKey, refetchType: 'none' });
  await client.invalidateQueries({ queryKey: [catalogueCalls.listProductsAndPackages.path] });
}

function kept(rows: readonly Product[], product: Product): readonly Product[] {
  if (product.deleted) return rows.filter((each) => each.productID !== product.productID);
  return rows.some((each) => each.productID === product.productID)
    ? rows.map((each) => (each.productID === product.productID ? product : each))
    : [...rows, product];
}

/** Saves a product (id 0 creates) and keeps the lists and the record in step. */
export function useSaveProduct() {
  const client = useQueryClient();
  const create = useWrite(catalogueCalls.createProduct);
  const update = useWrite(catalogueCalls.updateProduct);
  return async (body: ProductInput): Promise<Product> => {
    const isNew = (body.productID ?? 0) === 0;
    const saved = isNew ? await create.mutateAsync({ body }) : await update.mutateAsync({ body });
    client.setQueryData([catalogueCalls.getProduct.path, { params: { id: saved.productID } }], saved);
    await changeLists(client, (rows) => kept(rows, saved));
    return saved;
  };
}

/** Deletes a product; one with history is deactivated by the server. */
export function useDeleteProduct() {
  const client = useQueryClient();
  const remove = useWrite(catalogueCalls.deleteProduct);
  return async (id: number): Promise<true> => {
    await remove.mutateAsync({ query: { ProductID: id } });
    await client.invalidateQueries({ queryKey: [catalogueCalls.getProduct.path], refetchType: 'none' });
    await changeLists(client, (rows) => rows.filter((row) => row.productID !== id));
    return true;
  };
}

/** Creates a category and puts it among the others, so that it can be chosen at once. */
export function useCreateCategory() {
  const client = useQueryClient();
  const create = useWrite(catalogueCalls.createCategory);
  return async (categoryName: string): Promise<ProductCategory> => {
    const saved = await create.mutateAsync({ body: { categoryID: 0, categoryName } });
    client.setQueryData<ProductCategory[]>([catalogueCalls.listCategories.path, {}], (old) =>
      old === undefined ? old : [...old, saved].toSorted((a, b) => a.categoryName.localeCompare(b.categoryName)),
    );
    return saved;
  };
}
