import { catalogueCalls, type ProductOrPackage } from '@evenkeel/contract/catalogue';
import { ZERO } from '@evenkeel/core/money';
import type { GivenDiscount } from '@evenkeel/core/documents/packages';
import { useMemo } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { useAccountChoices } from './accounts.ts';
import { useDimensions } from './dimensions.ts';

const NONE: readonly ProductOrPackage[] = [];

/** Loads the products, packages, and discounts that invoice and package lines can use. */
export function usePickable() {
  const { value: items = NONE, isLoading: isLoadingItems } = useRead(
    ask(catalogueCalls.listProductsAndPackages, {}),
    inAlert('Error Loading Items'),
  );
  return useMemo(() => ({ items, isLoadingItems }), [items, isLoadingItems]);
}

/** Returns a discount in the format that lines use. */
export function discountOf(item: ProductOrPackage): GivenDiscount {
  return {
    discountID: item.id,
    name: item.name,
    GLAccountID: item.GLAccountID ?? 0,
    profitCenterID: item.profitCenterID,
    discountType: item.discountType ?? 0,
    discountTypeTarget: item.discountTypeTarget ?? 0,
    productCategoryID: item.productCategoryID,
    discountPercentage: item.discountPercentage ?? '0',
    discountFlatValue: item.discountFlatValue ?? ZERO,
  };
}

/**
 * Returns the options for an invoice line and the required dimensions. The returned object stays the same until an
 * option changes.
 */
export function useLineChoices() {
  const dimensions = useDimensions();
  const accounts = useAccountChoices();
  const goods = usePickable();
  return useMemo(() => ({ ...dimensions, ...accounts, ...goods }), [dimensions, accounts, goods]);
}
export type LineChoices = ReturnType<typeof useLineChoices>;
